/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy once more, in plain C and from the documentation: what the BPF programs are compared
 * with. It is written to be read, not to be fast, and shares nothing with them but the layout of
 * the maps: no cache, no order of tests chosen for speed, bytes fetched one by one.
 */
#ifndef RG_TEST_REF_H
#define RG_TEST_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <railgate/policy.h>
#include <railgate/reason.h>

#include "bpf/config.h"

enum ref_class {
	REF_L2,
	REF_IP,
	REF_ROCE,
};

/**
 * struct ref_ident - an identity
 * @rail: rail number
 * @mac: MAC
 * @addr: address, IPv4 mapped; valid if @has_addr
 * @has_addr: whether the identity is MAC and address, or the MAC alone
 * @slot: endpoint
 * @flags: RG_IDENT_*
 */
struct ref_ident {
	uint32_t rail;
	uint8_t mac[6];
	uint8_t addr[16];
	bool has_addr;
	uint32_t slot;
	uint32_t flags;
};

/**
 * struct ref_world - what the maps hold
 * @policy: rails and networks
 * @idents: identities
 * @n_idents: number of @idents
 */
struct ref_world {
	const struct rg_policy *policy;
	const struct ref_ident *idents;
	size_t n_idents;
};

/**
 * struct ref_frame - a frame
 * @data: from the destination MAC on
 * @len: bytes
 * @gso: several packets in one, to be segmented behind the hook
 */
struct ref_frame {
	const uint8_t *data;
	uint32_t len;
	bool gso;
};

/**
 * struct ref_verdict - what becomes of a frame
 * @reason: enum rg_reason; RG_REASON_PASS if the policy lets it out
 * @mode: enum rg_mode in force, the endpoint's own before the rail's
 * @dropped: whether it is dropped, which mode audit and off never do
 * @slot: endpoint it is charged to
 * @class: what it is counted as when it passes
 * @ce: ECN congestion experienced
 * @cnp: congestion notification
 */
struct ref_verdict {
	enum rg_reason reason;
	uint8_t mode;
	bool dropped;
	uint32_t slot;
	enum ref_class class;
	bool ce;
	bool cnp;
};

/**
 * struct ref - one frame being judged; for the files of the reference
 * @world: maps
 * @rail: rail number
 * @cfg: the rail's configuration
 * @f: frame
 * @l3: offset of the network header
 * @group: destination is multicast or broadcast, at L2 or L3
 * @v6: IPv6
 * @src: source address, IPv4 mapped
 * @dst: destination address, IPv4 mapped
 * @known: whether @slot and @flags are set
 * @slot: endpoint
 * @flags: RG_IDENT_*
 * @proto: protocol of the IP payload
 * @l4: offset of the IP payload
 * @l4_len: bytes of the IP payload
 * @hops: IPv6 hop limit
 * @frag: a fragment
 * @later: not the first fragment
 * @v: result
 */
struct ref {
	const struct ref_world *world;
	uint32_t rail;
	const struct rg_rail *cfg;
	const struct ref_frame *f;
	uint32_t l3;
	bool group;
	bool v6;
	uint8_t src[16];
	uint8_t dst[16];
	bool known;
	uint32_t slot;
	uint32_t flags;
	uint8_t proto;
	uint32_t l4;
	uint32_t l4_len;
	uint8_t hops;
	bool frag;
	bool later;
	struct ref_verdict v;
};

/**
 * ref_judge() - what the egress hook of a rail does with a frame
 * @world: maps
 * @rail: rail number
 * @frame: frame
 *
 * Return: verdict
 */
struct ref_verdict ref_judge(const struct ref_world *world, uint32_t rail,
			     const struct ref_frame *frame);

/* Bytes of the frame; the caller has checked that they are there. */
static inline uint8_t ref_u8(const struct ref *r, uint32_t off)
{
	return r->f->data[off];
}

static inline uint16_t ref_u16(const struct ref *r, uint32_t off)
{
	return (uint16_t)(r->f->data[off] << 8 | r->f->data[off + 1]);
}

static inline bool ref_has(const struct ref *r, uint32_t off, uint32_t size)
{
	return off + size <= r->f->len;
}

/* identity.c: the sender by MAC alone, by MAC and address; whether an address is its own */
enum rg_reason ref_by_mac(struct ref *r);
enum rg_reason ref_by_address(struct ref *r);
bool ref_owns(const struct ref *r, const uint8_t addr[16]);

/* where.c: destinations */
bool ref_in(const struct ref *r, const uint8_t addr[16], uint32_t scope);
bool ref_near(const struct ref *r, const uint8_t addr[16]);
bool ref_strict(const struct ref *r);
enum rg_reason ref_destination(struct ref *r);

/* arp.c, ip.c, icmp6.c, roce.c: one protocol each */
enum rg_reason ref_arp(struct ref *r);
enum rg_reason ref_ip4(struct ref *r);
enum rg_reason ref_ip6(struct ref *r);
enum rg_reason ref_icmp6(struct ref *r, bool *ret_final);
bool ref_icmp6_is_control(uint8_t type);
enum rg_reason ref_roce(struct ref *r);

static inline bool ref_addr_is_v4(const uint8_t a[16])
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

	return __builtin_memcmp(a, mapped, sizeof(mapped)) == 0;
}

static inline bool ref_addr_is_zero(const uint8_t a[16])
{
	static const uint8_t zero[16];

	return __builtin_memcmp(a, zero, sizeof(zero)) == 0;
}

static inline bool ref_addr_link_local(const uint8_t a[16])
{
	return a[0] == 0xfe && (a[1] & 0xc0) == 0x80;
}

#endif /* RG_TEST_REF_H */
