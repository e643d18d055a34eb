/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which netdev is which rail, now.
 *
 * A rail is bound to hardware by what does not change; this finds the netdev that fits. A rail
 * whose netdev is not there is a normal state, one that fits several netdevs is a fault of the
 * configuration: both are reported per rail and neither disturbs the other rails.
 */
#ifndef RG_TOPO_RAILS_H
#define RG_TOPO_RAILS_H

#include <stdbool.h>
#include <stddef.h>

#include "conf/conf.h"
#include "net/link.h"

struct rg_err;

/**
 * struct rg_rail_dev - the netdev of a rail
 * @present: whether exactly one netdev fits
 * @link: netdev, valid if @present
 * @rdma: RDMA device that serves it, empty if none is known
 * @why: if not @present, a sentence that says what was looked for and what to do
 */
struct rg_rail_dev {
	bool present;
	struct rg_link link;
	char rdma[RG_RDMA_NAME_SIZE];
	char why[256];
};

/**
 * rg_rails_resolve() - find the netdevs of all rails among given ones
 * @conf: configuration
 * @links: the host's netdevs
 * @n_links: number of @links
 * @sysfs: root of sysfs
 * @ret: one entry for each of @conf's rails
 */
void rg_rails_resolve(const struct rg_conf *conf, const struct rg_link *links, size_t n_links,
		      const char *sysfs, struct rg_rail_dev *ret);

/**
 * rg_rails_find() - find the netdev of one rail on this host
 * @nl: NETLINK_ROUTE socket in the host's namespace
 * @rail: rail as configured
 * @sysfs: root of sysfs
 * @ret: netdev, written only on success
 * @err: sentence that names the rail
 *
 * Return: 0, -ENODEV if no netdev or several fit, or another -errno
 */
int rg_rails_find(struct rg_nl *nl, const struct rg_conf_rail *rail, const char *sysfs,
		  struct rg_rail_dev *ret, struct rg_err *err);

#endif /* RG_TOPO_RAILS_H */
