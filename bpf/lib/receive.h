/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Received frames: whom they are for.
 */
#ifndef RG_BPF_RECEIVE_H
#define RG_BPF_RECEIVE_H

#include <linux/if_packet.h>

#include "lib/classify.h"
#include "lib/fast.h"

/* The sender's MAC of a frame, as a word. */
static __always_inline __u64 rg_receive_from(const __u8 *eth)
{
	return *(const __u64 *)(eth + ETH_ALEN) << 16;
}

/**
 * rg_receive_parse() - read the Ethernet header of a received frame
 * @skb: packet
 * @p: packet; the destination MAC takes the place of the sender's
 * @ret_from: the sender's MAC as a word
 *
 * The copy of a multicast or broadcast that the kernel keeps for the sender's own listeners comes
 * by here as well. It was not received, and has no Ethernet header.
 *
 * Return: whether it is a received frame and has the header
 */
static __always_inline bool rg_receive_parse(struct __sk_buff *skb, struct rg_pkt *p,
					     __u64 *ret_from)
{
	const __u8 *eth = rg_at(skb, 0, ETH_HLEN);

	if (unlikely(!eth || skb->pkt_type == PACKET_LOOPBACK))
		return false;
	p->src_words[0] = p->src.rail | *(const __u64 *)eth << 16;
	p->ethertype = bpf_ntohs(*(const __be16 *)(eth + 2 * ETH_ALEN));
	*ret_from = rg_receive_from(eth);
	return true;
}

/* Where it is kept whom frames from one MAC to another are for. */
static __always_inline struct rg_flow *rg_receive_at(__u64 receiver, __u64 from)
{
	__u32 key = rg_flow_hash(receiver | RG_FLOW_RECEIVED, from, 0);

	return bpf_map_lookup_elem(&rg_flows, &key);
}

/**
 * rg_receive_known() - were frames from this MAC to that one looked up before?
 * @receiver: rail and destination MAC, as the first word of an identity
 * @from: rg_receive_from()
 * @now: rg_flow_now()
 *
 * Return: whom they are for, or NULL; if there is an answer, they come from the wire
 */
static __always_inline const struct rg_flow *rg_receive_known(__u64 receiver, __u64 from, __u32 now)
{
	const struct rg_flow *f = rg_receive_at(receiver, from);

	if (!f || f->sender != (receiver | RG_FLOW_RECEIVED) || f->src[0] != from || f->tag != now)
		return NULL;
	return f;
}

/**
 * rg_receive_learn() - remember whom a frame from the wire is for
 * @p: packet of a known receiver
 * @from: rg_receive_from()
 * @now: rg_flow_now() from before both were looked up
 */
static __always_inline void rg_receive_learn(const struct rg_pkt *p, __u64 from, __u32 now)
{
	struct rg_flow *f = rg_receive_at(p->src_words[0], from);

	if (!f)
		return;
	f->sender = p->src_words[0] | RG_FLOW_RECEIVED;
	f->src[0] = from;
	f->src[1] = 0;
	f->dst[0] = 0;
	f->dst[1] = 0;
	f->tag = now;
	f->slot = p->slot;
	f->flags = 0;
}

/**
 * rg_receive_fast() - count an ordinary RoCE packet from the wire
 * @skb: packet
 * @rail: rail number
 *
 * Return: whether it has been counted; if not, nothing has happened yet
 */
static __always_inline bool rg_receive_fast(struct __sk_buff *skb, __u32 rail)
{
	const __u8 *eth = rg_data(skb), *end = rg_data_end(skb);
	__u32 key = RG_OPS_KEY(rail, RG_OPS_RX), slot;
	struct rg_counters *counters;
	const struct rg_flow *flow;
	__u64 receiver, from;
	struct rg_ops *ops;
	struct rg_fast f;

	if (eth + ETH_HLEN > end || skb->pkt_type == PACKET_LOOPBACK)
		return false;
	receiver = (rail & 0xffff) | *(const __u64 *)eth << 16;
	from = rg_receive_from(eth);
	if (!rg_fast_parse(skb, eth, end, &f))
		return false;
	flow = rg_receive_known(receiver, from, rg_flow_now());
	if (!flow)
		return false;
	slot = flow->slot;
	counters = bpf_map_lookup_elem(&rg_counters, &slot);
	ops = bpf_map_lookup_elem(&rg_ops, &key);
	if (!counters || !ops)
		return false;
	rg_fast_account(skb, &f, &counters->rx, ops);
	return true;
}

#endif /* RG_BPF_RECEIVE_H */
