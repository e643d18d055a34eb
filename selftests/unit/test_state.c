// SPDX-License-Identifier: Apache-2.0
/*
 * Records and their store: what is written is read, damage is told from absence, and nothing is
 * left of a container whose records are gone.
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
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "state/store.h"

static char dir[] = "/tmp/rg-test-state-XXXXXX";

static struct rg_record *sample(void)
{
	struct rg_record *rec = rg_record_new();

	assert_non_null(rec);
	(void)snprintf(rec->container_id, sizeof(rec->container_id), "c1");
	(void)snprintf(rec->ifname, sizeof(rec->ifname), "net1");
	(void)snprintf(rec->rail, sizeof(rec->rail), "rail0");
	rec->phase = RG_PHASE_READY;
	rec->netns = strdup("/run/netns/a \"b\"");
	rec->netns_ino = UINT64_MAX;
	rec->slot = UINT32_MAX;
	rec->has_slot = true;
	rec->mac[5] = 9;
	rec->n_addrs = 2;
	assert_int_equal(rg_cidr_parse("172.16.0.20/24", &rec->addrs[0]), 0);
	assert_int_equal(rg_cidr_parse("fd00::20/64", &rec->addrs[1]), 0);
	return rec;
}

static void records_round_trip(void **state)
{
	_cleanup_record_ struct rg_record *rec = sample(), *again = NULL;
	_cleanup_free_ char *text = NULL;
	size_t len;

	(void)state;
	assert_int_equal(rg_record_format(rec, &text, &len), 0);
	assert_int_equal(rg_record_parse(text, len, &again, NULL), 0);
	assert_string_equal(again->container_id, "c1");
	assert_string_equal(again->netns, rec->netns);
	assert_true(again->netns_ino == UINT64_MAX);
	assert_true(again->slot == UINT32_MAX && again->has_slot);
	assert_int_equal(again->gid_index, -1);
	assert_int_equal(again->n_addrs, 2);
	assert_true(rg_addr_equal(&again->addrs[1].addr, &rec->addrs[1].addr));
	assert_null(again->config);
}

static void damaged_records_are_refused(void **state)
{
	_cleanup_record_ struct rg_record *rec = sample(), *again = NULL;
	_cleanup_free_ char *text = NULL;
	struct rg_err err;
	size_t len;

	(void)state;
	assert_int_equal(rg_record_format(rec, &text, &len), 0);
	for (size_t cut = 0; cut < len - 1; cut++)
		assert_int_equal(rg_record_parse(text, cut, &again, NULL), -EBADMSG);
	assert_int_equal(rg_record_parse("{\"schema\":1,\"slot\":-1}", 22, &again, &err), -EBADMSG);
	assert_non_null(strstr(err.msg, "\"slot\""));
	assert_int_equal(rg_record_parse("{\"schema\":2}", 12, &again, &err), -EPROTO);
	assert_int_equal(rg_record_parse("{\"schema\":1,\"new\":[]}", 21, &again, &err), 0);
}

static void ids_and_names(void **state)
{
	(void)state;
	assert_true(rg_store_valid_id("a.b-c_9"));
	assert_false(rg_store_valid_id(""));
	assert_false(rg_store_valid_id(".hidden"));
	assert_false(rg_store_valid_id("../x"));
	assert_false(rg_store_valid_id("a b"));
	assert_true(rg_store_valid_ifname("net1"));
	assert_false(rg_store_valid_ifname(".."));
	assert_false(rg_store_valid_ifname("a:b"));
	assert_false(rg_store_valid_ifname("sixteen-chars-xx"));
}

static void a_record_comes_and_goes(void **state)
{
	_cleanup_record_ struct rg_record *rec = sample(), *again = NULL;
	_cleanup_store_ struct rg_store *store = NULL;
	_cleanup_free_ struct rg_store_key *keys = NULL;
	struct rg_store_lock *lock, *second;
	size_t n = 0;

	(void)state;
	assert_int_equal(rg_store_open(dir, false, &store, NULL), -ENOENT);
	assert_int_equal(rg_store_open(dir, true, &store, NULL), 0);
	assert_int_equal(rg_store_lock(store, "c1", 0, &lock, NULL), 0);
	assert_int_equal(rg_store_lock(store, "c1", 10, &second, NULL), -ETIMEDOUT);
	assert_int_equal(rg_store_load(lock, "net1", &again, NULL), -ENOENT);
	assert_int_equal(rg_store_save(lock, rec, true, NULL), 0);
	assert_int_equal(rg_store_load(lock, "net1", &again, NULL), 0);
	assert_int_equal(rg_store_list(store, NULL, &keys, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(keys[0].ifname, "net1");
	rg_store_unlock(lock);
}

static void nothing_stays_of_a_container(void **state)
{
	_cleanup_store_ struct rg_store *store = NULL;
	struct rg_store_lock *lock;
	char path[256];
	int fd;

	(void)state;
	assert_int_equal(rg_store_open(dir, true, &store, NULL), 0);
	assert_int_equal(rg_store_lock(store, "c1", 0, &lock, NULL), 0);
	/* what a killed writer leaves does not keep the directory */
	(void)snprintf(path, sizeof(path), "%s/attachments/c1/.net1.json.1.tmp", dir);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(rg_store_remove(lock, "net1", NULL), 0);
	assert_int_equal(rg_store_remove(lock, "net1", NULL), 0);
	rg_store_unlock(lock);
	(void)snprintf(path, sizeof(path), "%s/attachments/c1", dir);
	assert_int_equal(access(path, F_OK), -1);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char path[256];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/attachments", dir);
	/* only empty directories may be left */
	return rmdir(path) == 0 && rmdir(dir) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_round_trip),
		cmocka_unit_test(damaged_records_are_refused),
		cmocka_unit_test(ids_and_names),
		cmocka_unit_test(a_record_comes_and_goes),
		cmocka_unit_test(nothing_stays_of_a_container),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
