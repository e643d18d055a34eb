/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Received frames: whom they are for.
 */
#ifndef RG_BPF_RECEIVE_H
#define RG_BPF_RECEIVE_H

#include "lib/account.h"
#include "lib/classify.h"

/**
 * rg_receive_parse() - read the Ethernet header of a received frame
 * @skb: packet
 * @p: packet; the destination MAC takes the place of the sender's
 *
 * Return: whether the frame has the header
 */
static __always_inline bool rg_receive_parse(struct __sk_buff *skb, struct rg_pkt *p)
{
	const __u8 *eth = rg_at(skb, 0, ETH_HLEN);

	if (unlikely(!eth))
		return false;
	p->src_words[0] = p->src.rail | *(const __u64 *)eth << 16;
	p->ethertype = bpf_ntohs(*(const __be16 *)(eth + 2 * ETH_ALEN));
	return true;
}

#endif /* RG_BPF_RECEIVE_H */
