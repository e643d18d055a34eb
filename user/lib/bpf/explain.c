// SPDX-License-Identifier: Apache-2.0
/*
 * A second instance of the programs with a copy of the policy.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/abi.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>

#include "railgate.skel.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/config.h"
#include "bpf/explain.h"
#include "bpf/explain_internal.h"
#include "bpf/maps.h"
#include "bpf/pin.h"

enum rg_prog rg_explain_prog(enum rg_hook hook)
{
	static const enum rg_prog progs[] = {
		[RG_HOOK_RAIL_TX] = RG_PROG_IDX_RAIL_TX,
		[RG_HOOK_RAIL_RX] = RG_PROG_IDX_RAIL_RX,
		[RG_HOOK_POD_TX] = RG_PROG_IDX_POD_TX,
		[RG_HOOK_POD_RX] = RG_PROG_IDX_POD_RX,
	};

	return progs[hook];
}

static const struct bpf_program *program_of(const struct rg_explain *ex, enum rg_prog prog)
{
	const struct bpf_program *progs[RG_PROG_IDX_MAX] = {
		[RG_PROG_IDX_RAIL_TX] = ex->skel->progs.rg_rail_tx,
		[RG_PROG_IDX_RAIL_RX] = ex->skel->progs.rg_rail_rx,
		[RG_PROG_IDX_POD_TX] = ex->skel->progs.rg_pod_tx,
		[RG_PROG_IDX_POD_RX] = ex->skel->progs.rg_pod_rx,
	};

	return progs[prog];
}

int rg_explain_prog_fd(const struct rg_explain *ex, enum rg_prog prog)
{
	return bpf_program__fd(program_of(ex, prog));
}

/* What libbpf has to say is in the error code; the library does not print. */
static int load_quietly(struct railgate_bpf *skel)
{
	libbpf_print_fn_t old = libbpf_set_print(NULL);
	int r = railgate_bpf__load(skel);

	libbpf_set_print(old);
	return r;
}

/* For entry programs, which reach the main programs through the array. */
static int fill_progs(const struct rg_explain *ex, struct rg_err *err)
{
	uint32_t i;

	for (i = 0; i < RG_PROG_IDX_MAX; i++) {
		int fd = rg_explain_prog_fd(ex, i);

		if (bpf_map_update_elem(rg_maps_fd(ex->maps, RG_MAP_ID_PROGS), &i, &fd, BPF_ANY) <
		    0)
			return rg_err_errno(err, -errno, "cannot fill map %s", RG_MAP_PROGS);
	}
	return 0;
}

static int load(const struct rg_maps *pinned, struct rg_explain *ex, struct rg_err *err)
{
	int fds[RG_MAP_ID_MAX], i, r;

	ex->skel = railgate_bpf__open();
	if (!ex->skel)
		return rg_err_errno(err, -errno, "cannot open the programs");
	for (i = 0; i < RG_MAP_ID_MAX; i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(ex->skel->obj, rg_map_name(i));

		if (!map)
			return rg_err_set(err, -ENOENT, "the programs have no map %s",
					  rg_map_name(i));
		(void)bpf_map__set_max_entries(map, rg_maps_max_entries(pinned, i));
	}
	r = load_quietly(ex->skel);
	if (r < 0)
		return rg_err_errno(err, r, "cannot load a second instance of the programs");
	for (i = 0; i < RG_MAP_ID_MAX; i++)
		fds[i] = bpf_object__find_map_fd_by_name(ex->skel->obj, rg_map_name(i));
	r = rg_maps_from_fds(fds, &ex->maps, err);
	return r < 0 ? r : fill_progs(ex, err);
}

/* In mode off the programs do not say why; audit does and passes as much. */
static uint32_t audit_instead_of_off(uint32_t mode)
{
	return mode == RG_MODE_OFF ? RG_MODE_AUDIT : mode;
}

static uint32_t audit_flags(uint32_t flags)
{
	return (flags & ~RG_IDENT_MODE_MASK) | audit_instead_of_off(flags & RG_IDENT_MODE_MASK);
}

