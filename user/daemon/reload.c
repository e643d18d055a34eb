// SPDX-License-Identifier: Apache-2.0
/*
 * Reading the configuration again. What is watched is its directory: editors and configuration
 * management put a new file in the place of the old, and a ConfigMap is a link to a directory
 * that is exchanged.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/maps.h"
#include "daemon/agent.h"
#include "daemon/loop.h"
#include "daemon/notify.h"

static bool needs_load(const struct rg_agent *agent, const struct rg_conf *conf)
{
	return conf->max_endpoints != rg_maps_slots(rg_load_maps(agent->load));
}

static int apply(struct rg_agent *agent, const struct rg_conf *conf, struct rg_err *err)
{
	_cleanup_(rg_seen_done) struct rg_seen seen = {0};
	int r;

	if (needs_load(agent, conf))
		return rg_agent_load(agent, conf, err);
	r = rg_agent_see(agent, conf, &seen, err);
	return r < 0 ? r : rg_agent_write(agent, agent->load, conf, &seen, err);
}

static void refuse(struct rg_agent *agent, const struct rg_err *err)
{
	agent->conf_err = *err;
	agent->reloads_failed++;
	rg_log_write(RG_LOG_ERR, RG_F("file", agent->options.config),
		     "configuration refused, the last good one stays in force: %s", err->msg);
}

void rg_agent_reload(struct rg_agent *agent)
{
	_cleanup_free_ struct rg_conf *conf = NULL;
	struct rg_err err = {0};
	int r;

	rg_notify_reloading();
	r = rg_conf_load(agent->options.config, &conf, &err);
	if (r == 0)
		r = apply(agent, conf, &err);
	if (r < 0) {
		refuse(agent, &err);
	} else {
		free(agent->conf);
		agent->conf = TAKE_PTR(conf);
		agent->conf_err = (struct rg_err){0};
		agent->reloads_ok++;
		rg_log_write(RG_LOG_INFO, RG_F("file", agent->options.config),
			     "configuration applied, policy generation %u",
			     agent->policy.generation);
	}
	rg_agent_sync(agent);
	rg_agent_serve(agent);
	rg_notify("READY=1");
}

static bool is_about_config(const struct rg_agent *agent, const struct inotify_event *event)
{
	const char *base = strrchr(agent->options.config, '/');

	base = base ? base + 1 : agent->options.config;
	/* Kubernetes exchanges the link "..data", which the file's own link goes through */
	return event->len &&
	       (rg_str_equal(event->name, base) || rg_str_equal(event->name, "..data"));
}

static void on_inotify(void *arg)
{
	char buf[sizeof(struct inotify_event) + NAME_MAX + 1]
		__attribute__((aligned(__alignof__(struct inotify_event))));
	struct rg_agent *agent = arg;
	bool reload = false;
	ssize_t n;

	while ((n = read(agent->inotify_fd, buf, sizeof(buf))) > 0) {
		for (char *p = buf; p < buf + n;) {
			const struct inotify_event *event = (const void *)p;

			reload |= is_about_config(agent, event);
			p += sizeof(*event) + event->len;
		}
	}
	if (reload)
		rg_agent_reload(agent);
}

int rg_agent_watch_config(struct rg_agent *agent, struct rg_err *err)
{
	char path[PATH_MAX];
	const char *dir;

	if (rg_str_copy(path, sizeof(path), agent->options.config) < 0)
		return rg_err_set(err, -ENAMETOOLONG, "%s: path is too long",
				  agent->options.config);
	dir = dirname(path);
	agent->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (agent->inotify_fd < 0 ||
	    inotify_add_watch(agent->inotify_fd, dir, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
		return rg_err_errno(err, -errno, "cannot watch %s", dir);
	return rg_loop_add(agent->loop, agent->inotify_fd, on_inotify, agent, err);
}
