// SPDX-License-Identifier: Apache-2.0
/*
 * ICMPv6: neighbour discovery (RFC 4861) for the sender's own addresses only, listener reports
 * (RFC 2710, RFC 3810), and nothing that routers say.
 */
#include <string.h>
#include <railgate/endpoint.h>

#include "ref.h"

enum { QUERY = 130, REPORT = 131, DONE = 132, RS = 133, NS = 135, NA = 136, REDIRECT = 137 };
enum { REPORT2 = 143, OPTION_SLLA = 1, OPTION_TLLA = 2 };

bool ref_icmp6_is_control(uint8_t type)
{
	return (type >= QUERY && type <= REDIRECT) || type == REPORT2;
}

/* Link-local multicast, a link-local host, or one of the fabric. */
static enum rg_reason goes_near(const struct ref *r)
{
	static const uint8_t zero[16];

	if (r->dst[0] == 0xff && (r->dst[1] & 0x0f) == 2)
		return RG_REASON_PASS;
	if (r->group)
		return RG_REASON_DST_MCAST;
	if (ref_addr_link_local(r->dst))
		return RG_REASON_PASS;
	if (memcmp(r->dst, zero, 8) == 0 &&
	    (memcmp(r->dst + 8, zero, 4) == 0 || ref_addr_is_v4(r->dst)))
		return RG_REASON_DST_CIDR;
	return ref_near(r, r->dst) ? RG_REASON_PASS : RG_REASON_DST_CIDR;
}

/* Link-layer address options must tell the sender's MAC; four options at most. */
static bool options_honest(const struct ref *r, uint32_t off, uint32_t end)
{
	int n = 0;

	while (off < end) {
		uint8_t type, units;

		if (++n > 4 || end - off < 8)
			return false;
		type = ref_u8(r, off);
		units = ref_u8(r, off + 1);
		if (units == 0)
			return false;
		if ((type == OPTION_SLLA || type == OPTION_TLLA) &&
		    (units != 1 || memcmp(r->f->data + off + 2, r->f->data + 6, 6) != 0))
			return false;
		off += units * 8U;
	}
	return off == end;
}

static bool target_ok(const struct ref *r, uint8_t type, const uint8_t *target)
{
	bool unspecified = ref_addr_is_zero(r->src);

	if (target[0] == 0xff)
		return false;
	if (type == NS && !unspecified)
		return true; /* asks who somebody is */
	if (ref_owns(r, target))
		return true;
	/* the host tries an address before anyone can know that it will be its own */
	return type == NS && r->flags & RG_IDENT_HOST &&
	       (ref_addr_link_local(target) || ref_near(r, target));
}

static enum rg_reason neighbour(const struct ref *r, uint8_t type)
{
	uint32_t fixed = type == RS ? 8 : 24;
	enum rg_reason reason;

	if (r->hops != 255 || r->l4_len < fixed)
		return RG_REASON_ND_BAD;
	if (type == NA && ref_addr_is_zero(r->src))
		return RG_REASON_SRC_IP;
	if (ref_addr_link_local(r->src) && !ref_owns(r, r->src))
		return RG_REASON_ND_BAD;
	if (!options_honest(r, r->l4 + fixed, r->l4 + r->l4_len))
		return RG_REASON_ND_BAD;
	reason = goes_near(r);
	if (reason || type == RS)
		return reason;
	return target_ok(r, type, r->f->data + r->l4 + 8) ? RG_REASON_PASS : RG_REASON_ND_BAD;
}

static enum rg_reason listener(const struct ref *r)
{
	if (!(r->cfg->flags & RG_RAIL_HAS_IPV6))
		return RG_REASON_DST_MCAST;
	if (r->hops != 1 || r->dst[0] != 0xff)
		return RG_REASON_ND_BAD;
	if (!ref_addr_is_zero(r->src) && !ref_addr_link_local(r->src))
		return RG_REASON_ND_BAD;
	return RG_REASON_PASS;
}

enum rg_reason ref_icmp6(struct ref *r, bool *ret_final)
{
	uint8_t type;

	*ret_final = false;
	if (r->l4_len < 8)
		return RG_REASON_IP_MALFORMED;
	type = ref_u8(r, r->l4);
	if (!ref_icmp6_is_control(type))
		return RG_REASON_PASS;
	*ret_final = true;
	r->v.class = REF_L2;
	if (type == RS || type == NS || type == NA)
		return neighbour(r, type);
	if (type == REPORT || type == DONE || type == REPORT2)
		return listener(r);
	return RG_REASON_ND_BAD;
}
