// SPDX-License-Identifier: Apache-2.0
/*
 * Routes.
 */
#include <string.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "net/route.h"

static bool attr_addr(struct nlattr *attr, int family, struct rg_addr *ret)
{
	if (!attr || nla_len(attr) != (family == AF_INET ? 4 : 16))
		return false;
	if (family == AF_INET)
		rg_addr_from_v4(nla_data(attr), ret);
	else
		memcpy(ret->b, nla_data(attr), 16);
	return true;
}

static uint32_t attr_u32(struct nlattr *attr, uint32_t fallback)
{
	return attr && nla_len(attr) >= 4 ? nla_get_u32(attr) : fallback;
}

/* IPv4 routes may go by an IPv6 gateway: RTA_VIA is the address with its family in front. */
static bool attr_via(struct nlattr *attr, struct rg_addr *ret)
{
	const struct rtvia *via = attr ? nla_data(attr) : NULL;
	int len = attr ? nla_len(attr) - (int)sizeof(*via) : 0;

	if (len == 16 && via->rtvia_family == AF_INET6) {
		memcpy(ret->b, via->rtvia_addr, 16);
		return true;
	}
	if (len == 4 && via->rtvia_family == AF_INET) {
		rg_addr_from_v4(via->rtvia_addr, ret);
		return true;
	}
	return false;
}

/* First of several next hops. */
static void parse_multipath(struct nlattr *attr, int family, struct rg_route *ret)
{
	struct rtnexthop *nh = nla_data(attr);
	struct nlattr *tb[RTA_MAX + 1];

	if (nla_len(attr) < (int)sizeof(*nh) || nh->rtnh_len > nla_len(attr) ||
	    nh->rtnh_len < sizeof(*nh) ||
	    nla_parse(tb, RTA_MAX, (struct nlattr *)RTNH_DATA(nh), nh->rtnh_len - (int)sizeof(*nh),
		      NULL) < 0)
		return;
	ret->ifindex = nh->rtnh_ifindex;
	ret->flags = nh->rtnh_flags;
	ret->has_gateway = attr_addr(tb[RTA_GATEWAY], family, &ret->gateway) ||
			   attr_via(tb[RTA_VIA], &ret->gateway);
}

static void parse_metrics(struct nlattr *attr, struct rg_route *ret)
{
	struct nlattr *tb[RTAX_MAX + 1];

	if (!attr || nla_parse_nested(tb, RTAX_MAX, attr, NULL) < 0)
		return;
	ret->mtu = attr_u32(tb[RTAX_MTU], 0);
	ret->advmss = attr_u32(tb[RTAX_ADVMSS], 0);
}

int rg_route_parse(const struct nlmsghdr *nlh, struct rg_route *ret)
{
	const struct rtmsg *rtm = nlmsg_data(nlh);
	struct nlattr *tb[RTA_MAX + 1];
	int family;

	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*rtm), tb, RTA_MAX, NULL) < 0)
		return -EPROTO;
	family = rtm->rtm_family;
	if (family != AF_INET && family != AF_INET6)
		return -EPROTO;
	memset(ret, 0, sizeof(*ret));
	if (family == AF_INET) /* 0.0.0.0 in the mapped form */
		rg_addr_from_v4(&(uint32_t){0}, &ret->dst.addr);
	(void)attr_addr(tb[RTA_DST], family, &ret->dst.addr);
	ret->dst.prefix = rtm->rtm_dst_len;
	if (!rg_cidr_is_valid(&ret->dst))
		return -EPROTO;
	ret->has_gateway = attr_addr(tb[RTA_GATEWAY], family, &ret->gateway) ||
			   attr_via(tb[RTA_VIA], &ret->gateway);
	ret->has_prefsrc = attr_addr(tb[RTA_PREFSRC], family, &ret->prefsrc);
	ret->ifindex = (int)attr_u32(tb[RTA_OIF], 0);
	ret->metric = attr_u32(tb[RTA_PRIORITY], 0);
	ret->table = attr_u32(tb[RTA_TABLE], rtm->rtm_table);
	ret->scope = rtm->rtm_scope;
	ret->protocol = rtm->rtm_protocol;
	ret->type = rtm->rtm_type;
	ret->flags = rtm->rtm_flags;
	if (tb[RTA_MULTIPATH])
		parse_multipath(tb[RTA_MULTIPATH], family, ret);
	parse_metrics(tb[RTA_METRICS], ret);
	return 0;
}

static int put_addr(struct nl_msg *msg, int attr, const struct rg_addr *addr)
{
	size_t len;
	const uint8_t *raw = rg_addr_raw(addr, &len);

	return nla_put(msg, attr, (int)len, raw);
}

