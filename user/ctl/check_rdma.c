// SPDX-License-Identifier: Apache-2.0
/*
 * RDMA: namespace mode, each rail's device, its GUID, port, GIDs and MTU, user access.
 */
#define _GNU_SOURCE /* memmem, strchrnul */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "conf/conf.h"
#include "doctor.h"
#include "net/link.h"
#include "topo/rails.h"

#define MODPROBE_FILE_MAX 65536

/* Room that RoCE headers may take in a frame: GRH 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4
 * (include/rdma/ib_addr.h, iboe_get_mtu()).
 */
#define ROCE_HEADERS 96

static bool no_rdma(struct rg_doctor *d)
{
	return !rg_doctor_exists(d, "/sys/class/infiniband");
}

static void check_core(struct rg_doctor *d)
{
	if (no_rdma(d))
		rg_doctor_report(d, RG_LEVEL_WARNING, NULL,
				 "load the NIC's RDMA driver (mlx5_ib, irdma, bnxt_re, rdma_rxe)",
				 "the kernel has no RDMA device class");
	else
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "the RDMA subsystem is loaded");
}

/* Last value given to ib_core's netns_mode by a modprobe configuration file, -1 for none. */
static int option_in_file(const char *text)
{
	const char *line = text, *key;
	int value = -1;

	while (line && *line) {
		const char *end = strchrnul(line, '\n');

		line += strspn(line, " \t");
		key = memmem(line, (size_t)(end - line), "netns_mode=", strlen("netns_mode="));
		if (rg_str_prefix(line, "options ib_core ") && key)
			value = strchr("0nN", key[strlen("netns_mode=")]) ? 0 : 1;
		line = *end ? end + 1 : NULL;
	}
	return value;
}

static int look_for_option(struct rg_doctor *d, const char *name, void *arg)
{
	_cleanup_free_ char *text = NULL;
	const char *dot = strrchr(name, '.');
	char path[PATH_MAX];
	int *value = arg, found;

	rg_doctor_path(d, path, "/etc/modprobe.d/%s", name);
	if (!dot || !rg_str_equal(dot, ".conf") ||
	    rg_fs_read(AT_FDCWD, path, MODPROBE_FILE_MAX, &text, NULL) < 0)
		return 0;
	found = option_in_file(text);
	if (found >= 0)
		*value = found;
	return 0;
}

static void check_mode(struct rg_doctor *d)
{
	char text[8];
	int shared, option = -1;

	if (rg_doctor_read(d, text, sizeof(text), "/sys/module/ib_core/parameters/netns_mode") <
	    0) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "ib_core is not loaded");
		return;
	}
	shared = text[0] == 'Y' || text[0] == '1';
	(void)rg_doctor_each(d, "/etc/modprobe.d", look_for_option, &option);
	if (option >= 0 && option != shared)
		rg_doctor_report(d, RG_LEVEL_WARNING, NULL,
				 "rebuild the initramfs (ib_core is loaded from there) and reboot, "
				 "or correct the option",
				 "RDMA devices are %s, but modprobe's option asks for %s",
				 shared ? "shared" : "exclusive", option ? "shared" : "exclusive");
	else
		rg_doctor_report(
			d, RG_LEVEL_OK, NULL, NULL, "RDMA devices are %s%s",
			shared ? "shared by all namespaces" : "exclusive to one namespace each",
			option < 0 && !shared ? " until the next boot: no modprobe option" : "");
}

static void check_device(struct rg_doctor *d)
{
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const struct rg_rail_dev *dev = &d->rails[i];

		if (!dev->present)
			continue;
		if (dev->rdma[0])
			rg_doctor_report(d, RG_LEVEL_OK, d->conf->rails[i].name, NULL,
					 "%s serves %s", dev->rdma, dev->link.name);
		else
			rg_doctor_report(d, RG_LEVEL_WARNING, d->conf->rails[i].name,
					 "load the NIC's RDMA driver, or make soft-RoCE: rdma link "
					 "add rxe0 type rxe netdev <netdev>",
					 "%s has no RDMA device", dev->link.name);
	}
}

static void check_guid(struct rg_doctor *d)
{
	char guid[32];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *rdma = d->rails[i].rdma;

		if (!d->rails[i].present || !*rdma ||
		    rg_doctor_read(d, guid, sizeof(guid), "/sys/class/infiniband/%s/node_guid",
				   rdma) < 0)
			continue;
		if (rg_str_equal(guid, "0000:0000:0000:0000"))
			rg_doctor_report(d, RG_LEVEL_PROBLEM, d->conf->rails[i].name,
					 "give the function a MAC and bind its driver again",
					 "%s has node GUID 0", rdma);
		else
			rg_doctor_report(d, RG_LEVEL_OK, d->conf->rails[i].name, NULL,
					 "%s has node GUID %s", rdma, guid);
	}
}

/* Lowest numbered port; RoCE devices have one for each netdev. */
static int first_port(struct rg_doctor *d, const char *port, void *arg)
{
	(void)d;
	(void)rg_str_copy(arg, 8, port);
	return 1;
}

static bool port_of(struct rg_doctor *d, size_t i, char port[8])
{
	char dir[128];

	if (!d->rails[i].present || !d->rails[i].rdma[0])
		return false;
	(void)rg_str_format(dir, sizeof(dir), "/sys/class/infiniband/%s/ports", d->rails[i].rdma);
	return rg_doctor_each(d, dir, first_port, port) == 1;
}

