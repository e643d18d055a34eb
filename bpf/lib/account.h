/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counting. The maps are per CPU and the hooks run with softirqs disabled, so plain additions do.
 */
#ifndef RG_BPF_ACCOUNT_H
#define RG_BPF_ACCOUNT_H

#include "lib/maps.h"
#include "lib/roce.h"

/**
 * rg_account_stats() - the programs' own health counters of this CPU
 *
 * Return: counters; NULL cannot happen, but the verifier wants it checked
 */
static __always_inline struct rg_stats *rg_account_stats(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&rg_stats, &zero);
}

/* Headers in front of each segment's payload. */
static __always_inline __u32 rg_account_headers(struct __sk_buff *skb, const struct rg_pkt *p)
{
	__u8 doff;

	if (p->proto == IPPROTO_TCP && !bpf_skb_load_bytes(skb, p->l4 + 12, &doff, 1))
		return p->l4 + (doff >> 4) * 4;
	return p->l4 + sizeof(struct udphdr);
}

/**
 * rg_account_size() - packets and bytes that a packet is on the wire
 * @skb: packet
 * @p: packet
 * @ret: packets: segments of a GSO packet, else 1; bytes: frame bytes, each segment with its own
 *       headers, and with the VLAN tag that the card will insert
 */
static __always_inline void rg_account_size(struct __sk_buff *skb, const struct rg_pkt *p,
					    struct rg_count *ret)
{
	__u32 size = skb->gso_size, segs, headers;

	ret->packets = 1;
	ret->bytes = skb->len;
	/* Not if the headers made no sense, and with them their length. */
	if (unlikely(size) && p->l4) {
		headers = rg_account_headers(skb, p);
		/* A packet socket's segments are counted by the kernel later. */
		segs = skb->gso_segs ?: (skb->len - headers + size - 1) / size;
		if (segs > 1) {
			ret->packets = segs;
			ret->bytes += (__u64)(segs - 1) * headers;
		}
	}
	if (unlikely(skb->vlan_present))
		ret->bytes += ret->packets * 4;
}

/* NAK codes of an ACK's AETH. */
static __always_inline void rg_account_nak(struct __sk_buff *skb, const struct rg_pkt *p,
					   struct rg_ops *ops)
{
	__u32 nak = RG_NAK_OTHER;
	__u8 syndrome;

	if (bpf_skb_load_bytes(skb, p->l4 + sizeof(struct udphdr) + RG_BTH_LEN, &syndrome, 1))
		return;
	if (syndrome >> 5 == 1)
		nak = RG_NAK_RNR;
	else if (syndrome >> 5 != 3)
		return;
	else if ((syndrome & 0x1f) <= 3)
		nak = RG_NAK_SEQUENCE + (syndrome & 0x1f);
	ops->naks[nak & (RG_NAK_MAX - 1)]++;
}

/* Opcode classes of the rail. */
static __always_inline void rg_account_op(struct __sk_buff *skb, const struct rg_pkt *p, __u32 dir,
					  __u64 packets)
{
	__u32 key = RG_OPS_KEY(p->src.rail, dir);
	struct rg_ops *ops = bpf_map_lookup_elem(&rg_ops, &key);

	if (!ops)
		return;
	ops->packets[p->op & (RG_OP_MAX - 1)] += packets;
	if (unlikely(p->op == RG_OP_ACK))
		rg_account_nak(skb, p, ops);
}

static __always_inline void rg_account_dir(struct rg_dir *d, const struct rg_pkt *p,
					   const struct rg_count *c)
{
	if (likely(p->class == RG_CLASS_ROCE)) {
		d->roce_packets += c->packets;
		d->roce_bytes += c->bytes;
		if (unlikely(p->op == RG_OP_CNP))
			d->cnp_packets += c->packets;
		if (unlikely(p->ecn == 3))
			d->ecn_ce_packets += c->packets;
	} else if (p->class == RG_CLASS_IP) {
		d->ip_packets += c->packets;
		d->ip_bytes += c->bytes;
	} else {
		d->l2_packets += c->packets;
	}
}

/**
 * rg_account() - count a packet that passes
 * @skb: packet
 * @p: packet; slot, class, op and ecn are set
 * @dir: RG_OPS_TX or RG_OPS_RX
 */
static __always_inline void rg_account(struct __sk_buff *skb, const struct rg_pkt *p, __u32 dir)
{
	__u32 slot = p->slot;
	struct rg_counters *counters = bpf_map_lookup_elem(&rg_counters, &slot);
	struct rg_stats *stats;
	struct rg_count size;

	if (unlikely(!counters)) {
		stats = rg_account_stats();
		if (stats)
			stats->counter_errors++;
		return;
	}
	rg_account_size(skb, p, &size);
	rg_account_dir(dir == RG_OPS_TX ? &counters->tx : &counters->rx, p, &size);
	if (p->class == RG_CLASS_ROCE)
		rg_account_op(skb, p, dir, size.packets);
}

/**
 * rg_account_drop() - count a packet that the policy stops
 * @skb: packet
 * @p: packet; slot is set
 * @reason: why
 */
static __always_inline void rg_account_drop(struct __sk_buff *skb, const struct rg_pkt *p,
					    __u32 reason)
{
	__u32 slot = p->slot;
	struct rg_drops *drops = bpf_map_lookup_elem(&rg_drops, &slot);
	struct rg_stats *stats;
	struct rg_count size;

	if (!drops) {
		stats = rg_account_stats();
		if (stats)
			stats->counter_errors++;
		return;
	}
	rg_account_size(skb, p, &size);
	reason &= RG_REASON_MAX - 1;
	drops->by_reason[reason].packets += size.packets;
	drops->by_reason[reason].bytes += size.bytes;
}

#endif /* RG_BPF_ACCOUNT_H */
