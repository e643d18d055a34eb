/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Endpoints of pods in the maps: a slot, its names, and the identities that lead to it.
 *
 * Written by the plugin at ADD and removed at DEL, by whoever performs it. The entry of
 * rg_endpoints is the slot's allocation and is the first to come and the last to go, so that an
 * identity never points at a slot that someone else may take.
 */
#ifndef RG_BPF_ENDPOINTS_H
#define RG_BPF_ENDPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <railgate/endpoint.h>

#include "base/inet.h"

struct rg_err;
struct rg_maps;

/**
 * rg_endpoints_add() - give an attachment a slot and its identities
 * @maps: maps, locked
 * @endpoint: names, rail, kind, MAC and flags; added_s is filled in here
 * @addrs: its addresses; the MAC alone is added by itself
 * @n: number of @addrs
 * @ret_slot: slot, written only on success
 * @err: sentence
 *
 * A slot that was never used is preferred. The sums of a used one become its base before any
 * identity leads to it. All or nothing: on failure the maps are as before.
 *
 * Return: 0; -ENOSPC if slots or identities are used up; -EEXIST if another attachment has one of
 * the identities; or another -errno
 */
int rg_endpoints_add(const struct rg_maps *maps, const struct rg_endpoint *endpoint,
		     const struct rg_addr *addrs, size_t n, uint32_t *ret_slot, struct rg_err *err);

/**
 * rg_endpoints_set_ifindex() - fill in the number of the interface inside the pod
 * @maps: maps, locked
 * @slot: slot
 * @ifindex: number
 *
 * Return: 0, -ENOENT if the slot is free, or another -errno
 */
int rg_endpoints_set_ifindex(const struct rg_maps *maps, uint32_t slot, uint32_t ifindex);

/**
 * rg_endpoints_is_of() - whether an endpoint belongs to an attachment
 * @endpoint: endpoint
 * @container_id: CNI container id, whole
 * @ifname: interface inside the pod, NULL for any
 */
bool rg_endpoints_is_of(const struct rg_endpoint *endpoint, const char *container_id,
			const char *ifname);

/**
 * rg_endpoints_get() - endpoint in a slot
 * @maps: maps
 * @slot: slot
 * @ret: endpoint, written only on success
 *
 * Return: 0, -ENOENT if the slot is free, or another -errno
 */
int rg_endpoints_get(const struct rg_maps *maps, uint32_t slot, struct rg_endpoint *ret);

/**
 * rg_endpoints_check() - whether a slot and its identities are complete
 * @maps: maps
 * @slot: slot
 * @endpoint: what rg_endpoints_add() was given
 * @addrs: addresses
 * @n: number of @addrs
 * @err: sentence that names what is missing or different
 *
 * Return: 0; -ENOENT if something is missing; -EEXIST if it belongs to someone else; or -errno
 */
int rg_endpoints_check(const struct rg_maps *maps, uint32_t slot,
		       const struct rg_endpoint *endpoint, const struct rg_addr *addrs, size_t n,
		       struct rg_err *err);

/**
 * rg_endpoints_remove() - remove a slot and all identities that lead to it
 * @maps: maps, locked
 * @slot: slot
 * @err: sentence
 *
 * Return: 0, also if the slot is free already, or -errno
 */
int rg_endpoints_remove(const struct rg_maps *maps, uint32_t slot, struct rg_err *err);

/**
 * rg_endpoints_remove_attachment() - remove every slot of an attachment
 * @maps: maps, locked
 * @container_id: CNI container id
 * @ifname: interface inside the pod
 * @err: sentence
 *
 * Return: number of slots removed, or -errno
 */
int rg_endpoints_remove_attachment(const struct rg_maps *maps, const char *container_id,
				   const char *ifname, struct rg_err *err);

/**
 * typedef rg_endpoint_fn - called for each endpoint
 * @slot: its slot
 * @endpoint: endpoint
 * @arg: the caller's
 *
 * Return: 0 to go on, or -errno to stop with
 */
typedef int (*rg_endpoint_fn)(uint32_t slot, const struct rg_endpoint *endpoint, void *arg);

/**
 * rg_endpoints_each() - walk over all endpoints, the host's own included
 * @maps: maps
 * @fn: called for each; it may remove the endpoint that it is called for
 * @arg: passed to @fn
 *
 * Walks over a copy, so changes meanwhile neither repeat nor hide an endpoint that stays.
 *
 * Return: 0 or -errno
 */
int rg_endpoints_each(const struct rg_maps *maps, rg_endpoint_fn fn, void *arg);

#endif /* RG_BPF_ENDPOINTS_H */
