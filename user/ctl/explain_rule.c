// SPDX-License-Identifier: Apache-2.0
/*
 * Which rule decided. The program says only pass or a reason; the rule behind it is found by
 * looking into the same policy with the frame's addresses.
 */
#include <netinet/in.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>
#include <railgate/reason.h>
#include <string.h>

#include "base/inet.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/explain.h"
#include "event.h"
#include "explain_rule.h"
#include "names.h"
#include "policy_diff.h"
#include "reason.h"

const char *rg_explain_step(unsigned int reason)
{
	switch (reason) {
	case RG_REASON_NO_POLICY:
		return "policy loaded";
	case RG_REASON_SHORT:
	case RG_REASON_ETHERTYPE:
	case RG_REASON_ROCE_V1:
	case RG_REASON_VLAN:
	case RG_REASON_LLC:
		return "layer 2";
	case RG_REASON_MAC_SRC:
	case RG_REASON_SRC_IP:
	case RG_REASON_ARP_BAD:
	case RG_REASON_ND_BAD:
		return "identity";
	case RG_REASON_DST_CIDR:
	case RG_REASON_DST_MCAST:
	case RG_REASON_PROTO_DENIED:
		return "destination";
	case RG_REASON_RATE:
		return "rate limit";
	case RG_REASON_FRAG_ROCE:
	case RG_REASON_ROCE_SHORT:
	case RG_REASON_ROCE_TVER:
	case RG_REASON_ROCE_OPCODE:
	case RG_REASON_ROCE_QPN:
	case RG_REASON_ROCE_CNP:
	case RG_REASON_ROCE_GSO:
	case RG_REASON_ROCE_SENDER:
		return "RoCE";
	default:
		return "headers";
	}
}

/* Longest of the RDMA CIDRs that holds an address. */
static const struct rg_policy_cidr *find_cidr(const struct rg_policy *policy,
					      const struct rg_addr *a)
{
	const struct rg_policy_cidr *best = NULL;
	size_t i;

	for (i = 0; i < policy->n_cidrs; i++) {
		const struct rg_policy_cidr *c = &policy->cidrs[i];

		if (c->scope == RG_SCOPE_RDMA && rg_cidr_contains(&c->net, a) &&
		    (!best || c->net.prefix > best->net.prefix))
			best = c;
	}
	return best;
}

static bool allow_holds(const struct rg_allow *a, const struct rg_event *frame, bool host)
{
	struct rg_cidr_net to = {.prefix = a->to_prefix};
	struct rg_addr dst;

	if (!a->in_use || a->proto != frame->proto ||
	    !(a->from & (host ? RG_FROM_HOST : RG_FROM_PODS)) ||
	    (a->port && a->port != frame->dport && a->port != frame->sport))
		return false;
	if (!a->to_prefix)
		return true;
	memcpy(to.addr.b, a->to, sizeof(to.addr.b));
	memcpy(dst.b, frame->daddr, sizeof(dst.b));
	if (rg_addr_is_v4(&to.addr) && to.prefix >= 96)
		to.prefix = (uint8_t)(to.prefix - 96);
	return rg_cidr_contains(&to, &dst);
}

static int find_allow(const struct rg_rail *rail, const struct rg_event *frame, bool host)
{
	size_t i;

	for (i = 0; i < rail->n_allows && i < RG_MAX_ALLOWS; i++)
		if (allow_holds(&rail->allows[i], frame, host))
			return (int)i;
	return -1;
}

static bool is_strict(const struct rg_rail *rail, const struct rg_explain_result *result)
{
	return rail->profile == RG_PROFILE_STRICT || result->ident_flags & RG_IDENT_STRICT;
}

