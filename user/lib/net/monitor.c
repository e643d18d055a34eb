// SPDX-License-Identifier: Apache-2.0
/*
 * Rtnetlink notifications as events.
 */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "base/err.h"
#include "net/monitor.h"

static const struct {
	unsigned int what;
	int group;
} groups[] = {
	{RG_NET_WATCH_LINKS, RTNLGRP_LINK},	   {RG_NET_WATCH_ADDRS, RTNLGRP_IPV4_IFADDR},
	{RG_NET_WATCH_ADDRS, RTNLGRP_IPV6_IFADDR}, {RG_NET_WATCH_ROUTES, RTNLGRP_IPV4_ROUTE},
	{RG_NET_WATCH_ROUTES, RTNLGRP_IPV6_ROUTE},
};

int rg_net_monitor_open(unsigned int what, struct rg_nl **ret, struct rg_err *err)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	int r = rg_nl_open(NETLINK_ROUTE, &nl, err);

	for (size_t i = 0; i < ARRAY_SIZE(groups) && r == 0; i++) {
		if (groups[i].what & what)
			r = rg_nl_join(nl, groups[i].group, err);
	}
	if (r < 0)
		return r;
	*ret = TAKE_PTR(nl);
	return 0;
}

/**
 * struct reader - whom to tell
 * @fn: called for each event
 * @arg: for @fn
 */
struct reader {
	rg_net_event_fn fn;
	void *arg;
};

static int read_message(const struct nlmsghdr *nlh, void *arg)
{
	const struct reader *reader = arg;
	struct rg_net_event e;
	int r;

	switch (nlh->nlmsg_type) {
	case RTM_NEWLINK:
	case RTM_DELLINK:
		e.kind = nlh->nlmsg_type == RTM_NEWLINK ? RG_NET_LINK_NEW : RG_NET_LINK_GONE;
		r = rg_link_parse(nlh, &e.link);
		break;
	case RTM_NEWADDR:
	case RTM_DELADDR:
		e.kind = nlh->nlmsg_type == RTM_NEWADDR ? RG_NET_ADDR_NEW : RG_NET_ADDR_GONE;
		r = rg_ifaddr_parse(nlh, &e.addr);
		break;
	case RTM_NEWROUTE:
	case RTM_DELROUTE:
		e.kind = nlh->nlmsg_type == RTM_NEWROUTE ? RG_NET_ROUTE_NEW : RG_NET_ROUTE_GONE;
		r = rg_route_parse(nlh, &e.route);
		break;
	default:
		return 0;
	}
	if (r == 0)
		reader->fn(&e, reader->arg);
	return 0;
}

int rg_net_monitor_read(struct rg_nl *nl, rg_net_event_fn fn, void *arg)
{
	struct reader reader = {.fn = fn, .arg = arg};
	int r = rg_nl_receive(nl, read_message, &reader);

	if (r == -ENOBUFS) {
		const struct rg_net_event lost = {.kind = RG_NET_LOST};

		fn(&lost, arg);
		return 0;
	}
	return r < 0 ? r : 0;
}
