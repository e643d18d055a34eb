// SPDX-License-Identifier: Apache-2.0
/*
 * A second instance of the programs with a copy of the policy.
 */
#include <errno.h>
#include <linux/pkt_cls.h>
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
#include "bpf/counters.h"
#include "bpf/explain.h"
#include "bpf/maps.h"
#include "bpf/pin.h"

#define ETHERNET_BYTES 14
#define MAX_SLOTS      3 /* slots that one frame may be counted for */

struct rg_explain {
	struct railgate_bpf *skel;
	struct rg_maps *maps;
	struct rg_policy *policy;
};

/* The slots that a frame may be counted for, without doubles. */
struct slots {
	uint32_t slot[MAX_SLOTS];
	size_t n;
};

/* What libbpf has to say is in the error code; the library does not print. */
static int load_quietly(struct railgate_bpf *skel)
{
	libbpf_print_fn_t old = libbpf_set_print(NULL);
	int r = railgate_bpf__load(skel);

	libbpf_set_print(old);
	return r;
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
	return rg_maps_from_fds(fds, &ex->maps, err);
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

static const struct bpf_program *program_of(const struct rg_explain *ex, enum rg_hook hook)
{
	switch (hook) {
	case RG_HOOK_RAIL_TX:
		return ex->skel->progs.rg_rail_tx;
	case RG_HOOK_RAIL_RX:
		return ex->skel->progs.rg_rail_rx;
	case RG_HOOK_POD_TX:
		return ex->skel->progs.rg_pod_tx;
	case RG_HOOK_POD_RX:
		return ex->skel->progs.rg_pod_rx;
	}
	return NULL;
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
	const struct bpf_program *prog = program_of(ex, hook);
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

static void add_slot(struct slots *s, uint32_t slot)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->slot[i] == slot)
			return;
	s->slot[s->n++] = slot;
}

static bool is_receive(enum rg_hook hook)
{
	return hook == RG_HOOK_RAIL_RX || hook == RG_HOOK_POD_RX;
}

/* The endpoint that a frame's source MAC, or of a received one the destination, belongs to. */
static bool find_ident(const struct rg_explain *ex, enum rg_hook hook, uint32_t rail,
		       const uint8_t *data, size_t len, struct rg_ident *ret)
{
	struct rg_ident_key key = {.rail = (uint16_t)rail};

	if (len < ETHERNET_BYTES)
		return false;
	memcpy(key.mac, is_receive(hook) ? data : data + sizeof(key.mac), sizeof(key.mac));
	return bpf_map_lookup_elem(rg_maps_fd(ex->maps, RG_MAP_ID_IDENTS), &key, ret) == 0;
}

/* Set a slot's counters and rate limits to zero. */
static int clear_slot(const struct rg_maps *maps, uint32_t slot, void *zero)
{
	struct rg_bucket bucket = {0};
	uint32_t i, key;

	if (bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_COUNTERS), &slot, zero, BPF_ANY) < 0 ||
	    bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_DROPS), &slot, zero, BPF_ANY) < 0)
		return -errno;
	for (i = 0; i < RG_REASON_MAX; i++) {
		key = slot * RG_REASON_MAX + i;
		if (bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_EVRATE), &key, &bucket,
					BPF_ANY) < 0)
			return -errno;
	}
	return 0;
}

static int clear(const struct rg_explain *ex, const struct slots *s, struct rg_err *err)
{
	int cpus = libbpf_num_possible_cpus(), r = 0;
	_cleanup_free_ void *zero = NULL;
	size_t i;

	if (cpus > 0)
		zero = calloc((size_t)cpus, sizeof(struct rg_drops));
	if (!zero)
		return rg_err_errno(err, cpus < 0 ? cpus : -ENOMEM, "cannot clear the counters");
	for (i = 0; i < s->n && r == 0; i++)
		r = clear_slot(ex->maps, s->slot[i], zero);
	return r < 0 ? rg_err_errno(err, r, "cannot clear the counters") : 0;
}

