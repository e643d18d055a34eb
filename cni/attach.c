// SPDX-License-Identifier: Apache-2.0
/*
 * Preparing an attachment: everything that can be wrong is found before anything is changed.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <net/if_arp.h>
#include <sys/random.h>
#include <linux/if_link.h>

#include "attach.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "fault.h"
#include "topo/sysfs.h"

int rg_attach_ifname(const char *first, size_t index, char buf[IF_NAMESIZE])
{
	size_t len = strlen(first), digits = 0;
	unsigned long number = 0;

	if (!index)
		return rg_str_copy(buf, IF_NAMESIZE, first);
	while (digits < len && isdigit((unsigned char)first[len - digits - 1]))
		digits++;
	if (digits)
		number = strtoul(first + len - digits, NULL, 10);
	return rg_str_format(buf, IF_NAMESIZE, "%.*s%lu", (int)(len - digits), first,
			     number + index);
}

/* A network written for the macvlan plugin names the netdev itself. */
static int find_by_master(struct rg_node *node, const char *master, struct rg_rail_dev *ret_dev,
			  struct rg_fault *f)
{
	char names[256];

	for (size_t i = 0; i < node->conf->n_rails; i++) {
		struct rg_rail_dev dev;

		if (rg_rails_find(node->nl, &node->conf->rails[i], RG_SYSFS_DEFAULT, &dev, NULL) <
			    0 ||
		    !rg_str_equal(dev.link.name, master))
			continue;
		*ret_dev = dev;
		return (int)i;
	}
	return rg_fault_set(f, RG_CNI_CONFIG,
			    "master: \"%s\" is the netdev of no rail; rails of this node are %s",
			    master, rg_conf_rail_names(node->conf, names, sizeof(names)));
}

int rg_attach_find_rail(struct rg_node *node, const struct rg_netconf *conf, size_t index,
			struct rg_rail_dev *ret_dev, struct rg_fault *f)
{
	const char *name;
	char names[256];
	int i, r;

	if (!conf->n_rails)
		return find_by_master(node, conf->master, ret_dev, f);
	name = conf->rails[index];
	i = rg_conf_find_rail(node->conf, name);
	if (i < 0)
		return rg_fault_set(f, RG_CNI_CONFIG,
				    "rail: \"%s\" is not a rail of this node; %s has %s", name,
				    node->conf_path,
				    rg_conf_rail_names(node->conf, names, sizeof(names)));
	r = rg_rails_find(node->nl, &node->conf->rails[i], RG_SYSFS_DEFAULT, ret_dev, &f->err);
	if (r < 0)
		return rg_fault_code(f, r == -ENODEV ? RG_CNI_TRY_AGAIN : RG_CNI_FAILED, r);
	return i;
}

static int check_device(const struct rg_attach *a, struct rg_fault *f)
{
	const struct rg_link *link = &a->dev.link;

	if (link->type == ARPHRD_INFINIBAND)
		return rg_fault_set(f, RG_CNI_UNSUPPORTED,
				    "rail '%s' (%s) is InfiniBand, which has no macvlan",
				    a->rail->name, link->name);
	if (a->conf->mtu > link->mtu)
		return rg_fault_set(
			f, RG_CNI_CONFIG,
			"mtu: %u is more than the %u of rail '%s' (%s); lower it, or raise "
			"the rail's mtu",
			a->conf->mtu, link->mtu, a->rail->name, link->name);
	return 0;
}

/* Without pinned programs and this rail's policy nothing is attached. */
static int check_policy(struct rg_attach *a, struct rg_fault *f)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	int r = rg_pin_ready(a->node->pin_dir, &f->err);

	r = r ? r : rg_maps_open(a->node->pin_dir, &maps, &f->err);
	if (r < 0)
		return rg_fault_errno(f, r);
	a->number = rg_policy_find_rail(maps, a->rail->name, &a->policy, &f->err);
	if (a->number == -ENOENT)
		return rg_fault_code(f, RG_CNI_TRY_AGAIN, a->number);
	return a->number < 0 ? rg_fault_errno(f, a->number) : 0;
}

static int random_bytes(void *buf, size_t len)
{
	return getrandom(buf, len, 0) == (ssize_t)len ? 0 : -EIO;
}

static int choose_mac(struct rg_attach *a)
{
	uint8_t *mac = a->record->mac;
	int r;

	if (a->conf->macvlan_mode == MACVLAN_MODE_PASSTHRU && !a->conf->has_mac) {
		memcpy(mac, a->dev.link.mac, RG_MAC_LEN);
		return 0;
	}
	if (a->conf->has_mac) {
		memcpy(mac, a->conf->mac, RG_MAC_LEN);
		return 0;
	}
	r = random_bytes(mac, RG_MAC_LEN);
	/* unicast, locally administered */
	mac[0] = (uint8_t)((mac[0] & 0xfe) | 0x02);
	return r;
}

