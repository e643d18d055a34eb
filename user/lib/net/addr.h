/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of network devices.
 */
#ifndef RG_NET_ADDR_H
#define RG_NET_ADDR_H

#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"
#include "net/nl.h"

/**
 * struct rg_ifaddr - an address on a device
 * @ifindex: device
 * @cidr: address and prefix length
 * @flags: IFA_F_*
 * @scope: RT_SCOPE_*
 * @metric: of the route to the address's subnet, 0 for the kernel's own choice
 */
struct rg_ifaddr {
	int ifindex;
	struct rg_cidr_net cidr;
	uint32_t flags;
	uint8_t scope;
	uint32_t metric;
};

/**
 * rg_ifaddr_parse() - read an RTM_NEWADDR or RTM_DELADDR message
 * @nlh: message
 * @ret: address
 *
 * Return: 0, or -EPROTO if the message is not a well-formed IP address
 */
int rg_ifaddr_parse(const struct nlmsghdr *nlh, struct rg_ifaddr *ret);

/**
 * rg_ifaddr_add() - add an address
 * @nl: NETLINK_ROUTE socket in the device's namespace
 * @addr: what to add; IPv4 gets its subnet's broadcast address
 * @err: what failed
 *
 * Return: 0, -EEXIST if the device has it, or -errno
 */
int rg_ifaddr_add(struct rg_nl *nl, const struct rg_ifaddr *addr, struct rg_err *err);

/**
 * rg_ifaddr_delete() - remove an address
 * @nl: NETLINK_ROUTE socket in the device's namespace
 * @addr: what to remove
 * @err: what failed
 *
 * Return: 0, -EADDRNOTAVAIL if the device has it not, or -errno
 */
int rg_ifaddr_delete(struct rg_nl *nl, const struct rg_ifaddr *addr, struct rg_err *err);

/**
 * rg_ifaddr_list() - addresses of both families
 * @nl: NETLINK_ROUTE socket
 * @ifindex: device, 0 for all
 * @ret: array, to be freed with free()
 * @ret_n: number of addresses
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_ifaddr_list(struct rg_nl *nl, int ifindex, struct rg_ifaddr **ret, size_t *ret_n,
		   struct rg_err *err);

#endif /* RG_NET_ADDR_H */
