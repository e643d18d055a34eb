// SPDX-License-Identifier: Apache-2.0
/*
 * The exported page: escaping, absent instead of 0, unique series, names that monitoring stores.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <railgate/policy.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "metrics/export.h"
#include "metrics/prom.h"

static char *take(struct rg_prom *p)
{
	char *text = NULL;
	size_t len = 0;

	assert_int_equal(rg_prom_take(p, &text, &len), 0);
	assert_int_equal(strlen(text), len);
	rg_prom_free(p);
	return text;
}

static void help_and_type_stand_once_before_the_first_sample(void **state)
{
	struct rg_prom *p = rg_prom_new();
	_cleanup_free_ char *text = NULL;

	(void)state;
	rg_prom_family(p, "empty_total", "counter", "Never written.");
	rg_prom_family(p, "x_total", "counter", "A \\ and\na line.");
	rg_prom_u64(p, RG_PROM_LABELS({"a", "q\"\\\n"}, {"absent", NULL}, {"empty", ""}),
		    UINT64_MAX);
	rg_prom_u64(p, NULL, 0, 0);
	text = take(p);
	assert_string_equal(text, "# HELP railgate_x_total A \\\\ and\\na line.\n"
				  "# TYPE railgate_x_total counter\n"
				  "railgate_x_total{a=\"q\\\"\\\\\\n\"} 18446744073709551615\n"
				  "railgate_x_total 0\n");
}

static void empty_page_is_an_empty_string(void **state)
{
	_cleanup_free_ char *text = take(rg_prom_new());

	(void)state;
	assert_string_equal(text, "");
}

static struct rg_metrics_endpoint endpoint(const char *pod, const char *ifname, uint8_t kind,
					   uint64_t bytes, uint64_t drops)
{
	struct rg_metrics_endpoint e = {.endpoint.kind = kind, .counters.tx.roce_bytes = bytes};

	(void)rg_str_copy(e.endpoint.pod_namespace, sizeof(e.endpoint.pod_namespace),
			  kind == RG_KIND_MACVLAN ? "ml" : "");
	(void)rg_str_copy(e.endpoint.pod_name, sizeof(e.endpoint.pod_name), pod);
	(void)rg_str_copy(e.endpoint.rail_name, sizeof(e.endpoint.rail_name), "rail0");
	(void)rg_str_copy(e.endpoint.ifname, sizeof(e.endpoint.ifname), ifname);
	e.drops.by_reason[RG_REASON_DST_CIDR] = (struct rg_count){drops, drops * 100};
	return e;
}

/* The page of two rails, one absent, and of a pod with two interfaces on rail0. */
static char *page(void)
{
	struct rg_metrics_rail rails[] = {
		{.name = "rail0",
		 .present = true,
		 .generation = 3,
		 .mode = RG_MODE_ENFORCE,
		 .hooks = {{.known = true, .attached = true, .position = 1}, {.known = true}}},
		{.name = "rail1"},
	};
	struct rg_metrics_endpoint endpoints[] = {
		endpoint("train-0", "net1", RG_KIND_MACVLAN, 1000, 2),
		endpoint("", "", RG_KIND_HOST, 7, 0),
		endpoint("train-0", "net2", RG_KIND_MACVLAN, 500, 1),
		endpoint("", "", RG_KIND_UNKNOWN, 0, 4),
	};
	struct rg_metrics_view v = {
		.rails = rails,
		.n_rails = ARRAY_SIZE(rails),
		.endpoints = endpoints,
		.n_endpoints = ARRAY_SIZE(endpoints),
		.kernel = "6.18",
		.attach_kind = "tcx",
	};
	struct rg_prom *p = rg_prom_new();

	endpoints[2].departed = true;
	rails[0].ops[RG_OPS_RX].packets[RG_OP_CNP] = 9;
	rg_metrics_export(&v, p);
	return take(p);
}

static void assert_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("missing: %s\nin:\n%s", line, text);
}

static void assert_no(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("unexpected: %s\nin:\n%s", part, text);
}

static void interfaces_of_one_pod_and_rail_are_summed(void **state)
{
	_cleanup_free_ char *text = page();

	(void)state;
	assert_line(text, "railgate_tc_roce_bytes_total{namespace=\"ml\",pod=\"train-0\","
			  "rail=\"rail0\",direction=\"egress\"} 1500\n");
	assert_line(text, "railgate_egress_dropped_packets_total{namespace=\"ml\",pod=\"train-0\","
			  "rail=\"rail0\",reason=\"dst_cidr\"} 3\n");
	assert_line(text, "railgate_egress_dropped_bytes_total{namespace=\"ml\",pod=\"train-0\","
			  "rail=\"rail0\",reason=\"dst_cidr\"} 300\n");
}

static void host_and_unknown_cannot_be_mistaken_for_pods(void **state)
{
	_cleanup_free_ char *text = page();

	(void)state;
	assert_line(text, "railgate_tc_roce_bytes_total{pod=\"(host)\",rail=\"rail0\","
			  "direction=\"egress\"} 7\n");
	assert_line(text, "railgate_egress_dropped_packets_total{pod=\"(unknown)\","
			  "rail=\"rail0\",reason=\"dst_cidr\"} 4\n");
	assert_no(text, "attachment_info{pod=\"(host)\"");
}

static void what_does_not_exist_is_absent(void **state)
{
	_cleanup_free_ char *text = page();

	(void)state;
	assert_line(text, "railgate_rail_present{rail=\"rail1\"} 0\n");
	assert_no(text, "railgate_policy_attached{rail=\"rail1\"");
	assert_no(text, "railgate_policy_chain_position{rail=\"rail0\",hook=\"ingress\"}");
	assert_no(text, "reason=\"short\"");
	assert_no(text, "op=\"send\"");
	/* the second interface has left: it still counts, but it is no attachment any more */
	assert_line(text, "ifname=\"net1\"");
	assert_no(text, "ifname=\"net2\"");
}

static void hooks_and_opcodes_are_exported(void **state)
{
	_cleanup_free_ char *text = page();

	(void)state;
	assert_line(text, "railgate_policy_attached{rail=\"rail0\",hook=\"egress\"} 1\n");
	assert_line(text, "railgate_policy_attached{rail=\"rail0\",hook=\"ingress\"} 0\n");
	assert_line(text, "railgate_policy_chain_position{rail=\"rail0\",hook=\"egress\"} 1\n");
	assert_line(text, "railgate_tc_roce_opcode_packets_total{rail=\"rail0\","
			  "direction=\"ingress\",op=\"cnp\"} 9\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_and_type_stand_once_before_the_first_sample),
		cmocka_unit_test(empty_page_is_an_empty_string),
		cmocka_unit_test(interfaces_of_one_pod_and_rail_are_summed),
		cmocka_unit_test(host_and_unknown_cannot_be_mistaken_for_pods),
		cmocka_unit_test(what_does_not_exist_is_absent),
		cmocka_unit_test(hooks_and_opcodes_are_exported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
