// SPDX-License-Identifier: Apache-2.0
/*
 * Fills the pinned maps with endpoints that have counted something, for measuring what reads them.
 *
 * Usage: bench_fill PIN_DIR RAILS ENDPOINTS
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <railgate/counters.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"

static int count(const struct rg_maps *maps, uint32_t slot, int n_cpus)
{
	_cleanup_free_ struct rg_counters *counters = calloc((size_t)n_cpus, sizeof(*counters));
	_cleanup_free_ struct rg_drops *drops = calloc((size_t)n_cpus, sizeof(*drops));

	if (!counters || !drops)
		return -ENOMEM;
	for (int cpu = 0; cpu < n_cpus; cpu++) {
		counters[cpu].tx = (struct rg_dir){.roce_packets = slot, .roce_bytes = slot * 1000};
		counters[cpu].rx = (struct rg_dir){.roce_packets = 1, .ip_packets = 2};
		for (int i = 1; i <= 4; i++) /* a few reasons each, as in life */
			drops[cpu].by_reason[(slot + (uint32_t)i) % RG_REASON_MAX].packets = 1;
	}
	if (bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_COUNTERS), &slot, counters, 0) < 0 ||
	    bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_DROPS), &slot, drops, 0) < 0)
		return -errno;
	return 0;
}

static int add(const struct rg_maps *maps, unsigned int n, unsigned int rails, uint32_t *ret_slot,
	       struct rg_err *err)
{
	const uint8_t v4[4] = {172, 16, (uint8_t)(n >> 8), (uint8_t)n};
	struct rg_endpoint e = {
		.mac = {2, 0, 0, 0, (uint8_t)(n >> 8), (uint8_t)n},
		.rail = (uint8_t)(n % rails),
		.kind = RG_KIND_MACVLAN,
		.ifindex = n + 2,
	};
	struct rg_addr addr;

	rg_addr_from_v4(v4, &addr);
	if (rg_str_format(e.pod_namespace, sizeof(e.pod_namespace), "bench") < 0 ||
	    rg_str_format(e.pod_name, sizeof(e.pod_name), "trainer-of-some-length-%u", n) < 0 ||
	    rg_str_format(e.rail_name, sizeof(e.rail_name), "rail%u", n % rails) < 0 ||
	    rg_str_format(e.ifname, sizeof(e.ifname), "net1") < 0 ||
	    rg_str_format(e.container_id, sizeof(e.container_id), "bench-%u", n) < 0)
		return -EINVAL;
	return rg_endpoints_add(maps, &e, &addr, 1, ret_slot, err);
}

int main(int argc, char **argv)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	int n_cpus = libbpf_num_possible_cpus();
	struct rg_err err = {0};
	uint64_t rails, n;
	uint32_t slot;
	int r;

	if (argc != 4 || n_cpus < 1 || rg_str_u64(argv[2], RG_MAX_RAILS, &rails) < 0 || !rails ||
	    rg_str_u64(argv[3], UINT16_MAX, &n) < 0) {
		(void)fprintf(stderr, "usage: bench_fill PIN_DIR RAILS ENDPOINTS\n");
		return 2;
	}
	r = rg_maps_open_locked(argv[1], 5000, &maps, &err);
	for (unsigned int i = 0; r >= 0 && i < n; i++) {
		r = add(maps, i, (unsigned int)rails, &slot, &err);
		if (r >= 0)
			r = count(maps, slot, n_cpus);
	}
	if (r < 0) {
		(void)fprintf(stderr, "bench_fill: %s (%d)\n", err.msg, r);
		return 1;
	}
	return 0;
}
