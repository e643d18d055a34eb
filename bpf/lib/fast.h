/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The short way for what nearly every packet of a busy rail is: RoCEv2, directly in IPv4 or IPv6,
 * from a sender and to a destination that were looked up a moment ago.
 *
 * It only ever says "this one passes" or "I do not know". Whatever is the least bit unusual goes
 * the long way, which judges from the beginning and alone decides. So nothing here may be more
 * permissive than there; a reference implementation is compared with the sum of both.
 *
 * What is known stays in registers: a structure that other functions see would have to be written
 * and read back, which is a third of the whole packet.
 */
#ifndef RG_BPF_FAST_H
#define RG_BPF_FAST_H

#include "lib/account.h"
#include "lib/flow.h"
#include "lib/l2.h"

/**
 * struct rg_fast - a RoCE packet in the making
 * @src: source address as two words
 * @dst: destination address likewise
 * @sender: rail and source MAC, as the first word of an identity
 * @bth: transport header
 * @len: bytes of UDP payload
 * @op: entry of rg_roce_ops
 * @ecn: ECN bits
 */
struct rg_fast {
	__u64 src[2];
	__u64 dst[2];
	__u64 sender;
	const __u8 *bth;
	__u32 len;
	__u32 op;
	__u8 ecn;
};

#define RG_FAST_MAPPED bpf_htonl(0xffff)

/* UDP header @udp of a payload of @len bytes: to RoCE, and of the right length? */
static __always_inline bool rg_fast_udp(const struct udphdr *udp, __u32 len, struct rg_fast *f)
{
	f->len = len - sizeof(*udp);
	f->bth = (const __u8 *)(udp + 1);
	return udp->dest == bpf_htons(RG_ROCE_PORT) && bpf_ntohs(udp->len) == len;
}

static __always_inline bool rg_fast_ip4(const struct __sk_buff *skb, const __u8 *eth,
					const void *end, struct rg_fast *f)
{
	const struct iphdr *ip = (const void *)(eth + ETH_HLEN);
	const struct udphdr *udp = (const void *)(ip + 1);
	__u32 total;

	if ((const void *)(udp + 1) + RG_BTH_LEN > end)
		return false;
	total = bpf_ntohs(ip->tot_len);
	if (*(const __u8 *)ip != 0x45 || ip->protocol != IPPROTO_UDP ||
	    ip->frag_off & bpf_htons(RG_IP4_FRAG) || total > skb->len - ETH_HLEN)
		return false;
	f->src[0] = 0;
	f->src[1] = RG_FAST_MAPPED | (__u64)ip->saddr << 32;
	f->dst[0] = 0;
	f->dst[1] = RG_FAST_MAPPED | (__u64)ip->daddr << 32;
	f->ecn = ip->tos & 3;
	return rg_fast_udp(udp, total - sizeof(*ip), f);
}

static __always_inline bool rg_fast_ip6(const struct __sk_buff *skb, const __u8 *eth,
					const void *end, struct rg_fast *f)
{
	const struct ipv6hdr *ip = (const void *)(eth + ETH_HLEN);
	const struct udphdr *udp = (const void *)(ip + 1);
	const __u64 *addrs = (const __u64 *)&ip->saddr;
	const __u8 *first = (const __u8 *)ip;
	__u32 len;

	if ((const void *)(udp + 1) + RG_BTH_LEN > end)
		return false;
	len = bpf_ntohs(ip->payload_len);
	if (first[0] >> 4 != 6 || ip->nexthdr != IPPROTO_UDP ||
	    len > skb->len - ETH_HLEN - sizeof(*ip))
		return false;
	f->src[0] = addrs[0];
	f->src[1] = addrs[1];
	f->dst[0] = addrs[2];
	f->dst[1] = addrs[3];
	f->sender |= RG_FLOW_IPV6;
	f->ecn = first[1] >> 4 & 3;
	return rg_fast_udp(udp, len, f);
}

/* The transport header of a datagram, other than to the multicast queue pair. */
static __always_inline bool rg_fast_bth(struct rg_fast *f)
{
	__u64 w = *(const __u64 *)f->bth;
	__u32 qpn = w >> 40;

	f->op = rg_roce_ops[w & 0xff];
	if (!f->op || w >> 8 & 0xf || !qpn || qpn == RG_QPN_MCAST)
		return false;
	if ((w & 0xff) == RG_BTH_CNP)
		return f->len == RG_CNP_LEN && w >> 32 & RG_BTH_BECN;
	return f->len < 0x10000 &&
	       f->len >= RG_BTH_LEN + RG_OP_EXT(f->op) + (w >> 12 & 3) + RG_ICRC_LEN;
}

