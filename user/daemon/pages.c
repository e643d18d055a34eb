// SPDX-License-Identifier: Apache-2.0
/*
 * The pages that the agent serves.
 *
 * /healthz answers 503 only if the agent does not do its work, which a restart may cure. A refused
 * configuration is told in its text: the last good one is in force, and a restart would only lose
 * it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/pin.h"
#include "daemon/agent.h"
#include "daemon/collect.h"
#include "daemon/events.h"
#include "daemon/http.h"
#include "daemon/loop.h"
#include "metrics/prom.h"

#define TEXT_TYPE "text/plain; charset=utf-8"

static void view_hook(const struct rg_agent *agent, uint32_t number, enum rg_prog prog,
		      struct rg_metrics_hook *ret)
{
	char name[RG_PIN_NAME_SIZE];
	struct rg_hook hook = rg_agent_hook(agent, number, prog, name);
	struct rg_hook_state state;

	if (rg_hook_query(&hook, &state, NULL) < 0)
		return;
	ret->known = true;
	ret->attached = state.attached;
	ret->position = state.position;
}

static void view_rails(const struct rg_agent *agent, struct rg_metrics_rail *rails)
{
	for (size_t i = 0; i < agent->conf->n_rails; i++) {
		uint32_t number = (uint32_t)agent->numbers[i];

		rails[i] = (struct rg_metrics_rail){
			.name = agent->conf->rails[i].name,
			.present = agent->rails[number].present,
			.generation = agent->policy.generation,
			.mode = agent->policy.rails[number].mode,
		};
		if (!rails[i].present)
			continue;
		view_hook(agent, number, RG_PROG_IDX_RAIL_TX, &rails[i].hooks[0]);
		view_hook(agent, number, RG_PROG_IDX_RAIL_RX, &rails[i].hooks[1]);
	}
}

static int make_metrics(void *arg, char **ret_text, size_t *ret_len)
{
	struct rg_metrics_rail rails[RG_MAX_RAILS];
	struct rg_prom *page = rg_prom_new();
	struct rg_agent *agent = arg;
	struct rg_metrics_view view = {
		.rails = rails,
		.n_rails = agent->conf->n_rails,
		.events_unread = rg_watchers_missed(agent->watchers),
		.reloads_ok = agent->reloads_ok,
		.reloads_failed = agent->reloads_failed,
		.config_valid = agent->conf_err.code == 0,
		.repairs = agent->repairs,
		.attach_kind = agent->tcx ? "tcx" : "clsact",
	};
	struct rg_err err = {0};
	struct utsname uts;
	int r;

	if (!page)
		return -ENOMEM;
	if (uname(&uts) == 0)
		view.kernel = uts.release;
	view_rails(agent, rails);
	if (rg_collect_read(agent->collect, rg_load_maps(agent->load), &view, agent->numbers,
			    &err) < 0)
		log_warn("this scrape is not complete: %s", err.msg);
	rg_metrics_export(&view, page);
	r = rg_prom_take(page, ret_text, ret_len);
	rg_prom_free(page);
	return r < 0 ? r : 200;
}

static void health_rails(const struct rg_agent *agent, FILE *f)
{
	for (size_t i = 0; i < agent->conf->n_rails; i++) {
		const struct rg_agent_rail *rail = &agent->rails[agent->numbers[i]];

		(void)fprintf(f, "rail %s: %s", agent->conf->rails[i].name,
			      rail->present ? rail->ifname : "absent");
		for (size_t h = 0; h < ARRAY_SIZE(rail->hook_errs); h++)
			if (rail->hook_errs[h].code)
				(void)fprintf(f, "; %s", rail->hook_errs[h].msg);
		(void)fputc('\n', f);
	}
}

static int make_health(void *arg, char **ret_text, size_t *ret_len)
{
	const struct rg_agent *agent = arg;
	bool works = agent->sync_err.code == 0;
	FILE *f = open_memstream(ret_text, ret_len);

	if (!f)
		return -errno;
	(void)fprintf(f, "%s\n", !works ? "failed" : agent->conf_err.code ? "degraded" : "ok");
	if (!works)
		(void)fprintf(f, "sync: %s\n", agent->sync_err.msg);
	if (agent->conf_err.code)
		(void)fprintf(f, "configuration: refused, the last good one stays in force: %s\n",
			      agent->conf_err.msg);
	health_rails(agent, f);
	if (fclose(f) != 0)
		return -ENOMEM;
	return works ? 200 : 503;
}

static const struct rg_http_page pages[] = {
	{"/metrics", RG_PROM_CONTENT_TYPE, make_metrics},
	{"/healthz", TEXT_TYPE, make_health},
};

static void on_http(void *arg)
{
	struct rg_agent *agent = arg;

	rg_http_run(agent->http);
}

static void stop(struct rg_agent *agent)
{
	if (!agent->http)
		return;
	rg_loop_remove(agent->loop, rg_http_fd(agent->http));
	rg_http_stop(agent->http);
	agent->http = NULL;
}

void rg_agent_serve(struct rg_agent *agent)
{
	const char *listen = agent->conf->metrics_listen;
	struct rg_err err = {0};
	int r;

	if (!rg_str_equal(listen, agent->http_listen))
		stop(agent);
	(void)rg_str_copy(agent->http_listen, sizeof(agent->http_listen), listen);
	if (agent->http || !*listen)
		return;
	r = rg_http_start(listen, pages, ARRAY_SIZE(pages), agent, &agent->http, &err);
	if (r == 0)
		r = rg_loop_add(agent->loop, rg_http_fd(agent->http), on_http, agent, &err);
	if (r < 0) {
		rg_http_stop(agent->http);
		agent->http = NULL;
		if (!rg_str_equal(err.msg, agent->http_err.msg))
			log_err("no metrics are served: %s", err.msg);
	} else {
		rg_log_write(RG_LOG_INFO, RG_F("listen", listen), "serving metrics");
	}
	agent->http_err = err;
}
