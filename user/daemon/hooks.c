// SPDX-License-Identifier: Apache-2.0
/*
 * The hooks of the rails: attached where a netdev is, restored when someone interferes, detached
 * when a rail is no longer configured.
 */
#include <string.h>
#include <net/if_arp.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "daemon/agent.h"

static const enum rg_prog rail_progs[] = {RG_PROG_IDX_RAIL_TX, RG_PROG_IDX_RAIL_RX};

static const char *dir_name(enum rg_prog prog)
{
	return rg_hook_is_egress(prog) ? "tx" : "rx";
}

struct rg_hook rg_agent_hook(const struct rg_agent *agent, uint32_t rail, enum rg_prog prog,
			     char *name)
{
	const struct rg_agent_rail *r = &agent->rails[rail];

	return (struct rg_hook){
		.pin_dir = agent->options.pin_dir,
		.name = rg_pin_link_name(r->name, dir_name(prog), name),
		.progs_fd = rg_maps_fd(rg_load_maps(agent->load), RG_MAP_ID_PROGS),
		.prog = prog,
		.slot = rail,
		.ifindex = r->ifindex,
		.tcx = agent->tcx,
		.refresh = agent->refresh,
	};
}

static void report(struct rg_agent *agent, const struct rg_agent_rail *rail, enum rg_prog prog,
		   enum rg_hook_change change)
{
	static const struct {
		enum rg_log_level level;
		const char *text;
	} texts[] = {
		[RG_HOOK_KEPT] = {RG_LOG_DEBUG, "policy is attached"},
		[RG_HOOK_ATTACHED] = {RG_LOG_INFO, "policy attached"},
		[RG_HOOK_RENEWED] = {RG_LOG_INFO, "policy attached to the new netdev"},
		[RG_HOOK_REPAIRED] = {RG_LOG_WARN,
				      "policy had been detached by someone; attached again"},
		[RG_HOOK_RESTORED] =
			{RG_LOG_WARN,
			 "a program had been put in front of the policy; in front again"},
		[RG_HOOK_REFRESHED] = {RG_LOG_INFO, "policy taken over"},
	};

	if (change == RG_HOOK_KEPT)
		return;
	if (texts[change].level == RG_LOG_WARN)
		agent->repairs++;
	rg_log_write(texts[change].level,
		     RG_F("rail", rail->name, "netdev", rail->ifname, "hook", dir_name(prog)), "%s",
		     texts[change].text);
}

/* The same complaint every two seconds helps nobody. */
static void complain(const struct rg_agent_rail *rail, struct rg_err *last,
		     const struct rg_err *now)
{
	if (!rg_str_equal(last->msg, now->msg))
		rg_log_write(RG_LOG_ERR, RG_F("rail", rail->name, "netdev", rail->ifname), "%s",
			     now->msg);
	*last = *now;
}

static int attach_rail(struct rg_agent *agent, uint32_t number)
{
	struct rg_agent_rail *rail = &agent->rails[number];
	int first = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rail_progs); i++) {
		struct rg_err err = {0};
		char name[RG_PIN_NAME_SIZE];
		struct rg_hook hook = rg_agent_hook(agent, number, rail_progs[i], name);
		int r = rg_hook_attach(&hook, &err);

		if (r < 0) {
			complain(rail, &rail->hook_errs[i], &err);
			first = first ? first : r;
			continue;
		}
		rail->hook_errs[i] = (struct rg_err){0};
		report(agent, rail, rail_progs[i], (enum rg_hook_change)r);
	}
	return first;
}

static void forget_rail(struct rg_agent *agent, uint32_t number)
{
	struct rg_agent_rail *rail = &agent->rails[number];

	for (size_t i = 0; i < ARRAY_SIZE(rail_progs); i++) {
		struct rg_err err = {0};
		char name[RG_PIN_NAME_SIZE];
		struct rg_hook hook = rg_agent_hook(agent, number, rail_progs[i], name);

		if (rg_hook_detach(&hook, &err) < 0)
			log_warn("%s", err.msg);
	}
	rg_log_write(RG_LOG_INFO, RG_F("rail", rail->name),
		     "rail is no longer configured; policy detached");
	memset(rail, 0, sizeof(*rail));
}

static int check_type(const struct rg_agent_rail *rail, const struct rg_link *link,
		      struct rg_err *err)
{
	if (link->type == ARPHRD_ETHER && link->has_mac)
		return 0;
	return rg_err_set(err, -EPROTONOSUPPORT,
			  "netdev %s of rail %s is not Ethernet; the policy knows Ethernet only",
			  link->name, rail->name);
}

static void see_rail(struct rg_agent_rail *rail, const char *name, const struct rg_rail_dev *dev)
{
	if (!rg_str_equal(rail->name, name)) {
		memset(rail, 0, sizeof(*rail));
		(void)rg_str_copy(rail->name, sizeof(rail->name), name);
	}
	if (!dev->present && !rail->absent_logged)
		rg_log_write(RG_LOG_WARN, RG_F("rail", rail->name), "rail is absent: %s", dev->why);
	if (dev->present && rail->absent_logged)
		rg_log_write(RG_LOG_INFO, RG_F("rail", rail->name, "netdev", dev->link.name),
			     "rail is back");
	if (dev->present && rail->present && !rg_str_equal(rail->ifname, dev->link.name))
		rg_log_write(RG_LOG_INFO,
			     RG_F("rail", rail->name, "netdev", dev->link.name, "was",
				  rail->ifname),
			     "rail's netdev was renamed");
	rail->absent_logged = !dev->present;
	rail->present = dev->present;
	rail->ifindex = dev->present ? dev->link.ifindex : 0;
	(void)rg_str_copy(rail->ifname, sizeof(rail->ifname), dev->present ? dev->link.name : "");
}

/* Whether a configured rail has taken over a netdev, under another name. */
static bool is_taken_over(const struct rg_conf *conf, const struct rg_seen *seen, int ifindex)
{
	for (size_t i = 0; i < conf->n_rails; i++)
		if (seen->devs[i].present && seen->devs[i].link.ifindex == ifindex)
			return true;
	return false;
}

void rg_agent_forget(struct rg_agent *agent, const struct rg_conf *conf, const struct rg_seen *seen)
{
	for (uint32_t i = 0; i < RG_MAX_RAILS; i++) {
		const struct rg_agent_rail *rail = &agent->rails[i];

		if (!rail->name[0] || rg_conf_find_rail(conf, rail->name) >= 0)
			continue;
		if (!seen || !is_taken_over(conf, seen, rail->ifindex))
			forget_rail(agent, i);
	}
}

int rg_agent_hooks(struct rg_agent *agent, const struct rg_seen *seen)
{
	int first = 0;

	for (size_t i = 0; i < agent->conf->n_rails; i++) {
		struct rg_agent_rail *rail = &agent->rails[agent->numbers[i]];
		struct rg_err err = {0};
		int r;

		see_rail(rail, agent->conf->rails[i].name, &seen->devs[i]);
		if (!rail->present)
			continue;
		r = check_type(rail, &seen->devs[i].link, &err);
		if (r < 0)
			complain(rail, &rail->hook_errs[0], &err);
		else
			r = attach_rail(agent, (uint32_t)agent->numbers[i]);
		first = first ? first : r;
	}
	agent->refresh = false;
	/* those whose netdev has the hooks of its new rail by now */
	rg_agent_forget(agent, agent->conf, NULL);
	return first;
}
