/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routes.
 */
#ifndef RG_NET_ROUTE_H
#define RG_NET_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rtnetlink.h>

#include "base/inet.h"
#include "net/nl.h"

/* Marks the routes that railgate made (rtm_protocol), so that nobody else's is ever touched. */
#define RG_ROUTE_PROTOCOL 166

/**
 * rg_route_rail_metric() - metric of the routes through a rail, on the host and in pods
 * @rail: rail number
 *
 * Return: metric; a lower rail number is preferred, and any is behind what has a metric of its own
 */
static inline uint32_t rg_route_rail_metric(unsigned int rail)
{
	return 101 + rail;
}

/**
 * struct rg_route - a route with one next hop
 * @dst: destination network
 * @gateway: next hop, valid if @has_gateway
 * @has_gateway: false for an on-link destination
 * @prefsrc: source address for connections, valid if @has_prefsrc
 * @has_prefsrc: whether @prefsrc is given
 * @ifindex: device, 0 for any (list filter) or none
 * @metric: priority, the lowest wins
 * @table: RT_TABLE_*, 0 for main
 * @scope: RT_SCOPE_*
 * @protocol: RTPROT_*
 * @type: RTN_*, 0 for unicast
 * @flags: RTNH_F_*
 * @mtu: path MTU in bytes, 0 if not set
 * @advmss: advertised MSS in bytes, 0 if not set
 */
struct rg_route {
	struct rg_cidr_net dst;
	struct rg_addr gateway;
	bool has_gateway;
	struct rg_addr prefsrc;
	bool has_prefsrc;
	int ifindex;
	uint32_t metric;
	uint32_t table;
	uint8_t scope;
	uint8_t protocol;
	uint8_t type;
	uint32_t flags;
	uint32_t mtu;
	uint32_t advmss;
};

/**
 * rg_route_parse() - read an RTM_NEWROUTE or RTM_DELROUTE message
 * @nlh: message
 * @ret: route; of several next hops the first
 *
 * Return: 0, or -EPROTO if the message is not a well-formed IP route
 */
int rg_route_parse(const struct nlmsghdr *nlh, struct rg_route *ret);

/**
 * rg_route_add() - add a route
 * @nl: NETLINK_ROUTE socket
 * @route: what to add
 * @replace: take the place of a route to the same network with the same metric
 * @err: what failed
 *
 * Return: 0, -EEXIST, or -errno
 */
int rg_route_add(struct rg_nl *nl, const struct rg_route *route, bool replace, struct rg_err *err);

/**
 * rg_route_delete() - remove a route
 * @nl: NETLINK_ROUTE socket
 * @route: what to remove
 * @err: what failed
 *
 * Return: 0, -ESRCH if there is none, or -errno
 */
int rg_route_delete(struct rg_nl *nl, const struct rg_route *route, struct rg_err *err);

/**
 * rg_route_list() - routes of both families
 * @nl: NETLINK_ROUTE socket
 * @ifindex: only those of a device, 0 for all
 * @table: only those of a table, 0 for all
 * @ret: array, to be freed with free()
 * @ret_n: number of routes
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_route_list(struct rg_nl *nl, int ifindex, uint32_t table, struct rg_route **ret,
		  size_t *ret_n, struct rg_err *err);

#endif /* RG_NET_ROUTE_H */
