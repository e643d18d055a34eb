/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy routing rules ("ip rule"). railgate makes none; it finds those that others left.
 */
#ifndef RG_NET_RULE_H
#define RG_NET_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include "base/inet.h"
#include "net/nl.h"

/**
 * struct rg_rule - a rule
 * @family: AF_INET or AF_INET6
 * @invert: the rule holds for packets that do not match ("not")
 * @src: source network, valid if @has_src
 * @has_src: whether @src is given
 * @dst: destination network, valid if @has_dst
 * @has_dst: whether @dst is given
 * @iif: incoming device, empty if not given
 * @oif: outgoing device, empty if not given
 * @fwmark: mark, valid if @has_fwmark
 * @has_fwmark: whether @fwmark is given
 * @priority: position, the lowest is looked at first
 * @table: table looked up, 0 for a rule with another action
 * @protocol: who made it (RTPROT_*), 0 if unknown
 */
struct rg_rule {
	uint8_t family;
	bool invert;
	struct rg_cidr_net src;
	bool has_src;
	struct rg_cidr_net dst;
	bool has_dst;
	char iif[IF_NAMESIZE];
	char oif[IF_NAMESIZE];
	uint32_t fwmark;
	bool has_fwmark;
	uint32_t priority;
	uint32_t table;
	uint8_t protocol;
};

#define RG_RULE_TEXT_SIZE 256

/**
 * rg_rule_parse() - read an RTM_NEWRULE message
 * @nlh: message
 * @ret: rule
 *
 * Return: 0, or -EPROTO if the message is not a well-formed IP rule
 */
int rg_rule_parse(const struct nlmsghdr *nlh, struct rg_rule *ret);

/**
 * rg_rule_list() - rules of both families, in the order in which they are looked at
 * @nl: NETLINK_ROUTE socket
 * @ret: array, to be freed with free()
 * @ret_n: number of rules
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_rule_list(struct rg_nl *nl, struct rg_rule **ret, size_t *ret_n, struct rg_err *err);

/**
 * rg_rule_format() - a rule as "ip rule" prints it
 * @rule: rule
 * @buf: such as "2000: not from all to 172.16.0.0/16 lookup 254"
 *
 * Return: @buf
 */
char *rg_rule_format(const struct rg_rule *rule, char buf[RG_RULE_TEXT_SIZE]);

#endif /* RG_NET_RULE_H */