static bool counted(const struct rg_dir *d)
{
	return d->roce_packets || d->ip_packets || d->l2_packets;
}

/* What the frame left in the counters says which way it took. */
static int collect(const struct rg_explain *ex, const struct slots *s,
		   struct rg_explain_result *ret, struct rg_err *err)
{
	struct rg_usage usage;
	uint32_t reason;
	size_t i;
	int r;

	for (i = 0; i < s->n; i++) {
		r = rg_counters_read(ex->maps, s->slot[i], &usage, err);
		if (r < 0)
			return r;
		if (counted(&usage.counters.tx) || counted(&usage.counters.rx)) {
			ret->slot = s->slot[i];
			ret->tx = usage.counters.tx;
			ret->rx = usage.counters.rx;
		}
		for (reason = 0; reason < RG_REASON_MAX; reason++) {
			if (!usage.drops.by_reason[reason].packets)
				continue;
			ret->slot = s->slot[i];
			ret->reason = reason;
		}
	}
	return 0;
}

static int test_run(const struct rg_explain *ex, enum rg_hook hook, uint32_t slot,
		    const uint8_t *data, size_t len, bool *ret_passed, struct rg_err *err)
{
	struct __sk_buff skb = {.cb = {[RG_CB_SLOT] = slot}};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = (uint32_t)len,
		    .ctx_in = &skb, .ctx_size_in = sizeof(skb));

	if (len < ETHERNET_BYTES)
		return rg_err_set(err, -EMSGSIZE, "%zu bytes are no Ethernet frame", len);
	if (bpf_prog_test_run_opts(bpf_program__fd(program_of(ex, hook)), &opts) < 0) {
		if (errno == EINVAL || errno == EMSGSIZE)
			return rg_err_set(
				err, -EMSGSIZE,
				"this kernel cannot run a program on a frame of %zu bytes", len);
		return rg_err_errno(err, -errno, "cannot run the program");
	}
	*ret_passed = opts.retval != TC_ACT_SHOT;
	return 0;
}

int rg_explain_run(struct rg_explain *ex, enum rg_hook hook, uint32_t slot, const uint8_t *data,
		   size_t len, struct rg_explain_result *ret, struct rg_err *err)
{
	bool pod = hook == RG_HOOK_POD_TX || hook == RG_HOOK_POD_RX;
	struct rg_explain_result result = {.reason = RG_REASON_PASS};
	struct rg_endpoint endpoint;
	struct rg_ident ident = {0};
	struct slots s = {.n = 0};
	uint32_t rail = slot;
	int r;

	if (pod) {
		if (bpf_map_lookup_elem(rg_maps_fd(ex->maps, RG_MAP_ID_ENDPOINTS), &slot,
					&endpoint) < 0)
			return rg_err_set(err, -ENOENT, "slot %u belongs to no endpoint", slot);
		rail = endpoint.rail;
		add_slot(&s, slot);
	}
	if (rail >= RG_MAX_RAILS)
		return rg_err_set(err, -EINVAL, "there is no rail number %u", rail);
	add_slot(&s, RG_SLOT_UNKNOWN(rail));
	result.known = find_ident(ex, hook, rail, data, len, &ident);
	if (result.known)
		add_slot(&s, ident.slot);
	r = clear(ex, &s, err);
	if (r == 0)
		r = test_run(ex, hook, slot, data, len, &result.passed, err);
	if (r == 0)
		r = collect(ex, &s, &result, err);
	if (r < 0)
		return r;
	result.ident_flags = pod ? endpoint.flags : ident.flags;
	result.mode = ex->policy->rails[rail].mode;
	if (result.ident_flags & RG_IDENT_MODE_MASK)
		result.mode = result.ident_flags & RG_IDENT_MODE_MASK;
	*ret = result;
	return 0;
}
