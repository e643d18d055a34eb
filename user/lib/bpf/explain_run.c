// SPDX-License-Identifier: Apache-2.0
/*
 * Running a frame through the second instance, and reading from its counters what happened.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/abi.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/config.h"
#include "bpf/counters.h"
#include "bpf/explain.h"
#include "bpf/explain_internal.h"
#include "bpf/maps.h"

#define MAX_SLOTS 4 /* slots that one frame may be counted for */

/* The slots that a frame may be counted for, without doubles. */
struct slots {
	uint32_t slot[MAX_SLOTS];
	size_t n;
};

static void add_slot(struct slots *s, uint32_t slot)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->slot[i] == slot)
			return;
	s->slot[s->n++] = slot;
}

/* The endpoint that a MAC of a frame belongs to on a rail: 0 for the destination, 6 the source. */
static bool find_ident(const struct rg_explain *ex, uint32_t rail, const uint8_t *data, size_t len,
		       size_t offset, struct rg_ident *ret)
{
	struct rg_ident_key key = {.rail = (uint16_t)rail};

	if (len < ETH_HLEN)
		return false;
	memcpy(key.mac, data + offset, sizeof(key.mac));
	return bpf_map_lookup_elem(rg_maps_fd(ex->maps, RG_MAP_ID_IDENTS), &key, ret) == 0;
}

/* What arrives at a rail is counted for its receiver, and what pods of this rail sent for both. */
static bool find_slots(const struct rg_explain *ex, enum rg_hook hook, uint32_t rail,
		       const uint8_t *data, size_t len, struct slots *s, struct rg_ident *ret)
{
	struct rg_ident receiver;
	bool known;

	add_slot(s, RG_SLOT_UNKNOWN(rail));
	if ((hook == RG_HOOK_RAIL_RX || hook == RG_HOOK_POD_RX) &&
	    find_ident(ex, rail, data, len, 0, &receiver))
		add_slot(s, receiver.slot);
	known = find_ident(ex, rail, data, len, ETH_ALEN, ret);
	if (known)
		add_slot(s, ret->slot);
	return known;
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
	bool sent = false;
	uint32_t reason;
	size_t i;
	int r;

	for (i = 0; i < s->n; i++) {
		r = rg_counters_read(ex->maps, s->slot[i], &usage, err);
		if (r < 0)
			return r;
		if (counted(&usage.counters.rx)) {
			ret->rx = usage.counters.rx;
			if (!sent)
				ret->slot = s->slot[i];
		}
		if (counted(&usage.counters.tx)) {
			ret->tx = usage.counters.tx;
			ret->slot = s->slot[i];
			sent = true;
		}
		for (reason = 0; reason < RG_REASON_MAX; reason++) {
			if (!usage.drops.by_reason[reason].packets)
				continue;
			ret->slot = s->slot[i];
			ret->reason = reason;
			sent = true;
		}
	}
	return 0;
}

static int test_run(struct rg_explain *ex, enum rg_prog prog, uint32_t slot, const uint8_t *data,
		    size_t len, bool *ret_passed, struct rg_err *err)
{
	struct __sk_buff skb = {.cb = {[RG_CB_SLOT] = slot}};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = (uint32_t)len,
		    .ctx_in = &skb, .ctx_size_in = sizeof(skb));

	if (len < ETH_HLEN)
		return rg_err_set(err, -EMSGSIZE, "%zu bytes are no Ethernet frame", len);
	if (bpf_prog_test_run_opts(rg_explain_prog_fd(ex, prog), &opts) < 0) {
		if (errno == EINVAL || errno == EMSGSIZE)
			return rg_explain_live_send(&ex->live,
						    rg_maps_fd(ex->maps, RG_MAP_ID_PROGS), prog,
						    slot, data, len, ret_passed, err);
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
	result.known = find_slots(ex, hook, rail, data, len, &s, &ident);
	r = clear(ex, &s, err);
	if (r == 0)
		r = test_run(ex, rg_explain_prog(hook), slot, data, len, &result.passed, err);
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
