// SPDX-License-Identifier: Apache-2.0
/*
 * The BPF programs against the reference, frame by frame: verdict, reason, endpoint charged and
 * what the frame is counted as must be the same. The first frames that differ are printed and kept.
 *
 *	test_diff [COUNT [SEED]]	COUNT 0 goes on until it is stopped
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "bpf/maps.h"
#include "bpf/scene.h"
#include "bpf/tap.h"
#include "gen.h"
#include "ref.h"

#define COUNT_DEFAULT 2000000
#define SHOWN	      10 /* differences that are printed and kept */
#define MAX_IDENTS    (SCENE_RAILS * 32)

static struct ref_ident idents[MAX_IDENTS];
static struct ref_world world = {.idents = idents};
static struct rg_usage before[SCENE_SLOTS];
static uint64_t refused; /* frames that BPF_PROG_TEST_RUN did not take */

static void add_ident(uint32_t rail, const struct scene_ident *id, const char *addr)
{
	struct ref_ident *i = &idents[world.n_idents++];
	struct rg_addr a;

	if (world.n_idents == MAX_IDENTS || rg_mac_parse(id->mac, i->mac) < 0)
		tap_bail("bad scene");
	i->rail = rail;
	i->slot = scene_slot(rail, id->who);
	i->flags = id->flags;
	if (!addr)
		return;
	if (rg_addr_parse(addr, &a) < 0)
		tap_bail("bad address %s", addr);
	memcpy(i->addr, a.b, sizeof(i->addr));
	i->has_addr = true;
}

static void make_world(const struct bed *bed)
{
	world.policy = &bed->policy;
	for (uint32_t rail = 0; rail < SCENE_RAILS; rail++) {
		for (size_t i = 0; i < scene_n_idents; i++) {
			add_ident(rail, &scene_idents[i], NULL);
			for (int a = 0; scene_idents[i].addrs[a]; a++)
				add_ident(rail, &scene_idents[i], scene_idents[i].addrs[a]);
		}
	}
}

/**
 * struct seen - what the programs did
 * @drop: verdict
 * @reason: counted, RG_REASON_PASS if none was
 * @counted: one packet was counted as @class, with @ce and @cnp
 * @class: class
 * @ce: congestion experienced
 * @cnp: congestion notification
 * @strange: something was counted that one frame cannot cause
 */
struct seen {
	bool drop;
	enum rg_reason reason;
	bool counted;
	enum ref_class class;
	bool ce;
	bool cnp;
	bool strange;
};

/* What one frame added to an endpoint's counters. */
static void look(struct bed *bed, uint32_t slot, struct seen *s)
{
	struct rg_usage now;
	const struct rg_dir *a = &before[slot].counters.tx, *b = &now.counters.tx;

	bed_usage(bed, slot, &now);
	for (int r = 0; r < RG_REASON_MAX; r++) {
		if (now.drops.by_reason[r].packets == before[slot].drops.by_reason[r].packets)
			continue;
		s->strange |= s->reason != RG_REASON_PASS;
		s->reason = (enum rg_reason)r;
	}
	s->counted = true;
	s->ce = b->ecn_ce_packets != a->ecn_ce_packets;
	s->cnp = b->cnp_packets != a->cnp_packets;
	if (b->roce_packets != a->roce_packets)
		s->class = REF_ROCE;
	else if (b->ip_packets != a->ip_packets)
		s->class = REF_IP;
	else if (b->l2_packets != a->l2_packets)
		s->class = REF_L2;
	else
		s->counted = false;
	before[slot] = now;
}

static bool same(const struct ref_verdict *want, const struct seen *s)
{
	bool audited = want->reason && !want->dropped;

	if (s->strange || s->drop != want->dropped)
		return false;
	/* mode off counts what passes and nothing else */
	if (s->reason != (audited && want->mode == RG_MODE_OFF ? RG_REASON_PASS : want->reason))
		return false;
	if (s->counted == want->dropped)
		return false;
	/* what audit lets pass is classified anew, by what it would be */
	if (want->dropped || want->reason)
		return true;
	return s->class == want->class && s->cnp == (want->cnp && s->class == REF_ROCE) &&
	       s->ce == (want->ce && s->class == REF_ROCE);
}