/* RTA_GATEWAY, or RTA_VIA where the gateway is of the other family. */
static int put_gateway(struct nl_msg *msg, const struct rg_route *route)
{
	char buf[sizeof(struct rtvia) + 16];
	struct rtvia *via = (struct rtvia *)buf;
	size_t len;
	const uint8_t *raw = rg_addr_raw(&route->gateway, &len);

	if (rg_addr_family(&route->gateway) == rg_addr_family(&route->dst.addr))
		return nla_put(msg, RTA_GATEWAY, (int)len, raw);
	via->rtvia_family = (uint16_t)rg_addr_family(&route->gateway);
	memcpy(via->rtvia_addr, raw, len);
	return nla_put(msg, RTA_VIA, (int)(sizeof(*via) + len), buf);
}

static int put_metrics(struct nl_msg *msg, const struct rg_route *route)
{
	struct nlattr *nest = nla_nest_start(msg, RTA_METRICS);
	int r = nest ? 0 : -1;

	if (route->mtu)
		r = r ? r : nla_put_u32(msg, RTAX_MTU, route->mtu);
	if (route->advmss)
		r = r ? r : nla_put_u32(msg, RTAX_ADVMSS, route->advmss);
	if (nest)
		nla_nest_end(msg, nest);
	return r;
}

static int put_route(struct nl_msg *msg, const struct rg_route *route)
{
	int r = nla_put_u32(msg, RTA_TABLE, route->table ? route->table : RT_TABLE_MAIN);

	if (route->dst.prefix)
		r = r ? r : put_addr(msg, RTA_DST, &route->dst.addr);
	if (route->has_gateway)
		r = r ? r : put_gateway(msg, route);
	if (route->has_prefsrc)
		r = r ? r : put_addr(msg, RTA_PREFSRC, &route->prefsrc);
	if (route->ifindex)
		r = r ? r : nla_put_u32(msg, RTA_OIF, (uint32_t)route->ifindex);
	if (route->metric)
		r = r ? r : nla_put_u32(msg, RTA_PRIORITY, route->metric);
	if (route->mtu || route->advmss)
		r = r ? r : put_metrics(msg, route);
	return r;
}

static int change(struct rg_nl *nl, int type, int flags, const struct rg_route *route,
		  const char *verb, struct rg_err *err)
{
	const struct rtmsg rtm = {
		.rtm_family = (uint8_t)rg_addr_family(&route->dst.addr),
		.rtm_dst_len = route->dst.prefix,
		.rtm_scope = route->scope,
		.rtm_protocol = route->protocol,
		.rtm_type = route->type ? route->type : RTN_UNICAST,
		.rtm_flags = route->flags & RTNH_F_ONLINK,
	};
	_cleanup_nl_msg_ struct nl_msg *msg = rg_nl_msg(type, flags, &rtm, sizeof(rtm));
	char text[RG_CIDR_STR_LEN];
	int r;

	if (!msg || put_route(msg, route) < 0)
		return rg_err_set(err, -ENOMEM, "route: out of memory");
	r = rg_nl_call(nl, TAKE_PTR(msg), NULL, NULL, err);
	return r < 0 ? rg_err_ctx(err, r, "cannot %s route to %s over device %d metric %u", verb,
				  rg_cidr_format(&route->dst, text), route->ifindex, route->metric)
		     : 0;
}

int rg_route_add(struct rg_nl *nl, const struct rg_route *route, bool replace, struct rg_err *err)
{
	return change(nl, RTM_NEWROUTE, NLM_F_CREATE | (replace ? NLM_F_REPLACE : NLM_F_EXCL),
		      route, replace ? "set" : "add", err);
}

int rg_route_delete(struct rg_nl *nl, const struct rg_route *route, struct rg_err *err)
{
	return change(nl, RTM_DELROUTE, 0, route, "remove", err);
}

/**
 * struct filter - routes wanted
 * @ifindex: device, 0 for any
 * @table: table, 0 for any
 */
struct filter {
	int ifindex;
	uint32_t table;
};

static int parse_item(const struct nlmsghdr *nlh, void *item, void *arg)
{
	const struct filter *f = arg;
	struct rg_route *route = item;

	/* cached exceptions are no configuration */
	if (nlh->nlmsg_type != RTM_NEWROUTE || rg_route_parse(nlh, route) < 0 ||
	    (((const struct rtmsg *)nlmsg_data(nlh))->rtm_flags & RTM_F_CLONED))
		return 0;
	return (!f->ifindex || route->ifindex == f->ifindex) &&
	       (!f->table || route->table == f->table);
}

int rg_route_list(struct rg_nl *nl, int ifindex, uint32_t table, struct rg_route **ret,
		  size_t *ret_n, struct rg_err *err)
{
	struct filter filter = {.ifindex = ifindex, .table = table};
	const struct rtmsg rtm = {0};
	int r = rg_nl_list(nl, rg_nl_msg(RTM_GETROUTE, NLM_F_DUMP, &rtm, sizeof(rtm)),
			   sizeof(struct rg_route), parse_item, &filter, (void **)ret, ret_n, err);

	return r < 0 ? rg_err_ctx(err, r, "list of routes") : 0;
}
