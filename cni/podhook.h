/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hook on the pod's own interface, whose pin is named after the endpoint's slot.
 *
 * What a macvlan sends off the node passes the rail's hook. Its own hook judges only what stays
 * below the rail's: unicast to another macvlan of the same rail in bridge mode. So there is none
 * in the other modes and none for receiving. It is a clsact filter: to attach and to drop a TCX
 * link each take the kernel an RCU grace period under the RTNL lock, as long as a whole ADD and
 * DEL otherwise, and every other pod's ADD waits for it.
 */
#ifndef RG_CNI_PODHOOK_H
#define RG_CNI_PODHOOK_H

#include <stdint.h>

struct rg_err;
struct rg_pod_setup;

/**
 * rg_podhook_attach() - attach the hook; called in the pod's namespace
 * @setup: interface with its number, and what the hook carries
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_podhook_attach(const struct rg_pod_setup *setup, struct rg_err *err);

/**
 * rg_podhook_check() - whether the hook of a slot is pinned
 * @pin_dir: the railgate folder in a bpffs
 * @slot: endpoint slot
 * @err: what is missing
 *
 * Return: 0 or -errno
 */
int rg_podhook_check(const char *pin_dir, uint32_t slot, struct rg_err *err);

/**
 * rg_podhook_remove() - remove the pin of a slot's hook
 * @pin_dir: the railgate folder in a bpffs
 * @slot: endpoint slot
 * @err: what failed
 *
 * Return: 0, also if there is none, or -errno
 */
int rg_podhook_remove(const char *pin_dir, uint32_t slot, struct rg_err *err);

#endif /* RG_CNI_PODHOOK_H */
