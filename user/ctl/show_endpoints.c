// SPDX-License-Identifier: Apache-2.0
/*
 * Endpoints with their rates. Bytes and packets are what TC saw: on a rail with RDMA hardware that
 * is the kernel's own traffic only.
 */
#include <railgate/endpoint.h>
#include <railgate/limits.h>
#include <railgate/reason.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/inet.h"
#include "ctl.h"
#include "names.h"
#include "out.h"
#include "show.h"
#include "snapshot.h"
#include "units.h"
#include "who.h"

static void sum_drops(const struct rg_drops *drops, struct rg_count *ret)
{
	size_t i;

	memset(ret, 0, sizeof(*ret));
	for (i = 1; i < RG_REASON_MAX; i++) {
		ret->packets += drops->by_reason[i].packets;
		ret->bytes += drops->by_reason[i].bytes;
	}
}

static bool is_idle(const struct rg_usage *u)
{
	static const struct rg_usage zero;

	return memcmp(u, &zero, sizeof(zero)) == 0;
}

static void print_names(struct rg_out *out, const struct rg_snapshot_endpoint *e)
{
	struct rg_event_names names = {0};
	char who[RG_WHO_SIZE], mac[RG_MAC_STR_LEN], age[RG_UNIT_SIZE];
	const struct rg_endpoint *p = &e->endpoint;
	time_t now = time(NULL);

	rg_who_of(e->slot, p, &names);
	rg_out_str(out, "rail", "RAIL", names.rail);
	rg_out_str(out, "namespace", NULL, names.pod_namespace);
	rg_out_str(out, "pod", NULL, e->slot >= RG_SLOT_FIRST_POD ? names.pod_name : NULL);
	rg_out_str(out, "who", "ENDPOINT", rg_who_text(&names, who));
	rg_out_str(out, "ifname", NULL, names.ifname);
	rg_out_str(out, "kind", "KIND", rg_name_kind(p->kind));
	rg_out_u64(out, "slot", NULL, e->slot, NULL);
	rg_out_str(out, "container_id", NULL, p->container_id);
	rg_out_str(out, "mac", NULL, rg_mac_is_unicast(p->mac) ? rg_mac_format(p->mac, mac) : NULL);
	if (!p->added_s)
		rg_out_absent(out, "added_s", "AGE");
	else
		rg_out_u64(out, "added_s", "AGE", p->added_s,
			   rg_unit_age((uint64_t)now > p->added_s ? (uint64_t)now - p->added_s : 0,
				       age));
}

static double rate(uint64_t first, uint64_t last, double seconds)
{
	return last > first ? (double)(last - first) / seconds : 0;
}

static void print_rates(struct rg_out *out, const struct rg_dir *a, const struct rg_dir *b,
			double seconds, const char *bits, const char *packets)
{
	char text[RG_UNIT_SIZE];
	double v;

	if (!(seconds > 0)) {
		rg_out_absent(out, "roce_bytes_per_second", bits);
		rg_out_absent(out, "roce_packets_per_second", packets);
		rg_out_absent(out, "ip_bytes_per_second", NULL);
		return;
	}
	v = rate(a->roce_bytes, b->roce_bytes, seconds);
	rg_out_double(out, "roce_bytes_per_second", bits, v, rg_unit_bits(v, text));
	v = rate(a->roce_packets, b->roce_packets, seconds);
	rg_out_double(out, "roce_packets_per_second", packets, v, rg_unit_rate(v, text));
	v = rate(a->ip_bytes, b->ip_bytes, seconds);
	rg_out_double(out, "ip_bytes_per_second", NULL, v, "");
}

static void print_counters(struct rg_out *out, const struct rg_dir *d, const char *cnp)
{
	char text[RG_UNIT_SIZE];

	rg_out_u64(out, "roce_packets", NULL, d->roce_packets, NULL);
	rg_out_u64(out, "roce_bytes", NULL, d->roce_bytes, NULL);
	rg_out_u64(out, "cnp_packets", cnp, d->cnp_packets, rg_unit_count(d->cnp_packets, text));
	rg_out_u64(out, "ecn_ce_packets", NULL, d->ecn_ce_packets, NULL);
	rg_out_u64(out, "ip_packets", NULL, d->ip_packets, NULL);
	rg_out_u64(out, "ip_bytes", NULL, d->ip_bytes, NULL);
	rg_out_u64(out, "l2_packets", NULL, d->l2_packets, NULL);
}

static void print_totals(struct rg_out *out, const struct rg_usage *u)
{
	char text[RG_UNIT_SIZE];
	struct rg_count drops;

	/* For people only: what JSON has in tx and rx. */
	if (!rg_out_is_json(out)) {
		rg_out_u64(out, "", "CE-RX", 0, rg_unit_count(u->counters.rx.ecn_ce_packets, text));
		rg_out_u64(out, "", "IP-TX", 0, rg_unit_bytes(u->counters.tx.ip_bytes, text));
		rg_out_u64(out, "", "IP-RX", 0, rg_unit_bytes(u->counters.rx.ip_bytes, text));
	}
	sum_drops(&u->drops, &drops);
	rg_out_u64(out, "dropped_packets", "DROPS", drops.packets,
		   rg_unit_count(drops.packets, text));
	rg_out_u64(out, "dropped_bytes", NULL, drops.bytes, NULL);
}

static void print_endpoint(struct rg_out *out, const struct rg_snapshot_endpoint *e, double seconds)
{
	const struct rg_counters *a = &e->first.counters, *b = &e->last.counters;

	rg_out_record(out);
	print_names(out, e);
	rg_out_object(out, "tx");
	print_rates(out, &a->tx, &b->tx, seconds, "ROCE-TX", "PKT-TX");
	print_counters(out, &b->tx, "CNP-TX");
	rg_out_object_end(out);
	rg_out_object(out, "rx");
	print_rates(out, &a->rx, &b->rx, seconds, "ROCE-RX", "PKT-RX");
	print_counters(out, &b->rx, "CNP-RX");
	rg_out_object_end(out);
	print_totals(out, &e->last);
	rg_out_record_end(out);
}

void rg_show_endpoints(struct rg_ctl *ctl, const struct rg_snapshot *snapshot)
{
	size_t i;

	rg_out_double(ctl->out, "interval_seconds", NULL, snapshot->seconds, "");
	rg_out_list(ctl->out, "endpoints", "Endpoints");
	for (i = 0; i < snapshot->n; i++) {
		const struct rg_snapshot_endpoint *e = &snapshot->endpoints[i];

		/* Unknown senders are an exception: no line while there are none. */
		if (e->endpoint.kind == RG_KIND_UNKNOWN && is_idle(&e->last))
			continue;
		print_endpoint(ctl->out, e, snapshot->seconds);
	}
	rg_out_list_end(ctl->out, "no endpoints");
}
