/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is sent, and what must become of it.
 */
#ifndef RG_LIVE_ROWS_H
#define RG_LIVE_ROWS_H

#include <stddef.h>
#include <railgate/reason.h>

#include "guard.h"

/* What a packet that passes is counted as. */
enum kind {
	KIND_ROCE,
	KIND_CNP,
	KIND_CE, /* RoCE with congestion experienced */
	KIND_IP,
	KIND_L2,
};

/* Who sends: bits, so that a row can be for some only. */
enum {
	FROM_HOST = 1 << 0,
	FROM_MACVLAN = 1 << 1, /* pod with a macvlan in bridge mode */
	FROM_DEVICE = 1 << 2,  /* pod with a device of its own, as a virtual function is */
	FROM_PODS = FROM_MACVLAN | FROM_DEVICE,
	FROM_ALL = FROM_HOST | FROM_PODS,
};

/**
 * struct frame_row - a frame that is sent in every way that can send any frame
 * @name: what it is
 * @text: the frame, see frame_for()
 * @reason: why it is dropped, RG_REASON_PASS if it must arrive
 * @kind: what it is counted as if it passes
 * @from: who sends it, 0 for all
 */
struct frame_row {
	const char *name;
	const char *text;
	enum rg_reason reason;
	enum kind kind;
	unsigned int from;
};

/**
 * struct frame_group - rows under one policy
 * @name: what the policy is
 * @rules: policy
 * @rows: rows
 * @n: number of @rows
 */
struct frame_group {
	const char *name;
	struct rules rules;
	const struct frame_row *rows;
	size_t n;
};

extern const struct frame_group frame_groups[];
extern const size_t n_frame_groups;

#endif /* RG_LIVE_ROWS_H */
