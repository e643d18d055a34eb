/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passing drop events on to everyone who watches: <run dir>/events.sock, a SOCK_SEQPACKET socket
 * on which each packet is one struct rg_event.
 */
#ifndef RG_DAEMON_EVENTS_H
#define RG_DAEMON_EVENTS_H

#include <stdint.h>

struct rg_err;
struct rg_loop;
struct rg_maps;
struct rg_watchers;

/**
 * rg_watchers_new() - listen for watchers
 * @run_dir: directory of the socket
 * @loop: loop that serves them
 * @ret: watchers; rg_watchers_free() frees them
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_watchers_new(const char *run_dir, struct rg_loop *loop, struct rg_watchers **ret,
		    struct rg_err *err);

/**
 * rg_watchers_read() - take the events from a ring buffer from now on
 * @all: watchers
 * @maps: maps with the ring buffer
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_watchers_read(struct rg_watchers *all, const struct rg_maps *maps, struct rg_err *err);

/**
 * rg_watchers_missed() - events that slow watchers missed
 * @all: watchers
 */
uint64_t rg_watchers_missed(const struct rg_watchers *all);

/**
 * rg_watchers_free() - close the socket
 * @all: watchers or NULL
 */
void rg_watchers_free(struct rg_watchers *all);

#endif /* RG_DAEMON_EVENTS_H */
