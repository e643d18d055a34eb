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

static int show_counters(struct rg_ctl *ctl, unsigned int tables, unsigned int ms,
			 const struct rg_maps *maps, const struct rg_policy *policy)
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

/* A table that cannot be shown does not keep the others back. */
static void explain_missing(struct rg_ctl *ctl, const char *key, const char *what)
{
	rg_out_str(ctl->out, key, NULL, ctl->err.msg);
	rg_out_text(ctl->out, "\nNo %s: %s\n", what, ctl->err.msg);
}

static int show(struct rg_ctl *ctl, unsigned int tables, unsigned int ms)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	_cleanup_free_ struct rg_policy *policy = NULL;
	struct rg_err err = {0};
	int loaded, rails = 0, counters = 0;

	loaded = rg_maps_open(ctl->pin_dir, &maps, &err);
	if (loaded == 0)
		loaded = rg_policy_read(maps, &policy, &err);
	if (tables & SHOW_RAILS) {
		rails = rg_show_rails(ctl, policy);
		if (rails < 0 && tables == SHOW_RAILS)
			return rails;
		if (rails < 0)
			explain_missing(ctl, "rails_error", "rails");
	}
	if (!(tables & ~SHOW_RAILS))
		return RG_EXIT_OK;
	if (loaded == 0)
		counters = show_counters(ctl, tables, ms, maps, policy);
	else
		ctl->err = err;
	counters = loaded < 0 ? loaded : counters;
	if (counters < 0 && (rails < 0 || !(tables & SHOW_RAILS)))
		return counters;
	if (counters < 0)
		explain_missing(ctl, "not_loaded", "endpoints and drops");
	return rails < 0 || counters < 0 ? RG_EXIT_NOTICE : RG_EXIT_OK;
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	unsigned int tables, ms;
	int r;

	r = parse_tables(ctl, argc, argv, &tables);
	if (!r)
		r = parse_interval(ctl, values[0], &ms);
	return r ? r : show(ctl, tables, ms);
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
		"Exit code: 0, or 3 if a table could not be shown, which is said in its place.\n\n"
		"Examples:\n"
		"  railctl show\n"
		"  railctl show endpoints --interval 5\n"
		"  railctl show drops --json | jq '.drops[] | {pod, reason, packets}'\n",
	.opts = opts,
	.run = run,
};
