/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's event loop: file descriptors, timers and signals, in one thread.
 */
#ifndef RG_DAEMON_LOOP_H
#define RG_DAEMON_LOOP_H

#include <stdint.h>

struct rg_err;
struct rg_loop;

/**
 * typedef rg_loop_fn - called when something is ready
 * @arg: caller's
 */
typedef void (*rg_loop_fn)(void *arg);

/**
 * rg_loop_new() - make an empty loop
 * @ret: loop; rg_loop_free() frees it
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_loop_new(struct rg_loop **ret, struct rg_err *err);

/**
 * rg_loop_free() - free a loop and close its timers and signals
 * @loop: loop or NULL
 */
void rg_loop_free(struct rg_loop *loop);

/**
 * rg_loop_add() - call a function whenever a file descriptor is readable
 * @loop: loop
 * @fd: stays the caller's, who removes it before closing it
 * @fn: function
 * @arg: passed to @fn
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_loop_add(struct rg_loop *loop, int fd, rg_loop_fn fn, void *arg, struct rg_err *err);

/**
 * rg_loop_remove() - forget a file descriptor
 * @loop: loop
 * @fd: file descriptor; one that was not added is ignored
 */
void rg_loop_remove(struct rg_loop *loop, int fd);

/**
 * rg_loop_every() - call a function again and again
 * @loop: loop
 * @interval_ms: milliseconds from one call to the next
 * @fn: function
 * @arg: passed to @fn
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_loop_every(struct rg_loop *loop, uint32_t interval_ms, rg_loop_fn fn, void *arg,
		  struct rg_err *err);

/**
 * rg_loop_signal() - call a function when a signal has come
 * @loop: loop
 * @signo: signal, blocked from now on
 * @fn: function
 * @arg: passed to @fn
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_loop_signal(struct rg_loop *loop, int signo, rg_loop_fn fn, void *arg, struct rg_err *err);

/**
 * struct rg_loop_idle - work that is due at times that it tells itself
 * @timeout_ms: milliseconds until @run must be called, -1 for never
 * @run: called then
 * @arg: passed to both
 */
struct rg_loop_idle {
	int (*timeout_ms)(void *arg);
	rg_loop_fn run;
	void *arg;
};

/**
 * rg_loop_set_idle() - set the work that is due between events
 * @loop: loop
 * @idle: work, copied; NULL for none
 */
void rg_loop_set_idle(struct rg_loop *loop, const struct rg_loop_idle *idle);

/**
 * rg_loop_run() - wait and call, until rg_loop_quit()
 * @loop: loop
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_loop_run(struct rg_loop *loop, struct rg_err *err);

/**
 * rg_loop_quit() - make rg_loop_run() return
 * @loop: loop
 */
void rg_loop_quit(struct rg_loop *loop);

/**
 * rg_loop_now_ms() - the clock by which the loop counts
 *
 * Return: CLOCK_MONOTONIC milliseconds
 */
int64_t rg_loop_now_ms(void);

#endif /* RG_DAEMON_LOOP_H */
