/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who sends, and is it to the fabric? A hash and a trie know, but asking them costs more than all
 * the rest of a packet. So each CPU remembers its latest answers.
 *
 * An answer holds as long as its tag does. The tag joins the configuration's generation, whose
 * CIDRs never change, the epoch of the identities, which whoever changes them advances, and a
 * clock, so that what was changed without ceremony is forgotten as well. Of senders, only
 * identities that were found are remembered.
 *
 * The hooks run with softirqs disabled, so nobody else of this CPU is in the table meanwhile.
 */
#ifndef RG_BPF_FLOW_H
#define RG_BPF_FLOW_H

#include "lib/ident.h"
#include "lib/policy.h"

#define RG_FLOW_BITS	  9	 /* of the index into rg_flows */
#define RG_FLOW_LIFE_BITS 8	 /* jiffies that an answer holds at most, as a power of two */
#define RG_FLOW_IPV6	  0x8000 /* added to the sender; rail numbers are smaller */
#define RG_FLOW_RECEIVED  0x4000 /* likewise, of receivers */
#define RG_FLOW_HASH	  0x9e3779b97f4a7c15ull

/* What an identity found now will be true for. To be read before it is looked for. */
static __always_inline __u32 rg_flow_now(void)
{
	__u32 zero = 0, now = bpf_jiffies64() >> RG_FLOW_LIFE_BITS;
	const volatile __u64 *epoch = bpf_map_lookup_elem(&rg_epoch, &zero);

	/* Both only grow, so no two states have the same sum. */
	return epoch ? now + (__u32)*epoch : now;
}

/* The same for an answer that depends on the configuration too. */
static __always_inline __u64 rg_flow_tag(const struct rg_rail *cfg)
{
	return (__u64)cfg->generation << 32 | rg_flow_now();
}

/* Where an answer is kept. Takes the words of the addresses in which IPv4 differs. */
static __always_inline __u32 rg_flow_hash(__u64 sender, __u64 src, __u64 dst)
{
	return (sender ^ src ^ dst) * RG_FLOW_HASH >> (64 - RG_FLOW_BITS);
}

/* An IPv6 packet with IPv4-mapped addresses must not find what was learned of IPv4. */
static __always_inline __u64 rg_flow_sender(const struct rg_pkt *p)
{
	return p->src_words[0] | (p->ethertype == ETH_P_IPV6 ? RG_FLOW_IPV6 : 0);
}

static __always_inline struct rg_flow *rg_flow_at(const struct rg_pkt *p)
{
	__u32 key = rg_flow_hash(rg_flow_sender(p), p->src_words[2], p->dst64[1]);

	return bpf_map_lookup_elem(&rg_flows, &key);
}

/* A link-local source goes by the MAC alone; others that may not be on a wire are nobody's. */
static __always_inline __u32 rg_flow_ident(struct rg_pkt *p)
{
	const __u32 *src = (const __u32 *)p->src.addr;

	if (p->bits & RG_PKT_UNSPEC)
		return rg_ident_mac(p);
	if (p->ethertype == ETH_P_IPV6) {
		if (rg_addr_link_local(src[0]))
			return rg_ident_mac(p);
		if (rg_addr_nowhere(src))
			return rg_ident_mac(p) ?: RG_REASON_SRC_IP;
	}
	return rg_ident_full(p);
}

/**
 * rg_flow_learn() - look sender and destination up, and remember
 * @p: packet; src and dst are complete
 * @cfg: rail
 * @tag: rg_flow_tag() from before
 *
 * Return: RG_REASON_PASS and the identity in @p, or the reason
 */
RG_GLOBAL int rg_flow_learn(struct rg_pkt *p, const struct rg_rail *cfg, __u64 tag)
{
	const __u64 *dst;
	struct rg_flow *f;
	__u32 reason;

	if (!p || !cfg)
		return RG_REASON_INTERNAL;
	reason = rg_flow_ident(p);
	if (reason)
		return reason;
	if (rg_policy_in(p, cfg, RG_SCOPE_RDMA))
		p->bits |= RG_PKT_FABRIC;
	f = rg_flow_at(p);
	if (!f || p->bits & (RG_PKT_UNSPEC | RG_PKT_NODST | RG_PKT_GROUP))
		return RG_REASON_PASS;
	dst = p->dst64;
	f->sender = rg_flow_sender(p);
	f->src[0] = p->src_words[1];
	f->src[1] = p->src_words[2];
	f->dst[0] = dst[0];
	f->dst[1] = dst[1];
	f->tag = tag;
	f->slot = p->slot;
	f->flags = p->flags | (p->bits & RG_PKT_FABRIC ? RG_FLOW_FABRIC : 0);
	return RG_REASON_PASS;
}

/**
 * rg_flow_find() - identify the sender, and find out whether it sends to the fabric
 * @p: packet; src and dst are complete; RG_PKT_UNSPEC stands for "by MAC alone"
 * @cfg: rail
 *
 * Return: RG_REASON_PASS and the identity in @p, or the reason
 */
static __always_inline __u32 rg_flow_find(struct rg_pkt *p, const struct rg_rail *cfg)
{
	const __u64 *dst = p->dst64;
	const struct rg_flow *f = rg_flow_at(p);
	__u64 tag = rg_flow_tag(cfg);

	if (unlikely(!f || f->sender != rg_flow_sender(p) || f->src[1] != p->src_words[2] ||
		     f->src[0] != p->src_words[1] || f->dst[1] != dst[1] || f->dst[0] != dst[0] ||
		     f->tag != tag || p->bits & RG_PKT_UNSPEC))
		return rg_flow_learn(p, cfg, tag);
	if (p->owner != RG_OWNER_ANY && f->slot != p->owner)
		return RG_REASON_MAC_SRC;
	p->slot = f->slot;
	p->flags = f->flags & ~RG_FLOW_FABRIC;
	p->bits |= RG_PKT_KNOWN | (f->flags & RG_FLOW_FABRIC ? RG_PKT_FABRIC : 0);
	return RG_REASON_PASS;
}

#endif /* RG_BPF_FLOW_H */
