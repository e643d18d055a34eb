// SPDX-License-Identifier: Apache-2.0
/*
 * Parts of the plugin: results in every version, the undo stack, names of interfaces, delegated
 * programs, announcements.
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
#include <json-c/json.h>
#include <linux/rtnetlink.h>

#include "attach.h"
#include "base/err.h"
#include "exec.h"
#include "net/announce.h"
#include "net/nl.h"
#include "result.h"
#include "undo.h"

static struct json_object *json(const char *text)
{
	struct json_object *doc = json_tokener_parse(text);

	assert_non_null(doc);
	return doc;
}

static const char *format(const struct rg_result *result, enum rg_cni_version version,
			  struct json_object *prev, struct json_object **doc)
{
	assert_int_equal(rg_result_format(result, version, prev, doc), 0);
	return json_object_to_json_string_ext(*doc, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE);
}

static void results_in_their_version(void **state)
{
	static const char want_0_3_1[] =
		"{\"cniVersion\":\"0.3.1\",\"interfaces\":[{\"name\":\"net1\",\"sandbox\":\"/n\"}],"
		"\"ips\":[{\"version\":\"4\",\"interface\":0,\"address\":\"10.0.0.2/24\"}],"
		"\"routes\":[{\"dst\":\"10.0.0.0/8\",\"gw\":\"10.0.0.1\"}],\"dns\":{}}";
	static const char want_1_1_0[] =
		"{\"cniVersion\":\"1.1.0\","
		"\"interfaces\":[{\"name\":\"net1\",\"mtu\":4200,\"sandbox\":\"/n\"}],"
		"\"ips\":[{\"interface\":0,\"address\":\"10.0.0.2/24\"}],"
		"\"routes\":[{\"dst\":\"10.0.0.0/"
		"8\",\"gw\":\"10.0.0.1\",\"priority\":101}],\"dns\":{}}";
	_cleanup_result_ struct rg_result result = {0};
	struct json_object *doc;
	struct rg_err err;

	(void)state;
	doc = json(want_1_1_0);
	assert_int_equal(rg_result_parse(doc, "result", &result, &err), 0);
	json_object_put(doc);
	assert_string_equal(format(&result, RG_CNI_0_3_1, NULL, &doc), want_0_3_1);
	json_object_put(doc);
	assert_string_equal(format(&result, RG_CNI_1_1_0, NULL, &doc), want_1_1_0);
	json_object_put(doc);
}

static void a_result_is_appended_to_the_one_before(void **state)
{
	struct json_object *prev = json("{\"interfaces\":[{\"name\":\"eth0\"}],\"other\":1}"), *doc;
	_cleanup_result_ struct rg_result result = {0};
	struct rg_result_ip ip = {.interface = 0};

	(void)state;
	assert_int_equal(rg_cidr_parse("fd00::2/64", &ip.addr), 0);
	assert_int_equal(rg_result_add_ip(&result, &ip), 0);
	assert_string_equal(
		format(&result, RG_CNI_1_0_0, prev, &doc),
		"{\"interfaces\":[{\"name\":\"eth0\"}],\"other\":1,\"cniVersion\":\"1.0.0\","
		"\"ips\":[{\"interface\":1,\"address\":\"fd00::2/64\"}],\"routes\":[],"
		"\"dns\":{}}");
	json_object_put(doc);
	json_object_put(prev);
}

static void wrong_results_are_refused_with_their_place(void **state)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"[]", "result"},
		{"{\"ips\":{}}", "result.ips"},
		{"{\"ips\":[{}]}", "result.ips[0].address: missing"},
		{"{\"ips\":[{\"address\":\"10.0.0.1\"}]}", "result.ips[0].address"},
		{"{\"ips\":[{\"address\":\"10.0.0.1/8\",\"gateway\":5}]}", "result.ips[0].gateway"},
		{"{\"routes\":[{\"dst\":\"x\"}]}", "result.routes[0].dst"},
		{"{\"interfaces\":[{\"name\":\"a-name-of-16-char\"}]}",
		 "result.interfaces[0].name"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct json_object *doc = json(rows[i].text);
		struct rg_result result = {0};
		struct rg_err err;

		assert_int_equal(rg_result_parse(doc, "result", &result, &err), -EINVAL);
		if (!strstr(err.msg, rows[i].says))
			fail_msg("%s: %s", rows[i].text, err.msg);
		json_object_put(doc);
	}
}

static char undone[8];

static int undo_one(void *arg, struct rg_err *err)
{
	const char *name = arg;

	undone[strlen(undone)] = *name;
	return *name == 'b' ? rg_err_set(err, -EIO, "b failed") : 0;
}

static void everything_is_undone_last_first(void **state)
{
	struct rg_undo undo = {0};
	struct rg_err err = {0};

	(void)state;
	assert_int_equal(rg_undo_push(&undo, "one", undo_one, "a"), 0);
	assert_int_equal(rg_undo_push(&undo, "two", undo_one, "b"), 0);
	assert_int_equal(rg_undo_push(&undo, "three", undo_one, "c"), 0);
	assert_int_equal(rg_undo_run(&undo, &err), -EIO);
	assert_string_equal(undone, "cba");
	assert_string_equal(err.msg, "undoing step 'two': b failed");
	assert_int_equal(undo.n, 0);
	while (rg_undo_push(&undo, "x", undo_one, "x") == 0)
		;
	assert_int_equal(undo.n, RG_UNDO_MAX);
}

static void names_count_up(void **state)
{
	char name[IF_NAMESIZE];

	(void)state;
	assert_int_equal(rg_attach_ifname("net1", 0, name), 0);
	assert_string_equal(name, "net1");
	assert_int_equal(rg_attach_ifname("net9", 2, name), 0);
	assert_string_equal(name, "net11");
	assert_int_equal(rg_attach_ifname("rail", 3, name), 0);
	assert_string_equal(name, "rail3");
	assert_int_equal(rg_attach_ifname("fifteen-chars-x", 1, name), -ENAMETOOLONG);
}

static void programs_are_found_and_run(void **state)
{
	char *const env[] = {"A=b", NULL};
	struct rg_exec_result result;
	struct rg_err err;
	char path[64];

	(void)state;
	assert_int_equal(rg_exec_find("/nowhere::/bin", "cat", path, sizeof(path)), 0);
	assert_string_equal(path, "/bin/cat");
	assert_int_equal(rg_exec(path, env, "hello", 5, -EBADF, 5000, &result, &err), 0);
	assert_int_equal(result.status, 0);
	assert_string_equal(result.output, "hello");
	free(result.output);
	assert_int_equal(rg_exec_find("/bin", "no-such-program", path, sizeof(path)), -ENOENT);
	assert_true(rg_exec("/nowhere", env, "", 0, -EBADF, 5000, &result, &err) < 0);
	assert_int_equal(rg_exec("/usr/bin/yes", env, "", 0, -EBADF, 60000, &result, &err), -EFBIG);
}

static void gone_is_gone(void **state)
{
	(void)state;
	assert_true(rg_net_gone(-ENODEV) && rg_net_gone(-ENOENT) && rg_net_gone(-ESRCH));
	assert_false(rg_net_gone(0) || rg_net_gone(-EPERM));
}

static void advertisements(void **state)
{
	const uint8_t mac[RG_MAC_LEN] = {2, 0, 0, 0, 0, 5};
	uint8_t msg[RG_ANNOUNCE_NA_LEN];
	struct rg_addr addr;

	(void)state;
	assert_int_equal(rg_addr_parse("fd00::5", &addr), 0);
	rg_announce_na(mac, &addr, msg);
	assert_int_equal(msg[0], 136);
	assert_int_equal(msg[4], 0x20); /* override alone: neither router nor solicited */
	assert_memory_equal(msg + 8, addr.b, 16);
	assert_int_equal(msg[24], 2);
	assert_int_equal(msg[25], 1);
	assert_memory_equal(msg + 26, mac, RG_MAC_LEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_in_their_version),
		cmocka_unit_test(a_result_is_appended_to_the_one_before),
		cmocka_unit_test(wrong_results_are_refused_with_their_place),
		cmocka_unit_test(everything_is_undone_last_first),
		cmocka_unit_test(names_count_up),
		cmocka_unit_test(programs_are_found_and_run),
		cmocka_unit_test(gone_is_gone),
		cmocka_unit_test(advertisements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
