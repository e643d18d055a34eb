// SPDX-License-Identifier: Apache-2.0
/*
 * Policy routing rules.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "base/str.h"
#include "net/rule.h"

static bool attr_net(struct nlattr *attr, int family, uint8_t prefix, struct rg_cidr_net *ret)
{
	if (!attr || nla_len(attr) != (family == AF_INET ? 4 : 16))
		return false;
	if (family == AF_INET)
		rg_addr_from_v4(nla_data(attr), &ret->addr);
	else
		memcpy(ret->addr.b, nla_data(attr), sizeof(ret->addr.b));
	ret->prefix = prefix;
	return rg_cidr_is_valid(ret);
}

static uint32_t attr_u32(struct nlattr *attr, uint32_t fallback)
{
	return attr && nla_len(attr) >= 4 ? nla_get_u32(attr) : fallback;
}

int rg_rule_parse(const struct nlmsghdr *nlh, struct rg_rule *ret)
{
	const struct fib_rule_hdr *frh = nlmsg_data(nlh);
	struct nlattr *tb[FRA_MAX + 1];

	if (nlmsg_parse((struct nlmsghdr *)nlh, sizeof(*frh), tb, FRA_MAX, NULL) < 0 ||
	    (frh->family != AF_INET && frh->family != AF_INET6))
		return -EPROTO;
	memset(ret, 0, sizeof(*ret));
	ret->family = frh->family;
	ret->invert = frh->flags & FIB_RULE_INVERT;
	ret->has_src = attr_net(tb[FRA_SRC], frh->family, frh->src_len, &ret->src);
	ret->has_dst = attr_net(tb[FRA_DST], frh->family, frh->dst_len, &ret->dst);
	rg_nl_attr_str(tb[FRA_IIFNAME], ret->iif, sizeof(ret->iif));
	rg_nl_attr_str(tb[FRA_OIFNAME], ret->oif, sizeof(ret->oif));
	ret->has_fwmark = tb[FRA_FWMARK] != NULL;
	ret->fwmark = attr_u32(tb[FRA_FWMARK], 0);
	ret->priority = attr_u32(tb[FRA_PRIORITY], 0);
	if (frh->action == FR_ACT_TO_TBL)
		ret->table = attr_u32(tb[FRA_TABLE], frh->table);
	if (tb[FRA_PROTOCOL] && nla_len(tb[FRA_PROTOCOL]) >= 1)
		ret->protocol = nla_get_u8(tb[FRA_PROTOCOL]);
	return 0;
}

static int parse_item(const struct nlmsghdr *nlh, void *item, void *arg)
{
	(void)arg;
	return nlh->nlmsg_type == RTM_NEWRULE && rg_rule_parse(nlh, item) == 0;
}

/* A request without a family would also ask for those of IPv4 multicast routing. */
static int list_family(struct rg_nl *nl, uint8_t family, struct rg_rule **ret, size_t *ret_n,
		       struct rg_err *err)
{
	const struct fib_rule_hdr frh = {.family = family};
	int r = rg_nl_list(nl, rg_nl_msg(RTM_GETRULE, NLM_F_DUMP, &frh, sizeof(frh)),
			   sizeof(struct rg_rule), parse_item, NULL, (void **)ret, ret_n, err);

	/* a kernel without this family, or without policy routing */
	if (r == -EAFNOSUPPORT || r == -EOPNOTSUPP) {
		*ret = NULL;
		*ret_n = 0;
		return 0;
	}
	return r < 0 ? rg_err_ctx(err, r, "list of rules") : 0;
}

int rg_rule_list(struct rg_nl *nl, struct rg_rule **ret, size_t *ret_n, struct rg_err *err)
{
	_cleanup_free_ struct rg_rule *v4 = NULL, *v6 = NULL;
	size_t n4 = 0, n6 = 0;
	void *all;
	int r;

	r = list_family(nl, AF_INET, &v4, &n4, err);
	if (r == 0)
		r = list_family(nl, AF_INET6, &v6, &n6, err);
	if (r < 0)
		return r;
	all = reallocarray(v4, n4 + n6 + 1, sizeof(*v4));
	if (!all)
		return rg_err_errno(err, -ENOMEM, "list of rules");
	v4 = all;
	if (n6)
		memcpy(v4 + n4, v6, n6 * sizeof(*v6));
	*ret = TAKE_PTR(v4);
	*ret_n = n4 + n6;
	return 0;
}

static void append(char *buf, const char *before, const char *text)
{
	size_t len = strlen(buf);

	(void)rg_str_format(buf + len, RG_RULE_TEXT_SIZE - len, "%s%s", before, text);
}

char *rg_rule_format(const struct rg_rule *rule, char buf[RG_RULE_TEXT_SIZE])
{
	char text[RG_CIDR_STR_LEN];

	(void)rg_str_format(buf, RG_RULE_TEXT_SIZE, "%u: %sfrom %s", rule->priority,
			    rule->invert ? "not " : "",
			    rule->has_src ? rg_cidr_format(&rule->src, text) : "all");
	if (rule->has_dst)
		append(buf, " to ", rg_cidr_format(&rule->dst, text));
	if (rule->has_fwmark) {
		(void)rg_str_format(text, sizeof(text), "0x%x", rule->fwmark);
		append(buf, " fwmark ", text);
	}
	if (rule->iif[0])
		append(buf, " iif ", rule->iif);
	if (rule->oif[0])
		append(buf, " oif ", rule->oif);
	if (rule->table) {
		(void)rg_str_format(text, sizeof(text), "%u", rule->table);
		append(buf, " lookup ", text);
	}
	return buf;
}
