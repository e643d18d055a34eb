// SPDX-License-Identifier: Apache-2.0
/*
 * Programs and hooks are replaced under load: every packet is judged and counted by exactly one
 * program, none goes past, no counter goes back, and without a program nothing is sent.
 *
 * The load comes from the host and from a macvlan pod, to the wire and to another pod. A foreign
 * program behind ours on the rail counts what we let pass.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <railgate/abi.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/load.h"
#include "bpf/pin.h"
#include "bpf/tap.h"
#include "flood.h"
#include "foreign.h"
#include "stage.h"
#include "wait.h"

#define SWAPS	   5000
#define REFRESHES  300
#define RELOADS	   8
#define PACKETS	   200000
#define DST_OFFSET 30
#define IP4	   "eth src=$mac / ip4 src=$ip4"
#define NEAR	   "eth src=$mac dst=02:00:00:00:09:12 / ip4 src=$ip4"
#define ROCE	   " / udp / bth / data 16 / icrc"

/* Frames of the load from the pod. */
enum { TO_WIRE, TO_WIRE_BAD, TO_POD, TO_POD_BAD };

/**
 * struct upgrade - load, and what it should have led to
 * @stage: stage
 * @host: load from the host: good, bad
 * @pod: load from the pod, by TO_*
 * @behind: program behind ours
 * @far: counter of what must not arrive at the far end
 * @near: counter of what must not arrive in the other pod
 * @before: counters before
 * @last: counters at the last look
 * @backward: counters that were smaller than at the look before
 * @lost: what the queues between devices had lost before
 */
struct upgrade {
	struct stage *stage;
	struct flood host;
	struct flood pod;
	struct foreign behind;
	int far;
	int near;
	struct snapshot before;
	struct snapshot last;
	uint64_t backward;
	uint64_t lost;
};

static void begin(struct upgrade *u, struct stage *s)
{
	memset(u, 0, sizeof(*u));
	u->stage = s;
	u->host.dev = s->origins[ORIGIN_HOST].dev;
	u->host.way = &way_packet;
	u->host.cpu = 1;
	flood_frame(&u->host, IP4 ROCE);
	flood_frame(&u->host, IP4 " dst=8.8.8.8 / tcp");
	u->pod.dev = s->origins[ORIGIN_POD].dev;
	u->pod.way = &way_bypass;
	flood_frame(&u->pod, IP4 ROCE);
	flood_frame(&u->pod, IP4 " dst=8.8.8.8 / tcp");
	flood_frame(&u->pod, NEAR " dst=10.9.0.12" ROCE);
	flood_frame(&u->pod, NEAR " dst=8.8.8.8 / tcp");
	foreign_attach(&u->behind, &s->world.rail, true,
		       s->guard.tcx ? FOREIGN_TAIL : FOREIGN_FILTER, FOREIGN_RETURN, FOREIGN_NEXT);
	u->far = catch_counter(s->world.fabric, DST_OFFSET, 0x08080808);
	u->near = catch_counter(s->ns[1], DST_OFFSET, 0x08080808);
	snapshot_take(&s->guard, &u->before);
	u->last = u->before;
	u->lost = flood_lost();
	stage_deafen(s);
	flood_start(&u->host);
	flood_start(&u->pod);
}

/* Looks at all counters: none may be smaller than before. */
static void look(struct upgrade *u)
{
	struct snapshot now = {0};
	const uint64_t *a = (const uint64_t *)&u->last, *b = (const uint64_t *)&now;

	snapshot_take(&u->stage->guard, &now);
	for (size_t i = 0; i < sizeof(now) / sizeof(*a); i++)
		u->backward += b[i] < a[i];
	u->last = now;
}

static bool enough(void *arg)
{
	struct upgrade *u = arg;

	look(u);
	return flood_total(&u->host) + flood_total(&u->pod) >= PACKETS;
}

