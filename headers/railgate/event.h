/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One dropped packet, sampled into the ring buffer.
 */
#ifndef RAILGATE_EVENT_H
#define RAILGATE_EVENT_H

#include <linux/types.h>

#define RG_EVENT_HEADER_BYTES 64

enum rg_hook {
	RG_HOOK_RAIL_TX = 0,
	RG_HOOK_RAIL_RX = 1,
	RG_HOOK_POD_TX = 2,
	RG_HOOK_POD_RX = 3,
};

/* struct rg_event.flags */
#define RG_EVENT_AUDIT (1u << 0) /* mode audit: the packet was passed */

/**
 * struct rg_event - record of rg_events
 * @time_ns: CLOCK_MONOTONIC nanoseconds (bpf_ktime_get_ns)
 * @slot: endpoint the drop was counted for
 * @ifindex: netdev of the hook, in the hook's network namespace
 * @frame_bytes: length of the frame
 * @suppressed: events of this endpoint and reason that the rate limit held back since the last
 * @saddr: source address (IPv4 mapped), zero if not parsed; network byte order
 * @daddr: destination address likewise
 * @sport: source port, host byte order, 0 if not parsed
 * @dport: destination port likewise
 * @ethertype: as in the frame, host byte order
 * @header_bytes: bytes of @header that are valid
 * @reason: enum rg_reason
 * @hook: enum rg_hook
 * @rail: rail number
 * @proto: IP protocol, 0 if not parsed
 * @flags: RG_EVENT_*
 * @header: the frame's first bytes
 */
struct rg_event {
	__u64 time_ns;
	__u32 slot;
	__u32 ifindex;
	__u32 frame_bytes;
	__u32 suppressed;
	__u8 saddr[16];
	__u8 daddr[16];
	__u16 sport;
	__u16 dport;
	__u16 ethertype;
	__u16 header_bytes;
	__u8 reason;
	__u8 hook;
	__u8 rail;
	__u8 proto;
	__u32 flags;
	__u8 header[RG_EVENT_HEADER_BYTES];
};

/**
 * struct rg_bucket - value of rg_event_rate: rate of one kind of event of one endpoint
 * @next_ns: when the next one would be due at the permitted rate; CLOCK_MONOTONIC nanoseconds
 * @suppressed: held back since the last one that passed
 *
 * Element RG_REASON_PASS of an endpoint limits its ARP, ND and MLD packets.
 */
struct rg_bucket {
	__u64 next_ns;
	__u64 suppressed;
};

_Static_assert(sizeof(struct rg_event) == 136, "rg_event layout");

#endif /* RAILGATE_EVENT_H */
