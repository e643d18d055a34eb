// SPDX-License-Identifier: Apache-2.0
/*
 * Each rail's netdev: there, up, connected, as big as declared, with the ARP behaviour that several
 * interfaces on one fabric need.
 */
#include <stdio.h>

#include "base/str.h"
#include "conf/conf.h"
#include "doctor.h"
#include "net/link.h"
#include "topo/rails.h"

static void check_present(struct rg_doctor *d)
{
	size_t i;

	if (d->conf && !d->n_rails)
		rg_doctor_report(d, RG_LEVEL_INFO, NULL, NULL, "the configuration has no rails");
	for (i = 0; i < d->n_rails; i++) {
		const struct rg_rail_dev *dev = &d->rails[i];
		const char *name = d->conf->rails[i].name;

		if (dev->present)
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "is %s", dev->link.name);
		else
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name,
					 "compare the rail's \"match\" with ip link and lspci; a "
					 "missing device may lack its driver",
					 "%s", dev->why);
	}
}

static void check_up(struct rg_doctor *d)
{
	char remedy[128];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const struct rg_link *l = &d->rails[i].link;
		const char *name = d->conf->rails[i].name;

		if (!d->rails[i].present)
			continue;
		(void)rg_str_format(remedy, sizeof(remedy), "ip link set %s up", l->name);
		if (!(l->flags & IFF_UP))
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name, remedy, "%s is down", l->name);
		else if (!(l->flags & IFF_RUNNING))
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name,
					 "look at cable, transceiver and switch port (ethtool)",
					 "%s has no carrier", l->name);
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "%s is up with carrier",
					 l->name);
	}
}

static void check_mtu(struct rg_doctor *d)
{
	char remedy[160];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const struct rg_link *l = &d->rails[i].link;
		uint32_t want = d->conf->rails[i].mtu;
		const char *name = d->conf->rails[i].name;

		if (!d->rails[i].present)
			continue;
		if (!want || want == l->mtu) {
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "MTU %u%s", l->mtu,
					 want ? " as declared" : ", none declared");
			continue;
		}
		(void)rg_str_format(remedy, sizeof(remedy), "ip link set %s mtu %u", l->name, want);
		rg_doctor_report(d, RG_LEVEL_PROBLEM, name, remedy, "MTU %u, declared %u", l->mtu,
				 want);
	}
}

/* The kernel takes the larger of "all" and the device's own value for these three. */
static int effective(struct rg_doctor *d, const char *netdev, const char *key, uint64_t *ret)
{
	uint64_t all = 0, own;
	int r;

	(void)rg_doctor_read_u64(d, &all, "/proc/sys/net/ipv4/conf/all/%s", key);
	r = rg_doctor_read_u64(d, &own, "/proc/sys/net/ipv4/conf/%s/%s", netdev, key);
	if (r < 0)
		return r;
	*ret = own > all ? own : all;
	return 0;
}

static void check_arp(struct rg_doctor *d)
{
	char remedy[200];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const struct rg_link *l = &d->rails[i].link;
		const char *name = d->conf->rails[i].name;
		uint64_t ignore, announce;

		if (!d->rails[i].present)
			continue;
		if (effective(d, l->name, "arp_ignore", &ignore) < 0 ||
		    effective(d, l->name, "arp_announce", &announce) < 0) {
			rg_doctor_report(d, RG_LEVEL_SKIPPED, name, NULL,
					 "cannot read the settings of %s", l->name);
			continue;
		}
		(void)rg_str_format(remedy, sizeof(remedy),
				    "sysctl -w net.ipv4.conf.%s.arp_ignore=1 "
				    "net.ipv4.conf.%s.arp_announce=2",
				    l->name, l->name);
		if (ignore && announce == 2)
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL,
					 "arp_ignore %u, arp_announce 2", (unsigned int)ignore);
		else
			rg_doctor_report(d, d->n_rails > 1 ? RG_LEVEL_WARNING : RG_LEVEL_INFO, name,
					 remedy, "arp_ignore %u, arp_announce %u",
					 (unsigned int)ignore, (unsigned int)announce);
	}
}

static void check_rp_filter(struct rg_doctor *d)
{
	char remedy[160];
	size_t i;

	for (i = 0; i < d->n_rails; i++) {
		const struct rg_link *l = &d->rails[i].link;
		const char *name = d->conf->rails[i].name;
		uint64_t mode;

		if (!d->rails[i].present || effective(d, l->name, "rp_filter", &mode) < 0)
			continue;
		(void)rg_str_format(remedy, sizeof(remedy),
				    "sysctl -w net.ipv4.conf.%s.rp_filter=2", l->name);
		if (mode == 1 && d->n_rails > 1)
			rg_doctor_report(d, RG_LEVEL_PROBLEM, name, remedy, "rp_filter is strict");
		else
			rg_doctor_report(d, RG_LEVEL_OK, name, NULL, "rp_filter %u",
					 (unsigned int)mode);
	}
}

const struct rg_check rg_checks_rails[] = {
	{"rail.netdev", "a rail without its netdev carries nothing and its pods cannot start",
	 false, check_present},
	{"rail.up", "no packet leaves a rail that is down or unplugged", false, check_up},
	{"rail.mtu", "pods get the rail's MTU, and RDMA takes its own from it", false, check_mtu},
	{"rail.arp",
	 "without them the host answers ARP for one rail's address on another, and packets go "
	 "astray",
	 false, check_arp},
	{"rail.rp_filter",
	 "strict mode drops what arrives on a rail while the route points to another", false,
	 check_rp_filter},
	{0},
};
