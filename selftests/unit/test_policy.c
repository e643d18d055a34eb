// SPDX-License-Identifier: Apache-2.0
/*
 * From the configuration and what is there to the policy in the maps; and the numbers of rails,
 * which must not change under hooks, identities and counters.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "daemon/policy.h"

static struct rg_conf *conf_of(const char *text)
{
	struct rg_conf *conf = NULL;
	struct rg_err err;

	if (rg_conf_parse(text, strlen(text), &conf, &err) < 0)
		fail_msg("%s", err.msg);
	return conf;
}

#define RAIL(name)   "{\"name\": \"" name "\", \"match\": {\"netdev\": \"" name "\"}}"

#define RAILS(rails) "{\"rdmaCidrs\": [\"172.16.0.0/16\"], \"rails\": [" rails "]}"

static bool busy_never(uint32_t number, void *arg)
{
	(void)number;
	(void)arg;
	return false;
}

static bool busy_mask(uint32_t number, void *arg)
{
	return *(const uint32_t *)arg >> number & 1;
}

static struct rg_policy in_force(const char *const *names)
{
	struct rg_policy p = {.generation = 1};

	for (size_t i = 0; names[i]; i++) {
		(void)rg_str_copy(p.rails[i].name, sizeof(p.rails[i].name), names[i]);
		p.rails[i].mode = *names[i] ? RG_MODE_ENFORCE : RG_MODE_NONE;
	}
	return p;
}

static void test_numbers_begin_in_order(void **state)
{
	struct rg_conf *conf = conf_of(RAILS(RAIL("b") "," RAIL("a")));
	int n[RG_MAX_RAILS];

	(void)state;
	assert_int_equal(rg_numbers_assign(conf, NULL, busy_never, NULL, n, NULL), 0);
	assert_int_equal(n[0], 0);
	assert_int_equal(n[1], 1);
	free(conf);
}

static void test_numbers_stay_with_names(void **state)
{
	const char *const names[] = {"a", "b", "gone", NULL};
	struct rg_policy p = in_force(names);
	struct rg_conf *conf = conf_of(RAILS(RAIL("new") "," RAIL("b") "," RAIL("a")));
	int n[RG_MAX_RAILS];

	(void)state;
	assert_int_equal(rg_numbers_assign(conf, &p, busy_never, NULL, n, NULL), 0);
	assert_int_equal(n[2], 0);
	assert_int_equal(n[1], 1);
	/* the number of a rail that is gone is given away last */
	assert_int_equal(n[0], 3);
	free(conf);
}

static void test_numbers_of_pods_are_not_given_away(void **state)
{
	const char *const names[] = {"a", "", NULL};
	struct rg_policy p = in_force(names);
	struct rg_conf *conf = conf_of(RAILS(RAIL("b")));
	uint32_t busy = ~(1u << 0);
	struct rg_err err;
	int n[RG_MAX_RAILS];

	(void)state;
	/* only rail a's old number is free of pods */
	assert_int_equal(rg_numbers_assign(conf, &p, busy_mask, &busy, n, &err), 0);
	assert_int_equal(n[0], 0);
	busy = ~0u;
	assert_int_equal(rg_numbers_assign(conf, &p, busy_mask, &busy, n, &err), -EBUSY);
	assert_non_null(strstr(err.msg, "'b'"));
	free(conf);
}

static const char *const full = "{\"rdmaCidrs\": [\"172.16.0.0/16\"],"
				" \"policy\": {\"mode\": \"audit\", \"profile\": \"strict\"},"
				" \"rails\": [{\"name\": \"r\", \"match\": {\"netdev\": \"r\"},"
				"   \"addresses\": [\"172.16.0.1/24\"]}]}";

/* A rail, a VLAN on it, a macvlan on it and a stranger. */
static struct rg_seen seen_of(struct rg_link links[4], struct rg_ifaddr addrs[5])
{
	static const char *const kinds[] = {"", "vlan", "macvlan", ""};
	static const char *const texts[] = {"172.16.0.9/24", "172.18.0.9/24", "172.19.0.9/24",
					    "10.0.0.9/8", "fe80::1/64"};
	static const int on[] = {2, 3, 4, 5, 2};
	struct rg_seen seen = {.links = links, .n_links = 4, .addrs = addrs, .n_addrs = 5};

	memset(links, 0, 4 * sizeof(links[0]));
	memset(addrs, 0, 5 * sizeof(addrs[0]));
	for (int i = 0; i < 4; i++) {
		links[i].ifindex = i + 2;
		links[i].parent = i == 1 || i == 2 ? 2 : 0;
		links[i].parent_nsid = -1;
		links[i].has_mac = true;
		links[i].mac[5] = (uint8_t)i;
		(void)rg_str_copy(links[i].kind, sizeof(links[i].kind), kinds[i]);
	}
	for (int i = 0; i < 5; i++) {
		addrs[i].ifindex = on[i];
		assert_int_equal(rg_cidr_parse(texts[i], &addrs[i].cidr), 0);
	}
	seen.devs[0].present = true;
	seen.devs[0].link = links[0];
	return seen;
}

