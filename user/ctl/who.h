/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names behind a slot.
 */
#ifndef RG_CTL_WHO_H
#define RG_CTL_WHO_H

#include <stdint.h>

#include "event.h"

struct rg_endpoint;
struct rg_maps;

#define RG_WHO_SIZE 176

/**
 * rg_who() - names of the endpoint in a slot
 * @maps: maps, NULL if they cannot be read
 * @slot: slot
 * @ret: names; of a slot that is free now only what its number says
 */
void rg_who(const struct rg_maps *maps, uint32_t slot, struct rg_event_names *ret);

/**
 * rg_who_of() - names of an endpoint that is at hand
 * @slot: its slot
 * @endpoint: entry, NULL if the slot is free
 * @ret: names
 */
void rg_who_of(uint32_t slot, const struct rg_endpoint *endpoint, struct rg_event_names *ret);

/**
 * rg_who_text() - names as people read them
 * @names: names
 * @buf: "namespace/pod ifname", "host" or "unknown sender"
 *
 * Return: @buf
 */
char *rg_who_text(const struct rg_event_names *names, char buf[RG_WHO_SIZE]);

#endif /* RG_CTL_WHO_H */
