// SPDX-License-Identifier: Apache-2.0
/*
 * CHECK: compares what is with the result of ADD, and names the first damage.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <linux/if_link.h>
#include <linux/netlink.h>

#include "attach.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "commands.h"
#include "fault.h"
#include "ipam.h"
#include "net/addr.h"
#include "net/link.h"
#include "podhook.h"

/**
 * struct check - a CHECK
 * @call: call
 * @conf: network configuration
 * @node: node
 * @prev: result of ADD
 * @pod: NETLINK_ROUTE socket in the pod's namespace
 * @netns: its identity
 */
struct check {
	const struct rg_call *call;
	const struct rg_netconf *conf;
	struct rg_node *node;
	struct rg_result prev;
	struct rg_nl *pod;
	struct rg_netns_id netns;
};

static int damaged(struct rg_fault *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int damaged(struct rg_fault *f, const char *fmt, ...)
{
	va_list ap;

	f->code = RG_CNI_DAMAGED;
	f->err.code = -EINVAL;
	va_start(ap, fmt);
	(void)vsnprintf(f->err.msg, sizeof(f->err.msg), fmt, ap);
	va_end(ap);
	return f->err.code;
}

static int open_pod(struct check *c, struct rg_fault *f)
{
	_cleanup_close_ int fd = -EBADF;
	int r = rg_netns_open(c->call->netns, &fd, &c->netns, &f->err);

	if (r < 0)
		return rg_fault_code(f, RG_CNI_NETNS, r);
	if (rg_netns_same(&c->netns, &c->node->host) && !c->call->netns_override)
		return rg_fault_set(f, RG_CNI_NETNS,
				    "CNI_NETNS '%s' is the host's own network namespace",
				    c->call->netns);
	r = rg_netns_nl(fd, NETLINK_ROUTE, &c->pod, &f->err);
	return r < 0 ? rg_fault_errno(f, r) : 0;
}

static int find_interface(const struct check *c, const char *ifname, struct rg_fault *f)
{
	for (size_t i = 0; i < c->prev.n_ifs; i++) {
		if (rg_str_equal(c->prev.ifs[i].name, ifname) && c->prev.ifs[i].sandbox[0])
			return (int)i;
	}
	return rg_fault_set(f, RG_CNI_CONFIG,
			    "prevResult: no interface '%s' inside a namespace among \"interfaces\"",
			    ifname);
}

static int check_link(const struct check *c, const struct rg_result_if *want,
		      const struct rg_rail_dev *dev, struct rg_link *ret, struct rg_fault *f)
{
	char mac[RG_MAC_STR_LEN], want_mac[RG_MAC_STR_LEN];
	struct rg_link link;
	int r = rg_link_get_name(c->pod, want->name, &link, &f->err);

	if (rg_net_gone(r))
		return damaged(f, "interface '%s' is missing in the pod", want->name);
	if (r < 0)
		return rg_fault_errno(f, r);
	if (!rg_str_equal(link.kind, "macvlan"))
		return damaged(f, "interface '%s' is a %s instead of a macvlan", link.name,
			       link.kind[0] ? link.kind : "hardware device");
	if (link.parent != dev->link.ifindex)
		return damaged(f, "interface '%s' is on another device than rail %s", link.name,
			       dev->link.name);
	if (want->has_mac && memcmp(link.mac, want->mac, RG_MAC_LEN) != 0)
		return damaged(f, "interface '%s' has MAC %s instead of %s", link.name,
			       rg_mac_format(link.mac, mac), rg_mac_format(want->mac, want_mac));
	if (want->mtu && link.mtu != want->mtu)
		return damaged(f, "interface '%s' has MTU %u instead of %u", link.name, link.mtu,
			       want->mtu);
	if (!(link.flags & IFF_UP))
		return damaged(f, "interface '%s' is down", link.name);
	*ret = link;
	return 0;
}

static int check_addrs(const struct check *c, int index, const struct rg_link *link,
		       struct rg_fault *f)
{
	_cleanup_free_ struct rg_ifaddr *addrs = NULL;
	char text[RG_CIDR_STR_LEN];
	size_t n = 0;
	int r = rg_ifaddr_list(c->pod, link->ifindex, &addrs, &n, &f->err);

	if (r < 0)
		return rg_fault_errno(f, r);
	for (size_t i = 0; i < c->prev.n_ips; i++) {
		const struct rg_cidr_net *want = &c->prev.ips[i].addr;
		bool found = false;

		if (c->prev.ips[i].interface != index)
			continue;
		for (size_t k = 0; k < n && !found; k++)
			found = addrs[k].cidr.prefix == want->prefix &&
				rg_addr_equal(&addrs[k].cidr.addr, &want->addr);
		if (!found)
			return damaged(f, "interface '%s' lacks address %s", link->name,
				       rg_cidr_format(want, text));
	}
	return 0;
}

/* A later plugin may have moved a route to another table; gone altogether it is a damage. */
static int check_routes(const struct check *c, const struct rg_link *link, struct rg_fault *f)
{
	_cleanup_free_ struct rg_route *routes = NULL;
	char text[RG_CIDR_STR_LEN];
	size_t n = 0;
	int r = rg_route_list(c->pod, link->ifindex, 0, &routes, &n, &f->err);

	if (r < 0)
		return rg_fault_errno(f, r);
	for (size_t i = 0; i < c->node->conf->n_rdma_cidrs; i++) {
		struct rg_cidr_net want = rg_cidr_network(&c->node->conf->rdma_cidrs[i]);
		bool expected = false, found = false;

		for (size_t k = 0; k < c->prev.n_routes && !expected; k++)
			expected = c->prev.routes[k].dst.prefix == want.prefix &&
				   rg_addr_equal(&c->prev.routes[k].dst.addr, &want.addr);
		for (size_t k = 0; k < n && !found; k++)
			found = routes[k].dst.prefix == want.prefix &&
				rg_addr_equal(&routes[k].dst.addr, &want.addr);
		if (expected && !found)
			return damaged(f,
				       "the route to RDMA CIDR %s over interface '%s' is missing",
				       rg_cidr_format(&want, text), link->name);
	}
	return 0;
}

static int check_maps(const struct check *c, const struct rg_record *record, struct rg_fault *f)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct rg_addr addrs[RG_RECORD_MAX_ADDRS];
	struct rg_endpoint endpoint;
	int r = rg_pin_ready(c->node->pin_dir, &f->err);

	r = r ? r : rg_maps_open(c->node->pin_dir, &maps, &f->err);
	if (r < 0)
		return rg_fault_errno(f, r);
	for (size_t i = 0; i < record->n_addrs; i++)
		addrs[i] = record->addrs[i].addr;
	rg_attach_endpoint(record, c->conf, &endpoint);
	r = rg_endpoints_check(maps, record->slot, &endpoint, addrs, record->n_addrs, &f->err);
	if (r == 0 && c->conf->macvlan_mode == MACVLAN_MODE_BRIDGE)
		r = rg_podhook_check(c->node->pin_dir, record->slot, &f->err);
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "interface '%s'", record->ifname);
		return rg_fault_code(f, RG_CNI_DAMAGED, r);
	}
	return 0;
}

