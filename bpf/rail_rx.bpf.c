// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ingress of a rail's host netdev: counts what arrives, for the host and for macvlan pods. Refuses
 * nothing that comes from the wire; what one macvlan pod sends to another comes by here too, and
 * is judged.
 */
#include "lib/receive.h"
#include "lib/turn.h"

SEC("tc")
int rg_rail_rx(struct __sk_buff *skb)
{
	__u32 rail = skb->cb[RG_CB_SLOT], now;
	const struct rg_flow *known;
	int turned = RG_TURN_NOT;
	struct rg_pkt p;
	__u64 from;

	if (likely(rg_receive_fast(skb, rail)))
		return RG_VERDICT_PASS;
	rg_pkt_init(&p, rail, RG_OWNER_ANY);
	if (!rg_receive_parse(skb, &p, &from))
		return RG_VERDICT_PASS;
	now = rg_flow_now();
	known = rg_receive_known(p.src_words[0], from, now);
	if (known) {
		p.slot = known->slot;
	} else {
		if (rg_ident_mac(&p))
			p.slot = RG_SLOT_UNKNOWN(p.src.rail & (RG_MAX_RAILS - 1));
		if (rg_turn_may(&p))
			turned = rg_turn_judge(skb, p.src.rail);
		if (turned == RG_VERDICT_DROP)
			return RG_VERDICT_DROP;
		if (turned == RG_TURN_NOT && p.bits & RG_PKT_KNOWN)
			rg_receive_learn(&p, from, now);
	}
	rg_classify(skb, &p);
	rg_account(skb, &p, RG_OPS_RX);
	return RG_VERDICT_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