static void check_port(struct rg_doctor *d)
{
	char port[8], state[32], layer[32];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *rdma = d->rails[i].rdma, *name = d->conf->rails[i].name;

		if (!port_of(d, i, port) ||
		    rg_doctor_read(d, state, sizeof(state),
				   "/sys/class/infiniband/%s/ports/%s/state", rdma, port) < 0 ||
		    rg_doctor_read(d, layer, sizeof(layer),
				   "/sys/class/infiniband/%s/ports/%s/link_layer", rdma, port) < 0)
			continue;
		if (!strstr(state, "ACTIVE"))
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name,
					 "bring the netdev up; look at cable and switch port",
					 "%s port %s is %s", rdma, port, state);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s port %s is active, %s",
					 rdma, port, layer);
	}
}

struct gid_count {
	char dir[160];
	unsigned int v1;
	unsigned int v2;
};

static int count_gid(struct rg_doctor *d, const char *index, void *arg)
{
	struct gid_count *c = arg;
	char type[32];

	/* entries of unused GIDs cannot be read */
	if (rg_doctor_read(d, type, sizeof(type), "%s/%s", c->dir, index) < 0)
		return 0;
	if (rg_str_equal(type, "RoCE v2"))
		c->v2++;
	else
		c->v1++;
	return 0;
}

static void check_gids(struct rg_doctor *d)
{
	struct gid_count c;
	char port[8];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *rdma = d->rails[i].rdma, *name = d->conf->rails[i].name;

		if (!port_of(d, i, port))
			continue;
		memset(&c, 0, sizeof(c));
		(void)rg_str_format(c.dir, sizeof(c.dir),
				    "/sys/class/infiniband/%s/ports/%s/gid_attrs/types", rdma,
				    port);
		(void)rg_doctor_each(d, c.dir, count_gid, &c);
		if (c.v2)
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL,
					 "%s has %u RoCEv2 GIDs and %u others", rdma, c.v2, c.v1);
		else
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name,
					 "give the netdev an address and bring it up; the GID "
					 "follows",
					 "%s has no RoCEv2 GID (%u others)", rdma, c.v1);
	}
}

static void check_mtu(struct rg_doctor *d)
{
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		unsigned int mtu = d->rails[i].link.mtu, rdma_mtu = 4096;

		if (!d->rails[i].present || !d->rails[i].rdma[0])
			continue;
		while (rdma_mtu > 128 && rdma_mtu + ROCE_HEADERS > mtu)
			rdma_mtu /= 2;
		if (rdma_mtu < 4096)
			rg_doctor_report(
				d, RG_LEVEL_WARNING, d->conf->rails[i].name,
				"set the rail's mtu to 4200 or more, and the switch's above "
				"it",
				"MTU %u leaves RDMA packets %u bytes of payload", mtu, rdma_mtu);
		else
			rg_doctor_report(d, RG_LEVEL_OK, d->conf->rails[i].name, NULL,
					 "MTU %u is enough for RDMA packets of 4096 bytes", mtu);
	}
}

struct uverbs_search {
	const char *rdma;
	char name[32];
};

static int match_uverbs(struct rg_doctor *d, const char *name, void *arg)
{
	struct uverbs_search *s = arg;
	char ibdev[64];

	if (rg_doctor_read(d, ibdev, sizeof(ibdev), "/sys/class/infiniband_verbs/%s/ibdev", name) <
		    0 ||
	    !rg_str_equal(ibdev, s->rdma))
		return 0;
	(void)rg_str_copy(s->name, sizeof(s->name), name);
	return 1;
}

static void check_verbs(struct rg_doctor *d)
{
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		struct uverbs_search s = {.rdma = d->rails[i].rdma};
		const char *name = d->conf->rails[i].name;
		uint64_t abi = 0;

		if (!d->rails[i].present || !*s.rdma)
			continue;
		(void)rg_doctor_each(d, "/sys/class/infiniband_verbs", match_uverbs, &s);
		if (!s.name[0] || !rg_doctor_exists(d, "/dev/infiniband/%s", s.name)) {
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name,
					 "modprobe ib_uverbs; udev makes the device file",
					 "%s has no /dev/infiniband/%s", s.rdma,
					 s.name[0] ? s.name : "uverbs*");
			continue;
		}
		(void)rg_doctor_read_u64(d, &abi, "/sys/class/infiniband_verbs/%s/abi_version",
					 s.name);
		rg_doctor_report(d, RG_LEVEL_OK, name, NULL,
				 "%s is /dev/infiniband/%s, driver ABI %u", s.rdma, s.name,
				 (unsigned int)abi);
	}
}

const struct rg_check rg_checks_rdma[] = {
	{"rdma.core", "without it there is no RDMA at all", false, check_core},
	{"rdma.namespaces",
	 "exclusive mode gives each pod its own RDMA device; in shared mode every pod sees all",
	 false, check_mode},
	{"rdma.device", "without an RDMA device a rail carries IP only", false, check_device},
	{"rdma.guid", "RDMA-CM and the fabric tell devices apart by it", false, check_guid},
	{"rdma.port", "queue pairs cannot connect over a port that is not active", false,
	 check_port},
	{"rdma.gid", "RoCEv2 needs a GID of its type; without one no queue pair reaches RTR", false,
	 check_gids},
	{"rdma.verbs",
	 "pods open this file; its ABI must be one that the pod's libibverbs provider knows", false,
	 check_verbs},
	{"rdma.mtu", "small RDMA packets cost bandwidth and packet rate", false, check_mtu},
	{0},
};