/* Negative acknowledgements are counted one by one, elsewhere. */
static __always_inline bool rg_fast_plain(const struct rg_fast *f, const void *end)
{
	if (likely(f->op >> 4 != RG_OP_ACK))
		return true;
	return f->bth + RG_BTH_LEN + 1 <= (const __u8 *)end && f->bth[RG_BTH_LEN] < 0x20;
}

/* Was this sender to this destination looked up a moment ago? */
static __always_inline const struct rg_flow *rg_fast_flow(const struct rg_fast *f,
							  const struct rg_rail *cfg)
{
	__u32 key = rg_flow_hash(f->sender, f->src[1], f->dst[1]);
	const struct rg_flow *flow = bpf_map_lookup_elem(&rg_flows, &key);

	if (!flow || flow->sender != f->sender || flow->src[0] != f->src[0] ||
	    flow->src[1] != f->src[1] || flow->dst[0] != f->dst[0] || flow->dst[1] != f->dst[1] ||
	    flow->tag != rg_flow_tag(cfg))
		return NULL;
	return flow;
}

/* Count it; the same as rg_account() for one unsegmented RoCE packet. */
static __always_inline void rg_fast_account(const struct __sk_buff *skb, const struct rg_fast *f,
					    struct rg_dir *d, struct rg_ops *ops)
{
	__u32 op = f->op >> 4;

	d->roce_packets++;
	d->roce_bytes += skb->len;
	if (unlikely(op == RG_OP_CNP))
		d->cnp_packets++;
	if (unlikely(f->ecn == 3))
		d->ecn_ce_packets++;
	ops->packets[op & (RG_OP_MAX - 1)]++;
}

/**
 * rg_fast_parse() - is this one ordinary RoCE packet, whoever sent it?
 * @skb: packet
 * @eth: its Ethernet header, checked to be there
 * @end: end of its linear part
 * @f: packet in the making; sender holds the rail and the source MAC
 */
static __always_inline bool rg_fast_parse(const struct __sk_buff *skb, const __u8 *eth,
					  const void *end, struct rg_fast *f)
{
	__u16 type = *(const __be16 *)(eth + 2 * ETH_ALEN);

	f->sender = *(const __u64 *)(eth + ETH_ALEN) << 16;
	if (type == bpf_htons(ETH_P_IP)) {
		if (!rg_fast_ip4(skb, eth, end, f))
			return false;
	} else if (type != bpf_htons(ETH_P_IPV6) || !rg_fast_ip6(skb, eth, end, f)) {
		return false;
	}
	return rg_fast_bth(f) && rg_fast_plain(f, end) && !skb->vlan_present && !skb->gso_size &&
	       skb->gso_segs <= 1;
}

/**
 * rg_fast_tx() - let an ordinary RoCE packet pass
 * @skb: packet
 * @cfg: rail
 * @rail: rail number
 * @owner: slot that the hook belongs to, or RG_OWNER_ANY
 *
 * Return: whether the packet passes and has been counted; if not, nothing has happened yet
 */
static __always_inline bool rg_fast_tx(struct __sk_buff *skb, const struct rg_rail *cfg, __u32 rail,
				       __u32 owner)
{
	const __u8 *eth = rg_data(skb), *end = rg_data_end(skb);
	__u32 key = RG_OPS_KEY(rail, RG_OPS_TX), slot;
	struct rg_counters *counters;
	const struct rg_flow *flow;
	struct rg_fast f;
	struct rg_ops *ops;

	if (eth + ETH_HLEN > end || eth[0] & 1 || cfg->flags & RG_RAIL_KERNEL_ROCE_DENY)
		return false;
	if (!rg_fast_parse(skb, eth, end, &f))
		return false;
	f.sender |= rail;
	flow = rg_fast_flow(&f, cfg);
	if (!flow || (owner != RG_OWNER_ANY && flow->slot != owner))
		return false;
	if (cfg->profile | (flow->flags & RG_IDENT_STRICT) && !(flow->flags & RG_FLOW_FABRIC))
		return false;
	slot = flow->slot;
	counters = bpf_map_lookup_elem(&rg_counters, &slot);
	ops = bpf_map_lookup_elem(&rg_ops, &key);
	if (!counters || !ops)
		return false;
	rg_fast_account(skb, &f, &counters->tx, ops);
	return true;
}

#endif /* RG_BPF_FAST_H */
