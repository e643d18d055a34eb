// SPDX-License-Identifier: Apache-2.0
/*
 * The host's own endpoint of each rail: its names and identities, and those of the slot that
 * collects what nobody can be blamed for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/counters.h>
#include <railgate/endpoint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/counters.h"
#include "bpf/endpoints.h"
#include "bpf/epoch.h"
#include "bpf/host.h"
#include "bpf/maps.h"

static struct rg_ident_key ident_key(uint32_t rail, const struct rg_host *host,
				     const struct rg_addr *addr)
{
	struct rg_ident_key key = {.rail = (uint16_t)rail};

	memcpy(key.mac, host->mac, sizeof(key.mac));
	if (addr)
		memcpy(key.addr, addr->b, sizeof(key.addr));
	return key;
}

/* Return: 1 if the identity had to be written, 0 if not, or -errno. */
static int put_ident(int fd, const struct rg_ident_key *key, uint32_t slot, struct rg_err *err)
{
	struct rg_ident want = {.slot = slot, .flags = RG_IDENT_HOST}, there;

	if (bpf_map_lookup_elem(fd, key, &there) == 0) {
		/* a pod's stays the pod's: what the plugin gave out is not taken away */
		if (there.slot >= RG_SLOT_FIRST_POD || memcmp(&there, &want, sizeof(want)) == 0)
			return 0;
	}
	if (bpf_map_update_elem(fd, key, &want, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot write map %s",
				    rg_map_name(RG_MAP_ID_IDENTS));
	return 1;
}

static int put_idents(int fd, uint32_t rail, const struct rg_host *host, struct rg_err *err)
{
	int changed = 0;

	if (!host->present)
		return 0;
	for (size_t i = 0; i <= host->n_addrs; i++) {
		struct rg_ident_key key = ident_key(rail, host, i ? &host->addrs[i - 1] : NULL);
		int r = put_ident(fd, &key, RG_SLOT_HOST(rail), err);

		if (r < 0)
			return r;
		changed += r;
	}
	return changed;
}

static bool is_wanted(const struct rg_host *host, const struct rg_ident_key *key)
{
	static const struct rg_addr none;

	if (!host->present || memcmp(host->mac, key->mac, sizeof(key->mac)) != 0)
		return false;
	if (memcmp(none.b, key->addr, sizeof(key->addr)) == 0)
		return true;
	for (size_t i = 0; i < host->n_addrs; i++)
		if (memcmp(host->addrs[i].b, key->addr, sizeof(key->addr)) == 0)
			return true;
	return false;
}

/* Walks over all identities, whoever wrote them: also those of a killed agent are found. */
static int delete_stale(const struct rg_maps *maps, const struct rg_host *hosts, struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS), changed = 0;
	struct rg_ident_key key, next;
	struct rg_ident ident;
	bool more = bpf_map_get_next_key(fd, NULL, &next) == 0;

	while (more) {
		key = next;
		/* the next key first: a deleted one leads back to the start */
		more = bpf_map_get_next_key(fd, &key, &next) == 0;
		if (bpf_map_lookup_elem(fd, &key, &ident) < 0 || !(ident.flags & RG_IDENT_HOST))
			continue;
		if (key.rail < RG_MAX_RAILS && ident.slot == RG_SLOT_HOST((uint32_t)key.rail) &&
		    is_wanted(&hosts[key.rail], &key))
			continue;
		if (bpf_map_delete_elem(fd, &key) < 0 && errno != ENOENT)
			return rg_err_errno(err, -errno, "cannot delete from map %s",
					    rg_map_name(RG_MAP_ID_IDENTS));
		changed++;
	}
	return changed;
}

