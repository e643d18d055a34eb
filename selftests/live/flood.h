/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load: a thread that sends the same few frames in turn, in bursts, and keeps count.
 */
#ifndef RG_LIVE_FLOOD_H
#define RG_LIVE_FLOOD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/frame.h"
#include "send.h"
#include "world.h"

#define FLOOD_MAX_FRAMES 4

/**
 * struct flood - load from one device
 * @dev: device
 * @way: how it is sent
 * @cpu: CPU of the thread
 * @frames: what is sent
 * @n: number of @frames
 * @sent: how often the kernel was given each of them
 * @refused: how often it said that one was dropped
 * @error: first answer that was neither, 0 if there was none
 * @stop: set to end it
 * @total: frames so far, for others to look at
 * @thread: the thread
 */
struct flood {
	const struct netdev *dev;
	const struct way *way;
	unsigned int cpu;
	struct frame frames[FLOOD_MAX_FRAMES];
	size_t n;
	uint64_t sent[FLOOD_MAX_FRAMES];
	uint64_t refused[FLOOD_MAX_FRAMES];
	int error;
	bool stop;
	uint64_t total;
	pthread_t thread;
};

/**
 * flood_frame() - add a frame before the start
 * @f: flood; dev is set
 * @text: frame, see frame_for()
 */
void flood_frame(struct flood *f, const char *text);

/**
 * flood_begin() - first thing that a sending thread does
 * @cpu: CPU to stay on
 *
 * It steps back behind the kernel's own threads, whose grace periods everything else waits for.
 */
void flood_begin(unsigned int cpu);

/**
 * flood_start() - begin to send
 * @f: flood
 */
void flood_start(struct flood *f);

/**
 * flood_total() - frames sent so far
 * @f: flood
 */
uint64_t flood_total(const struct flood *f);

/**
 * flood_stop() - stop sending and wait for the thread
 * @f: flood
 */
void flood_stop(struct flood *f);

/**
 * flood_lost() - packets that the kernel has discarded since it runs because a CPU was behind
 *
 * Frames between virtual devices wait in a queue of the CPU, which can overflow; what was lost
 * there was lost behind the hooks of the sender and before those of the receiver.
 */
uint64_t flood_lost(void);

#endif /* RG_LIVE_FLOOD_H */
