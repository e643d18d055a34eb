// SPDX-License-Identifier: Apache-2.0
/*
 * Identities that lead to a slot which nobody has.
 */
#define _GNU_SOURCE /* reallocarray() */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <bpf/bpf.h>

#include <railgate/limits.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/endpoints.h"
#include "bpf/epoch.h"
#include "bpf/maps.h"
#include "bpf/orphans.h"

static bool is_orphan(const struct rg_maps *maps, const struct rg_ident *ident)
{
	struct rg_endpoint e;

	return ident->slot >= RG_SLOT_FIRST_POD &&
	       rg_endpoints_get(maps, ident->slot, &e) == -ENOENT;
}

int rg_orphans_list(const struct rg_maps *maps, struct rg_orphan **ret, size_t *ret_n,
		    struct rg_err *err)
{
	_cleanup_free_ struct rg_orphan *list = NULL;
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS);
	struct rg_ident_key next;
	struct rg_orphan o;
	const void *at = NULL;
	size_t n = 0;

	while (bpf_map_get_next_key(fd, at, &next) == 0) {
		struct rg_orphan *grown;

		o.key = next;
		at = &o.key;
		if (bpf_map_lookup_elem(fd, &o.key, &o.ident) < 0 || !is_orphan(maps, &o.ident))
			continue;
		grown = reallocarray(list, n + 1, sizeof(*list));
		if (!grown)
			return rg_err_errno(err, -ENOMEM, "cannot list the identities");
		list = grown;
		list[n++] = o;
	}
	*ret = TAKE_PTR(list);
	*ret_n = n;
	return 0;
}

int rg_orphans_remove(const struct rg_maps *maps, const struct rg_orphan *orphan,
		      struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS);
	struct rg_ident now;
	int r;

	if (bpf_map_lookup_elem(fd, &orphan->key, &now) < 0 || now.slot != orphan->ident.slot ||
	    !is_orphan(maps, &now))
		return 0;
	if (bpf_map_delete_elem(fd, &orphan->key) < 0 && errno != ENOENT)
		return rg_err_errno(err, -errno, "cannot delete from map %s",
				    rg_map_name(RG_MAP_ID_IDENTS));
	r = rg_epoch_bump(maps, err);
	return r < 0 ? r : 1;
}