static int copy_policy(const struct rg_maps *pinned, struct rg_explain *ex, struct rg_err *err)
{
	_cleanup_free_ struct rg_policy *copy = NULL;
	size_t i;
	int r;

	r = rg_policy_read(pinned, &ex->policy, err);
	if (r < 0)
		return r;
	copy = malloc(sizeof(*copy));
	if (!copy)
		return rg_err_errno(err, -ENOMEM, "cannot copy the policy");
	*copy = *ex->policy;
	copy->generation = 0;
	for (i = 0; i < RG_MAX_RAILS; i++) {
		copy->rails[i].mode = (uint8_t)audit_instead_of_off(copy->rails[i].mode);
		copy->rails[i].flags &= ~RG_RAIL_KERNEL_ROCE_DENY;
	}
	return rg_policy_write(ex->maps, NULL, copy, err);
}

union value {
	struct rg_ident ident;
	struct rg_endpoint endpoint;
};

static void adapt_value(enum rg_map_id id, union value *value)
{
	if (id == RG_MAP_ID_IDENTS)
		value->ident.flags = audit_flags(value->ident.flags);
	else
		value->endpoint.flags = audit_flags(value->endpoint.flags);
}

/* Entries that come or go meanwhile may be missing or stay: it is a picture of a moment. */
static int copy_hash(const struct rg_maps *from, const struct rg_maps *to, enum rg_map_id id,
		     struct rg_err *err)
{
	union {
		struct rg_ident_key ident;
		uint32_t slot;
	} key, next;
	union value value;
	const void *at = NULL;

	while (bpf_map_get_next_key(rg_maps_fd(from, id), at, &next) == 0) {
		key = next;
		at = &key;
		if (bpf_map_lookup_elem(rg_maps_fd(from, id), &key, &value) < 0)
			continue;
		adapt_value(id, &value);
		if (bpf_map_update_elem(rg_maps_fd(to, id), &key, &value, BPF_ANY) < 0)
			return rg_err_errno(err, -errno, "cannot copy map %s", rg_map_name(id));
	}
	return 0;
}

int rg_explain_open(const struct rg_maps *maps, struct rg_explain **ret, struct rg_err *err)
{
	_cleanup_(rg_explain_close_ptr) struct rg_explain *ex = calloc(1, sizeof(*ex));
	int r;

	if (!ex)
		return rg_err_errno(err, -ENOMEM, "cannot load a second instance of the programs");
	ex->live.sock = -EBADF;
	r = load(maps, ex, err);
	if (r == 0)
		r = copy_policy(maps, ex, err);
	if (r == 0)
		r = copy_hash(maps, ex->maps, RG_MAP_ID_IDENTS, err);
	if (r == 0)
		r = copy_hash(maps, ex->maps, RG_MAP_ID_ENDPOINTS, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(ex);
	return 0;
}

void rg_explain_close(struct rg_explain *ex)
{
	if (!ex)
		return;
	rg_explain_live_done(&ex->live);
	railgate_bpf__destroy(ex->skel);
	rg_maps_free(ex->maps);
	free(ex->policy);
	free(ex);
}

void rg_explain_close_ptr(struct rg_explain **ex)
{
	rg_explain_close(*ex);
}

const struct rg_policy *rg_explain_policy(const struct rg_explain *ex)
{
	return ex->policy;
}

static int program_tag(int fd, uint8_t tag[BPF_TAG_SIZE])
{
	struct bpf_prog_info info = {0};
	uint32_t len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len) < 0)
		return -errno;
	memcpy(tag, info.tag, BPF_TAG_SIZE);
	return 0;
}

int rg_explain_same(const char *pin_dir, const struct rg_explain *ex, enum rg_hook hook)
{
	const struct bpf_program *prog = program_of(ex, rg_explain_prog(hook));
	uint8_t ours[BPF_TAG_SIZE], pinned[BPF_TAG_SIZE];
	_cleanup_close_ int fd = -EBADF;
	int r;

	r = rg_pin_open(pin_dir, RG_PIN_KIND_PROG, bpf_program__name(prog), &fd, NULL);
	if (r == 0)
		r = program_tag(fd, pinned);
	if (r == 0)
		r = program_tag(bpf_program__fd(prog), ours);
	if (r < 0)
		return r;
	return memcmp(ours, pinned, BPF_TAG_SIZE) == 0;
}
