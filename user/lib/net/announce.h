/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Telling the neighbours that an IPv6 address has a new MAC.
 *
 * For IPv4 the kernel does it: with arp_notify set on a device that has its addresses before it
 * goes up, it sends a gratuitous ARP for each of them. It has no counterpart for IPv6 addresses
 * without duplicate address detection. A packet socket could send both, but closing one waits
 * for an RCU grace period, which is longer than all the rest of an ADD.
 */
#ifndef RG_NET_ANNOUNCE_H
#define RG_NET_ANNOUNCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"

struct rg_err;

/* Neighbour advertisement with a target link-layer address option, from the ICMPv6 type on. */
#define RG_ANNOUNCE_NA_LEN 32

/**
 * rg_announce_na() - build an unsolicited neighbour advertisement (RFC 4861, 7.2.6)
 * @mac: who has the address
 * @addr: IPv6 address
 * @msg: ICMPv6 message with the override flag; its checksum is left to the kernel
 */
void rg_announce_na(const uint8_t mac[RG_MAC_LEN], const struct rg_addr *addr,
		    uint8_t msg[RG_ANNOUNCE_NA_LEN]);

/**
 * rg_announce() - advertise the IPv6 addresses of a device to all nodes, once
 * @ifindex: device in the calling process's namespace; it must be up
 * @mac: its MAC
 * @addrs: addresses; IPv4 ones are passed over
 * @n: number of @addrs
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_announce(int ifindex, const uint8_t mac[RG_MAC_LEN], const struct rg_addr *addrs, size_t n,
		struct rg_err *err);

#endif /* RG_NET_ANNOUNCE_H */
