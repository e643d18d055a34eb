// SPDX-License-Identifier: Apache-2.0
/*
 * The metrics that railgate exports. Names follow prometheus.io, "Metric and label naming".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "metrics/export.h"
#include "metrics/internal.h"
#include "metrics/prom.h"

const char *const rg_metrics_directions[2] = {"egress", "ingress"};

static const char *const op_labels[] = {
#define OP_LABEL(name, label) [RG_OP_##name] = (label),
	RG_OPS(OP_LABEL)
#undef OP_LABEL
};

static const char *const nak_labels[] = {
#define NAK_LABEL(name, label) [RG_NAK_##name] = (label),
	RG_NAKS(NAK_LABEL)
#undef NAK_LABEL
};

static void export_rail_state(const struct rg_metrics_view *v, struct rg_prom *p)
{
	size_t i;

	rg_prom_family(p, "rail_present", "gauge",
		       "1 if the rail's netdev is there, 0 if it is not.");
	for (i = 0; i < v->n_rails; i++)
		rg_prom_u64(p, RG_PROM_LABELS({"rail", v->rails[i].name}), v->rails[i].present);

	rg_prom_family(p, "policy_generation", "gauge",
		       "Generation of the policy that the rail's programs read.");
	for (i = 0; i < v->n_rails; i++)
		if (v->rails[i].generation)
			rg_prom_u64(p, RG_PROM_LABELS({"rail", v->rails[i].name}),
				    v->rails[i].generation);
}

static void export_hooks(const struct rg_metrics_view *v, struct rg_prom *p, bool position)
{
	size_t i, d;

	if (position)
		rg_prom_family(p, "policy_chain_position", "gauge",
			       "Programs that run before the policy on this hook; 0 is first.");
	else
		rg_prom_family(p, "policy_attached", "gauge",
			       "1 if the policy is attached to this hook, 0 if it is not.");
	for (i = 0; i < v->n_rails; i++) {
		const struct rg_metrics_rail *r = &v->rails[i];

		for (d = 0; r->present && d < ARRAY_SIZE(r->hooks); d++) {
			const struct rg_metrics_hook *h = &r->hooks[d];

			if (!h->known || (position && !h->attached))
				continue;
			rg_prom_u64(p,
				    RG_PROM_LABELS({"rail", r->name},
						   {"hook", rg_metrics_directions[d]}),
				    position ? h->position : h->attached);
		}
	}
}

static void export_ops(const struct rg_metrics_view *v, struct rg_prom *p)
{
	size_t i, d, op;

	rg_prom_family(p, "tc_roce_opcode_packets_total", "counter",
		       "RoCEv2 packets that TC saw on the rail, by class of BTH opcode.");
	for (i = 0; i < v->n_rails; i++)
		for (d = 0; d < 2; d++)
			for (op = 0; op < ARRAY_SIZE(op_labels); op++)
				if (v->rails[i].ops[d].packets[op])
					rg_prom_u64(p,
						    RG_PROM_LABELS({"rail", v->rails[i].name},
								   {"direction",
								    rg_metrics_directions[d]},
								   {"op", op_labels[op]}),
						    v->rails[i].ops[d].packets[op]);
}

static void export_naks(const struct rg_metrics_view *v, struct rg_prom *p)
{
	size_t i, d, nak;

	rg_prom_family(p, "tc_roce_nak_packets_total", "counter",
		       "RoCEv2 negative acknowledgements that TC saw on the rail, by syndrome.");
	for (i = 0; i < v->n_rails; i++)
		for (d = 0; d < 2; d++)
			for (nak = 0; nak < ARRAY_SIZE(nak_labels); nak++)
				if (v->rails[i].ops[d].naks[nak])
					rg_prom_u64(p,
						    RG_PROM_LABELS({"rail", v->rails[i].name},
								   {"direction",
								    rg_metrics_directions[d]},
								   {"code", nak_labels[nak]}),
						    v->rails[i].ops[d].naks[nak]);
}

static void one(struct rg_prom *p, const char *name, const char *type, const char *help,
		uint64_t value)
{
	rg_prom_family(p, name, type, help);
	rg_prom_u64(p, NULL, 0, value);
}

static void export_agent(const struct rg_metrics_view *v, struct rg_prom *p)
{
	one(p, "events_lost_total", "counter", "Drop events that found the ring buffer full.",
	    v->stats.events_lost);
	one(p, "events_limited_total", "counter", "Drop events that the rate limit held back.",
	    v->stats.events_limited);
	one(p, "events_unread_total", "counter", "Drop events that a slow watcher missed.",
	    v->events_unread);
	one(p, "uncounted_packets_total", "counter",
	    "Packets for whose endpoint no counter was found.", v->stats.counter_errors);
	rg_prom_family(p, "config_reloads_total", "counter",
		       "Configurations read since the agent started, by result.");
	rg_prom_u64(p, RG_PROM_LABELS({"result", "applied"}), v->reloads_ok);
	rg_prom_u64(p, RG_PROM_LABELS({"result", "refused"}), v->reloads_failed);
	one(p, "config_valid", "gauge",
	    "1 if the configuration file is in force, 0 if it was refused and an older one is.",
	    v->config_valid);
	one(p, "repairs_total", "counter", "What the agent put right since it started.",
	    v->repairs);
	rg_prom_family(p, "scrape_collector_success", "gauge",
		       "1 if this scrape could read everything, 0 if something is missing.");
	rg_prom_u64(p, RG_PROM_LABELS({"collector", "maps"}), v->collect_ok);
	rg_prom_family(p, "scrape_collector_duration_seconds", "gauge",
		       "Time this scrape spent reading.");
	rg_prom_double(p, RG_PROM_LABELS({"collector", "maps"}), v->collect_seconds);
	rg_prom_family(p, "build_info", "gauge", "Always 1; what runs here.");
	rg_prom_u64(p,
		    RG_PROM_LABELS({"version", RG_VERSION}, {"kernel", v->kernel},
				   {"attach", v->attach_kind}),
		    1);
}

static void export_maps(const struct rg_metrics_view *v, struct rg_prom *p)
{
	size_t i;

	rg_prom_family(p, "map_entries", "gauge", "Entries in use of a map.");
	for (i = 0; i < v->n_maps; i++)
		rg_prom_u64(p, RG_PROM_LABELS({"map", v->maps[i].name}), v->maps[i].entries);
	rg_prom_family(p, "map_max_entries", "gauge", "Entries possible in a map.");
	for (i = 0; i < v->n_maps; i++)
		rg_prom_u64(p, RG_PROM_LABELS({"map", v->maps[i].name}), v->maps[i].max_entries);
}

void rg_metrics_export(struct rg_metrics_view *view, struct rg_prom *p)
{
	export_rail_state(view, p);
	export_hooks(view, p, false);
	export_hooks(view, p, true);
	rg_metrics_export_endpoints(view, p);
	export_ops(view, p);
	export_naks(view, p);
	export_maps(view, p);
	export_agent(view, p);
}
