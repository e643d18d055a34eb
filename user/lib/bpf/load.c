// SPDX-License-Identifier: Apache-2.0
/*
 * Theory of operation. The entry programs on the hooks call the main programs through the pinned
 * program array rg_progs, and through nothing else. So whatever becomes of the other maps, the
 * array itself is used on for as long as hooks exist, and its elements decide which programs, and
 * with them which maps, packets meet. Replacing an element is atomic: an upgrade, and a move to
 * maps of another size or layout, changes no hook and lets no packet through in between.
 *
 * Maps of the predecessor are reused one by one if type, sizes and flags are right, and made anew
 * if not; then endpoints and identities are copied before the programs are exchanged, and counts
 * after it (move.c).
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <railgate/limits.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/load_internal.h"
#include "bpf/maps.h"
#include "bpf/move.h"
#include "bpf/pin.h"
#include "bpf/pinset.h"
#include "railgate.skel.h"

static struct bpf_map *find_map(const struct rg_load *load, int id)
{
	return bpf_object__find_map_by_name(load->skel->obj, rg_map_name((enum rg_map_id)id));
}

static struct rg_load *load_new(void)
{
	struct rg_load *load = calloc(1, sizeof(*load));

	if (!load)
		return NULL;
	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		load->old[i] = -EBADF;
	load->lock_fd = -EBADF;
	load->types.btf_fd = -EBADF;
	return load;
}

void rg_load_close_old(struct rg_load *load)
{
	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		rg_close_ptr(&load->old[i]);
		load->old[i] = -EBADF;
	}
}

void rg_load_free(struct rg_load *load)
{
	if (!load)
		return;
	rg_load_close_old(load);
	rg_maps_free(load->maps);
	if (load->skel)
		railgate_bpf__destroy(load->skel);
	free(load->policy);
	rg_close_ptr(&load->lock_fd);
	free(load);
}

void rg_load_free_ptr(struct rg_load **load)
{
	rg_load_free(*load);
}

static int lock_and_find(struct rg_load *load, struct rg_err *err)
{
	int r;

	r = rg_pinset_prepare(load->pin_dir, err);
	if (r == 0)
		r = rg_pin_lock(load->pin_dir, true, RG_LOAD_LOCK_TIMEOUT_MS, &load->lock_fd, err);
	if (r == 0)
		r = rg_pinset_recover(load->pin_dir, err);
	if (r < 0)
		return r;
	r = rg_pinset_find(load->pin_dir, load->from, sizeof(load->from));
	if (r == -ENOENT) {
		load->from[0] = '\0';
		return 0;
	}
	return r < 0 ? rg_err_errno(err, r, "cannot look for pins in %s", load->pin_dir) : 0;
}

static int open_old(struct rg_load *load, struct rg_err *err)
{
	for (int i = 0; load->from[0] && i < RG_MAP_ID_MAX; i++) {
		char path[PATH_MAX];
		int r;

		r = rg_str_format(path, sizeof(path), "%s/%s/%s", load->from,
				  rg_pin_kind_dir(RG_PIN_KIND_MAP), rg_map_name((enum rg_map_id)i));
		if (r == 0)
			r = rg_pin_open_path(path, &load->old[i]);
		if (r < 0 && r != -ENOENT)
			return rg_err_errno(err, r, "cannot open pin %s", path);
	}
	return 0;
}

static int set_sizes(const struct rg_load *load, uint32_t slots, struct rg_err *err)
{
	const struct {
		struct bpf_map *map;
		uint32_t entries;
	} sizes[] = {
		{load->skel->maps.rg_idents, slots * RG_IDENTS_PER_ENDPOINT},
		{load->skel->maps.rg_endpoints, slots},
		{load->skel->maps.rg_counters, slots},
		{load->skel->maps.rg_drops, slots},
		{load->skel->maps.rg_bases, slots},
		{load->skel->maps.rg_event_rate, slots * RG_REASON_MAX},
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		int r = bpf_map__set_max_entries(sizes[i].map, sizes[i].entries);

		if (r < 0)
			return rg_err_errno(err, r, "cannot size map %s",
					    bpf_map__name(sizes[i].map));
	}
	return 0;
}

static bool is_usable(const struct bpf_map *map, int fd)
{
	struct bpf_map_info info = {0};
	uint32_t len = sizeof(info);

	return bpf_obj_get_info_by_fd(fd, &info, &len) == 0 && info.type == bpf_map__type(map) &&
	       info.key_size == bpf_map__key_size(map) &&
	       info.value_size == bpf_map__value_size(map) &&
	       info.max_entries == bpf_map__max_entries(map) &&
	       info.map_flags == bpf_map__map_flags(map);
}

bool rg_load_is_own_version(const struct rg_load *load)
{
	char dir[PATH_MAX];

	return rg_pin_version_dir(load->pin_dir, dir, sizeof(dir)) == 0 &&
	       rg_str_equal(dir, load->from);
}

static int reuse_maps(struct rg_load *load, struct rg_err *err)
{
	bool own = rg_load_is_own_version(load);

	load->origin = load->from[0] ? RG_LOAD_ADOPTED : RG_LOAD_NEW;
	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		struct bpf_map *map = find_map(load, i);
		bool usable;
		int r;

		if (!map)
			return rg_err_set(err, -EPROTO, "the programs have no map %s",
					  rg_map_name((enum rg_map_id)i));
		if (load->old[i] < 0)
			continue;
		usable = is_usable(map, load->old[i]);
		/* what the old programs read until the exchange is not written for the new ones */
		if ((i == RG_MAP_ID_CONFIG || i == RG_MAP_ID_CIDRS) && !own)
			usable = false;
		if (!usable && i == RG_MAP_ID_PROGS)
			return rg_err_set(err, -EPROTO,
					  "pinned map %s does not fit; drain the node's pods, then "
					  "run railctl cleanup",
					  rg_map_name(RG_MAP_ID_PROGS));
		if (!usable) {
			load->replaced[i] = true;
			load->origin = RG_LOAD_MOVED;
			continue;
		}
		r = bpf_map__reuse_fd(map, load->old[i]);
		if (r < 0)
			return rg_err_errno(err, r, "cannot use pinned map %s on",
					    bpf_map__name(map));
	}
	if (load->from[0] && !own)
		load->origin = RG_LOAD_MOVED;
	return 0;
}

