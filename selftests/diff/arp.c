// SPDX-License-Identifier: Apache-2.0
/*
 * ARP (RFC 826, RFC 5227): the sender speaks for itself only, and about addresses of the fabric.
 */
#include <string.h>

#include "ref.h"

enum { REQUEST = 1, REPLY = 2 };

static void mapped(const uint8_t *v4, uint8_t ret[16])
{
	memset(ret, 0, 10);
	memset(ret + 10, 0xff, 2);
	memcpy(ret + 12, v4, 4);
}

enum rg_reason ref_arp(struct ref *r)
{
	const uint8_t *a = r->f->data + r->l3;
	enum rg_reason reason = ref_by_mac(r);
	static const uint8_t none[4];
	uint8_t sender[16], target[16];
	uint16_t op;
	bool probe;

	if (reason)
		return reason;
	if (!ref_has(r, r->l3, 28))
		return RG_REASON_SHORT;
	op = ref_u16(r, r->l3 + 6);
	if (ref_u16(r, r->l3) != 1 || ref_u16(r, r->l3 + 2) != 0x0800 || a[4] != 6 || a[5] != 4)
		return RG_REASON_ARP_BAD;
	if (op != REQUEST && op != REPLY)
		return RG_REASON_ARP_BAD;
	if (memcmp(a + 8, r->f->data + 6, 6) != 0)
		return RG_REASON_ARP_BAD;
	mapped(a + 14, sender);
	mapped(a + 24, target);
	probe = op == REQUEST && memcmp(a + 14, none, 4) == 0;
	if (!probe && !ref_owns(r, sender))
		return RG_REASON_ARP_BAD;
	if (!probe && memcmp(sender, target, 16) == 0)
		return RG_REASON_PASS; /* announcement */
	if (op == REPLY && memcmp(a + 24, none, 4) == 0)
		return RG_REASON_PASS; /* answer to a probe */
	return ref_near(r, target) ? RG_REASON_PASS : RG_REASON_ARP_BAD;
}
