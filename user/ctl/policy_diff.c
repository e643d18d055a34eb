// SPDX-License-Identifier: Apache-2.0
/*
 * Where the policy in force differs from the file: both sides are written in the same words, and
 * the words are compared.
 */
#include <railgate/policy.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/inet.h"
#include "base/str.h"
#include "bpf/config.h"
#include "conf/conf.h"
#include "names.h"
#include "policy_diff.h"

struct comparison {
	rg_policy_difference_fn fn;
	void *arg;
	size_t n;
};

static void append(char *buf, size_t size, const char *separator, const char *text)
{
	size_t len = strlen(buf);

	(void)rg_str_format(buf + len, size - len, "%s%s", len ? separator : "", text);
}

static char *or_none(char *buf, size_t size)
{
	if (!*buf)
		(void)rg_str_copy(buf, size, "none");
	return buf;
}

char *rg_policy_cidrs_text(const struct rg_policy *policy, unsigned int scope, char *buf,
			   size_t size)
{
	char text[RG_CIDR_STR_LEN];
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < policy->n_cidrs; i++)
		if (policy->cidrs[i].scope == scope)
			append(buf, size, ", ", rg_cidr_format(&policy->cidrs[i].net, text));
	return or_none(buf, size);
}

char *rg_policy_vlans_text(const struct rg_rail *rail, char *buf, size_t size)
{
	char text[8];
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < rail->n_vlans && i < RG_MAX_VLANS; i++) {
		(void)rg_str_format(text, sizeof(text), "%u", rail->vlans[i]);
		append(buf, size, ", ", text);
	}
	return or_none(buf, size);
}

char *rg_policy_allows_text(const struct rg_rail *rail, char *buf, size_t size)
{
	char text[128];
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < rail->n_allows && i < RG_MAX_ALLOWS; i++)
		append(buf, size, "; ", rg_name_allow(&rail->allows[i], text, sizeof(text)));
	return or_none(buf, size);
}

/* The file's policy of a rail in the form of the maps; what only the agent knows stays zero. */
static struct rg_rail from_conf(const struct rg_conf_rail *conf)
{
	const struct rg_conf_policy *p = &conf->policy;
	struct rg_rail rail = {
		.mode = p->mode,
		.profile = p->profile,
		.flags = p->kernel_roce_deny ? RG_RAIL_KERNEL_ROCE_DENY : 0,
		.n_vlans = (uint8_t)conf->n_vlans,
		.n_allows = (uint8_t)p->n_allows,
	};
	size_t i;

	memcpy(rail.vlans, conf->vlans, sizeof(rail.vlans));
	for (i = 0; i < p->n_allows; i++) {
		const struct rg_conf_allow *a = &p->allows[i];

		rail.allows[i].proto = a->proto;
		rail.allows[i].port = a->port;
		rail.allows[i].from = a->from;
		if (!a->has_to)
			continue;
		memcpy(rail.allows[i].to, a->to.addr.b, sizeof(rail.allows[i].to));
		rail.allows[i].to_prefix = (uint8_t)rg_cidr_prefix128(&a->to);
	}
	return rail;
}

static void compare(struct comparison *c, const char *rail, const char *key, const char *in_force,
		    const char *file)
{
	struct rg_policy_difference d = {rail, key, in_force, file};

	if (rg_str_equal(in_force, file))
		return;
	c->n++;
	c->fn(&d, c->arg);
}

static const char *kernel_roce(const struct rg_rail *rail)
{
	return rail->flags & RG_RAIL_KERNEL_ROCE_DENY ? "deny" : "allow";
}

static void compare_rail(struct comparison *c, const struct rg_rail *rail,
			 const struct rg_conf_rail *conf)
{
	char a[RG_POLICY_TEXT_SIZE], b[RG_POLICY_TEXT_SIZE];
	struct rg_rail want = from_conf(conf);

	compare(c, conf->name, "policy.mode", rg_name_mode(rail->mode), rg_name_mode(want.mode));
	compare(c, conf->name, "policy.profile", rg_name_profile(rail->profile),
		rg_name_profile(want.profile));
	compare(c, conf->name, "policy.kernelRoce", kernel_roce(rail), kernel_roce(&want));
	compare(c, conf->name, "vlans", rg_policy_vlans_text(rail, a, sizeof(a)),
		rg_policy_vlans_text(&want, b, sizeof(b)));
	compare(c, conf->name, "policy.allow", rg_policy_allows_text(rail, a, sizeof(a)),
		rg_policy_allows_text(&want, b, sizeof(b)));
}

static void compare_cidrs(struct comparison *c, const struct rg_policy *policy,
			  const struct rg_conf *conf)
{
	char a[RG_POLICY_TEXT_SIZE], b[RG_POLICY_TEXT_SIZE] = "", text[RG_CIDR_STR_LEN];
	size_t i;

	for (i = 0; i < conf->n_rdma_cidrs; i++)
		append(b, sizeof(b), ", ", rg_cidr_format(&conf->rdma_cidrs[i], text));
	compare(c, "", "rdmaCidrs", rg_policy_cidrs_text(policy, RG_SCOPE_RDMA, a, sizeof(a)),
		or_none(b, sizeof(b)));
}

size_t rg_policy_compare(const struct rg_policy *policy, const struct rg_conf *conf,
			 rg_policy_difference_fn fn, void *arg)
{
	struct comparison c = {.fn = fn, .arg = arg};
	size_t i;

	compare_cidrs(&c, policy, conf);
	for (i = 0; i < conf->n_rails; i++) {
		int number = rg_policy_rail_number(policy, conf->rails[i].name);

		if (number < 0)
			compare(&c, conf->rails[i].name, "rails", "not loaded", "declared");
		else
			compare_rail(&c, &policy->rails[number], &conf->rails[i]);
	}
	for (i = 0; i < RG_MAX_RAILS; i++)
		if (policy->rails[i].mode != RG_MODE_NONE &&
		    rg_conf_find_rail(conf, policy->rails[i].name) < 0)
			compare(&c, policy->rails[i].name, "rails", "loaded", "not declared");
	return c.n;
}
