// SPDX-License-Identifier: Apache-2.0
/*
 * Every row of the packet tables through the second instance that railctl explain asks: it says
 * what the programs do, and nothing that is in force moves.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/diag.h"
#include "bpf/explain.h"
#include "bed.h"
#include "frame.h"
#include "rows.h"
#include "scene.h"
#include "tap.h"

static const enum rg_hook hooks[RG_PROG_IDX_MAX] = {
	[RG_PROG_IDX_RAIL_TX] = RG_HOOK_RAIL_TX,
	[RG_PROG_IDX_RAIL_RX] = RG_HOOK_RAIL_RX,
	[RG_PROG_IDX_POD_TX] = RG_HOOK_POD_TX,
	[RG_PROG_IDX_POD_RX] = RG_HOOK_POD_RX,
};

static const struct table *const tables[] = {
	&table_l2,   &table_arp,    &table_ip,	  &table_icmp6,
	&table_roce, &table_policy, &table_hooks, &table_attacks,
};

static bool at_pod(const struct row *row)
{
	return row->at == RG_PROG_IDX_POD_TX || row->at == RG_PROG_IDX_POD_RX;
}

/* A frame has no segments, no socket, and does not come again: such rows mean something else. */
static bool is_of_a_frame(const struct row *row)
{
	return !row->gso_size && !row->gso_segs && row->on != ON_DENY &&
	       row->reason != RG_REASON_RATE;
}

static bool counted_as(const struct rg_dir *d, const struct row *row)
{
	switch (row->as) {
	case AS_ROCE:
		return d->roce_packets == 1 && !d->cnp_packets && !d->ip_packets && !d->l2_packets;
	case AS_CNP:
		return d->roce_packets == 1 && d->cnp_packets == 1;
	case AS_IP:
		return d->ip_packets == 1 && !d->roce_packets && !d->l2_packets;
	case AS_L2:
		return d->l2_packets == 1 && !d->roce_packets && !d->ip_packets;
	default:
		return !d->roce_packets && !d->ip_packets && !d->l2_packets;
	}
}

static bool result_is(const struct row *row, const struct rg_explain_result *r)
{
	bool sends = row->at == RG_PROG_IDX_RAIL_TX || row->at == RG_PROG_IDX_POD_TX;
	bool passes = !row->reason || row->passes;
	/* Mode off does not count what audit would; explain names the reason all the same. */
	bool reason = r->reason == row->reason || (row->on == ON_OFF && !row->reason);
	uint32_t by = scene_slot(row->on, row->turned ? BY_POD : row->by);
	bool slot = (!row->reason && !row->as) || r->slot == by;

	if (r->passed == passes && reason && slot && counted_as(sends ? &r->tx : &r->rx, row))
		return true;
	tap_note("passed %d reason %u slot %u, roce %llu ip %llu l2 %llu", r->passed, r->reason,
		 r->slot, (unsigned long long)r->tx.roce_packets,
		 (unsigned long long)r->tx.ip_packets, (unsigned long long)r->tx.l2_packets);
	return false;
}

static unsigned int run_table(struct rg_explain *ex, const struct table *table)
{
	static struct frame f;
	struct rg_explain_result result;
	unsigned int n = 0, bad = 0;
	struct rg_err err = {0};
	char error[128];

	for (size_t i = 0; i < table->n; i++) {
		const struct row *row = &table->rows[i];
		uint32_t slot = at_pod(row) ? scene_slot(row->on, row->hook) : row->on;

		if (!is_of_a_frame(row))
			continue;
		if (frame_build(row->text, &f, error))
			tap_bail("%s: %s", row->name, error);
		n++;
		if (rg_explain_run(ex, hooks[row->at], slot, f.data, f.len, &result, &err) < 0) {
			tap_note("%s: %s", row->name, err.msg);
			bad++;
		} else if (!result_is(row, &result)) {
			tap_note("^ %s", row->name);
			bad++;
		}
	}
	tap_ok(n && !bad, "%s: %u frames are explained as they are judged", table->name, n);
	return n;
}

static void read_all(struct bed *bed, struct rg_usage *usage)
{
	for (uint32_t slot = 0; slot < SCENE_SLOTS; slot++)
		bed_usage(bed, slot, &usage[slot]);
}

static void run_long(struct rg_explain *ex)
{
	static struct frame f;
	struct rg_explain_result pass, drop;
	struct rg_err err = {0};
	char error[128];
	int r;

	if (frame_build("ip4 dst=10.9.0.2 / udp / bth op=0x07 / data 4096 / icrc", &f, error))
		tap_bail("%s", error);
	r = rg_explain_run(ex, RG_HOOK_RAIL_TX, ON_STANDARD, f.data, f.len, &pass, &err);
	tap_ok(r == 0 && pass.passed && pass.tx.roce_packets == 1 && pass.tx.roce_bytes == f.len,
	       "a frame of %zu bytes is explained %s", f.len, err.msg);
	if (frame_build("ip4 dst=8.8.8.8 / tcp / data 8000", &f, error))
		tap_bail("%s", error);
	r = rg_explain_run(ex, RG_HOOK_RAIL_TX, ON_STRICT, f.data, f.len, &drop, &err);
	tap_ok(r == 0 && !drop.passed && drop.reason == RG_REASON_DST_CIDR,
	       "a dropped frame of %zu bytes is explained %s", f.len, err.msg);
	tap_ok(rg_explain_run(ex, RG_HOOK_RAIL_TX, 0, f.data, 13, &drop, &err) == -EMSGSIZE,
	       "13 bytes are no frame");
	tap_ok(rg_explain_run(ex, RG_HOOK_POD_TX, SCENE_SLOTS - 1, f.data, 60, &drop, &err) ==
		       -ENOENT,
	       "a slot that nobody has is refused");
	tap_ok(rg_explain_run(ex, RG_HOOK_RAIL_TX, RG_MAX_RAILS, f.data, 60, &drop, &err) ==
		       -EINVAL,
	       "a rail number that cannot be is refused");
}

int main(void)
{
	static struct rg_usage before[SCENE_SLOTS], after[SCENE_SLOTS];
	struct bed *bed = scene_open(&(struct bed_options){0});
	struct rg_explain *ex = NULL;
	struct rg_err err = {0};

	rg_bpf_messages(NULL);
	read_all(bed, before);
	bed_forget_events(bed);
	if (rg_explain_open(bed->maps, &ex, &err) < 0)
		tap_bail("%s", err.msg);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		(void)run_table(ex, tables[i]);
	run_long(ex);
	read_all(bed, after);
	tap_ok(memcmp(before, after, sizeof(before)) == 0, "no counter in force has moved");
	tap_ok(bed_events(bed) == 0, "no event was reported");
	rg_explain_close(ex);
	bed_close(bed);
	return tap_done();
}
