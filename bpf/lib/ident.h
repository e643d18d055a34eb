/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whose packet it is. MAC and address are one key, so a single lookup proves that they belong
 * together; a second lookup, by MAC alone, only happens to packets that will be refused.
 */
#ifndef RG_BPF_IDENT_H
#define RG_BPF_IDENT_H

#include "lib/maps.h"
#include "lib/pkt.h"

/* Keys are copied to the stack: Linux 6.1 takes no key from a structure of a caller's. */

/**
 * rg_ident_take() - adopt an identity
 * @p: packet
 * @id: what the lookup found
 *
 * Return: RG_REASON_PASS, or RG_REASON_MAC_SRC at a hook that belongs to somebody else
 */
static __always_inline __u32 rg_ident_take(struct rg_pkt *p, const struct rg_ident *id)
{
	if (p->owner != RG_OWNER_ANY && id->slot != p->owner)
		return RG_REASON_MAC_SRC;
	p->slot = id->slot;
	p->flags = id->flags;
	p->bits |= RG_PKT_KNOWN;
	return RG_REASON_PASS;
}

/**
 * rg_ident_mac() - identify by MAC alone
 * @p: packet; @src.rail and @src.mac are set
 *
 * Return: RG_REASON_PASS or RG_REASON_MAC_SRC
 */
static __noinline __u32 rg_ident_mac(struct rg_pkt *p)
{
	__u64 key[3] = {p->src_words[0]};
	const struct rg_ident *id = bpf_map_lookup_elem(&rg_idents, key);

	return id ? rg_ident_take(p, id) : RG_REASON_MAC_SRC;
}

/**
 * rg_ident_full() - identify by MAC and address
 * @p: packet; @src is complete
 *
 * Return: RG_REASON_PASS, RG_REASON_SRC_IP if only the MAC is known, RG_REASON_MAC_SRC if neither
 */
static __always_inline __u32 rg_ident_full(struct rg_pkt *p)
{
	__u64 key[3] = {p->src_words[0], p->src_words[1], p->src_words[2]};
	const struct rg_ident *id = bpf_map_lookup_elem(&rg_idents, key);

	if (likely(id))
		return rg_ident_take(p, id);
	return rg_ident_mac(p) ?: RG_REASON_SRC_IP;
}

/**
 * rg_ident_owns() - is an address the sender's own?
 * @p: packet of a known sender
 * @addr: IPv6 or mapped IPv4 address, network byte order
 *
 * The link-local address that follows from the MAC needs no entry: it is the default GID.
 */
static __always_inline bool rg_ident_owns(const struct rg_pkt *p, const __u32 *addr)
{
	__u64 key[3] = {p->src_words[0], addr[0] | (__u64)addr[1] << 32,
			addr[2] | (__u64)addr[3] << 32};
	const struct rg_ident *id;
	const __u8 *m = p->src.mac;

	if (addr[0] == bpf_htonl(0xfe800000) && !addr[1] &&
	    addr[2] == bpf_htonl((__u32)(m[0] ^ 2) << 24 | m[1] << 16 | m[2] << 8 | 0xff) &&
	    addr[3] == bpf_htonl(0xfe000000u | m[3] << 16 | m[4] << 8 | m[5]))
		return true;
	/* All zero is the key of the MAC alone, not an address that anybody has. */
	if (!key[1] && !key[2])
		return false;
	id = bpf_map_lookup_elem(&rg_idents, key);
	return id && id->slot == p->slot;
}

#endif /* RG_BPF_IDENT_H */
