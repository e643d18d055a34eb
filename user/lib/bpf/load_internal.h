/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the two halves of loading meet. Only for user/lib/bpf.
 */
#ifndef RG_BPF_LOAD_INTERNAL_H
#define RG_BPF_LOAD_INTERNAL_H

#include <limits.h>
#include <stdbool.h>

#include "bpf/config.h"
#include "bpf/load.h"
#include "bpf/maps.h"

#define RG_LOAD_LOCK_TIMEOUT_MS 10000

struct railgate_bpf;

/**
 * struct rg_load - maps and programs
 * @skel: the loaded skeleton
 * @maps: its maps
 * @types: BTF of the inner arrays of rg_config
 * @pin_dir: the railgate folder in a bpffs
 * @from: pin directory that was taken over, empty if none
 * @old: maps found there, negative if missing
 * @replaced: maps of @old that are not used on
 * @origin: where the maps come from
 * @policy: policy found there, or NULL
 * @lock_fd: lock on @pin_dir until rg_load_commit()
 */
struct rg_load {
	struct railgate_bpf *skel;
	struct rg_maps *maps;
	struct rg_policy_types types;
	char pin_dir[PATH_MAX];
	char from[PATH_MAX];
	int old[RG_MAP_ID_MAX];
	bool replaced[RG_MAP_ID_MAX];
	enum rg_load_origin origin;
	struct rg_policy *policy;
	int lock_fd;
};

/**
 * rg_load_is_own_version() - whether the pins taken over are of this version
 * @load: maps and programs
 */
bool rg_load_is_own_version(const struct rg_load *load);

/**
 * rg_load_close_old() - close the maps of the predecessor
 * @load: maps and programs
 */
void rg_load_close_old(struct rg_load *load);

#endif /* RG_BPF_LOAD_INTERNAL_H */
