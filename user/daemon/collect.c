// SPDX-License-Identifier: Apache-2.0
/*
 * Reading the maps for one scrape.
 */
#define _GNU_SOURCE /* reallocarray() */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/counters.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "daemon/collect.h"

static const enum rg_map_id filled_maps[] = {
	RG_MAP_ID_ENDPOINTS,
	RG_MAP_ID_IDENTS,
	RG_MAP_ID_CIDRS,
	RG_MAP_ID_BASES,
};

/**
 * struct seen - endpoints in a growing array
 * @e: endpoints
 * @n: number in use
 * @size: number allocated
 */
struct seen {
	struct rg_metrics_endpoint *e;
	size_t n;
	size_t size;
};

/**
 * struct rg_collect - what must live until the next scrape
 * @last: endpoints of the last scrape, sorted by slot
 * @page: endpoints of the present page; the export sorts and sums them in place
 * @maps: fill of the maps
 */
struct rg_collect {
	struct seen last;
	struct seen page;
	struct rg_metrics_map maps[ARRAY_SIZE(filled_maps)];
};

struct rg_collect *rg_collect_new(void)
{
	return calloc(1, sizeof(struct rg_collect));
}

void rg_collect_free(struct rg_collect *c)
{
	if (!c)
		return;
	free(c->last.e);
	free(c->page.e);
	free(c);
}

static int reserve(struct seen *s, size_t n)
{
	struct rg_metrics_endpoint *bigger;

	if (n <= s->size)
		return 0;
	n = n * 2 + 64;
	bigger = reallocarray(s->e, n, sizeof(*s->e));
	if (!bigger)
		return -ENOMEM;
	s->e = bigger;
	s->size = n;
	return 0;
}

static int append(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	struct seen *s = arg;
	int r;

	r = reserve(s, s->n + 1);
	if (r < 0)
		return r;
	memset(&s->e[s->n], 0, sizeof(s->e[0]));
	s->e[s->n].slot = slot;
	s->e[s->n].endpoint = *endpoint;
	s->n++;
	return 0;
}

static int compare_slots(const void *a, const void *b)
{
	uint32_t x = ((const struct rg_metrics_endpoint *)a)->slot;
	uint32_t y = ((const struct rg_metrics_endpoint *)b)->slot;

	return (x > y) - (x < y);
}

static bool same_owner(const struct rg_endpoint *a, const struct rg_endpoint *b)
{
	return a->kind == b->kind && a->added_s == b->added_s &&
	       rg_str_equal(a->container_id, b->container_id) && rg_str_equal(a->ifname, b->ifname);
}

static void sort_by_slot(struct seen *s)
{
	if (s->n)
		qsort(s->e, s->n, sizeof(s->e[0]), compare_slots);
}

/* Adds who was there at the last scrape and is not now. Both arrays are sorted by slot. */
static int append_departed(struct seen *now, const struct seen *last)
{
	size_t i, k = 0, n = now->n;

	for (i = 0; i < last->n; i++) {
		const struct rg_metrics_endpoint *old = &last->e[i];
		bool reused;
		int r;

		while (k < n && now->e[k].slot < old->slot)
			k++;
		reused = k < n && now->e[k].slot == old->slot;
		if (old->departed || (reused && same_owner(&now->e[k].endpoint, &old->endpoint)))
			continue;
		r = append(old->slot, &old->endpoint, now);
		if (r < 0)
			return r;
		now->e[now->n - 1].departed = true;
		/* whatever a slot counts after its new owner came is not the old one's */
		now->e[now->n - 1].counters = old->counters;
		now->e[now->n - 1].drops = old->drops;
	}
	return 0;
}

static bool has_new_owner(const struct seen *s, size_t departed)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!s->e[i].departed && s->e[i].slot == s->e[departed].slot)
			return true;
	return false;
}

static int read_usage(const struct rg_maps *maps, struct seen *s, struct rg_err *err)
{
	_cleanup_free_ uint32_t *slots = calloc(s->n + 1, sizeof(*slots));
	_cleanup_free_ struct rg_usage *usage = calloc(s->n + 1, sizeof(*usage));
	size_t i;
	int r;

	if (!slots || !usage)
		return rg_err_errno(err, -ENOMEM, "cannot read the counters");
	for (i = 0; i < s->n; i++)
		slots[i] = s->e[i].slot;
	r = rg_counters_read_many(maps, slots, s->n, usage, err);
	if (r < 0)
		return r;
	for (i = 0; i < s->n; i++) {
		if (s->e[i].departed && has_new_owner(s, i))
			continue;
		s->e[i].counters = usage[i].counters;
		s->e[i].drops = usage[i].drops;
	}
	return 0;
}

static int read_endpoints(struct rg_collect *c, const struct rg_maps *maps, struct rg_err *err)
{
	struct seen now = {.n = 0};
	int r;

	r = rg_endpoints_each(maps, append, &now);
	if (r == 0) {
		sort_by_slot(&now);
		r = append_departed(&now, &c->last);
	}
	if (r < 0)
		(void)rg_err_errno(err, r, "cannot read the endpoints");
	else
		r = read_usage(maps, &now, err);
	if (r == 0)
		r = reserve(&c->page, now.n);
	if (r < 0) {
		free(now.e);
		return r;
	}
	if (now.n)
		memcpy(c->page.e, now.e, now.n * sizeof(now.e[0]));
	c->page.n = now.n;
	sort_by_slot(&now);
	free(c->last.e);
	c->last = now;
	return 0;
}

static int read_maps(struct rg_collect *c, const struct rg_maps *maps, struct rg_err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(filled_maps); i++) {
		uint32_t entries;
		int r;

		r = rg_maps_count(maps, filled_maps[i], &entries);
		if (r < 0)
			return rg_err_errno(err, r, "cannot count the entries of %s",
					    rg_map_name(filled_maps[i]));
		c->maps[i].name = rg_map_name(filled_maps[i]);
		c->maps[i].entries = entries;
		c->maps[i].max_entries = rg_maps_max_entries(maps, filled_maps[i]);
	}
	return 0;
}

static int read_ops(const struct rg_maps *maps, struct rg_metrics_view *view, const int *numbers,
		    struct rg_err *err)
{
	size_t i;
	uint32_t dir;
	int r;

	for (i = 0; i < view->n_rails; i++) {
		for (dir = 0; numbers[i] >= 0 && dir < 2; dir++) {
			r = rg_counters_ops(maps, (uint32_t)numbers[i], dir,
					    &view->rails[i].ops[dir], err);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

int rg_collect_read(struct rg_collect *c, const struct rg_maps *maps, struct rg_metrics_view *view,
		    const int *numbers, struct rg_err *err)
{
	struct timespec start;
	int r;

	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	r = read_endpoints(c, maps, err);
	if (r == 0) {
		view->endpoints = c->page.e;
		view->n_endpoints = c->page.n;
		r = read_maps(c, maps, err);
	}
	if (r == 0) {
		view->maps = c->maps;
		view->n_maps = ARRAY_SIZE(filled_maps);
		r = rg_counters_stats(maps, &view->stats, err);
	}
	if (r == 0)
		r = read_ops(maps, view, numbers, err);
	view->collect_ok = r == 0;
	view->collect_seconds = seconds_since(&start);
	return r;
}
