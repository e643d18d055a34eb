// SPDX-License-Identifier: Apache-2.0
/*
 * railctl doctor on trees of other nodes: a good one, one on which everything is wrong, and one
 * with hardly anything on it. The trees are described in data/trees; a line there is "path value",
 * "path -> target" or "path/" for an empty folder, and "\n" in a value is a line break.
 */
#define _GNU_SOURCE /* nftw(), open_memstream() */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <ftw.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "conf/conf.h"

#include "../../user/ctl/ctl.h"
#include "../../user/ctl/doctor.h"
#include "../../user/ctl/out.h"

#define CONFIG_BYTES 4096

static void write_value(FILE *f, const char *value)
{
	for (; *value; value++) {
		if (value[0] == '\\' && value[1] == 'n') {
			(void)fputc('\n', f);
			value++;
		} else {
			(void)fputc(*value, f);
		}
	}
	(void)fputc('\n', f);
}

static void make_parent(char *path)
{
	char *slash = strrchr(path, '/');

	*slash = '\0';
	assert_int_equal(rg_fs_mkdir_p(path, 0755), 0);
	*slash = '/';
}

static void make_entry(const char *root, char *line)
{
	char path[PATH_MAX], *value = strchr(line, ' ');
	FILE *f;

	if (value)
		*value++ = '\0';
	assert_int_equal(rg_str_format(path, sizeof(path), "%s%s", root, line), 0);
	make_parent(path);
	if (!value)
		return;
	if (rg_str_prefix(value, "-> ")) {
		assert_int_equal(symlink(value + 3, path), 0);
		return;
	}
	f = fopen(path, "we");
	assert_non_null(f);
	write_value(f, value);
	assert_int_equal(fclose(f), 0);
}

