// SPDX-License-Identifier: Apache-2.0
/*
 * The frame's first layer, and what the verdict means in the mode that is in force.
 */
#include <railgate/endpoint.h>
#include <railgate/limits.h>

#include "ref.h"

enum { IPV4 = 0x0800, ARP = 0x0806, VLAN = 0x8100, IPV6 = 0x86dd, SLOW = 0x8809 };
enum { QINQ = 0x88a8, LLDP = 0x88cc, ROCE1 = 0x8915, LACP = 1 };

static bool vlan_listed(const struct ref *r, uint16_t tci)
{
	for (unsigned int i = 0; i < r->cfg->n_vlans; i++)
		if (r->cfg->vlans[i] == (tci & 0x0fff))
			return true;
	return false;
}

/* Link aggregation and discovery are the host's alone. */
static enum rg_reason hosts_own(struct ref *r, uint16_t type)
{
	if (ref_by_mac(r) || !(r->flags & RG_IDENT_HOST))
		return RG_REASON_ETHERTYPE;
	if (type == SLOW && (!ref_has(r, r->l3, 1) || ref_u8(r, r->l3) != LACP))
		return RG_REASON_ETHERTYPE;
	return RG_REASON_PASS;
}

static enum rg_reason by_type(struct ref *r, uint16_t type)
{
	switch (type) {
	case IPV4:
		return ref_ip4(r);
	case IPV6:
		return ref_ip6(r);
	case ARP:
		return ref_arp(r);
	case LLDP:
	case SLOW:
		return hosts_own(r, type);
	case ROCE1:
		return RG_REASON_ROCE_V1;
	case VLAN:
	case QINQ:
		return RG_REASON_VLAN;
	default:
		return type < 0x0600 ? RG_REASON_LLC : RG_REASON_ETHERTYPE;
	}
}

static enum rg_reason frame(struct ref *r)
{
	uint16_t type = ref_u16(r, 12);

	r->group = ref_u8(r, 0) & 1;
	r->l3 = 14;
	if (r->cfg->mode == RG_MODE_NONE)
		return RG_REASON_NO_POLICY;
	if (type != VLAN)
		return by_type(r, type);
	if (!ref_has(r, 14, 4))
		return RG_REASON_SHORT;
	if (!vlan_listed(r, ref_u16(r, 14)))
		return RG_REASON_VLAN;
	r->l3 = 18;
	return by_type(r, ref_u16(r, 16));
}

struct ref_verdict ref_judge(const struct ref_world *world, uint32_t rail,
			     const struct ref_frame *f)
{
	struct ref r = {.world = world, .rail = rail, .cfg = &world->policy->rails[rail], .f = f};

	r.v.reason = frame(&r);
	if (r.v.reason && !r.known)
		(void)ref_by_mac(&r);
	r.v.slot = r.known ? r.slot : RG_SLOT_UNKNOWN(rail);
	r.v.mode = r.cfg->mode;
	if (r.known && r.flags & RG_IDENT_MODE_MASK && r.v.mode != RG_MODE_NONE)
		r.v.mode = r.flags & RG_IDENT_MODE_MASK;
	r.v.dropped = r.v.reason && r.v.mode != RG_MODE_AUDIT && r.v.mode != RG_MODE_OFF;
	return r.v;
}
