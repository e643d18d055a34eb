// SPDX-License-Identifier: Apache-2.0
/*
 * Slots and identities of pods.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <sys/random.h>
#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/counters.h"
#include "bpf/endpoints.h"
#include "bpf/epoch.h"
#include "bpf/maps.h"

/* Probes for a slot that was never used; beyond this many a used one is as good. */
#define FRESH_PROBES 1024

static bool has_base(const struct rg_maps *maps, uint32_t slot)
{
	struct rg_base base;

	return bpf_map_lookup_elem(rg_maps_fd(maps, RG_MAP_ID_BASES), &slot, &base) == 0;
}

/* Return: 0 if the slot is now the caller's, -EEXIST if it is someone's, or another -errno. */
static int take_slot(const struct rg_maps *maps, uint32_t slot, const struct rg_endpoint *endpoint)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_ENDPOINTS);

	return bpf_map_update_elem(fd, &slot, endpoint, BPF_NOEXIST) < 0 ? -errno : 0;
}

/* Every slot that was ever taken has a base, see rg_endpoints_add(). */
static int take_fresh(const struct rg_maps *maps, const struct rg_endpoint *endpoint,
		      uint32_t *ret_slot)
{
	uint32_t end = rg_maps_slots(maps);

	if (end > RG_SLOT_FIRST_POD + FRESH_PROBES)
		end = RG_SLOT_FIRST_POD + FRESH_PROBES;
	for (uint32_t slot = RG_SLOT_FIRST_POD; slot < end; slot++) {
		int r;

		if (has_base(maps, slot))
			continue;
		r = take_slot(maps, slot, endpoint);
		if (r == -EEXIST)
			continue;
		if (r == 0)
			*ret_slot = slot;
		return r;
	}
	return -ENOSPC;
}

/* From a random place on, so that a slot rests for as long as possible before it is reused. */
static int take_any(const struct rg_maps *maps, const struct rg_endpoint *endpoint,
		    uint32_t *ret_slot)
{
	uint32_t n = rg_maps_slots(maps) - RG_SLOT_FIRST_POD;
	uint32_t start = 0;

	if (getrandom(&start, sizeof(start), GRND_NONBLOCK) < 0)
		start = (uint32_t)time(NULL);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = RG_SLOT_FIRST_POD + (start % n + i) % n;
		int r = take_slot(maps, slot, endpoint);

		if (r == -EEXIST)
			continue;
		if (r == 0)
			*ret_slot = slot;
		return r;
	}
	return -ENOSPC;
}

static int take(const struct rg_maps *maps, const struct rg_endpoint *endpoint, uint32_t *ret_slot,
		struct rg_err *err)
{
	uint32_t slots = rg_maps_slots(maps);
	int r = take_fresh(maps, endpoint, ret_slot);

	if (r == -ENOSPC)
		r = take_any(maps, endpoint, ret_slot);
	if (r == -ENOSPC || r == -E2BIG)
		return rg_err_set(err, -ENOSPC,
				  "all %u endpoint slots of this node are in use; raise "
				  "\"maxEndpoints\" in the configuration, or free stale ones with "
				  "\"railctl gc\"",
				  slots > RG_SLOT_FIRST_POD ? slots - RG_SLOT_FIRST_POD : 0);
	return r < 0 ? rg_err_errno(err, r, "cannot write map %s", rg_map_name(RG_MAP_ID_ENDPOINTS))
		     : 0;
}

static struct rg_ident_key ident_key(const struct rg_endpoint *endpoint, const struct rg_addr *addr)
{
	struct rg_ident_key key = {.rail = endpoint->rail};

	memcpy(key.mac, endpoint->mac, sizeof(key.mac));
	if (addr)
		memcpy(key.addr, addr->b, sizeof(key.addr));
	return key;
}

static const char *ident_text(const struct rg_ident_key *key, char *buf, size_t size)
{
	char mac[RG_MAC_STR_LEN], text[RG_ADDR_STR_LEN] = "";
	struct rg_addr addr;

	memcpy(addr.b, key->addr, sizeof(addr.b));
	(void)rg_str_format(buf, size, "MAC %s%s%s", rg_mac_format(key->mac, mac),
			    rg_addr_is_zero(&addr) ? "" : " with address ",
			    rg_addr_is_zero(&addr) ? "" : rg_addr_format(&addr, text));
	return buf;
}

