// SPDX-License-Identifier: Apache-2.0
/*
 * The agent's life: the order in which it comes up, and what wakes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/diag.h"
#include "bpf/load.h"
#include "bpf/pin.h"
#include "bpf/probe.h"
#include "daemon/agent.h"
#include "daemon/caps.h"
#include "daemon/collect.h"
#include "daemon/events.h"
#include "daemon/http.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "net/monitor.h"

#define TICK_MS	       2000 /* how soon interference that raises no event is noticed */
#define TICKS_THOROUGH 15   /* each so many ticks, nothing is taken for granted */
#define SETTLE_MS      20   /* events within this time are one change */
#define RUN_DIR_MODE   0755
#define LOCK_NAME      "railgated.lock"

static void on_bpf_message(enum rg_bpf_severity severity, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* libbpf's warnings explain errors that are returned and logged anyway. */
static void on_bpf_message(enum rg_bpf_severity severity, const char *fmt, va_list ap)
{
	(void)severity;
	rg_log_vwrite(RG_LOG_DEBUG, fmt, ap);
}

void rg_agent_touch(struct rg_agent *agent)
{
	agent->dirty = true;
}

static int only_agent(struct rg_agent *agent, struct rg_err *err)
{
	_cleanup_close_ int dir = -EBADF;
	int r;

	r = rg_fs_mkdir_p(agent->options.run_dir, RUN_DIR_MODE);
	if (r < 0)
		return rg_err_errno(err, r, "cannot make run directory %s", agent->options.run_dir);
	dir = open(agent->options.run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return rg_err_errno(err, -errno, "cannot open run directory %s",
				    agent->options.run_dir);
	r = rg_fs_lock(dir, LOCK_NAME, 0, &agent->lock_fds[0]);
	if (r == -ETIMEDOUT)
		return rg_err_set(err, -EBUSY,
				  "another railgated holds %s/" LOCK_NAME
				  "; stop it first, or give this one other directories",
				  agent->options.run_dir);
	if (r < 0)
		return rg_err_errno(err, r, "cannot lock %s/" LOCK_NAME, agent->options.run_dir);
	return rg_pin_lock_agent(agent->options.pin_dir, &agent->lock_fds[1], err);
}

int rg_agent_load(struct rg_agent *agent, const struct rg_conf *conf, struct rg_err *err)
{
	_cleanup_(rg_load_free_ptr) struct rg_load *load = NULL;
	_cleanup_(rg_seen_done) struct rg_seen seen = {0};
	const struct rg_policy *known = agent->load ? &agent->policy : NULL;
	int r;

	r = rg_agent_see(agent, conf, &seen, err);
	if (r == 0)
		r = rg_load_open(agent->options.pin_dir, conf->max_endpoints, known, &load, err);
	if (r < 0)
		return r;
	if (!known && rg_load_policy(load))
		agent->policy = *rg_load_policy(load);
	agent->hosts_known = false;
	r = rg_agent_write(agent, load, conf, &seen, err);
	if (r == 0)
		r = rg_load_commit(load, err);
	if (r == 0)
		r = rg_watchers_read(agent->watchers, rg_load_maps(load), err);
	agent->hosts_known = agent->hosts_known && r == 0;
	if (r < 0)
		return r;
	rg_load_free(agent->load);
	agent->load = TAKE_PTR(load);
	return 0;
}

/* Rails that a predecessor had hooks for, so that those of rails no longer configured go. */
static void know_predecessor(struct rg_agent *agent)
{
	const struct rg_policy *policy = rg_load_policy(agent->load);

	for (size_t i = 0; policy && i < RG_MAX_RAILS; i++) {
		struct rg_agent_rail *rail = &agent->rails[i];

		if (policy->rails[i].mode == RG_MODE_NONE)
			continue;
		(void)rg_str_copy(rail->name, sizeof(rail->name), policy->rails[i].name);
		rail->ifindex = (int)policy->rails[i].ifindex;
	}
}

static int load_first(struct rg_agent *agent, struct rg_err *err)
{
	static const char *const origins[] = {
		[RG_LOAD_NEW] = "new maps",
		[RG_LOAD_ADOPTED] = "maps of a predecessor",
		[RG_LOAD_MOVED] = "maps of a predecessor, moved to another size or layout",
	};
	int r;

	r = rg_probe_kernel(err);
	if (r == 0)
		r = rg_probe_tcx(err);
	if (r < 0)
		return r;
	agent->tcx = r > 0;
	if (!agent->tcx)
		log_warn("this kernel has no TCX: hooks are clsact filters, which others can "
			 "delete");
	r = rg_agent_load(agent, agent->conf, err);
	if (r < 0)
		return r;
	rg_log_write(RG_LOG_INFO, RG_F("attach", agent->tcx ? "tcx" : "clsact"),
		     "programs loaded, with %s", origins[rg_load_origin(agent->load)]);
	know_predecessor(agent);
	agent->refresh = true;
	rg_agent_sync(agent);
	return 0;
}

static void on_net_event(const struct rg_net_event *event, void *arg)
{
	(void)event;
	rg_agent_touch(arg);
}

static void on_monitor(void *arg)
{
	struct rg_agent *agent = arg;
	int r = rg_net_monitor_read(agent->monitor, on_net_event, agent);

	if (r < 0) {
		log_warn("cannot read network events: %s", strerror(-r));
		rg_agent_touch(agent);
	}
}

static int on_tc_message(const struct nlmsghdr *nlh, void *arg)
{
	if (nlh->nlmsg_type == RTM_DELQDISC || nlh->nlmsg_type == RTM_DELTFILTER ||
	    nlh->nlmsg_type == RTM_NEWTFILTER)
		rg_agent_touch(arg);
	return 0;
}

static void on_tc_monitor(void *arg)
{
	struct rg_agent *agent = arg;

	if (rg_nl_receive(agent->tc_monitor, on_tc_message, agent) < 0)
		rg_agent_touch(agent);
}

static void thorough(struct rg_agent *agent)
{
	struct rg_err err = {0};
	int r = rg_load_repair(agent->load, &err);

	if (r < 0)
		log_err("%s", err.msg);
	if (r > 0) {
		agent->repairs++;
		log_warn("pins had been removed by someone; pinned again");
	}
	agent->hosts_known = false;
	rg_agent_attachments(agent);
}

static void on_tick(void *arg)
{
	static unsigned int ticks;
	struct rg_agent *agent = arg;

	if (++ticks % TICKS_THOROUGH == 0)
		thorough(agent);
	rg_agent_sync(agent);
	rg_agent_serve(agent);
}

static void on_terminate(void *arg)
{
	struct rg_agent *agent = arg;

	log_info("stopping; the policy stays in force");
	rg_notify("STOPPING=1");
	rg_loop_quit(agent->loop);
}

static void on_hangup(void *arg)
{
	rg_agent_reload(arg);
}

static int settle_ms(const struct rg_agent *agent)
{
	int64_t due;

	if (!agent->dirty)
		return -1;
	due = agent->synced_ms + SETTLE_MS - rg_loop_now_ms();
	return due > 0 ? (int)due : 0;
}

static int idle_timeout(void *arg)
{
	struct rg_agent *agent = arg;
	int settle = settle_ms(agent);
	int http = agent->http ? rg_http_timeout_ms(agent->http) : -1;

	if (settle < 0 || http < 0)
		return settle < 0 ? http : settle;
	return settle < http ? settle : http;
}

static void idle_run(void *arg)
{
	struct rg_agent *agent = arg;

	if (settle_ms(agent) == 0)
		rg_agent_sync(agent);
	if (agent->http && rg_http_timeout_ms(agent->http) == 0)
		rg_http_run(agent->http);
}

static int open_sockets(struct rg_agent *agent, struct rg_err *err)
{
	int r;

	/* events first: what changes after the look that follows is not missed */
	r = rg_net_monitor_open(RG_NET_WATCH_LINKS | RG_NET_WATCH_ADDRS, &agent->monitor, err);
	if (r == 0)
		r = rg_nl_open(NETLINK_ROUTE, &agent->tc_monitor, err);
	if (r == 0)
		r = rg_nl_join(agent->tc_monitor, RTNLGRP_TC, err);
	if (r == 0)
		r = rg_nl_open(NETLINK_ROUTE, &agent->nl, err);
	if (r == 0)
		r = rg_watchers_new(agent->options.run_dir, agent->loop, &agent->watchers, err);
	return r;
}

static int fill_loop(struct rg_agent *agent, struct rg_err *err)
{
	const struct rg_loop_idle idle = {idle_timeout, idle_run, agent};
	struct rg_loop *loop = agent->loop;
	int r;

	r = rg_loop_add(loop, rg_nl_fd(agent->monitor), on_monitor, agent, err);
	if (r == 0)
		r = rg_loop_add(loop, rg_nl_fd(agent->tc_monitor), on_tc_monitor, agent, err);
	if (r == 0)
		r = rg_loop_signal(loop, SIGTERM, on_terminate, agent, err);
	if (r == 0)
		r = rg_loop_signal(loop, SIGINT, on_terminate, agent, err);
	if (r == 0)
		r = rg_loop_signal(loop, SIGHUP, on_hangup, agent, err);
	if (r == 0)
		r = rg_loop_every(loop, TICK_MS, on_tick, agent, err);
	if (r == 0)
		r = rg_agent_watch_config(agent, err);
	rg_loop_set_idle(loop, &idle);
	return r;
}

int rg_agent_start(struct rg_agent *agent, struct rg_err *err)
{
	int r;

	agent->inotify_fd = -EBADF;
	agent->lock_fds[0] = -EBADF;
	agent->lock_fds[1] = -EBADF;
	rg_bpf_messages(on_bpf_message);
	(void)signal(SIGPIPE, SIG_IGN);
	r = rg_conf_load(agent->options.config, &agent->conf, err);
	if (r == 0)
		r = only_agent(agent, err);
	if (r == 0)
		r = rg_loop_new(&agent->loop, err);
	if (r == 0)
		r = open_sockets(agent, err);
	if (r == 0)
		r = load_first(agent, err);
	if (r == 0)
		r = fill_loop(agent, err);
	if (r < 0)
		return r;
	agent->collect = rg_collect_new();
	if (!agent->collect)
		return rg_err_set(err, -ENOMEM, "out of memory");
	rg_agent_attachments(agent);
	rg_agent_serve(agent);
	return rg_caps_drop(!agent->tcx, err);
}

void rg_agent_done(struct rg_agent *agent)
{
	rg_http_stop(agent->http);
	rg_collect_free(agent->collect);
	rg_watchers_free(agent->watchers);
	rg_load_free(agent->load);
	rg_nl_close(agent->nl);
	rg_nl_close(agent->monitor);
	rg_nl_close(agent->tc_monitor);
	rg_close_ptr(&agent->inotify_fd);
	rg_loop_free(agent->loop);
	for (size_t i = 0; i < ARRAY_SIZE(agent->lock_fds); i++)
		rg_close_ptr(&agent->lock_fds[i]);
	free(agent->conf);
}
