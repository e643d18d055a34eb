// SPDX-License-Identifier: Apache-2.0
/*
 * Every endpoint with what it has counted.
 */
#include <errno.h>
#include <railgate/limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "snapshot.h"

static struct rg_snapshot_endpoint *append(struct rg_snapshot *s, uint32_t slot)
{
	struct rg_snapshot_endpoint *grown;

	grown = reallocarray(s->endpoints, s->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	s->endpoints = grown;
	grown += s->n++;
	memset(grown, 0, sizeof(*grown));
	grown->slot = slot;
	return grown;
}

static int add_reserved(struct rg_snapshot *s, uint32_t slot, uint8_t rail, const char *name,
			enum rg_kind kind)
{
	struct rg_snapshot_endpoint *e = append(s, slot);

	if (!e)
		return -ENOMEM;
	e->endpoint.rail = rail;
	e->endpoint.kind = (uint8_t)kind;
	(void)rg_str_copy(e->endpoint.rail_name, sizeof(e->endpoint.rail_name), name);
	return 0;
}

static int add_pod(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	struct rg_snapshot_endpoint *e;

	if (slot < RG_SLOT_FIRST_POD)
		return 0;
	e = append(arg, slot);
	if (!e)
		return -ENOMEM;
	e->endpoint = *endpoint;
	return 0;
}

static int by_slot(const void *a, const void *b)
{
	const struct rg_snapshot_endpoint *x = a, *y = b;

	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int list(const struct rg_maps *maps, const struct rg_policy *policy, struct rg_snapshot *s)
{
	uint8_t i;
	int r = 0;

	for (i = 0; i < RG_MAX_RAILS && r == 0; i++) {
		const struct rg_rail *rail = &policy->rails[i];

		if (rail->mode == RG_MODE_NONE)
			continue;
		r = add_reserved(s, RG_SLOT_HOST(i), i, rail->name, RG_KIND_HOST);
		if (r == 0)
			r = add_reserved(s, RG_SLOT_UNKNOWN(i), i, rail->name, RG_KIND_UNKNOWN);
	}
	return r < 0 ? r : rg_endpoints_each(maps, add_pod, s);
}

static int sample(const struct rg_maps *maps, struct rg_snapshot *s, struct rg_err *err)
{
	_cleanup_free_ uint32_t *slots = calloc(s->n + 1, sizeof(*slots));
	_cleanup_free_ struct rg_usage *usage = calloc(s->n + 1, sizeof(*usage));
	size_t i;
	int r;

	if (!slots || !usage)
		return rg_err_errno(err, -ENOMEM, "cannot read the counters");
	for (i = 0; i < s->n; i++)
		slots[i] = s->endpoints[i].slot;
	r = rg_counters_read_many(maps, slots, s->n, usage, err);
	if (r < 0)
		return r;
	for (i = 0; i < s->n; i++)
		s->endpoints[i].last = usage[i];
	return 0;
}

int rg_snapshot_take(const struct rg_maps *maps, const struct rg_policy *policy,
		     struct rg_snapshot *ret, struct rg_err *err)
{
	_cleanup_(rg_snapshot_done) struct rg_snapshot s = {0};
	size_t i;
	int r;

	r = list(maps, policy, &s);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list the endpoints");
	qsort(s.endpoints, s.n, sizeof(*s.endpoints), by_slot);
	r = sample(maps, &s, err);
	if (r < 0)
		return r;
	for (i = 0; i < s.n; i++)
		s.endpoints[i].first = s.endpoints[i].last;
	*ret = s;
	s = (struct rg_snapshot){0};
	return 0;
}

static double now(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* A slot that changed its owner between the samples would show the difference of two pods. */
static void keep_departed(const struct rg_maps *maps, struct rg_snapshot *s)
{
	struct rg_endpoint e;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct rg_snapshot_endpoint *x = &s->endpoints[i];

		if (x->slot >= RG_SLOT_FIRST_POD &&
		    (rg_endpoints_get(maps, x->slot, &e) < 0 ||
		     !rg_endpoints_is_of(&e, x->endpoint.container_id, x->endpoint.ifname)))
			x->last = x->first;
	}
}

int rg_snapshot_wait(const struct rg_maps *maps, unsigned int ms, struct rg_snapshot *s,
		     struct rg_err *err)
{
	struct timespec ts = {ms / 1000, (long)(ms % 1000) * 1000000};
	double start = now();
	int r;

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, &ts) == EINTR)
		continue;
	r = sample(maps, s, err);
	if (r < 0)
		return r;
	s->seconds = now() - start;
	keep_departed(maps, s);
	return 0;
}

void rg_snapshot_done(struct rg_snapshot *s)
{
	free(TAKE_PTR(s->endpoints));
	s->n = 0;
}
