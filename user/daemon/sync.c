// SPDX-License-Identifier: Apache-2.0
/*
 * Wanted against seen: the policy and the host's identities in the maps, then the hooks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/maps.h"
#include "daemon/agent.h"
#include "daemon/loop.h"
#include "topo/sysfs.h"

void rg_seen_done(struct rg_seen *seen)
{
	free(seen->links);
	free(seen->addrs);
}

int rg_agent_see(struct rg_agent *agent, const struct rg_conf *conf, struct rg_seen *ret,
		 struct rg_err *err)
{
	_cleanup_(rg_seen_done) struct rg_seen seen = {0};
	int r;

	r = rg_link_list(agent->nl, &seen.links, &seen.n_links, err);
	if (r == 0)
		r = rg_ifaddr_list(agent->nl, 0, &seen.addrs, &seen.n_addrs, err);
	if (r < 0)
		return r;
	rg_rails_resolve(conf, seen.links, seen.n_links, RG_SYSFS_DEFAULT, seen.devs);
	*ret = seen;
	seen.links = NULL;
	seen.addrs = NULL;
	return 0;
}

static bool number_busy(uint32_t number, void *arg)
{
	return rg_host_rail_in_use(arg, number);
}

/* Counters of a number that goes to another rail start at zero. */
static int take_numbers(const struct rg_maps *maps, const struct rg_conf *conf, const int *numbers,
			const struct rg_policy *in_force, struct rg_err *err)
{
	for (size_t i = 0; i < conf->n_rails; i++) {
		const struct rg_rail *was = &in_force->rails[numbers[i]];
		int r;

		if (was->mode != RG_MODE_NONE && rg_str_equal(was->name, conf->rails[i].name))
			continue;
		r = rg_host_new_owner(maps, (uint32_t)numbers[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int write_policy(struct rg_agent *agent, struct rg_load *load, const struct rg_conf *conf,
			const struct rg_seen *seen, struct rg_err *err)
{
	_cleanup_free_ struct rg_policy *policy = calloc(1, sizeof(*policy));
	const struct rg_maps *maps = rg_load_maps(load);
	int numbers[RG_MAX_RAILS], r;

	if (!policy)
		return rg_err_set(err, -ENOMEM, "out of memory");
	/* the map wants the pointer the other callbacks get, without const */
	r = rg_numbers_assign(conf, agent->policy.generation ? &agent->policy : NULL, number_busy,
			      (void *)(uintptr_t)maps, numbers, err);
	if (r == 0)
		r = rg_policy_make(conf, numbers, seen, policy, err);
	if (r < 0)
		return r;
	policy->generation = agent->policy.generation;
	if (!policy->generation || !rg_policy_same(policy, &agent->policy)) {
		/* hooks go before their policy does: without one they would drop everything */
		rg_agent_forget(agent, conf, seen);
		r = take_numbers(maps, conf, numbers, &agent->policy, err);
		if (r == 0)
			r = rg_policy_write(maps, rg_load_types(load), policy, err);
		if (r < 0)
			return r;
		log_debug("policy generation %u is in force", policy->generation);
	}
	agent->policy = *policy;
	memcpy(agent->numbers, numbers, sizeof(numbers));
	return 0;
}

static int write_hosts(struct rg_agent *agent, struct rg_load *load, const struct rg_conf *conf,
		       const struct rg_seen *seen, struct rg_err *err)
{
	_cleanup_free_ struct rg_host *hosts = calloc(RG_MAX_RAILS, sizeof(*hosts));
	int r;

	if (!hosts)
		return rg_err_set(err, -ENOMEM, "out of memory");
	rg_hosts_make(conf, agent->numbers, seen, hosts);
	if (agent->hosts_known && memcmp(hosts, agent->hosts, sizeof(agent->hosts)) == 0)
		return 0;
	agent->hosts_known = false;
	r = rg_host_sync(rg_load_maps(load), hosts, err);
	if (r < 0)
		return r;
	if (r > 0)
		log_debug("%d entries of the host's identities changed", r);
	memcpy(agent->hosts, hosts, sizeof(agent->hosts));
	agent->hosts_known = true;
	return 0;
}

int rg_agent_write(struct rg_agent *agent, struct rg_load *load, const struct rg_conf *conf,
		   const struct rg_seen *seen, struct rg_err *err)
{
	int r = write_policy(agent, load, conf, seen, err);

	return r < 0 ? r : write_hosts(agent, load, conf, seen, err);
}

void rg_agent_sync(struct rg_agent *agent)
{
	_cleanup_(rg_seen_done) struct rg_seen seen = {0};
	struct rg_err err = {0};
	int r;

	agent->dirty = false;
	agent->synced_ms = rg_loop_now_ms();
	r = rg_agent_see(agent, agent->conf, &seen, &err);
	if (r == 0)
		r = rg_agent_write(agent, agent->load, agent->conf, &seen, &err);
	if (r < 0 && !rg_str_equal(err.msg, agent->sync_err.msg))
		log_err("%s", err.msg);
	/* without new policy the old one goes on, and hooks matter the more */
	if (seen.links && rg_agent_hooks(agent, &seen) < 0 && r == 0)
		(void)rg_err_set(&err, -EIO, "the policy is not attached everywhere");
	agent->sync_err = err;
}
