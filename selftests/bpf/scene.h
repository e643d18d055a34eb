/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scene of the packet tables: one rail for each way a policy can be, the same endpoints on
 * all of them.
 *
 *	host    02:00:00:00:0f:01  10.9.0.100 fd09::100 fe80::abcd
 *	pod     02:00:00:00:09:01  10.9.0.1   fd09::1    macvlan, bridge mode
 *	sibling 02:00:00:00:09:03  10.9.0.3   fd09::3    macvlan, bridge mode
 *	private 02:00:00:00:09:04  10.9.0.4   fd09::4    macvlan, private mode
 *	vf      02:00:00:00:09:05  10.9.0.5   fd09::5    virtual function
 *	strict  02:00:00:00:09:07  10.9.0.7   fd09::7    like vf, its own profile is strict
 *	watched 02:00:00:00:09:08  10.9.0.8   fd09::8    like vf, its own mode is audit
 *
 *	RDMA CIDRs 10.9.0.0/16 172.16.0.0/12 fd09::/64; on link 10.9.0.0/24 192.168.7.0/24 fd77::/64
 */
#ifndef RG_TEST_SCENE_H
#define RG_TEST_SCENE_H

#include "bed.h"

/* Rails, by what is special about their policy. The first is enforce, standard, IPv6. */
enum scene_rail {
	ON_STANDARD,
	ON_STRICT,
	ON_AUDIT,
	ON_OFF,
	ON_ALLOW,	 /* standard, with exceptions and VLANs 100 and 200 */
	ON_STRICT_ALLOW, /* strict, with the same exceptions */
	ON_DENY,	 /* kernelRoce deny */
	ON_V4,		 /* no IPv6 */
	ON_RATE,	 /* three ARP, ND or MLD packets a second */
	ON_UNSET,	 /* no configuration */
	SCENE_RAILS,
};

enum scene_who {
	BY_POD,
	BY_SIBLING,
	BY_PRIVATE,
	BY_VF,
	BY_STRICT,
	BY_WATCHED,
	BY_HOST,
	BY_NOBODY, /* counted for the rail's unknown endpoint */
	SCENE_WHOS,
};

#define SCENE_SLOTS 128

/**
 * scene_slot() - endpoint slot
 * @rail: rail
 * @who: endpoint
 */
uint32_t scene_slot(enum scene_rail rail, enum scene_who who);

/**
 * scene_policy() - the configuration of all rails
 * @policy: filled, except for the generation
 */
void scene_policy(struct rg_policy *policy);

/**
 * scene_open() - load the programs and set the scene
 * @options: how to load; slots are the scene's
 *
 * Return: bed, to be ended by bed_close()
 */
struct bed *scene_open(const struct bed_options *options);

/**
 * struct scene_ident - one endpoint of the scene
 * @who: which
 * @mac: MAC as text
 * @addrs: addresses as text, NULL behind the last
 * @flags: RG_IDENT_*
 */
struct scene_ident {
	enum scene_who who;
	const char *mac;
	const char *addrs[4];
	uint32_t flags;
};

/* All endpoints, each on every rail. */
extern const struct scene_ident scene_idents[];
extern const size_t scene_n_idents;

#endif /* RG_TEST_SCENE_H */
