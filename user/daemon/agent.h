/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's state, and what its parts do to it. Only for user/daemon.
 *
 * Wanted is what the configuration says, seen is what netlink says; rg_agent_sync() makes the maps
 * and hooks follow, and changes nothing if they do already. Everything that may have changed
 * something leads there: events, timers, a reload, the start.
 */
#ifndef RG_DAEMON_AGENT_H
#define RG_DAEMON_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "bpf/attach.h"
#include "bpf/host.h"
#include "daemon/options.h"
#include "daemon/policy.h"

struct rg_collect;
struct rg_http;
struct rg_load;
struct rg_loop;
struct rg_nl;
struct rg_record;
struct rg_watchers;

/**
 * struct rg_agent_rail - a rail number in use
 * @name: rail's name, empty if the number is free
 * @present: whether its netdev is there
 * @ifindex: netdev, valid if @present
 * @ifname: its name
 * @hook_errs: last complaint about each hook, so that it is logged once; index is enum rg_prog
 * @absent_logged: whether its absence was logged
 */
struct rg_agent_rail {
	char name[RG_RAIL_NAME_SIZE];
	bool present;
	int ifindex;
	char ifname[IF_NAMESIZE];
	struct rg_err hook_errs[2];
	bool absent_logged;
};

/**
 * struct rg_agent - the agent
 * @options: command line
 * @loop: event loop
 * @conf: configuration in force
 * @conf_err: why the file on disk is not in force; code 0 if it is
 * @load: maps and programs
 * @tcx: hooks are TCX links, else clsact filters
 * @refresh: give all hooks new entry programs at the next sync
 * @nl: socket for requests
 * @monitor: socket for events
 * @tc_monitor: socket for events of qdiscs and filters
 * @dirty: something may have changed since the last sync
 * @synced_ms: when the last sync was; CLOCK_MONOTONIC milliseconds
 * @numbers: number of each configured rail
 * @policy: policy in force
 * @hosts: the host on each rail number, as in the maps
 * @hosts_known: whether @hosts is in the maps
 * @rails: by number
 * @sync_err: why the last sync was not complete; code 0 if it was
 * @http: metrics server, NULL if off or not up yet
 * @http_err: why it is not up
 * @http_listen: address it was started for
 * @collect: reader of the maps for scrapes
 * @watchers: those who watch events
 * @inotify_fd: watch on the configuration's directory
 * @lock_fds: locks that make this the only agent
 * @reloads_ok: configurations applied
 * @reloads_failed: configurations refused
 * @repairs: what was put right
 */
struct rg_agent {
	struct rg_options options;
	struct rg_loop *loop;
	struct rg_conf *conf;
	struct rg_err conf_err;
	struct rg_load *load;
	bool tcx;
	bool refresh;
	struct rg_nl *nl;
	struct rg_nl *monitor;
	struct rg_nl *tc_monitor;
	bool dirty;
	int64_t synced_ms;
	int numbers[RG_MAX_RAILS];
	struct rg_policy policy;
	struct rg_host hosts[RG_MAX_RAILS];
	bool hosts_known;
	struct rg_agent_rail rails[RG_MAX_RAILS];
	struct rg_err sync_err;
	struct rg_http *http;
	struct rg_err http_err;
	char http_listen[RG_LISTEN_SIZE];
	struct rg_collect *collect;
	struct rg_watchers *watchers;
	int inotify_fd;
	int lock_fds[2];
	uint64_t reloads_ok;
	uint64_t reloads_failed;
	uint64_t repairs;
};

/* agent.c */

/**
 * rg_agent_touch() - say that something may have changed; a sync follows soon
 * @agent: agent
 */
void rg_agent_touch(struct rg_agent *agent);

/**
 * rg_agent_start() - put the policy into force and everything up that follows it
 * @agent: agent with @options set, otherwise zero
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_agent_start(struct rg_agent *agent, struct rg_err *err);

/**
 * rg_agent_done() - close everything; what is pinned goes on enforcing
 * @agent: agent, also a half-started one
 */
