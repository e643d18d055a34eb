/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where drop events come from: the agent's socket, or the ring buffer while no agent runs.
 *
 * The ring buffer has one reader. So it is read directly only as long as no agent answers, and an
 * agent that starts meanwhile takes over within a second.
 */
#ifndef RG_CTL_SOURCE_H
#define RG_CTL_SOURCE_H

#include <railgate/event.h>
#include <stdbool.h>

struct rg_err;
struct rg_maps;
struct rg_source;

/* Events of the agent are read one record a message. */
#define RG_EVENTS_SOCKET "events.sock"

typedef void (*rg_source_fn)(const struct rg_event *event, void *arg);

/**
 * rg_source_open() - begin to receive
 * @run_dir: the agent's sockets
 * @maps: maps, NULL if they cannot be read
 * @fn: called for each event
 * @arg: passed to @fn
 * @ret: source; the caller frees it with rg_source_close()
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_source_open(const char *run_dir, const struct rg_maps *maps, rg_source_fn fn, void *arg,
		   struct rg_source **ret, struct rg_err *err);

/**
 * rg_source_is_agent() - whether the events come from the agent
 * @s: source
 */
bool rg_source_is_agent(const struct rg_source *s);

/**
 * rg_source_wait() - wait for events and hand them over
 * @s: source
 * @ms: longest wait, in milliseconds
 * @err: sentence
 *
 * Changes to the other source when the agent goes or comes.
 *
 * Return: 1 if the source changed, 0, -EINTR after a signal, or another -errno
 */
int rg_source_wait(struct rg_source *s, int ms, struct rg_err *err);

/**
 * rg_source_close() - stop receiving
 * @s: source or NULL
 */
void rg_source_close(struct rg_source *s);

/**
 * rg_source_close_ptr() - for _cleanup_(rg_source_close_ptr)
 * @s: where the pointer is
 */
void rg_source_close_ptr(struct rg_source **s);

#endif /* RG_CTL_SOURCE_H */
