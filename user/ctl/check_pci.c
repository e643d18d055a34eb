// SPDX-License-Identifier: Apache-2.0
/*
 * How each rail's NIC is connected to the machine: PCIe speed and width, NUMA node, IOMMU, and
 * whether bridges send peer-to-peer traffic the long way.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/conf.h"
#include "doctor.h"
#include "topo/rails.h"
#include "topo/sysfs.h"

#define PCI_DIR "/sys/bus/pci/devices"

/* Address of the PCI device behind a rail; false for virtual devices. */
static bool pci_of(struct rg_doctor *d, size_t i, char *buf, size_t size)
{
	char path[PATH_MAX];

	if (!d->rails[i].present)
		return false;
	if (d->rails[i].link.dev[0])
		(void)rg_str_copy(buf, size, d->rails[i].link.dev);
	else if (rg_sysfs_netdev_device(rg_doctor_path(d, path, "/sys"), d->rails[i].link.name, buf,
					size) < 0)
		return false;
	return rg_doctor_exists(d, PCI_DIR "/%s", buf);
}

static void check_link(struct rg_doctor *d)
{
	char dev[64], speed[64], max_speed[64];
	uint64_t width, max_width;
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *name = d->conf->rails[i].name;

		if (!pci_of(d, i, dev, sizeof(dev)) ||
		    rg_doctor_read(d, speed, sizeof(speed), PCI_DIR "/%s/current_link_speed", dev) <
			    0 ||
		    rg_doctor_read(d, max_speed, sizeof(max_speed), PCI_DIR "/%s/max_link_speed",
				   dev) < 0 ||
		    rg_doctor_read_u64(d, &width, PCI_DIR "/%s/current_link_width", dev) < 0 ||
		    rg_doctor_read_u64(d, &max_width, PCI_DIR "/%s/max_link_width", dev) < 0)
			continue; /* a virtual function has no link of its own */
		if (!width)
			continue;
		if (strtod(speed, NULL) < strtod(max_speed, NULL) || width < max_width)
			rg_doctor_report(d, RG_LEVEL_WARNING, name,
					 "reseat the card, look for a slot of full width and for "
					 "the slot's speed in the firmware setup",
					 "%s runs at %s x%u, it can do %s x%u", dev, speed,
					 (unsigned int)width, max_speed, (unsigned int)max_width);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s runs at %s x%u", dev,
					 speed, (unsigned int)width);
	}
}

static int count_node(struct rg_doctor *d, const char *name, void *arg)
{
	unsigned int *n = arg, number;

	(void)d;
	*n += sscanf(name, "node%u", &number) == 1;
	return 0;
}

static void check_numa(struct rg_doctor *d)
{
	char dev[64], node[16];
	unsigned int nodes = 0;
	size_t i;

	(void)rg_doctor_each(d, "/sys/devices/system/node", count_node, &nodes);
	for (i = 0; i < d->n_rails; i++) {
		const char *name = d->conf->rails[i].name;

		if (!pci_of(d, i, dev, sizeof(dev)) ||
		    rg_doctor_read(d, node, sizeof(node), PCI_DIR "/%s/numa_node", dev) < 0)
			continue;
		if (node[0] == '-' && nodes > 1)
			rg_doctor_report(d, RG_LEVEL_WARNING, name,
					 "update the firmware: it does not say where the slot is",
					 "%s is on no NUMA node, the machine has %u", dev, nodes);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s is on NUMA node %s", dev,
					 node[0] == '-' ? "0, the only one" : node);
	}
}

static void check_iommu(struct rg_doctor *d)
{
	char dev[64], type[32];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *name = d->conf->rails[i].name;

		if (!pci_of(d, i, dev, sizeof(dev)))
			continue;
		if (rg_doctor_read(d, type, sizeof(type), PCI_DIR "/%s/iommu_group/type", dev) < 0)
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s is behind no IOMMU", dev);
		else if (rg_str_prefix(type, "DMA"))
			rg_doctor_report(d, RG_LEVEL_WARNING, name,
					 "boot with iommu=pt, unless devices are passed to virtual "
					 "machines",
					 "the IOMMU translates each access of %s (%s)", dev, type);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL,
					 "the IOMMU lets %s through (%s)", dev, type);
	}
}

