/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carrying contents from old maps into new ones. Only for user/lib/bpf.
 */
#ifndef RG_BPF_MOVE_H
#define RG_BPF_MOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/maps.h"

struct rg_err;

/**
 * rg_move_check() - whether the endpoints in use fit into so many slots
 * @endpoints_fd: map rg_endpoints
 * @slots: slots there would be
 * @err: names the highest slot in use
 *
 * Return: 0, -ENOSPC if they do not, or another -errno
 */
int rg_move_check(int endpoints_fd, uint32_t slots, struct rg_err *err);

/**
 * rg_move_entries() - copy endpoints and identities
 * @from: old maps, by enum rg_map_id, negative for one that is missing
 * @to: new maps; one that is the same as the old is left alone
 * @same_layout: both are of this version, values are copied as they are
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_move_entries(const int from[RG_MAP_ID_MAX], const int to[RG_MAP_ID_MAX], bool same_layout,
		    struct rg_err *err);

/**
 * rg_move_counts() - make the new counters go on from where the old ones stand
 * @from: old maps, which no program writes any more
 * @to: new maps, whose programs are already counting
 * @same_layout: both are of this version
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_move_counts(const int from[RG_MAP_ID_MAX], const int to[RG_MAP_ID_MAX], bool same_layout,
		   struct rg_err *err);

#endif /* RG_BPF_MOVE_H */
