// SPDX-License-Identifier: Apache-2.0
/*
 * railctl show: rails, endpoints with live rates, drops by reason.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/maps.h"
#include "ctl.h"
#include "out.h"
#include "show.h"
#include "snapshot.h"

#define INTERVAL_MAX_S 3600

enum table {
	SHOW_RAILS = 1 << 0,
	SHOW_ENDPOINTS = 1 << 1,
	SHOW_DROPS = 1 << 2,
};

static int parse_tables(struct rg_ctl *ctl, int argc, char **argv, unsigned int *ret)
{
	static const struct {
		const char *name;
		enum table table;
	} tables[] = {
		{"rails", SHOW_RAILS},
		{"endpoints", SHOW_ENDPOINTS},
		{"drops", SHOW_DROPS},
	};
	size_t k;
	int i;

	*ret = argc ? 0 : SHOW_RAILS | SHOW_ENDPOINTS | SHOW_DROPS;
	for (i = 0; i < argc; i++) {
		for (k = 0; k < ARRAY_SIZE(tables); k++)
			if (rg_str_equal(tables[k].name, argv[i]))
				break;
		if (k == ARRAY_SIZE(tables))
			return rg_ctl_usage_error(ctl,
						  "show: \"%s\" is none of rails, endpoints, drops",
						  argv[i]);
		*ret |= tables[k].table;
	}
	return 0;
}

static int parse_interval(struct rg_ctl *ctl, const char *text, unsigned int *ret_ms)
{
	char *end;
	double s;

	*ret_ms = 1000;
	if (!text)
		return 0;
	s = strtod(text, &end);
	if (!*text || *end || !(s >= 0 && s <= INTERVAL_MAX_S))
		return rg_ctl_usage_error(ctl,
					  "show: \"%s\" is no interval; give seconds, up to %d",
					  text, INTERVAL_MAX_S);
	*ret_ms = (unsigned int)(s * 1000);
	return 0;
}

static int show_counters(struct rg_ctl *ctl, const struct rg_maps *maps,
			 const struct rg_policy *policy, unsigned int tables, unsigned int ms)
{
	_cleanup_(rg_snapshot_done) struct rg_snapshot s = {0};
	int r;

	r = rg_snapshot_take(maps, policy, &s, &ctl->err);
	if (r == 0 && tables & SHOW_ENDPOINTS && ms)
		r = rg_snapshot_wait(maps, ms, &s, &ctl->err);
	if (r < 0)
		return r;
	if (tables & SHOW_ENDPOINTS)
		rg_show_endpoints(ctl, &s);
	if (tables & SHOW_DROPS)
		rg_show_drops(ctl, maps, &s);
	return 0;
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	_cleanup_free_ struct rg_policy *policy = NULL;
	struct rg_err err = {0};
	unsigned int tables, ms;
	int r, loaded;

	r = parse_tables(ctl, argc, argv, &tables);
	if (!r)
		r = parse_interval(ctl, values[0], &ms);
	if (r)
		return r;
	loaded = rg_maps_open(ctl->pin_dir, &maps, &err);
	if (loaded == 0)
		loaded = rg_policy_read(maps, &policy, &err);
	if (tables & SHOW_RAILS) {
		r = rg_show_rails(ctl, policy);
		if (r < 0)
			return r;
	}
	if (!(tables & ~SHOW_RAILS) && loaded != -EACCES && loaded != -EPERM)
		return RG_EXIT_OK;
	if (loaded == 0)
		return show_counters(ctl, maps, policy, tables, ms);
	/* Rails can be shown without the policy, and then that is the answer. */
	ctl->err = err;
	if (!(tables & SHOW_RAILS))
		return loaded;
	rg_out_str(ctl->out, "not_loaded", NULL, err.msg);
	rg_out_text(ctl->out, "\nNo endpoints and drops: %s\n", err.msg);
	return RG_EXIT_NOTICE;
}

static const struct rg_opt opts[] = {
	{"interval", 'i', "SECONDS", "time over which rates are measured (1); 0 for none"},
	{0},
};

const struct rg_cmd rg_cmd_show = {
	.name = "show",
	.args = "[rails] [endpoints] [drops]",
	.summary = "show rails, endpoints with live rates, and drops by reason",
	.help = "Without arguments all three. Rates are in bits per second, amounts in bytes.\n"
		"TX is what an endpoint sent, RX what it received.\n\n"
		"What is counted is what passes TC. RoCE that a NIC's hardware sends and receives\n"
		"does not: there, the numbers are the kernel's own traffic, and RoCE bytes come\n"
		"from the NIC's counters.\n\n"
		"Exit code: 0, or 3 if rails could be shown but no policy is loaded.\n\n"
		"Examples:\n"
		"  railctl show\n"
		"  railctl show endpoints --interval 5\n"
		"  railctl show drops --json | jq '.drops[] | {pod, reason, packets}'\n",
	.opts = opts,
	.run = run,
};
