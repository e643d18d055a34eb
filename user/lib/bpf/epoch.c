// SPDX-License-Identifier: Apache-2.0
/*
 * The epoch of the identities.
 */
#include "bpf/epoch.h"

#include <errno.h>
#include <stdint.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>

#include "base/err.h"
#include "bpf/maps.h"

int rg_epoch_bump(const struct rg_maps *maps, struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_EPOCH);
	uint32_t zero = 0;
	uint64_t epoch;

	if (bpf_map_lookup_elem(fd, &zero, &epoch) < 0)
		return rg_err_errno(err, -errno, "cannot read map %s", RG_MAP_EPOCH);
	epoch++;
	if (bpf_map_update_elem(fd, &zero, &epoch, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot write map %s", RG_MAP_EPOCH);
	return 0;
}
