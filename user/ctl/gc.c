// SPDX-License-Identifier: Apache-2.0
/*
 * What is left of pods that are gone: finding it and removing it.
 */
#include <errno.h>
#include <railgate/limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/inet.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "ctl.h"
#include "gc.h"

#define LOCK_TIMEOUT_MS 5000

const char *rg_gc_kind_name(enum rg_gc_kind kind)
{
	static const char *const names[] = {
		[RG_GC_ATTACHMENT] = "attachment",
		[RG_GC_ENDPOINT] = "endpoint",
		[RG_GC_IDENTITY] = "identity",
		[RG_GC_HOOK] = "hook",
	};

	return names[kind];
}

int rg_gc_add(struct rg_gc *gc, const struct rg_gc_item *item)
{
	struct rg_gc_item *grown = reallocarray(gc->items, gc->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	gc->items = grown;
	gc->items[gc->n++] = *item;
	return 0;
}

/* Whether an attachment has a record. The id in the maps may be cut. */
static bool has_record(const struct rg_store_key *keys, size_t n, const struct rg_endpoint *e)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rg_endpoints_is_of(e, keys[i].container_id, keys[i].ifname))
			return true;
	return false;
}

struct endpoint_search {
	struct rg_gc *gc;
	struct rg_store_key *keys;
	size_t n_keys;
};

/* The link of a pod's hook knows whether its device exists, in whatever namespace. */
static bool is_alive(const struct rg_gc *gc, uint32_t slot)
{
	char name[RG_PIN_NAME_SIZE];
	uint32_t ifindex;

	return rg_hook_device(gc->ctl->pin_dir, rg_pin_pod_link_name(slot, "tx", name), &ifindex) ==
		       0 &&
	       ifindex;
}

static int look_at_endpoint(uint32_t slot, const struct rg_endpoint *e, void *arg)
{
	struct endpoint_search *s = arg;
	struct rg_gc_item item = {.kind = RG_GC_ENDPOINT, .slot = slot};

	if (slot < RG_SLOT_FIRST_POD || has_record(s->keys, s->n_keys, e) || is_alive(s->gc, slot))
		return 0;
	(void)rg_str_format(item.name, sizeof(item.name), "slot %u, %s%s%s %s on %s", slot,
			    e->pod_namespace, e->pod_namespace[0] ? "/" : "", e->pod_name,
			    e->ifname, e->rail_name);
	(void)rg_str_copy(item.reason, sizeof(item.reason), "no attachment is recorded for it");
	(void)rg_str_copy(item.key.container_id, sizeof(item.key.container_id), e->container_id);
	(void)rg_str_copy(item.key.ifname, sizeof(item.key.ifname), e->ifname);
	return rg_gc_add(s->gc, &item);
}

static int find_endpoints(struct rg_gc *gc, struct rg_err *err)
{
	struct endpoint_search s = {.gc = gc};
	int r = 0;

	if (gc->store)
		r = rg_store_list(gc->store, NULL, &s.keys, &s.n_keys, err);
	if (r < 0)
		return r;
	r = rg_endpoints_each(gc->maps, look_at_endpoint, &s);
	free(s.keys);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list the endpoints");
	return 0;
}

static int find_identities(struct rg_gc *gc, struct rg_err *err)
{
	_cleanup_free_ struct rg_orphan *orphans = NULL;
	size_t n, i;
	int r;

	r = rg_orphans_list(gc->maps, &orphans, &n, err);
	for (i = 0; r == 0 && i < n; i++) {
		struct rg_gc_item item = {.kind = RG_GC_IDENTITY, .orphan = orphans[i]};
		char mac[RG_MAC_STR_LEN], text[RG_ADDR_STR_LEN];
		struct rg_addr a;

		memcpy(a.b, orphans[i].key.addr, sizeof(a.b));
		(void)rg_str_format(item.name, sizeof(item.name), "%s %s on rail number %u",
				    rg_mac_format(orphans[i].key.mac, mac),
				    rg_addr_is_zero(&a) ? "alone" : rg_addr_format(&a, text),
				    orphans[i].key.rail);
		(void)rg_str_format(item.reason, sizeof(item.reason),
				    "leads to slot %u, which nobody has", orphans[i].ident.slot);
		r = rg_gc_add(gc, &item);
	}
	return r;
}

