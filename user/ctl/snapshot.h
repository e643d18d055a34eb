/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every endpoint with what it has counted, at one moment or over an interval.
 */
#ifndef RG_CTL_SNAPSHOT_H
#define RG_CTL_SNAPSHOT_H

#include <railgate/endpoint.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/counters.h"

struct rg_err;
struct rg_maps;
struct rg_policy;

/**
 * struct rg_snapshot_endpoint - one endpoint
 * @slot: its slot
 * @endpoint: names; of reserved slots without an entry, what their number says
 * @first: counters at the first sample
 * @last: counters at the last sample
 */
struct rg_snapshot_endpoint {
	uint32_t slot;
	struct rg_endpoint endpoint;
	struct rg_usage first;
	struct rg_usage last;
};

/**
 * struct rg_snapshot - all endpoints, by slot
 * @endpoints: host and unknown senders of each loaded rail first, then pods
 * @n: number of @endpoints
 * @seconds: time between the samples, 0 with one sample
 */
struct rg_snapshot {
	struct rg_snapshot_endpoint *endpoints;
	size_t n;
	double seconds;
};

/**
 * rg_snapshot_take() - list the endpoints and read their counters
 * @maps: maps
 * @policy: in force, for the rails' reserved slots
 * @ret: snapshot; the caller frees it with rg_snapshot_done()
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_snapshot_take(const struct rg_maps *maps, const struct rg_policy *policy,
		     struct rg_snapshot *ret, struct rg_err *err);

/**
 * rg_snapshot_wait() - read the counters again after a while
 * @maps: maps
 * @ms: milliseconds to wait
 * @s: snapshot; endpoints that have gone meanwhile keep what they had
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_snapshot_wait(const struct rg_maps *maps, unsigned int ms, struct rg_snapshot *s,
		     struct rg_err *err);

/**
 * rg_snapshot_done() - free a snapshot
 * @s: snapshot
 */
void rg_snapshot_done(struct rg_snapshot *s);

#endif /* RG_CTL_SNAPSHOT_H */
