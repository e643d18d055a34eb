/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * IPv4: identity, then the header's own consistency, then what it carries.
 */
#ifndef RG_BPF_IP4_H
#define RG_BPF_IP4_H

#include "lib/l4.h"

#define RG_IP4_FRAG   0x3fff /* more fragments, or an offset */
#define RG_IP4_OFFSET 0x1fff

/* DHCP clients have no address yet; only an exception lets this through in the end. */
static __always_inline bool rg_ip4_dhcp(const struct iphdr *ip)
{
	return !ip->saddr && ip->daddr == 0xffffffff;
}

static __always_inline void rg_ip4_dst(struct rg_pkt *p, __be32 addr)
{
	__u32 net = bpf_ntohl(addr) >> 24;

	rg_pkt_dst4(p, addr);
	if (unlikely(net >= 224))
		p->bits |= RG_PKT_GROUP;
	if (unlikely(net == 0 || net == 127))
		p->bits |= RG_PKT_NODST;
}

/**
 * rg_ip4_judge() - judge an IPv4 packet
 * @skb: packet
 * @p: packet; sender's MAC is set
 * @cfg: rail
 * @l3: offset of the IPv4 header
 *
 * Return: reason, RG_REASON_PASS if it may leave
 */
static __always_inline __u32 rg_ip4_judge(struct __sk_buff *skb, struct rg_pkt *p,
					  const struct rg_rail *cfg, __u32 l3)
{
	const struct iphdr *ip = rg_at(skb, l3, sizeof(*ip));
	__u32 rest = skb->len - l3, total, frag, reason;
	__u8 first;

	if (!ip)
		return rg_ident_mac(p) ?: RG_REASON_SHORT;
	rg_pkt_src4(p, ip->saddr);
	rg_ip4_dst(p, ip->daddr);
	reason = unlikely(rg_ip4_dhcp(ip)) ? rg_ident_mac(p) : rg_ident_full(p);
	if (reason)
		return reason;
	first = *(const __u8 *)ip;
	total = bpf_ntohs(ip->tot_len);
	/* BIG TCP: too long for the field, which the segments will have again. */
	if (unlikely(!total) && ip->protocol == IPPROTO_TCP && skb->gso_size)
		total = rest;
	if (first >> 4 != 4 || (first & 0xf) < 5 || total < (first & 0xf) * 4u || total > rest)
		return RG_REASON_IP_MALFORMED;
	if (first != 0x45)
		return RG_REASON_IP_OPTIONS;
	p->proto = ip->protocol;
	p->ecn = ip->tos & 3;
	p->class = RG_CLASS_IP;
	p->l4 = l3 + sizeof(*ip);
	p->l4_len = total - sizeof(*ip);
	frag = bpf_ntohs(ip->frag_off) & RG_IP4_FRAG;
	if (unlikely(frag)) {
		p->bits |= RG_PKT_FRAG | (frag & RG_IP4_OFFSET ? RG_PKT_LATER : 0);
		return rg_l4_slow(skb, p, cfg);
	}
	if (likely(p->proto == IPPROTO_UDP))
		return rg_udp_judge(skb, p, cfg, l3 + sizeof(*ip), total - sizeof(*ip));
	return rg_policy_dst(skb, p, cfg);
}

#endif /* RG_BPF_IP4_H */
