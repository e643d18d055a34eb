/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading drop events from the ring buffer. It has one reader: the agent, or the tool while no
 * agent runs.
 */
#ifndef RG_BPF_EVENTS_H
#define RG_BPF_EVENTS_H

#include <railgate/event.h>

struct rg_err;
struct rg_events;
struct rg_maps;

/**
 * typedef rg_event_fn - takes one event
 * @event: event, valid during the call
 * @arg: caller's
 */
typedef void (*rg_event_fn)(const struct rg_event *event, void *arg);

/**
 * rg_events_open() - begin to read events
 * @maps: maps
 * @fn: called for each event by rg_events_read()
 * @arg: passed to @fn
 * @ret: reader; rg_events_close() frees it
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_events_open(const struct rg_maps *maps, rg_event_fn fn, void *arg, struct rg_events **ret,
		   struct rg_err *err);

/**
 * rg_events_fd() - file descriptor to poll for reading
 * @events: reader
 */
int rg_events_fd(const struct rg_events *events);

/**
 * rg_events_read() - take the events that are there, without waiting
 * @events: reader
 *
 * Return: number of events, or -errno
 */
int rg_events_read(struct rg_events *events);

/**
 * rg_events_close() - stop reading
 * @events: reader or NULL
 */
void rg_events_close(struct rg_events *events);

/**
 * rg_events_close_ptr() - for _cleanup_(rg_events_close_ptr)
 * @events: where the pointer is
 */
void rg_events_close_ptr(struct rg_events **events);

#endif /* RG_BPF_EVENTS_H */
