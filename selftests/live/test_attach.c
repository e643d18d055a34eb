// SPDX-License-Identifier: Apache-2.0
/*
 * Hooks among others' hooks: who runs before and behind us, what a pod may do to its own, what
 * comes to the rail by other ways than a socket. With RAILGATE_FORCE_CLSACT=1 the same for
 * clsact filters, which are weaker, and with what makes up for it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/tap.h"
#include "bpf/tcx.h"
#include "foreign.h"
#include "send.h"
#include "stage.h"

#define ROCE "eth src=$mac / ip4 src=$ip4 / udp / bth / data 16 / icrc"
#define DNS  "eth src=$mac / ip4 src=$ip4 dst=8.8.8.8 / udp dport=53 / data 40"

static int send_text(const struct origin *from, const char *text, struct frame *f)
{
	struct sender sender;
	int r;

	frame_for(from->dev, text, f);
	r = sender_open(&sender, &way_packet, from->dev);
	if (r < 0)
		tap_bail("cannot open a packet socket: %s", strerror(-r));
	r = sender_send(&sender, f);
	sender_close(&sender);
	return r;
}

/* One packet that may pass does, one that may not does not. */
static bool holds(struct stage *s, int who, const char *when)
{
	const struct origin *from = &s->origins[who];
	static struct outcome o;
	static struct frame f;
	bool ok;
	int r;

	outcome_begin(s, &o);
	r = send_text(from, ROCE, &f);
	outcome_passed(&o, from->slot, KIND_ROCE, 1, f.len);
	o.frames = 1;
	o.same = &f;
	ok = outcome_check(s, &o, r, "%s: %s sends RoCE", when, from->name);
	outcome_begin(s, &o);
	r = send_text(from, DNS, &f);
	outcome_dropped(&o, from->slot, RG_REASON_DST_CIDR, 1, f.len);
	return outcome_check(s, &o, r, "%s: %s does not send to 8.8.8.8", when, from->name) && ok;
}

static void escapes(struct stage *s, int who, const char *when)
{
	static struct outcome o;
	static struct frame f;
	int r;

	outcome_begin(s, &o);
	r = send_text(&s->origins[who], DNS, &f);
	o.frames = 1;
	outcome_check(s, &o, r, "%s: %s is not policed, as documented", when, s->origins[who].name);
}

static size_t hook_of(struct stage *s, int who, bool egress)
{
	const struct netdev *dev = s->origins[who].dev;
	bool rail = who == ORIGIN_HOST;

	if (egress)
		return guard_hook(&s->guard, rail ? RG_PROG_IDX_RAIL_TX : RG_PROG_IDX_POD_TX,
				  dev->ifindex);
	return guard_hook(&s->guard, rail ? RG_PROG_IDX_RAIL_RX : RG_PROG_IDX_POD_RX, dev->ifindex);
}

static bool place_is(struct stage *s, int who, bool egress, bool attached, uint32_t position,
		     uint32_t behind, const char *when)
{
	struct rg_hook_state state = guard_state(&s->guard, hook_of(s, who, egress));
	bool ok = state.attached == attached && state.position == position &&
		  state.behind == behind;

	if (!tap_ok(ok, "%s: place in the chain", when))
		tap_note("%sattached, %u before and %u behind us; %u and %u expected",
			 state.attached ? "" : "not ", state.position, state.behind, position,
			 behind);
	return ok;
}

static void saw(const struct foreign *f, uint64_t want, const char *who)
{
	uint64_t n = foreign_count(f);

	if (!tap_ok(n == want, "%s sees what it should", who))
		tap_note("%llu packets, %llu expected", (unsigned long long)n,
			 (unsigned long long)want);
}

