// SPDX-License-Identifier: Apache-2.0
/*
 * Which netdev is which rail, on trees of nodes as they are: a ConnectX with VFs and
 * representors, a bond, soft-RoCE, and what is not there or fits twice.
 */
#define _GNU_SOURCE /* nftw() */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "topo/rails.h"
#include "topo/sysfs.h"

/* RDMA device -> device behind it (may be NULL), netdev of its GIDs (may be NULL) */
static const struct {
	const char *rdma, *device, *ndev;
} rdma_devices[] = {
	{"mlx5_0", "0000:86:00.0", "ens1f0np0"},
	{"mlx5_1", "0000:86:00.1", NULL},
	{"mlx5_bond_0", "0000:af:00.0", "bond0"},
	{"rxe0", NULL, "veth0"},
};

static const struct rg_link links[] = {
	{.ifindex = 1, .name = "lo"},
	{.ifindex = 2,
	 .name = "ens1f0np0",
	 .has_mac = true,
	 .mac = {2, 0, 0, 0, 0, 1},
	 .has_perm_mac = true,
	 .perm_mac = {2, 0, 0, 0, 0, 1},
	 .dev = "0000:86:00.0",
	 .phys_port = "p0",
	 .altnames = {"enp134s0f0np0"},
	 .n_altnames = 1},
	{.ifindex = 3, .name = "ens1f1np1", .dev = "0000:86:00.1", .phys_port = "p1"},
	{.ifindex = 4, .name = "eth7", .dev = "0000:86:00.0", .phys_port = "pf0vf3"},
	{.ifindex = 5,
	 .name = "macv",
	 .kind = "macvlan",
	 .parent = 2,
	 .has_mac = true,
	 .mac = {2, 0, 0, 0, 0, 1}},
	{.ifindex = 6,
	 .name = "slave0",
	 .master = 8,
	 .has_mac = true,
	 .mac = {2, 0, 0, 0, 0, 9},
	 .has_perm_mac = true,
	 .perm_mac = {2, 0, 0, 0, 0, 6},
	 .dev = "0000:af:00.0",
	 .phys_port = "p0"},
	{.ifindex = 7,
	 .name = "slave1",
	 .master = 8,
	 .has_mac = true,
	 .mac = {2, 0, 0, 0, 0, 9},
	 .dev = "0000:af:00.1",
	 .phys_port = "p1"},
	{.ifindex = 8, .name = "bond0", .kind = "bond", .has_mac = true, .mac = {2, 0, 0, 0, 0, 9}},
	{.ifindex = 9, .name = "veth0", .kind = "veth", .has_mac = true, .mac = {2, 0, 0, 0, 0, 7}},
	{.ifindex = 10, .name = "twin0", .has_mac = true, .mac = {2, 0, 0, 0, 0, 8}},
	{.ifindex = 11, .name = "twin1", .has_mac = true, .mac = {2, 0, 0, 0, 0, 8}},
	{.ifindex = 12, .name = "old0"},
};

