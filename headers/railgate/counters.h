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

/* Classes of BTH opcodes, as operators think of them. */
#define RG_OPS(X)                     \
	X(NONE, "none")               \
	X(SEND, "send")               \
	X(WRITE, "write")             \
	X(READ, "read")               \
	X(READ_RESP, "read_response") \
	X(ACK, "ack")                 \
	X(ATOMIC, "atomic")           \
	X(UD, "ud")                   \
	X(CNP, "cnp")                 \
	X(OTHER, "other")

enum rg_op {
#define RG_OP_ENUM(name, label) RG_OP_##name,
	RG_OPS(RG_OP_ENUM)
#undef RG_OP_ENUM
		RG_OP_MAX = 16, /* size of arrays indexed by class; leaves room to append */
};

/* Negative acknowledgements by AETH syndrome. */
#define RG_NAKS(X)                       \
	X(RNR, "rnr")                    \
	X(SEQUENCE, "sequence")          \
	X(INVALID, "invalid_request")    \
	X(ACCESS, "remote_access")       \
	X(OPERATION, "remote_operation") \
	X(OTHER, "other")

enum rg_nak {
#define RG_NAK_ENUM(name, label) RG_NAK_##name,
	RG_NAKS(RG_NAK_ENUM)
#undef RG_NAK_ENUM
		RG_NAK_MAX = 8,
};

/**
 * struct rg_ops - value of rg_ops: well-formed RoCEv2 of one rail and direction
 * @packets: by opcode class, index is enum rg_op
 * @naks: by syndrome, index is enum rg_nak
 *
 * The key is RG_OPS_KEY(rail, direction).
 */
struct rg_ops {
	__u64 packets[RG_OP_MAX];
	__u64 naks[RG_NAK_MAX];
};

#define RG_OPS_TX	      0
#define RG_OPS_RX	      1
#define RG_OPS_KEY(rail, dir) ((rail)*2 + (dir))

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
_Static_assert(sizeof(struct rg_ops) == 8 * (RG_OP_MAX + RG_NAK_MAX), "rg_ops layout");
_Static_assert(sizeof(struct rg_drops) == 16 * RG_REASON_MAX, "rg_drops layout");

#endif /* RAILGATE_COUNTERS_H */
