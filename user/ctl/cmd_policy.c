// SPDX-License-Identifier: Apache-2.0
/*
 * railctl policy: what is in force, read from the maps, and where the file says otherwise.
 */
#include <errno.h>
#include <railgate/policy.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/maps.h"
#include "conf/conf.h"
#include "ctl.h"
#include "names.h"
#include "out.h"
#include "policy_diff.h"

static void print_cidrs(struct rg_out *out, const char *key, const struct rg_policy *policy,
			unsigned int scope)
{
	char text[RG_CIDR_STR_LEN];
	size_t i;

	rg_out_array(out, key, NULL);
	for (i = 0; i < policy->n_cidrs; i++)
		if (policy->cidrs[i].scope == scope)
			rg_out_item(out, rg_cidr_format(&policy->cidrs[i].net, text));
	rg_out_array_end(out);
}

static void print_allow(struct rg_out *out, const struct rg_allow *a)
{
	char text[128];

	rg_out_record(out);
	rg_out_u64(out, "proto", NULL, a->proto, NULL);
	if (a->port)
		rg_out_u64(out, "port", NULL, a->port, NULL);
	else
		rg_out_absent(out, "port", NULL);
	rg_out_str(out, "from", NULL, rg_name_from(a->from));
	rg_out_str(out, "text", NULL, rg_name_allow(a, text, sizeof(text)));
	rg_out_record_end(out);
}

static void print_rail_json(struct rg_out *out, const struct rg_policy *policy, unsigned int number)
{
	const struct rg_rail *rail = &policy->rails[number];
	char mac[RG_MAC_STR_LEN];
	size_t i;

	rg_out_record(out);
	rg_out_str(out, "name", NULL, rail->name);
	rg_out_u64(out, "number", NULL, number, NULL);
	rg_out_str(out, "mode", NULL, rg_name_mode(rail->mode));
	rg_out_str(out, "profile", NULL, rg_name_profile(rail->profile));
	rg_out_bool(out, "kernel_roce_deny", NULL, rail->flags & RG_RAIL_KERNEL_ROCE_DENY);
	rg_out_bool(out, "ipv6", NULL, rail->flags & RG_RAIL_HAS_IPV6);
	rg_out_u64(out, "ifindex", NULL, rail->ifindex, NULL);
	rg_out_str(out, "mac", NULL, rg_mac_format(rail->mac, mac));
	rg_out_u64(out, "l2_packets_per_second", NULL, rail->l2_pps, NULL);
	rg_out_array(out, "vlans", NULL);
	for (i = 0; i < rail->n_vlans && i < RG_MAX_VLANS; i++)
		rg_out_item_u64(out, rail->vlans[i]);
	rg_out_array_end(out);
	rg_out_list(out, "allow", NULL);
	for (i = 0; i < rail->n_allows && i < RG_MAX_ALLOWS; i++)
		print_allow(out, &rail->allows[i]);
	rg_out_list_end(out, NULL);
	print_cidrs(out, "subnets", policy, RG_SCOPE_SUBNET(number));
	rg_out_record_end(out);
}

static void print_rail_text(struct rg_out *out, const struct rg_policy *policy, unsigned int number)
{
	const struct rg_rail *rail = &policy->rails[number];
	bool deny = rail->flags & RG_RAIL_KERNEL_ROCE_DENY;
	char text[RG_POLICY_TEXT_SIZE];
	size_t i;

	rg_out_text(out, "\n%s: mode %s, profile %s, kernelRoce %s\n", rail->name,
		    rg_name_mode(rail->mode), rg_name_profile(rail->profile),
		    deny ? "deny" : "allow");
	rg_out_text(out, "  subnets  %s\n",
		    rg_policy_cidrs_text(policy, RG_SCOPE_SUBNET(number), text, sizeof(text)));
	rg_out_text(out, "  vlans    %s\n", rg_policy_vlans_text(rail, text, sizeof(text)));
	if (!rail->n_allows)
		rg_out_text(out, "  allow    none\n");
	for (i = 0; i < rail->n_allows && i < RG_MAX_ALLOWS; i++)
		rg_out_text(out, "  allow    %s\n",
			    rg_name_allow(&rail->allows[i], text, sizeof(text)));
}

