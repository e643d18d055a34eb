// SPDX-License-Identifier: Apache-2.0
/*
 * Identity: source MAC and address must belong together to one endpoint of the rail.
 */
#include <string.h>

#include "ref.h"

static const struct ref_ident *find(const struct ref *r, const uint8_t *addr)
{
	const uint8_t *mac = r->f->data + 6;

	for (size_t i = 0; i < r->world->n_idents; i++) {
		const struct ref_ident *id = &r->world->idents[i];

		if (id->rail != r->rail || memcmp(id->mac, mac, 6) != 0 ||
		    id->has_addr != (addr != NULL))
			continue;
		if (!addr || memcmp(id->addr, addr, 16) == 0)
			return id;
	}
	return NULL;
}

static void take(struct ref *r, const struct ref_ident *id)
{
	r->known = true;
	r->slot = id->slot;
	r->flags = id->flags;
}

enum rg_reason ref_by_mac(struct ref *r)
{
	const struct ref_ident *id = find(r, NULL);

	if (!id)
		return RG_REASON_MAC_SRC;
	take(r, id);
	return RG_REASON_PASS;
}

/* An IPv6 packet may not carry an IPv4-mapped address, nor one of ::/96 (RFC 4291, 2.5.5). */
static bool is_nowhere(const uint8_t a[16])
{
	static const uint8_t zero[16];

	return memcmp(a, zero, 10) == 0 &&
	       ((a[10] == 0 && a[11] == 0) || (a[10] == 0xff && a[11] == 0xff));
}

enum rg_reason ref_by_address(struct ref *r)
{
	const struct ref_ident *id = NULL;
	enum rg_reason reason;

	if (r->v6 && (ref_addr_is_zero(r->src) || ref_addr_link_local(r->src)))
		return ref_by_mac(r);
	if (!r->v6 || !is_nowhere(r->src))
		id = find(r, r->src);
	if (id) {
		take(r, id);
		return RG_REASON_PASS;
	}
	reason = ref_by_mac(r);
	return reason != RG_REASON_PASS ? reason : RG_REASON_SRC_IP;
}

/* The modified EUI-64 address of the MAC is the default GID (RFC 4291, appendix A). */
bool ref_owns(const struct ref *r, const uint8_t addr[16])
{
	const uint8_t *m = r->f->data + 6;
	const uint8_t own[16] = {0xfe,	   0x80, 0,    0,    0,	   0,	 0,    0,
				 m[0] ^ 2, m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5]};
	const struct ref_ident *id = ref_addr_is_zero(addr) ? NULL : find(r, addr);

	return memcmp(own, addr, 16) == 0 || (id && id->slot == r->slot);
}
