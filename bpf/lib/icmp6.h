/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ICMPv6: neighbour discovery may only speak for the sender's own addresses, routers do not live
 * on rails, and multicast listener reports pass where the rail has IPv6, since switches that snoop
 * them would otherwise cut neighbour discovery off.
 */
#ifndef RG_BPF_ICMP6_H
#define RG_BPF_ICMP6_H

#include "lib/ident.h"
#include "lib/policy.h"

enum {
	RG_MLD_QUERY = 130,
	RG_MLD_REPORT = 131,
	RG_MLD_DONE = 132,
	RG_ND_RS = 133,
	RG_ND_RA = 134,
	RG_ND_NS = 135,
	RG_ND_NA = 136,
	RG_ND_REDIRECT = 137,
	RG_MLD2_REPORT = 143,
};

#define RG_ICMP6_LEN   8  /* shortest message */
#define RG_ND_LEN      24 /* NS and NA up to their options */
#define RG_ND_HOPS     255
#define RG_ND_OPTS     4 /* options an honest packet may have */
#define RG_ND_OPT_SLLA 1 /* source link-layer address */
#define RG_ND_OPT_TLLA 2 /* target link-layer address */
#define RG_MLD_HOPS    1

/* The types that are judged here rather than by where they go. */
static __always_inline bool rg_icmp6_control(__u8 type)
{
	return (type >= RG_MLD_QUERY && type <= RG_ND_REDIRECT) || type == RG_MLD2_REPORT;
}

/* May such a packet go there? Never beyond the fabric. */
static __always_inline __u32 rg_icmp6_dst(struct rg_pkt *p, const struct rg_rail *cfg)
{
	const __u32 *dst = p->dst32;

	if ((dst[0] & bpf_htonl(0xff0f0000)) == bpf_htonl(0xff020000))
		return RG_REASON_PASS;
	if (p->bits & RG_PKT_GROUP)
		return RG_REASON_DST_MCAST;
	if (rg_addr_link_local(dst[0]))
		return RG_REASON_PASS;
	if (!(p->bits & RG_PKT_NODST) && rg_policy_near(p, cfg))
		return RG_REASON_PASS;
	return RG_REASON_DST_CIDR;
}

/* Link-layer address options must hold the sender's own MAC. */
static __always_inline bool rg_nd_options_ok(struct __sk_buff *skb, const struct rg_pkt *p,
					     __u32 off, __u32 end)
{
	const __u16 *mac = (const __u16 *)p->src.mac;

	for (int i = 0; i < RG_ND_OPTS && off < end; i++) {
		__u16 opt[4];
		__u8 type, words;

		if (off + sizeof(opt) > end || bpf_skb_load_bytes(skb, off, opt, sizeof(opt)))
			return false;
		type = opt[0] & 0xff;
		words = opt[0] >> 8;
		if (!words)
			return false;
		if ((type == RG_ND_OPT_SLLA || type == RG_ND_OPT_TLLA) &&
		    (words != 1 || opt[1] != mac[0] || opt[2] != mac[1] || opt[3] != mac[2]))
			return false;
		off += words * 8;
	}
	return off == end;
}

/* The address a neighbour solicitation or advertisement is about. */
static __always_inline bool rg_nd_target_ok(struct rg_pkt *p, const struct rg_rail *cfg,
					    const __u32 *target, __u8 type)
{
	if ((target[0] & bpf_htonl(0xff000000)) == bpf_htonl(0xff000000))
		return false;
	/* Asking for somebody else's address is what solicitations are for. */
	if (type == RG_ND_NS && !(p->bits & RG_PKT_UNSPEC))
		return true;
	if (rg_ident_owns(p, target))
		return true;
	/* The host looks for duplicates of an address before the agent can know it. */
	if (type != RG_ND_NS || !(p->flags & RG_IDENT_HOST))
		return false;
	if (rg_addr_link_local(target[0]))
		return true;
	__builtin_memcpy(p->dst, target, sizeof(p->dst));
	return rg_policy_near(p, cfg);
}