static void print_policy(struct rg_out *out, const struct rg_policy *policy)
{
	char text[RG_POLICY_TEXT_SIZE];
	unsigned int i;

	rg_out_u64(out, "generation", NULL, policy->generation, NULL);
	print_cidrs(out, "rdma_cidrs", policy, RG_SCOPE_RDMA);
	rg_out_text(out, "generation %u\nRDMA CIDRs %s\n", policy->generation,
		    rg_policy_cidrs_text(policy, RG_SCOPE_RDMA, text, sizeof(text)));
	rg_out_list(out, "rails", NULL);
	for (i = 0; i < RG_MAX_RAILS; i++) {
		if (policy->rails[i].mode == RG_MODE_NONE)
			continue;
		if (rg_out_is_json(out))
			print_rail_json(out, policy, i);
		else
			print_rail_text(out, policy, i);
	}
	rg_out_list_end(out, NULL);
}

static void print_difference(const struct rg_policy_difference *d, void *arg)
{
	struct rg_out *out = arg;

	rg_out_text(out, "  %s%s%s: in force %s; file %s\n", d->rail, *d->rail ? "." : "", d->key,
		    d->in_force, d->file);
	if (!rg_out_is_json(out))
		return;
	rg_out_record(out);
	rg_out_str(out, "rail", NULL, d->rail);
	rg_out_str(out, "key", NULL, d->key);
	rg_out_str(out, "in_force", NULL, d->in_force);
	rg_out_str(out, "file", NULL, d->file);
	rg_out_record_end(out);
}

/* A file that cannot be read is worth a line, but what is in force can be shown all the same. */
static int print_comparison(struct rg_ctl *ctl, const struct rg_policy *policy)
{
	_cleanup_free_ struct rg_conf *conf = NULL;
	struct rg_out *out = ctl->out;
	struct rg_err err = {0};
	size_t n;

	rg_out_str(out, "file", NULL, ctl->conf_path);
	if (rg_conf_load(ctl->conf_path, &conf, &err) < 0) {
		rg_out_str(out, "file_error", NULL, err.msg);
		rg_out_text(out, "\nNot compared with the file: %s\n", err.msg);
		return RG_EXIT_NOTICE;
	}
	rg_out_text(out, "\n%s:\n", ctl->conf_path);
	rg_out_list(out, "differences", NULL);
	n = rg_policy_compare(policy, conf, print_difference, out);
	rg_out_list_end(out, NULL);
	if (!n)
		rg_out_text(out, "  is what is in force\n");
	return n ? RG_EXIT_NOTICE : RG_EXIT_OK;
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	_cleanup_free_ struct rg_policy *policy = NULL;
	int r;

	(void)values;
	if (argc)
		return rg_ctl_usage_error(ctl, "policy: \"%s\" is too much", argv[0]);
	r = rg_maps_open(ctl->pin_dir, &maps, &ctl->err);
	if (r < 0)
		return r;
	r = rg_policy_read(maps, &policy, &ctl->err);
	if (r < 0)
		return r;
	print_policy(ctl->out, policy);
	return print_comparison(ctl, policy);
}

const struct rg_cmd rg_cmd_policy = {
	.name = "policy",
	.args = "",
	.summary = "show the policy in force and where the configuration file differs",
	.help = "Reads the maps that the BPF programs read, not only the file. A difference means\n"
		"that the agent does not run, has refused the file, or has not read it yet.\n\n"
		"Exit code: 0 the file is what is in force, 3 it is not or cannot be read.\n\n"
		"Examples:\n"
		"  railctl policy\n"
		"  railctl policy --config new.json    # what would change\n"
		"  railctl policy --json | jq .differences\n",
	.run = run,
};
