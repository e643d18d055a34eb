/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stage of the live tests: a rail under guard, the host and pods on it, a receiver behind it.
 */
#ifndef RG_LIVE_STAGE_H
#define RG_LIVE_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/frame.h"
#include "catch.h"
#include "guard.h"
#include "rows.h"
#include "world.h"

#define STAGE_PODS 2

/**
 * struct origin - someone who sends
 * @name: for people
 * @from: FROM_* bit
 * @dev: the device
 * @slot: index into guard.slots
 * @parent: a hook of the host sees what goes past the hooks of @dev
 */
struct origin {
	const char *name;
	unsigned int from;
	const struct netdev *dev;
	size_t slot;
	bool parent;
};

enum { ORIGIN_HOST, ORIGIN_POD, ORIGIN_SIBLING, ORIGIN_DEVICE, ORIGIN_MAX };

/**
 * struct stage - everything
 * @world: namespaces and the rail
 * @guard: railgate
 * @pods: macvlans in bridge mode, in pods
 * @own: device that belongs to a pod alone
 * @own_far: other end of its wire
 * @ns: namespaces of the pods: of @pods, then of @own
 * @far: receiver at the other end of the rail
 * @near: receiver in the second pod, see stage_watch()
 * @origins: senders by ORIGIN_*
 */
struct stage {
	struct world world;
	struct guard guard;
	struct netdev pods[STAGE_PODS];
	struct netdev own;
	struct netdev own_far;
	int ns[STAGE_PODS + 1];
	struct catcher *far;
	struct catcher *near;
	struct origin origins[ORIGIN_MAX];
};

extern const struct rules stage_standard;

/**
 * stage_open() - build it, with the policy stage_standard in force
 *
 * Return: stage; stage_close() ends it
 */
struct stage *stage_open(void);

/**
 * stage_close() - take it down; reports as a test that nothing is left
 * @s: stage
 */
void stage_close(struct stage *s);

/**
 * stage_watch() - receive in the second pod as well, ORIGIN_SIBLING
 * @s: stage
 */
void stage_watch(struct stage *s);

/**
 * stage_deafen() - stop receiving at the far end, where a load would fill the receiver's queue
 * @s: stage
 */
void stage_deafen(struct stage *s);

/**
 * stage_listen() - receive at the far end again
 * @s: stage
 */
void stage_listen(struct stage *s);

/**
 * struct outcome - what became of packets, and what should have
 * @before: counters before
 * @want: counters that should have moved, and how far
 * @frames: frames that should arrive at the far end
 * @near: frames that should arrive in the second pod
 * @same: what each of them should be, NULL if it does not matter
 */
struct outcome {
	struct snapshot before;
	struct snapshot want;
	size_t frames;
	size_t near;
	const struct frame *same;
};

/**
 * outcome_begin() - before something is sent
 * @s: stage
 * @o: outcome
 */
void outcome_begin(struct stage *s, struct outcome *o);

/**
 * outcome_passed() - packets of a sender should pass
 * @o: outcome
 * @slot: sender, index into guard.slots
 * @kind: what they are counted as
 * @packets: number
 * @bytes: their bytes
 */
void outcome_passed(struct outcome *o, size_t slot, enum kind kind, uint64_t packets,
		    uint64_t bytes);

/**
 * outcome_received() - packets should arrive and be counted as received
 * @o: outcome
 * @slot: receiver, index into guard.slots
 * @kind: what they are counted as
 * @packets: number
 * @bytes: their bytes
 */
void outcome_received(struct outcome *o, size_t slot, enum kind kind, uint64_t packets,
		      uint64_t bytes);

/**
 * outcome_dropped() - packets should be dropped
 * @o: outcome
 * @slot: for whom they are counted, index into guard.slots
 * @reason: why
 * @packets: number
 * @bytes: their bytes
 */
void outcome_dropped(struct outcome *o, size_t slot, enum rg_reason reason, uint64_t packets,
		     uint64_t bytes);

/**
 * outcome_check() - see what arrived and what was counted, and report it as one test
 * @s: stage
 * @o: outcome
 * @sent: what sending returned: 0 or -errno
 * @fmt: name of the test
 *
 * Return: whether all was as it should be
 */
bool outcome_check(struct stage *s, struct outcome *o, int sent, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* RG_LIVE_STAGE_H */
