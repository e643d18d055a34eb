// SPDX-License-Identifier: Apache-2.0
/*
 * Reading network devices.
 */
#include <string.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "base/str.h"
#include "net/link.h"

#ifndef RTEXT_FILTER_SKIP_STATS
#define RTEXT_FILTER_SKIP_STATS (1 << 3)
#endif

/* Newest attribute read here; older headers may not name it. */
#define ATTR_PARENT_DEV_NAME	 56
#define ATTR_PARENT_DEV_BUS_NAME 57
#define ATTR_MAX		 ATTR_PARENT_DEV_BUS_NAME

static uint32_t attr_u32(struct nlattr *attr, uint32_t fallback)
{
	return attr && nla_len(attr) >= 4 ? nla_get_u32(attr) : fallback;
}

static bool attr_mac(struct nlattr *attr, uint8_t ret[RG_MAC_LEN])
{
	if (!attr || nla_len(attr) != RG_MAC_LEN)
		return false;
	memcpy(ret, nla_data(attr), RG_MAC_LEN);
	return true;
}

static void parse_kind(struct nlattr *info, struct rg_link *ret)
{
	struct nlattr *tb[IFLA_INFO_MAX + 1], *data[IFLA_MACVLAN_MAX + 1];

	if (!info || nla_parse_nested(tb, IFLA_INFO_MAX, info, NULL) < 0)
		return;
	rg_nl_attr_str(tb[IFLA_INFO_KIND], ret->kind, sizeof(ret->kind));
	if (!rg_str_equal(ret->kind, "macvlan") || !tb[IFLA_INFO_DATA] ||
	    nla_parse_nested(data, IFLA_MACVLAN_MAX, tb[IFLA_INFO_DATA], NULL) < 0)
		return;
	ret->macvlan_mode = attr_u32(data[IFLA_MACVLAN_MODE], 0);
}

static void parse_altnames(struct nlattr *list, struct rg_link *ret)
{
	struct nlattr *attr;
	int rem;

	if (!list)
		return;
	nla_for_each_nested(attr, list, rem)
	{
		if (nla_type(attr) != IFLA_ALT_IFNAME || ret->n_altnames == RG_LINK_MAX_ALTNAMES)
			continue;
		rg_nl_attr_str(attr, ret->altnames[ret->n_altnames++], RG_LINK_ALTNAME_SIZE);
	}
}

int rg_link_parse(const struct nlmsghdr *nlh, struct rg_link *ret)
{
	const struct ifinfomsg *ifi = nlmsg_data(nlh);
	struct nlattr *tb[ATTR_MAX + 1];

	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*ifi), tb, ATTR_MAX, NULL) < 0)
		return -EPROTO;
	memset(ret, 0, sizeof(*ret));
	ret->ifindex = ifi->ifi_index;
	ret->type = ifi->ifi_type;
	ret->flags = ifi->ifi_flags;
	rg_nl_attr_str(tb[IFLA_IFNAME], ret->name, sizeof(ret->name));
	rg_nl_attr_str(tb[IFLA_IFALIAS], ret->alias, sizeof(ret->alias));
	rg_nl_attr_str(tb[IFLA_PHYS_PORT_NAME], ret->phys_port, sizeof(ret->phys_port));
	rg_nl_attr_str(tb[ATTR_PARENT_DEV_BUS_NAME], ret->bus, sizeof(ret->bus));
	rg_nl_attr_str(tb[ATTR_PARENT_DEV_NAME], ret->dev, sizeof(ret->dev));
	ret->has_mac = attr_mac(tb[IFLA_ADDRESS], ret->mac);
	ret->has_perm_mac = attr_mac(tb[IFLA_PERM_ADDRESS], ret->perm_mac);
	ret->mtu = attr_u32(tb[IFLA_MTU], 0);
	ret->min_mtu = attr_u32(tb[IFLA_MIN_MTU], 0);
	ret->max_mtu = attr_u32(tb[IFLA_MAX_MTU], 0);
	ret->parent = (int)attr_u32(tb[IFLA_LINK], 0);
	ret->parent_nsid = (int)attr_u32(tb[IFLA_LINK_NETNSID], (uint32_t)-1);
	ret->master = (int)attr_u32(tb[IFLA_MASTER], 0);
	if (tb[IFLA_OPERSTATE] && nla_len(tb[IFLA_OPERSTATE]) >= 1)
		ret->operstate = nla_get_u8(tb[IFLA_OPERSTATE]);
	parse_kind(tb[IFLA_LINKINFO], ret);
	parse_altnames(tb[IFLA_PROP_LIST], ret);
	return 0;
}

static int parse_item(const struct nlmsghdr *nlh, void *item, void *arg)
{
	int r;

	(void)arg;
	if (nlh->nlmsg_type != RTM_NEWLINK)
		return 0;
	r = rg_link_parse(nlh, item);
	return r < 0 ? r : 1;
}

/**
 * struct one - a single device being read
 * @link: device
 * @found: whether the answer held one
 */
struct one {
	struct rg_link link;
	bool found;
};

static int parse_one(const struct nlmsghdr *nlh, void *arg)
{
	struct one *one = arg;
	int r = parse_item(nlh, &one->link, NULL);

	if (r > 0)
		one->found = true;
	return r < 0 ? r : 0;
}

static struct nl_msg *get_msg(int flags, int ifindex)
{
	const struct ifinfomsg ifi = {.ifi_index = ifindex};
	struct nl_msg *msg = rg_nl_msg(RTM_GETLINK, flags, &ifi, sizeof(ifi));

	if (msg && nla_put_u32(msg, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS) < 0) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int get(struct rg_nl *nl, struct nl_msg *msg, struct rg_link *ret, struct rg_err *err)
{
	struct one one = {0};
	int r = rg_nl_call(nl, msg, parse_one, &one, err);

	if (r == 0 && !one.found)
		r = rg_err_set(err, -ENODEV, "the kernel answered with no device");
	if (r == 0)
		*ret = one.link;
	return r;
}

int rg_link_get(struct rg_nl *nl, int ifindex, struct rg_link *ret, struct rg_err *err)
{
	int r = get(nl, get_msg(0, ifindex), ret, err);

	return r < 0 ? rg_err_ctx(err, r, "network device number %d", ifindex) : 0;
}

int rg_link_get_name(struct rg_nl *nl, const char *name, struct rg_link *ret, struct rg_err *err)
{
	/* the kernel looks longer names up among the alternative ones only */
	int attr = strlen(name) < IF_NAMESIZE ? IFLA_IFNAME : IFLA_ALT_IFNAME;
	_cleanup_nl_msg_ struct nl_msg *msg = get_msg(0, 0);
	int r;

	if (!msg || nla_put_string(msg, attr, name) < 0)
		return rg_err_set(err, -ENOMEM, "network device '%s': out of memory", name);
	r = get(nl, TAKE_PTR(msg), ret, err);
	return r < 0 ? rg_err_ctx(err, r, "network device '%s'", name) : 0;
}

int rg_link_list(struct rg_nl *nl, struct rg_link **ret, size_t *ret_n, struct rg_err *err)
{
	int r = rg_nl_list(nl, get_msg(NLM_F_DUMP, 0), sizeof(struct rg_link), parse_item, NULL,
			   (void **)ret, ret_n, err);

	return r < 0 ? rg_err_ctx(err, r, "list of network devices") : 0;
}