static int load_skeleton(struct rg_load *load, uint32_t slots, struct rg_err *err)
{
	int r;

	load->skel = railgate_bpf__open();
	if (!load->skel)
		return rg_err_errno(err, -errno, "cannot open the programs");
	r = set_sizes(load, slots, err);
	if (r == 0)
		r = reuse_maps(load, err);
	if (r < 0)
		return r;
	r = railgate_bpf__load(load->skel);
	if (r < 0)
		return rg_err_errno(err, r,
				    "cannot load the programs (needs CAP_BPF, CAP_NET_ADMIN and "
				    "CAP_PERFMON; --log-level debug shows the verifier's words)");
	return 0;
}

static void find_types(struct rg_load *load)
{
	const struct btf *btf = bpf_object__btf(load->skel->obj);
	int value = btf ? btf__find_by_name_kind(btf, "rg_rail", BTF_KIND_STRUCT) : -ENOENT;
	int key = btf ? btf__find_by_name_kind(btf, "unsigned int", BTF_KIND_INT) : -ENOENT;

	if (value > 0 && key > 0) {
		load->types.btf_fd = bpf_object__btf_fd(load->skel->obj);
		load->types.key_id = (uint32_t)key;
		load->types.value_id = (uint32_t)value;
	}
}

static int take_maps(struct rg_load *load, struct rg_err *err)
{
	int fds[RG_MAP_ID_MAX];

	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		fds[i] = bpf_map__fd(find_map(load, i));
	find_types(load);
	return rg_maps_from_fds(fds, &load->maps, err);
}

static int take_policy(struct rg_load *load, const struct rg_policy *known, struct rg_err *err)
{
	int r;

	if (known) {
		load->policy = malloc(sizeof(*known));
		if (!load->policy)
			return rg_err_set(err, -ENOMEM, "out of memory");
		*load->policy = *known;
		return 0;
	}
	if (!load->from[0] || load->old[RG_MAP_ID_CONFIG] < 0)
		return 0;
	r = rg_load_is_own_version(load) ? rg_policy_read(load->maps, &load->policy, err)
					 : rg_policy_read_other(load->old[RG_MAP_ID_CONFIG],
								&load->types, &load->policy, err);
	return r == -ENOENT ? 0 : r;
}

static int move_entries(const struct rg_load *load, struct rg_err *err)
{
	int to[RG_MAP_ID_MAX];

	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		to[i] = rg_maps_fd(load->maps, (enum rg_map_id)i);
	return rg_move_entries(load->old, to, rg_load_is_own_version(load), err);
}

int rg_load_open(const char *pin_dir, uint32_t max_endpoints, const struct rg_policy *known,
		 struct rg_load **ret, struct rg_err *err)
{
	_cleanup_(rg_load_free_ptr) struct rg_load *load = load_new();
	int r;

	if (!load)
		return rg_err_set(err, -ENOMEM, "out of memory");
	r = rg_str_copy(load->pin_dir, sizeof(load->pin_dir), pin_dir);
	if (r < 0)
		return rg_err_set(err, r, "pin directory %s: path is too long", pin_dir);
	r = lock_and_find(load, err);
	if (r == 0)
		r = open_old(load, err);
	if (r == 0 && load->old[RG_MAP_ID_ENDPOINTS] >= 0)
		r = rg_move_check(load->old[RG_MAP_ID_ENDPOINTS], max_endpoints, err);
	if (r == 0)
		r = load_skeleton(load, max_endpoints, err);
	if (r == 0)
		r = take_maps(load, err);
	if (r == 0)
		r = take_policy(load, known, err);
	if (r == 0 && load->origin == RG_LOAD_MOVED)
		r = move_entries(load, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(load);
	return 0;
}

const struct rg_maps *rg_load_maps(const struct rg_load *load)
{
	return load->maps;
}

const struct rg_policy_types *rg_load_types(const struct rg_load *load)
{
	return &load->types;
}

enum rg_load_origin rg_load_origin(const struct rg_load *load)
{
	return load->origin;
}

const struct rg_policy *rg_load_policy(const struct rg_load *load)
{
	return load->policy;
}
