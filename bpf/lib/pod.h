/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A hook on a pod's own netdev: whose it is, and what of its traffic no other hook sees.
 */
#ifndef RG_BPF_POD_H
#define RG_BPF_POD_H

#include "lib/verdict.h"

/**
 * rg_pod_find() - the endpoint that a pod hook belongs to
 * @p: packet; becomes the endpoint's
 * @slot: endpoint slot
 *
 * Return: endpoint, or NULL if it is gone
 */
static __always_inline const struct rg_endpoint *rg_pod_find(struct rg_pkt *p, __u32 slot)
{
	const struct rg_endpoint *ep = bpf_map_lookup_elem(&rg_endpoints, &slot);

	rg_pkt_init(p, ep ? ep->rail : 0, slot);
	p->slot = slot;
	p->bits = RG_PKT_KNOWN;
	if (ep)
		p->flags = ep->flags;
	return ep;
}

/**
 * rg_pod_how() - what a pod's egress hook has to do with a frame
 * @skb: packet
 * @p: packet; belongs to the hook's endpoint
 * @mac: the endpoint's MAC
 * @ret_judge: whether the hook judges it
 *
 * A macvlan pod's frames are judged and counted at the rail, where the pod cannot avoid it: those
 * for the wire at its egress, those for another macvlan pod at its ingress (turn.h). What the rail
 * cannot tell is left: broadcasts, of which the other pods get their copies without it, and
 * frames under somebody else's MAC. They are judged here as well, but counted there.
 *
 * Return: RG_VERDICT_*
 */
static __always_inline __u32 rg_pod_how(struct __sk_buff *skb, struct rg_pkt *p, const __u8 *mac,
					bool *ret_judge)
{
	const __u16 *eth, *own = (const __u16 *)mac;

	*ret_judge = true;
	if (!(p->flags & RG_IDENT_SHARED))
		return RG_VERDICT_COUNT | RG_VERDICT_AUDIT;
	p->bits |= RG_PKT_FREE;
	eth = rg_at(skb, 0, ETH_HLEN);
	if (eth && !(eth[0] & 1 && p->flags & RG_IDENT_BRIDGE) && eth[3] == own[0] &&
	    eth[4] == own[1] && eth[5] == own[2])
		*ret_judge = false;
	return 0;
}

#endif /* RG_BPF_POD_H */
