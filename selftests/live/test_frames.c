// SPDX-License-Identifier: Apache-2.0
/*
 * Every way of sending a frame of one's own making, from the host's rail and from pods: what the
 * policy stops does not arrive and is counted once with its reason, what it lets pass arrives as
 * it was sent and is counted once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bpf/tap.h"
#include "rows.h"
#include "stage.h"
#include "send.h"

static const struct way *const ways[] = {
	&way_packet, &way_bypass,      &way_lying, &way_vnet,
	&way_ring,   &way_ring_bypass, &way_ring3, &way_xsk,
};

static const int senders[] = {ORIGIN_HOST, ORIGIN_POD, ORIGIN_DEVICE};

/* A MAC that nobody has belongs to nobody, but at its own hook a pod is known. */
static size_t blamed(const struct origin *from, const struct way *way, const struct frame_row *row,
		     bool audit)
{
	bool known = from->from == FROM_DEVICE ||
		     (from->from == FROM_MACVLAN && !way->bypass && !audit);

	return row->reason == RG_REASON_MAC_SRC && !known ? SLOT_UNKNOWN : from->slot;
}

static void run_row(struct stage *s, const struct frame_group *group, const struct origin *from,
		    struct sender *sender, const struct frame_row *row)
{
	static struct outcome o;
	static struct frame f;
	bool audit = group->rules.mode == RG_MODE_AUDIT;
	int r;

	frame_for(from->dev, row->text, &f);
	outcome_begin(s, &o);
	if (!row->reason || audit) {
		outcome_passed(&o, from->slot, row->kind, 1, f.len);
		o.frames = 1;
		o.same = &f;
	}
	if (row->reason)
		outcome_dropped(&o, blamed(from, sender->way, row, audit), row->reason, 1, f.len);
	world_enter(from->dev->ns);
	r = sender_send(sender, &f);
	outcome_check(s, &o, r, "%s, %s, %s: %s %s", group->name, from->name, sender->way->name,
		      row->name, row->reason ? "is stopped" : "passes");
}

/*
 * Past the only hook that there is. That is so by the nature of TC: whoever is root on the host
 * may, and a pod with a device of its own must not have CAP_NET_RAW.
 */
static void run_escape(struct stage *s, const struct origin *from, struct sender *sender)
{
	static struct outcome o;
	static struct frame f;
	int r;

	frame_for(from->dev, "eth src=$mac / ip4 src=$ip4 dst=8.8.8.8 / udp dport=53 / data 40",
		  &f);
	outcome_begin(s, &o);
	o.frames = 1;
	o.same = &f;
	world_enter(from->dev->ns);
	r = sender_send(sender, &f);
	outcome_check(s, &o, r, "%s, %s: goes past TC, as documented", from->name,
		      sender->way->name);
}

static void run_way(struct stage *s, const struct frame_group *group, const struct origin *from,
		    const struct way *way)
{
	struct sender sender;
	int r = sender_open(&sender, way, from->dev);

	if (r < 0) {
		tap_skip(way->name, strerror(-r));
		return;
	}
	if (way->bypass && !from->parent) {
		if (group == frame_groups)
			run_escape(s, from, &sender);
	} else {
		for (size_t i = 0; i < group->n; i++)
			if (!group->rows[i].from || group->rows[i].from & from->from)
				run_row(s, group, from, &sender, &group->rows[i]);
	}
	sender_close(&sender);
}

int main(void)
{
	struct stage *s = stage_open();

	for (size_t g = 0; g < n_frame_groups; g++) {
		guard_rules(&s->guard, &frame_groups[g].rules);
		for (size_t o = 0; o < ARRAY_SIZE(senders); o++)
			for (size_t w = 0; w < ARRAY_SIZE(ways); w++)
				run_way(s, &frame_groups[g], &s->origins[senders[o]], ways[w]);
	}
	stage_close(s);
	return tap_done();
}
