/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the agent writes: rails, their policy and the CIDRs.
 *
 * rg_config[0] is an inner array of struct rg_rail. The agent fills a new inner array and a new
 * generation of CIDRs, then replaces the one outer element: a packet reads the outer element
 * once and sees either the old configuration or the new one, never a mixture. The old
 * generation's CIDRs are deleted after the replacement, which waits for all readers
 * (kernel/bpf/syscall.c, maybe_wait_bpf_programs).
 */
#ifndef RAILGATE_POLICY_H
#define RAILGATE_POLICY_H

#include <linux/types.h>
#include <railgate/limits.h>

enum rg_mode {
	RG_MODE_NONE = 0, /* slot not in use: drops with RG_REASON_NO_POLICY */
	RG_MODE_ENFORCE = 1,
	RG_MODE_AUDIT = 2, /* counts and reports what enforce would drop, passes it */
	RG_MODE_OFF = 3,   /* only accounts */
};

enum rg_profile {
	RG_PROFILE_STANDARD = 0,
	RG_PROFILE_STRICT = 1,
};

/* struct rg_rail.flags */
#define RG_RAIL_KERNEL_ROCE_DENY \
	(1U << 0)		   /* drop RoCE that a socket made (RG_REASON_ROCE_SENDER) */
#define RG_RAIL_HAS_IPV6 (1U << 1) /* the rail has IPv6: MLD passes */

/* struct rg_allow.from */
#define RG_FROM_HOST (1U << 0)
#define RG_FROM_PODS (1U << 1)

/**
 * struct rg_allow - one exception to the policy, for what fabrics really run on rails
 * @to: destination network, IPv4 mapped into ::ffff:0:0/96
 * @to_prefix: prefix length of @to in bits (0 to 128)
 * @from: RG_FROM_* mask
 * @port: destination port in host byte order, 0 for any; with TCP also the source port, so that a
 *        listening side can answer
 * @proto: IP protocol number, 0 marks an unused entry
 * @in_use: 1 if the entry counts
 */
struct rg_allow {
	__u8 to[16];
	__u8 to_prefix;
	__u8 from;
	__u16 port;
	__u8 proto;
	__u8 in_use;
	__u16 pad;
};

/**
 * struct rg_rail - what the programs know of one rail
 * @name: name given by the operator, NUL-terminated
 * @ifindex: host netdev, for people; the hooks carry their rail number themselves
 * @generation: generation of this configuration; selects the entries of rg_cidrs
 * @mode: enum rg_mode
 * @profile: enum rg_profile
 * @flags: RG_RAIL_*
 * @mac: host netdev's MAC
 * @l2_pps: ARP, ND and MLD packets a second that one endpoint may send, 0 for no limit
 * @n_vlans: entries of @vlans in use
 * @n_allows: entries of @allows in use
 * @vlans: VLAN ids the rail may carry, host byte order
 */
struct rg_rail {
	char name[16];
	__u32 ifindex;
	__u32 generation;
	__u8 mode;
	__u8 profile;
	__u8 n_vlans;
	__u8 n_allows;
	__u32 flags;
	__u8 mac[6];
	__u16 l2_pps;
	__u16 vlans[RG_MAX_VLANS];
	struct rg_allow allows[RG_MAX_ALLOWS];
};

/* struct rg_cidr_key.scope: who the network belongs to. */
#define RG_SCOPE_RDMA	      0		   /* an RDMA CIDR, every rail's */
#define RG_SCOPE_SUBNET(rail) (1 + (rail)) /* on-link subnet of that rail */

/**
 * struct rg_cidr_key - key of the LPM trie
 * @prefixlen: RG_CIDR_FIXED_BITS + prefix length of @addr, host byte order
 * @generation: struct rg_rail.generation it belongs to
 * @scope: RG_SCOPE_*
 * @addr: IPv6 address, or IPv4 mapped into ::ffff:0:0/96; network byte order
 */
struct rg_cidr_key {
	__u32 prefixlen;
	__u32 generation;
	__u32 scope;
	__u8 addr[16];
};

#define RG_CIDR_FIXED_BITS 64

/**
 * struct rg_cidr - value of the LPM trie
 * @index: position in the configuration's list, so that railctl explain can name the entry
 * @prefix: prefix length of the key's address in bits (128 at most), without RG_CIDR_FIXED_BITS;
 *          an IPv4 packet only matches from 96 on, so that ::/0 does not stand for all of IPv4
 */
struct rg_cidr {
	__u32 index;
	__u32 prefix;
};

_Static_assert(sizeof(struct rg_allow) == 24, "rg_allow layout");
_Static_assert(sizeof(struct rg_rail) == 56 + 24 * RG_MAX_ALLOWS, "rg_rail layout");
_Static_assert(sizeof(struct rg_cidr_key) == 28, "rg_cidr_key layout");
_Static_assert(sizeof(struct rg_cidr) == 8, "rg_cidr layout");

#endif /* RAILGATE_POLICY_H */
