// SPDX-License-Identifier: Apache-2.0
/*
 * Carrying contents from old maps into new ones.
 *
 * Counts are not copied, since the new programs add to the new counters at the same time. A slot's
 * new base becomes (old base) - (old sum), modulo 2^64: what readers compute, (sum) - (base), then
 * goes on from exactly where the old maps stood.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/counters.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/convert.h"
#include "bpf/move.h"

#define KEY_MAX 64

static int map_info(int fd, struct bpf_map_info *ret)
{
	uint32_t len = sizeof(*ret);

	memset(ret, 0, sizeof(*ret));
	return bpf_obj_get_info_by_fd(fd, ret, &len) < 0 ? -errno : 0;
}

static bool same_map(int a, int b)
{
	struct bpf_map_info x, y;

	return map_info(a, &x) == 0 && map_info(b, &y) == 0 && x.id == y.id;
}

int rg_move_check(int endpoints_fd, uint32_t slots, struct rg_err *err)
{
	uint32_t key, next, highest = 0;
	const void *from = NULL;

	while (bpf_map_get_next_key(endpoints_fd, from, &next) == 0) {
		if (next > highest)
			highest = next;
		key = next;
		from = &key;
	}
	if (highest >= slots)
		return rg_err_set(
			err, -ENOSPC,
			"maxEndpoints %u is too small: slot %u is in use; drain pods from "
			"the node or choose at least %u",
			slots, highest, highest + 1);
	return 0;
}

static int copy_hash(int from, int to, bool same_layout, struct rg_err *err)
{
	_cleanup_(rg_convert_free_ptr) struct rg_convert *conv = NULL;
	_cleanup_free_ unsigned char *value = NULL, *converted = NULL;
	unsigned char key[KEY_MAX], next[KEY_MAX];
	struct bpf_map_info old, new;
	const void *at = NULL;
	int r;

	r = map_info(from, &old);
	if (r >= 0)
		r = map_info(to, &new);
	if (r < 0)
		return rg_err_errno(err, r, "cannot query a map");
	r = same_layout ? 0 : rg_convert_maps(from, to, &conv, err);
	if (r < 0)
		return r;
	if (old.key_size > KEY_MAX)
		return rg_err_set(err, -EPROTO, "map %s has keys of %u bytes", old.name,
				  old.key_size);
	value = malloc(old.value_size);
	converted = malloc(new.value_size);
	if (!value || !converted)
		return rg_err_set(err, -ENOMEM, "out of memory");
	while (bpf_map_get_next_key(from, at, next) == 0) {
		memcpy(key, next, old.key_size);
		at = key;
		if (bpf_map_lookup_elem(from, key, value) < 0)
			continue;
		rg_convert_value(conv, value, converted, new.value_size);
		if (bpf_map_update_elem(to, key, converted, BPF_ANY) < 0)
			return rg_err_errno(err, -errno, "cannot copy map %s", old.name);
	}
	return 0;
}

int rg_move_entries(const int from[RG_MAP_ID_MAX], const int to[RG_MAP_ID_MAX], bool same_layout,
		    struct rg_err *err)
{
	static const enum rg_map_id ids[] = {RG_MAP_ID_ENDPOINTS, RG_MAP_ID_IDENTS};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		int r;

		if (from[ids[i]] < 0 || same_map(from[ids[i]], to[ids[i]]))
			continue;
		r = copy_hash(from[ids[i]], to[ids[i]], same_layout, err);
		if (r < 0)
			return r;
	}
	return 0;
}

/**
 * struct source - one of the old maps that counts come from
 * @fd: map
 * @n_cpus: values a look-up returns
 * @value_size: bytes of one value
 * @conv: into the new layout, NULL if it is the same
 * @raw: values of all CPUs
 * @same: the new map is this one, nothing has to move
 */
struct source {
	int fd;
	size_t n_cpus;
	size_t value_size;
	struct rg_convert *conv;
	uint64_t *raw;
	bool same;
};

static void source_done(struct source *s)
{
	rg_convert_free(s->conv);
	free(s->raw);
}

static int source_open(struct source *s, int from, int to, bool same_layout, size_t n_cpus,
		       struct rg_err *err)
{
	struct bpf_map_info info;
	int r;