static void put(const char *root, const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	assert_int_equal(rg_str_format(path, sizeof(path), "%s/%s", root, dir), 0);
	assert_int_equal(rg_fs_mkdir_p(path, 0755), 0);
	if (!file)
		return;
	assert_int_equal(rg_str_format(path, sizeof(path), "%s/%s/%s", root, dir, file), 0);
	f = fopen(path, "we");
	assert_non_null(f);
	(void)fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void point(const char *root, const char *dir, const char *target)
{
	char path[PATH_MAX];

	put(root, dir, NULL, NULL);
	assert_int_equal(rg_str_format(path, sizeof(path), "%s/%s/device", root, dir), 0);
	assert_int_equal(symlink(target, path), 0);
}

static int make_tree(void **state)
{
	char root[] = "/tmp/test_rails.XXXXXX", dir[PATH_MAX], target[PATH_MAX];
	size_t i;

	if (!mkdtemp(root))
		return -1;
	for (i = 0; i < ARRAY_SIZE(rdma_devices); i++) {
		(void)snprintf(dir, sizeof(dir), "class/infiniband/%s", rdma_devices[i].rdma);
		(void)snprintf(target, sizeof(target), "../../../%s", rdma_devices[i].device);
		if (rdma_devices[i].device)
			point(root, dir, target);
		(void)snprintf(dir, sizeof(dir), "class/infiniband/%s/ports/1/gid_attrs/ndevs",
			       rdma_devices[i].rdma);
		put(root, dir, "0", rdma_devices[i].ndev ? rdma_devices[i].ndev : "");
	}
	point(root, "class/net/old0", "../../../0000:11:00.0");
	*state = strdup(root);
	return *state ? 0 : -1;
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
	_cleanup_free_ char *root = *state;

	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* What is configured, and the netdev (or the words of the reason) and RDMA device expected. */
static const struct {
	struct rg_conf_match match;
	const char *netdev, *rdma;
} rows[] = {
	{{.pci = "0000:86:00.0"}, "ens1f0np0", "mlx5_0"}, /* not its representor eth7 */
	{{.netdev = "ens1f0np0"}, "ens1f0np0", "mlx5_0"},
	{{.netdev = "enp134s0f0np0"}, "ens1f0np0", "mlx5_0"},
	{{.has_mac = true, .mac = {2, 0, 0, 0, 0, 1}}, "ens1f0np0", "mlx5_0"}, /* not macv */
	{{.rdma = "mlx5_0"}, "ens1f0np0", "mlx5_0"},
	{{.rdma = "mlx5_1"}, "ens1f1np1", "mlx5_1"}, /* no GIDs yet */
	{{.has_mac = true, .mac = {2, 0, 0, 0, 0, 9}}, "bond0", "mlx5_bond_0"},
	{{.has_mac = true, .mac = {2, 0, 0, 0, 0, 6}}, "slave0", ""}, /* permanent address */
	{{.rdma = "mlx5_bond_0"}, "bond0", "mlx5_bond_0"},
	{{.rdma = "rxe0"}, "veth0", "rxe0"},
	{{.pci = "0000:11:00.0"}, "old0", ""}, /* parent only in sysfs */
	{{.pci = "0000:86:00.0", .netdev = "ens1f1np1"}, NULL, "ens1f1np1 device 0000:86:00.0"},
	{{.pci = "0000:ff:00.0"}, NULL, "no netdev has device 0000:ff:00.0"},
	{{.netdev = "gone0"}, NULL, "no netdev has name gone0"},
	{{.rdma = "mlx5_9"}, NULL, "RDMA device mlx5_9"},
	{{.has_mac = true, .mac = {2, 0, 0, 0, 0, 8}}, NULL, "both twin0 and twin1"},
};

static void each_rail_finds_its_netdev(void **state)
{
	_cleanup_free_ struct rg_conf *conf = calloc(1, sizeof(*conf));
	struct rg_rail_dev dev;
	size_t i;

	assert_non_null(conf);
	conf->n_rails = 1;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		conf->rails[0].match = rows[i].match;
		rg_rails_resolve(conf, links, ARRAY_SIZE(links), *state, &dev);
		if (dev.present != (rows[i].netdev != NULL))
			fail_msg("row %zu: present is %d (%s %s)", i, dev.present, dev.link.name,
				 dev.why);
		if (!dev.present && !strstr(dev.why, rows[i].rdma))
			fail_msg("row %zu: reason is \"%s\"", i, dev.why);
		if (dev.present && !rg_str_equal(dev.link.name, rows[i].netdev))
			fail_msg("row %zu: found %s", i, dev.link.name);
		if (dev.present && !rg_str_equal(dev.rdma, rows[i].rdma))
			fail_msg("row %zu: RDMA device is \"%s\"", i, dev.rdma);
	}
}

static void machine_without_rdma_has_rails_all_the_same(void **state)
{
	_cleanup_free_ struct rg_conf *conf = calloc(1, sizeof(*conf));
	struct rg_rail_dev dev;

	(void)state;
	assert_non_null(conf);
	conf->n_rails = 1;
	(void)rg_str_copy(conf->rails[0].match.netdev, IF_NAMESIZE, "veth0");
	rg_rails_resolve(conf, links, ARRAY_SIZE(links), "/nonexistent", &dev);
	assert_true(dev.present);
	assert_string_equal(dev.rdma, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_rail_finds_its_netdev, make_tree, remove_tree),
		cmocka_unit_test(machine_without_rdma_has_rails_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
