// SPDX-License-Identifier: Apache-2.0
/*
 * The configuration parser: what a good file means, and that each kind of bad one is refused with
 * the JSON path, the value and the remedy.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <railgate/policy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "conf/conf.h"

#define GOOD                                                                                 \
	"{\"rdmaCidrs\":[\"172.16.0.0/16\",\"fd00:16::/48\"],"                               \
	"\"rails\":[{\"name\":\"rail0\",\"match\":{\"pci\":\"0000:86:00.0\"},"               \
	"\"addresses\":[\"172.16.0.10/24\"],\"gateways\":[\"172.16.0.1\"],\"mtu\":4200,"     \
	"\"sriov\":{\"numVfs\":8},\"policy\":{\"profile\":\"strict\",\"allow\":[\"bfd\"]}}," \
	"{\"name\":\"rail1\",\"match\":{\"mac\":\"02:00:00:00:00:01\"},\"manage\":false}],"  \
	"\"policy\":{\"mode\":\"audit\",\"allow\":[{\"proto\":\"tcp\",\"port\":22,"          \
	"\"to\":\"10.0.0.0/8\",\"from\":\"host\"}]}}"

static void good_file_is_read(void **state)
{
	_cleanup_free_ struct rg_conf *conf = NULL;
	struct rg_err err = {0};
	const struct rg_conf_rail *r0, *r1;

	(void)state;
	assert_int_equal(rg_conf_parse(GOOD, strlen(GOOD), &conf, &err), 0);
	assert_int_equal(conf->n_rdma_cidrs, 2);
	assert_int_equal(conf->rdma_cidrs[0].prefix, 16);
	assert_string_equal(conf->metrics_listen, "127.0.0.1:9917");
	assert_int_equal(conf->max_endpoints, RG_ENDPOINTS_DEFAULT);
	assert_int_equal(conf->n_rails, 2);
	r0 = &conf->rails[0];
	r1 = &conf->rails[1];
	assert_string_equal(r0->match.pci, "0000:86:00.0");
	assert_int_equal(r0->mtu, 4200);
	assert_int_equal(r0->num_vfs, 8);
	assert_true(r0->manage);
	/* "policy" stands behind "rails" in the file and is inherited all the same */
	assert_int_equal(r0->policy.mode, RG_MODE_AUDIT);
	assert_int_equal(r0->policy.profile, RG_PROFILE_STRICT);
	/* a rail's own exceptions replace the node's */
	assert_int_equal(r0->policy.n_allows, 2);
	assert_int_equal(r0->policy.allows[0].port, 3784);
	assert_false(r1->manage);
	assert_int_equal(r1->num_vfs, -1);
	assert_int_equal(r1->policy.n_allows, 1);
	assert_int_equal(r1->policy.allows[0].port, 22);
	assert_int_equal(r1->policy.allows[0].from, RG_FROM_HOST);
	assert_true(r1->policy.allows[0].has_to);
	assert_int_equal(rg_conf_find_rail(conf, "rail1"), 1);
	assert_int_equal(rg_conf_find_rail(conf, "rail9"), -ENOENT);
}

/* R(text): a document whose only rail has these keys besides its name */
#define R(keys) "{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[{\"name\":\"r0\"," keys "}]}"
#define M	"\"match\":{\"netdev\":\"eth0\"}"
/* T(text): a document without rails that has these keys */
#define T(keys) "{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[]," keys "}"