/* Those behind us see what we let go on, and only that. */
static void test_behind(struct stage *s)
{
	struct foreign tcx, filter;

	if (s->guard.tcx)
		foreign_attach(&tcx, &s->world.rail, true, FOREIGN_TAIL, FOREIGN_RETURN,
			       FOREIGN_NEXT);
	foreign_attach(&filter, &s->world.rail, true, FOREIGN_FILTER, FOREIGN_RETURN, FOREIGN_PASS);
	holds(s, ORIGIN_HOST, "foreign programs behind");
	holds(s, ORIGIN_POD, "foreign programs behind");
	place_is(s, ORIGIN_HOST, true, true, 0, 1, "foreign programs behind");
	/* two marks went past all of TC, two packets were stopped before */
	if (s->guard.tcx) {
		saw(&tcx, 2, "the TCX program behind");
		foreign_replace(&tcx, FOREIGN_RETURN, FOREIGN_DROP);
		foreign_replace(&tcx, FOREIGN_RETURN, FOREIGN_NEXT);
		holds(s, ORIGIN_HOST, "foreign program behind replaced");
		saw(&tcx, 3, "the TCX program behind, replaced,");
		foreign_detach(&tcx);
	}
	saw(&filter, s->guard.tcx ? 3 : 2, "the filter behind");
	foreign_detach(&filter);
	place_is(s, ORIGIN_HOST, true, true, 0, 0, "foreign programs gone");
	holds(s, ORIGIN_HOST, "foreign programs gone");
}

static void test_behind_ingress(struct stage *s)
{
	const struct origin from = {.dev = &s->world.far};
	static struct outcome o;
	static struct frame f;
	struct foreign filter;
	int r;

	foreign_attach(&filter, &s->world.rail, false, FOREIGN_FILTER, FOREIGN_RETURN,
		       FOREIGN_PASS);
	outcome_begin(s, &o);
	r = send_text(
		&from,
		"eth src=$mac dst=02:00:00:00:09:01 / ip4 dst=10.9.0.99 / udp / bth / data 16 "
		"/ icrc",
		&f);
	outcome_received(&o, SLOT_HOST, KIND_ROCE, 1, f.len);
	outcome_check(s, &o, r, "foreign filter behind on ingress: we count");
	saw(&filter, 1, "the filter behind on ingress");
	foreign_detach(&filter);
}

/* Those in front may hide us; that is seen, and undone without removing them. */
static void test_front(struct stage *s)
{
	enum foreign_place front = s->guard.tcx ? FOREIGN_FRONT : FOREIGN_FIRST_FILTER;
	size_t hook = hook_of(s, ORIGIN_HOST, true);
	struct foreign f;

	foreign_attach(&f, &s->world.rail, true, front, FOREIGN_RETURN, FOREIGN_NEXT);
	place_is(s, ORIGIN_HOST, true, true, 1, 0, "foreign program in front");
	holds(s, ORIGIN_HOST, "foreign program in front that lets go on");
	saw(&f, 2, "the program in front");
	foreign_detach(&f);

	foreign_attach(&f, &s->world.rail, true, front, FOREIGN_RETURN, FOREIGN_PASS);
	escapes(s, ORIGIN_HOST, "foreign program in front that decides");
	tap_ok(guard_attach(&s->guard, hook) == RG_HOOK_RESTORED, "our place is restored");
	place_is(s, ORIGIN_HOST, true, true, 0, 1, "restored");
	holds(s, ORIGIN_HOST, "restored");
	saw(&f, 2, "the program that was in front");
	tap_ok(guard_attach(&s->guard, hook) == RG_HOOK_KEPT, "what is in place is kept");
	foreign_detach(&f);
	place_is(s, ORIGIN_HOST, true, true, 0, 0, "alone again");
}

/* A TCX program hides filters altogether, so what is behind it is said. */
static void test_tcx_before_filter(struct stage *s)
{
	struct foreign f;

	foreign_attach(&f, &s->world.rail, true, FOREIGN_FRONT, FOREIGN_RETURN, FOREIGN_NEXT);
	place_is(s, ORIGIN_HOST, true, true, 1, 0, "foreign TCX program before our filter");
	holds(s, ORIGIN_HOST, "foreign TCX program before our filter");
	foreign_replace(&f, FOREIGN_RETURN, FOREIGN_PASS);
	escapes(s, ORIGIN_HOST, "foreign TCX program that decides before our filter");
	foreign_detach(&f);
	holds(s, ORIGIN_HOST, "foreign TCX program gone");
}

