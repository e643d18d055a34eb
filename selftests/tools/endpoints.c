// SPDX-License-Identifier: Apache-2.0
/*
 * Many endpoints at once, written as the plugin writes them.
 *
 * endpoints PIN_DIR COUNT RAILS: COUNT pods, spread over rails 0 to RAILS - 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"

#define LOCK_MS 5000

static int add(const struct rg_maps *maps, uint32_t i, uint32_t rails, struct rg_err *err)
{
	struct rg_endpoint e = {.rail = (uint8_t)(i % rails), .kind = RG_KIND_MACVLAN};
	const uint8_t v4[4] = {172, 20, (uint8_t)(i >> 8), (uint8_t)i};
	struct rg_addr addr;
	uint32_t slot;

	rg_addr_from_v4(v4, &addr);
	e.mac[0] = 2;
	memcpy(e.mac + 2, v4, sizeof(v4));
	(void)rg_str_copy(e.pod_namespace, sizeof(e.pod_namespace), "training");
	(void)rg_str_format(e.pod_name, sizeof(e.pod_name), "llama-worker-%u", i / rails);
	(void)rg_str_format(e.rail_name, sizeof(e.rail_name), "rail%u", i % rails);
	(void)rg_str_format(e.ifname, sizeof(e.ifname), "net%u", i % rails);
	(void)rg_str_format(e.container_id, sizeof(e.container_id), "%064x", i / rails);
	return rg_endpoints_add(maps, &e, &addr, 1, &slot, err);
}

int main(int argc, char **argv)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	struct rg_err err = {0};
	uint64_t count, rails;
	int r;

	if (argc != 4 || rg_str_u64(argv[2], UINT16_MAX, &count) < 0 ||
	    rg_str_u64(argv[3], RG_MAX_RAILS, &rails) < 0 || !rails)
		return EXIT_FAILURE;
	r = rg_maps_open_locked(argv[1], LOCK_MS, &maps, &err);
	for (uint32_t i = 0; r == 0 && i < count; i++)
		r = add(maps, i, (uint32_t)rails, &err);
	if (r < 0)
		(void)fprintf(stderr, "endpoints: %s\n", err.msg);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