static const struct {
	const char *text;
	const char *place;
	const char *remedy;
} bad[] = {
	{"", "empty", ""},
	{"{", "not whole", ""},
	{"{}x", "not JSON", "at byte 2"},
	{"[]", "(document)", "an object"},
	{"{\"rails\":[]}", "rdmaCidrs: missing", "172.16.0.0/16"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"]}", "rails: missing", "array of rails"},
	{"{\"rdmaCidrs\":[],\"rails\":[]}", "rdmaCidrs: empty", "name the fabric"},
	{"{\"rdmaCidrs\":[\"10.0.0.1/8\"],\"rails\":[]}", "rdmaCidrs[0]: 10.0.0.1/8",
	 "write 10.0.0.0/8"},
	{"{\"rdmaCidrs\":[\"0.0.0.0/0\"],\"rails\":[]}", "rdmaCidrs[0]", "\"off\""},
	{"{\"rdmaCidrs\":[\"224.0.0.0/8\"],\"rails\":[]}", "rdmaCidrs[0]", "unicast"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/33\"],\"rails\":[]}", "rdmaCidrs[0]", "a unicast network"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\",\"10.0.0.0/8\"],\"rails\":[]}", "rdmaCidrs[1]", "remove"},
	{"{\"rdmaCidrs\":[7],\"rails\":[]}", "rdmaCidrs[0]: 7", "a unicast network"},
	{"{\"rdmaCidrs\":\"10.0.0.0/8\",\"rails\":[]}", "rdmaCidrs", "an array"},
	{T("\"railz\":[]"), "railz: unknown key", "rdmaCidrs, policy, rails"},
	{T("\"maxEndpoints\":1"), "maxEndpoints: 1", "64 to 65536"},
	{T("\"maxEndpoints\":\"64\""), "maxEndpoints: \"64\"", "64 to 65536"},
	{T("\"metrics\":{\"listen\":\"9917\"}"), "metrics.listen", "127.0.0.1:9917"},
	{T("\"metrics\":{\"listen\":\"localhost:80\"}"), "metrics.listen", "127.0.0.1:9917"},
	{T("\"policy\":{\"mode\":\"drop\"}"), "policy.mode: \"drop\"", "\"enforce\""},
	{T("\"policy\":{\"profile\":1}"), "policy.profile: 1", "\"strict\""},
	{T("\"policy\":{\"kernelRoce\":true}"), "policy.kernelRoce", "\"deny\""},
	{T("\"policy\":{\"allow\":[\"ssh\"]}"), "policy.allow[0]: \"ssh\"", "\"dhcp\""},
	{T("\"policy\":{\"allow\":[{\"port\":1}]}"), "policy.allow[0].proto: missing", "protocol"},
	{T("\"policy\":{\"allow\":[{\"proto\":\"icmp\",\"port\":1}]}"), "policy.allow[0].port",
	 "no ports"},
	{T("\"policy\":{\"allow\":[{\"proto\":\"tcp\",\"to\":\"10.1.1.1/8\"}]}"),
	 "policy.allow[0].to", "behind its prefix"},
	{T("\"policy\":{\"allow\":[{\"proto\":\"tcp\",\"port\":0}]}"), "policy.allow[0].port: 0",
	 "1 to 65535"},
	{R("\"match\":{}"), "rails[0].match: empty", "at least one"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[{" M "}]}", "rails[0].name: missing",
	 "a name"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[{\"name\":\"../x\"," M "}]}",
	 "rails[0].name: \"..", "1 to 15"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[null]}", "rails[0]: null", "an object"},
	{R("\"mtu\":1"), "rails[0].mtu: 1", "68 to 65535"},
	{R("\"mtu\":1500.5," M), "rails[0].mtu: 1500.5", "68 to 65535"},
	{R("\"mtu\":99999999999999999999," M), "rails[0].mtu", "68 to 65535"},
	{R("\"match\":{\"mac\":\"01:00:00:00:00:01\"}"), "rails[0].match.mac", "unicast"},
	{R("\"match\":{\"netdev\":\"a/b\"}"), "rails[0].match.netdev", "without"},
	{R("\"match\":{\"pci\":\"../../etc\"}"), "rails[0].match.pci", "0000:86:00.0"},
	{R("\"manage\":1," M), "rails[0].manage: 1", "true or false"},
	{R("\"vlans\":[4095]," M), "rails[0].vlans[0]: 4095", "1 to 4094"},
	{R("\"vlans\":[1,2,3,4,5,6,7,8,9]," M), "rails[0].vlans: 9 elements", "at most 8"},
	{R("\"sriov\":{\"numVfs\":-1}," M), "rails[0].sriov.numVfs: -1", "0 to 4096"},
	{R("\"addresses\":[\"10.0.0.1\"]," M), "rails[0].addresses[0]", "172.16.0.10/24"},
	{R("\"addresses\":[\"10.0.0.1/24\",\"10.0.0.1/16\"]," M), "rails[0].addresses[1]",
	 "remove"},
	{R("\"gateways\":[\"10.0.0.1\",\"10.0.0.2\"]," M), "rails[0].gateways", "at most one IPv4"},
	{R("\"addresses\":[\"10.0.0.2/24\"],\"gateways\":[\"10.0.1.1\"]," M),
	 "rails[0].gateways[0]: 10.0.1.1", "within one of"},
	{R("\"addresses\":[\"10.0.0.2/24\"],\"gateways\":[\"10.0.0.2\"]," M),
	 "rails[0].gateways[0]", "own address"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[{\"name\":\"a\"," M "},{\"name\":\"a\","
	 "\"match\":{\"netdev\":\"eth1\"}}]}",
	 "rails[1].name", "rails[0]"},
	{"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[{\"name\":\"a\"," M "},{\"name\":\"b\"," M
	 "}]}",
	 "rails[1].match", "same device"},
};

static void each_bad_file_is_refused_with_place_and_remedy(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct rg_conf *conf = NULL;
		struct rg_err err = {0};
		int r = rg_conf_parse(bad[i].text, strlen(bad[i].text), &conf, &err);

		if (r != -EINVAL || conf || !strstr(err.msg, bad[i].place) ||
		    !strstr(err.msg, bad[i].remedy))
			fail_msg("row %zu: %s\n got %d: %s", i, bad[i].text, r, err.msg);
	}
}

static void deep_nesting_is_refused(void **state)
{
	struct rg_conf *conf = NULL;
	struct rg_err err = {0};
	char text[4096];

	(void)state;
	memset(text, '[', sizeof(text));
	assert_int_equal(rg_conf_parse(text, sizeof(text), &conf, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "nesting"));
	assert_null(conf);
}

static void too_many_exceptions_are_refused(void **state)
{
	struct rg_conf *conf = NULL;
	struct rg_err err = {0};
	char text[1024] = "";
	size_t len;
	int i;

	(void)state;
	(void)snprintf(
		text, sizeof(text),
		"{\"rdmaCidrs\":[\"10.0.0.0/8\"],\"rails\":[],\"policy\":{\"allow\":[\"ptp\"");
	for (i = 0; i < RG_MAX_ALLOWS; i++) {
		len = strlen(text);
		(void)snprintf(text + len, sizeof(text) - len, ",\"bgp\"");
	}
	len = strlen(text);
	(void)snprintf(text + len, sizeof(text) - len, "]}}");
	assert_int_equal(rg_conf_parse(text, strlen(text), &conf, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "at most 16"));
}

static void missing_file_is_named(void **state)
{
	struct rg_conf *conf = NULL;
	struct rg_err err = {0};

	(void)state;
	assert_int_equal(rg_conf_load("/nonexistent/railgate.json", &conf, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "/nonexistent/railgate.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_file_is_read),
		cmocka_unit_test(each_bad_file_is_refused_with_place_and_remedy),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(too_many_exceptions_are_refused),
		cmocka_unit_test(missing_file_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
