/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * ARP: the sender may only speak for itself, and only about addresses of the fabric.
 */
#ifndef RG_BPF_ARP_H
#define RG_BPF_ARP_H

#include "lib/ident.h"
#include "lib/policy.h"

#define RG_ARP_REQUEST 1
#define RG_ARP_REPLY   2

/* ARP for IPv4 over Ethernet, in 16-bit words: addresses are not aligned to more. */
struct rg_arp {
	__be16 htype;
	__be16 ptype;
	__u8 hlen;
	__u8 plen;
	__be16 op;
	__u16 sha[3];
	__be16 sip[2];
	__u16 tha[3];
	__be16 tip[2];
};

/* The address that is asked for, or answered to. */
static __always_inline bool rg_arp_target_ok(struct rg_pkt *p, const struct rg_rail *cfg, __u16 op,
					     __be32 sip, __be32 tip)
{
	/* An announcement of the sender's own, or the answer to a probe, which has no address. */
	if (tip == sip ? sip != 0 : !tip && op == RG_ARP_REPLY)
		return true;
	rg_pkt_dst4(p, tip);
	return rg_policy_near(p, cfg);
}

/**
 * rg_arp_judge() - judge an ARP packet
 * @skb: packet
 * @p: packet; sender's MAC is set
 * @cfg: rail
 * @l3: offset of the ARP header
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
RG_GLOBAL int rg_arp_judge(struct __sk_buff *skb, struct rg_pkt *p, const struct rg_rail *cfg,
			   __u32 l3)
{
	struct rg_arp arp;
	const __u16 *mac;
	__be32 sip, tip;
	__u32 reason;
	__u16 op;

	if (!p || !cfg)
		return RG_REASON_INTERNAL;
	mac = (const __u16 *)p->src.mac;
	reason = rg_ident_mac(p);
	if (reason)
		return reason;
	if (skb->len < l3 + sizeof(arp) || bpf_skb_load_bytes(skb, l3, &arp, sizeof(arp)))
		return RG_REASON_SHORT;
	op = bpf_ntohs(arp.op);
	if (arp.htype != bpf_htons(1) || arp.ptype != bpf_htons(ETH_P_IP) || arp.hlen != 6 ||
	    arp.plen != 4 || (op != RG_ARP_REQUEST && op != RG_ARP_REPLY))
		return RG_REASON_ARP_BAD;
	if (arp.sha[0] != mac[0] || arp.sha[1] != mac[1] || arp.sha[2] != mac[2])
		return RG_REASON_ARP_BAD;
	sip = arp.sip[0] | (__u32)arp.sip[1] << 16;
	tip = arp.tip[0] | (__u32)arp.tip[1] << 16;
	if (sip || op != RG_ARP_REQUEST) {
		rg_pkt_src4(p, sip);
		if (!rg_ident_owns(p, (const __u32 *)p->src.addr))
			return RG_REASON_ARP_BAD;
	}
	if (!rg_arp_target_ok(p, cfg, op, sip, tip))
		return RG_REASON_ARP_BAD;
	return rg_rate_l2(p, cfg->l2_pps);
}

#endif /* RG_BPF_ARP_H */
