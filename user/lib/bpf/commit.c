// SPDX-License-Identifier: Apache-2.0
/*
 * The second half of loading: programs into force, counts moved, pins in place.
 */
#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/abi.h>

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

static const char *const prog_names[RG_PROG_IDX_MAX] = {
	[RG_PROG_IDX_RAIL_TX] = RG_PROG_RAIL_TX,
	[RG_PROG_IDX_RAIL_RX] = RG_PROG_RAIL_RX,
	[RG_PROG_IDX_POD_TX] = RG_PROG_POD_TX,
	[RG_PROG_IDX_POD_RX] = RG_PROG_POD_RX,
};

static int fill_progs(const struct rg_load *load, struct rg_err *err)
{
	int progs = rg_maps_fd(load->maps, RG_MAP_ID_PROGS);

	for (uint32_t i = 0; i < RG_PROG_IDX_MAX; i++) {
		struct bpf_program *p = bpf_object__find_program_by_name(load->skel->obj,
									 prog_names[i]);
		int fd = p ? bpf_program__fd(p) : -ENOENT;

		if (fd < 0 || bpf_map_update_elem(progs, &i, &fd, BPF_ANY) < 0)
			return rg_err_errno(err, fd < 0 ? fd : -errno,
					    "cannot put program %s into force", prog_names[i]);
	}
	return 0;
}

/*
 * Return when no packet is left in a program that was in force when this was called. Replacing an
 * element of an array of maps waits for that (kernel/bpf/syscall.c, maybe_wait_bpf_programs).
 */
static int wait_for_programs(struct rg_err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	_cleanup_close_ int inner = -EBADF, outer = -EBADF;
	const uint32_t zero = 0;

	inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "rg_wait", sizeof(zero), sizeof(zero), 1, NULL);
	if (inner < 0)
		return rg_err_errno(err, -errno, "cannot create a map");
	opts.inner_map_fd = (uint32_t)inner;
	outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "rg_wait", sizeof(zero), sizeof(zero), 1,
			       &opts);
	if (outer < 0 || bpf_map_update_elem(outer, &zero, &inner, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot create a map of maps");
	return 0;
}

static int move_counts(const struct rg_load *load, struct rg_err *err)
{
	int to[RG_MAP_ID_MAX], r;

	if (load->old[RG_MAP_ID_COUNTERS] < 0 || load->old[RG_MAP_ID_DROPS] < 0 ||
	    load->old[RG_MAP_ID_BASES] < 0)
		return 0;
	for (int i = 0; i < RG_MAP_ID_MAX; i++)
		to[i] = rg_maps_fd(load->maps, (enum rg_map_id)i);
	r = wait_for_programs(err);
	if (r < 0)
		return r;
	return rg_move_counts(load->old, to, rg_load_is_own_version(load), err);
}

static int pin_progs(const struct rg_load *load, const char *dir, struct rg_err *err)
{
	for (int i = 0; i < RG_PROG_IDX_MAX; i++) {
		struct bpf_program *p = bpf_object__find_program_by_name(load->skel->obj,
									 prog_names[i]);
		int r = rg_pinset_pin(dir, RG_PIN_PROGS, prog_names[i], bpf_program__fd(p), err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* Pin the maps that have no pin yet. Return: their number, or -errno. */
static int pin_maps(const struct rg_load *load, const char *dir, struct rg_err *err)
{
	int n = 0;

	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		const char *name = rg_map_name((enum rg_map_id)i);
		char path[PATH_MAX];
		int r;

		if (rg_str_format(path, sizeof(path), "%s/" RG_PIN_MAPS "/%s", dir, name) == 0 &&
		    access(path, F_OK) == 0)
			continue;
		r = rg_pinset_pin(dir, RG_PIN_MAPS, name, rg_maps_fd(load->maps, (enum rg_map_id)i),
				  err);
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

static int pin_new_set(const struct rg_load *load, struct rg_err *err)
{
	char dir[PATH_MAX];
	int r;

	r = rg_pinset_begin(load->pin_dir, dir, sizeof(dir), err);
	if (r == 0)
		r = pin_maps(load, dir, err);
	if (r >= 0)
		r = pin_progs(load, dir, err);
	return r < 0 ? r : rg_pinset_finish(load->pin_dir, load->from, err);
}

static int pin_same_set(const struct rg_load *load, struct rg_err *err)
{
	int r = pin_maps(load, load->from, err);

	return r < 0 ? r : pin_progs(load, load->from, err);
}

int rg_load_commit(struct rg_load *load, struct rg_err *err)
{
	int r = fill_progs(load, err);

	if (r == 0 && load->origin == RG_LOAD_MOVED)
		r = move_counts(load, err);
	if (r == 0)
		r = load->origin == RG_LOAD_ADOPTED ? pin_same_set(load, err)
						    : pin_new_set(load, err);
	if (r < 0)
		return r;
	rg_load_close_old(load);
	rg_close_ptr(&load->lock_fd);
	load->lock_fd = -EBADF;
	return 0;
}

int rg_load_repair(struct rg_load *load, struct rg_err *err)
{
	_cleanup_close_ int lock = -EBADF;
	char dir[PATH_MAX];
	int r;

	if (rg_pin_ready(load->pin_dir, NULL) == 0)
		return 0;
	r = rg_pin_version_dir(load->pin_dir, dir, sizeof(dir));
	if (r < 0)
		return rg_err_set(err, r, "pin directory %s: path is too long", load->pin_dir);
	r = rg_pinset_prepare(load->pin_dir, err);
	if (r == 0)
		r = rg_pin_lock(load->pin_dir, true, RG_LOAD_LOCK_TIMEOUT_MS, &lock, err);
	if (r < 0)
		return r;
	(void)rg_str_copy(load->from, sizeof(load->from), access(dir, F_OK) == 0 ? dir : "");
	r = load->from[0] ? pin_same_set(load, err) : pin_new_set(load, err);
	return r < 0 ? r : 1;
}
