// SPDX-License-Identifier: Apache-2.0
/*
 * Filling the maps of a crowded node.
 */
#include "crowd.h"

#include <stdio.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>

#include "bpf/frame.h"
#include "bpf/tap.h"

#define MACVLAN	    (RG_IDENT_SHARED | RG_IDENT_BRIDGE)
#define SPARE_SLOTS 64 /* the reserved ones, and some */

static void add_endpoint(struct bed *bed, uint32_t number)
{
	uint32_t rail = number % CROWD_RAILS, n = number / CROWD_RAILS;
	uint32_t slot = RG_SLOT_FIRST_POD + number;
	char mac[32], addr4[32], addr6[64];

	if (n == 0) {
		bed_ident(bed, rail, FRAME_SRC_MAC, NULL, slot, MACVLAN);
		bed_ident(bed, rail, FRAME_SRC_MAC, FRAME_SRC_4, slot, MACVLAN);
		bed_ident(bed, rail, FRAME_SRC_MAC, FRAME_SRC_6, slot, MACVLAN);
		return;
	}
	(void)snprintf(mac, sizeof(mac), "02:00:00:01:%02x:%02x", n >> 8 & 0xff, n & 0xff);
	(void)snprintf(addr4, sizeof(addr4), "10.9.%u.%u", 16 + (n >> 8), n & 0xff);
	(void)snprintf(addr6, sizeof(addr6), "fd09::1:%x", n);
	bed_ident(bed, rail, mac, NULL, slot, MACVLAN);
	bed_ident(bed, rail, mac, addr4, slot, MACVLAN);
	bed_ident(bed, rail, mac, addr6, slot, MACVLAN);
}

struct bed *crowd_open(uint32_t endpoints, uint32_t cidrs, bool forget)
{
	struct bed_options o = {
		.slots = endpoints + SPARE_SLOTS,
		.event_interval_ns = 1000000000,
		.event_burst = 1,
		.flows = forget ? 1 : 0,
	};
	struct bed *bed = bed_open(&o);
	char net[64];

	for (int rail = 0; rail < CROWD_RAILS; rail++) {
		bed->policy.rails[rail].mode = RG_MODE_ENFORCE;
		bed->policy.rails[rail].flags = RG_RAIL_HAS_IPV6;
		bed->policy.rails[rail].profile = rail % 2 ? RG_PROFILE_STRICT
							   : RG_PROFILE_STANDARD;
	}
	for (uint32_t i = 0; i < cidrs; i++) {
		/* neither sorted nor side by side, so that the trie gets some depth */
		if (i % 2 == 0)
			(void)snprintf(net, sizeof(net), "10.%u.0.0/16", (9 + i / 2 * 37) % 256);
		else
			(void)snprintf(net, sizeof(net), "fd%02x::/64", (9 + i / 2 * 37) % 256);
		bed_cidr(bed, RG_SCOPE_RDMA, net);
	}
	bed_commit(bed);
	for (uint32_t i = 0; i < endpoints; i++)
		add_endpoint(bed, i);
	return bed;
}
