/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is left of pods that are gone.
 */
#ifndef RG_CTL_GC_H
#define RG_CTL_GC_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/orphans.h"
#include "state/store.h"

struct rg_ctl;
struct rg_err;
struct rg_maps;

enum rg_gc_kind {
	RG_GC_ATTACHMENT, /* record whose pod, interface or boot is gone */
	RG_GC_ENDPOINT,	  /* endpoint in the maps without a record */
	RG_GC_IDENTITY,	  /* identity without an endpoint */
	RG_GC_HOOK,	  /* pinned hook whose device is gone */
};

/**
 * struct rg_gc_item - one thing that was left
 * @kind: what it is
 * @name: for people
 * @reason: why it is taken for left
 * @key: of an attachment, or the attachment that an endpoint belonged to
 * @slot: of an endpoint
 * @orphan: of an identity
 */
struct rg_gc_item {
	enum rg_gc_kind kind;
	char name[400];
	char reason[160];
	struct rg_store_key key;
	uint32_t slot;
	struct rg_orphan orphan;
};

/**
 * struct rg_gc - a collection
 * @ctl: call
 * @maps: maps, locked; NULL if no policy is loaded
 * @store: records, NULL if there is no state directory
 * @plugin: path of the plugin, NULL to look for it
 * @items: what was found
 * @n: number of @items
 */
struct rg_gc {
	struct rg_ctl *ctl;
	struct rg_maps *maps;
	struct rg_store *store;
	const char *plugin;
	struct rg_gc_item *items;
	size_t n;
};

/**
 * rg_gc_kind_name() - what a kind is called
 * @kind: kind
 */
const char *rg_gc_kind_name(enum rg_gc_kind kind);

/**
 * rg_gc_add() - append an item
 * @gc: collection
 * @item: item
 *
 * Return: 0 or -ENOMEM
 */
int rg_gc_add(struct rg_gc *gc, const struct rg_gc_item *item);

/**
 * rg_gc_find_attachments() - find records of pods that are gone
 * @gc: collection with a store
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_gc_find_attachments(struct rg_gc *gc, struct rg_err *err);

/**
 * rg_gc_find_maps() - find endpoints, identities and hooks that nobody needs
 * @gc: collection with maps
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_gc_find_maps(struct rg_gc *gc, struct rg_err *err);

/**
 * rg_gc_remove() - remove an item
 * @gc: collection
 * @item: item
 * @err: sentence
 *
 * Return: 0, also if it is gone or needed by now, or -errno
 */
int rg_gc_remove(struct rg_gc *gc, const struct rg_gc_item *item, struct rg_err *err);

/**
 * rg_gc_del() - have the plugin take an attachment away
 * @gc: collection
 * @record: attachment
 * @err: sentence
 *
 * DEL knows what has to be undone, from the address that IPAM gave to the device's old name.
 *
 * Return: 0 or -errno
 */
int rg_gc_del(struct rg_gc *gc, const struct rg_record *record, struct rg_err *err);

/**
 * rg_gc_done() - free a collection
 * @gc: collection
 */
void rg_gc_done(struct rg_gc *gc);

#endif /* RG_CTL_GC_H */
