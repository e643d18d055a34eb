// SPDX-License-Identifier: Apache-2.0
/*
 * From the configuration and what is there to the policy in the maps. No kernel is needed here.
 */
#include <errno.h>
#include <string.h>

#include <railgate/policy.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "daemon/policy.h"

/* ARP, ND and MLD packets a second from one endpoint: far above what a node with thousands of
 * neighbours resolves, far below what disturbs a fabric.
 */
#define L2_PPS 1000

static bool is_given(const int *numbers, size_t n, int number)
{
	for (size_t i = 0; i < n; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

/* A number that the policy in force knows under a name that is not configured any more. */
static bool is_orphan(const struct rg_policy *in_force, int number)
{
	return in_force && in_force->rails[number].mode != RG_MODE_NONE;
}

static int free_number(const struct rg_policy *in_force, bool (*busy)(uint32_t number, void *arg),
		       void *arg, const int *numbers, size_t n)
{
	int reusable = -EBUSY;

	for (int i = 0; i < RG_MAX_RAILS; i++) {
		if (is_given(numbers, n, i) || busy((uint32_t)i, arg))
			continue;
		if (!is_orphan(in_force, i))
			return i;
		if (reusable < 0)
			reusable = i;
	}
	return reusable;
}

int rg_numbers_assign(const struct rg_conf *conf, const struct rg_policy *in_force,
		      bool (*busy)(uint32_t number, void *arg), void *arg, int *numbers,
		      struct rg_err *err)
{
	int given[RG_MAX_RAILS];

	for (size_t i = 0; i < RG_MAX_RAILS; i++)
		given[i] = i < conf->n_rails && in_force
				   ? rg_policy_rail_number(in_force, conf->rails[i].name)
				   : -ENOENT;
	for (size_t i = 0; i < conf->n_rails; i++) {
		if (given[i] >= 0)
			continue;
		given[i] = free_number(in_force, busy, arg, given, RG_MAX_RAILS);
		if (given[i] < 0)
			return rg_err_set(err, -EBUSY,
					  "rail '%s': all %d rail numbers are taken, some by pods "
					  "on rails that are not configured any more; remove those "
					  "pods first",
					  conf->rails[i].name, RG_MAX_RAILS);
	}
	memcpy(numbers, given, sizeof(given));
	return 0;
}

static void fill_allow(const struct rg_conf_allow *from, struct rg_allow *to)
{
	to->in_use = 1;
	to->proto = from->proto;
	to->port = from->port;
	to->from = from->from;
	if (from->has_to) {
		memcpy(to->to, from->to.addr.b, sizeof(to->to));
		to->to_prefix = (uint8_t)rg_cidr_prefix128(&from->to);
	}
}

static void fill_rail(const struct rg_conf_rail *from, const struct rg_rail_dev *dev,
		      struct rg_rail *to)
{
	const struct rg_conf_policy *p = &from->policy;

	(void)rg_str_copy(to->name, sizeof(to->name), from->name);
	to->mode = p->mode;
	to->profile = p->profile;
	to->flags = p->kernel_roce_deny ? RG_RAIL_KERNEL_ROCE_DENY : 0;
	to->l2_pps = L2_PPS;
	if (dev->present) {
		to->ifindex = (uint32_t)dev->link.ifindex;
		memcpy(to->mac, dev->link.mac, sizeof(to->mac));
	}
	to->n_vlans = (uint8_t)from->n_vlans;
	memcpy(to->vlans, from->vlans, from->n_vlans * sizeof(to->vlans[0]));
	to->n_allows = (uint8_t)p->n_allows;
	for (size_t i = 0; i < p->n_allows; i++)
		fill_allow(&p->allows[i], &to->allows[i]);
}

static bool is_v6(const struct rg_cidr_net *net)
{
	return !rg_addr_is_v4(&net->addr);
}

/* Whether an address belongs to the rail's netdev or to a VLAN on it. */
static bool is_on_rail(const struct rg_seen *seen, const struct rg_rail_dev *dev, int ifindex)
{
	if (ifindex == dev->link.ifindex)
		return true;
	for (size_t i = 0; i < seen->n_links; i++)
		if (seen->links[i].ifindex == ifindex)
			return rg_str_equal(seen->links[i].kind, "vlan") &&
			       seen->links[i].parent == dev->link.ifindex &&
			       seen->links[i].parent_nsid < 0;
	return false;
}

static int add_subnets(const struct rg_conf_rail *rail, const struct rg_seen *seen,
		       const struct rg_rail_dev *dev, int number, struct rg_policy *policy)
{
	uint32_t scope = RG_SCOPE_SUBNET((uint32_t)number), index = 0;

	for (size_t i = 0; i < rail->n_addresses; i++, index++)
		if (rg_policy_add_cidr(policy, &rail->addresses[i], scope, index) < 0)
			return -E2BIG;
	for (size_t i = 0; dev->present && i < seen->n_addrs; i++) {
		const struct rg_ifaddr *a = &seen->addrs[i];

		if (!is_on_rail(seen, dev, a->ifindex))
			continue;
		if (is_v6(&a->cidr))
			policy->rails[number].flags |= RG_RAIL_HAS_IPV6;
		if (rg_addr_is_link_local(&a->cidr.addr))
			continue;
		if (rg_policy_add_cidr(policy, &a->cidr, scope, index++) < 0)
			return -E2BIG;
	}
	return 0;
}

static bool fabric_has_ipv6(const struct rg_conf *conf)
{
	for (size_t i = 0; i < conf->n_rdma_cidrs; i++)
		if (is_v6(&conf->rdma_cidrs[i]))
			return true;
	return false;
}

int rg_policy_make(const struct rg_conf *conf, const int *numbers, const struct rg_seen *seen,
		   struct rg_policy *ret, struct rg_err *err)
{
	bool ipv6 = fabric_has_ipv6(conf);
	int r = 0;

	memset(ret->rails, 0, sizeof(ret->rails));
	memset(ret->cidrs, 0, sizeof(ret->cidrs));
	ret->n_cidrs = 0;
	for (size_t i = 0; r == 0 && i < conf->n_rdma_cidrs; i++)
		r = rg_policy_add_cidr(ret, &conf->rdma_cidrs[i], RG_SCOPE_RDMA, (uint32_t)i);
	for (size_t i = 0; r == 0 && i < conf->n_rails; i++) {
		struct rg_rail *rail = &ret->rails[numbers[i]];

		fill_rail(&conf->rails[i], &seen->devs[i], rail);
		rail->flags |= ipv6 ? RG_RAIL_HAS_IPV6 : 0;
		r = add_subnets(&conf->rails[i], seen, &seen->devs[i], numbers[i], ret);
	}
	if (r < 0)
		return rg_err_set(err, r,
				  "RDMA CIDRs and subnets of the rails are more than %d networks",
				  RG_POLICY_MAX_CIDRS);
	return 0;
}

static bool same_cidr(const struct rg_policy_cidr *a, const struct rg_policy_cidr *b)
{
	return a->scope == b->scope && a->index == b->index && a->net.prefix == b->net.prefix &&
	       rg_addr_equal(&a->net.addr, &b->net.addr);
}

bool rg_policy_same(const struct rg_policy *a, const struct rg_policy *b)
{
	for (size_t i = 0; i < RG_MAX_RAILS; i++) {
		struct rg_rail x = a->rails[i], y = b->rails[i];

		x.generation = 0;
		y.generation = 0;
		if (memcmp(&x, &y, sizeof(x)) != 0)
			return false;
	}
	for (size_t i = 0; a->n_cidrs == b->n_cidrs && i < a->n_cidrs; i++)
		if (!same_cidr(&a->cidrs[i], &b->cidrs[i]))
			return false;
	return a->n_cidrs == b->n_cidrs;
}

void rg_hosts_make(const struct rg_conf *conf, const int *numbers, const struct rg_seen *seen,
		   struct rg_host *ret)
{
	memset(ret, 0, RG_MAX_RAILS * sizeof(*ret));
	for (size_t i = 0; i < conf->n_rails; i++) {
		const struct rg_rail_dev *dev = &seen->devs[i];
		struct rg_host *host = &ret[numbers[i]];

		(void)rg_str_copy(host->name, sizeof(host->name), conf->rails[i].name);
		if (!dev->present || !dev->link.has_mac)
			continue;
		host->present = true;
		host->ifindex = (uint32_t)dev->link.ifindex;
		memcpy(host->mac, dev->link.mac, sizeof(host->mac));
		for (size_t a = 0; a < seen->n_addrs && host->n_addrs < RG_HOST_MAX_ADDRS; a++)
			if (is_on_rail(seen, dev, seen->addrs[a].ifindex))
				host->addrs[host->n_addrs++] = seen->addrs[a].cidr.addr;
	}
}
