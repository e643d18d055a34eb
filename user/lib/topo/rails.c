// SPDX-License-Identifier: Apache-2.0
/*
 * Which netdev is which rail: every key of "match" that is given must fit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "topo/rails.h"
#include "topo/sysfs.h"

/* Netdevs stacked on a rail wear its MAC, but are not the rail. */
static bool is_stacked(const struct rg_link *l)
{
	static const char *const kinds[] = {"vlan", "macvlan", "macvtap", "ipvlan", "ipvtap"};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (rg_str_equal(l->kind, kinds[i]))
			return true;
	return false;
}

/*
 * In switchdev mode the representors of VFs and SFs hang on the PF's PCI device as well. Their port
 * names are "pf0vf3", "pf0sf88" or "c1pf0vf3", those of physical ports "p0"
 * (Documentation/networking/devlink/devlink-port.rst).
 */
static bool is_representor(const struct rg_link *l)
{
	const char *pf = strstr(l->phys_port, "pf");

	return pf && (strstr(pf, "vf") || strstr(pf, "sf"));
}

static bool has_name(const struct rg_link *l, const char *name)
{
	size_t i;

	if (rg_str_equal(l->name, name))
		return true;
	for (i = 0; i < l->n_altnames; i++)
		if (rg_str_equal(l->altnames[i], name))
			return true;
	return false;
}

static bool has_mac(const struct rg_link *l, const uint8_t mac[RG_MAC_LEN])
{
	if (is_stacked(l))
		return false;
	/* a bond's members wear its MAC; what they were born with tells them apart */
	if (l->has_perm_mac && memcmp(l->perm_mac, mac, RG_MAC_LEN) == 0)
		return true;
	return l->has_mac && !l->master && memcmp(l->mac, mac, RG_MAC_LEN) == 0;
}

/* Kernels before 5.14 do not report the parent device over netlink. */
static void device_of(const struct rg_link *l, const char *sysfs, char *buf, size_t size)
{
	buf[0] = '\0';
	if (l->dev[0])
		(void)rg_str_copy(buf, size, l->dev);
	else if (!l->kind[0] && rg_sysfs_netdev_device(sysfs, l->name, buf, size) < 0)
		buf[0] = '\0';
}

static bool fits(const struct rg_conf_match *m, const struct rg_link *l, const char *sysfs)
{
	char device[RG_LINK_DEV_SIZE];

	if (m->netdev[0] && !has_name(l, m->netdev))
		return false;
	if (m->has_mac && !has_mac(l, m->mac))
		return false;
	if (!m->pci[0] && !m->rdma[0])
		return true;
	device_of(l, sysfs, device, sizeof(device));
	if (m->pci[0] && (!rg_str_equal(device, m->pci) || is_representor(l)))
		return false;
	return !m->rdma[0] ||
	       (!is_stacked(l) && rg_sysfs_rdma_serves(sysfs, m->rdma, l->name, device));
}

/* "PCI 0000:86:00.0 and MAC 02:...": what was looked for. */
static void describe(const struct rg_conf_match *m, char *buf, size_t size)
{
	char mac[RG_MAC_STR_LEN];

	(void)rg_str_format(buf, size, "%s%s%s%s%s%s%s%s", m->netdev[0] ? " name " : "", m->netdev,
			    m->has_mac ? " MAC " : "", m->has_mac ? rg_mac_format(m->mac, mac) : "",
			    m->pci[0] ? " device " : "", m->pci, m->rdma[0] ? " RDMA device " : "",
			    m->rdma);
}

static void resolve_one(const struct rg_conf_rail *rail, const struct rg_link *links,
			size_t n_links, const char *sysfs, struct rg_rail_dev *ret)
{
	const struct rg_link *found = NULL, *second = NULL;
	char device[RG_LINK_DEV_SIZE], what[192];
	size_t i;

	memset(ret, 0, sizeof(*ret));
	for (i = 0; i < n_links && !second; i++) {
		if (!fits(&rail->match, &links[i], sysfs))
			continue;
		if (found)
			second = &links[i];
		else
			found = &links[i];
	}
	describe(&rail->match, what, sizeof(what));
	if (!found) {
		(void)rg_str_format(ret->why, sizeof(ret->why), "no netdev has%s", what);
		return;
	}
	if (second) {
		(void)rg_str_format(ret->why, sizeof(ret->why),
				    "both %s and %s have%s; add \"netdev\" or \"mac\" to match",
				    found->name, second->name, what);
		return;
	}
	ret->present = true;
	ret->link = *found;
	device_of(found, sysfs, device, sizeof(device));
	if (rail->match.rdma[0])
		(void)rg_str_copy(ret->rdma, sizeof(ret->rdma), rail->match.rdma);
	else if (rg_sysfs_rdma_of_netdev(sysfs, found->name, device, ret->rdma, sizeof(ret->rdma)) <
		 0)
		ret->rdma[0] = '\0';
}

void rg_rails_resolve(const struct rg_conf *conf, const struct rg_link *links, size_t n_links,
		      const char *sysfs, struct rg_rail_dev *ret)
{
	size_t i;

	for (i = 0; i < conf->n_rails; i++)
		resolve_one(&conf->rails[i], links, n_links, sysfs, &ret[i]);
}

int rg_rails_find(struct rg_nl *nl, const struct rg_conf_rail *rail, const char *sysfs,
		  struct rg_rail_dev *ret, struct rg_err *err)
{
	_cleanup_free_ struct rg_link *links = NULL;
	struct rg_rail_dev dev;
	size_t n;
	int r;

	r = rg_link_list(nl, &links, &n, err);
	if (r < 0)
		return r;
	resolve_one(rail, links, n, sysfs, &dev);
	if (!dev.present)
		return rg_err_set(err, -ENODEV, "rail \"%s\": %s", rail->name, dev.why);
	*ret = dev;
	return 0;
}
