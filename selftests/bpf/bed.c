// SPDX-License-Identifier: Apache-2.0
/*
 * Loading the programs for tests and running packets through them.
 */
#include "bed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <railgate/endpoint.h>
#include <railgate/policy.h>

#include "base/err.h"
#include "base/inet.h"
#include "bpf/entry.h"
#include "bpf/maps.h"
#include "railgate.skel.h"
#include "tap.h"

__attribute__((format(printf, 2, 0))) static int print_libbpf(enum libbpf_print_level level,
							      const char *fmt, va_list ap)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, fmt, ap) : 0;
}

void bed_quiet(void)
{
	libbpf_set_print(print_libbpf);
}

static int on_event(void *ctx, void *data, size_t size)
{
	struct bed *bed = ctx;

	if (size != sizeof(struct rg_event))
		tap_bail("event of %zu bytes", size);
	if (bed->n_events < BED_MAX_EVENTS)
		memcpy(&bed->events[bed->n_events], data, size);
	bed->n_events++;
	return 0;
}

static void resize(struct railgate_bpf *skel, const struct bed_options *o, uint32_t slots)
{
	int r = 0;

	r |= bpf_map__set_max_entries(skel->maps.rg_counters, slots);
	r |= bpf_map__set_max_entries(skel->maps.rg_drops, slots);
	r |= bpf_map__set_max_entries(skel->maps.rg_endpoints, slots);
	r |= bpf_map__set_max_entries(skel->maps.rg_bases, slots);
	r |= bpf_map__set_max_entries(skel->maps.rg_idents, slots * RG_IDENTS_PER_ENDPOINT);
	r |= bpf_map__set_max_entries(skel->maps.rg_event_rate, slots * RG_REASON_MAX);
	if (o->events_bytes)
		r |= bpf_map__set_max_entries(skel->maps.rg_events, o->events_bytes);
	if (o->flows)
		r |= bpf_map__set_max_entries(skel->maps.rg_flows, o->flows);
	if (r)
		tap_bail("cannot set the sizes of the maps");
	skel->rodata->rg_event_interval_ns = o->event_interval_ns;
	skel->rodata->rg_event_burst = o->event_burst;
}

static void open_maps(struct bed *bed)
{
	struct rg_err err = {};
	struct bpf_map *map;
	int fds[RG_MAP_ID_MAX];

	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		map = bpf_object__find_map_by_name(bed->skel->obj, rg_map_name(i));
		fds[i] = map ? bpf_map__fd(map) : -1;
	}
	if (rg_maps_from_fds(fds, &bed->maps, &err) < 0)
		tap_bail("%s", err.msg);
}

static void fill_progs(struct bed *bed)
{
	struct bpf_program *progs[RG_PROG_IDX_MAX] = {
		[RG_PROG_IDX_RAIL_TX] = bed->skel->progs.rg_rail_tx,
		[RG_PROG_IDX_RAIL_RX] = bed->skel->progs.rg_rail_rx,
		[RG_PROG_IDX_POD_TX] = bed->skel->progs.rg_pod_tx,
		[RG_PROG_IDX_POD_RX] = bed->skel->progs.rg_pod_rx,
	};

	for (uint32_t i = 0; i < RG_PROG_IDX_MAX; i++) {
		int fd = bpf_program__fd(progs[i]);

		if (bpf_map_update_elem(bpf_map__fd(bed->skel->maps.rg_progs), &i, &fd, BPF_ANY))
			tap_bail("cannot fill %s: %s", RG_MAP_PROGS, strerror(errno));
	}
}

struct bed *bed_open(const struct bed_options *options)
{
	struct bed *bed = calloc(1, sizeof(*bed));

	if (!bed)
		tap_bail("out of memory");
	bed_quiet();
	bed->slots = options->slots ? options->slots : RG_ENDPOINTS_DEFAULT;
	bed->skel = railgate_bpf__open();
	if (!bed->skel)
		tap_bail("cannot open the programs: %s", strerror(errno));
	resize(bed->skel, options, bed->slots);
	if (railgate_bpf__load(bed->skel))
		tap_bail("cannot load the programs: %s", strerror(errno));
	open_maps(bed);
	fill_progs(bed);
	bed->ring = ring_buffer__new(bpf_map__fd(bed->skel->maps.rg_events), on_event, bed, NULL);
	if (!bed->ring)
		tap_bail("cannot read the events: %s", strerror(errno));
	return bed;
}

