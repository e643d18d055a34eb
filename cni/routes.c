// SPDX-License-Identifier: Apache-2.0
/*
 * Planning a pod's routes through a rail.
 */
#include <stdio.h>
#include <linux/rtnetlink.h>

#include "base/err.h"
#include "fault.h"
#include "routes.h"

static const struct rg_cidr_net *subnet_of(const struct rg_result *ipam, const struct rg_addr *addr)
{
	for (size_t i = 0; i < ipam->n_ips; i++) {
		if (rg_cidr_contains(&ipam->ips[i].addr, addr))
			return &ipam->ips[i].addr;
	}
	return NULL;
}

static bool has_family(const struct rg_result *ipam, bool v4)
{
	for (size_t i = 0; i < ipam->n_ips; i++) {
		if (rg_addr_is_v4(&ipam->ips[i].addr.addr) == v4)
			return true;
	}
	return false;
}

/* The gateway that IPAM names, else the rail's if the pod can reach it. */
static const struct rg_addr *gateway_for(const struct rg_attach *a, bool v4)
{
	for (size_t i = 0; i < a->ipam.n_ips; i++) {
		const struct rg_result_ip *ip = &a->ipam.ips[i];

		if (ip->has_gateway && rg_addr_is_v4(&ip->addr.addr) == v4)
			return &ip->gateway;
	}
	for (size_t i = 0; i < a->rail->n_gateways; i++) {
		const struct rg_addr *gateway = &a->rail->gateways[i];

		if (rg_addr_is_v4(gateway) == v4 && subnet_of(&a->ipam, gateway))
			return gateway;
	}
	return NULL;
}

static void set_gateway(struct rg_route *route, const struct rg_attach *a,
			const struct rg_addr *gateway)
{
	route->scope = gateway ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK;
	route->has_gateway = gateway != NULL;
	if (!gateway)
		return;
	route->gateway = *gateway;
	/* an address that stands alone (/32) has its gateway on the link all the same */
	if (!rg_addr_is_link_local(gateway) && !subnet_of(&a->ipam, gateway))
		route->flags = RTNH_F_ONLINK;
}

static bool is_planned(const struct rg_attach *a, const struct rg_cidr_net *dst)
{
	for (size_t i = 0; i < a->setup.n_routes; i++) {
		const struct rg_cidr_net *other = &a->setup.routes[i].dst;

		if (other->prefix == dst->prefix && rg_addr_equal(&other->addr, &dst->addr))
			return true;
	}
	return false;
}

/* Whether the pod reaches a network without a route: it lies in one of its own subnets. */
static bool is_connected(const struct rg_attach *a, const struct rg_cidr_net *dst)
{
	const struct rg_cidr_net *subnet = subnet_of(&a->ipam, &dst->addr);

	return subnet && subnet->prefix <= dst->prefix;
}

static int add(struct rg_attach *a, const struct rg_route *route, struct rg_fault *f)
{
	if (a->setup.n_routes == RG_POD_MAX_ROUTES)
		return rg_fault_set(
			f, RG_CNI_CONFIG,
			"more than %d routes for one interface; merge RDMA CIDRs or routes "
			"of \"ipam\"",
			RG_POD_MAX_ROUTES);
	a->setup.routes[a->setup.n_routes++] = *route;
	return 0;
}

static int add_ipam_route(struct rg_attach *a, const struct rg_result_route *want,
			  struct rg_fault *f)
{
	struct rg_route route = {
		.dst = rg_cidr_network(&want->dst),
		.metric = want->has_priority ? want->priority : a->setup.metric,
		.protocol = RG_ROUTE_PROTOCOL,
		.table = want->table,
		.mtu = want->mtu,
		.advmss = want->advmss,
	};
	char text[RG_CIDR_STR_LEN];

	if (!want->dst.prefix) {
		(void)fprintf(stderr,
			      "railgate: rail '%s': default route %s of IPAM is left out; a rail "
			      "carries only what the policy lets out\n",
			      a->rail->name, rg_cidr_format(&want->dst, text));
		return 0;
	}
	if (is_planned(a, &route.dst))
		return 0;
	set_gateway(&route, a,
		    want->has_gateway ? &want->gateway
				      : gateway_for(a, rg_addr_is_v4(&want->dst.addr)));
	if (want->scope >= 0)
		route.scope = (uint8_t)want->scope;
	return add(a, &route, f);
}

static int add_cidr(struct rg_attach *a, const struct rg_cidr_net *cidr, struct rg_fault *f)
{
	struct rg_route route = {
		.dst = rg_cidr_network(cidr),
		.metric = a->setup.metric,
		.protocol = RG_ROUTE_PROTOCOL,
	};
	bool v4 = rg_addr_is_v4(&cidr->addr);

	if (!has_family(&a->ipam, v4) || is_connected(a, &route.dst) || is_planned(a, &route.dst))
		return 0;
	set_gateway(&route, a, gateway_for(a, v4));
	return add(a, &route, f);
}

int rg_routes_plan(struct rg_attach *a, struct rg_fault *f)
{
	const struct rg_conf *conf = a->node->conf;
	int r = 0;

	a->setup.n_routes = 0;
	/* what IPAM says of an RDMA CIDR is more exact */
	for (size_t i = 0; i < a->ipam.n_routes && r == 0; i++)
		r = add_ipam_route(a, &a->ipam.routes[i], f);
	for (size_t i = 0; i < conf->n_rdma_cidrs && r == 0; i++)
		r = add_cidr(a, &conf->rdma_cidrs[i], f);
	return r;
}
