// SPDX-License-Identifier: Apache-2.0
/*
 * What differs between the policy in force and the file, and which rule decided about a frame.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <railgate/endpoint.h>
#include <railgate/reason.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/explain.h"
#include "conf/conf.h"

#include "../../user/ctl/event.h"
#include "../../user/ctl/explain_rule.h"
#include "../../user/ctl/policy_diff.h"

static const char file[] =
	"{\"rdmaCidrs\":[\"172.16.0.0/16\",\"fd00:16::/48\"],"
	"\"policy\":{\"allow\":[\"bgp\",{\"proto\":\"udp\",\"port\":53,\"to\":\"10.0.0.0/8\"}]},"
	"\"rails\":[{\"name\":\"rail0\",\"match\":{\"netdev\":\"a\"},\"vlans\":[100]},"
	"{\"name\":\"rail1\",\"match\":{\"netdev\":\"b\"},\"policy\":{\"profile\":\"strict\","
	"\"kernelRoce\":\"deny\"}}]}";

static struct rg_conf *load_conf(void)
{
	struct rg_conf *conf;
	struct rg_err err;

	if (rg_conf_parse(file, strlen(file), &conf, &err) < 0)
		fail_msg("%s", err.msg);
	return conf;
}

/* What the agent would load for the file. */
static struct rg_policy *load_policy(const struct rg_conf *conf)
{
	struct rg_policy *p = calloc(1, sizeof(*p));
	struct rg_rail *r;
	uint32_t i;

	assert_non_null(p);
	for (i = 0; i < conf->n_rdma_cidrs; i++)
		assert_int_equal(rg_policy_add_cidr(p, &conf->rdma_cidrs[i], RG_SCOPE_RDMA, i), 0);
	for (i = 0; i < 2; i++) {
		r = &p->rails[i];
		(void)rg_str_copy(r->name, sizeof(r->name), conf->rails[i].name);
		r->mode = RG_MODE_ENFORCE;
		r->n_allows = 2;
		r->allows[0] = (struct rg_allow){
			.proto = 6, .port = 179, .from = RG_FROM_HOST, .in_use = 1};
		r->allows[1] = (struct rg_allow){.proto = 17,
						 .port = 53,
						 .from = RG_FROM_HOST | RG_FROM_PODS,
						 .in_use = 1,
						 .to = {[10] = 0xff, 0xff, 10},
						 .to_prefix = 104};
	}
	p->rails[0].n_vlans = 1;
	p->rails[0].vlans[0] = 100;
	p->rails[1].profile = RG_PROFILE_STRICT;
	p->rails[1].flags = RG_RAIL_KERNEL_ROCE_DENY | RG_RAIL_HAS_IPV6;
	return p;
}

struct found {
	char text[2048];
};

static void note(const struct rg_policy_difference *d, void *arg)
{
	struct found *f = arg;
	size_t len = strlen(f->text);

	(void)rg_str_format(f->text + len, sizeof(f->text) - len, "%s.%s: %s|%s\n", d->rail, d->key,
			    d->in_force, d->file);
}

static void same_is_same(void **state)
{
	_cleanup_free_ struct rg_conf *conf = load_conf();
	_cleanup_free_ struct rg_policy *policy = load_policy(conf);
	struct found f = {""};

	(void)state;
	assert_int_equal(rg_policy_compare(policy, conf, note, &f), 0);
	assert_string_equal(f.text, "");
}

static void each_difference_is_named(void **state)
{
	_cleanup_free_ struct rg_conf *conf = load_conf();
	_cleanup_free_ struct rg_policy *policy = load_policy(conf);
	struct found f = {""};

	(void)state;
	policy->n_cidrs = 1;
	policy->rails[0].mode = RG_MODE_AUDIT;
	policy->rails[0].n_vlans = 0;
	policy->rails[0].allows[0].port = 180;
	policy->rails[0].n_allows = 1;
	(void)rg_str_copy(policy->rails[1].name, sizeof(policy->rails[1].name), "old");
	assert_int_equal(rg_policy_compare(policy, conf, note, &f), 6);
	assert_string_equal(f.text,
			    ".rdmaCidrs: 172.16.0.0/16|172.16.0.0/16, fd00:16::/48\n"
			    "rail0.policy.mode: audit|enforce\n"
			    "rail0.vlans: none|100\n"
			    "rail0.policy.allow: tcp port 180 to any from host|"
			    "tcp port 179 to any from host; udp port 53 to 10.0.0.0/8 from any\n"
			    "rail1.rails: not loaded|declared\n"
			    "old.rails: loaded|not declared\n");
}