static void make_tree(const char *name, char root[PATH_MAX])
{
	_cleanup_fclose_ FILE *f = NULL;
	char path[PATH_MAX], line[4096];

	(void)rg_str_copy(root, PATH_MAX, "/tmp/test_doctor.XXXXXX");
	assert_non_null(mkdtemp(root));
	(void)rg_str_format(path, sizeof(path), "%s/trees/%s.tree", RG_TEST_DATA, name);
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '/')
			make_entry(root, line);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_tree(const char *root)
{
	assert_int_equal(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* Run railctl doctor --json and return its document. */
static struct json_object *examine(const char *root, int *ret_code)
{
	const char *values[RG_CTL_MAX_OPTS] = {NULL, root};
	_cleanup_free_ char *text = NULL;
	struct json_object *doc;
	struct rg_ctl ctl = {
		.conf_path = RG_CONF_PATH_DEFAULT,
		.pin_dir = "/sys/fs/bpf/railgate",
		.run_dir = RG_RUN_DIR_DEFAULT,
		.json = true,
	};
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ctl.out = rg_out_open(f, true);
	*ret_code = rg_cmd_doctor.run(&ctl, values, 0, NULL);
	if (*ret_code < 0)
		fail_msg("%s", ctl.err.msg);
	assert_int_equal(rg_out_close(ctl.out), 0);
	(void)fclose(f);
	doc = json_tokener_parse(text);
	assert_non_null(doc);
	return doc;
}

static const char *field(struct json_object *o, const char *key)
{
	const char *s = json_object_get_string(json_object_object_get(o, key));

	return s ? s : "";
}

static struct json_object *find(struct json_object *doc, const char *check, const char *subject)
{
	struct json_object *findings = json_object_object_get(doc, "findings");
	size_t i;

	for (i = 0; i < json_object_array_length(findings); i++) {
		struct json_object *f = json_object_array_get_idx(findings, i);

		if (strcmp(field(f, "check"), check) == 0 &&
		    strcmp(field(f, "subject"), subject) == 0)
			return f;
	}
	return NULL;
}

struct expected {
	const char *check;
	const char *subject;
	const char *level;
	const char *found;
};

static void compare(struct json_object *doc, const struct expected *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct json_object *f = find(doc, rows[i].check, rows[i].subject);

		if (!f)
			fail_msg("no finding of %s for \"%s\"", rows[i].check, rows[i].subject);
		if (strcmp(field(f, "level"), rows[i].level) != 0 ||
		    !strstr(field(f, "found"), rows[i].found))
			fail_msg("%s %s: %s \"%s\", expected %s \"%s\"", rows[i].check,
				 rows[i].subject, field(f, "level"), field(f, "found"),
				 rows[i].level, rows[i].found);
		assert_true(strlen(field(f, "why")) > 0);
		if (strcmp(rows[i].level, "problem") == 0 || strcmp(rows[i].level, "warning") == 0)
			assert_true(strlen(field(f, "remedy")) > 0);
	}
}

static void good_node(void **state)
{
	static const struct expected rows[] = {
		{"kernel.bpffs", "", "ok", "/sys/fs/bpf"},
		{"kernel.btf", "", "ok", ""},
		{"kernel.tcx", "", "ok", "6.8.0-60-generic"},
		{"kernel.jit", "", "ok", ""},
		{"guard.config", "", "ok", "2 rails"},
		{"guard.pins", "", "skipped", "--root"},
		{"rail.netdev", "rail0", "ok", "ens1f0np0"},
		{"rail.netdev", "rail1", "ok", "ens2f0"},
		{"rail.up", "rail0", "ok", ""},
		{"rail.mtu", "rail0", "ok", "4200 as declared"},
		{"rail.mtu", "rail1", "ok", "9000, none declared"},
		{"rail.arp", "rail0", "ok", ""},
		{"rail.rp_filter", "rail0", "ok", "rp_filter 2"},
		{"rdma.namespaces", "", "ok", "exclusive"},
		{"rdma.device", "rail0", "ok", "mlx5_0"},
		{"rdma.device", "rail1", "ok", "rocep161s0"},
		{"rdma.guid", "rail0", "ok", "b83f:d203:0000:0010"},
		{"rdma.port", "rail1", "ok", "active, Ethernet"},
		{"rdma.gid", "rail0", "ok", "2 RoCEv2 GIDs and 1 others"},
		{"rdma.mtu", "rail0", "ok", "4096"},
		{"rdma.verbs", "rail0", "ok", "uverbs0"},
		{"pci.link", "rail0", "ok", "32.0 GT/s PCIe x16"},
		{"pci.numa", "rail0", "ok", "NUMA node 1"},
		{"pci.iommu", "rail0", "ok", "identity"},
		{"pci.iommu", "rail1", "ok", "no IOMMU"},
		{"routes.rules", "", "skipped", "--root"},
		{"node.memlock", "containerd", "ok", "without limit"},
		{"node.hugepages", "", "info", "1000 of 1024"},
		{"node.gpu", "", "ok", "nvidia_peermem"},
	};
	char root[PATH_MAX];
	struct json_object *doc;
	int code;

	(void)state;
	make_tree("connectx7", root);
	doc = examine(root, &code);
	compare(doc, rows, ARRAY_SIZE(rows));
	assert_null(find(doc, "node.memlock", "sshd"));
	assert_string_equal(field(doc, "worst"), "info");
	assert_int_equal(code, RG_EXIT_OK);
	json_object_put(doc);
	remove_tree(root);
}

static void broken_node(void **state)
{
	static const struct expected rows[] = {
		{"kernel.bpffs", "", "problem", "/sys/fs/bpf is tmpfs"},
		{"kernel.btf", "", "problem", ""},
		{"kernel.tcx", "", "warning", "clsact"},
		{"kernel.jit", "", "warning", "interpreted"},
		{"rail.netdev", "rail2", "problem", "eth9"},
		{"rail.up", "rail0", "problem", "no carrier"},
		{"rail.up", "rail1", "problem", "is down"},
		{"rail.mtu", "rail0", "problem", "MTU 1500, declared 4200"},
		{"rail.arp", "rail0", "warning", "arp_ignore 0"},
		{"rail.arp", "rail1", "skipped", ""},
		{"rail.rp_filter", "rail0", "problem", "strict"},
		{"rdma.namespaces", "", "warning", "shared, but modprobe's option asks for exclu"},
		{"rdma.device", "rail1", "warning", "no RDMA device"},
		{"rdma.guid", "rail0", "problem", "GUID 0"},
		{"rdma.port", "rail0", "problem", "1: DOWN"},
		{"rdma.gid", "rail0", "problem", "no RoCEv2 GID"},
		{"rdma.mtu", "rail0", "warning", "1024 bytes"},
		{"rdma.verbs", "rail0", "problem", "no /dev/infiniband"},
		{"pci.link", "rail0", "warning",
		 "16.0 GT/s PCIe x16, it can do 32.0 GT/s PCIe x16"},
		{"pci.numa", "rail0", "warning", "no NUMA node"},
		{"pci.iommu", "rail0", "warning", "DMA-FQ"},
		{"node.memlock", "crio", "problem", "8388608"},
		{"node.gpu", "", "warning", "without nvidia_peermem"},
	};
	char root[PATH_MAX];
	struct json_object *doc;
	int code;

	(void)state;
	make_tree("broken", root);
	doc = examine(root, &code);
	compare(doc, rows, ARRAY_SIZE(rows));
	assert_null(find(doc, "pci.link", "rail1"));
	assert_string_equal(field(doc, "worst"), "problem");
	assert_int_equal(code, RG_EXIT_PROBLEM);
	json_object_put(doc);
	remove_tree(root);
}

static void node_without_anything(void **state)
{
	static const struct expected rows[] = {
		{"kernel.bpffs", "", "problem", "tmpfs"}, /* mounted over */
		{"kernel.tcx", "", "warning", "6.1.0"},
		{"guard.config", "", "problem", "rails[0].mtu"},
		{"rail.netdev", "", "skipped", ""},
		{"rdma.core", "", "warning", ""},
		{"rdma.namespaces", "", "skipped", ""},
		{"node.memlock", "", "info", "no container runtime"},
		{"node.gpu", "", "info", "no NVIDIA"},
	};
	char root[PATH_MAX];
	struct json_object *doc;
	int code;

	(void)state;
	make_tree("invalid", root);
	doc = examine(root, &code);
	compare(doc, rows, ARRAY_SIZE(rows));
	assert_int_equal(code, RG_EXIT_PROBLEM);
	json_object_put(doc);
	remove_tree(root);
}

/* Access Control Services of the bridge above the NIC, read from its configuration space. */
static void acs_is_read(void **state)
{
	static const char dir[] = "/sys/devices/pci0000:80/0000:80:01.0";
	uint8_t space[CONFIG_BYTES] = {0};
	struct json_object *doc;
	char root[PATH_MAX], path[PATH_MAX];
	FILE *f;
	int code;

	(void)state;
	/* a first capability (AER) that leads to ACS at 0x148 */
	memcpy(space + 0x100, "\x01\x00\x82\x14", 4);
	memcpy(space + 0x148, "\x0d\x00\x01\x00\x5f\x00\x1d\x00", 8);
	make_tree("connectx7", root);
	(void)rg_str_format(path, sizeof(path), "%s%s/config", root, dir);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(space, 1, sizeof(space), f), sizeof(space));
	(void)fclose(f);
	doc = examine(root, &code);
	compare(doc,
		&(struct expected){"pci.acs", "rail0", "warning",
				   "0000:80:01.0 above 0000:86:00.0 redirects"},
		1);
	assert_int_equal(code, RG_EXIT_NOTICE);
	json_object_put(doc);
	remove_tree(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_node),
		cmocka_unit_test(broken_node),
		cmocka_unit_test(node_without_anything),
		cmocka_unit_test(acs_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
