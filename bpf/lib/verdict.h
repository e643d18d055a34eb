/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The single exit: a reason becomes counters, an event and what the kernel is told.
 */
#ifndef RG_BPF_VERDICT_H
#define RG_BPF_VERDICT_H

#include "lib/event.h"

/* What a hook does with its packets. */
#define RG_VERDICT_COUNT (1u << 0) /* packets that pass are counted here */
#define RG_VERDICT_AUDIT (1u << 1) /* would-be drops are counted here */

/* The endpoint's own mode goes before the rail's. */
static __always_inline __u32 rg_verdict_mode(const struct rg_pkt *p, const struct rg_rail *cfg)
{
	return p->flags & RG_IDENT_MODE_MASK ?: cfg ? cfg->mode : RG_MODE_ENFORCE;
}

/**
 * rg_verdict_bad() - a packet that the policy does not let pass
 * @skb: packet
 * @p: packet
 * @cfg: rail, NULL if it has no configuration
 * @reason: why; and from bit 8 on the hook, from bit 16 on RG_VERDICT_*
 *
 * Return: verdict for the kernel
 */
RG_GLOBAL int rg_verdict_bad(struct __sk_buff *skb, struct rg_pkt *p, const struct rg_rail *cfg,
			     __u32 what)
{
	__u32 reason = what & 0xff, hook = what >> 8 & 0xff, how = what >> 16, mode;

	if (!p)
		return RG_VERDICT_DROP;
	if (!(p->bits & RG_PKT_KNOWN) && rg_ident_mac(p))
		p->slot = RG_SLOT_UNKNOWN(p->src.rail & (RG_MAX_RAILS - 1));
	mode = rg_verdict_mode(p, cfg);
	if (cfg && mode != RG_MODE_ENFORCE) {
		if (mode == RG_MODE_AUDIT && how & RG_VERDICT_AUDIT) {
			rg_account_drop(skb, p, reason);
			rg_event_emit(skb, p, reason, hook, RG_EVENT_AUDIT);
		}
		if (how & RG_VERDICT_COUNT) {
			rg_classify(skb, p);
			rg_account(skb, p, RG_OPS_TX);
		}
		return RG_VERDICT_PASS;
	}
	rg_account_drop(skb, p, reason);
	rg_event_emit(skb, p, reason, hook, 0);
	return RG_VERDICT_DROP;
}

/**
 * rg_verdict() - end of a sending hook
 * @skb: packet
 * @p: packet
 * @cfg: rail, NULL if it has no configuration
 * @reason: RG_REASON_*
 * @hook: enum rg_hook
 * @how: RG_VERDICT_*
 *
 * Return: verdict for the kernel
 */
static __always_inline int rg_verdict(struct __sk_buff *skb, struct rg_pkt *p,
				      const struct rg_rail *cfg, __u32 reason, __u32 hook,
				      __u32 how)
{
	if (unlikely(reason))
		return rg_verdict_bad(skb, p, cfg, reason | hook << 8 | how << 16);
	if (how & RG_VERDICT_COUNT)
		rg_account(skb, p, RG_OPS_TX);
	return RG_VERDICT_PASS;
}

#endif /* RG_BPF_VERDICT_H */
