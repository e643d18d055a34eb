/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rate limits: one number a bucket, the time at which the next event would be due if they came
 * evenly. No lock; of two CPUs that meet on a bucket, one is held back.
 */
#ifndef RG_BPF_RATE_H
#define RG_BPF_RATE_H

#include "lib/maps.h"
#include "lib/pkt.h"

/* Drop events: so many at once, then one each interval, per endpoint and reason. */
const volatile __u64 rg_event_interval_ns __weak = 100 * 1000 * 1000;
const volatile __u32 rg_event_burst __weak = 10;

/**
 * rg_rate_ok() - take one from a bucket
 * @b: bucket
 * @interval_ns: time between two at the permitted rate
 * @burst: how many may come at once
 */
static __always_inline bool rg_rate_ok(struct rg_bucket *b, __u64 interval_ns, __u32 burst)
{
	__u64 now = bpf_ktime_get_ns(), due = *(volatile __u64 *)&b->next_ns, next;

	next = (due > now ? due : now) + interval_ns;
	return next - now <= interval_ns * burst &&
	       __sync_val_compare_and_swap(&b->next_ns, due, next) == due;
}

/**
 * rg_rate_bucket() - bucket of an endpoint
 * @slot: endpoint
 * @reason: kind of event, RG_REASON_PASS for ARP, ND and MLD
 *
 * Return: bucket, or NULL if the slot does not exist
 */
static __always_inline struct rg_bucket *rg_rate_bucket(__u32 slot, __u32 reason)
{
	__u32 key = slot * RG_REASON_MAX + reason;

	return bpf_map_lookup_elem(&rg_event_rate, &key);
}

/**
 * rg_rate_l2() - may the sender have one more ARP, ND or MLD packet?
 * @p: packet of a known sender
 * @pps: packets a second, and as many at once; 0 for no limit
 *
 * Return: RG_REASON_PASS or RG_REASON_RATE
 */
static __always_inline __u32 rg_rate_l2(const struct rg_pkt *p, __u32 pps)
{
	struct rg_bucket *b;

	if (!pps || p->bits & RG_PKT_FREE)
		return RG_REASON_PASS;
	b = rg_rate_bucket(p->slot, RG_REASON_PASS);
	return b && rg_rate_ok(b, 1000000000 / pps, pps) ? RG_REASON_PASS : RG_REASON_RATE;
}

#endif /* RG_BPF_RATE_H */
