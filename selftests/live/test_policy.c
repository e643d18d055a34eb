// SPDX-License-Identifier: Apache-2.0
/*
 * The policy is replaced a thousand times under load, and no packet sees half of one.
 *
 * Two policies take turns. They differ in what stands with the rail (profile, VLAN) and in what
 * stands with the CIDRs, and the packets are such that rail and CIDRs of different policies give a
 * verdict that neither policy gives. After each packet the counters tell which verdict it was.
 * The writer says when it begins and has ended a replacement, so that most packets also have just
 * one policy by which they may have been judged.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/load.h"
#include "bpf/tap.h"
#include "flood.h"
#include "send.h"
#include "stage.h"
#include "wait.h"

#define WRITES	      1000
#define PACKETS	      200000
#define PAUSE_PACKETS 50 /* under each policy before the next */
#define IP4	      "eth src=$mac / ip4 src=$ip4"
#define TAGGED	      "eth src=$mac / vlan vid=7 / ip4 src=$ip4"
#define ROCE	      " / udp / bth / data 16 / icrc"
#define DST_OFFSET    30 /* of an untagged IPv4 packet's destination in the frame */

static const struct rules policies[2] = {
	{.mode = RG_MODE_ENFORCE,
	 .profile = RG_PROFILE_STRICT,
	 .vlan = 7,
	 .cidrs = {"10.9.0.0/24", "10.8.0.0/16"}},
	{.mode = RG_MODE_ENFORCE, .profile = RG_PROFILE_STANDARD, .cidrs = {"10.9.1.0/24"}},
};

/* Packets, and their reasons by the one and the other policy. */
static const struct {
	const char *name;
	const char *text;
	enum rg_reason reasons[2];
} kinds[] = {
	{"TCP to the CIDR of the strict policy",
	 IP4 " dst=10.9.0.2 / tcp",
	 {RG_REASON_PROTO_DENIED, RG_REASON_DST_CIDR}},
	{"TCP to the CIDR of the other policy",
	 IP4 " dst=10.9.1.2 / tcp",
	 {RG_REASON_DST_CIDR, RG_REASON_PASS}},
	{"tagged RoCE to the CIDR of the strict policy",
	 TAGGED " dst=10.9.0.2" ROCE,
	 {RG_REASON_PASS, RG_REASON_VLAN}},
	{"tagged RoCE to the CIDR of the other policy",
	 TAGGED " dst=10.9.1.2" ROCE,
	 {RG_REASON_DST_CIDR, RG_REASON_VLAN}},
	{"RoCE to the CIDR of the other policy",
	 IP4 " dst=10.9.1.2" ROCE,
	 {RG_REASON_DST_CIDR, RG_REASON_PASS}},
};

/**
 * struct watch - the thread that looks at each packet
 * @stage: stage
 * @begun: replacements that have begun
 * @ended: replacements that have ended
 * @stop: set to end it
 * @packets: packets sent
 * @pause_until: packets after which the writer goes on
 * @exact: packets that could only have been judged by one policy
 * @by: verdicts by kind of packet and policy
 * @wrong: verdicts that no policy gives, or not the one in force
 * @first: description of the first of them
 */
struct watch {
	struct stage *stage;
	uint64_t begun;
	uint64_t ended;
	bool stop;
	uint64_t packets;
	uint64_t pause_until;
	uint64_t exact;
	uint64_t by[ARRAY_SIZE(kinds)][2];
	uint64_t wrong;
	char first[128];
};

