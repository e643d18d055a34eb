/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of packets: each row is a frame, where it is sent, and what must become of it.
 */
#ifndef RG_TEST_ROWS_H
#define RG_TEST_ROWS_H

#include <stddef.h>
#include <stdint.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "scene.h"

/* What a packet that passes is counted as. */
enum row_as {
	AS_NOTHING, /* it does not pass, or is counted elsewhere */
	AS_ROCE,
	AS_CNP,
	AS_IP,
	AS_L2,
};

/**
 * struct row - one packet
 * @name: what is special about it
 * @text: frame, see frame.h
 * @reason: enum rg_reason; RG_REASON_PASS for none
 * @as: what it is counted as if it passes
 * @on: rail
 * @by: whom it is counted for
 * @at: main program that sees it
 * @hook: at pod hooks, whose hook it is; BY_POD unless given
 * @ce: also counted as ECN congestion experienced
 * @passes: passes although @reason is counted (mode audit)
 * @turned: received, and also counted as sent by BY_POD, which it was turned around from
 * @gso_size: payload bytes of a segment
 * @gso_segs: number of segments
 * @packets: how many it counts as, 0 for one
 * @bytes: how many bytes it counts as, 0 for the frame's length
 */
struct row {
	const char *name;
	const char *text;
	uint8_t reason;
	uint8_t as;
	uint8_t on;
	uint8_t by;
	uint8_t at;
	uint8_t hook;
	uint8_t ce;
	uint8_t passes;
	uint8_t turned;
	uint32_t gso_size;
	uint32_t gso_segs;
	uint32_t packets;
	uint32_t bytes;
};

/*
 * Rows: what passes, and as what; what is dropped, and why; what would be, in mode audit; what is
 * neither judged nor counted here. Further fields may follow.
 */
#define ROW(n, t, why, what, ...)                                                      \
	{                                                                              \
		.name = (n), .text = (t), .reason = (why), .as = (what), ##__VA_ARGS__ \
	}
#define ROCE(name, text, ...)	   ROW(name, text, RG_REASON_PASS, AS_ROCE, ##__VA_ARGS__)
#define CNP(name, text, ...)	   ROW(name, text, RG_REASON_PASS, AS_CNP, ##__VA_ARGS__)
#define IP(name, text, ...)	   ROW(name, text, RG_REASON_PASS, AS_IP, ##__VA_ARGS__)
#define L2(name, text, ...)	   ROW(name, text, RG_REASON_PASS, AS_L2, ##__VA_ARGS__)
#define SILENT(name, text, ...)	   ROW(name, text, RG_REASON_PASS, AS_NOTHING, ##__VA_ARGS__)
#define DROP(why, name, text, ...) ROW(name, text, RG_REASON_##why, AS_NOTHING, ##__VA_ARGS__)
#define AUDIT(why, as, name, text, ...) \
	ROW(name, text, RG_REASON_##why, AS_##as, .passes = 1, ##__VA_ARGS__)

/**
 * struct table - rows of one subject
 * @name: subject
 * @rows: rows
 * @n: how many
 */
struct table {
	const char *name;
	const struct row *rows;
	size_t n;
};

extern const struct table table_l2;
extern const struct table table_arp;
extern const struct table table_ip;
extern const struct table table_icmp6;
extern const struct table table_roce;
extern const struct table table_policy;
extern const struct table table_hooks;
extern const struct table table_attacks;

#endif /* RG_TEST_ROWS_H */
