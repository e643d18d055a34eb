// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses of network devices.
 */
#include <string.h>
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "net/addr.h"

int rg_ifaddr_parse(const struct nlmsghdr *nlh, struct rg_ifaddr *ret)
{
	const struct ifaddrmsg *ifa = nlmsg_data(nlh);
	struct nlattr *tb[IFA_MAX + 1], *attr;

	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*ifa), tb, IFA_MAX, NULL) < 0)
		return -EPROTO;
	/* of a point-to-point pair, IFA_ADDRESS is the peer */
	attr = tb[IFA_LOCAL] ? tb[IFA_LOCAL] : tb[IFA_ADDRESS];
	memset(ret, 0, sizeof(*ret));
	if (attr && ifa->ifa_family == AF_INET && nla_len(attr) == 4)
		rg_addr_from_v4(nla_data(attr), &ret->cidr.addr);
	else if (attr && ifa->ifa_family == AF_INET6 && nla_len(attr) == 16)
		memcpy(ret->cidr.addr.b, nla_data(attr), 16);
	else
		return -EPROTO;
	ret->ifindex = (int)ifa->ifa_index;
	ret->cidr.prefix = ifa->ifa_prefixlen;
	if (!rg_cidr_is_valid(&ret->cidr))
		return -EPROTO;
	ret->scope = ifa->ifa_scope;
	ret->flags = ifa->ifa_flags;
	if (tb[IFA_RT_PRIORITY] && nla_len(tb[IFA_RT_PRIORITY]) >= 4)
		ret->metric = nla_get_u32(tb[IFA_RT_PRIORITY]);
	if (tb[IFA_FLAGS] && nla_len(tb[IFA_FLAGS]) >= 4)
		ret->flags = nla_get_u32(tb[IFA_FLAGS]);
	return 0;
}

static struct nl_msg *change_msg(int type, int flags, const struct rg_ifaddr *addr)
{
	const struct ifaddrmsg ifa = {
		.ifa_family = (uint8_t)rg_addr_family(&addr->cidr.addr),
		.ifa_prefixlen = addr->cidr.prefix,
		.ifa_scope = addr->scope,
		.ifa_index = (uint32_t)addr->ifindex,
	};
	_cleanup_nl_msg_ struct nl_msg *msg = rg_nl_msg(type, flags, &ifa, sizeof(ifa));
	size_t len;
	const uint8_t *raw = rg_addr_raw(&addr->cidr.addr, &len);

	if (!msg || nla_put(msg, IFA_LOCAL, (int)len, raw) < 0 ||
	    nla_put(msg, IFA_ADDRESS, (int)len, raw) < 0 ||
	    nla_put_u32(msg, IFA_FLAGS, addr->flags) < 0 ||
	    (addr->metric && nla_put_u32(msg, IFA_RT_PRIORITY, addr->metric) < 0))
		return NULL;
	/* a subnet of one or two addresses has no broadcast address (RFC 3021) */
	if (type == RTM_NEWADDR && len == 4 && addr->cidr.prefix < 31) {
		uint32_t host = addr->cidr.prefix ? (1U << (32 - addr->cidr.prefix)) - 1
						  : UINT32_MAX;
		uint32_t v4;

		memcpy(&v4, raw, 4);
		if (nla_put_u32(msg, IFA_BROADCAST, v4 | htonl(host)) < 0)
			return NULL;
	}
	return TAKE_PTR(msg);
}

int rg_ifaddr_add(struct rg_nl *nl, const struct rg_ifaddr *addr, struct rg_err *err)
{
	char text[RG_CIDR_STR_LEN];
	int r = rg_nl_call(nl, change_msg(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, addr), NULL, NULL,
			   err);

	return r < 0 ? rg_err_ctx(err, r, "cannot add address %s to device %d",
				  rg_cidr_format(&addr->cidr, text), addr->ifindex)
		     : 0;
}

int rg_ifaddr_delete(struct rg_nl *nl, const struct rg_ifaddr *addr, struct rg_err *err)
{
	char text[RG_CIDR_STR_LEN];
	int r = rg_nl_call(nl, change_msg(RTM_DELADDR, 0, addr), NULL, NULL, err);

	return r < 0 ? rg_err_ctx(err, r, "cannot remove address %s from device %d",
				  rg_cidr_format(&addr->cidr, text), addr->ifindex)
		     : 0;
}

static int parse_item(const struct nlmsghdr *nlh, void *item, void *arg)
{
	const int *ifindex = arg;
	struct rg_ifaddr *addr = item;

	if (nlh->nlmsg_type != RTM_NEWADDR || rg_ifaddr_parse(nlh, addr) < 0)
		return 0;
	/* kernels before 4.20 ignore the filter of the request */
	return !*ifindex || addr->ifindex == *ifindex;
}

int rg_ifaddr_list(struct rg_nl *nl, int ifindex, struct rg_ifaddr **ret, size_t *ret_n,
		   struct rg_err *err)
{
	const struct ifaddrmsg ifa = {.ifa_index = (uint32_t)ifindex};
	int r = rg_nl_list(nl, rg_nl_msg(RTM_GETADDR, NLM_F_DUMP, &ifa, sizeof(ifa)),
			   sizeof(struct rg_ifaddr), parse_item, &ifindex, (void **)ret, ret_n,
			   err);

	/* a filter that names a device that is gone */
	return r < 0 ? rg_err_ctx(err, r, "list of addresses") : 0;
}
