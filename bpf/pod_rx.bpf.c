// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ingress of a pod's netdev: counts what arrives where the rail's hook does not see it. Refuses
 * nothing.
 */
#include "lib/pod.h"
#include "lib/receive.h"

SEC("tc")
int rg_pod_rx(struct __sk_buff *skb)
{
	const struct rg_endpoint *ep;
	struct rg_pkt p;
	__u64 from;

	ep = rg_pod_find(&p, skb->cb[RG_CB_SLOT]);
	if (ep && !(ep->flags & RG_IDENT_SHARED) && rg_receive_parse(skb, &p, &from)) {
		rg_classify(skb, &p);
		rg_account(skb, &p, RG_OPS_RX);
	}
	return RG_VERDICT_PASS;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
