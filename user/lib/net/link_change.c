// SPDX-License-Identifier: Apache-2.0
/*
 * Making, changing and deleting network devices.
 */
#include <string.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "net/link.h"

static int put_macvlan(struct nl_msg *msg, const struct rg_macvlan *spec)
{
	struct nlattr *info, *data;
	int r = nla_put_u32(msg, IFLA_LINK, (uint32_t)spec->parent);

	r = r ? r : nla_put_string(msg, IFLA_IFNAME, spec->name);
	r = r ? r : nla_put(msg, IFLA_ADDRESS, RG_MAC_LEN, spec->mac);
	r = r ? r : nla_put_u32(msg, IFLA_NET_NS_FD, (uint32_t)spec->netns_fd);
	if (spec->mtu)
		r = r ? r : nla_put_u32(msg, IFLA_MTU, spec->mtu);
	info = r ? NULL : nla_nest_start(msg, IFLA_LINKINFO);
	if (!info)
		return -1;
	r = nla_put_string(msg, IFLA_INFO_KIND, "macvlan");
	data = r ? NULL : nla_nest_start(msg, IFLA_INFO_DATA);
	if (!data)
		return -1;
	r = nla_put_u32(msg, IFLA_MACVLAN_MODE, spec->mode);
	if (spec->bcqueuelen)
		r = r ? r : nla_put_u32(msg, IFLA_MACVLAN_BC_QUEUE_LEN, spec->bcqueuelen);
	nla_nest_end(msg, data);
	nla_nest_end(msg, info);
	return r;
}

int rg_link_add_macvlan(struct rg_nl *nl, const struct rg_macvlan *spec, struct rg_err *err)
{
	const struct ifinfomsg ifi = {0};
	_cleanup_nl_msg_ struct nl_msg *msg = rg_nl_msg(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL,
							&ifi, sizeof(ifi));
	int r;

	if (!msg || put_macvlan(msg, spec) < 0)
		return rg_err_set(err, -ENOMEM, "macvlan '%s': out of memory", spec->name);
	r = rg_nl_call(nl, TAKE_PTR(msg), NULL, NULL, err);
	return r < 0 ? rg_err_ctx(err, r, "cannot make macvlan '%s'", spec->name) : 0;
}

static int put_conf(struct nl_msg *msg, const struct rg_link_change *change)
{
	struct nlattr *spec, *inet, *conf;
	int r = 0;

	spec = nla_nest_start(msg, IFLA_AF_SPEC);
	inet = spec ? nla_nest_start(msg, AF_INET) : NULL;
	conf = inet ? nla_nest_start(msg, IFLA_INET_CONF) : NULL;
	if (!conf)
		return -1;
	for (size_t i = 0; i < change->n_conf && r == 0; i++)
		r = nla_put_u32(msg, change->conf[i].id, change->conf[i].value);
	nla_nest_end(msg, conf);
	nla_nest_end(msg, inet);
	nla_nest_end(msg, spec);
	return r;
}

static int put_change(struct nl_msg *msg, const struct rg_link_change *change)
{
	int r = 0;

	if (change->netns_fd >= 0)
		r = nla_put_u32(msg, IFLA_NET_NS_FD, (uint32_t)change->netns_fd);
	if (change->name)
		r = r ? r : nla_put_string(msg, IFLA_IFNAME, change->name);
	if (change->mac)
		r = r ? r : nla_put(msg, IFLA_ADDRESS, RG_MAC_LEN, change->mac);
	if (change->mtu)
		r = r ? r : nla_put_u32(msg, IFLA_MTU, change->mtu);
	if (change->alias)
		r = r ? r : nla_put(msg, IFLA_IFALIAS, (int)strlen(change->alias), change->alias);
	if (change->n_conf)
		r = r ? r : put_conf(msg, change);
	return r;
}

int rg_link_change(struct rg_nl *nl, int ifindex, const struct rg_link_change *change,
		   struct rg_err *err)
{
	const struct ifinfomsg ifi = {
		.ifi_index = ifindex,
		.ifi_flags = change->up > 0 ? IFF_UP : 0,
		.ifi_change = change->up ? IFF_UP : 0,
	};
	_cleanup_nl_msg_ struct nl_msg *msg = rg_nl_msg(RTM_NEWLINK, 0, &ifi, sizeof(ifi));
	int r;

	if (!msg || put_change(msg, change) < 0)
		return rg_err_set(err, -ENOMEM, "network device number %d: out of memory", ifindex);
	r = rg_nl_call(nl, TAKE_PTR(msg), NULL, NULL, err);
	return r < 0 ? rg_err_ctx(err, r, "cannot change network device number %d", ifindex) : 0;
}

int rg_link_delete(struct rg_nl *nl, int ifindex, struct rg_err *err)
{
	const struct ifinfomsg ifi = {.ifi_index = ifindex};
	int r = rg_nl_call(nl, rg_nl_msg(RTM_DELLINK, 0, &ifi, sizeof(ifi)), NULL, NULL, err);

	return r < 0 ? rg_err_ctx(err, r, "cannot delete network device number %d", ifindex) : 0;
}

int rg_link_altname(struct rg_nl *nl, int ifindex, const char *altname, bool add,
		    struct rg_err *err)
{
	const struct ifinfomsg ifi = {.ifi_index = ifindex};
	_cleanup_nl_msg_ struct nl_msg *msg = rg_nl_msg(add ? RTM_NEWLINKPROP : RTM_DELLINKPROP,
							add ? NLM_F_CREATE | NLM_F_EXCL : 0, &ifi,
							sizeof(ifi));
	struct nlattr *list = msg ? nla_nest_start(msg, IFLA_PROP_LIST) : NULL;
	int r;

	if (!list || nla_put_string(msg, IFLA_ALT_IFNAME, altname) < 0)
		return rg_err_set(err, -ENOMEM, "alternative name '%s': out of memory", altname);
	nla_nest_end(msg, list);
	r = rg_nl_call(nl, TAKE_PTR(msg), NULL, NULL, err);
	return r < 0 ? rg_err_ctx(err, r, "alternative name '%s' of device %d", altname, ifindex)
		     : 0;
}