/* An identity whose slot is free is what a crash left; it may be taken over. */
static int fail_or_take_over(const struct rg_maps *maps, const struct rg_ident_key *key,
			     const struct rg_ident *ident, struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS);
	struct rg_endpoint owner;
	struct rg_ident there;
	char text[128];

	if (bpf_map_lookup_elem(fd, key, &there) == 0 &&
	    rg_endpoints_get(maps, there.slot, &owner) == 0 && there.slot != ident->slot)
		return rg_err_set(
			err, -EEXIST,
			"%s on rail '%s' belongs to '%s/%s' interface '%s' (slot %u); give "
			"each attachment its own",
			ident_text(key, text, sizeof(text)), owner.rail_name, owner.pod_namespace,
			owner.pod_name, owner.ifname, there.slot);
	if (bpf_map_update_elem(fd, key, ident, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot write map %s",
				    rg_map_name(RG_MAP_ID_IDENTS));
	return rg_epoch_bump(maps, err);
}

static int add_ident(const struct rg_maps *maps, const struct rg_ident_key *key,
		     const struct rg_ident *ident, struct rg_err *err)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS);

	if (bpf_map_update_elem(fd, key, ident, BPF_NOEXIST) == 0)
		return 0;
	if (errno == EEXIST)
		return fail_or_take_over(maps, key, ident, err);
	if (errno == E2BIG || errno == ENOSPC)
		return rg_err_set(err, -ENOSPC,
				  "map %s is full (%u identities); raise \"maxEndpoints\" in the "
				  "configuration",
				  rg_map_name(RG_MAP_ID_IDENTS),
				  rg_maps_max_entries(maps, RG_MAP_ID_IDENTS));
	return rg_err_errno(err, -errno, "cannot write map %s", rg_map_name(RG_MAP_ID_IDENTS));
}

int rg_endpoints_add(const struct rg_maps *maps, const struct rg_endpoint *endpoint,
		     const struct rg_addr *addrs, size_t n, uint32_t *ret_slot, struct rg_err *err)
{
	struct rg_endpoint filled = *endpoint;
	struct rg_ident ident = {.flags = endpoint->flags};
	int r;

	filled.added_s = (uint64_t)time(NULL);
	r = take(maps, &filled, &ident.slot, err);
	if (r < 0)
		return r;
	r = rg_counters_rebase(maps, ident.slot, err);
	for (size_t i = 0; i <= n && r == 0; i++) {
		struct rg_ident_key key = ident_key(endpoint, i ? &addrs[i - 1] : NULL);

		r = add_ident(maps, &key, &ident, err);
	}
	if (r == 0)
		r = rg_epoch_bump(maps, err);
	if (r < 0) {
		(void)rg_endpoints_remove(maps, ident.slot, NULL);
		return r;
	}
	*ret_slot = ident.slot;
	return 0;
}

bool rg_endpoints_is_of(const struct rg_endpoint *endpoint, const char *container_id,
			const char *ifname)
{
	/* the map's copy of a long id is cut */
	return endpoint->kind > RG_KIND_UNKNOWN &&
	       strncmp(endpoint->container_id, container_id, sizeof(endpoint->container_id) - 1) ==
		       0 &&
	       (!ifname || strncmp(endpoint->ifname, ifname, sizeof(endpoint->ifname)) == 0);
}

int rg_endpoints_get(const struct rg_maps *maps, uint32_t slot, struct rg_endpoint *ret)
{
	struct rg_endpoint endpoint;

	if (bpf_map_lookup_elem(rg_maps_fd(maps, RG_MAP_ID_ENDPOINTS), &slot, &endpoint) < 0)
		return -errno;
	*ret = endpoint;
	return 0;
}

int rg_endpoints_set_ifindex(const struct rg_maps *maps, uint32_t slot, uint32_t ifindex)
{
	int fd = rg_maps_fd(maps, RG_MAP_ID_ENDPOINTS);
	struct rg_endpoint endpoint;
	int r = rg_endpoints_get(maps, slot, &endpoint);

	if (r < 0)
		return r;
	endpoint.ifindex = ifindex;
	return bpf_map_update_elem(fd, &slot, &endpoint, BPF_EXIST) < 0 ? -errno : 0;
}

int rg_endpoints_check(const struct rg_maps *maps, uint32_t slot,
		       const struct rg_endpoint *endpoint, const struct rg_addr *addrs, size_t n,
		       struct rg_err *err)
{
	struct rg_endpoint there;
	char text[128];
	int r = rg_endpoints_get(maps, slot, &there);

	if (r < 0)
		return rg_err_set(err, r, "endpoint slot %u is missing from map %s", slot,
				  rg_map_name(RG_MAP_ID_ENDPOINTS));
	if (!rg_endpoints_is_of(&there, endpoint->container_id, endpoint->ifname))
		return rg_err_set(err, -EEXIST,
				  "endpoint slot %u belongs to '%s/%s' interface '%s'", slot,
				  there.pod_namespace, there.pod_name, there.ifname);
	for (size_t i = 0; i <= n; i++) {
		struct rg_ident_key key = ident_key(endpoint, i ? &addrs[i - 1] : NULL);
		struct rg_ident ident;

		(void)ident_text(&key, text, sizeof(text));
		if (bpf_map_lookup_elem(rg_maps_fd(maps, RG_MAP_ID_IDENTS), &key, &ident) < 0)
			return rg_err_set(err, -errno, "identity %s is missing from map %s", text,
					  rg_map_name(RG_MAP_ID_IDENTS));
		if (ident.slot != slot)
			return rg_err_set(err, -EEXIST,
					  "identity %s leads to endpoint slot %u instead of %u",
					  text, ident.slot, slot);
	}
	return 0;
}

