// SPDX-License-Identifier: Apache-2.0
/*
 * Policy routing that others left on the rails: rules by source, "not to the fabric" rules and the
 * tables behind them. They depend on the order in which they were added, and railgate needs none.
 */
#include <linux/rtnetlink.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/conf.h"
#include "doctor.h"
#include "net/link.h"
#include "net/route.h"
#include "net/rule.h"
#include "topo/rails.h"

#define FIRST_CUSTOM_TABLE 100

static bool in_rdma_cidrs(const struct rg_conf *conf, const struct rg_cidr_net *net)
{
	size_t i;

	for (i = 0; i < conf->n_rdma_cidrs; i++)
		if (rg_cidr_contains(&conf->rdma_cidrs[i], &net->addr))
			return true;
	return false;
}

static const char *rail_of_address(const struct rg_conf *conf, const struct rg_cidr_net *net)
{
	size_t i, k;

	for (i = 0; i < conf->n_rails; i++)
		for (k = 0; k < conf->rails[i].n_addresses; k++)
			if (rg_cidr_contains(net, &conf->rails[i].addresses[k].addr))
				return conf->rails[i].name;
	return NULL;
}

static bool is_custom(uint32_t table)
{
	return table >= FIRST_CUSTOM_TABLE && table != RT_TABLE_DEFAULT && table != RT_TABLE_MAIN &&
	       table != RT_TABLE_LOCAL;
}

static void judge_rule(struct rg_doctor *d, const struct rg_rule *rule)
{
	char text[RG_RULE_TEXT_SIZE], remedy[RG_RULE_TEXT_SIZE + 40];
	const char *rail = NULL, *kind;

	if (rule->invert && rule->has_dst && in_rdma_cidrs(d->conf, &rule->dst)) {
		kind = "sends what is not for the fabric elsewhere";
	} else if (rule->has_src && rule->src.prefix && is_custom(rule->table) &&
		   ((rail = rail_of_address(d->conf, &rule->src)) ||
		    in_rdma_cidrs(d->conf, &rule->src))) {
		kind = "chooses a route by a rail's address";
	} else {
		return;
	}
	(void)rg_rule_format(rule, text);
	(void)rg_str_format(remedy, sizeof(remedy),
			    "remove who adds it (unit, netplan, dispatcher script), then ip %srule "
			    "del priority %u",
			    rule->family == AF_INET6 ? "-6 " : "", rule->priority);
	rg_doctor_report(d, RG_LEVEL_WARNING, rail, remedy, "rule \"%s\" %s", text, kind);
}

static void check_rules(struct rg_doctor *d)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	_cleanup_free_ struct rg_rule *rules = NULL;
	size_t i, n, before = d->n_findings;
	struct rg_err err = {0};

	if (!d->conf) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
				 "without a configuration the rails are not known");
		return;
	}
	if (rg_nl_open(NETLINK_ROUTE, &nl, &err) < 0 || rg_rule_list(nl, &rules, &n, &err) < 0) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "%s", err.msg);
		return;
	}
	for (i = 0; i < n; i++)
		judge_rule(d, &rules[i]);
	if (d->n_findings == before)
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "no rule concerns the rails");
}

static int by_table(const void *a, const void *b)
{
	const struct rg_route *x = a, *y = b;

	return x->table < y->table ? -1 : x->table > y->table;
}

/* One finding for each table that has routes over the rail. */
static void judge_routes(struct rg_doctor *d, size_t i, struct rg_route *routes, size_t n)
{
	const char *name = d->conf->rails[i].name;
	char remedy[96];
	size_t k;

	if (n)
		qsort(routes, n, sizeof(*routes), by_table);
	for (k = 0; k < n; k++) {
		uint32_t table = routes[k].table;

		if (!is_custom(table) || routes[k].protocol == RG_ROUTE_PROTOCOL ||
		    (k && routes[k - 1].table == table))
			continue;
		(void)rg_str_format(remedy, sizeof(remedy), "ip route show table %u; then flush it",
				    table);
		rg_doctor_report(d, RG_LEVEL_WARNING, name, remedy,
				 "table %u has routes over %s that railgate did not make", table,
				 d->rails[i].link.name);
	}
}

static void check_tables(struct rg_doctor *d)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	size_t i, n, before = d->n_findings;
	struct rg_err err = {0};

	if (rg_nl_open(NETLINK_ROUTE, &nl, &err) < 0) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "%s", err.msg);
		return;
	}
	for (i = 0; i < d->n_rails; i++) {
		_cleanup_free_ struct rg_route *routes = NULL;

		if (!d->rails[i].present)
			continue;
		if (rg_route_list(nl, d->rails[i].link.ifindex, 0, &routes, &n, &err) < 0)
			rg_doctor_report(d, RG_LEVEL_SKIPPED, d->conf->rails[i].name, NULL, "%s",
					 err.msg);
		else
			judge_routes(d, i, routes, n);
	}
	if (d->n_findings == before)
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "no table of its own for a rail");
}

const struct rg_check rg_checks_routes[] = {
	{"routes.rules",
	 "such rules change their order when a rail flaps, and then traffic leaves by the wrong "
	 "device without a word",
	 true, check_rules},
	{"routes.tables", "routes in other tables are seen only through such rules", true,
	 check_tables},
	{0},
};
