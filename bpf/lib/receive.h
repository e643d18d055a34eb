/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Received frames: whom they are for.
 */
#ifndef RG_BPF_RECEIVE_H
#define RG_BPF_RECEIVE_H

#include <linux/if_packet.h>

#include "lib/account.h"
#include "lib/classify.h"

/**
 * rg_receive_parse() - read the Ethernet header of a received frame
 * @skb: packet
 * @p: packet; the destination MAC takes the place of the sender's
 *
 * The copy of a multicast or broadcast that the kernel keeps for the sender's own listeners comes
 * by here as well. It was not received, and has no Ethernet header.
 *
 * Return: whether it is a received frame and has the header
 */
static __always_inline bool rg_receive_parse(struct __sk_buff *skb, struct rg_pkt *p)
{
	const __u8 *eth = rg_at(skb, 0, ETH_HLEN);

	if (unlikely(!eth || skb->pkt_type == PACKET_LOOPBACK))
		return false;
	p->src_words[0] = p->src.rail | *(const __u64 *)eth << 16;
	p->ethertype = bpf_ntohs(*(const __be16 *)(eth + 2 * ETH_ALEN));
	return true;
}

#endif /* RG_BPF_RECEIVE_H */
