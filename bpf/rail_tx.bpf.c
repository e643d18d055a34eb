// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Egress of a rail's host netdev: everything that the host and the macvlan pods send to the wire,
 * also past the pods' own hooks.
 */
#include "lib/fast.h"
#include "lib/verdict.h"

SEC("tc")
int rg_rail_tx(struct __sk_buff *skb)
{
	__u32 rail = skb->cb[RG_CB_SLOT], reason = RG_REASON_NO_POLICY;
	const struct rg_rail *cfg = rg_policy_rail(rail);
	struct rg_pkt p;

	if (likely(cfg) && likely(rg_fast_tx(skb, cfg, rail, RG_OWNER_ANY)))
		return RG_VERDICT_PASS;
	rg_pkt_init(&p, rail, RG_OWNER_ANY);
	if (likely(cfg))
		reason = rg_l2_judge(skb, &p, cfg);
	else
		(void)rg_l2_parse(skb, &p);
	return rg_verdict(skb, &p, cfg, reason, RG_HOOK_RAIL_TX,
			  RG_VERDICT_COUNT | RG_VERDICT_AUDIT);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
