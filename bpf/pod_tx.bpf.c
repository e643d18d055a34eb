// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Egress of a pod's netdev: the whole policy for virtual functions and whole devices, which no
 * hook of the host sees, and for macvlan what the rail's hooks cannot tell.
 */
#include "lib/fast.h"
#include "lib/pod.h"

SEC("tc")
int rg_pod_tx(struct __sk_buff *skb)
{
	__u32 reason = RG_REASON_NO_POLICY, how = RG_VERDICT_COUNT | RG_VERDICT_AUDIT;
	const struct rg_rail *cfg = NULL;
	const struct rg_endpoint *ep;
	bool judge = true;
	struct rg_pkt p;

	ep = rg_pod_find(&p, skb->cb[RG_CB_SLOT]);
	if (ep) {
		how = rg_pod_how(skb, &p, ep->mac, &judge);
		if (!judge)
			return RG_VERDICT_PASS;
		cfg = rg_policy_rail(ep->rail);
		if (likely(cfg && how) && rg_fast_tx(skb, cfg, p.src.rail, p.owner))
			return RG_VERDICT_PASS;
	}
	if (cfg)
		reason = rg_l2_judge(skb, &p, cfg);
	return rg_verdict(skb, &p, cfg, reason, RG_HOOK_POD_TX, how);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