void bed_close(struct bed *bed)
{
	for (int i = 0; i < RG_PROG_IDX_MAX; i++) {
		for (uint32_t slot = 0; bed->entries[i] && slot < bed->slots; slot++)
			if (bed->entries[i][slot] > 0)
				close(bed->entries[i][slot]);
		free(bed->entries[i]);
	}
	ring_buffer__free(bed->ring);
	rg_maps_free(bed->maps);
	railgate_bpf__destroy(bed->skel);
	free(bed);
}

void bed_commit(struct bed *bed)
{
	struct rg_err err = {};

	if (rg_policy_write(bed->maps, NULL, &bed->policy, &err) < 0)
		tap_bail("%s", err.msg);
}

void bed_cidr(struct bed *bed, uint32_t scope, const char *net)
{
	struct rg_cidr_net cidr;

	if (rg_cidr_parse(net, &cidr) < 0 ||
	    rg_policy_add_cidr(&bed->policy, &cidr, scope, bed->policy.n_cidrs) < 0)
		tap_bail("cannot add CIDR %s", net);
}

void bed_ident(struct bed *bed, uint32_t rail, const char *mac, const char *addr, uint32_t slot,
	       uint32_t flags)
{
	struct rg_ident_key key = {.rail = rail};
	struct rg_ident id = {.slot = slot, .flags = flags};
	struct rg_addr a = {};

	if (rg_mac_parse(mac, key.mac) < 0 || (addr && rg_addr_parse(addr, &a) < 0))
		tap_bail("bad identity %s %s", mac, addr ? addr : "");
	memcpy(key.addr, a.b, sizeof(key.addr));
	if (bpf_map__update_elem(bed->skel->maps.rg_idents, &key, sizeof(key), &id, sizeof(id),
				 BPF_ANY))
		tap_bail("cannot add identity %s: %s", mac, strerror(errno));
}

void bed_endpoint(struct bed *bed, uint32_t rail, const char *mac, uint32_t slot, uint32_t flags)
{
	struct rg_endpoint ep = {.rail = rail, .flags = flags};

	if (rg_mac_parse(mac, ep.mac) < 0)
		tap_bail("bad MAC %s", mac);
	if (bpf_map__update_elem(bed->skel->maps.rg_endpoints, &slot, sizeof(slot), &ep, sizeof(ep),
				 BPF_ANY))
		tap_bail("cannot add endpoint %u: %s", slot, strerror(errno));
}

static int entry(struct bed *bed, enum rg_prog prog, uint32_t slot)
{
	struct rg_err err = {};
	int fd;

	if (!bed->entries[prog])
		bed->entries[prog] = calloc(bed->slots, sizeof(int));
	if (!bed->entries[prog])
		tap_bail("out of memory");
	if (slot < bed->slots && bed->entries[prog][slot])
		return bed->entries[prog][slot];
	fd = rg_entry_load(bpf_map__fd(bed->skel->maps.rg_progs), prog, slot, &err);
	if (fd < 0)
		tap_bail("%s", err.msg);
	if (slot < bed->slots)
		bed->entries[prog][slot] = fd;
	return fd;
}

int bed_run(struct bed *bed, enum rg_prog prog, uint32_t slot, const void *data, size_t len,
	    const struct bed_ctx *ctx, uint32_t *ret_ns)
{
	struct __sk_buff skb = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = data, .data_size_in = len,
		    .repeat = ctx ? ctx->repeat : 0);

	if (ctx && (ctx->gso_size || ctx->gso_segs)) {
		skb.gso_size = ctx->gso_size;
		skb.gso_segs = ctx->gso_segs;
		opts.ctx_in = &skb;
		opts.ctx_size_in = sizeof(skb);
	}
	if (bpf_prog_test_run_opts(entry(bed, prog, slot), &opts))
		return -1000 - errno;
	if (ret_ns)
		*ret_ns = opts.duration;
	return (int)opts.retval;
}

void bed_usage(struct bed *bed, uint32_t slot, struct rg_usage *ret)
{
	struct rg_err err = {};

	if (rg_counters_read(bed->maps, slot, ret, &err) < 0)
		tap_bail("%s", err.msg);
}

unsigned int bed_events(struct bed *bed)
{
	ring_buffer__consume(bed->ring);
	return bed->n_events;
}

void bed_forget_events(struct bed *bed)
{
	bed_events(bed);
	bed->n_events = 0;
}
