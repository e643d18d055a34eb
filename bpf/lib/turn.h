/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Frames from one macvlan pod to another of the same rail. The rail's egress never sees them:
 * macvlan in bridge mode turns them around and hands them to the rail's ingress as if the wire had
 * brought them. There they are judged and counted as sent, whether or not the sender went past its
 * own hook.
 */
#ifndef RG_BPF_TURN_H
#define RG_BPF_TURN_H

#include "lib/verdict.h"

#define RG_TURN_NOT 0 /* no verdict of ours */

/**
 * rg_turn_may() - may a received frame have been turned around?
 * @p: packet; belongs to the receiver, whose MAC stands in the sender's place
 *
 * Its receiver is a macvlan in bridge mode, maybe one that nobody has told us about.
 */
static __always_inline bool rg_turn_may(const struct rg_pkt *p)
{
	return !(p->src.mac[0] & 1) && (!(p->bits & RG_PKT_KNOWN) || p->flags & RG_IDENT_BRIDGE);
}

/**
 * rg_turn_judge() - judge a frame if a macvlan pod of this rail has sent it
 * @skb: packet
 * @rail: rail number
 *
 * A frame from the wire has a sender that is none of ours.
 *
 * Return: verdict for the kernel, or RG_TURN_NOT for frames from the wire
 */
RG_GLOBAL int rg_turn_judge(struct __sk_buff *skb, __u32 rail)
{
	__u32 reason = RG_REASON_NO_POLICY;
	const struct rg_rail *cfg;
	struct rg_pkt p;

	rg_pkt_init(&p, rail, RG_OWNER_ANY);
	if (!rg_l2_parse(skb, &p) || rg_ident_mac(&p) || !(p.flags & RG_IDENT_BRIDGE))
		return RG_TURN_NOT;
	cfg = rg_policy_rail(rail);
	if (cfg)
		reason = rg_l2_judge(skb, &p, cfg);
	return rg_verdict(skb, &p, cfg, reason, RG_HOOK_RAIL_RX,
			  RG_VERDICT_COUNT | RG_VERDICT_AUDIT);
}

#endif /* RG_BPF_TURN_H */
