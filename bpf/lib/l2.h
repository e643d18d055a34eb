/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The Ethernet header: VLAN tags, EtherTypes, the sender's MAC. The EtherType is the frame's own;
 * skb->protocol is whatever the sending socket said.
 */
#ifndef RG_BPF_L2_H
#define RG_BPF_L2_H

#include "lib/arp.h"
#include "lib/ip4.h"
#include "lib/ip6.h"

#define RG_ETH_P_8021Q	0x8100
#define RG_ETH_P_8021AD 0x88a8
#define RG_ETH_P_ROCE1	0x8915
#define RG_ETH_P_LLDP	0x88cc
#define RG_ETH_P_SLOW	0x8809
#define RG_ETH_P_MIN	0x0600 /* below: 802.3 length */
#define RG_SLOW_LACP	1      /* subtype */
#define RG_VLAN_LEN	4

static __always_inline bool rg_l2_is_vlan(__u16 type)
{
	return type == RG_ETH_P_8021Q || type == RG_ETH_P_8021AD;
}

/* Does the rail list this VLAN? */
static __always_inline bool rg_l2_vlan_ok(const struct rg_rail *cfg, __u16 tci)
{
	__u16 vid = tci & 0xfff;

	for (__u32 i = 0; i < RG_MAX_VLANS; i++) {
		if (i < cfg->n_vlans && cfg->vlans[i] == vid)
			return true;
	}
	return false;
}

/**
 * rg_l2_parse() - read the Ethernet header
 * @skb: packet
 * @p: packet; src.mac, ethertype and RG_PKT_GROUP are set
 *
 * Return: whether the frame has the header
 */
static __always_inline bool rg_l2_parse(struct __sk_buff *skb, struct rg_pkt *p)
{
	const __u8 *eth = rg_at(skb, 0, ETH_HLEN);
	__u64 word;

	if (unlikely(!eth))
		return false;
	/* Bytes 6 to 13: source MAC and EtherType; the rail goes where the key wants it. */
	word = *(const __u64 *)(eth + ETH_ALEN);
	p->src_words[0] = p->src.rail | word << 16;
	p->ethertype = bpf_ntohs(word >> 48);
	if (unlikely(eth[0] & 1))
		p->bits |= RG_PKT_GROUP;
	return true;
}

/* Discovery and link aggregation are the host's business, not a pod's. */
static __always_inline __u32 rg_l2_host(struct __sk_buff *skb, struct rg_pkt *p, __u32 l3)
{
	__u8 subtype = 0;

	if (rg_ident_mac(p) || !(p->flags & RG_IDENT_HOST))
		return RG_REASON_ETHERTYPE;
	if (p->ethertype == RG_ETH_P_LLDP)
		return RG_REASON_PASS;
	if (bpf_skb_load_bytes(skb, l3, &subtype, 1) || subtype != RG_SLOW_LACP)
		return RG_REASON_ETHERTYPE;
	return RG_REASON_PASS;
}

/* What follows the Ethernet header and its tag. */
static __always_inline __u32 rg_l2_next(struct __sk_buff *skb, struct rg_pkt *p,
					const struct rg_rail *cfg, __u32 l3)
{
	if (likely(p->ethertype == ETH_P_IP))
		return rg_ip4_judge(skb, p, cfg, l3);
	switch (p->ethertype) {
	case ETH_P_IPV6:
		return rg_ip6_judge(skb, p, cfg, l3);
	case ETH_P_ARP:
		return rg_arp_judge(skb, p, cfg, l3);
	case RG_ETH_P_LLDP:
	case RG_ETH_P_SLOW:
		return rg_l2_host(skb, p, l3);
	case RG_ETH_P_ROCE1:
		return RG_REASON_ROCE_V1;
	case RG_ETH_P_8021Q:
	case RG_ETH_P_8021AD:
		return RG_REASON_VLAN;
	default:
		return p->ethertype < RG_ETH_P_MIN ? RG_REASON_LLC : RG_REASON_ETHERTYPE;
	}
}

/**
 * rg_l2_judge() - judge a frame that an endpoint of a rail sends
 * @skb: packet
 * @p: packet, freshly initialised
 * @cfg: rail
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
static __always_inline __u32 rg_l2_judge(struct __sk_buff *skb, struct rg_pkt *p,
					 const struct rg_rail *cfg)
{
	const __be16 *tag;

	if (!rg_l2_parse(skb, p))
		return RG_REASON_SHORT;
	if (unlikely(skb->vlan_present)) {
		if (skb->vlan_proto != bpf_htons(RG_ETH_P_8021Q) ||
		    !rg_l2_vlan_ok(cfg, skb->vlan_tci))
			return RG_REASON_VLAN;
	} else if (unlikely(p->ethertype == RG_ETH_P_8021Q)) {
		tag = rg_at(skb, ETH_HLEN, RG_VLAN_LEN);
		if (!tag)
			return RG_REASON_SHORT;
		if (!rg_l2_vlan_ok(cfg, bpf_ntohs(tag[0])))
			return RG_REASON_VLAN;
		p->ethertype = bpf_ntohs(tag[1]);
		return rg_l2_next(skb, p, cfg, ETH_HLEN + RG_VLAN_LEN);
	}
	return rg_l2_next(skb, p, cfg, ETH_HLEN);
}

#endif /* RG_BPF_L2_H */
