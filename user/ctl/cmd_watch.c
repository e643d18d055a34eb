// SPDX-License-Identifier: Apache-2.0
/*
 * railctl watch: drop events as they come, a line each.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/counters.h"
#include "bpf/maps.h"
#include "ctl.h"
#include "event.h"
#include "out.h"
#include "reason.h"
#include "source.h"
#include "who.h"

#define TICK_MS	 1000
#define NS_PER_S 1000000000ull

/*
 * @maps: for names, NULL if they cannot be read
 * @policy: for names of rails
 * @shown: events printed
 * @want: events to print, 0 for no limit
 * @lost: events_lost seen last
 */
struct watch {
	struct rg_ctl *ctl;
	struct rg_maps *maps;
	struct rg_policy *policy;
	struct rg_event_filter filter;
	uint64_t shown;
	uint64_t want;
	uint64_t lost;
};

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	(void)clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Rails are named in their endpoints' entries; those of senders that nobody knows have none. */
static void name_rail(struct watch *w, const struct rg_event *ev, struct rg_event_names *names)
{
	if (names->rail[0] || !w->maps || ev->rail >= RG_MAX_RAILS)
		return;
	if (!w->policy || w->policy->rails[ev->rail].mode == RG_MODE_NONE) {
		free(TAKE_PTR(w->policy));
		(void)rg_policy_read(w->maps, &w->policy, NULL);
	}
	if (w->policy)
		(void)rg_str_copy(names->rail, sizeof(names->rail),
				  w->policy->rails[ev->rail].name);
}

static void show(const struct rg_event *ev, void *arg)
{
	struct watch *w = arg;
	uint64_t wall = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC) + ev->time_ns;
	struct rg_event_names names;
	char line[512];

	if (w->want && w->shown == w->want)
		return;
	rg_who(w->maps, ev->slot, &names);
	name_rail(w, ev, &names);
	if (!rg_event_wanted(&w->filter, ev, &names))
		return;
	w->shown++;
	if (rg_out_is_json(w->ctl->out))
		rg_event_record(w->ctl->out, ev, &names, wall);
	else
		rg_out_text(w->ctl->out, "%s\n",
			    rg_event_line(ev, &names, wall, line, sizeof(line)));
	rg_out_flush(w->ctl->out);
}

/* Events that found the ring buffer full since the last look; nobody else can tell of them. */
static void report_lost(struct watch *w)
{
	struct rg_stats stats;

	if (!w->maps || rg_counters_stats(w->maps, &stats, NULL) < 0 ||
	    stats.events_lost <= w->lost)
		return;
	if (rg_out_is_json(w->ctl->out)) {
		rg_out_record(w->ctl->out);
		rg_out_u64(w->ctl->out, "lost", NULL, stats.events_lost - w->lost, NULL);
		rg_out_record_end(w->ctl->out);
	} else {
		rg_out_text(w->ctl->out, "-- %llu events lost: the buffer was full\n",
			    (unsigned long long)(stats.events_lost - w->lost));
	}
	w->lost = stats.events_lost;
	rg_out_flush(w->ctl->out);
}

static void report_source(const struct rg_source *s)
{
	(void)fprintf(stderr, "railctl: %s\n",
		      rg_source_is_agent(s) ? "events come from the agent"
					    : "no agent runs, events come from the ring buffer");
}

static int loop(struct watch *w, struct rg_source *s)
{
	int r;

	while (!stopped && !rg_out_failed(w->ctl->out) && (!w->want || w->shown < w->want)) {
		r = rg_source_wait(s, TICK_MS, &w->ctl->err);
		if (r < 0 && r != -EINTR)
			return r;
		if (r == 1)
			report_source(s);
		report_lost(w);
	}
	return RG_EXIT_OK;
}

static int parse(struct watch *w, const char *const *values)
{
	w->filter = (struct rg_event_filter){-1, values[1], values[2]};
	if (values[0]) {
		w->filter.reason = rg_reason_find(values[0]);
		if (w->filter.reason < 0)
			return rg_ctl_usage_error(w->ctl, "watch: there is no reason \"%s\"",
						  values[0]);
	}
	if (values[3] && (rg_str_u64(values[3], UINT64_MAX, &w->want) < 0 || !w->want))
		return rg_ctl_usage_error(w->ctl, "watch: \"%s\" is no number of events",
					  values[3]);
	return 0;
}

static void watch_done(struct watch *w)
{
	rg_maps_free(w->maps);
	free(w->policy);
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	_cleanup_(watch_done) struct watch w = {.ctl = ctl};
	_cleanup_(rg_source_close_ptr) struct rg_source *source = NULL;
	struct sigaction sa = {.sa_handler = stop};
	struct rg_stats stats;
	int r;

	if (argc)
		return rg_ctl_usage_error(ctl, "watch: \"%s\" is too much", argv[0]);
	r = parse(&w, values);
	if (r)
		return r;
	(void)rg_maps_open(ctl->pin_dir, &w.maps, NULL);
	if (w.maps && rg_counters_stats(w.maps, &stats, NULL) == 0)
		w.lost = stats.events_lost;
	rg_out_lines(ctl->out);
	r = rg_source_open(ctl->run_dir, w.maps, show, &w, &source, &ctl->err);
	if (r < 0)
		return r;
	report_source(source);
	(void)sigaction(SIGINT, &sa, NULL);
	(void)sigaction(SIGTERM, &sa, NULL);
	return loop(&w, source);
}

static const struct rg_opt opts[] = {
	{"reason", 'R', "REASON", "only drops with this reason, by name or number"},
	{"rail", 'r', "RAIL", "only drops on this rail"},
	{"pod", 'p', "[NS/]POD", "only drops of this pod; \"NS/\" for a whole namespace"},
	{"count", 'n', "N", "end after N events"},
	{0},
};

const struct rg_cmd rg_cmd_watch = {
	.name = "watch",
	.args = "",
	.summary = "print drop events as they come",
	.help = "One line for each event: time, rail, endpoint, reason, addresses, length, hook.\n"
		"The programs report the first drops of each endpoint and reason at once and then\n"
		"ten a second; \"N more not shown\" counts those between. In mode audit the "
		"packet\n"
		"was passed. --json prints one object a line, with the first 64 bytes in hex.\n\n"
		"Events come from the agent, or, while none runs, from the ring buffer itself.\n\n"
		"Reasons are explained in railctl(8) and by \"railctl show drops\".\n\n"
		"Exit code: 0 after --count events or a signal.\n\n"
		"Examples:\n"
		"  railctl watch\n"
		"  railctl watch --pod tenant-a/ --reason dst_cidr\n"
		"  railctl watch --json -n 100 > drops.json\n",
	.opts = opts,
	.run = run,
};