/* The one thing that was counted: a reason, RG_REASON_PASS, or -1 if it is not one thing. */
static int verdict(const struct rg_usage *before, const struct rg_usage *after)
{
	uint64_t passed = after->counters.tx.roce_packets - before->counters.tx.roce_packets +
			  after->counters.tx.ip_packets - before->counters.tx.ip_packets;
	int found = passed == 1 ? RG_REASON_PASS : -1;

	for (int i = 0; i < RG_REASON_MAX; i++) {
		uint64_t n = after->drops.by_reason[i].packets - before->drops.by_reason[i].packets;

		if (!n)
			continue;
		if (n > 1 || passed || found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static void judge(struct watch *w, size_t kind, int got, uint64_t first, uint64_t last)
{
	const enum rg_reason *reasons = kinds[kind].reasons;
	bool fits = false;

	for (uint64_t policy = first; policy <= last; policy++)
		fits |= got == (int)reasons[policy % 2];
	if (got == (int)reasons[0])
		w->by[kind][0]++;
	else if (got == (int)reasons[1])
		w->by[kind][1]++;
	w->exact += first == last;
	if (fits)
		return;
	if (!w->wrong++)
		(void)snprintf(w->first, sizeof(w->first),
			       "%s: reason %d after replacement %llu, before the end of %llu",
			       kinds[kind].name, got, (unsigned long long)first,
			       (unsigned long long)last);
}

static void *watch(void *arg)
{
	struct watch *w = arg;
	const struct origin *from = &w->stage->origins[ORIGIN_HOST];
	static struct frame frames[ARRAY_SIZE(kinds)];
	struct rg_usage usage[2];
	struct sender s;

	flood_begin(1);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		frame_for(from->dev, kinds[i].text, &frames[i]);
	if (sender_open(&s, &way_packet, from->dev) < 0 ||
	    rg_counters_read(w->stage->guard.maps, w->stage->guard.slots[SLOT_HOST], &usage[0],
			     NULL) < 0)
		tap_bail("cannot begin to watch");
	while (!__atomic_load_n(&w->stop, __ATOMIC_RELAXED)) {
		size_t kind = w->packets % ARRAY_SIZE(kinds), now = (w->packets + 1) % 2;
		uint64_t first = __atomic_load_n(&w->ended, __ATOMIC_ACQUIRE);

		(void)sender_send(&s, &frames[kind]);
		if (rg_counters_read(w->stage->guard.maps, w->stage->guard.slots[SLOT_HOST],
				     &usage[now], NULL) < 0)
			tap_bail("cannot read the counters");
		judge(w, kind, verdict(&usage[!now], &usage[now]), first,
		      __atomic_load_n(&w->begun, __ATOMIC_ACQUIRE));
		__atomic_store_n(&w->packets, w->packets + 1, __ATOMIC_RELAXED);
	}
	sender_close(&s);
	return NULL;
}

static bool was_looked_at(void *arg)
{
	const struct watch *w = arg;

	return __atomic_load_n(&w->packets, __ATOMIC_RELAXED) >= w->pause_until;
}

/* Replace by turns until there were enough replacements and enough packets. */
static void replace(struct stage *s, struct watch *w, const struct flood *flood)
{
	static struct rg_policy policy;
	struct rg_err err = {0};

	while (w->ended < WRITES || flood_total(flood) < PACKETS) {
		guard_policy(&policies[(w->ended + 1) % 2], s->guard.policy.generation, &policy);
		__atomic_store_n(&w->begun, w->ended + 1, __ATOMIC_RELEASE);
		if (rg_policy_write(s->guard.maps, rg_load_types(s->guard.load), &policy, &err) < 0)
			tap_bail("replacement %llu: %s", (unsigned long long)w->ended + 1, err.msg);
		s->guard.policy.generation = policy.generation;
		__atomic_store_n(&w->ended, w->ended + 1, __ATOMIC_RELEASE);
		w->pause_until = __atomic_load_n(&w->packets, __ATOMIC_RELAXED) + PAUSE_PACKETS;
		if (!wait_until(was_looked_at, w, 5000))
			tap_bail("the watcher stands still");
	}
}

static void report(const struct watch *w)
{
	tap_note("%llu replacements, %llu packets looked at, %llu of them by a known policy",
		 (unsigned long long)w->ended, (unsigned long long)w->packets,
		 (unsigned long long)w->exact);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!tap_ok(w->by[i][0] > 100 && w->by[i][1] > 100,
			    "%s was judged by both policies", kinds[i].name))
			tap_note("by the one %llu times, by the other %llu",
				 (unsigned long long)w->by[i][0], (unsigned long long)w->by[i][1]);
	if (!tap_ok(w->wrong == 0, "each packet was judged by one policy, the one in force"))
		tap_note("%llu were not, the first: %s", (unsigned long long)w->wrong, w->first);
	tap_ok(w->exact >= (WRITES - 1) * (PAUSE_PACKETS - 1),
	       "and many could only have been judged by one");
}

/* The load as a whole: from a pod past its own hook, so that only the rail judges it. */
static void report_flood(const struct flood *f, const struct rg_usage *got, uint64_t strict_arrived,
			 uint64_t other_arrived, uint64_t lost)
{
	uint64_t denied = got->drops.by_reason[RG_REASON_PROTO_DENIED].packets,
		 outside = got->drops.by_reason[RG_REASON_DST_CIDR].packets,
		 passed = got->counters.tx.ip_packets, sent = f->sent[0] + f->sent[1];

	tap_note("%llu packets of load: %llu passed, %llu were denied, %llu outside the CIDRs",
		 (unsigned long long)sent, (unsigned long long)passed, (unsigned long long)denied,
		 (unsigned long long)outside);
	tap_ok(sent >= PACKETS, "enough packets");
	tap_ok(passed + denied + outside == sent, "each packet of the load was counted once");
	tap_ok(denied <= f->sent[0] && passed <= f->sent[1], "and by its own kind's reasons");
	tap_ok(f->refused[0] + f->refused[1] == denied + outside,
	       "each drop was told to the sender, and nothing else");
	tap_ok(strict_arrived == 0, "no packet arrived that no policy lets pass");
	tap_ok(passed - other_arrived <= lost && other_arrived <= passed,
	       "what arrived is what was counted as passed");
}

int main(void)
{
	static struct flood flood;
	static struct watch w;
	struct stage *s = stage_open();
	_cleanup_close_ int strict = catch_counter(s->world.fabric, DST_OFFSET, 0x0a080002),
			    other = catch_counter(s->world.fabric, DST_OFFSET, 0x0a090102);
	struct snapshot before;
	struct rg_usage got;
	pthread_t thread;
	uint64_t lost;

	w.stage = s;
	guard_rules(&s->guard, &policies[0]);
	flood.dev = s->origins[ORIGIN_POD].dev;
	flood.way = &way_bypass;
	flood_frame(&flood, IP4 " dst=10.8.0.2 / tcp");
	flood_frame(&flood, IP4 " dst=10.9.1.2 / tcp");
	snapshot_take(&s->guard, &before);
	lost = flood_lost();
	stage_deafen(s);
	if (pthread_create(&thread, NULL, watch, &w))
		tap_bail("cannot start a thread");
	flood_start(&flood);
	replace(s, &w, &flood);
	flood_stop(&flood);
	__atomic_store_n(&w.stop, true, __ATOMIC_RELAXED);
	(void)pthread_join(thread, NULL);
	report(&w);
	stage_listen(s);
	(void)catch_all(s->far);
	snapshot_since(&s->guard, &before, &before);
	got = before.slots[s->origins[ORIGIN_POD].slot];
	/* the watcher's own packets to the second destination arrive as well */
	report_flood(&flood, &got, catch_count(strict),
		     catch_count(other) - w.by[1][1] - w.by[4][1], flood_lost() - lost);
	stage_close(s);
	return tap_done();
}