/* Everything that was sent is accounted for. */
static bool adds_up(struct upgrade *u, struct snapshot *since, char *text, size_t size)
{
	struct outcome want = {0};
	size_t host = u->stage->origins[ORIGIN_HOST].slot, pod = u->stage->origins[ORIGIN_POD].slot,
	       other = u->stage->origins[ORIGIN_SIBLING].slot;
	const uint64_t *h = u->host.sent, *p = u->pod.sent, good = u->host.frames[0].len,
		       bad = u->host.frames[1].len;
	uint64_t lost = flood_lost() - u->lost;
	struct rg_dir *tx = &since->slots[pod].counters.tx;
	struct rg_count *drop = &since->slots[pod].drops.by_reason[RG_REASON_DST_CIDR];
	uint64_t gone = p[TO_WIRE] + p[TO_POD] - tx->roce_packets, gone_bad;

	/* what the queue in front of the rail's ingress lost was never there to be counted */
	gone_bad = p[TO_WIRE_BAD] + p[TO_POD_BAD] - drop->packets;
	if (gone + gone_bad > lost) {
		(void)snprintf(text, size,
			       "the pod's packets: %lld and %lld not counted, %llu lost",
			       (long long)gone, (long long)gone_bad, (unsigned long long)lost);
		return false;
	}
	outcome_passed(&want, host, KIND_ROCE, h[0], h[0] * good);
	outcome_dropped(&want, host, RG_REASON_DST_CIDR, h[1], h[1] * bad);
	outcome_passed(&want, pod, KIND_ROCE, p[TO_WIRE] + p[TO_POD] - gone,
		       (p[TO_WIRE] + p[TO_POD] - gone) * good);
	outcome_dropped(&want, pod, RG_REASON_DST_CIDR, p[TO_WIRE_BAD] + p[TO_POD_BAD] - gone_bad,
			(p[TO_WIRE_BAD] + p[TO_POD_BAD] - gone_bad) * bad);
	outcome_received(&want, other, KIND_ROCE, p[TO_POD] - gone, (p[TO_POD] - gone) * good);
	return snapshot_is(&u->stage->guard, since, &want.want, text, size);
}

static void end(struct upgrade *u, const char *what)
{
	struct snapshot since;
	char text[256] = "";

	if (!wait_until(enough, u, 60000))
		tap_bail("no packets are sent");
	flood_stop(&u->host);
	flood_stop(&u->pod);
	stage_listen(u->stage);
	(void)catch_all(u->stage->far);
	snapshot_since(&u->stage->guard, &u->before, &since);
	tap_note("%s: %llu packets of the host's, %llu of the pod's", what,
		 (unsigned long long)u->host.total, (unsigned long long)u->pod.total);
	if (!tap_ok(adds_up(u, &since, text, sizeof(text)), "%s: each packet is counted once",
		    what))
		tap_note("%s", text);
	tap_ok(foreign_count(&u->behind) == u->host.sent[0] + u->pod.sent[TO_WIRE],
	       "%s: all that may leave passes, and nothing else", what);
	tap_ok(catch_count(u->far) == 0 && catch_count(u->near) == 0,
	       "%s: nothing arrives that may not", what);
	tap_ok(u->backward == 0, "%s: no counter goes back", what);
	foreign_detach(&u->behind);
	rg_close_ptr(&u->far);
	rg_close_ptr(&u->near);
}

static void open_progs(int ret[RG_PROG_IDX_MAX])
{
	static const char *const names[RG_PROG_IDX_MAX] = {RG_PROG_RAIL_TX, RG_PROG_RAIL_RX,
							   RG_PROG_POD_TX, RG_PROG_POD_RX};
	struct rg_err err = {0};

	for (int i = 0; i < RG_PROG_IDX_MAX; i++)
		if (rg_pin_open(WORLD_PIN_DIR, RG_PIN_KIND_PROG, names[i], &ret[i], &err) < 0)
			tap_bail("%s", err.msg);
}

static void put(const struct guard *g, uint32_t i, int prog)
{
	if (bpf_map_update_elem(rg_maps_fd(g->maps, RG_MAP_ID_PROGS), &i, &prog, BPF_ANY) < 0)
		tap_bail("cannot replace a program: %s", strerror(errno));
}

/* What a starting agent does: adopt the maps, load the programs anew, put them into force. */
static void reload(struct guard *g)
{
	struct rg_load *load = NULL;
	struct rg_err err = {0};

	if (rg_load_open(WORLD_PIN_DIR, GUARD_ENDPOINTS, NULL, &load, &err) < 0 ||
	    rg_load_commit(load, &err) < 0)
		tap_bail("cannot load again: %s", err.msg);
	if (rg_load_origin(load) != RG_LOAD_ADOPTED)
		tap_bail("the maps were not adopted");
	rg_load_free(g->load);
	g->load = load;
	g->maps = rg_load_maps(load);
}

