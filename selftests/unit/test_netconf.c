// SPDX-License-Identifier: Apache-2.0
/*
 * Network configurations: what is understood, which of several wishes wins, and the code and JSON
 * path of every refusal.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/if_link.h>
#include <railgate/policy.h>

#include "call.h"
#include "fault.h"
#include "netconf.h"

#define HEAD "{\"cniVersion\":\"1.0.0\",\"name\":\"n\",\"type\":\"railgate\","

static int parse(enum rg_command command, const char *args, const char *text,
		 struct rg_netconf *conf, struct rg_fault *f)
{
	struct rg_call call = {.command = command, .args = args, .input_len = strlen(text)};
	int r;

	memset(f, 0, sizeof(*f));
	call.input = strdup(text);
	assert_non_null(call.input);
	assert_int_equal(rg_call_parse_args(&call, f), 0);
	r = rg_netconf_parse(&call, conf, f);
	rg_call_done(&call);
	return r;
}

static void all_of_it_is_read(void **state)
{
	struct rg_netconf conf;
	struct rg_fault f;

	(void)state;
	assert_int_equal(
		parse(RG_COMMAND_ADD, NULL,
		      HEAD
		      "\"mode\":\"macvlan\",\"macvlanMode\":\"private\",\"rails\":[\"r0\",\"r1\"],"
		      "\"mtu\":4200,\"bcqueuelen\":7,\"rdma\":\"none\",\"unknown\":{\"x\":1},"
		      "\"policy\":{\"mode\":\"audit\",\"profile\":\"strict\"},\"prevResult\":null,"
		      "\"ipam\":{\"type\":\"host-local\",\"x\":1},\"ipamTimeout\":5}",
		      &conf, &f),
		0);
	assert_int_equal(conf.version, RG_CNI_1_0_0);
	assert_int_equal(conf.mode, RG_KIND_MACVLAN);
	assert_int_equal(conf.macvlan_mode, MACVLAN_MODE_PRIVATE);
	assert_int_equal(conf.n_rails, 2);
	assert_string_equal(conf.rails[1], "r1");
	assert_int_equal(conf.mtu, 4200);
	assert_int_equal(conf.bcqueuelen, 7);
	assert_false(conf.rdma);
	assert_int_equal(conf.ident_flags, RG_MODE_AUDIT | RG_IDENT_STRICT);
	assert_string_equal(conf.ipam_type, "host-local");
	assert_int_equal(conf.ipam_timeout_s, 5);
	assert_null(conf.prev_result);
	rg_netconf_done(&conf);
}

static void a_network_of_the_macvlan_plugin_needs_only_its_type(void **state)
{
	struct rg_netconf conf;
	struct rg_fault f;

	(void)state;
	assert_int_equal(parse(RG_COMMAND_ADD, NULL,
			       HEAD "\"master\":\"eth1\",\"mode\":\"bridge\",\"mac\":\"\"}", &conf,
			       &f),
			 0);
	assert_int_equal(conf.mode, RG_KIND_MACVLAN);
	assert_int_equal(conf.macvlan_mode, MACVLAN_MODE_BRIDGE);
	assert_string_equal(conf.master, "eth1");
	assert_false(conf.has_mac);
	rg_netconf_done(&conf);
}

static void the_runtime_s_mac_wins(void **state)
{
	static const struct {
		const char *args, *more;
		uint8_t last;
	} rows[] = {
		{NULL, "", 1},
		{"MAC=02:00:00:00:00:02", "", 2},
		{"MAC=02:00:00:00:00:02", ",\"args\":{\"cni\":{\"mac\":\"02:00:00:00:00:03\"}}", 3},
		{"MAC=02:00:00:00:00:02",
		 ",\"runtimeConfig\":{\"mac\":\"02:00:00:00:00:04\"},"
		 "\"args\":{\"cni\":{\"mac\":\"02:00:00:00:00:03\"}}",
		 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rg_netconf conf;
		struct rg_fault f;
		char text[512];

		(void)snprintf(
			text, sizeof(text),
			HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mac\":\"02:00:00:00:00:01\"%s}",
			rows[i].more);
		assert_int_equal(parse(RG_COMMAND_ADD, rows[i].args, text, &conf, &f), 0);
		assert_true(conf.has_mac);
		assert_int_equal(conf.mac[5], rows[i].last);
		rg_netconf_done(&conf);
	}
}

static void refusals_have_code_and_place(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *says;
	} rows[] = {
		{"", RG_CNI_DECODE, "empty"},
		{"{", RG_CNI_DECODE, "not whole JSON"},
		{"[]", RG_CNI_DECODE, "not a JSON object"},
		{"{\"name\":\"n\"}", RG_CNI_VERSION, "gives none"},
		{"{\"cniVersion\":\"0.2.0\",\"name\":\"n\"}", RG_CNI_VERSION, "0.2.0"},
		{"{\"cniVersion\":3,\"name\":\"n\"}", RG_CNI_CONFIG, "cniVersion"},
		{"{\"cniVersion\":\"1.0.0\"}", RG_CNI_CONFIG, "name: missing"},
		{HEAD "\"rail\":\"r\"}", RG_CNI_CONFIG, "mode: missing"},
		{HEAD "\"mode\":\"macvlan\"}", RG_CNI_CONFIG, "rail: missing"},
		{HEAD "\"mode\":7}", RG_CNI_CONFIG, "mode: 7"},
		{HEAD "\"mode\":\"macvlan\",\"rails\":[\"a\",5]}", RG_CNI_CONFIG, "rails[1]: 5"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"sixteen-chars-xx\"}", RG_CNI_CONFIG,
		 "rail: "},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mtu\":67}", RG_CNI_CONFIG, "mtu: 67"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mtu\":65536}", RG_CNI_CONFIG,
		 "mtu: 65536"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mtu\":-1}", RG_CNI_CONFIG, "mtu: -1"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mtu\":1.5}", RG_CNI_CONFIG,
		 "mtu: 1.5"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"mac\":\"01:00:00:00:00:01\"}",
		 RG_CNI_CONFIG, "mac: "},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"ipam\":[]}", RG_CNI_CONFIG, "ipam: "},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"ipam\":{\"type\":\"a/b\"}}",
		 RG_CNI_CONFIG, "ipam.type"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"args\":{\"cni\":{\"ips\":\"x\"}}}",
		 RG_CNI_CONFIG, "args.cni.ips"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"policy\":{\"mode\":\"on\"}}",
		 RG_CNI_CONFIG, "policy.mode"},
		{HEAD "\"mode\":\"macvlan\",\"rail\":\"r\",\"linkInContainer\":true}",
		 RG_CNI_UNSUPPORTED, "linkInContainer"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rg_netconf conf;
		struct rg_fault f;

		assert_true(parse(RG_COMMAND_ADD, NULL, rows[i].text, &conf, &f) < 0);
		if (f.code != rows[i].code || !strstr(f.err.msg, rows[i].says))
			fail_msg("%s: code %d, %s", rows[i].text, f.code, f.err.msg);
		rg_netconf_done(&conf);
	}
}

static void del_is_not_refused_for_what_it_does_not_need(void **state)
{
	struct rg_netconf conf;
	struct rg_fault f;

	(void)state;
	assert_int_equal(parse(RG_COMMAND_DEL, NULL, HEAD "\"mode\":7,\"mtu\":\"x\"}", &conf, &f),
			 0);
	rg_netconf_done(&conf);
}

static void commands_need_their_version(void **state)
{
	static const char old[] = "{\"cniVersion\":\"0.3.1\",\"name\":\"n\",\"mode\":\"macvlan\","
				  "\"rail\":\"r\"}";
	static const enum rg_command commands[] = {RG_COMMAND_CHECK, RG_COMMAND_GC,
						   RG_COMMAND_STATUS};

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct rg_netconf conf;
		struct rg_fault f;

		assert_true(parse(commands[i], NULL, old, &conf, &f) < 0);
		assert_int_equal(f.code, RG_CNI_VERSION);
		rg_netconf_done(&conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_of_it_is_read),
		cmocka_unit_test(a_network_of_the_macvlan_plugin_needs_only_its_type),
		cmocka_unit_test(the_runtime_s_mac_wins),
		cmocka_unit_test(refusals_have_code_and_place),
		cmocka_unit_test(del_is_not_refused_for_what_it_does_not_need),
		cmocka_unit_test(commands_need_their_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