static void pass_rule(const struct rg_policy *policy, const struct rg_rail *rail,
		      const struct rg_event *frame, const struct rg_explain_result *result,
		      char buf[RG_RULE_SIZE])
{
	char text[128];
	const struct rg_policy_cidr *cidr;
	struct rg_addr dst;
	int allow;

	memcpy(dst.b, frame->daddr, sizeof(dst.b));
	if (!result->tx.l2_packets && !result->tx.roce_packets && !result->tx.ip_packets) {
		(void)rg_str_copy(
			buf, RG_RULE_SIZE,
			"this hook leaves the decision to the rail's hook, which sees the "
			"frame too");
		return;
	}
	if (result->tx.l2_packets) {
		(void)rg_str_copy(buf, RG_RULE_SIZE,
				  "ARP, neighbour discovery and the host's layer 2 protocols pass "
				  "with the sender's own addresses");
		return;
	}
	if (result->tx.roce_packets && !is_strict(rail, result)) {
		(void)rg_str_copy(buf, RG_RULE_SIZE,
				  "profile standard: well-formed RoCEv2 goes to any unicast "
				  "destination");
		return;
	}
	allow = find_allow(rail, frame, result->ident_flags & RG_IDENT_HOST);
	cidr = find_cidr(policy, &dst);
	if (cidr)
		(void)rg_str_format(buf, RG_RULE_SIZE, "rdmaCidrs[%u] %s holds the destination",
				    cidr->index, rg_cidr_format(&cidr->net, text));
	else if (allow >= 0)
		(void)rg_str_format(buf, RG_RULE_SIZE, "policy.allow: %s",
				    rg_name_allow(&rail->allows[allow], text, sizeof(text)));
	else
		(void)rg_str_copy(buf, RG_RULE_SIZE, "nothing stops it");
}

static void drop_rule(const struct rg_policy *policy, const struct rg_rail *rail,
		      const struct rg_event *frame, const struct rg_explain_result *result,
		      char buf[RG_RULE_SIZE])
{
	char text[RG_POLICY_TEXT_SIZE], addr[RG_ADDR_STR_LEN];
	struct rg_addr a;

	switch (result->reason) {
	case RG_REASON_DST_CIDR:
		memcpy(a.b, frame->daddr, sizeof(a.b));
		(void)rg_str_format(buf, RG_RULE_SIZE,
				    "profile %s: %s lies in none of rdmaCidrs (%.200s)%s",
				    rg_name_profile(is_strict(rail, result)),
				    rg_addr_format(&a, addr),
				    rg_policy_cidrs_text(policy, RG_SCOPE_RDMA, text, sizeof(text)),
				    rail->n_allows ? ", and no exception fits" : "");
		return;
	case RG_REASON_SRC_IP:
		memcpy(a.b, frame->saddr, sizeof(a.b));
		(void)rg_str_format(buf, RG_RULE_SIZE,
				    "%s is not an address of the endpoint that has this MAC",
				    rg_addr_format(&a, addr));
		return;
	case RG_REASON_MAC_SRC:
		(void)rg_str_format(buf, RG_RULE_SIZE, "MAC %s belongs to no endpoint of %s",
				    rg_mac_format(frame->header + RG_MAC_LEN, addr), rail->name);
		return;
	case RG_REASON_VLAN:
		(void)rg_str_format(buf, RG_RULE_SIZE, "vlans: %s",
				    rg_policy_vlans_text(rail, text, sizeof(text)));
		return;
	case RG_REASON_PROTO_DENIED:
		(void)rg_str_format(buf, RG_RULE_SIZE,
				    "profile strict: %s is not listed in policy.allow (%.300s)",
				    rg_name_proto(frame->proto, addr),
				    rg_policy_allows_text(rail, text, sizeof(text)));
		return;
	default:
		(void)rg_str_copy(buf, RG_RULE_SIZE, rg_reason_meaning(result->reason));
	}
}

char *rg_explain_rule(const struct rg_policy *policy, unsigned int rail,
		      const struct rg_event *frame, const struct rg_explain_result *result,
		      char buf[RG_RULE_SIZE])
{
	if (result->reason == RG_REASON_PASS)
		pass_rule(policy, &policy->rails[rail], frame, result, buf);
	else
		drop_rule(policy, &policy->rails[rail], frame, result, buf);
	return buf;
}
