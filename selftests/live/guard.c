// SPDX-License-Identifier: Apache-2.0
/*
 * Putting railgate in force by the library, as the agent does for rails and the plugin for pods.
 */
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/diag.h"
#include "bpf/endpoints.h"
#include "bpf/host.h"
#include "bpf/load.h"
#include "bpf/probe.h"
#include "bpf/tap.h"
#include "wait.h"

#define LOCK_TIMEOUT_MS 10000

static uint32_t map_id(const struct guard *g, enum rg_map_id id)
{
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(rg_maps_fd(g->maps, id), &info, &len) < 0)
		tap_bail("cannot query map %s: %s", rg_map_name(id), strerror(errno));
	return info.id;
}

void guard_open(struct guard *g)
{
	struct rg_err err = {0};
	int r;

	memset(g, 0, sizeof(*g));
	/* what fails, fails with a sentence of the library's */
	rg_bpf_messages(NULL);
	r = rg_probe_tcx(&err);
	if (r >= 0) {
		g->tcx = r;
		r = rg_load_open(WORLD_PIN_DIR, GUARD_ENDPOINTS, NULL, &g->load, &err);
	}
	if (r == 0)
		r = rg_load_commit(g->load, &err);
	if (r < 0)
		tap_bail("cannot load railgate: %s", err.msg);
	g->maps = rg_load_maps(g->load);
	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		g->map_ids[i] = map_id(g, (enum rg_map_id)i);
	g->slots[SLOT_HOST] = RG_SLOT_HOST(GUARD_RAIL);
	g->slots[SLOT_UNKNOWN] = RG_SLOT_UNKNOWN(GUARD_RAIL);
	g->n_slots = SLOT_POD;
	tap_note("hooks are %s", g->tcx ? "TCX links" : "clsact filters");
}

void guard_close(struct guard *g)
{
	struct rg_err err = {0};

	for (size_t i = 0; i < g->n_hooks; i++) {
		world_enter(g->hook_ns[i]);
		if (rg_hook_detach(&g->hooks[i], &err) < 0)
			tap_bail("%s", err.msg);
	}
	rg_load_free(g->load);
	g->load = NULL;
}

static bool all_gone(void *arg)
{
	const struct guard *g = arg;

	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		int fd = bpf_map_get_fd_by_id(g->map_ids[i]);

		if (fd >= 0) {
			(void)close(fd);
			return false;
		}
	}
	return true;
}

void guard_gone(const struct guard *g)
{
	struct guard copy = *g;

	/* a program that were left would hold its maps */
	tap_ok(wait_until(all_gone, &copy, 10000), "no map or program is left in the kernel");
}

static void add_cidr(struct rg_policy *policy, const char *text, uint32_t scope)
{
	struct rg_cidr_net net;

	if (rg_cidr_parse(text, &net) < 0 ||
	    rg_policy_add_cidr(policy, &net, scope, (uint32_t)policy->n_cidrs) < 0)
		tap_bail("cannot add CIDR %s", text);
}

void guard_policy(const struct rules *rules, uint32_t generation, struct rg_policy *ret)
{
	struct rg_rail *rail = &ret->rails[GUARD_RAIL];

	memset(ret, 0, sizeof(*ret));
	ret->generation = generation;
	(void)rg_str_copy(rail->name, sizeof(rail->name), "rail-live");
	rail->mode = rules->mode;
	rail->profile = rules->profile;
	rail->flags = rules->flags | RG_RAIL_HAS_IPV6;
	rail->l2_pps = rules->l2_pps;
	if (rules->vlan)
		rail->vlans[rail->n_vlans++] = rules->vlan;
	if (rules->allow_port)
		rail->allows[rail->n_allows++] = (struct rg_allow){
			.from = RG_FROM_HOST | RG_FROM_PODS,
			.port = rules->allow_port,
			.proto = IPPROTO_UDP,
			.in_use = 1,
		};
	for (size_t i = 0; i < ARRAY_SIZE(rules->cidrs) && rules->cidrs[i]; i++)
		add_cidr(ret, rules->cidrs[i], RG_SCOPE_RDMA);
	add_cidr(ret, "10.9.0.0/16", RG_SCOPE_SUBNET(GUARD_RAIL));
	add_cidr(ret, "fd09::/64", RG_SCOPE_SUBNET(GUARD_RAIL));
}

void guard_rules(struct guard *g, const struct rules *rules)
{
	struct rg_err err = {0};
	uint32_t generation = g->policy.generation;

	guard_policy(rules, generation, &g->policy);
	if (rg_policy_write(g->maps, rg_load_types(g->load), &g->policy, &err) < 0)
		tap_bail("%s", err.msg);
}

static void attach(struct guard *g, const struct netdev *dev, enum rg_prog prog, uint32_t slot,
		   const char *name)
{
	struct rg_err err = {0};
	size_t i = g->n_hooks;
	int r;

	if (i == GUARD_MAX_HOOKS)
		tap_bail("too many hooks");
	(void)rg_str_copy(g->hook_names[i], sizeof(g->hook_names[i]), name);
	g->hooks[i] = (struct rg_hook){
		.pin_dir = WORLD_PIN_DIR,
		.name = g->hook_names[i],
		.progs_fd = rg_maps_fd(g->maps, RG_MAP_ID_PROGS),
		.prog = prog,
		.slot = slot,
		.ifindex = dev->ifindex,
		.tcx = g->tcx,
	};
	g->hook_ns[i] = dev->ns;
	world_enter(dev->ns);
	r = rg_hook_attach(&g->hooks[i], &err);
	if (r < 0)
		tap_bail("%s", err.msg);
	if (r != RG_HOOK_ATTACHED)
		tap_bail("hook %s was there already", name);
	g->n_hooks++;
}

