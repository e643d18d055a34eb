/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a packet is, without judging it: for received frames, and for frames that pass although
 * the policy would stop them.
 */
#ifndef RG_BPF_CLASSIFY_H
#define RG_BPF_CLASSIFY_H

#include "lib/l2.h"

static __always_inline void rg_classify_udp(struct __sk_buff *skb, struct rg_pkt *p, __u32 l4,
					    __u32 len)
{
	const struct udphdr *udp;

	if (len < sizeof(*udp))
		return;
	udp = rg_at(skb, l4, sizeof(*udp));
	if (!udp || udp->dest != bpf_htons(RG_ROCE_PORT) || bpf_ntohs(udp->len) != len)
		return;
	(void)rg_roce_check(skb, p, l4, len - sizeof(*udp));
}

static __always_inline void rg_classify_ip4(struct __sk_buff *skb, struct rg_pkt *p, __u32 l3)
{
	const struct iphdr *ip = rg_at(skb, l3, sizeof(*ip));
	__u32 total;

	p->class = RG_CLASS_IP;
	if (!ip)
		return;
	p->proto = ip->protocol;
	p->ecn = ip->tos & 3;
	p->l4 = l3 + (*(const __u8 *)ip & 0xf) * 4;
	total = bpf_ntohs(ip->tot_len);
	if (*(const __u8 *)ip != 0x45 || ip->frag_off & bpf_htons(RG_IP4_FRAG) ||
	    total < sizeof(*ip) || total > skb->len - l3)
		return;
	if (p->proto == IPPROTO_UDP)
		rg_classify_udp(skb, p, l3 + sizeof(*ip), total - sizeof(*ip));
}

/* ND and listener reports, the latter behind a hop-by-hop header. */
static __always_inline void rg_classify_icmp6(struct __sk_buff *skb, struct rg_pkt *p, __u32 l3)
{
	__u32 off = l3 + sizeof(struct ipv6hdr);
	__u8 h[2];

	if (p->proto == IPPROTO_HOPOPTS) {
		if (bpf_skb_load_bytes(skb, off, h, sizeof(h)))
			return;
		p->proto = h[0];
		off += (h[1] + 1) * 8;
	}
	p->l4 = off;
	if (p->proto != IPPROTO_ICMPV6 || bpf_skb_load_bytes(skb, off, h, 1))
		return;
	if (rg_icmp6_control(h[0]))
		p->class = RG_CLASS_L2;
}

static __always_inline void rg_classify_ip6(struct __sk_buff *skb, struct rg_pkt *p, __u32 l3)
{
	const struct ipv6hdr *ip = rg_at(skb, l3, sizeof(*ip));
	__u32 len;

	p->class = RG_CLASS_IP;
	if (!ip)
		return;
	p->proto = ip->nexthdr;
	p->ecn = bpf_ntohl(*(const __be32 *)ip) >> 20 & 3;
	p->l4 = l3 + sizeof(*ip);
	len = bpf_ntohs(ip->payload_len);
	if (p->proto == IPPROTO_UDP) {
		if (len <= skb->len - l3 - sizeof(*ip))
			rg_classify_udp(skb, p, l3 + sizeof(*ip), len);
	} else {
		rg_classify_icmp6(skb, p, l3);
	}
}

/**
 * rg_classify() - find out what a frame is counted as
 * @skb: packet
 * @p: packet; the Ethernet header has been read
 */
static __always_inline void rg_classify(struct __sk_buff *skb, struct rg_pkt *p)
{
	__u32 l3 = ETH_HLEN, type = p->ethertype;
	const __be16 *tag;

	p->class = RG_CLASS_L2;
	if (unlikely(rg_l2_is_vlan(type))) {
		tag = rg_at(skb, ETH_HLEN, RG_VLAN_LEN);
		if (!tag)
			return;
		type = bpf_ntohs(tag[1]);
		if (type == ETH_P_IP)
			rg_classify_ip4(skb, p, ETH_HLEN + RG_VLAN_LEN);
		else if (type == ETH_P_IPV6)
			rg_classify_ip6(skb, p, ETH_HLEN + RG_VLAN_LEN);
		return;
	}
	if (likely(type == ETH_P_IP))
		rg_classify_ip4(skb, p, l3);
	else if (type == ETH_P_IPV6)
		rg_classify_ip6(skb, p, l3);
}

#endif /* RG_BPF_CLASSIFY_H */
