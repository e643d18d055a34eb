/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics that railgate exports, from values that were collected elsewhere.
 *
 * What TC counted is named tc_*: on a rail with RDMA hardware that is only what the kernel's own
 * network stack sent, because hardware RoCE does not pass TC.
 */
#ifndef RG_METRICS_EXPORT_H
#define RG_METRICS_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <railgate/counters.h>
#include <railgate/endpoint.h>

struct rg_prom;

/**
 * struct rg_metrics_hook - one hook of a rail
 * @known: whether the kernel could be asked
 * @attached: whether our program is attached
 * @position: programs that run before ours; valid if @attached
 */
struct rg_metrics_hook {
	bool known;
	bool attached;
	uint32_t position;
};

/**
 * struct rg_metrics_rail - a rail
 * @name: operator's name
 * @present: whether its netdev is there; otherwise only its absence is exported
 * @generation: generation of its policy in the maps
 * @mode: enum rg_mode
 * @hooks: index 0 egress, 1 ingress
 * @ops: opcode classes; index RG_OPS_TX, RG_OPS_RX
 */
struct rg_metrics_rail {
	const char *name;
	bool present;
	uint32_t generation;
	uint8_t mode;
	struct rg_metrics_hook hooks[2];
	struct rg_ops ops[2];
};

/**
 * struct rg_metrics_endpoint - an endpoint and what it counted
 * @slot: index into the counter maps
 * @endpoint: names
 * @counters: since it owns the slot
 * @drops: since it owns the slot
 * @departed: gone; exported once more with its last values
 */
struct rg_metrics_endpoint {
	uint32_t slot;
	struct rg_endpoint endpoint;
	struct rg_counters counters;
	struct rg_drops drops;
	bool departed;
};

/**
 * struct rg_metrics_map - how full a map is
 * @name: map
 * @entries: in use
 * @max_entries: possible
 */
struct rg_metrics_map {
	const char *name;
	uint64_t entries;
	uint64_t max_entries;
};

/**
 * struct rg_metrics_view - everything that one scrape exports
 * @rails: rails
 * @n_rails: number of @rails
 * @endpoints: endpoints; sorted by rg_metrics_export()
 * @n_endpoints: number of @endpoints
 * @maps: maps
 * @n_maps: number of @maps
 * @stats: the programs' own health
 * @events_unread: events that a slow watcher missed
 * @reloads_ok: configurations applied since the agent started
 * @reloads_failed: configurations refused since the agent started
 * @config_valid: whether the file on disk is the one in force
 * @repairs: what the agent put right since it started
 * @collect_ok: whether all values could be read
 * @collect_seconds: how long reading took
 * @kernel: kernel release
 * @attach_kind: "tcx" or "clsact"
 */
struct rg_metrics_view {
	struct rg_metrics_rail *rails;
	size_t n_rails;
	struct rg_metrics_endpoint *endpoints;
	size_t n_endpoints;
	struct rg_metrics_map *maps;
	size_t n_maps;
	struct rg_stats stats;
	uint64_t events_unread;
	uint64_t reloads_ok;
	uint64_t reloads_failed;
	bool config_valid;
	uint64_t repairs;
	bool collect_ok;
	double collect_seconds;
	const char *kernel;
	const char *attach_kind;
};

/**
 * rg_metrics_export() - write all families
 * @view: values; its endpoints are sorted by pod and rail, and those of one pod and rail summed
 * @p: page
 */
void rg_metrics_export(struct rg_metrics_view *view, struct rg_prom *p);

#endif /* RG_METRICS_EXPORT_H */