	r = map_info(from, &info);
	if (r < 0)
		return rg_err_errno(err, r, "cannot query a map");
	if (info.value_size % sizeof(uint64_t))
		return rg_err_set(err, -EPROTO, "values of map %s are no 64-bit counters",
				  info.name);
	s->fd = from;
	s->n_cpus = n_cpus;
	s->value_size = info.value_size;
	s->same = same_map(from, to);
	s->raw = calloc(n_cpus, info.value_size);
	if (!s->raw)
		return rg_err_set(err, -ENOMEM, "out of memory");
	return same_layout ? 0 : rg_convert_maps(from, to, &s->conv, err);
}

/* Read a slot, summed over CPUs, in the new layout. Return: 1, 0 if there is none, or -errno. */
static int source_read(struct source *s, uint32_t slot, void *ret, size_t size)
{
	size_t words = s->value_size / sizeof(uint64_t);

	memset(ret, 0, size);
	if (bpf_map_lookup_elem(s->fd, &slot, s->raw) < 0)
		return errno == ENOENT ? 0 : -errno;
	for (size_t cpu = 1; cpu < s->n_cpus; cpu++)
		for (size_t w = 0; w < words; w++)
			s->raw[w] += s->raw[cpu * words + w];
	rg_convert_value(s->conv, s->raw, ret, size);
	return 1;
}

static bool subtract(void *from, const void *what, size_t size)
{
	const uint64_t *w = what;
	uint64_t *f = from;
	bool any = false;

	for (size_t i = 0; i < size / sizeof(*f); i++) {
		f[i] -= w[i];
		any |= f[i] != 0;
	}
	return any;
}

/* Sources in this order: counters, drops, bases. */
static int move_slot(struct source src[3], int bases_fd, uint32_t slot)
{
	struct rg_counters counters;
	struct rg_drops drops;
	struct rg_base base;
	bool any = false;
	int r, had_base;

	had_base = source_read(&src[2], slot, &base, sizeof(base));
	if (had_base < 0)
		return had_base;
	r = source_read(&src[0], slot, &counters, sizeof(counters));
	if (r >= 0 && !src[0].same)
		any |= subtract(&base.counters, &counters, sizeof(counters));
	if (r >= 0)
		r = source_read(&src[1], slot, &drops, sizeof(drops));
	if (r >= 0 && !src[1].same)
		any |= subtract(&base.drops, &drops, sizeof(drops));
	if (r < 0 || (!any && !had_base))
		return r;
	return bpf_map_update_elem(bases_fd, &slot, &base, BPF_ANY) < 0 ? -errno : 0;
}

int rg_move_counts(const int from[RG_MAP_ID_MAX], const int to[RG_MAP_ID_MAX], bool same_layout,
		   struct rg_err *err)
{
	static const enum rg_map_id ids[] = {RG_MAP_ID_COUNTERS, RG_MAP_ID_DROPS, RG_MAP_ID_BASES};
	_cleanup_(source_done) struct source counters = {0}, drops = {0}, bases = {0};
	struct source src[ARRAY_SIZE(ids)];
	struct bpf_map_info old, new;
	int r, n_cpus = libbpf_num_possible_cpus();

	if (n_cpus < 0)
		return rg_err_errno(err, n_cpus, "cannot count the CPUs");
	r = source_open(&counters, from[ids[0]], to[ids[0]], same_layout, (size_t)n_cpus, err);
	if (r >= 0)
		r = source_open(&drops, from[ids[1]], to[ids[1]], same_layout, (size_t)n_cpus, err);
	if (r >= 0)
		r = source_open(&bases, from[ids[2]], to[ids[2]], same_layout, 1, err);
	if (r < 0)
		return r;
	if (map_info(counters.fd, &old) < 0 || map_info(to[ids[0]], &new) < 0)
		return rg_err_errno(err, -errno, "cannot query a map");
	src[0] = counters;
	src[1] = drops;
	src[2] = bases;
	for (uint32_t slot = 0; slot < old.max_entries && slot < new.max_entries; slot++) {
		r = move_slot(src, to[ids[2]], slot);
		if (r < 0)
			return rg_err_errno(err, r, "cannot move the counts of slot %u", slot);
	}
	return 0;
}
