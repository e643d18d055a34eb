/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where a well-formed packet may go: profiles, RDMA CIDRs, exceptions.
 */
#ifndef RG_BPF_POLICY_H
#define RG_BPF_POLICY_H

#include "lib/maps.h"
#include "lib/pkt.h"
#include "lib/rate.h"

#define RG_TCP_ACK 0x10

/**
 * rg_policy_rail() - configuration of a rail
 * @rail: rail number
 *
 * The outer element is read once a packet: what follows is all of one configuration.
 *
 * Return: configuration, or NULL if there is none
 */
static __always_inline const struct rg_rail *rg_policy_rail(__u32 rail)
{
	const struct rg_rail *cfg;
	__u32 zero = 0;
	void *inner;

	inner = bpf_map_lookup_elem(&rg_config, &zero);
	if (!inner)
		return NULL;
	cfg = bpf_map_lookup_elem(inner, &rail);
	return cfg && cfg->mode != RG_MODE_NONE ? cfg : NULL;
}

/**
 * rg_policy_in() - is the destination in one of the networks of a scope?
 * @p: packet
 * @cfg: rail, for its generation
 * @scope: RG_SCOPE_*
 */
static __noinline bool rg_policy_in(struct rg_pkt *p, const struct rg_rail *cfg, __u32 scope)
{
	const struct rg_cidr *cidr;
	struct rg_cidr_key key;

	if (!cfg)
		return false;
	key.prefixlen = RG_CIDR_FIXED_BITS + 128;
	key.generation = cfg->generation;
	key.scope = scope;
	__builtin_memcpy(key.addr, p->dst, sizeof(key.addr));
	cidr = bpf_map_lookup_elem(&rg_cidrs, &key);
	if (!cidr)
		return false;
	return p->ethertype == ETH_P_IPV6 || cidr->prefix >= 96;
}

/* Is the destination on this rail's link or in the RDMA fabric, as far as anyone has told us? */
static __always_inline bool rg_policy_near(struct rg_pkt *p, const struct rg_rail *cfg)
{
	return rg_policy_in(p, cfg, RG_SCOPE_RDMA) ||
	       rg_policy_in(p, cfg, RG_SCOPE_SUBNET(p->src.rail));
}

/* Profile of the rail, or of the endpoint where it is the stronger one. */
static __always_inline bool rg_policy_strict(const struct rg_pkt *p, const struct rg_rail *cfg)
{
	return cfg->profile == RG_PROFILE_STRICT || p->flags & RG_IDENT_STRICT;
}

/* Mask of the part of a prefix that falls into the 32-bit word at bit @at. */
static __always_inline __be32 rg_policy_mask(__u32 prefix, __u32 at)
{
	if (prefix <= at)
		return 0;
	return prefix - at >= 32 ? 0xffffffff : bpf_htonl(~0u << (32 - (prefix - at)));
}

static __always_inline bool rg_allow_to(const struct rg_allow *a, const struct rg_pkt *p)
{
	const __u32 *to = (const __u32 *)a->to, *dst = p->dst32;

	if (!a->to_prefix)
		return true;
	if (p->ethertype == ETH_P_IP && a->to_prefix < 96)
		return false;
	return !((to[0] ^ dst[0]) & rg_policy_mask(a->to_prefix, 0)) &&
	       !((to[1] ^ dst[1]) & rg_policy_mask(a->to_prefix, 32)) &&
	       !((to[2] ^ dst[2]) & rg_policy_mask(a->to_prefix, 64)) &&
	       !((to[3] ^ dst[3]) & rg_policy_mask(a->to_prefix, 96));
}

/* Ports of the protocols that have them; @ret_answer: whether TCP may be answering somebody. */
static __always_inline void rg_policy_ports(struct __sk_buff *skb, struct rg_pkt *p,
					    bool *ret_answer)
{
	__u8 flags;

	*ret_answer = false;
	if (p->bits & RG_PKT_LATER || p->l4_len < sizeof(p->ports))
		return;
	if (p->proto != IPPROTO_TCP && p->proto != IPPROTO_UDP && p->proto != IPPROTO_UDPLITE &&
	    p->proto != IPPROTO_SCTP)
		return;
	if (bpf_skb_load_bytes(skb, p->l4, &p->ports, sizeof(p->ports)))
		return;
	if (p->proto == IPPROTO_TCP && p->l4_len >= 14 &&
	    !bpf_skb_load_bytes(skb, p->l4 + 13, &flags, sizeof(flags)))
		*ret_answer = flags & RG_TCP_ACK;
}

/**
 * rg_policy_allowed() - does one of the rail's exceptions let the packet out?
 * @skb: packet
 * @p: packet
 * @cfg: rail
 */
RG_GLOBAL int rg_policy_allowed(struct __sk_buff *skb, struct rg_pkt *p, const struct rg_rail *cfg)
{
	__u8 from = p->flags & RG_IDENT_HOST ? RG_FROM_HOST : RG_FROM_PODS;
	bool answer;

	if (!p || !cfg || !cfg->n_allows || p->bits & RG_PKT_NODST)
		return false;
	rg_policy_ports(skb, p, &answer);
	for (__u32 i = 0; i < RG_MAX_ALLOWS; i++) {
		const struct rg_allow *a = &cfg->allows[i];

		if (!a->in_use || a->proto != p->proto || !(a->from & from))
			continue;
		if (a->port && a->port != rg_pkt_dport(p) &&
		    !(answer && a->port == rg_pkt_sport(p)))
			continue;
		if (rg_allow_to(a, p))
			return true;
	}
	return false;
}

/* ICMP is the family's own: the other one's number is just an unknown protocol. */
static __always_inline __u8 rg_policy_icmp(const struct rg_pkt *p)
{
	return p->ethertype == ETH_P_IPV6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
}

/**
 * rg_policy_dst() - may a well-formed IP packet of a known sender go where it wants to?
 * @skb: packet
 * @p: packet
 * @cfg: rail
 *
 * Return: reason, RG_REASON_PASS if it may
 */
static __always_inline __u32 rg_policy_dst(struct __sk_buff *skb, struct rg_pkt *p,
					   const struct rg_rail *cfg)
{
	bool roce = p->class == RG_CLASS_ROCE, strict = rg_policy_strict(p, cfg);
	__u32 reason;

	if (unlikely(p->bits & (RG_PKT_UNSPEC | RG_PKT_GROUP | RG_PKT_NODST))) {
		if (p->bits & RG_PKT_UNSPEC)
			return RG_REASON_SRC_IP;
		reason = p->bits & RG_PKT_GROUP ? RG_REASON_DST_MCAST : RG_REASON_DST_CIDR;
	} else if (roce && !strict) {
		return RG_REASON_PASS;
	} else if (p->bits & RG_PKT_FABRIC) {
		if (roce || !strict || p->proto == rg_policy_icmp(p))
			return RG_REASON_PASS;
		reason = RG_REASON_PROTO_DENIED;
	} else {
		reason = RG_REASON_DST_CIDR;
	}
	return rg_policy_allowed(skb, p, cfg) ? RG_REASON_PASS : reason;
}

#endif /* RG_BPF_POLICY_H */