/* The file must fit the record's limits; the texts are the runtime's own. */
static int fill_record(struct rg_attach *a, const struct rg_netns_id *netns)
{
	const struct rg_call *call = a->call;
	struct rg_record *rec = a->record;
	uint32_t tag = 0;
	int r = rg_record_boot_id(rec->boot_id);

	r = r ? r : random_bytes(&tag, sizeof(tag));
	r = r ? r : rg_str_format(rec->temp_name, sizeof(rec->temp_name), "rg%08x", tag);
	r = r ? r : choose_mac(a);
	r = r ? r : rg_str_copy(rec->container_id, sizeof(rec->container_id), call->container_id);
	r = r ? r : rg_str_copy(rec->group, sizeof(rec->group), call->ifname);
	r = r ? r : rg_str_copy(rec->network, sizeof(rec->network), a->conf->name);
	r = r ? r : rg_str_copy(rec->mode, sizeof(rec->mode), rg_netconf_mode_name(a->conf->mode));
	r = r ? r : rg_str_copy(rec->rail, sizeof(rec->rail), a->rail->name);
	if (r < 0)
		return r;
	(void)rg_str_copy(rec->pod_namespace, sizeof(rec->pod_namespace), call->pod_namespace);
	(void)rg_str_copy(rec->pod_name, sizeof(rec->pod_name), call->pod_name);
	(void)rg_str_copy(rec->pod_uid, sizeof(rec->pod_uid), call->pod_uid);
	rec->phase = RG_PHASE_ADDING;
	rec->rail_number = a->number;
	rec->netns_dev = netns->dev;
	rec->netns_ino = netns->ino;
	rec->created_s = time(NULL);
	rec->netns = strdup(call->netns);
	rec->config = strdup(call->input);
	rec->cni_args = call->args ? strdup(call->args) : NULL;
	rec->cni_path = call->path ? strdup(call->path) : NULL;
	return rec->netns && rec->config ? 0 : -ENOMEM;
}

int rg_attach_prepare(struct rg_attach *a, size_t index, const struct rg_netns_id *netns,
		      struct rg_fault *f)
{
	int r = rg_attach_find_rail(a->node, a->conf, index, &a->dev, f);

	if (r < 0)
		return r;
	a->rail = &a->node->conf->rails[r];
	r = check_device(a, f);
	r = r ? r : check_policy(a, f);
	if (r < 0)
		return r;
	a->record = rg_record_new();
	r = a->record ? rg_attach_ifname(a->call->ifname, index, a->record->ifname) : -ENOMEM;
	r = r ? r : fill_record(a, netns);
	if (r < 0)
		return rg_fault_set(f, RG_CNI_INTERNAL, "cannot describe interface '%s': %s",
				    a->call->ifname, strerror(-r));
	return 0;
}

void rg_attach_done(struct rg_attach *a)
{
	rg_maps_free(TAKE_PTR(a->maps));
	rg_record_free(TAKE_PTR(a->record));
	rg_result_done(&a->ipam);
}

void rg_attach_endpoint(const struct rg_record *record, const struct rg_netconf *conf,
			struct rg_endpoint *ret)
{
	memset(ret, 0, sizeof(*ret));
	/* names for people: what does not fit is cut */
	(void)rg_str_copy(ret->pod_namespace, sizeof(ret->pod_namespace), record->pod_namespace);
	(void)rg_str_copy(ret->pod_name, sizeof(ret->pod_name),
			  record->pod_name[0] ? record->pod_name : record->container_id);
	(void)rg_str_copy(ret->rail_name, sizeof(ret->rail_name), record->rail);
	(void)rg_str_copy(ret->ifname, sizeof(ret->ifname), record->ifname);
	(void)rg_str_copy(ret->container_id, sizeof(ret->container_id), record->container_id);
	memcpy(ret->mac, record->mac, sizeof(ret->mac));
	ret->rail = (__u8)record->rail_number;
	ret->kind = RG_KIND_MACVLAN;
	ret->ifindex = (__u32)record->ifindex;
	ret->flags = conf->ident_flags | RG_IDENT_SHARED;
	if (conf->macvlan_mode == MACVLAN_MODE_BRIDGE)
		ret->flags |= RG_IDENT_BRIDGE;
}
