// SPDX-License-Identifier: Apache-2.0
/*
 * Drops by endpoint and reason. In mode audit they are what would have been dropped.
 */
#include <railgate/reason.h>
#include <stdbool.h>

#include "bpf/counters.h"
#include "ctl.h"
#include "out.h"
#include "reason.h"
#include "show.h"
#include "snapshot.h"
#include "units.h"
#include "who.h"

static void print_drop(struct rg_out *out, const struct rg_snapshot_endpoint *e,
		       unsigned int reason, const struct rg_count *count)
{
	char who[RG_WHO_SIZE], text[RG_UNIT_SIZE];
	struct rg_event_names names;

	rg_who_of(e->slot, &e->endpoint, &names);
	rg_out_record(out);
	rg_out_str(out, "rail", "RAIL", names.rail);
	rg_out_str(out, "namespace", NULL, names.pod_namespace);
	rg_out_str(out, "pod", NULL, names.pod_name);
	rg_out_str(out, "ifname", NULL, names.ifname);
	rg_out_str(out, "who", "ENDPOINT", rg_who_text(&names, who));
	rg_out_u64(out, "slot", NULL, e->slot, NULL);
	rg_out_str(out, "reason", "REASON", rg_reason_label(reason));
	rg_out_u64(out, "reason_number", NULL, reason, NULL);
	rg_out_u64(out, "packets", "PACKETS", count->packets, rg_unit_count(count->packets, text));
	rg_out_u64(out, "bytes", "BYTES", count->bytes, rg_unit_bytes(count->bytes, text));
	rg_out_str(out, "meaning", "MEANING", rg_reason_meaning(reason));
	if (rg_out_is_json(out))
		rg_out_str(out, "remedy", NULL, rg_reason_remedy(reason));
	rg_out_record_end(out);
}

static void print_health(struct rg_out *out, const struct rg_maps *maps)
{
	struct rg_stats stats;

	if (rg_counters_stats(maps, &stats, NULL) < 0)
		return;
	rg_out_object(out, "programs");
	rg_out_u64(out, "events_lost", NULL, stats.events_lost, NULL);
	rg_out_u64(out, "events_limited", NULL, stats.events_limited, NULL);
	rg_out_u64(out, "counter_errors", NULL, stats.counter_errors, NULL);
	rg_out_object_end(out);
	if (stats.events_lost || stats.counter_errors)
		rg_out_text(out, "\n%llu drop events lost, %llu packets not counted\n",
			    (unsigned long long)stats.events_lost,
			    (unsigned long long)stats.counter_errors);
}

void rg_show_drops(struct rg_ctl *ctl, const struct rg_maps *maps,
		   const struct rg_snapshot *snapshot)
{
	bool seen[RG_REASON_MAX] = {false};
	struct rg_out *out = ctl->out;
	unsigned int reason;
	bool any = false;
	size_t i;

	rg_out_list(out, "drops", "Drops");
	for (i = 0; i < snapshot->n; i++) {
		const struct rg_count *counts = snapshot->endpoints[i].last.drops.by_reason;

		for (reason = 1; reason < RG_REASON_MAX; reason++) {
			if (!counts[reason].packets)
				continue;
			print_drop(out, &snapshot->endpoints[i], reason, &counts[reason]);
			seen[reason] = any = true;
		}
	}
	rg_out_list_end(out, "none");
	if (any)
		rg_out_text(out, "\nWhat to do\n");
	for (reason = 1; reason < RG_REASON_MAX; reason++)
		if (seen[reason])
			rg_out_text(out, "%-13s %s\n", rg_reason_label(reason),
				    rg_reason_remedy(reason));
	print_health(out, maps);
}
