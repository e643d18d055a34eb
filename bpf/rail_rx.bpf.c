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
	struct rg_pkt p;

	rg_pkt_init(&p, skb->cb[RG_CB_SLOT], RG_OWNER_ANY);
	if (rg_receive_parse(skb, &p)) {
		if (rg_ident_mac(&p))
			p.slot = RG_SLOT_UNKNOWN(p.src.rail & (RG_MAX_RAILS - 1));
		if (rg_turn_may(&p) && rg_turn_judge(skb, p.src.rail) == RG_VERDICT_DROP)
			return RG_VERDICT_DROP;
		rg_classify(skb, &p);
		rg_account(skb, &p, RG_OPS_RX);
	}
	return RG_VERDICT_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
