// SPDX-License-Identifier: Apache-2.0
/*
 * What most checks start from: the configuration, the host's netdevs and which of them are rails.
 *
 * The running host is asked over netlink, because sysfs may belong to another network namespace;
 * another node's copy is read from its sysfs.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/conf.h"
#include "ctl.h"
#include "doctor.h"
#include "net/link.h"
#include "topo/rails.h"
#include "topo/sysfs.h"

static uint64_t number(struct rg_doctor *d, const char *netdev, const char *attribute)
{
	uint64_t n = 0;

	(void)rg_doctor_read_u64(d, &n, "/sys/class/net/%s/%s", netdev, attribute);
	return n;
}

/* Kinds that matter when rails are looked for; sysfs has no kind for them but a DEVTYPE. */
static void read_kind(struct rg_doctor *d, struct rg_link *l)
{
	_cleanup_fclose_ FILE *f = NULL;
	char path[PATH_MAX], line[128];

	f = fopen(rg_doctor_path(d, path, "/sys/class/net/%s/uevent", l->name), "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (rg_str_prefix(line, "DEVTYPE="))
			(void)rg_str_copy(l->kind, sizeof(l->kind), line + strlen("DEVTYPE="));
	}
}

static int add_link(struct rg_doctor *d, const char *name, void *arg)
{
	char text[32], path[PATH_MAX];
	struct rg_link *l;

	(void)arg;
	l = reallocarray(d->links, d->n_links + 1, sizeof(*l));
	if (!l)
		return -ENOMEM;
	d->links = l;
	l += d->n_links;
	memset(l, 0, sizeof(*l));
	if (rg_str_copy(l->name, sizeof(l->name), name) < 0 ||
	    !rg_doctor_exists(d, "/sys/class/net/%s/ifindex", name))
		return 0; /* bonding_masters and the like */
	d->n_links++;
	l->ifindex = (int)number(d, name, "ifindex");
	l->type = (uint16_t)number(d, name, "type");
	l->mtu = (uint32_t)number(d, name, "mtu");
	l->flags = (uint32_t)number(d, name, "flags");
	/* sysfs leaves the volatile flags out */
	if (number(d, name, "carrier"))
		l->flags |= IFF_RUNNING;
	if (rg_doctor_read(d, text, sizeof(text), "/sys/class/net/%s/address", name) == 0)
		l->has_mac = rg_mac_parse(text, l->mac) == 0;
	(void)rg_doctor_read(d, l->phys_port, sizeof(l->phys_port),
			     "/sys/class/net/%s/phys_port_name", name);
	read_kind(d, l);
	(void)rg_sysfs_netdev_device(rg_doctor_path(d, path, "/sys"), name, l->dev, sizeof(l->dev));
	return 0;
}

static int gather_links(struct rg_doctor *d, struct rg_err *err)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	int r;

	if (*d->root) {
		r = rg_doctor_each(d, "/sys/class/net", add_link, NULL);
		if (r < 0 && r != -ENOENT)
			return rg_err_errno(err, r, "cannot read %s/sys/class/net", d->root);
		return 0;
	}
	r = rg_nl_open(NETLINK_ROUTE, &nl, err);
	return r < 0 ? r : rg_link_list(nl, &d->links, &d->n_links, err);
}

int rg_doctor_gather(struct rg_doctor *d, struct rg_err *err)
{
	struct rg_err conf_err = {0};
	char path[PATH_MAX];
	int r;

	r = gather_links(d, err);
	if (r < 0)
		return r;
	rg_doctor_path(d, path, "%s", d->ctl->conf_path);
	if (rg_conf_load(path, &d->conf, &conf_err) < 0) {
		(void)rg_str_copy(d->conf_error, sizeof(d->conf_error), conf_err.msg);
		return 0;
	}
	d->rails = calloc(d->conf->n_rails + 1, sizeof(*d->rails));
	if (!d->rails)
		return rg_err_errno(err, -ENOMEM, "cannot look for the rails");
	d->n_rails = d->conf->n_rails;
	rg_rails_resolve(d->conf, d->links, d->n_links, rg_doctor_path(d, path, "/sys"), d->rails);
	return 0;
}
