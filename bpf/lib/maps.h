/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Every map of railgate, and nothing else.
 *
 * Each program file includes this one; the definitions are weak, so that linking the objects
 * leaves one of each. Maps indexed by slot get their size from user space before they are loaded.
 */
#ifndef RG_BPF_MAPS_H
#define RG_BPF_MAPS_H

#include "lib/base.h"

/*
 * The shape of a configuration. The agent makes an array of this shape for each new one. Sizes
 * rather than types: clang describes the types behind an inner map's pointers only in objects that
 * use them otherwise, and then the objects do not link.
 */
struct rg_config_inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RG_MAX_RAILS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct rg_rail));
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct rg_config_inner);
} rg_config __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, RG_MAX_CIDRS);
	__type(key, struct rg_cidr_key);
	__type(value, struct rg_cidr);
} rg_cidrs __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT *RG_IDENTS_PER_ENDPOINT);
	__type(key, struct rg_ident_key);
	__type(value, struct rg_ident);
} rg_idents __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} rg_epoch __weak SEC(".maps");

/**
 * struct rg_flow - a sender and destination that were looked up before
 * @sender: rail and MAC, as the first word of struct rg_ident_key, and the IP version
 * @src: source address
 * @dst: destination address
 * @tag: what the rest was true for: configuration, epoch of the identities, a while
 * @slot: endpoint that the sender belongs to
 * @flags: RG_IDENT_* of the endpoint; RG_FLOW_FABRIC if @dst is in the RDMA CIDRs
 */
struct rg_flow {
	__u64 sender;
	__u64 src[2];
	__u64 dst[2];
	__u64 tag;
	__u32 slot;
	__u32 flags;
};

#define RG_FLOW_FABRIC (1u << 31)

/* Only the programs' own: a table by hash, in which the newest entry wins. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 512);
	__type(key, __u32);
	__type(value, struct rg_flow);
} rg_flows __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT);
	__type(key, __u32);
	__type(value, struct rg_endpoint);
} rg_endpoints __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT);
	__type(key, __u32);
	__type(value, struct rg_counters);
} rg_counters __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT);
	__type(key, __u32);
	__type(value, struct rg_drops);
} rg_drops __weak SEC(".maps");

/* Written and read by user space only; here so that it is made and pinned with the others. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT);
	__type(key, __u32);
	__type(value, struct rg_base);
} rg_bases __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, RG_OPS_KEY(RG_MAX_RAILS, 0));
	__type(key, __u32);
	__type(value, struct rg_ops);
} rg_ops __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RG_EVENTS_BYTES);
} rg_events __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, RG_ENDPOINTS_DEFAULT *RG_REASON_MAX);
	__type(key, __u32);
	__type(value, struct rg_bucket);
} rg_event_rate __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct rg_stats);
} rg_stats __weak SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, RG_PROG_IDX_MAX);
	__type(key, __u32);
	__type(value, __u32);
} rg_progs __weak SEC(".maps");

#endif /* RG_BPF_MAPS_H */
