/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changes in a namespace: devices, addresses, routes.
 */
#ifndef RG_NET_MONITOR_H
#define RG_NET_MONITOR_H

#include "net/addr.h"
#include "net/link.h"
#include "net/nl.h"
#include "net/route.h"

enum rg_net_event_kind {
	RG_NET_LINK_NEW, /* made or changed */
	RG_NET_LINK_GONE,
	RG_NET_ADDR_NEW,
	RG_NET_ADDR_GONE,
	RG_NET_ROUTE_NEW,
	RG_NET_ROUTE_GONE,
	RG_NET_LOST, /* events were lost: look at everything again */
};

/* What to subscribe to. */
#define RG_NET_WATCH_LINKS  (1U << 0)
#define RG_NET_WATCH_ADDRS  (1U << 1)
#define RG_NET_WATCH_ROUTES (1U << 2)

/**
 * struct rg_net_event - one change
 * @kind: which of the others is valid
 * @link: device
 * @addr: address
 * @route: route
 */
struct rg_net_event {
	enum rg_net_event_kind kind;
	union {
		struct rg_link link;
		struct rg_ifaddr addr;
		struct rg_route route;
	};
};

typedef void (*rg_net_event_fn)(const struct rg_net_event *event, void *arg);

/**
 * rg_net_monitor_open() - subscribe to changes in the calling process's namespace
 * @what: RG_NET_WATCH_* mask
 * @ret: socket; poll rg_nl_fd() for reading; rg_nl_close() frees it
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_net_monitor_open(unsigned int what, struct rg_nl **ret, struct rg_err *err);

/**
 * rg_net_monitor_read() - read the changes that are waiting
 * @nl: socket
 * @fn: called for each
 * @arg: passed to @fn
 *
 * Does not wait.
 *
 * Return: 0, or -errno if the socket has failed
 */
int rg_net_monitor_read(struct rg_nl *nl, rg_net_event_fn fn, void *arg);

#endif /* RG_NET_MONITOR_H */
