/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * IPv6: identity, lengths, a bounded walk over extension headers, then what it carries.
 */
#ifndef RG_BPF_IP6_H
#define RG_BPF_IP6_H

#include "lib/l4.h"

#define RG_IP6_EXT_MAX 4
/* No chain of so many headers begins its last one behind this; the verifier cannot know. */
#define RG_IP6_OFF_MASK 0x3fff

/* Is this an extension header, known or reserved, that stands before the payload? */
static __always_inline bool rg_ip6_ext(__u8 nexthdr)
{
	switch (nexthdr) {
	case IPPROTO_HOPOPTS:
	case IPPROTO_ROUTING:
	case IPPROTO_FRAGMENT:
	case IPPROTO_AH:
	case IPPROTO_NONE:
	case IPPROTO_DSTOPTS:
	case RG_NEXTHDR_MOBILITY:
	case RG_NEXTHDR_HIP:
	case RG_NEXTHDR_SHIM6:
	case RG_NEXTHDR_EXP1:
	case RG_NEXTHDR_EXP2:
		return true;
	default:
		return false;
	}
}

/**
 * rg_ip6_walk() - find the payload behind extension headers
 * @skb: packet
 * @p: packet; proto, l4 and l4_len move on to the payload, bits tell of fragments
 *
 * Return: RG_REASON_PASS or RG_REASON_IP6_EXTHDR
 */
RG_GLOBAL int rg_ip6_walk(struct __sk_buff *skb, struct rg_pkt *p)
{
	__u32 off, len, size, i;
	const __u8 *h;
	__u8 proto;

	if (!p)
		return RG_REASON_INTERNAL;
	off = p->l4;
	len = p->l4_len;
	proto = p->proto;
	for (i = 0; i <= RG_IP6_EXT_MAX && rg_ip6_ext(proto); i++) {
		if (i == RG_IP6_EXT_MAX || len < 8)
			return RG_REASON_IP6_EXTHDR;
		off &= RG_IP6_OFF_MASK;
		h = rg_at(skb, off, 4);
		if (!h)
			return RG_REASON_SHORT;
		size = (h[1] + 1) * 8;
		if (proto == IPPROTO_FRAGMENT) {
			if (p->bits & RG_PKT_FRAG)
				return RG_REASON_IP6_EXTHDR;
			size = 8;
			p->bits |= RG_PKT_FRAG;
			if (h[2] || h[3] & 0xf8)
				p->bits |= RG_PKT_LATER;
		} else if (proto == IPPROTO_AH) {
			size = (h[1] + 2) * 4;
		} else if (proto != IPPROTO_DSTOPTS && (proto != IPPROTO_HOPOPTS || i)) {
			return RG_REASON_IP6_EXTHDR;
		}
		if (size > len)
			return RG_REASON_IP6_EXTHDR;
		off += size;
		len -= size;
		proto = h[0];
		if (p->bits & RG_PKT_LATER)
			break;
	}
	p->proto = proto;
	p->l4 = off;
	p->l4_len = len;
	return RG_REASON_PASS;
}

/* Word by word: the compiler may not assume what packets are aligned to. */
static __always_inline void rg_ip6_addrs(struct rg_pkt *p, const struct ipv6hdr *ip)
{
	const __u64 *addrs = (const __u64 *)&ip->saddr;
	const __u32 *dst = p->dst32;

	p->src_words[1] = addrs[0];
	p->src_words[2] = addrs[1];
	p->dst64[0] = addrs[2];
	p->dst64[1] = addrs[3];
	if (unlikely((dst[0] & bpf_htonl(0xff000000)) == bpf_htonl(0xff000000)))
		p->bits |= RG_PKT_GROUP;
	if (unlikely(rg_addr_nowhere(dst)))
		p->bits |= RG_PKT_NODST;
	if (unlikely(!addrs[0] && !addrs[1]))
		p->bits |= RG_PKT_UNSPEC;
}

/* Payload that does not directly follow, and ICMPv6. */
static __always_inline __u32 rg_ip6_slow(struct __sk_buff *skb, struct rg_pkt *p,
					 const struct rg_rail *cfg)
{
	__u32 reason = rg_ip6_walk(skb, p);

	if (!reason && p->bits & RG_PKT_BIG && p->proto != IPPROTO_TCP)
		reason = RG_REASON_IP_MALFORMED;
	return reason ?: rg_l4_slow(skb, p, cfg);
}

/**
 * rg_ip6_judge() - judge an IPv6 packet
 * @skb: packet
 * @p: packet; sender's MAC is set
 * @cfg: rail
 * @l3: offset of the IPv6 header
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
static __always_inline __u32 rg_ip6_judge(struct __sk_buff *skb, struct rg_pkt *p,
					  const struct rg_rail *cfg, __u32 l3)
{
	const struct ipv6hdr *ip = rg_at(skb, l3, sizeof(*ip));
	__u32 rest = skb->len - l3 - sizeof(*ip), len, first, reason;

	if (!ip)
		return rg_ident_mac(p) ?: RG_REASON_SHORT;
	rg_ip6_addrs(p, ip);
	reason = rg_flow_find(p, cfg);
	if (reason)
		return reason;
	first = bpf_ntohl(*(const __be32 *)ip);
	len = bpf_ntohs(ip->payload_len);
	p->proto = ip->nexthdr;
	p->hops = ip->hop_limit;
	p->ecn = first >> 20 & 3;
	/* BIG TCP: too long for the field, which the segments will have again. */
	if (unlikely(!len) && skb->gso_size) {
		p->bits |= RG_PKT_BIG;
		len = rest;
	}
	if (first >> 28 != 6 || len > rest || (!len && p->proto == IPPROTO_HOPOPTS))
		return RG_REASON_IP_MALFORMED;
	p->class = RG_CLASS_IP;
	p->l4 = l3 + sizeof(*ip);
	p->l4_len = len;
	if (likely(p->proto == IPPROTO_UDP && !(p->bits & RG_PKT_BIG)))
		return rg_udp_judge(skb, p, cfg, l3 + sizeof(*ip), len);
	if (p->proto == IPPROTO_TCP)
		return rg_policy_dst(skb, p, cfg);
	return rg_ip6_slow(skb, p, cfg);
}

#endif /* RG_BPF_IP6_H */
