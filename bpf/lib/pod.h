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

/* Is the frame for another macvlan pod of the rail, so that the rail's hook will not see it? */
static __always_inline bool rg_pod_sibling(struct __sk_buff *skb, const struct rg_pkt *p)
{
	const __u64 *eth = rg_at(skb, 0, ETH_HLEN);
	const struct rg_ident *id;
	__u64 key[3] = {};

	if (!eth)
		return false;
	key[0] = p->src.rail | *eth << 16;
	id = bpf_map_lookup_elem(&rg_idents, key);
	return id && id->flags & RG_IDENT_BRIDGE;
}

/**
 * rg_pod_how() - what a pod's egress hook has to do with a frame
 * @skb: packet
 * @p: packet; belongs to the hook's endpoint
 * @ret_judge: whether the hook judges it
 *
 * A macvlan pod's frames are judged and counted at the rail, where the pod cannot avoid it. What
 * the rail does not see is unicast to another macvlan pod in bridge mode. Broadcasts go both ways:
 * they are judged here as well, but counted there.
 *
 * Return: RG_VERDICT_*
 */
static __always_inline __u32 rg_pod_how(struct __sk_buff *skb, struct rg_pkt *p, bool *ret_judge)
{
	const __u8 *eth;

	*ret_judge = true;
	if (!(p->flags & RG_IDENT_SHARED))
		return RG_VERDICT_COUNT | RG_VERDICT_AUDIT;
	eth = rg_at(skb, 0, ETH_HLEN);
	if (eth && p->flags & RG_IDENT_BRIDGE && eth[0] & 1) {
		p->bits |= RG_PKT_FREE;
		return 0;
	}
	if (p->flags & RG_IDENT_BRIDGE && rg_pod_sibling(skb, p))
		return RG_VERDICT_COUNT | RG_VERDICT_AUDIT;
	*ret_judge = false;
	return 0;
}

#endif /* RG_BPF_POD_H */