void guard_rail(struct guard *g, const struct world *w)
{
	struct rg_host hosts[RG_MAX_RAILS] = {0}, *host = &hosts[GUARD_RAIL];
	struct rg_err err = {0};

	attach(g, &w->rail, RG_PROG_IDX_RAIL_TX, GUARD_RAIL, "rail_tx");
	attach(g, &w->rail, RG_PROG_IDX_RAIL_RX, GUARD_RAIL, "rail_rx");
	host->present = true;
	(void)rg_str_copy(host->name, sizeof(host->name), "rail-live");
	memcpy(host->mac, w->rail.mac, sizeof(host->mac));
	host->ifindex = (uint32_t)w->rail.ifindex;
	if (rg_addr_parse(w->rail.ip4, &host->addrs[host->n_addrs++]) < 0 ||
	    rg_addr_parse(w->rail.ip6, &host->addrs[host->n_addrs++]) < 0)
		tap_bail("the rail has no addresses");
	if (rg_host_sync(g->maps, hosts, &err) < 0)
		tap_bail("%s", err.msg);
}

static uint32_t add_endpoint(const struct netdev *dev, enum rg_kind kind, uint32_t flags,
			     const char *ip4, const char *ip6)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct rg_endpoint ep = {
		.pod_namespace = "live",
		.rail_name = "rail-live",
		.rail = GUARD_RAIL,
		.kind = kind,
		.flags = flags,
	};
	struct rg_addr addrs[2];
	struct rg_err err = {0};
	uint32_t slot;

	memcpy(ep.mac, dev->mac, sizeof(ep.mac));
	(void)rg_str_copy(ep.pod_name, sizeof(ep.pod_name), dev->name);
	(void)rg_str_copy(ep.ifname, sizeof(ep.ifname), dev->name);
	(void)rg_str_copy(ep.container_id, sizeof(ep.container_id), dev->name);
	if (rg_addr_parse(ip4, &addrs[0]) < 0 || rg_addr_parse(ip6, &addrs[1]) < 0)
		tap_bail("bad addresses for %s", dev->name);
	if (rg_maps_open_locked(WORLD_PIN_DIR, LOCK_TIMEOUT_MS, &maps, &err) < 0 ||
	    rg_endpoints_add(maps, &ep, addrs, ARRAY_SIZE(addrs), &slot, &err) < 0)
		tap_bail("%s", err.msg);
	return slot;
}

static void attach_pod(struct guard *g, const struct netdev *dev, uint32_t slot)
{
	char name[32];

	(void)rg_str_format(name, sizeof(name), "%s_tx", dev->name);
	attach(g, dev, RG_PROG_IDX_POD_TX, slot, name);
	(void)rg_str_format(name, sizeof(name), "%s_rx", dev->name);
	attach(g, dev, RG_PROG_IDX_POD_RX, slot, name);
}

size_t guard_pod(struct guard *g, struct netdev *dev, enum rg_kind kind, uint32_t flags, int ns,
		 const char *ip4, const char *ip6)
{
	uint32_t slot = add_endpoint(dev, kind, flags, ip4, ip6);
	int host = dev->ns;

	if (g->n_slots == GUARD_MAX_SLOTS)
		tap_bail("too many pods");
	/* links come along into the pod; a qdisc does not */
	if (g->tcx)
		attach_pod(g, dev, slot);
	world_move(dev, ns);
	if (!g->tcx)
		attach_pod(g, dev, slot);
	for (size_t i = g->n_hooks - 2; i < g->n_hooks; i++) {
		g->hook_ns[i] = ns;
		g->hooks[i].ifindex = dev->ifindex;
	}
	world_up(dev, ip4, ip6);
	world_enter(host);
	g->slots[g->n_slots] = slot;
	return g->n_slots++;
}

size_t guard_hook(const struct guard *g, enum rg_prog prog, int ifindex)
{
	for (size_t i = 0; i < g->n_hooks; i++)
		if (g->hooks[i].prog == prog && g->hooks[i].ifindex == ifindex)
			return i;
	tap_bail("no such hook");
}

struct rg_hook_state guard_state(const struct guard *g, size_t hook)
{
	struct rg_hook_state state;
	struct rg_err err = {0};

	world_enter(g->hook_ns[hook]);
	if (rg_hook_query(&g->hooks[hook], &state, &err) < 0)
		tap_bail("%s", err.msg);
	return state;
}

int guard_attach(struct guard *g, size_t hook)
{
	struct rg_err err = {0};
	int r;

	world_enter(g->hook_ns[hook]);
	r = rg_hook_attach(&g->hooks[hook], &err);
	if (r < 0)
		tap_bail("%s", err.msg);
	return r;
}
