/* SPDX-License-Identifier: Apache-2.0 */
/*
 * railgate in force on the test's rail: programs, policy, hooks, identities, all by the library
 * that agent and plugin use.
 */
#ifndef RG_LIVE_GUARD_H
#define RG_LIVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <railgate/counters.h>
#include <railgate/endpoint.h>

#include "bpf/attach.h"
#include "bpf/config.h"
#include "bpf/counters.h"
#include "bpf/maps.h"
#include "world.h"

struct rg_load;

#define GUARD_RAIL	3 /* not 0, which a forgotten number would be */
#define GUARD_ENDPOINTS 64
#define GUARD_MAX_SLOTS 8
#define GUARD_MAX_HOOKS 16

/**
 * struct guard - what is in force
 * @load: programs and maps
 * @maps: the maps
 * @policy: policy in force
 * @tcx: hooks are TCX links, else clsact filters (RAILGATE_FORCE_CLSACT=1)
 * @slots: slots that are watched: the host's, the rail's unknown one, the pods'
 * @n_slots: number of @slots
 * @hooks: hooks that were attached
 * @hook_ns: namespaces their devices are in
 * @n_hooks: number of @hooks
 * @map_ids: the maps, to look for when they should be gone
 */
struct guard {
	struct rg_load *load;
	const struct rg_maps *maps;
	struct rg_policy policy;
	bool tcx;
	uint32_t slots[GUARD_MAX_SLOTS];
	size_t n_slots;
	struct rg_hook hooks[GUARD_MAX_HOOKS];
	char hook_names[GUARD_MAX_HOOKS][32];
	int hook_ns[GUARD_MAX_HOOKS];
	size_t n_hooks;
	uint32_t map_ids[RG_MAP_ID_MAX];
};

/* Indices into guard.slots and snapshot.slots; pods follow in the order of guard_pod(). */
enum { SLOT_HOST = 0, SLOT_UNKNOWN = 1, SLOT_POD = 2 };

/**
 * struct rules - policy of the rail
 * @mode: enum rg_mode
 * @profile: enum rg_profile
 * @flags: RG_RAIL_*, besides RG_RAIL_HAS_IPV6
 * @l2_pps: limit of ARP, ND and MLD, 0 for none
 * @vlan: VLAN that the rail carries, 0 for none
 * @cidrs: RDMA CIDRs, up to the first NULL
 * @allow_port: UDP port that is excepted, 0 for none
 */
struct rules {
	uint8_t mode;
	uint8_t profile;
	uint32_t flags;
	uint16_t l2_pps;
	uint16_t vlan;
	const char *cidrs[4];
	uint16_t allow_port;
};

/**
 * struct snapshot - what all watched slots have counted, or how much that is more than before
 * @slots: counters and drops
 * @ops: opcode classes of the rail, by RG_OPS_TX and RG_OPS_RX
 * @errors: packets without a counter
 */
struct snapshot {
	struct rg_usage slots[GUARD_MAX_SLOTS];
	struct rg_ops ops[2];
	uint64_t errors;
};

/**
 * guard_open() - load the programs into a pin directory of the test's own
 * @g: guard
 */
void guard_open(struct guard *g);

/**
 * guard_close() - detach and unload
 * @g: guard
 */
void guard_close(struct guard *g);

/**
 * guard_gone() - report as a test that nothing of a guard is left in the kernel
 * @g: closed guard, whose bpffs is unmounted
 */
void guard_gone(const struct guard *g);

/**
 * guard_rules() - put a policy in force
 * @g: guard
 * @rules: policy
 */
void guard_rules(struct guard *g, const struct rules *rules);

/**
 * guard_policy() - make a policy of rules without putting it in force
 * @rules: rules
 * @generation: generation that is in force
 * @ret: policy
 */
void guard_policy(const struct rules *rules, uint32_t generation, struct rg_policy *ret);

/**
 * guard_rail() - attach to the rail and enter the host's own identity
 * @g: guard
 * @w: world; the rail has its addresses
 */
void guard_rail(struct guard *g, const struct world *w);

/**
 * guard_pod() - make a pod of a device: endpoint, hooks, move, addresses
 * @g: guard
 * @dev: device, still in the host's namespace and down; moves into @ns
 * @kind: enum rg_kind
 * @flags: RG_IDENT_*
 * @ns: the pod's namespace
 * @ip4: its IPv4 address
 * @ip6: its IPv6 address
 *
 * Return: index into g->slots
 */
size_t guard_pod(struct guard *g, struct netdev *dev, enum rg_kind kind, uint32_t flags, int ns,
		 const char *ip4, const char *ip6);

/**
 * guard_hook() - a hook that was attached
 * @g: guard
 * @prog: main program
 * @ifindex: device
 *
 * Return: its index in g->hooks; ends the program if there is none
 */
size_t guard_hook(const struct guard *g, enum rg_prog prog, int ifindex);

/**
 * guard_state() - place of a hook in its chain
 * @g: guard
 * @hook: index in g->hooks
 */
struct rg_hook_state guard_state(const struct guard *g, size_t hook);

/**
 * guard_attach() - what the agent does on its timer: see that a hook is there and in front
 * @g: guard
 * @hook: index in g->hooks
 *
 * Return: enum rg_hook_change
 */
int guard_attach(struct guard *g, size_t hook);

/**
 * snapshot_take() - read the counters
 * @g: guard
 * @ret: counters
 */
void snapshot_take(const struct guard *g, struct snapshot *ret);

/**
 * snapshot_since() - what was counted since
 * @g: guard
 * @before: earlier snapshot
 * @ret: difference; may be @before
 */
void snapshot_since(const struct guard *g, const struct snapshot *before, struct snapshot *ret);

/**
 * snapshot_is() - compare a difference with what it should be
 * @g: guard
 * @got: difference
 * @want: expected; its opcode classes are not compared, they must add up to the RoCE packets
 * @ret_text: first difference in words
 * @size: bytes at @ret_text
 *
 * Return: whether they are equal
 */
bool snapshot_is(const struct guard *g, const struct snapshot *got, const struct snapshot *want,
		 char *ret_text, size_t size);

#endif /* RG_LIVE_GUARD_H */
