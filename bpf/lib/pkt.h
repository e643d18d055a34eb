/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One packet on its way through the programs: what is known of it so far, and how its bytes are
 * reached.
 */
#ifndef RG_BPF_PKT_H
#define RG_BPF_PKT_H

#include "lib/base.h"

/* struct rg_pkt.bits */
#define RG_PKT_GROUP  (1u << 0) /* destination is multicast or broadcast, at L2 or L3 */
#define RG_PKT_UNSPEC (1u << 1) /* source is ::, legal for a few ICMPv6 types only */
#define RG_PKT_FRAG   (1u << 2) /* a fragment */
#define RG_PKT_LATER  (1u << 3) /* not the first fragment: has no L4 header */
#define RG_PKT_NODST  (1u << 4) /* destination that may not appear on a wire */
#define RG_PKT_FREE   (1u << 5) /* exempt from the L2 rate limit */
#define RG_PKT_KNOWN  (1u << 6) /* @slot is set */
#define RG_PKT_FABRIC (1u << 8) /* destination is in the RDMA CIDRs */
#define RG_PKT_BIG    (1u << 7) /* IPv6 without a length, taken for BIG TCP so far */

/* What a packet is counted as. */
enum rg_class {
	RG_CLASS_L2 = 0,
	RG_CLASS_IP = 1,
	RG_CLASS_ROCE = 2,
};

/* struct rg_pkt.owner at a hook through which many endpoints send */
#define RG_OWNER_ANY 0xffffffffu

/**
 * struct rg_pkt - facts about the packet
 * @src: sender's identity; @src_words are its 64-bit words
 * @dst: destination address, IPv4 mapped; by bytes, 32-bit words, 64-bit words
 * @owner: slot that the hook belongs to, or RG_OWNER_ANY
 * @slot: endpoint the packet is counted for
 * @flags: RG_IDENT_* of that endpoint
 * @l4: offset of the L4 header in the frame, 0 if unknown
 * @l4_len: bytes of the IP payload from @l4 on
 * @ports: source and destination port as in the packet, 0 if unknown
 * @ethertype: as in the frame, behind a VLAN tag; host byte order
 * @bits: RG_PKT_*
 * @proto: IP protocol, of IPv6 behind the extension headers
 * @hops: IPv6 hop limit
 * @ecn: ECN bits
 * @class: enum rg_class
 * @op: enum rg_op, if @class is RG_CLASS_ROCE
 */
struct rg_pkt {
	union {
		struct rg_ident_key src;
		__u64 src_words[3];
	};
	union {
		__u8 dst[16];
		__u32 dst32[4];
		__u64 dst64[2];
	};
	__u32 owner;
	__u32 slot;
	__u32 flags;
	__u32 l4;
	__u32 l4_len;
	__u32 ports;
	__u16 ethertype;
	__u16 bits;
	__u8 proto;
	__u8 hops;
	__u8 ecn;
	__u8 class;
	__u32 op;
};

/**
 * rg_pkt_init() - begin with a packet
 * @p: packet
 * @rail: rail number
 * @owner: slot that the hook belongs to, or RG_OWNER_ANY
 */
static __always_inline void rg_pkt_init(struct rg_pkt *p, __u32 rail, __u32 owner)
{
	/* All of it: functions that are verified by themselves may read all of it. */
	__builtin_memset(p, 0, sizeof(*p));
	p->src_words[0] = rail & 0xffff;
	p->owner = owner;
}

/* Ports in host byte order. */
static __always_inline __u16 rg_pkt_sport(const struct rg_pkt *p)
{
	return bpf_ntohs(p->ports & 0xffff);
}

static __always_inline __u16 rg_pkt_dport(const struct rg_pkt *p)
{
	return bpf_ntohs(p->ports >> 16);
}

/*
 * The packet pointers are 32-bit fields that the verifier knows to be pointers. Read in C, clang
 * may move their copies through 32-bit registers, where they would no longer be.
 */
static __always_inline void *rg_data(const struct __sk_buff *skb)
{
	void *p;

	asm volatile("%0 = *(u32 *)(%1 + %2)"
		     : "=r"(p)
		     : "r"(skb), "i"(__builtin_offsetof(struct __sk_buff, data)));
	return p;
}

static __always_inline void *rg_data_end(const struct __sk_buff *skb)
{
	void *p;

	asm volatile("%0 = *(u32 *)(%1 + %2)"
		     : "=r"(p)
		     : "r"(skb), "i"(__builtin_offsetof(struct __sk_buff, data_end)));
	return p;
}

/**
 * rg_at() - bytes of the frame
 * @skb: packet
 * @off: offset in the frame
 * @size: how many bytes
 *
 * Pulls them into the linear area first where they are not: a frame from a packet ring has 14
 * linear bytes, so "not linear" says nothing about "not there". Invalidates pointers got before.
 *
 * Return: pointer, or NULL if the frame is shorter or the pull failed
 */
static __always_inline void *rg_at(struct __sk_buff *skb, __u32 off, __u32 size)
{
	void *p = rg_data(skb) + off;

	if (likely(p + size <= rg_data_end(skb)))
		return p;
	if (off + size > skb->len || bpf_skb_pull_data(skb, off + size))
		return NULL;
	p = rg_data(skb) + off;
	return p + size <= rg_data_end(skb) ? p : NULL;
}

/*
 * Set an IPv4 address (network byte order) in its IPv6-mapped form. In the words that it will be
 * read in: two halves written and a whole read would wait for the store to reach the cache.
 */
static __always_inline void rg_pkt_src4(struct rg_pkt *p, __be32 addr)
{
	p->src_words[1] = 0;
	p->src_words[2] = bpf_htonl(0xffff) | (__u64)addr << 32;
}

static __always_inline void rg_pkt_dst4(struct rg_pkt *p, __be32 addr)
{
	p->dst64[0] = 0;
	p->dst64[1] = bpf_htonl(0xffff) | (__u64)addr << 32;
}

/**
 * rg_addr_nowhere() - is this an IPv6 address that may not appear on a wire?
 * @w: the address as 32-bit words, network byte order
 *
 * ::/96 holds :: and ::1; IPv4-mapped addresses are how the maps keep IPv4, so an IPv6 packet that
 * carries one would otherwise borrow an IPv4 identity or CIDR.
 */
static __always_inline bool rg_addr_nowhere(const __u32 *w)
{
	return !w[0] && !w[1] && (!w[2] || w[2] == bpf_htonl(0xffff));
}

static __always_inline bool rg_addr_link_local(__be32 first_word)
{
	return (first_word & bpf_htonl(0xffc00000)) == bpf_htonl(0xfe800000);
}

#endif /* RG_BPF_PKT_H */
