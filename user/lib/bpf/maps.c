// SPDX-License-Identifier: Apache-2.0
/*
 * Opening the pinned maps. A map of another layout is refused before anyone reads it wrongly.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>
#include <railgate/counters.h>
#include <railgate/endpoint.h>
#include <railgate/event.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/maps.h"
#include "bpf/pin.h"

#define KEY_MAX 32 /* bytes of the largest key */

/* A value_size of 0 is not checked: the kernel chooses it. */
static const struct {
	const char *name;
	uint32_t type;
	uint32_t key_size;
	uint32_t value_size;
} layout[RG_MAP_ID_MAX] = {
	[RG_MAP_ID_CONFIG] = {RG_MAP_CONFIG, BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4},
	[RG_MAP_ID_CIDRS] = {RG_MAP_CIDRS, BPF_MAP_TYPE_LPM_TRIE, sizeof(struct rg_cidr_key),
			     sizeof(struct rg_cidr)},
	[RG_MAP_ID_IDENTS] = {RG_MAP_IDENTS, BPF_MAP_TYPE_HASH, sizeof(struct rg_ident_key),
			      sizeof(struct rg_ident)},
	[RG_MAP_ID_EPOCH] = {RG_MAP_EPOCH, BPF_MAP_TYPE_ARRAY, 4, 8},
	[RG_MAP_ID_ENDPOINTS] = {RG_MAP_ENDPOINTS, BPF_MAP_TYPE_HASH, 4,
				 sizeof(struct rg_endpoint)},
	[RG_MAP_ID_COUNTERS] = {RG_MAP_COUNTERS, BPF_MAP_TYPE_PERCPU_ARRAY, 4,
				sizeof(struct rg_counters)},
	[RG_MAP_ID_DROPS] = {RG_MAP_DROPS, BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct rg_drops)},
	[RG_MAP_ID_BASES] = {RG_MAP_BASES, BPF_MAP_TYPE_HASH, 4, sizeof(struct rg_base)},
	[RG_MAP_ID_EVENTS] = {RG_MAP_EVENTS, BPF_MAP_TYPE_RINGBUF, 0, 0},
	[RG_MAP_ID_EVRATE] = {RG_MAP_EVRATE, BPF_MAP_TYPE_ARRAY, 4, sizeof(struct rg_bucket)},
	[RG_MAP_ID_OPS] = {RG_MAP_OPS, BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct rg_ops)},
	[RG_MAP_ID_STATS] = {RG_MAP_STATS, BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct rg_stats)},
	[RG_MAP_ID_PROGS] = {RG_MAP_PROGS, BPF_MAP_TYPE_PROG_ARRAY, 4, 4},
};

_Static_assert(sizeof(struct rg_cidr_key) <= KEY_MAX, "KEY_MAX");
_Static_assert(sizeof(struct rg_ident_key) <= KEY_MAX, "KEY_MAX");

struct rg_maps {
	int fds[RG_MAP_ID_MAX];
	uint32_t max_entries[RG_MAP_ID_MAX];
	int lock_fd;
};

const char *rg_map_name(enum rg_map_id id)
{
	return layout[id].name;
}

int rg_map_check(enum rg_map_id id, int fd, uint32_t *ret_max_entries, struct rg_err *err)
{
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len) < 0)
		return rg_err_errno(err, -errno, "cannot query map %s", layout[id].name);
	if (info.type != layout[id].type || info.key_size != layout[id].key_size ||
	    (layout[id].value_size && info.value_size != layout[id].value_size))
		return rg_err_set(err, -EPROTO,
				  "map %s has type %u, key %u and value %u bytes instead of "
				  "type %u, %u and %u; it was made by another version: "
				  "restart railgated of this version",
				  layout[id].name, info.type, info.key_size, info.value_size,
				  layout[id].type, layout[id].key_size, layout[id].value_size);
	if (ret_max_entries)
		*ret_max_entries = info.max_entries;
	return 0;
}

static struct rg_maps *maps_new(void)
{
	struct rg_maps *maps = calloc(1, sizeof(*maps));

	if (!maps)
		return NULL;
	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		maps->fds[i] = -EBADF;
	maps->lock_fd = -EBADF;
	return maps;
}

static int maps_check(struct rg_maps *maps, struct rg_err *err)
{
	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		int r = rg_map_check((enum rg_map_id)i, maps->fds[i], &maps->max_entries[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int maps_open(const char *pin_dir, int *lock_fd, struct rg_maps **ret, struct rg_err *err)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = maps_new();
	int r;

	if (!maps)
		return rg_err_set(err, -ENOMEM, "out of memory");
	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		r = rg_pin_open(pin_dir, RG_PIN_KIND_MAP, layout[i].name, &maps->fds[i], err);
		if (r < 0)
			return r;
	}
	r = maps_check(maps, err);
	if (r < 0)
		return r;
	if (lock_fd)
		maps->lock_fd = TAKE_FD(*lock_fd);
	*ret = TAKE_PTR(maps);
	return 0;
}

int rg_maps_open(const char *pin_dir, struct rg_maps **ret, struct rg_err *err)
{
	return maps_open(pin_dir, NULL, ret, err);
}

int rg_maps_open_locked(const char *pin_dir, unsigned int timeout_ms, struct rg_maps **ret,
			struct rg_err *err)
{
	_cleanup_close_ int lock_fd = -EBADF;
	int r;

	/* first the lock, then the pins: they may be exchanged until it is held */
	r = rg_pin_lock(pin_dir, false, timeout_ms, &lock_fd, err);
	if (r < 0)
		return r;
	return maps_open(pin_dir, &lock_fd, ret, err);
}

int rg_maps_from_fds(const int fds[RG_MAP_ID_MAX], struct rg_maps **ret, struct rg_err *err)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = maps_new();
	int r;

	if (!maps)
		return rg_err_set(err, -ENOMEM, "out of memory");
	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		maps->fds[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 0);
		if (maps->fds[i] < 0)
			return rg_err_errno(err, -errno, "cannot duplicate map %s", layout[i].name);
	}
	r = maps_check(maps, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(maps);
	return 0;
}

void rg_maps_free(struct rg_maps *maps)
{
	if (!maps)
		return;
	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		rg_close_ptr(&maps->fds[i]);
	rg_close_ptr(&maps->lock_fd);
	free(maps);
}

void rg_maps_free_ptr(struct rg_maps **maps)
{
	rg_maps_free(*maps);
}

int rg_maps_fd(const struct rg_maps *maps, enum rg_map_id id)
{
	return maps->fds[id];
}

uint32_t rg_maps_slots(const struct rg_maps *maps)
{
	return maps->max_entries[RG_MAP_ID_COUNTERS];
}

uint32_t rg_maps_max_entries(const struct rg_maps *maps, enum rg_map_id id)
{
	return maps->max_entries[id];
}

int rg_maps_count(const struct rg_maps *maps, enum rg_map_id id, uint32_t *ret)
{
	unsigned char key[KEY_MAX], next[KEY_MAX];
	const void *from = NULL;
	uint32_t n = 0;

	/* an entry deleted under the walk restarts it: the limit ends what could go on for ever */
	while (n < maps->max_entries[id]) {
		if (bpf_map_get_next_key(maps->fds[id], from, next) < 0) {
			if (errno == ENOENT)
				break;
			return -errno;
		}
		memcpy(key, next, layout[id].key_size);
		from = key;
		n++;
	}
	*ret = n;
	return 0;
}
