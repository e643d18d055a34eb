// SPDX-License-Identifier: Apache-2.0
/*
 * Whether railgate itself is in place: configuration, pins, agent, hooks, policy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/config.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "bpf/probe.h"
#include "conf/conf.h"
#include "ctl.h"
#include "doctor.h"
#include "health.h"
#include "policy_diff.h"
#include "topo/rails.h"

#define HEALTH_TIMEOUT_MS 2000
#define START_REMEDY	  "start railgated (systemctl start railgated) and read its log"

static void check_config(struct rg_doctor *d)
{
	if (d->conf)
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "%s is valid: %zu rails",
				 d->ctl->conf_path, d->conf->n_rails);
	else
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL,
				 "correct the file; railgate.json(5) explains every key", "%s",
				 d->conf_error);
}

static void check_pins(struct rg_doctor *d)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct rg_err err = {0};
	int r;

	r = rg_pin_ready(d->ctl->pin_dir, &err);
	if (r >= 0)
		r = rg_maps_open(d->ctl->pin_dir, &maps, &err);
	if (r < 0)
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL, START_REMEDY, "%s", err.msg);
	else
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL,
				 "all maps and programs are pinned, with room for %u endpoints",
				 rg_maps_slots(maps));
}

static void check_agent(struct rg_doctor *d)
{
	struct rg_err err = {0};
	char body[256];
	int status;

	if (!d->conf || !d->conf->metrics_listen[0]) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "%s",
				 d->conf ? "metrics.listen is empty: the agent cannot be asked"
					 : "the configuration does not say where it listens");
		return;
	}
	status = rg_health_get(d->conf->metrics_listen, HEALTH_TIMEOUT_MS, body, sizeof(body),
			       &err);
	if (status < 0)
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL, START_REMEDY, "%s", err.msg);
	else if (status != 200)
		rg_doctor_report(d, RG_LEVEL_PROBLEM, NULL, "read railgated's log",
				 "railgated is not well (HTTP %d): %s", status, body);
	else
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "railgated answers at %s",
				 d->conf->metrics_listen);
}

static void check_hook(struct rg_doctor *d, size_t i, bool tx, bool tcx)
{
	const char *name = d->conf->rails[i].name, *side = tx ? "egress" : "ingress";
	struct rg_hook_state state;
	struct rg_err err = {0};
	char pin[RG_PIN_NAME_SIZE];
	struct rg_hook hook = {
		.pin_dir = d->ctl->pin_dir,
		.name = rg_pin_link_name(name, tx ? "tx" : "rx", pin),
		.progs_fd = -1,
		.prog = tx ? RG_PROG_IDX_RAIL_TX : RG_PROG_IDX_RAIL_RX,
		.ifindex = d->rails[i].link.ifindex,
		.tcx = tcx,
	};

	if (rg_hook_query(&hook, &state, &err) < 0)
		rg_doctor_report(d, RG_LEVEL_SKIPPED, name, NULL, "%s: %s", side, err.msg);
	else if (!state.attached)
		rg_doctor_report(d, RG_LEVEL_PROBLEM, name, START_REMEDY,
				 "%s: no program of railgate is attached to %s", side,
				 d->rails[i].link.name);
	else if (state.position)
		rg_doctor_report(d, RG_LEVEL_WARNING, name,
				 "railgated goes back to the front by itself; find who attaches "
				 "there with bpftool net",
				 "%s: %u programs run before railgate's", side, state.position);
	else
		rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s: attached, first of %u", side,
				 state.behind + 1);
}

static void check_hooks(struct rg_doctor *d)
{
	bool tcx = rg_probe_tcx(NULL) > 0;
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		if (!d->rails[i].present)
			continue;
		check_hook(d, i, true, tcx);
		check_hook(d, i, false, tcx);
	}
}

static void report_difference(const struct rg_policy_difference *difference, void *arg)
{
	rg_doctor_report(arg, RG_LEVEL_WARNING, difference->rail,
			 "railgated reads the file when it changes; look into its log",
			 "%s is %s, the file says %s", difference->key, difference->in_force,
			 difference->file);
}

static void check_policy(struct rg_doctor *d)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	_cleanup_free_ struct rg_policy *policy = NULL;
	struct rg_err err = {0};
	int r;

	r = rg_maps_open(d->ctl->pin_dir, &maps, &err);
	if (r >= 0)
		r = rg_policy_read(maps, &policy, &err);
	if (r < 0)
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "%s", err.msg);
	else if (!d->conf)
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
				 "no valid configuration to compare with");
	else if (!rg_policy_compare(policy, d->conf, report_difference, d))
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL,
				 "generation %u in force is what the file says",
				 policy->generation);
}

const struct rg_check rg_checks_guard[] = {
	{"guard.config", "a file with an error changes nothing: the last good policy stays", false,
	 check_config},
	{"guard.pins", "without them rails drop everything and pods cannot start", true,
	 check_pins},
	{"guard.agent", "the agent follows rails that change and cleans up after lost pods", true,
	 check_agent},
	{"guard.hooks",
	 "what is not attached does not guard, and what runs before can pass packets by", true,
	 check_hooks},
	{"guard.policy", "the file is only a wish until it is in the maps", true, check_policy},
	{0},
};