/* A tag in the packet's metadata, by the pod's own program or one in front of us. */
static void test_tags(struct stage *s)
{
	enum foreign_place front = s->guard.tcx ? FOREIGN_FRONT : FOREIGN_FIRST_FILTER;
	static const int senders[] = {ORIGIN_HOST, ORIGIN_POD, ORIGIN_DEVICE};
	static struct outcome o;
	static struct frame f;
	struct foreign tagger;

	for (size_t i = 0; i < ARRAY_SIZE(senders); i++) {
		const struct origin *from = &s->origins[senders[i]];
		int r;

		foreign_attach(&tagger, from->dev, true, front, FOREIGN_VLAN, 100);
		outcome_begin(s, &o);
		r = send_text(from, ROCE, &f);
		outcome_dropped(&o, from->slot, RG_REASON_VLAN, 1, f.len + 4);
		outcome_check(s, &o, r, "%s, tag 100 in metadata is stopped", from->name);
		foreign_detach(&tagger);

		foreign_attach(&tagger, from->dev, true, front, FOREIGN_VLAN, 7);
		outcome_begin(s, &o);
		r = send_text(from, ROCE, &f);
		outcome_passed(&o, from->slot, KIND_ROCE, 1, f.len + 4);
		o.frames = 1;
		frame_for(from->dev,
			  "eth src=$mac / vlan vid=7 / ip4 src=$ip4 / udp / bth / data 16 / icrc",
			  &f);
		o.same = &f;
		outcome_check(s, &o, r, "%s, listed tag in metadata passes", from->name);
		foreign_detach(&tagger);
	}
}

/* What other devices hand to the rail. */
static void test_detours(struct stage *s)
{
	static const char forward[] = "eth src=$mac dst=02:00:00:00:09:31 / "
				      "ip4 src=10.77.0.2 dst=10.9.0.2 / udp dport=9999 / data 40";
	struct netdev outer, inner;
	const struct origin out = {.dev = &outer, .slot = SLOT_HOST}, in = {.dev = &inner};
	static struct outcome o;
	static struct frame f;
	struct foreign redirect;
	int r;

	/* a second wire of the host's */
	world_wire(&s->world, "outer0", "02:00:00:00:09:31", &outer, &inner);
	world_ip(s->world.host, "link set outer0 up");
	world_ip(s->world.host, "address add 10.77.0.1/24 dev outer0");
	world_sysctl(s->world.host, "ipv4/ip_forward", "1");
	(void)rg_str_copy(outer.ip4, sizeof(outer.ip4), "10.9.0.1");

	outcome_begin(s, &o);
	r = send_text(&in, forward, &f);
	outcome_dropped(&o, SLOT_HOST, RG_REASON_SRC_IP, 1, f.len);
	outcome_check(s, &o, r, "what the host forwards must come from one of its addresses");
	world_sysctl(s->world.host, "ipv4/ip_forward", "0");

	foreign_attach(&redirect, &outer, true, FOREIGN_FILTER, FOREIGN_REDIRECT,
		       s->world.rail.ifindex);
	outcome_begin(s, &o);
	r = send_text(&out, ROCE, &f);
	outcome_dropped(&o, SLOT_UNKNOWN, RG_REASON_MAC_SRC, 1, f.len);
	outcome_check(s, &o, r, "redirected to the rail, from another device's MAC");
	memcpy(outer.mac, s->world.rail.mac, sizeof(outer.mac));
	outcome_begin(s, &o);
	r = send_text(&out, ROCE, &f);
	outcome_passed(&o, SLOT_HOST, KIND_ROCE, 1, f.len);
	o.frames = 1;
	outcome_check(s, &o, r, "redirected to the rail, RoCE of the host's");
	outcome_begin(s, &o);
	r = send_text(&out, DNS, &f);
	outcome_dropped(&o, SLOT_HOST, RG_REASON_DST_CIDR, 1, f.len);
	outcome_check(s, &o, r, "redirected to the rail, UDP to 8.8.8.8");
	foreign_detach(&redirect);
}