/* PCI Express extended capabilities: Access Control Services (PCIe 5.0, 7.7.8). */
#define EXT_CAP_FIRST 0x100
#define EXT_CAP_ACS   0x0d
#define ACS_CONTROL   6
#define ACS_REDIRECT  (0x04 | 0x08) /* P2P Request Redirect, P2P Completion Redirect */
#define CONFIG_BYTES  4096
#define MAX_CAPS      64

/* ACS control register of a device, -1 if it has none or the space cannot be read. */
static int acs_control(struct rg_doctor *d, const char *dev)
{
	_cleanup_free_ uint8_t *space = calloc(1, CONFIG_BYTES);
	_cleanup_fclose_ FILE *f = NULL;
	size_t at = EXT_CAP_FIRST, i;
	char path[PATH_MAX];

	f = fopen(rg_doctor_path(d, path, PCI_DIR "/%s/config", dev), "re");
	if (!f || !space || fread(space, 1, CONFIG_BYTES, f) <= EXT_CAP_FIRST)
		return -1;
	for (i = 0; i < MAX_CAPS && at >= EXT_CAP_FIRST && at + 8 <= CONFIG_BYTES; i++) {
		uint32_t header = (uint32_t)space[at] | (uint32_t)space[at + 1] << 8 |
				  (uint32_t)space[at + 2] << 16 | (uint32_t)space[at + 3] << 24;

		if ((header & 0xffff) == EXT_CAP_ACS)
			return space[at + ACS_CONTROL] | space[at + ACS_CONTROL + 1] << 8;
		at = header >> 20;
	}
	return -1;
}

/* Name of the bridge above a device: the last but one component of its path. */
static bool bridge_above(struct rg_doctor *d, const char *dev, char *buf, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX], *slash;
	ssize_t n;

	n = readlink(rg_doctor_path(d, path, PCI_DIR "/%s", dev), target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	slash = strrchr(target, '/');
	if (!slash)
		return false;
	*slash = '\0';
	slash = strrchr(target, '/');
	return slash && rg_str_copy(buf, size, slash + 1) == 0 &&
	       rg_doctor_exists(d, PCI_DIR "/%s", buf);
}

static void check_acs(struct rg_doctor *d)
{
	char dev[64], bridge[64];
	bool gpu = rg_doctor_exists(d, "/sys/module/nvidia") ||
		   rg_doctor_exists(d, "/sys/module/amdgpu");
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const char *name = d->conf->rails[i].name;
		int control;

		if (!pci_of(d, i, dev, sizeof(dev)) ||
		    !bridge_above(d, dev, bridge, sizeof(bridge)))
			continue;
		control = acs_control(d, bridge);
		if (control < 0)
			continue;
		if (control & ACS_REDIRECT)
			rg_doctor_report(d, gpu ? RG_LEVEL_WARNING : RG_LEVEL_INFO, name,
					 "switch ACS off on the bridge (setpci, firmware setup) if "
					 "the machine runs no virtual machines",
					 "bridge %s above %s redirects peer-to-peer traffic (ACS "
					 "0x%x)",
					 bridge, dev, (unsigned int)control);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL,
					 "bridge %s above %s lets peers talk directly", bridge,
					 dev);
	}
}

const struct rg_check rg_checks_pci[] = {
	{"pci.link", "a NIC on half its lanes cannot reach its rate", false, check_link},
	{"pci.numa", "memory and CPUs of another node are farther away", false, check_numa},
	{"pci.iommu", "translation costs bandwidth, above all between GPU and NIC", false,
	 check_iommu},
	{"pci.acs", "GPU and NIC below one switch then talk through the root port", false,
	 check_acs},
	{0},
};
