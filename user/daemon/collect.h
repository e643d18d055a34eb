/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the maps for one scrape.
 *
 * The plugin removes an endpoint at DEL without asking the agent, so the last bytes of a pod would
 * be lost between two scrapes. The collector remembers whom it saw and exports one that vanished
 * once more, with the values its slot ended with.
 */
#ifndef RG_DAEMON_COLLECT_H
#define RG_DAEMON_COLLECT_H

#include "metrics/export.h"

struct rg_collect;
struct rg_err;
struct rg_maps;

/**
 * rg_collect_new() - a collector that has seen nobody yet
 *
 * Return: collector to be freed with rg_collect_free(), or NULL without memory
 */
struct rg_collect *rg_collect_new(void);

/**
 * rg_collect_free() - free a collector and what its last view points to
 * @c: collector or NULL
 */
void rg_collect_free(struct rg_collect *c);

/**
 * rg_collect_read() - read endpoints, counters, opcode classes, map fill and health
 * @c: collector; owns what @view is made to point to until the next call
 * @maps: maps
 * @view: filled but for what only the agent knows; its rails, given by the caller with name and
 *        presence, get their opcode classes. collect_ok and collect_seconds are set in any case
 * @numbers: the rails' numbers in the maps, in the order of @view->rails; -1 if not loaded
 * @err: what could not be read
 *
 * Return: 0, or -errno if something is missing from @view
 */
int rg_collect_read(struct rg_collect *c, const struct rg_maps *maps, struct rg_metrics_view *view,
		    const int *numbers, struct rg_err *err);

#endif /* RG_DAEMON_COLLECT_H */
