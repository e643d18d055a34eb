/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is counted, per slot and CPU. Bytes are frame bytes from the destination MAC to the last
 * byte before the FCS, each segment of a GSO packet with its own headers.
 */
#ifndef RAILGATE_COUNTERS_H
#define RAILGATE_COUNTERS_H

#include <linux/types.h>
#include <railgate/reason.h>

/**
 * struct rg_dir - one direction of one endpoint
 * @roce_packets: well-formed RoCEv2 packets, CNPs included
 * @roce_bytes: bytes of @roce_packets
 * @cnp_packets: congestion notification packets (BTH opcode 0x81)
 * @ecn_ce_packets: RoCE packets with ECN congestion-experienced set
 * @ip_packets: other IPv4 and IPv6 packets
 * @ip_bytes: bytes of @ip_packets
 * @l2_packets: ARP, ND, MLD and what the host's L2 protocols sent
 */
struct rg_dir {
	__u64 roce_packets;
	__u64 roce_bytes;
	__u64 cnp_packets;
	__u64 ecn_ce_packets;
	__u64 ip_packets;
	__u64 ip_bytes;
	__u64 l2_packets;
};

/**
 * struct rg_counters - value of rg_counters
 * @tx: sent and allowed (in mode audit also what would have been dropped)
 * @rx: received
 */
struct rg_counters {
	struct rg_dir tx;
	struct rg_dir rx;
};

/**
 * struct rg_count - packets and bytes
 */
struct rg_count {
	__u64 packets;
	__u64 bytes;
};

/**
 * struct rg_drops - value of rg_drops
 * @by_reason: index is enum rg_reason; in mode audit what would have been dropped
 */
struct rg_drops {
	struct rg_count by_reason[RG_REASON_MAX];
};

/**
 * struct rg_base - value of rg_bases: what a slot had counted before its present owner
 *
 * Counters never go back, so a reused slot is not cleared. The plugin stores the sums it finds
 * when it takes a used slot, and readers subtract them.
 */
struct rg_base {
	struct rg_counters counters;
	struct rg_drops drops;
};

/**
 * struct rg_stats - the programs' own health
 * @events_lost: drop events that found the ring buffer full
 * @events_limited: drop events that the rate limit held back
 * @counter_errors: packets for whose slot no counter was found
 */
struct rg_stats {
	__u64 events_lost;
	__u64 events_limited;
	__u64 counter_errors;
};

_Static_assert(sizeof(struct rg_counters) == 112, "rg_counters layout");
_Static_assert(sizeof(struct rg_drops) == 16 * RG_REASON_MAX, "rg_drops layout");

#endif /* RAILGATE_COUNTERS_H */
