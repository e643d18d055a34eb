// SPDX-License-Identifier: Apache-2.0
/*
 * Setting up the interface inside the pod's namespace.
 */
#include <errno.h>
#include <string.h>
#include <linux/if_addr.h>
#include <linux/ip.h>
#include <linux/netlink.h>

#include <railgate/limits.h>

#include "base/err.h"
#include "base/str.h"
#include "net/addr.h"
#include "net/announce.h"
#include "net/link.h"
#include "net/sysctl.h"
#include "pod.h"
#include "podhook.h"

/* Interfaces that one pod may have on one rail. */
#define ROUTE_ATTEMPTS 16

static int find(struct rg_nl *nl, struct rg_pod_setup *s, struct rg_err *err)
{
	struct rg_link link;
	int r = rg_link_get_name(nl, s->made_as, &link, err);

	if (r < 0)
		return r;
	if (!link.has_mac || memcmp(link.mac, s->mac, RG_MAC_LEN) != 0)
		return rg_err_set(err, -ESTALE,
				  "interface '%s' in the pod is not the one just made", s->made_as);
	s->ifindex = link.ifindex;
	s->mtu = link.mtu;
	return 0;
}

/* The name, and how it treats ARP: of several rails in one subnet each answers for itself only. */
static int name_and_tune(struct rg_nl *nl, const struct rg_pod_setup *s, struct rg_err *err)
{
	struct rg_link_change change = {
		.netns_fd = -1,
		.conf = {{IPV4_DEVCONF_ARP_IGNORE, 1},
			 {IPV4_DEVCONF_ARP_ANNOUNCE, 2},
			 {IPV4_DEVCONF_RP_FILTER, 2},
			 {IPV4_DEVCONF_ARP_NOTIFY, 1}},
		.n_conf = 4,
	};
	int r;

	if (!rg_str_equal(s->made_as, s->ifname))
		change.name = s->ifname;
	r = rg_link_change(nl, s->ifindex, &change, err);
	if (r == -EEXIST)
		return rg_err_set(err, r, "the pod already has an interface '%s'", s->ifname);
	return r;
}

static bool has_v6(const struct rg_pod_setup *s)
{
	for (size_t i = 0; i < s->n_addrs; i++) {
		if (!rg_addr_is_v4(&s->addrs[i].addr))
			return true;
	}
	return false;
}

/* A router on the rail must not give the pod a default route or addresses nobody knows of. */
static int tune_v6(const struct rg_pod_setup *s, struct rg_err *err)
{
	_cleanup_close_ int dir = -EBADF;
	int r = rg_sysctl_open(&s->netns, &dir, err);

	if (r < 0)
		return r;
	r = rg_sysctl_set(dir, "ipv6/conf", s->ifname, "accept_ra", "0", err);
	if (r == -ENOENT) /* a kernel without IPv6 */
		return has_v6(s) ? rg_err_set(err, r,
					      "the kernel has no IPv6, but the network "
					      "gives the pod an IPv6 address")
				 : 0;
	/* container runtimes like to disable it for the whole namespace */
	if (r == 0 && has_v6(s))
		r = rg_sysctl_set(dir, "ipv6/conf", s->ifname, "disable_ipv6", "0", err);
	return r;
}

/*
 * IPAM has made sure that nobody else has the address: waiting for duplicate address detection
 * would only keep the pod from using it for a second.
 */
static int add_addrs(struct rg_nl *nl, const struct rg_pod_setup *s, struct rg_err *err)
{
	int r = 0;

	for (size_t i = 0; i < s->n_addrs && r == 0; i++) {
		const struct rg_ifaddr addr = {
			.ifindex = s->ifindex,
			.cidr = s->addrs[i],
			.flags = rg_addr_is_v4(&s->addrs[i].addr) ? 0 : IFA_F_NODAD,
			.metric = s->metric,
		};

		r = rg_ifaddr_add(nl, &addr, err);
	}
	return r;
}

static int bring_up(struct rg_nl *nl, const struct rg_pod_setup *s, struct rg_err *err)
{
	struct rg_link_change change = RG_LINK_CHANGE_NONE;

	change.up = 1;
	return rg_link_change(nl, s->ifindex, &change, err);
}

/* A second interface on the same rail comes behind the first, and behind all other rails. */
static int add_route(struct rg_nl *nl, int ifindex, struct rg_route *route, struct rg_err *err)
{
	int r = -EEXIST;

	route->ifindex = ifindex;
	for (int i = 0; i < ROUTE_ATTEMPTS && r == -EEXIST; i++) {
		r = rg_route_add(nl, route, false, err);
		if (r == -EEXIST)
			route->metric += RG_MAX_RAILS;
	}
	return r;
}

static int add_routes(struct rg_nl *nl, struct rg_pod_setup *s, struct rg_err *err)
{
	int r = 0;

	for (size_t i = 0; i < s->n_routes && r == 0; i++)
		r = add_route(nl, s->ifindex, &s->routes[i], err);
	return r;
}

static int announce(const struct rg_pod_setup *s, struct rg_err *err)
{
	struct rg_addr addrs[RG_RECORD_MAX_ADDRS];

	for (size_t i = 0; i < s->n_addrs; i++)
		addrs[i] = s->addrs[i].addr;
	return rg_announce(s->ifindex, s->mac, addrs, s->n_addrs, err);
}

static int configure(void *arg, struct rg_err *err)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	struct rg_pod_setup *s = arg;
	int r = rg_nl_open(NETLINK_ROUTE, &nl, err);

	r = r ? r : find(nl, s, err);
	r = r ? r : rg_podhook_attach(s, err);
	r = r ? r : name_and_tune(nl, s, err);
	r = r ? r : tune_v6(s, err);
	r = r ? r : add_addrs(nl, s, err);
	r = r ? r : bring_up(nl, s, err);
	r = r ? r : add_routes(nl, s, err);
	return r ? r : announce(s, err);
}

int rg_pod_configure(int netns_fd, struct rg_pod_setup *setup, struct rg_err *err)
{
	return rg_netns_run(netns_fd, configure, setup, sizeof(*setup), err);
}
