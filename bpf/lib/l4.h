/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Behind the IP header: UDP where it directly follows, and the slow way for everything that
 * fragments and extension headers bring.
 */
#ifndef RG_BPF_L4_H
#define RG_BPF_L4_H

#include "lib/flow.h"
#include "lib/icmp6.h"
#include "lib/policy.h"
#include "lib/roce.h"

/**
 * rg_udp_judge() - a whole UDP datagram directly behind its IP header
 * @skb: packet
 * @p: packet of a known sender
 * @cfg: rail
 * @l4: offset of the UDP header
 * @len: bytes of IP payload, all of them inside the frame
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
static __always_inline __u32 rg_udp_judge(struct __sk_buff *skb, struct rg_pkt *p,
					  const struct rg_rail *cfg, __u32 l4, __u32 len)
{
	const struct udphdr *udp;
	__u32 reason;

	if (len < sizeof(*udp))
		return RG_REASON_UDP_LEN;
	udp = rg_at(skb, l4, sizeof(*udp));
	if (!udp)
		return RG_REASON_SHORT;
	p->ports = *(const __u32 *)udp;
	if (bpf_ntohs(udp->len) != len)
		return RG_REASON_UDP_LEN;
	if (likely(p->ports >> 16 == bpf_htons(RG_ROCE_PORT))) {
		reason = rg_roce_judge(skb, p, cfg, l4, len - sizeof(*udp));
		if (reason)
			return reason;
	}
	return rg_policy_dst(skb, p, cfg);
}

/* First fragments must show that they are neither RoCE nor neighbour discovery. */
static __always_inline __u32 rg_frag_first(struct __sk_buff *skb, struct rg_pkt *p)
{
	__u8 type;

	if (p->proto == IPPROTO_UDP) {
		if (p->l4_len < sizeof(p->ports) ||
		    bpf_skb_load_bytes(skb, p->l4, &p->ports, sizeof(p->ports)) ||
		    rg_pkt_dport(p) == RG_ROCE_PORT)
			return RG_REASON_FRAG_ROCE;
	}
	if (p->proto == IPPROTO_ICMPV6) {
		if (!p->l4_len || bpf_skb_load_bytes(skb, p->l4, &type, 1) ||
		    rg_icmp6_control(type))
			return RG_REASON_ND_BAD;
	}
	return RG_REASON_PASS;
}

/* UDP behind IPv6 extension headers: RoCEv2 has none. */
static __always_inline __u32 rg_udp_slow(struct __sk_buff *skb, struct rg_pkt *p)
{
	struct udphdr udp;

	if (p->l4_len < sizeof(udp))
		return RG_REASON_UDP_LEN;
	if (bpf_skb_load_bytes(skb, p->l4, &udp, sizeof(udp)))
		return RG_REASON_SHORT;
	p->ports = udp.source | (__u32)udp.dest << 16;
	if (rg_pkt_dport(p) == RG_ROCE_PORT)
		return RG_REASON_IP6_EXTHDR;
	return bpf_ntohs(udp.len) == p->l4_len ? RG_REASON_PASS : RG_REASON_UDP_LEN;
}

/**
 * rg_l4_slow() - the IP payload of a fragment, of ICMPv6, or behind extension headers
 * @skb: packet
 * @p: packet of a known sender; proto, l4, l4_len and bits are set
 * @cfg: rail
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
RG_GLOBAL int rg_l4_slow(struct __sk_buff *skb, struct rg_pkt *p, const struct rg_rail *cfg)
{
	__u32 reason = RG_REASON_PASS;

	if (!p || !cfg)
		return RG_REASON_INTERNAL;
	if (p->bits & RG_PKT_FRAG) {
		if (!(p->bits & RG_PKT_LATER))
			reason = rg_frag_first(skb, p);
		if (!reason && rg_policy_strict(p, cfg))
			reason = RG_REASON_FRAG;
	} else if (p->proto == IPPROTO_UDP) {
		reason = rg_udp_slow(skb, p);
	} else if (p->proto == IPPROTO_ICMPV6 && p->ethertype == ETH_P_IPV6) {
		reason = rg_icmp6_judge(skb, p, cfg);
		if (p->class == RG_CLASS_L2)
			return reason;
	}
	return reason ?: rg_policy_dst(skb, p, cfg);
}

#endif /* RG_BPF_L4_H */
