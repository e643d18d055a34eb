// SPDX-License-Identifier: Apache-2.0
/*
 * Every row of the packet tables through the loaded programs: verdict, counters of every endpoint,
 * and the event of each drop. At the end, whether each reason was seen, and was narrowly missed.
 */
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>
#include <linux/pkt_cls.h>

#include "bed.h"
#include "frame.h"
#include "rows.h"
#include "scene.h"
#include "tap.h"

#define TCX_NEXT (-1)

static unsigned int seen[RG_REASON_MAX];

static bool sends(const struct row *row)
{
	return row->at == RG_PROG_IDX_RAIL_TX || row->at == RG_PROG_IDX_POD_TX;
}

/* The hook that tells of a drop. */
static uint8_t hook_of(const struct row *row)
{
	switch (row->at) {
	case RG_PROG_IDX_POD_TX:
		return RG_HOOK_POD_TX;
	case RG_PROG_IDX_RAIL_RX:
		return RG_HOOK_RAIL_RX;
	default:
		return RG_HOOK_RAIL_TX;
	}
}

static bool at_pod(const struct row *row)
{
	return row->at == RG_PROG_IDX_POD_TX || row->at == RG_PROG_IDX_POD_RX;
}

/* Who an audited or dropped frame is counted for, which is not its receiver. */
static bool blames(const struct row *row, uint32_t slot)
{
	return slot == scene_slot(row->on, row->turned ? BY_POD : row->by);
}

/* What one packet of this row adds to the counters of an endpoint, as a sender or a receiver. */
static void expect(const struct row *row, const struct frame *f, uint32_t slot, bool tx,
		   struct rg_usage *ret)
{
	uint64_t packets = row->packets ? row->packets : 1,
		 bytes = row->bytes ? row->bytes : f->len;
	struct rg_dir *dir = tx ? &ret->counters.tx : &ret->counters.rx;

	memset(ret, 0, sizeof(*ret));
	if (row->reason && blames(row, slot))
		ret->drops.by_reason[row->reason] = (struct rg_count){packets, bytes};
	if (row->as == AS_ROCE || row->as == AS_CNP) {
		dir->roce_packets = packets;
		dir->roce_bytes = bytes;
		dir->ecn_ce_packets = row->ce ? packets : 0;
		dir->cnp_packets = row->as == AS_CNP ? packets : 0;
	} else if (row->as == AS_IP) {
		dir->ip_packets = packets;
		dir->ip_bytes = bytes;
	} else if (row->as == AS_L2) {
		dir->l2_packets = packets;
	}
}

static void read_all(struct bed *bed, struct rg_usage *usage)
{
	for (uint32_t slot = 0; slot < SCENE_SLOTS; slot++)
		bed_usage(bed, slot, &usage[slot]);
}

/* Says which counter is off, of which slot. */
static bool usage_is(uint32_t slot, const struct rg_usage *before, const struct rg_usage *after,
		     const struct rg_usage *want)
{
	const uint64_t *b = (const uint64_t *)before, *a = (const uint64_t *)after;
	const uint64_t *w = (const uint64_t *)want;
	bool ok = true;

	for (size_t i = 0; i < sizeof(*want) / sizeof(*w); i++) {
		if (a[i] - b[i] == w[i])
			continue;
		tap_note("slot %u, counter %zu: %llu instead of %llu", slot, i,
			 (unsigned long long)(a[i] - b[i]), (unsigned long long)w[i]);
		ok = false;
	}
	return ok;
}

static bool counters_are(struct bed *bed, const struct row *row, const struct frame *f,
			 const struct rg_usage *before)
{
	static struct rg_usage after[SCENE_SLOTS];
	bool ok = true;

	read_all(bed, after);
	for (uint32_t slot = 0; slot < SCENE_SLOTS; slot++) {
		struct rg_usage want = {};

		if (slot == scene_slot(row->on, row->by))
			expect(row, f, slot, sends(row), &want);
		else if (row->turned && slot == scene_slot(row->on, BY_POD))
			expect(row, f, slot, true, &want);
		ok &= usage_is(slot, &before[slot], &after[slot], &want);
	}
	return ok;
}

static bool event_is(struct bed *bed, const struct row *row, const struct frame *f)
{
	const struct rg_event *e = &bed->events[0];
	unsigned int n = bed_events(bed), want = row->reason ? 1 : 0;

	if (n != want) {
		tap_note("%u events instead of %u", n, want);
		return false;
	}
	if (!want)
		return true;
	if (e->reason == row->reason && blames(row, e->slot) && e->rail == row->on &&
	    e->frame_bytes == f->len && e->hook == hook_of(row) &&
	    e->flags == (row->passes ? RG_EVENT_AUDIT : 0))
		return true;
	tap_note("event: reason %u slot %u rail %u bytes %u hook %u flags %u", e->reason, e->slot,
		 e->rail, e->frame_bytes, e->hook, e->flags);
	return false;
}

static void run_row(struct bed *bed, const struct table *table, const struct row *row)
{
	static struct rg_usage before[SCENE_SLOTS];
	struct bed_ctx ctx = {.gso_size = row->gso_size, .gso_segs = row->gso_segs};
	int want = row->reason && !row->passes ? TC_ACT_SHOT : TCX_NEXT, got;
	static struct frame f;
	char error[128];
	bool ok = true;

	if (frame_build(row->text, &f, error))
		tap_bail("%s: %s", row->name, error);
	bed_forget_events(bed);
	/* Twice: the second time, sender and destination are known from the first. */
	for (int i = 0; i < 2; i++) {
		read_all(bed, before);
		got = bed_run(bed, row->at, at_pod(row) ? scene_slot(row->on, row->hook) : row->on,
			      f.data, f.len, &ctx, NULL);
		if (got != want)
			tap_note("verdict %d instead of %d", got, want);
		ok &= got == want;
		ok &= counters_are(bed, row, &f, before);
		ok &= event_is(bed, row, &f);
		bed_forget_events(bed);
	}
	seen[row->reason] += ok;
	if (!tap_ok(ok, "%s: %s", table->name, row->name))
		tap_note("frame: %s", row->text);
}

static void check_reasons(void)
{
	static const char *const names[RG_REASON_MAX] = {
#define NAME(num, name, label, text) [num] = (label),
		RG_REASONS(NAME)
#undef NAME
	};

	for (int i = 0; i < RG_REASON_MAX; i++) {
		/* rate: test_limits.c; internal: no helper fails on demand */
		if (!names[i] || i == RG_REASON_RATE || i == RG_REASON_INTERNAL)
			continue;
		tap_ok(seen[i] > 0, "reason %s has %u rows", names[i], seen[i]);
	}
}

int main(void)
{
	const struct table *const tables[] = {
		&table_l2,   &table_arp,    &table_ip,	  &table_icmp6,
		&table_roce, &table_policy, &table_hooks, &table_attacks,
	};
	struct bed_options options = {.event_burst = 1};
	struct bed *bed = scene_open(&options);

	for (size_t t = 0; t < ARRAY_SIZE(tables); t++)
		for (size_t i = 0; i < tables[t]->n; i++)
			run_row(bed, tables[t], &tables[t]->rows[i]);
	check_reasons();
	bed_close(bed);
	return tap_done();
}
