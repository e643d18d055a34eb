/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pinned maps, opened together and checked against the layout of <railgate/abi.h>.
 */
#ifndef RG_BPF_MAPS_H
#define RG_BPF_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_err;

enum rg_map_id {
	RG_MAP_ID_CONFIG,
	RG_MAP_ID_CIDRS,
	RG_MAP_ID_IDENTS,
	RG_MAP_ID_EPOCH,
	RG_MAP_ID_ENDPOINTS,
	RG_MAP_ID_COUNTERS,
	RG_MAP_ID_DROPS,
	RG_MAP_ID_BASES,
	RG_MAP_ID_EVENTS,
	RG_MAP_ID_EVRATE,
	RG_MAP_ID_OPS,
	RG_MAP_ID_STATS,
	RG_MAP_ID_PROGS,
	RG_MAP_ID_MAX,
};

/* struct rg_maps: all maps of a pin directory */
struct rg_maps;

/**
 * rg_map_name() - name of a map, which is also its pin's
 * @id: map
 */
const char *rg_map_name(enum rg_map_id id);

/**
 * rg_map_check() - whether a map has the key and value sizes of this version
 * @id: map it should be
 * @fd: map
 * @ret_max_entries: entries it holds, may be NULL
 * @err: sentence
 *
 * Return: 0, -EPROTO if not, or another -errno
 */
int rg_map_check(enum rg_map_id id, int fd, uint32_t *ret_max_entries, struct rg_err *err);

/**
 * rg_maps_open() - open all pinned maps to read them
 * @pin_dir: the railgate folder in a bpffs
 * @ret: maps; the caller frees them with rg_maps_free()
 * @err: sentence
 *
 * Return: 0, -EAGAIN if the policy is not loaded, -EPROTO if the pins are of another layout, or
 * another -errno
 */
int rg_maps_open(const char *pin_dir, struct rg_maps **ret, struct rg_err *err);

/**
 * rg_maps_open_locked() - open all pinned maps to change them
 * @pin_dir: the railgate folder in a bpffs
 * @timeout_ms: how long to wait for the pin directory's lock, in milliseconds
 * @ret: maps, which hold the pin directory's lock shared until rg_maps_free()
 * @err: sentence
 *
 * Return: as rg_maps_open()
 */
int rg_maps_open_locked(const char *pin_dir, unsigned int timeout_ms, struct rg_maps **ret,
			struct rg_err *err);

/**
 * rg_maps_from_fds() - make a set of maps that are not pinned yet
 * @fds: one map for each enum rg_map_id; they are duplicated
 * @ret: maps; the caller frees them with rg_maps_free()
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_maps_from_fds(const int fds[RG_MAP_ID_MAX], struct rg_maps **ret, struct rg_err *err);

/**
 * rg_maps_free() - close the maps
 * @maps: maps or NULL
 */
void rg_maps_free(struct rg_maps *maps);

/**
 * rg_maps_free_ptr() - for _cleanup_(rg_maps_free_ptr)
 * @maps: where the pointer is
 */
void rg_maps_free_ptr(struct rg_maps **maps);

/**
 * rg_maps_fd() - file descriptor of one map
 * @maps: maps, which keep owning it
 * @id: map
 */
int rg_maps_fd(const struct rg_maps *maps, enum rg_map_id id);

/**
 * rg_maps_slots() - number of slots in the counter maps
 * @maps: maps
 */
uint32_t rg_maps_slots(const struct rg_maps *maps);

/**
 * rg_maps_max_entries() - entries that a map can hold
 * @maps: maps
 * @id: map
 */
uint32_t rg_maps_max_entries(const struct rg_maps *maps, enum rg_map_id id);

/**
 * rg_maps_count() - entries that a hash or trie holds now
 * @maps: maps
 * @id: RG_MAP_ID_CIDRS, _IDENTS, _ENDPOINTS or _BASES
 * @ret: entries; may miss some that come or go meanwhile
 *
 * Return: 0 or -errno
 */
int rg_maps_count(const struct rg_maps *maps, enum rg_map_id id, uint32_t *ret);

#endif /* RG_BPF_MAPS_H */