/* What a pod with CAP_NET_ADMIN may try on its own device. */
static void test_pod_tries(struct stage *s, int who)
{
	static const char *const tries[] = {
		"tc qdisc del dev %s clsact",
		"tc qdisc add dev %s clsact",
		"tc filter del dev %s egress",
		"tc filter del dev %s ingress",
		"tc qdisc replace dev %s root pfifo limit 10",
		"ip link set %s down",
		"ip link set %s name mine",
		"ip link set mine name %s",
		"ip link set %s up",
		"ip link set %s promisc on",
		"ip link set %s txqueuelen 10",
		"tc qdisc del dev %s clsact",
	};
	const struct netdev *dev = s->origins[who].dev;
	char name[128];

	for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
		char command[128];
		int r;

		/* the name stands once in each */
		(void)rg_str_format(command, sizeof(command), "%.*s%s%s",
				    (int)(strstr(tries[i], "%s") - tries[i]), tries[i], dev->name,
				    strstr(tries[i], "%s") + 2);
		r = world_try(dev->ns, "%s", command);
		tap_note("%s: exit status %d", command, r);
	}
	(void)rg_str_format(name, sizeof(name), "after what %s tried", s->origins[who].name);
	place_is(s, who, true, true, 0, 0, name);
	place_is(s, who, false, true, 0, 0, name);
	holds(s, who, name);
}

/* Nor can anybody detach what a link holds. */
static void test_root_tries(struct stage *s, int who)
{
	struct rg_tcx_chain chain;
	const struct netdev *dev = s->origins[who].dev;
	_cleanup_close_ int prog = -EBADF;

	world_enter(dev->ns);
	if (rg_tcx_query(dev->ifindex, RG_BPF_TCX_EGRESS, &chain) < 0)
		tap_bail("cannot query the chain");
	prog = bpf_prog_get_fd_by_id(chain.prog_ids[0]);
	if (prog < 0)
		tap_bail("cannot open the entry program: %s", strerror(errno));
	tap_ok(bpf_prog_detach2(prog, dev->ifindex, (enum bpf_attach_type)RG_BPF_TCX_EGRESS) < 0,
	       "%s: not even root detaches our program", s->origins[who].name);
	place_is(s, who, true, true, 0, 0, "after an attempt to detach");
	holds(s, who, "after an attempt to detach");
}

/* Whoever may change a pod's network may delete its clsact qdisc. */
static void test_deletion(struct stage *s)
{
	static const int pods[] = {ORIGIN_POD, ORIGIN_DEVICE};

	for (size_t i = 0; i < ARRAY_SIZE(pods); i++) {
		int who = pods[i];
		const struct netdev *dev = s->origins[who].dev;

		tap_ok(world_try(dev->ns, "tc qdisc del dev %s clsact", dev->name) == 0,
		       "%s deletes its filters", s->origins[who].name);
		place_is(s, who, true, false, 0, 0, "deleted");
		if (who == ORIGIN_POD)
			holds(s, who, "deleted, the rail still judges");
		else
			escapes(s, who, "deleted");
		tap_ok(guard_attach(&s->guard, hook_of(s, who, true)) == RG_HOOK_REPAIRED &&
			       guard_attach(&s->guard, hook_of(s, who, false)) == RG_HOOK_REPAIRED,
		       "the watchdog repairs it");
		place_is(s, who, true, true, 0, 0, "repaired");
		holds(s, who, "repaired");
	}
}

int main(void)
{
	struct stage *s = stage_open();

	for (int who = ORIGIN_HOST; who < ORIGIN_MAX; who++) {
		place_is(s, who, true, true, 0, 0, s->origins[who].name);
		place_is(s, who, false, true, 0, 0, s->origins[who].name);
		holds(s, who, "attached");
	}
	test_behind(s);
	test_behind_ingress(s);
	test_front(s);
	if (s->guard.tcx) {
		test_pod_tries(s, ORIGIN_POD);
		test_pod_tries(s, ORIGIN_DEVICE);
		test_root_tries(s, ORIGIN_DEVICE);
	} else {
		test_tcx_before_filter(s);
		test_deletion(s);
	}
	test_tags(s);
	test_detours(s);
	stage_close(s);
	return tap_done();
}