static void test_swaps(struct stage *s)
{
	static struct upgrade u;
	int sets[2][RG_PROG_IDX_MAX];
	char what[64];
	int n;

	open_progs(sets[0]);
	reload(&s->guard);
	open_progs(sets[1]);
	begin(&u, s);
	for (n = 0; n < SWAPS || !enough(&u); n++)
		for (uint32_t i = 0; i < RG_PROG_IDX_MAX; i++)
			put(&s->guard, i, sets[n % 2][i]);
	(void)snprintf(what, sizeof(what), "programs replaced %d times", n);
	end(&u, what);
	for (int i = 0; i < RG_PROG_IDX_MAX; i++) {
		rg_close_ptr(&sets[0][i]);
		rg_close_ptr(&sets[1][i]);
	}
}

static void test_reloads(struct stage *s)
{
	static struct upgrade u;
	char what[64];
	int n;

	begin(&u, s);
	for (n = 0; n < RELOADS || !enough(&u); n++)
		reload(&s->guard);
	(void)snprintf(what, sizeof(what), "everything loaded anew %d times", n);
	end(&u, what);
	for (size_t i = 0; i < s->guard.n_hooks; i++)
		s->guard.hooks[i].progs_fd = rg_maps_fd(s->guard.maps, RG_MAP_ID_PROGS);
}

static void test_refreshes(struct stage *s)
{
	static struct upgrade u;
	int wrong = 0, n;
	char what[64];

	begin(&u, s);
	for (n = 0; n < REFRESHES || !enough(&u); n++) {
		for (size_t i = 0; i < s->guard.n_hooks; i++) {
			s->guard.hooks[i].refresh = true;
			wrong += guard_attach(&s->guard, i) != RG_HOOK_REFRESHED;
			s->guard.hooks[i].refresh = false;
		}
	}
	(void)snprintf(what, sizeof(what), "all hooks refreshed %d times", n);
	end(&u, what);
	tap_ok(!wrong, "each was a refresh");
}

/* Without a main program the rail is shut; then it is open again. */
static void test_gap(struct stage *s)
{
	const uint32_t tx = RG_PROG_IDX_RAIL_TX;
	static struct upgrade u;
	int progs[RG_PROG_IDX_MAX];
	uint64_t behind, sent;

	open_progs(progs);
	begin(&u, s);
	for (int n = 0; n < 50; n++) {
		if (bpf_map_delete_elem(rg_maps_fd(s->guard.maps, RG_MAP_ID_PROGS), &tx) < 0)
			tap_bail("cannot remove a program: %s", strerror(errno));
		wait_pause();
		look(&u);
		put(&s->guard, tx, progs[tx]);
		wait_pause();
	}
	if (!wait_until(enough, &u, 60000))
		tap_bail("no packets are sent");
	flood_stop(&u.host);
	flood_stop(&u.pod);
	stage_listen(s);
	(void)catch_all(s->far);
	snapshot_since(&s->guard, &u.before, &u.last);
	behind = foreign_count(&u.behind);
	sent = u.host.sent[0] + u.pod.sent[TO_WIRE];
	tap_note("%llu of %llu packets passed", (unsigned long long)behind,
		 (unsigned long long)sent);
	tap_ok(behind < sent, "no program: not everything that may leave does");
	tap_ok(behind ==
		       u.last.slots[SLOT_HOST].counters.tx.roce_packets +
			       u.last.slots[s->origins[ORIGIN_POD].slot].counters.tx.roce_packets -
			       u.last.slots[s->origins[ORIGIN_SIBLING].slot]
				       .counters.rx.roce_packets,
	       "no program: what passes has been counted");
	tap_ok(catch_count(u.far) == 0, "no program: nothing arrives that may not");
	tap_ok(u.backward == 0, "no program: no counter goes back");
	foreign_detach(&u.behind);
	rg_close_ptr(&u.far);
	rg_close_ptr(&u.near);
	for (int i = 0; i < RG_PROG_IDX_MAX; i++)
		rg_close_ptr(&progs[i]);
}

int main(void)
{
	struct stage *s = stage_open();

	/* the other pod is silent */
	world_ip(s->ns[1], "address flush dev pod1");
	test_swaps(s);
	test_reloads(s);
	test_refreshes(s);
	test_gap(s);
	stage_close(s);
	return tap_done();
}