static bool has_cidr(const struct rg_policy *p, const char *text, uint32_t scope)
{
	struct rg_cidr_net net;

	assert_int_equal(rg_cidr_parse(text, &net), 0);
	for (size_t i = 0; i < p->n_cidrs; i++)
		if (p->cidrs[i].scope == scope && p->cidrs[i].net.prefix == net.prefix &&
		    rg_addr_equal(&p->cidrs[i].net.addr, &net.addr))
			return true;
	return false;
}

static void test_policy_of_a_rail(void **state)
{
	struct rg_conf *conf = conf_of(full);
	struct rg_link links[4];
	struct rg_ifaddr addrs[5];
	struct rg_seen seen = seen_of(links, addrs);
	const int numbers[RG_MAX_RAILS] = {3};
	struct rg_policy *p = calloc(1, sizeof(*p));

	(void)state;
	assert_non_null(p);
	assert_int_equal(rg_policy_make(conf, numbers, &seen, p, NULL), 0);
	assert_int_equal(p->rails[0].mode, RG_MODE_NONE);
	assert_string_equal(p->rails[3].name, "r");
	assert_int_equal(p->rails[3].mode, RG_MODE_AUDIT);
	assert_int_equal(p->rails[3].profile, RG_PROFILE_STRICT);
	assert_int_equal(p->rails[3].ifindex, 2);
	assert_int_not_equal(p->rails[3].l2_pps, 0);
	assert_true(p->rails[3].flags & RG_RAIL_HAS_IPV6);
	assert_true(has_cidr(p, "172.16.0.0/16", RG_SCOPE_RDMA));
	assert_true(has_cidr(p, "172.16.0.0/24", RG_SCOPE_SUBNET(3)));
	assert_true(has_cidr(p, "172.18.0.0/24", RG_SCOPE_SUBNET(3)));
	assert_false(has_cidr(p, "172.19.0.0/24", RG_SCOPE_SUBNET(3)));
	assert_false(has_cidr(p, "10.0.0.0/8", RG_SCOPE_SUBNET(3)));
	assert_false(has_cidr(p, "fe80::/64", RG_SCOPE_SUBNET(3)));
	free(p);
	free(conf);
}

static void test_policies_are_compared_without_generation(void **state)
{
	struct rg_conf *conf = conf_of(full);
	struct rg_link links[4];
	struct rg_ifaddr addrs[5];
	struct rg_seen seen = seen_of(links, addrs);
	const int numbers[RG_MAX_RAILS] = {0};
	struct rg_policy *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(rg_policy_make(conf, numbers, &seen, a, NULL), 0);
	assert_int_equal(rg_policy_make(conf, numbers, &seen, b, NULL), 0);
	b->rails[0].generation = 9;
	assert_true(rg_policy_same(a, b));
	b->rails[0].profile = RG_PROFILE_STANDARD;
	assert_false(rg_policy_same(a, b));
	assert_int_equal(rg_policy_make(conf, numbers, &seen, b, NULL), 0);
	b->cidrs[0].index = 4;
	assert_false(rg_policy_same(a, b));
	free(a);
	free(b);
	free(conf);
}

static void test_host_identities(void **state)
{
	struct rg_conf *conf = conf_of(full);
	struct rg_host hosts[RG_MAX_RAILS];
	struct rg_link links[4];
	struct rg_ifaddr addrs[5];
	struct rg_seen seen = seen_of(links, addrs);
	const int numbers[RG_MAX_RAILS] = {2};

	(void)state;
	rg_hosts_make(conf, numbers, &seen, hosts);
	assert_true(hosts[2].present);
	assert_false(hosts[0].present);
	/* its own, the VLAN's and the link-local one, but neither the macvlan's nor a stranger's */
	assert_int_equal(hosts[2].n_addrs, 3);
	seen.devs[0].present = false;
	rg_hosts_make(conf, numbers, &seen, hosts);
	assert_false(hosts[2].present);
	assert_int_equal(hosts[2].n_addrs, 0);
	free(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_begin_in_order),
		cmocka_unit_test(test_numbers_stay_with_names),
		cmocka_unit_test(test_numbers_of_pods_are_not_given_away),
		cmocka_unit_test(test_policy_of_a_rail),
		cmocka_unit_test(test_policies_are_compared_without_generation),
		cmocka_unit_test(test_host_identities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
