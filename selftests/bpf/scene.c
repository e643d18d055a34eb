// SPDX-License-Identifier: Apache-2.0
/*
 * Rails, endpoints and exceptions of the packet tables.
 */
#include "scene.h"

#include <string.h>
#include <netinet/in.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "frame.h"
#include "tap.h"

#define MACVLAN (RG_IDENT_SHARED | RG_IDENT_BRIDGE)

const struct scene_ident scene_idents[] = {
	{BY_POD, FRAME_SRC_MAC, {FRAME_SRC_4, FRAME_SRC_6}, MACVLAN},
	{BY_SIBLING, "02:00:00:00:09:03", {"10.9.0.3", "fd09::3"}, MACVLAN},
	{BY_PRIVATE, "02:00:00:00:09:04", {"10.9.0.4", "fd09::4"}, RG_IDENT_SHARED},
	{BY_VF, "02:00:00:00:09:05", {"10.9.0.5", "fd09::5"}, 0},
	{BY_STRICT, "02:00:00:00:09:07", {"10.9.0.7", "fd09::7"}, RG_IDENT_STRICT},
	{BY_WATCHED, "02:00:00:00:09:08", {"10.9.0.8", "fd09::8"}, RG_MODE_AUDIT},
	{BY_HOST, "02:00:00:00:0f:01", {"10.9.0.100", "fd09::100", "fe80::abcd"}, RG_IDENT_HOST},
};

const size_t scene_n_idents = ARRAY_SIZE(scene_idents);

static const struct {
	const char *to; /* NULL: anywhere */
	uint8_t proto;
	uint16_t port;
	uint8_t from;
} allows[] = {
	{"255.255.255.255/32", IPPROTO_UDP, 67, RG_FROM_HOST | RG_FROM_PODS},
	{"ff02::1:2/128", IPPROTO_UDP, 547, RG_FROM_HOST | RG_FROM_PODS},
	{"224.0.1.129/32", IPPROTO_UDP, 319, RG_FROM_HOST | RG_FROM_PODS},
	{"192.0.2.0/24", IPPROTO_TCP, 179, RG_FROM_HOST},
	{"198.51.100.0/24", IPPROTO_ICMP, 0, RG_FROM_PODS},
	{"2001:db8::/32", IPPROTO_TCP, 443, RG_FROM_PODS},
	{"203.0.113.0/24", IPPROTO_UDP, 4791, RG_FROM_PODS},
	{"2001:db8:5::/48", 132, 5000, RG_FROM_PODS},
	{NULL, IPPROTO_TCP, 22, RG_FROM_HOST},
};

static const struct {
	uint32_t scope;
	const char *net;
} subnets[] = {
	{RG_SCOPE_RDMA, "10.9.0.0/16"},	   {RG_SCOPE_RDMA, "172.16.0.0/12"},
	{RG_SCOPE_RDMA, "fd09::/64"},	   {RG_SCOPE_SUBNET(0), "10.9.0.0/24"},
	{RG_SCOPE_SUBNET(0), "fd77::/64"}, {RG_SCOPE_SUBNET(0), "192.168.7.0/24"},
};

uint32_t scene_slot(enum scene_rail rail, enum scene_who who)
{
	if (who == BY_HOST)
		return RG_SLOT_HOST(rail);
	if (who == BY_NOBODY)
		return RG_SLOT_UNKNOWN(rail);
	return RG_SLOT_FIRST_POD + rail * BY_HOST + who;
}

static void add_allows(struct rg_rail *rail)
{
	struct rg_cidr_net net;

	for (size_t i = 0; i < ARRAY_SIZE(allows); i++) {
		struct rg_allow *a = &rail->allows[i];

		*a = (struct rg_allow){.proto = allows[i].proto,
				       .port = allows[i].port,
				       .from = allows[i].from,
				       .in_use = 1};
		if (!allows[i].to)
			continue;
		if (rg_cidr_parse(allows[i].to, &net) < 0)
			tap_bail("bad exception %s", allows[i].to);
		memcpy(a->to, net.addr.b, sizeof(a->to));
		a->to_prefix = rg_cidr_prefix128(&net);
	}
	rail->n_allows = ARRAY_SIZE(allows);
	rail->vlans[0] = 100;
	rail->vlans[1] = 200;
	rail->n_vlans = 2;
}

void scene_policy(struct rg_policy *policy)
{
	struct rg_rail *rails = policy->rails;

	for (int i = 0; i < ON_UNSET; i++) {
		rails[i].mode = RG_MODE_ENFORCE;
		rails[i].flags = RG_RAIL_HAS_IPV6;
	}
	rails[ON_STRICT].profile = RG_PROFILE_STRICT;
	rails[ON_AUDIT].mode = RG_MODE_AUDIT;
	rails[ON_OFF].mode = RG_MODE_OFF;
	add_allows(&rails[ON_ALLOW]);
	rails[ON_STRICT_ALLOW].profile = RG_PROFILE_STRICT;
	add_allows(&rails[ON_STRICT_ALLOW]);
	rails[ON_DENY].flags |= RG_RAIL_KERNEL_ROCE_DENY;
	rails[ON_V4].flags = 0;
	rails[ON_RATE].l2_pps = 3;
	for (size_t i = 0; i < ARRAY_SIZE(subnets); i++) {
		struct rg_cidr_net net;
		int last = subnets[i].scope == RG_SCOPE_RDMA ? 1 : SCENE_RAILS;

		if (rg_cidr_parse(subnets[i].net, &net) < 0)
			tap_bail("bad network %s", subnets[i].net);
		for (int r = 0; r < last; r++)
			rg_policy_add_cidr(policy, &net, subnets[i].scope + r, i);
	}
}

struct bed *scene_open(const struct bed_options *options)
{
	struct bed_options o = *options;
	struct bed *bed;

	o.slots = SCENE_SLOTS;
	bed = bed_open(&o);
	scene_policy(&bed->policy);
	bed_commit(bed);
	for (int r = 0; r < SCENE_RAILS; r++) {
		for (size_t i = 0; i < ARRAY_SIZE(scene_idents); i++) {
			const struct scene_ident *id = &scene_idents[i];
			uint32_t slot = scene_slot(r, id->who);

			bed_ident(bed, r, id->mac, NULL, slot, id->flags);
			for (int a = 0; id->addrs[a]; a++)
				bed_ident(bed, r, id->mac, id->addrs[a], slot, id->flags);
			bed_endpoint(bed, r, id->mac, slot, id->flags);
		}
	}
	return bed;
}
