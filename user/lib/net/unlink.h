/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deleting a network device without waiting for its memory to be freed.
 */
#ifndef RG_NET_UNLINK_H
#define RG_NET_UNLINK_H

#include "net/nl.h"

struct rg_err;

/**
 * rg_link_delete_early() - delete a virtual device, return as soon as it is gone
 * @nl: NETLINK_ROUTE socket in the device's namespace; it is subscribed to changes of devices
 * @netns_fd: the same namespace
 * @ifindex: device
 * @err: what failed
 *
 * The kernel answers a deletion only after an RCU grace period, which is the time that the freeing
 * of the memory has to wait; to everyone else the device was gone before. So a child asks for the
 * deletion and waits, and this returns when the kernel announces it. The child outlives the
 * caller by some milliseconds with nothing open. Where no init process would reap it (inside a
 * container's PID namespace) it is waited for instead.
 *
 * Return: 0, -ENODEV if the device is gone already, or -errno
 */
int rg_link_delete_early(struct rg_nl *nl, int netns_fd, int ifindex, struct rg_err *err);

#endif /* RG_NET_UNLINK_H */
