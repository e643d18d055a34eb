/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identities that lead to a slot which nobody has.
 *
 * An endpoint's entry is the first to come and the last to go, so an identity without one was
 * left by a caller that was killed.
 */
#ifndef RG_BPF_ORPHANS_H
#define RG_BPF_ORPHANS_H

#include <stddef.h>

#include <railgate/endpoint.h>

struct rg_err;
struct rg_maps;

/**
 * struct rg_orphan - an identity without an endpoint
 * @key: identity
 * @ident: what it leads to
 */
struct rg_orphan {
	struct rg_ident_key key;
	struct rg_ident ident;
};

/**
 * rg_orphans_list() - find them
 * @maps: maps
 * @ret: array, to be freed with free(); NULL if there are none
 * @ret_n: number of identities
 * @err: sentence
 *
 * The host's own identities are the agent's business and not listed.
 *
 * Return: 0 or -errno
 */
int rg_orphans_list(const struct rg_maps *maps, struct rg_orphan **ret, size_t *ret_n,
		    struct rg_err *err);

/**
 * rg_orphans_remove() - remove one
 * @maps: maps, locked
 * @orphan: identity; left alone if it leads to an endpoint by now
 * @err: sentence
 *
 * Return: 1 if removed, 0 if not, or -errno
 */
int rg_orphans_remove(const struct rg_maps *maps, const struct rg_orphan *orphan,
		      struct rg_err *err);

#endif /* RG_BPF_ORPHANS_H */