void rg_agent_done(struct rg_agent *agent);

/**
 * rg_agent_load() - load programs for a configuration and write its policy
 * @agent: agent; nothing of it is changed on failure
 * @conf: configuration
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_agent_load(struct rg_agent *agent, const struct rg_conf *conf, struct rg_err *err);

/* sync.c */

/**
 * rg_agent_see() - look at the host's network
 * @agent: agent
 * @conf: configuration whose rails are looked for
 * @ret: to be freed with rg_seen_done()
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_agent_see(struct rg_agent *agent, const struct rg_conf *conf, struct rg_seen *ret,
		 struct rg_err *err);

/**
 * rg_seen_done() - free what rg_agent_see() returned
 * @seen: contents are freed
 */
void rg_seen_done(struct rg_seen *seen);

/**
 * rg_agent_write() - write policy and host identities
 * @agent: agent; its policy and numbers are set on success
 * @load: maps to write
 * @conf: configuration
 * @seen: the host's network
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_agent_write(struct rg_agent *agent, struct rg_load *load, const struct rg_conf *conf,
		   const struct rg_seen *seen, struct rg_err *err);

/**
 * rg_agent_sync() - make maps and hooks follow configuration and network
 * @agent: agent
 *
 * What fails is logged, kept in @agent->sync_err and tried again by the next sync.
 */
void rg_agent_sync(struct rg_agent *agent);

/* hooks.c */

/**
 * rg_agent_forget() - detach the hooks of rails that a configuration does not have
 * @agent: agent
 * @conf: configuration
 * @seen: the host's network; hooks on a netdev that is another rail now are left, for without them
 *        it would be unguarded until it has that rail's. NULL to detach all
 */
void rg_agent_forget(struct rg_agent *agent, const struct rg_conf *conf,
		     const struct rg_seen *seen);

/**
 * rg_agent_hooks() - make the hooks of all rails be there
 * @agent: agent; its rails are set
 * @seen: the host's network
 *
 * Return: 0, or the first -errno; all rails are tried
 */
int rg_agent_hooks(struct rg_agent *agent, const struct rg_seen *seen);

/**
 * rg_agent_hook() - one hook of a rail
 * @agent: agent
 * @rail: rail number
 * @prog: RG_PROG_IDX_RAIL_TX or RG_PROG_IDX_RAIL_RX
 * @name: buffer of RG_PIN_NAME_SIZE for the pin's name, used by the result
 *
 * Return: hook as it should be
 */
struct rg_hook rg_agent_hook(const struct rg_agent *agent, uint32_t rail, enum rg_prog prog,
			     char *name);

/* reload.c */

/**
 * rg_agent_watch_config() - notice when the configuration file changes
 * @agent: agent
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_agent_watch_config(struct rg_agent *agent, struct rg_err *err);

/**
 * rg_agent_reload() - read the configuration again and apply it, or refuse it whole
 * @agent: agent
 */
void rg_agent_reload(struct rg_agent *agent);

/* attachments.c */

/**
 * rg_agent_attachments() - remove what pods that are gone left in the maps and pins
 * @agent: agent
 *
 * Each repair is logged with its reason and counted. Records of attachments stay for DEL or GC,
 * which alone can give back addresses.
 */
void rg_agent_attachments(struct rg_agent *agent);

/* podhooks.c */

/**
 * rg_agent_pod_hook() - attach the hook inside a pod again if someone there has deleted it
 * @agent: agent
 * @slot: slot of the endpoint
 * @record: its attachment, complete and with its namespace alive
 */
void rg_agent_pod_hook(struct rg_agent *agent, uint32_t slot, const struct rg_record *record);

/* pages.c */

/**
 * rg_agent_serve() - have the metrics server listen where the configuration says
 * @agent: agent
 *
 * What fails is logged once and tried again by the next call.
 */
void rg_agent_serve(struct rg_agent *agent);

#endif /* RG_DAEMON_AGENT_H */
