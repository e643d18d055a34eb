// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses, MACs and CIDRs as text and as the maps keep them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/inet.h"

static void mac_round_trip(void **state)
{
	const uint8_t want[RG_MAC_LEN] = {0x02, 0xab, 0, 0x9f, 0xff, 1};
	char text[RG_MAC_STR_LEN];
	uint8_t mac[RG_MAC_LEN];

	(void)state;
	assert_int_equal(rg_mac_parse("02:aB:00-9f:FF:01", mac), 0);
	assert_memory_equal(mac, want, sizeof(want));
	assert_string_equal(rg_mac_format(mac, text), "02:ab:00:9f:ff:01");
}

static void bad_macs_are_refused(void **state)
{
	static const char *const bad[] = {"",
					  "02:00:00:00:00",
					  "02:00:00:00:00:0",
					  "02:00:00:00:00:00:00",
					  "02:00:00:00:00:0g",
					  "020000000000",
					  "2:0:0:0:0:1",
					  " 02:00:00:00:00:01"};
	uint8_t mac[RG_MAC_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (rg_mac_parse(bad[i], mac) != -EINVAL)
			fail_msg("accepted \"%s\"", bad[i]);
}

static void unicast_macs_are_told_from_others(void **state)
{
	const uint8_t zero[RG_MAC_LEN] = {0}, group[RG_MAC_LEN] = {1, 0, 0x5e, 0, 0, 1};
	const uint8_t local[RG_MAC_LEN] = {2, 0, 0, 0, 0, 1};

	(void)state;
	assert_false(rg_mac_is_unicast(zero));
	assert_false(rg_mac_is_unicast(group));
	assert_true(rg_mac_is_unicast(local));
}

static void addresses_of_both_families_round_trip(void **state)
{
	static const char *const texts[] = {"172.16.0.10", "255.255.255.255", "fd00:16::1",
					    "fe80::1", "::"};
	char text[RG_ADDR_STR_LEN];
	struct rg_addr a;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(rg_addr_parse(texts[i], &a), 0);
		assert_string_equal(rg_addr_format(&a, text), texts[i]);
	}
	assert_int_equal(rg_addr_parse("10.0.0", &a), -EINVAL);
	assert_int_equal(rg_addr_parse("10.0.0.256", &a), -EINVAL);
	assert_int_equal(rg_addr_parse("fd00::g", &a), -EINVAL);
	assert_int_equal(rg_addr_parse("10.0.0.1/8", &a), -EINVAL);
}

static void classes_of_addresses(void **state)
{
	static const struct {
		const char *text;
		bool link_local, multicast, zero;
	} rows[] = {
		{"169.254.1.1", true, false, false}, {"169.253.1.1", false, false, false},
		{"fe80::1", true, false, false},     {"febf::1", true, false, false},
		{"fec0::1", false, false, false},    {"224.0.0.1", false, true, false},
		{"239.1.1.1", false, true, false},   {"240.0.0.1", false, false, false},
		{"ff02::1", false, true, false},     {"0.0.0.0", false, false, true},
		{"::", false, false, true},	     {"::1", false, false, false},
	};
	struct rg_addr a;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(rg_addr_parse(rows[i].text, &a), 0);
		if (rg_addr_is_link_local(&a) != rows[i].link_local ||
		    rg_addr_is_multicast(&a) != rows[i].multicast ||
		    rg_addr_is_zero(&a) != rows[i].zero)
			fail_msg("wrong class for %s", rows[i].text);
	}
}

static void networks_and_host_bits(void **state)
{
	static const struct {
		const char *cidr, *network;
		unsigned int prefix128;
		bool host_bits;
	} rows[] = {
		{"172.16.5.9/20", "172.16.0.0/20", 116, true},
		{"10.0.0.0/8", "10.0.0.0/8", 104, false},
		{"10.1.2.3/32", "10.1.2.3/32", 128, false},
		{"10.1.2.3/0", "0.0.0.0/0", 96, true},
		{"fd00:16::1/48", "fd00:16::/48", 48, true},
		{"fd00::/7", "fc00::/7", 7, true},
		{"::1/128", "::1/128", 128, false},
	};
	char text[RG_CIDR_STR_LEN];
	struct rg_cidr_net c, n;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(rg_cidr_parse(rows[i].cidr, &c), 0);
		n = rg_cidr_network(&c);
		assert_string_equal(rg_cidr_format(&n, text), rows[i].network);
		assert_int_equal(rg_cidr_prefix128(&c), rows[i].prefix128);
		assert_int_equal(rg_cidr_has_host_bits(&c), rows[i].host_bits);
	}
}

static void bad_cidrs_are_refused(void **state)
{
	static const char *const bad[] = {"10.0.0.0",	 "10.0.0.0/",	"10.0.0.0/33",
					  "fd00::/129",	 "/8",		"10.0.0.0/+8",
					  "10.0.0.0/ 8", "10.0.0.0/8x", "10.0.0.0/-1"};
	struct rg_cidr_net c;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (rg_cidr_parse(bad[i], &c) != -EINVAL)
			fail_msg("accepted \"%s\"", bad[i]);
}

static void containment_keeps_families_apart(void **state)
{
	struct rg_cidr_net v4, v6;
	struct rg_addr in4, out4, in6;

	(void)state;
	assert_int_equal(rg_cidr_parse("172.16.9.9/16", &v4), 0);
	assert_int_equal(rg_cidr_parse("::/1", &v6), 0);
	assert_int_equal(rg_addr_parse("172.16.255.1", &in4), 0);
	assert_int_equal(rg_addr_parse("172.17.0.1", &out4), 0);
	assert_int_equal(rg_addr_parse("1::", &in6), 0);
	assert_true(rg_cidr_contains(&v4, &in4));
	assert_false(rg_cidr_contains(&v4, &out4));
	assert_true(rg_cidr_contains(&v6, &in6));
	/* ::ffff:172.16.255.1 lies in ::/1 as bits, but it is an IPv4 address */
	assert_false(rg_cidr_contains(&v6, &in4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mac_round_trip),
		cmocka_unit_test(bad_macs_are_refused),
		cmocka_unit_test(unicast_macs_are_told_from_others),
		cmocka_unit_test(addresses_of_both_families_round_trip),
		cmocka_unit_test(classes_of_addresses),
		cmocka_unit_test(networks_and_host_bits),
		cmocka_unit_test(bad_cidrs_are_refused),
		cmocka_unit_test(containment_keeps_families_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
