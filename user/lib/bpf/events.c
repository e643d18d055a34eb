// SPDX-License-Identifier: Apache-2.0
/*
 * The ring buffer of drop events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/events.h"
#include "bpf/maps.h"

struct rg_events {
	struct ring_buffer *ring;
	rg_event_fn fn;
	void *arg;
};

/* A longer record is that of a newer program with fields appended; a shorter one is no event. */
static int take(void *arg, void *data, size_t size)
{
	struct rg_events *events = arg;
	struct rg_event event;

	if (size < sizeof(event))
		return 0;
	memcpy(&event, data, sizeof(event));
	events->fn(&event, events->arg);
	return 0;
}

int rg_events_open(const struct rg_maps *maps, rg_event_fn fn, void *arg, struct rg_events **ret,
		   struct rg_err *err)
{
	_cleanup_(rg_events_close_ptr) struct rg_events *events = calloc(1, sizeof(*events));

	if (!events)
		return rg_err_set(err, -ENOMEM, "out of memory");
	events->fn = fn;
	events->arg = arg;
	events->ring = ring_buffer__new(rg_maps_fd(maps, RG_MAP_ID_EVENTS), take, events, NULL);
	if (!events->ring)
		return rg_err_errno(err, -errno, "cannot read map %s",
				    rg_map_name(RG_MAP_ID_EVENTS));
	*ret = TAKE_PTR(events);
	return 0;
}

int rg_events_fd(const struct rg_events *events)
{
	return ring_buffer__epoll_fd(events->ring);
}

int rg_events_read(struct rg_events *events)
{
	return ring_buffer__consume(events->ring);
}

void rg_events_close(struct rg_events *events)
{
	if (!events)
		return;
	ring_buffer__free(events->ring);
	free(events);
}

void rg_events_close_ptr(struct rg_events **events)
{
	rg_events_close(*events);
}
