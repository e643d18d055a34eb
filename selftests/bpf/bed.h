/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The programs, loaded but attached to nothing, with rails and endpoints to judge packets of.
 *
 * Packets run through an entry program as on a real hook, so that the tail call is part of what is
 * tested. Nothing is pinned: all of it is gone with the process.
 */
#ifndef RG_TEST_BED_H
#define RG_TEST_BED_H

#include <stdint.h>
#include <railgate/abi.h>
#include <railgate/event.h>
#include <railgate/limits.h>

#include "bpf/config.h"
#include "bpf/counters.h"

struct railgate_bpf;
struct ring_buffer;
struct rg_maps;

#define BED_MAX_EVENTS 256

/**
 * struct bed_options - how to load
 * @slots: size of the counter maps, 0 for RG_ENDPOINTS_DEFAULT
 * @event_interval_ns: rate limit of the events; 0 for none
 * @event_burst: how many events at once
 * @events_bytes: size of the ring buffer, 0 for its own
 * @flows: size of the table of flows looked up before, 0 for its own; 1 makes it useless
 */
struct bed_options {
	uint32_t slots;
	uint64_t event_interval_ns;
	uint32_t event_burst;
	uint32_t events_bytes;
	uint32_t flows;
};

/**
 * struct bed - loaded programs
 * @skel: the skeleton
 * @maps: the same maps as the library sees them
 * @policy: configuration; bed_commit() puts it into the maps
 * @entries: entry programs by main program and slot, made when they are first needed
 * @slots: size of the counter maps
 * @ring: reader of the events
 * @events: events since bed_forget_events()
 * @n_events: how many there were, also those that did not fit
 */
struct bed {
	struct railgate_bpf *skel;
	struct rg_maps *maps;
	struct rg_policy policy;
	int *entries[RG_PROG_IDX_MAX];
	uint32_t slots;
	struct ring_buffer *ring;
	struct rg_event events[BED_MAX_EVENTS];
	unsigned int n_events;
};

/**
 * struct bed_ctx - what a packet has besides its bytes
 * @gso_size: payload bytes of a segment, 0 if it is one packet
 * @gso_segs: number of segments
 * @repeat: how often to run it, 0 for once
 */
struct bed_ctx {
	uint32_t gso_size;
	uint32_t gso_segs;
	uint32_t repeat;
};

/**
 * bed_quiet() - let libbpf print its warnings only
 */
void bed_quiet(void);

/**
 * bed_open() - load the programs
 * @options: how
 *
 * Ends the test program if that fails.
 *
 * Return: the bed; bed_close() ends it
 */
struct bed *bed_open(const struct bed_options *options);

/**
 * bed_close() - unload
 * @bed: bed
 */
void bed_close(struct bed *bed);

/**
 * bed_commit() - put bed->policy in force
 * @bed: bed
 */
void bed_commit(struct bed *bed);

/**
 * bed_cidr() - add a network to bed->policy
 * @bed: bed
 * @scope: RG_SCOPE_*
 * @net: "10.9.0.0/16"
 */
void bed_cidr(struct bed *bed, uint32_t scope, const char *net);

/**
 * bed_ident() - make an identity known
 * @bed: bed
 * @rail: rail number
 * @mac: MAC as text
 * @addr: address as text, NULL for the MAC alone
 * @slot: endpoint it belongs to
 * @flags: RG_IDENT_*
 */
void bed_ident(struct bed *bed, uint32_t rail, const char *mac, const char *addr, uint32_t slot,
	       uint32_t flags);

/**
 * bed_endpoint() - enter an endpoint, as pod hooks need it
 * @bed: bed
 * @rail: rail number
 * @mac: MAC as text
 * @slot: slot
 * @flags: RG_IDENT_*
 */
void bed_endpoint(struct bed *bed, uint32_t rail, const char *mac, uint32_t slot, uint32_t flags);

/**
 * bed_run() - run a packet through a hook
 * @bed: bed
 * @prog: the hook's main program
 * @slot: what the hook's entry program holds
 * @data: frame, from the destination MAC on
 * @len: its length
 * @ctx: the rest, may be NULL
 * @ret_ns: time of one run in nanoseconds, may be NULL
 *
 * Return: the program's verdict, or -errno of the kernel's below -100 if it could not run
 */
int bed_run(struct bed *bed, enum rg_prog prog, uint32_t slot, const void *data, size_t len,
	    const struct bed_ctx *ctx, uint32_t *ret_ns);

/**
 * bed_usage() - counters of a slot
 * @bed: bed
 * @slot: slot
 * @ret: counters
 */
void bed_usage(struct bed *bed, uint32_t slot, struct rg_usage *ret);

/**
 * bed_events() - read the events that are waiting
 * @bed: bed
 *
 * Return: bed->n_events
 */
unsigned int bed_events(struct bed *bed);

/**
 * bed_forget_events() - read and forget
 * @bed: bed
 */
void bed_forget_events(struct bed *bed);

#endif /* RG_TEST_BED_H */
