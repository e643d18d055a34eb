// SPDX-License-Identifier: Apache-2.0
/*
 * GID tables on trees of devices that are not here: shared, sparse, with both RoCE versions.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "rdma/gid.h"

static char root[] = "/tmp/rg-test-gid-XXXXXX";

static void put(const char *kind, unsigned int port, unsigned int index, const char *text)
{
	char dir[256], name[16], path[512];

	(void)snprintf(dir, sizeof(dir), "%s/class/infiniband/mlx5_0/ports/%u/%s", root, port,
		       kind);
	assert_int_equal(rg_fs_mkdir_p(dir, 0700), 0);
	(void)snprintf(name, sizeof(name), "%u", index);
	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(rg_fs_replace(AT_FDCWD, "gid.tmp", "", 0, 0600), 0);
	assert_int_equal(rename("gid.tmp", path), 0);
	assert_int_equal(rg_fs_write_value(AT_FDCWD, path, text), 0);
}

static int make_tree(void **state)
{
	(void)state;
	if (!mkdtemp(root) || chdir(root) < 0)
		return -1;
	/* the host's own entry, an empty one, and the pod's in both versions */
	put("gids", 1, 0, "fe80:0000:0000:0000:0000:00ff:fe00:0001\n");
	put("gid_attrs/types", 1, 0, "RoCE v2\n");
	put("gids", 1, 1, "0000:0000:0000:0000:0000:0000:0000:0000\n");
	put("gids", 1, 4, "0000:0000:0000:0000:0000:ffff:ac10:0014\n");
	put("gid_attrs/types", 1, 4, "IB/RoCE v1\n");
	put("gids", 1, 5, "0000:0000:0000:0000:0000:ffff:ac10:0014\n");
	put("gid_attrs/types", 1, 5, "RoCE v2\n");
	put("gids", 2, 7, "fd00:0016:0000:0000:0000:0000:0000:0020\n");
	put("gid_attrs/types", 2, 7, "RoCE v2\n");
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return chdir("/") < 0 ? -1 : nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void the_pod_s_own_roce_v2_entry(void **state)
{
	struct rg_gid gid = {0};
	struct rg_addr addr;

	(void)state;
	assert_int_equal(rg_addr_parse("172.16.0.20", &addr), 0);
	assert_int_equal(rg_gid_find(root, "mlx5_0", &addr, &gid), 0);
	assert_int_equal(gid.port, 1);
	assert_int_equal(gid.index, 5);
	assert_int_equal(rg_addr_parse("fd00:16::20", &addr), 0);
	assert_int_equal(rg_gid_find(root, "mlx5_0", &addr, &gid), 0);
	assert_int_equal(gid.port, 2);
	assert_int_equal(gid.index, 7);
}

static void what_is_not_there(void **state)
{
	struct rg_gid gid = {.index = 99};
	struct rg_addr addr;

	(void)state;
	assert_int_equal(rg_addr_parse("172.16.0.21", &addr), 0);
	assert_int_equal(rg_gid_wait(root, "mlx5_0", &addr, 10, &gid), -ENOENT);
	assert_int_equal(rg_gid_find(root, "mlx5_9", &addr, &gid), -ENOENT);
	assert_int_equal(gid.index, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pod_s_own_roce_v2_entry),
		cmocka_unit_test(what_is_not_there),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
