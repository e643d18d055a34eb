// SPDX-License-Identifier: Apache-2.0
/*
 * Lets every endpoint of a pod have counted something, for measuring what reads the counters.
 *
 * Usage: bench_count PIN_DIR
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <railgate/counters.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"

/**
 * struct bench - what a visit of an endpoint needs
 * @maps: maps
 * @n_cpus: CPUs of the per-CPU maps
 */
struct bench {
	const struct rg_maps *maps;
	int n_cpus;
};

static int count(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	const struct bench *b = arg;
	_cleanup_free_ struct rg_counters *counters = calloc((size_t)b->n_cpus, sizeof(*counters));
	_cleanup_free_ struct rg_drops *drops = calloc((size_t)b->n_cpus, sizeof(*drops));

	(void)endpoint;
	if (slot < RG_SLOT_FIRST_POD)
		return 0;
	if (!counters || !drops)
		return -ENOMEM;
	for (int cpu = 0; cpu < b->n_cpus; cpu++) {
		counters[cpu].tx.roce_packets = slot;
		counters[cpu].tx.roce_bytes = slot * 1000ULL;
		counters[cpu].rx.roce_packets = 1;
		counters[cpu].rx.ip_packets = 2;
		for (uint32_t i = 1; i <= 4; i++) /* a few reasons each, as in life */
			drops[cpu].by_reason[(slot + i) % RG_REASON_MAX].packets = 1;
	}
	if (bpf_map_update_elem(rg_maps_fd(b->maps, RG_MAP_ID_COUNTERS), &slot, counters, 0) < 0 ||
	    bpf_map_update_elem(rg_maps_fd(b->maps, RG_MAP_ID_DROPS), &slot, drops, 0) < 0)
		return -errno;
	return 0;
}

int main(int argc, char **argv)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct bench b = {.n_cpus = libbpf_num_possible_cpus()};
	struct rg_err err = {0};
	int r;

	if (argc != 2 || b.n_cpus < 1) {
		(void)fprintf(stderr, "usage: bench_count PIN_DIR\n");
		return 2;
	}
	r = rg_maps_open(argv[1], &maps, &err);
	b.maps = maps;
	if (r >= 0)
		r = rg_endpoints_each(maps, count, &b);
	if (r < 0) {
		(void)fprintf(stderr, "bench_count: %s (%d)\n", err.msg, r);
		return 1;
	}
	return 0;
}