static int look_at_hook(const char *name, void *arg)
{
	struct rg_gc_item item = {.kind = RG_GC_HOOK};
	struct rg_gc *gc = arg;
	uint32_t ifindex;

	if (rg_hook_device(gc->ctl->pin_dir, name, &ifindex) < 0 || ifindex)
		return 0;
	(void)rg_str_copy(item.name, sizeof(item.name), name);
	(void)rg_str_copy(item.reason, sizeof(item.reason), "its device is gone");
	return rg_gc_add(gc, &item);
}

int rg_gc_find_maps(struct rg_gc *gc, struct rg_err *err)
{
	int r;

	r = find_endpoints(gc, err);
	if (r == 0)
		r = find_identities(gc, err);
	if (r < 0)
		return r;
	r = rg_pin_each(gc->ctl->pin_dir, RG_PIN_KIND_LINK, look_at_hook, gc);
	return r < 0 ? rg_err_errno(err, r, "cannot list the pinned hooks") : 0;
}

static int remove_attachment(struct rg_gc *gc, const struct rg_gc_item *item, struct rg_err *err)
{
	_cleanup_record_ struct rg_record *record = NULL;
	int r;

	r = rg_store_read(gc->store, item->key.container_id, item->key.ifname, &record, err);
	if (r == -ENOENT)
		return 0;
	return r < 0 ? r : rg_gc_del(gc, record, err);
}

/*
 * An ADD of the same container may be under way, and the slot may have another owner by now: look
 * again with the container's lock held.
 */
static int remove_endpoint(struct rg_gc *gc, const struct rg_gc_item *item, struct rg_err *err)
{
	_cleanup_unlock_ struct rg_store_lock *lock = NULL;
	_cleanup_record_ struct rg_record *record = NULL;
	struct rg_endpoint e;
	int r = 0;

	if (gc->store)
		r = rg_store_lock(gc->store, item->key.container_id, LOCK_TIMEOUT_MS, &lock, err);
	if (r < 0)
		return r;
	if (lock && rg_store_load(lock, item->key.ifname, &record, NULL) != -ENOENT)
		return 0;
	if (rg_endpoints_get(gc->maps, item->slot, &e) < 0 ||
	    !rg_endpoints_is_of(&e, item->key.container_id, item->key.ifname) ||
	    is_alive(gc, item->slot))
		return 0;
	return rg_endpoints_remove(gc->maps, item->slot, err);
}

int rg_gc_remove(struct rg_gc *gc, const struct rg_gc_item *item, struct rg_err *err)
{
	int r;

	switch (item->kind) {
	case RG_GC_ATTACHMENT:
		return remove_attachment(gc, item, err);
	case RG_GC_ENDPOINT:
		return remove_endpoint(gc, item, err);
	case RG_GC_IDENTITY:
		r = rg_orphans_remove(gc->maps, &item->orphan, err);
		return r < 0 ? r : 0;
	case RG_GC_HOOK:
		r = rg_pin_remove(gc->ctl->pin_dir, RG_PIN_KIND_LINK, item->name);
		return r < 0 ? rg_err_errno(err, r, "cannot remove pin %s", item->name) : 0;
	}
	return -EINVAL;
}

void rg_gc_done(struct rg_gc *gc)
{
	rg_maps_free(TAKE_PTR(gc->maps));
	rg_store_close(TAKE_PTR(gc->store));
	free(TAKE_PTR(gc->items));
	gc->n = 0;
}