static int put_endpoint(int fd, uint32_t slot, uint32_t rail, uint8_t kind,
			const struct rg_host *host, struct rg_err *err)
{
	struct rg_endpoint want = {
		.rail = (uint8_t)rail,
		.kind = kind,
		.ifindex = host->ifindex,
		.flags = kind == RG_KIND_HOST ? RG_IDENT_HOST : 0,
	};
	struct rg_endpoint there;

	(void)rg_str_copy(want.rail_name, sizeof(want.rail_name), host->name);
	if (kind == RG_KIND_HOST)
		memcpy(want.mac, host->mac, sizeof(want.mac));
	if (bpf_map_lookup_elem(fd, &slot, &there) == 0) {
		want.added_s = there.added_s;
		if (memcmp(&there, &want, sizeof(want)) == 0)
			return 0;
	}
	want.added_s = (uint64_t)time(NULL);
	if (bpf_map_update_elem(fd, &slot, &want, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot write map %s",
				    rg_map_name(RG_MAP_ID_ENDPOINTS));
	return 1;
}

static int sync_endpoints(const struct rg_maps *maps, uint32_t rail, const struct rg_host *host,
			  struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_ENDPOINTS), changed, r;
	uint32_t slots[] = {RG_SLOT_HOST(rail), RG_SLOT_UNKNOWN(rail)};

	if (host->present) {
		changed = put_endpoint(fd, slots[0], rail, RG_KIND_HOST, host, err);
		r = changed < 0 ? changed
				: put_endpoint(fd, slots[1], rail, RG_KIND_UNKNOWN, host, err);
		return r < 0 ? r : changed + r;
	}
	changed = 0;
	for (size_t i = 0; i < ARRAY_SIZE(slots); i++)
		changed += bpf_map_delete_elem(fd, &slots[i]) == 0;
	return changed;
}

int rg_host_sync(const struct rg_maps *maps, const struct rg_host *hosts, struct rg_err *err)
{
	int changed = 0, r;

	for (uint32_t rail = 0; rail < RG_MAX_RAILS; rail++) {
		r = sync_endpoints(maps, rail, &hosts[rail], err);
		if (r < 0)
			return r;
		changed += r;
		r = put_idents(rg_maps_fd(maps, RG_MAP_ID_IDENTS), rail, &hosts[rail], err);
		if (r < 0)
			return r;
		changed += r;
	}
	r = delete_stale(maps, hosts, err);
	if (r < 0)
		return r;
	changed += r;
	r = changed ? rg_epoch_bump(maps, err) : 0;
	return r < 0 ? r : changed;
}

static int clear_ops(const struct rg_maps *maps, uint32_t key)
{
	int n_cpus = libbpf_num_possible_cpus();
	_cleanup_free_ struct rg_ops *zero = NULL;

	if (n_cpus < 0)
		return n_cpus;
	zero = calloc((size_t)n_cpus, sizeof(*zero));
	if (!zero)
		return -ENOMEM;
	return bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_OPS), &key, zero, BPF_ANY) < 0
		       ? -errno
		       : 0;
}

int rg_host_new_owner(const struct rg_maps *maps, uint32_t rail, struct rg_err *err)
{
	int r = rg_counters_rebase(maps, RG_SLOT_HOST(rail), err);

	if (r == 0)
		r = rg_counters_rebase(maps, RG_SLOT_UNKNOWN(rail), err);
	if (r < 0)
		return r;
	r = clear_ops(maps, RG_OPS_KEY(rail, RG_OPS_TX));
	if (r == 0)
		r = clear_ops(maps, RG_OPS_KEY(rail, RG_OPS_RX));
	return r < 0 ? rg_err_errno(err, r, "cannot clear map %s", rg_map_name(RG_MAP_ID_OPS)) : 0;
}

static int stop_at_pod(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	const uint32_t *rail = arg;

	return slot >= RG_SLOT_FIRST_POD && endpoint->rail == *rail ? -EBUSY : 0;
}

bool rg_host_rail_in_use(const struct rg_maps *maps, uint32_t rail)
{
	return rg_endpoints_each(maps, stop_at_pod, &rail) == -EBUSY;
}