/**
 * struct snapshot - a copy of a hash map
 * @keys: keys
 * @values: values
 * @n: number of entries
 */
struct snapshot {
	char *keys;
	char *values;
	uint32_t n;
};

static void snapshot_done(struct snapshot *s)
{
	free(s->keys);
	free(s->values);
}

#define _cleanup_snapshot_ _cleanup_(snapshot_done)

/* In one system call: the buffers are large enough for a full map. */
static int snapshot_take(const struct rg_maps *maps, enum rg_map_id id, size_t key_size,
			 size_t value_size, struct snapshot *ret)
{
	_cleanup_snapshot_ struct snapshot s = {.n = rg_maps_max_entries(maps, id)};
	uint32_t out[8]; /* the kernel's place in the map, of the key's size at most */

	s.keys = calloc(s.n, key_size);
	s.values = calloc(s.n, value_size);
	if (!s.keys || !s.values)
		return -ENOMEM;
	if (bpf_map_lookup_batch(rg_maps_fd(maps, id), NULL, out, s.keys, s.values, &s.n, NULL) <
		    0 &&
	    errno != ENOENT)
		return -errno;
	*ret = s;
	s = (struct snapshot){0};
	return 0;
}

static int remove_idents(const struct rg_maps *maps, uint32_t slot)
{
	_cleanup_snapshot_ struct snapshot s = {0};
	int fd = rg_maps_fd(maps, RG_MAP_ID_IDENTS);
	int r = snapshot_take(maps, RG_MAP_ID_IDENTS, sizeof(struct rg_ident_key),
			      sizeof(struct rg_ident), &s);

	for (uint32_t i = 0; i < s.n && r == 0; i++) {
		const struct rg_ident *ident = (const struct rg_ident *)s.values + i;
		const struct rg_ident_key *key = (const struct rg_ident_key *)s.keys + i;

		if (ident->slot == slot && bpf_map_delete_elem(fd, key) < 0 && errno != ENOENT)
			r = -errno;
	}
	return r;
}

int rg_endpoints_remove(const struct rg_maps *maps, uint32_t slot, struct rg_err *err)
{
	int r = remove_idents(maps, slot);

	if (r < 0)
		return rg_err_errno(err, r, "cannot remove the identities of endpoint slot %u",
				    slot);
	r = rg_epoch_bump(maps, err);
	if (r < 0)
		return r;
	if (bpf_map_delete_elem(rg_maps_fd(maps, RG_MAP_ID_ENDPOINTS), &slot) < 0 &&
	    errno != ENOENT)
		return rg_err_errno(err, -errno, "cannot free endpoint slot %u", slot);
	return 0;
}

int rg_endpoints_each(const struct rg_maps *maps, rg_endpoint_fn fn, void *arg)
{
	_cleanup_snapshot_ struct snapshot s = {0};
	int r = snapshot_take(maps, RG_MAP_ID_ENDPOINTS, sizeof(uint32_t),
			      sizeof(struct rg_endpoint), &s);

	for (uint32_t i = 0; i < s.n && r == 0; i++)
		r = fn(((const uint32_t *)s.keys)[i], (const struct rg_endpoint *)s.values + i,
		       arg);
	return r;
}

/**
 * struct removal - an attachment being removed
 * @maps: maps
 * @container_id: its container
 * @ifname: its interface
 * @n: slots removed
 * @err: sentence
 */
struct removal {
	const struct rg_maps *maps;
	const char *container_id;
	const char *ifname;
	int n;
	struct rg_err *err;
};

static int remove_if_of(uint32_t slot, const struct rg_endpoint *endpoint, void *arg)
{
	struct removal *removal = arg;
	int r;

	if (!rg_endpoints_is_of(endpoint, removal->container_id, removal->ifname))
		return 0;
	r = rg_endpoints_remove(removal->maps, slot, removal->err);
	if (r == 0)
		removal->n++;
	return r;
}

int rg_endpoints_remove_attachment(const struct rg_maps *maps, const char *container_id,
				   const char *ifname, struct rg_err *err)
{
	struct removal removal = {
		.maps = maps,
		.container_id = container_id,
		.ifname = ifname,
		.err = err,
	};
	int r = rg_endpoints_each(maps, remove_if_of, &removal);

	return r < 0 ? r : removal.n;
}
