// SPDX-License-Identifier: Apache-2.0
/*
 * Destinations: networks, profiles, exceptions.
 */
#include <netinet/in.h>
#include <string.h>
#include <railgate/endpoint.h>

#include "ref.h"

static bool prefix_equal(const uint8_t *a, const uint8_t *b, unsigned int bits)
{
	for (unsigned int i = 0; i < bits; i++)
		if ((a[i / 8] ^ b[i / 8]) & (0x80 >> i % 8))
			return false;
	return true;
}

/* A network of the other family never counts, however its bits look. */
bool ref_in(const struct ref *r, const uint8_t addr[16], uint32_t scope)
{
	for (size_t i = 0; i < r->world->policy->n_cidrs; i++) {
		const struct rg_policy_cidr *c = &r->world->policy->cidrs[i];

		if (c->scope == scope && ref_addr_is_v4(c->net.addr.b) == ref_addr_is_v4(addr) &&
		    prefix_equal(c->net.addr.b, addr, rg_cidr_prefix128(&c->net)))
			return true;
	}
	return false;
}

bool ref_near(const struct ref *r, const uint8_t addr[16])
{
	return ref_in(r, addr, RG_SCOPE_RDMA) || ref_in(r, addr, RG_SCOPE_SUBNET(r->rail));
}

bool ref_strict(const struct ref *r)
{
	return r->cfg->profile == RG_PROFILE_STRICT || r->flags & RG_IDENT_STRICT;
}

/* Destinations that are no host's: 0.0.0.0/8, 127.0.0.0/8, ::/96, mapped in IPv6. */
static bool no_destination(const struct ref *r)
{
	static const uint8_t zero[16];

	if (!r->v6)
		return r->dst[12] == 0 || r->dst[12] == 127;
	return memcmp(r->dst, zero, 8) == 0 &&
	       (memcmp(r->dst + 8, zero, 4) == 0 || ref_addr_is_v4(r->dst));
}

/**
 * struct ports - ports of a packet, 0 where it has none
 * @from: source
 * @to: destination
 * @answers: a TCP segment with ACK, which a listening side sends
 */
struct ports {
	uint16_t from;
	uint16_t to;
	bool answers;
};

static struct ports ports_of(const struct ref *r)
{
	struct ports p = {0};
	bool tcp = r->proto == IPPROTO_TCP;

	if (!tcp && r->proto != IPPROTO_UDP && r->proto != IPPROTO_UDPLITE &&
	    r->proto != IPPROTO_SCTP)
		return p;
	if (r->later || r->l4_len < 4)
		return p;
	p.from = ref_u16(r, r->l4);
	p.to = ref_u16(r, r->l4 + 2);
	p.answers = tcp && r->l4_len >= 14 && ref_u8(r, r->l4 + 13) & 0x10;
	return p;
}

static bool allowed(const struct ref *r)
{
	uint8_t from = r->flags & RG_IDENT_HOST ? RG_FROM_HOST : RG_FROM_PODS;
	struct ports p = ports_of(r);

	if (no_destination(r))
		return false;
	for (unsigned int i = 0; i < r->cfg->n_allows; i++) {
		const struct rg_allow *a = &r->cfg->allows[i];

		if (!a->in_use || a->proto != r->proto || !(a->from & from))
			continue;
		if (a->port && a->port != p.to && !(p.answers && a->port == p.from))
			continue;
		if (a->to_prefix && !r->v6 && !ref_addr_is_v4(a->to))
			continue;
		if (prefix_equal(a->to, r->dst, a->to_prefix))
			return true;
	}
	return false;
}

static enum rg_reason by_profile(const struct ref *r)
{
	bool fabric = ref_in(r, r->dst, RG_SCOPE_RDMA);

	if (r->v6 && ref_addr_is_v4(r->dst))
		fabric = false;
	if (r->group)
		return RG_REASON_DST_MCAST;
	if (no_destination(r))
		return RG_REASON_DST_CIDR;
	if (!ref_strict(r))
		return r->v.class == REF_ROCE || fabric ? RG_REASON_PASS : RG_REASON_DST_CIDR;
	if (!fabric)
		return RG_REASON_DST_CIDR;
	if (r->v.class == REF_ROCE || r->proto == (r->v6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP))
		return RG_REASON_PASS;
	return RG_REASON_PROTO_DENIED;
}

enum rg_reason ref_destination(struct ref *r)
{
	enum rg_reason reason;

	/* :: is for duplicate detection and listener reports, which never come here */
	if (r->v6 && ref_addr_is_zero(r->src))
		return RG_REASON_SRC_IP;
	reason = by_profile(r);
	return reason != RG_REASON_PASS && allowed(r) ? RG_REASON_PASS : reason;
}