static void keep(const struct gen *g, uint64_t number)
{
	const char *build = getenv("RG_BUILD");
	_cleanup_fclose_ FILE *f = NULL;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/diff-%" PRIu64 ".hex", build ? build : ".", number);
	f = fopen(path, "we");
	for (size_t i = 0; f && i < g->len; i++)
		(void)fprintf(f, "%02x", g->data[i]);
	tap_note("kept in %s", path);
}

static void show(const struct gen *g, uint64_t number, const struct ref_verdict *want,
		 const struct seen *s)
{
	char hex[2 * 128 + 1] = "";

	for (size_t i = 0; i < g->len && i < 128; i++)
		(void)snprintf(hex + 2 * i, 3, "%02x", g->data[i]);
	tap_note("frame %" PRIu64 ", rail %u, %zu bytes%s: %s", number, g->rail, g->len,
		 g->gso ? ", gso" : "", hex);
	tap_note("reference: reason %d drop %d slot %u class %d ce %d cnp %d", want->reason,
		 want->dropped, want->slot, want->class, want->ce, want->cnp);
	tap_note("programs:  reason %d drop %d counted %d class %d ce %d cnp %d strange %d",
		 s->reason, s->drop, s->counted, s->class, s->ce, s->cnp, s->strange);
	keep(g, number);
}

/* Return: whether both agree */
static bool one(struct bed *bed, struct gen *g, uint64_t number, bool quiet)
{
	struct ref_frame frame = {.data = g->data, .len = (uint32_t)g->len, .gso = g->gso};
	struct bed_ctx ctx = {.gso_size = g->gso ? 100 : 0, .gso_segs = g->gso ? 2 : 0};
	struct ref_verdict want = ref_judge(&world, g->rail, &frame);
	struct seen s = {.reason = RG_REASON_PASS};
	int r;

	r = bed_run(bed, RG_PROG_IDX_RAIL_TX, g->rail, g->data, g->len, &ctx, NULL);
	/* since 6.18 the kernel itself refuses to run a frame whose IP header is cut off */
	if (r < -100) {
		refused++;
		return true;
	}
	s.drop = r == 2; /* TC_ACT_SHOT */
	look(bed, want.slot, &s);
	if (same(&want, &s))
		return true;
	if (!quiet)
		show(g, number, &want, &s);
	return false;
}

/* The comparison must be able to fail: with one rail's mode told wrongly it has to. */
static void check_that_it_can_fail(struct bed *bed, uint64_t seed)
{
	struct rg_policy *wrong = calloc(1, sizeof(*wrong));
	uint64_t differences = 0;
	struct gen g;

	if (!wrong)
		tap_bail("out of memory");
	*wrong = bed->policy;
	wrong->rails[ON_STANDARD].profile = RG_PROFILE_STRICT;
	world.policy = wrong;
	gen_start(&g, seed);
	for (int i = 0; i < 5000; i++) {
		gen_next(&g);
		differences += !one(bed, &g, (uint64_t)i, true);
	}
	world.policy = &bed->policy;
	free(wrong);
	tap_ok(differences > 10, "a reference with a wrong rule is found out (%" PRIu64 " of 5000)",
	       differences);
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : COUNT_DEFAULT;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL),
		 differences = 0;
	const struct bed_options options = {.event_interval_ns = 1000000000, .event_burst = 1};
	struct timespec start, end;
	struct bed *bed = scene_open(&options);
	struct gen g;

	make_world(bed);
	check_that_it_can_fail(bed, seed);
	gen_start(&g, seed);
	tap_note("seed %" PRIu64, seed);
	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; !count || i < count; i++) {
		gen_next(&g);
		if (!one(bed, &g, i, differences >= SHOWN))
			differences++;
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &end);
	tap_ok(!differences, "%" PRIu64 " frames judged as by the reference, %" PRIu64 " differ",
	       count, differences);
	tap_note("%.0f frames a second",
		 (double)count / ((double)(end.tv_sec - start.tv_sec) +
				  (double)(end.tv_nsec - start.tv_nsec) / 1e9 + 1e-9));
	tap_ok(!count || refused < count / 10, "the kernel refused to run %" PRIu64 " of them",
	       refused);
	bed_close(bed);
	return tap_done();
}