/* A rail's number goes by its name: another order in the file is no difference. */
static void order_is_no_difference(void **state)
{
	_cleanup_free_ struct rg_conf *conf = load_conf();
	_cleanup_free_ struct rg_policy *policy = load_policy(conf);
	struct rg_rail swap = policy->rails[0];
	struct found f = {""};

	(void)state;
	policy->rails[0] = policy->rails[1];
	policy->rails[5] = swap;
	policy->rails[1] = (struct rg_rail){.mode = RG_MODE_NONE};
	assert_int_equal(rg_policy_compare(policy, conf, note, &f), 0);
}

#define ROCE                      \
	{                         \
		.roce_packets = 1 \
	}
#define IP                      \
	{                       \
		.ip_packets = 1 \
	}

static const struct {
	unsigned int rail;
	const char *src, *dst;
	uint8_t proto;
	uint16_t dport;
	struct rg_explain_result result;
	const char *rule;
} rules[] = {
	{0, "172.16.0.1", "8.8.8.8", 17, 4791, {.passed = true, .tx = ROCE}, "any unicast"},
	{1,
	 "172.16.0.1",
	 "172.16.1.1",
	 17,
	 4791,
	 {.passed = true, .tx = ROCE},
	 "rdmaCidrs[0] 172.16.0.0/16"},
	{0,
	 "172.16.0.1",
	 "172.16.1.1",
	 17,
	 4791,
	 {.passed = true, .tx = ROCE, .ident_flags = RG_IDENT_STRICT},
	 "rdmaCidrs[0]"},
	{0,
	 "fd00:16::1",
	 "fd00:16::2",
	 6,
	 22,
	 {.passed = true, .tx = IP},
	 "rdmaCidrs[1] fd00:16::/48"},
	{0,
	 "172.16.0.1",
	 "10.1.2.3",
	 17,
	 53,
	 {.passed = true, .tx = IP},
	 "policy.allow: udp port 53 to 10.0.0.0/8"},
	{0,
	 "172.16.0.1",
	 "8.8.8.8",
	 6,
	 179,
	 {.passed = true, .tx = IP, .ident_flags = RG_IDENT_HOST},
	 "policy.allow: tcp port 179"},
	{0, "172.16.0.1", "8.8.8.8", 6, 179, {.passed = true, .tx = IP}, "nothing stops it"},
	{0, "172.16.0.1", "172.16.0.2", 0, 0, {.passed = true, .tx = {.l2_packets = 1}}, "ARP"},
	{0,
	 "172.16.0.1",
	 "8.8.8.8",
	 6,
	 443,
	 {.reason = RG_REASON_DST_CIDR},
	 "8.8.8.8 lies in none of rdmaCidrs (172.16.0.0/16, fd00:16::/48), and no exception fits"},
	{0,
	 "9.9.9.9",
	 "172.16.0.2",
	 6,
	 443,
	 {.reason = RG_REASON_SRC_IP},
	 "9.9.9.9 is not an addr"},
	{0,
	 "9.9.9.9",
	 "172.16.0.2",
	 6,
	 443,
	 {.reason = RG_REASON_MAC_SRC},
	 "MAC 02:00:00:00:00:0a belongs to no endpoint of rail0"},
	{0, "9.9.9.9", "172.16.0.2", 6, 443, {.reason = RG_REASON_VLAN}, "vlans: 100"},
	{1,
	 "172.16.0.1",
	 "172.16.0.2",
	 47,
	 0,
	 {.reason = RG_REASON_PROTO_DENIED},
	 "gre is not listed in policy.allow"},
	{0,
	 "172.16.0.1",
	 "172.16.0.2",
	 17,
	 4791,
	 {.reason = RG_REASON_ROCE_TVER},
	 "BTH transport version"},
};

static void the_rule_is_named(void **state)
{
	_cleanup_free_ struct rg_conf *conf = load_conf();
	_cleanup_free_ struct rg_policy *policy = load_policy(conf);
	char rule[RG_RULE_SIZE];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		struct rg_event ev = {.proto = rules[i].proto, .dport = rules[i].dport};
		struct rg_addr a;

		assert_int_equal(rg_addr_parse(rules[i].src, &a), 0);
		memcpy(ev.saddr, a.b, sizeof(ev.saddr));
		assert_int_equal(rg_addr_parse(rules[i].dst, &a), 0);
		memcpy(ev.daddr, a.b, sizeof(ev.daddr));
		memcpy(ev.header + 6, "\x02\0\0\0\0\x0a", 6);
		(void)rg_explain_rule(policy, rules[i].rail, &ev, &rules[i].result, rule);
		if (!strstr(rule, rules[i].rule))
			fail_msg("row %zu: \"%s\" lacks \"%s\"", i, rule, rules[i].rule);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_is_same),
		cmocka_unit_test(each_difference_is_named),
		cmocka_unit_test(order_is_no_difference),
		cmocka_unit_test(the_rule_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