static int check_record(const struct check *c, const struct rg_record *record,
			const struct rg_link *link, struct rg_fault *f)
{
	if (record->phase != RG_PHASE_READY)
		return damaged(f, "the ADD of interface '%s' did not come to its end",
			       record->ifname);
	if (record->netns_dev != c->netns.dev || record->netns_ino != c->netns.ino)
		return damaged(f, "interface '%s' was attached to another namespace than '%s'",
			       record->ifname, c->call->netns);
	if (!record->has_slot || record->ifindex != link->ifindex)
		return damaged(f, "interface '%s' is not the device that ADD made", record->ifname);
	return check_maps(c, record, f);
}

static int check_one(const struct check *c, size_t index, struct rg_fault *f)
{
	_cleanup_record_ struct rg_record *record = NULL;
	char ifname[IF_NAMESIZE];
	struct rg_rail_dev dev;
	struct rg_link link;
	int r, at;

	if (rg_attach_ifname(c->call->ifname, index, ifname) < 0)
		return rg_fault_set(f, RG_CNI_ENVIRONMENT, "CNI_IFNAME '%s' leaves no room for %zu",
				    c->call->ifname, index + 1);
	at = find_interface(c, ifname, f);
	if (at < 0)
		return at;
	r = rg_attach_find_rail(c->node, c->conf, index, &dev, f);
	if (r < 0)
		return r;
	r = check_link(c, &c->prev.ifs[at], &dev, &link, f);
	r = r ? r : check_addrs(c, at, &link, f);
	r = r ? r : check_routes(c, &link, f);
	if (r < 0)
		return r;
	r = rg_store_read(c->node->store, c->call->container_id, ifname, &record, &f->err);
	if (r < 0)
		return rg_fault_code(f, RG_CNI_DAMAGED, r);
	return check_record(c, record, &link, f);
}

static int check_ipam(const struct check *c, struct rg_fault *f)
{
	const struct rg_ipam ipam = {
		.type = c->conf->ipam_type,
		.timeout_s = c->conf->ipam_timeout_s,
		.config = c->call->input,
		.config_len = c->call->input_len,
		.path = c->call->path,
		.args = c->call->args,
		.container_id = c->call->container_id,
		.netns = c->call->netns,
		.ifname = c->call->ifname,
	};

	return c->conf->ipam_type[0] ? rg_ipam_run(&ipam, RG_COMMAND_CHECK, f) : 0;
}

static int check_all(struct check *c, struct rg_fault *f)
{
	size_t n = c->conf->n_rails ? c->conf->n_rails : 1;
	int r;

	if (!c->conf->prev_result)
		return rg_fault_set(f, RG_CNI_CONFIG,
				    "prevResult: missing; CHECK compares with what ADD answered");
	r = rg_result_parse(c->conf->prev_result, "prevResult", &c->prev, &f->err);
	if (r < 0)
		return rg_fault_code(f, RG_CNI_CONFIG, r);
	r = rg_node_need_conf(c->node, f);
	r = r ? r : rg_node_need_net(c->node, f);
	r = r ? r : rg_node_need_store(c->node, f);
	r = r ? r : open_pod(c, f);
	for (size_t i = 0; i < n && r == 0; i++)
		r = check_one(c, i, f);
	return r ? r : check_ipam(c, f);
}

int rg_cni_check(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f)
{
	struct rg_node node;
	struct check c = {.call = call, .conf = conf, .node = &node};
	int r;

	rg_node_init(&node);
	r = check_all(&c, f);
	rg_result_done(&c.prev);
	rg_nl_close(c.pod);
	rg_node_done(&node);
	return r;
}
