/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * IPv4: identity, then the header's own consistency, then what it carries.
 */
#ifndef RG_BPF_IP4_H
#define RG_BPF_IP4_H

#include "lib/l4.h"

#define RG_IP4_FRAG   0x3fff /* more fragments, or an offset */
#define RG_IP4_OFFSET 0x1fff

/* Destination; its first byte tells what may not be a single host's. */
static __always_inline void rg_ip4_dst(struct rg_pkt *p, __be32 addr)
{
	__u8 net = addr & 0xff;

	rg_pkt_dst4(p, addr);
	if (unlikely(net - 1u >= 223 || net == 127))
		p->bits |= net >= 224 ? RG_PKT_GROUP : RG_PKT_NODST;
}

/* A DHCP client has no address yet; only an exception lets this through in the end. */
static __always_inline __u32 rg_ip4_ident(struct rg_pkt *p, const struct rg_rail *cfg,
					  const struct iphdr *ip)
{
	if (unlikely(!ip->saddr) && ip->daddr == 0xffffffff)
		return rg_ident_mac(p);
	return rg_flow_find(p, cfg);
}

/**
 * rg_ip4_length() - length by the header, checked against itself and the frame
 * @skb: packet
 * @ip: header
 * @rest: bytes of the frame from the header on
 * @ret: length in bytes, written only on success
 *
 * Return: reason, RG_REASON_PASS for a header of 20 bytes in a packet of *@ret
 */
static __always_inline __u32 rg_ip4_length(struct __sk_buff *skb, const struct iphdr *ip,
					   __u32 rest, __u32 *ret)
{
	__u32 first = *(const __u8 *)ip, total = bpf_ntohs(ip->tot_len), header = (first & 0xf) * 4;

	/* BIG TCP: too long for the field, which the segments will have again. */
	if (unlikely(!total) && ip->protocol == IPPROTO_TCP && skb->gso_size)
		total = rest;
	if (unlikely(total > rest))
		return RG_REASON_IP_MALFORMED;
	if (unlikely(first != 0x45)) {
		if (first >> 4 != 4 || header < sizeof(*ip) || total < header)
			return RG_REASON_IP_MALFORMED;
		return RG_REASON_IP_OPTIONS;
	}
	if (unlikely(total < sizeof(*ip)))
		return RG_REASON_IP_MALFORMED;
	*ret = total;
	return RG_REASON_PASS;
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
	__u32 total, reason;

	if (!ip)
		return rg_ident_mac(p) ?: RG_REASON_SHORT;
	rg_pkt_src4(p, ip->saddr);
	rg_ip4_dst(p, ip->daddr);
	reason = rg_ip4_ident(p, cfg, ip);
	if (reason)
		return reason;
	reason = rg_ip4_length(skb, ip, skb->len - l3, &total);
	if (reason)
		return reason;
	p->proto = ip->protocol;
	p->ecn = ip->tos & 3;
	p->class = RG_CLASS_IP;
	p->l4 = l3 + sizeof(*ip);
	p->l4_len = total - sizeof(*ip);
	if (unlikely(ip->frag_off & bpf_htons(RG_IP4_FRAG))) {
		p->bits |= RG_PKT_FRAG;
		if (ip->frag_off & bpf_htons(RG_IP4_OFFSET))
			p->bits |= RG_PKT_LATER;
		return rg_l4_slow(skb, p, cfg);
	}
	if (likely(ip->protocol == IPPROTO_UDP))
		return rg_udp_judge(skb, p, cfg, l3 + sizeof(*ip), total - sizeof(*ip));
	return rg_policy_dst(skb, p, cfg);
}

#endif /* RG_BPF_IP4_H */