/* Router solicitation, neighbour solicitation, neighbour advertisement. */
static __always_inline __u32 rg_nd_judge(struct __sk_buff *skb, struct rg_pkt *p,
					 const struct rg_rail *cfg, __u8 type)
{
	__u32 body = type == RG_ND_RS ? RG_ICMP6_LEN : RG_ND_LEN, target[4], reason;
	const __u32 *src = (const __u32 *)p->src.addr;

	if (p->hops != RG_ND_HOPS || p->l4_len < body)
		return RG_REASON_ND_BAD;
	if (p->bits & RG_PKT_UNSPEC) {
		if (type == RG_ND_NA)
			return RG_REASON_SRC_IP;
	} else if (rg_addr_link_local(src[0]) && !rg_ident_owns(p, src)) {
		/* The source is a claim as well: receivers store it with the sender's MAC. */
		return RG_REASON_ND_BAD;
	}
	if (!rg_nd_options_ok(skb, p, p->l4 + body, p->l4 + p->l4_len))
		return RG_REASON_ND_BAD;
	reason = rg_icmp6_dst(p, cfg);
	if (reason || type == RG_ND_RS)
		return reason;
	if (bpf_skb_load_bytes(skb, p->l4 + RG_ICMP6_LEN, target, sizeof(target)))
		return RG_REASON_SHORT;
	return rg_nd_target_ok(p, cfg, target, type) ? RG_REASON_PASS : RG_REASON_ND_BAD;
}

/* Multicast listener report or done. */
static __always_inline __u32 rg_mld_judge(const struct rg_pkt *p, const struct rg_rail *cfg)
{
	const __u32 *dst = p->dst32, *src = (const __u32 *)p->src.addr;

	if (!(cfg->flags & RG_RAIL_HAS_IPV6))
		return RG_REASON_DST_MCAST;
	if (p->hops != RG_MLD_HOPS || (dst[0] & bpf_htonl(0xff000000)) != bpf_htonl(0xff000000))
		return RG_REASON_ND_BAD;
	if (!(p->bits & RG_PKT_UNSPEC) && !rg_addr_link_local(src[0]))
		return RG_REASON_ND_BAD;
	return RG_REASON_PASS;
}

/**
 * rg_icmp6_judge() - unfragmented ICMPv6
 * @skb: packet
 * @p: packet of a known sender; class becomes RG_CLASS_L2 if the verdict is final
 * @cfg: rail
 *
 * Return: reason, RG_REASON_PASS if it may leave or, class RG_CLASS_IP, has still to be judged by
 * its destination
 */
static __always_inline __u32 rg_icmp6_judge(struct __sk_buff *skb, struct rg_pkt *p,
					    const struct rg_rail *cfg)
{
	__u32 reason;
	__u8 type;

	if (p->l4_len < RG_ICMP6_LEN)
		return RG_REASON_IP_MALFORMED;
	if (bpf_skb_load_bytes(skb, p->l4, &type, 1))
		return RG_REASON_SHORT;
	if (!rg_icmp6_control(type))
		return RG_REASON_PASS;
	p->class = RG_CLASS_L2;
	switch (type) {
	case RG_ND_RS:
	case RG_ND_NS:
	case RG_ND_NA:
		reason = rg_nd_judge(skb, p, cfg, type);
		break;
	case RG_MLD_REPORT:
	case RG_MLD_DONE:
	case RG_MLD2_REPORT:
		reason = rg_mld_judge(p, cfg);
		break;
	default:
		/* Router advertisement, redirect, listener query: what routers say. */
		return RG_REASON_ND_BAD;
	}
	return reason ?: rg_rate_l2(p, cfg->l2_pps);
}

#endif /* RG_BPF_ICMP6_H */
