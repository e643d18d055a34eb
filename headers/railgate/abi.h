/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names that the BPF programs, the agent, the plugin, the tool and people with bpftool agree on.
 *
 * RG_ABI is part of the pin path: it grows by one whenever the layout or the meaning of a pinned
 * map changes, so that a new agent never reads an old map by the new layout.
 * All map and program names fit the kernel's 15 visible characters (BPF_OBJ_NAME_LEN).
 */
#ifndef RAILGATE_ABI_H
#define RAILGATE_ABI_H

#define RG_ABI 1

/* Pins: <pin dir>/v<ABI>/{maps,progs,links}/<name>. */
#define RG_PIN_DIR_DEFAULT "/sys/fs/bpf/railgate"
#define RG_PIN_MAPS	   "maps"
#define RG_PIN_PROGS	   "progs"
#define RG_PIN_LINKS	   "links"

/* <pin dir>/agent: folder that the running agent holds locked. */
#define RG_PIN_AGENT "agent"

/* Maps. */
#define RG_MAP_CONFIG	 "rg_config"	/* array of maps[1] -> array[rail] of struct rg_rail */
#define RG_MAP_CIDRS	 "rg_cidrs"	/* LPM: struct rg_cidr_key -> struct rg_cidr */
#define RG_MAP_IDENTS	 "rg_idents"	/* hash: struct rg_ident_key -> struct rg_ident */
#define RG_MAP_EPOCH	 "rg_epoch"	/* array[1] of __u64: grows with each change of rg_idents */
#define RG_MAP_ENDPOINTS "rg_endpoints" /* hash: slot -> struct rg_endpoint */
#define RG_MAP_COUNTERS	 "rg_counters"	/* per-CPU array: slot -> struct rg_counters */
#define RG_MAP_DROPS	 "rg_drops"	/* per-CPU array: slot -> struct rg_drops */
#define RG_MAP_BASES	 "rg_bases"	/* hash: slot -> struct rg_base */
#define RG_MAP_EVENTS	 "rg_events"	/* ring buffer of struct rg_event */
#define RG_MAP_EVRATE	 "rg_event_rate" /* array: slot * RG_REASON_MAX + reason -> rg_bucket */
#define RG_MAP_OPS	 "rg_ops"	 /* per-CPU array: RG_OPS_KEY() -> struct rg_ops */
#define RG_MAP_STATS	 "rg_stats"	 /* per-CPU array[1] of struct rg_stats */
#define RG_MAP_PROGS	 "rg_progs"	 /* program array: enum rg_prog */

/* Main programs, tail called by the small entry program that each hook carries. */
#define RG_PROG_RAIL_TX "rg_rail_tx"
#define RG_PROG_RAIL_RX "rg_rail_rx"
#define RG_PROG_POD_TX	"rg_pod_tx"
#define RG_PROG_POD_RX	"rg_pod_rx"

/**
 * enum rg_prog - index into RG_MAP_PROGS
 *
 * An entry program writes its slot (RG_CB_SLOT) into skb->cb and tail calls one of these. An empty
 * index makes the tail call fall through, and the entry program then drops: a hook without
 * policy fails closed.
 */
enum rg_prog {
	RG_PROG_IDX_RAIL_TX = 0,
	RG_PROG_IDX_RAIL_RX = 1,
	RG_PROG_IDX_POD_TX = 2,
	RG_PROG_IDX_POD_RX = 3,
	RG_PROG_IDX_MAX = 4,
};

/* skb->cb word in which an entry program leaves the identity of its hook: at a rail hook the rail
 * number (0 .. RG_MAX_RAILS - 1), at a pod hook the endpoint slot.
 */
#define RG_CB_SLOT 0

#endif /* RAILGATE_ABI_H */
