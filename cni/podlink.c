// SPDX-License-Identifier: Apache-2.0
/*
 * Removing the interface from the pod's namespace.
 */
#include <string.h>
#include <linux/netlink.h>

#include "base/err.h"
#include "base/str.h"
#include "net/link.h"
#include "net/netns.h"
#include "net/unlink.h"
#include "podlink.h"

/* Return: 1 if @link is the attachment's, 0 if not. */
static int is_ours(const struct rg_link *link, const struct rg_record *record, bool recorded,
		   bool same_netns)
{
	if (!rg_str_equal(link->kind, "macvlan"))
		return 0;
	/* the namespace that ADD saw: the pod may have given it another MAC */
	if (!recorded || same_netns)
		return 1;
	return link->has_mac && memcmp(link->mac, record->mac, RG_MAC_LEN) == 0;
}

static int find_by_name(struct rg_nl *nl, const char *name, struct rg_link *ret, struct rg_err *err)
{
	return *name ? rg_link_get_name(nl, name, ret, err) : -ENODEV;
}

/* By number first: the pod may have renamed it. Return: ifindex, 0 if there is none, or -errno. */
static int find(struct rg_nl *nl, const struct rg_record *record, bool recorded, bool same_netns,
		struct rg_err *err)
{
	const char *const names[] = {record->ifname, record->temp_name};
	struct rg_link link;
	int r;

	if (recorded && same_netns && record->ifindex) {
		r = rg_link_get(nl, record->ifindex, &link, err);
		if (r == 0 && is_ours(&link, record, recorded, same_netns))
			return link.ifindex;
		if (r < 0 && !rg_net_gone(r))
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		r = find_by_name(nl, names[i], &link, err);
		if (r == 0 && is_ours(&link, record, recorded, same_netns))
			return link.ifindex;
		if (r < 0 && !rg_net_gone(r))
			return r;
	}
	return 0;
}

int rg_podlink_remove(const char *netns, const struct rg_record *record, bool recorded,
		      struct rg_err *err)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	_cleanup_close_ int fd = -EBADF;
	struct rg_netns_id id, host;
	bool same;
	int r;

	if (!netns || !*netns)
		return 0;
	r = rg_netns_open(netns, &fd, &id, err);
	if (r == -ENOENT || r == -EINVAL) /* gone, and the interface with it */
		return 0;
	r = r ? r : rg_netns_self(&host, err);
	if (r < 0)
		return r;
	/* a record never says so, but a caller may: the host's devices are not ours to delete */
	if (rg_netns_same(&id, &host))
		return 0;
	r = rg_netns_nl(fd, NETLINK_ROUTE, &nl, err);
	if (r < 0)
		return r;
	same = id.dev == record->netns_dev && id.ino == record->netns_ino;
	r = find(nl, record, recorded, same, err);
	if (r <= 0)
		return r;
	r = rg_link_delete_early(nl, fd, r, err);
	return rg_net_gone(r) ? 0 : r;
}
