/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy in the maps: rails and their CIDRs, replaced as a whole.
 *
 * Only the agent writes it. A packet reads the one element of rg_config once and sees the old
 * rails with the old generation of CIDRs, or the new with the new.
 */
#ifndef RG_BPF_CONFIG_H
#define RG_BPF_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include <railgate/policy.h>

#include "base/inet.h"

struct rg_err;
struct rg_maps;

/* Both generations are in the trie while one replaces the other. */
#define RG_POLICY_MAX_CIDRS (RG_MAX_CIDRS / 2)

/**
 * struct rg_policy_cidr - one network
 * @net: network
 * @scope: RG_SCOPE_* (<railgate/policy.h>)
 * @index: position in the list of its scope
 */
struct rg_policy_cidr {
	struct rg_cidr_net net;
	uint32_t scope;
	uint32_t index;
};

/**
 * struct rg_policy - the whole policy of a node
 * @generation: grows by one with each replacement; set by rg_policy_write()
 * @n_cidrs: number of @cidrs
 * @rails: by rail number; a rail with mode RG_MODE_NONE is not configured
 * @cidrs: networks of all scopes
 */
struct rg_policy {
	uint32_t generation;
	size_t n_cidrs;
	struct rg_rail rails[RG_MAX_RAILS];
	struct rg_policy_cidr cidrs[RG_POLICY_MAX_CIDRS];
};

/**
 * struct rg_policy_types - BTF of the inner array, so that bpftool shows its fields
 * @btf_fd: BTF object, negative for none
 * @key_id: type of the key
 * @value_id: type of struct rg_rail
 */
struct rg_policy_types {
	int btf_fd;
	uint32_t key_id;
	uint32_t value_id;
};

/**
 * rg_policy_add_cidr() - append a network to a policy that is being built
 * @policy: policy
 * @net: network; host bits are cleared
 * @scope: RG_SCOPE_*
 * @index: position in the list of its scope
 *
 * Return: 0 or -E2BIG
 */
int rg_policy_add_cidr(struct rg_policy *policy, const struct rg_cidr_net *net, uint32_t scope,
		       uint32_t index);

/**
 * rg_policy_write() - replace the policy in the maps as a whole
 * @maps: maps
 * @types: BTF of the inner array, may be NULL
 * @policy: policy; @policy->generation is the one in force and is advanced on success
 * @err: sentence
 *
 * On failure the old policy stays in force whole. Networks of other generations, which a killed
 * agent may have left, are removed.
 *
 * Return: 0 or -errno
 */
int rg_policy_write(const struct rg_maps *maps, const struct rg_policy_types *types,
		    struct rg_policy *policy, struct rg_err *err);

/**
 * rg_policy_read() - read the policy that is in force
 * @maps: maps
 * @ret: policy; the caller frees it with free()
 * @err: sentence
 *
 * Needs CAP_SYS_ADMIN, as the kernel asks of whoever opens a map by its number.
 *
 * Return: 0, -ENOENT if none was ever written, or another -errno
 */
int rg_policy_read(const struct rg_maps *maps, struct rg_policy **ret, struct rg_err *err);

/**
 * rg_policy_read_other() - read the rails that another version has in force
 * @config_fd: that version's map rg_config
 * @types: BTF of this version's struct rg_rail
 * @ret: policy without CIDRs; the caller frees it with free()
 * @err: sentence
 *
 * Return: 0, -ENOENT if none was ever written, or another -errno
 */
int rg_policy_read_other(int config_fd, const struct rg_policy_types *types, struct rg_policy **ret,
			 struct rg_err *err);

/**
 * rg_policy_rail_number() - number under which a rail is known to the programs
 * @policy: policy in force
 * @name: rail's name
 *
 * Numbers go by name and stay while the rail is configured: a file that lists the rails in
 * another order does not renumber them, because hooks, identities and counters hold the number.
 *
 * Return: rail number, or -ENOENT if the agent has not loaded this rail
 */
int rg_policy_rail_number(const struct rg_policy *policy, const char *name);

/**
 * rg_policy_find_rail() - a rail of the policy in force, without reading the rest of it
 * @maps: maps
 * @name: rail's name
 * @ret: rail, written only on success
 * @err: sentence
 *
 * Return: rail number; -ENOENT if the agent has not loaded this rail, or any; or another -errno
 */
int rg_policy_find_rail(const struct rg_maps *maps, const char *name, struct rg_rail *ret,
			struct rg_err *err);

#endif /* RG_BPF_CONFIG_H */
