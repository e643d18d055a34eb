// SPDX-License-Identifier: Apache-2.0
/*
 * Pods: what passes between two macvlan pods of one node is policed and counted once, hooks come
 * along into the pod and stay, and what a pod receives is counted once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/endpoints.h"
#include "bpf/maps.h"
#include "bpf/tap.h"
#include "rows.h"
#include "stage.h"
#include "send.h"

#define SIBLING "02:00:00:00:09:12"
#define NEAR	"eth src=$mac dst=" SIBLING " / "
#define ALL	"eth src=$mac dst=ff:ff:ff:ff:ff:ff / "
#define ROCE	" / udp / bth / data 16 / icrc"
#define DNS	" / udp dport=53 / data 40"

static const struct way *const ways[] = {
	&way_packet, &way_lying,  &way_vnet,	    &way_ring,
	&way_ring3,  &way_bypass, &way_ring_bypass, &way_xsk,
};

/* From the first pod to the second. */
static const struct frame_row siblings[] = {
	{"RoCE", NEAR "ip4 src=$ip4 dst=10.9.0.12" ROCE, RG_REASON_PASS, KIND_ROCE, 0},
	{"RoCE, IPv6", NEAR "ip6 src=$ip6 dst=fd09::12" ROCE, RG_REASON_PASS, KIND_ROCE, 0},
	{"CNP", NEAR "ip4 src=$ip4 dst=10.9.0.12 / udp / bth op=0x81 becn / data 16 / icrc",
	 RG_REASON_PASS, KIND_CNP, 0},
	{"UDP inside the CIDRs", NEAR "ip4 src=$ip4 dst=10.9.0.12 / udp dport=9999 / data 40",
	 RG_REASON_PASS, KIND_IP, 0},
	{"ARP reply", NEAR "arp op=2 sha=$mac sip=$ip4 tha=" SIBLING " tip=10.9.0.12",
	 RG_REASON_PASS, KIND_L2, 0},
	{"listed VLAN", NEAR "vlan vid=7 / ip4 src=$ip4 dst=10.9.0.12" ROCE, RG_REASON_PASS,
	 KIND_ROCE, 0},
	{"RoCE of 8192 bytes", NEAR "ip4 src=$ip4 dst=10.9.0.12 / udp / bth / data 8192 / icrc",
	 RG_REASON_PASS, KIND_ROCE, 0},
	{"UDP to port 53 of 8.8.8.8", NEAR "ip4 src=$ip4 dst=8.8.8.8" DNS, RG_REASON_DST_CIDR,
	 KIND_IP, 0},
	{"forged source address", NEAR "ip4 src=10.9.0.77 dst=10.9.0.12" ROCE, RG_REASON_SRC_IP,
	 KIND_IP, 0},
	{"the other pod's address as source", NEAR "ip4 src=10.9.0.12 dst=10.9.0.12" ROCE,
	 RG_REASON_SRC_IP, KIND_IP, 0},
	{"VLAN 100", NEAR "vlan vid=100 / ip4 src=$ip4 dst=10.9.0.12" ROCE, RG_REASON_VLAN, KIND_IP,
	 0},
	{"malformed RoCE", NEAR "ip4 src=$ip4 dst=10.9.0.12 / udp / bth tver=1 / data 16 / icrc",
	 RG_REASON_ROCE_TVER, KIND_IP, 0},
	{"malformed RoCE of 8192 bytes",
	 NEAR "ip4 src=$ip4 dst=10.9.0.12 / udp / bth tver=1 / data 8192 / icrc",
	 RG_REASON_ROCE_TVER, KIND_IP, 0},
	{"ARP reply for somebody else", NEAR "arp op=2 sha=$mac sip=10.9.0.254", RG_REASON_ARP_BAD,
	 KIND_L2, 0},
	{"router advertisement", NEAR "ip6 src=$ip6 dst=fd09::12 hops=255 / nd type=134 / data 8",
	 RG_REASON_ND_BAD, KIND_L2, 0},
	{"RoCEv1", "eth src=$mac dst=" SIBLING " type=0x8915 / data 64", RG_REASON_ROCE_V1, KIND_L2,
	 0},
	{"LLDP", "eth src=$mac dst=" SIBLING " type=0x88cc / data 64", RG_REASON_ETHERTYPE, KIND_L2,
	 0},
};

static int send_once(const struct origin *from, const struct way *way, const struct frame *f)
{
	struct sender sender;
	int r = sender_open(&sender, way, from->dev);

	if (r < 0)
		tap_bail("%s: %s", way->name, strerror(-r));
	r = sender_send(&sender, f);
	sender_close(&sender);
	return r;
}

static void run_sibling(struct stage *s, struct sender *sender, const struct frame_row *row)
{
	const struct origin *from = &s->origins[ORIGIN_POD], *to = &s->origins[ORIGIN_SIBLING];
	static struct outcome o;
	static struct frame f;
	int r;

	frame_for(from->dev, row->text, &f);
	outcome_begin(s, &o);
	if (row->reason) {
		outcome_dropped(&o, from->slot, row->reason, 1, f.len);
	} else {
		outcome_passed(&o, from->slot, row->kind, 1, f.len);
		outcome_received(&o, to->slot, row->kind, 1, f.len);
		o.near = 1;
		o.same = &f;
	}
	world_enter(from->dev->ns);
	r = sender_send(sender, &f);
	outcome_check(s, &o, r, "pod to pod, %s: %s %s", sender->way->name, row->name,
		      row->reason ? "is stopped" : "passes");
}

static void test_siblings(struct stage *s)
{
	struct sender sender;

	for (size_t w = 0; w < ARRAY_SIZE(ways); w++) {
		int r = sender_open(&sender, ways[w], s->origins[ORIGIN_POD].dev);

		if (r < 0) {
			tap_skip(ways[w]->name, strerror(-r));
			continue;
		}
		for (size_t i = 0; i < ARRAY_SIZE(siblings); i++)
			run_sibling(s, &sender, &siblings[i]);
		sender_close(&sender);
	}
}

/* Group frames leave by the rail and go to the other pods as well: one packet, one count. */
static void test_groups(struct stage *s)
{
	static const struct frame_row rows[] = {
		{"ARP request", ALL "arp sha=$mac sip=$ip4", RG_REASON_PASS, KIND_L2, 0},
		{"neighbour solicitation",
		 "eth src=$mac dst=33:33:ff:00:00:12 / ip6 src=$ip6 dst=ff02::1:ff00:12 hops=255 / "
		 "nd target=fd09::12 slla=$mac",
		 RG_REASON_PASS, KIND_L2, 0},
		{"ARP reply for somebody else", ALL "arp op=2 sha=$mac sip=10.9.0.254",
		 RG_REASON_ARP_BAD, KIND_L2, 0},
		{"UDP broadcast", ALL "ip4 src=$ip4 dst=255.255.255.255" DNS, RG_REASON_DST_MCAST,
		 KIND_L2, 0},
		{"RoCE in a broadcast frame", ALL "ip4 src=$ip4" ROCE, RG_REASON_DST_MCAST, KIND_L2,
		 0},
	};
	const struct origin *from = &s->origins[ORIGIN_POD];
	static struct outcome o;
	static struct frame f;
	struct sender sender;
	int r;

	/* the other pod listens to every group */
	world_ip(s->ns[1], "link set pod1 promisc on allmulticast on");
	if (sender_open(&sender, &way_packet, from->dev) < 0)
		tap_bail("cannot open a packet socket");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bool stopped = rows[i].reason;

		frame_for(from->dev, rows[i].text, &f);
		outcome_begin(s, &o);
		if (stopped) {
			outcome_dropped(&o, from->slot, rows[i].reason, 1, f.len);
		} else {
			outcome_passed(&o, from->slot, KIND_L2, 1, f.len);
			o.frames = o.near = 1;
			o.same = &f;
		}
		world_enter(from->dev->ns);
		r = sender_send(&sender, &f);
		outcome_check(s, &o, r, "pod to all: %s %s, once", rows[i].name,
			      stopped ? "is stopped" : "passes");
	}
	sender_close(&sender);
}

/* The first pod in somebody else's name; past its own hook that is possible. */
static void test_names(struct stage *s)
{
	static const char forged[] = "eth src=02:de:ad:be:ef:01 dst=" SIBLING
				     " / ip4 src=$ip4 dst=8.8.8.8" DNS;
	static const char as_other[] = "eth src=" SIBLING " / ip4 src=10.9.0.12" ROCE;
	const struct origin *from = &s->origins[ORIGIN_POD], *other = &s->origins[ORIGIN_SIBLING];
	static struct outcome o;
	static struct frame f;
	int r;

	frame_for(from->dev, as_other, &f);
	outcome_begin(s, &o);
	outcome_dropped(&o, from->slot, RG_REASON_MAC_SRC, 1, f.len);
	r = send_once(from, &way_packet, &f);
	outcome_check(s, &o, r, "a pod under the name of another is stopped");

	outcome_begin(s, &o);
	outcome_passed(&o, other->slot, KIND_ROCE, 1, f.len);
	o.frames = 1;
	r = send_once(from, &way_bypass, &f);
	outcome_check(s, &o, r, "past its own hook it is taken for the other, as documented");

	frame_for(from->dev, forged, &f);
	outcome_begin(s, &o);
	outcome_dropped(&o, from->slot, RG_REASON_MAC_SRC, 1, f.len);
	r = send_once(from, &way_packet, &f);
	outcome_check(s, &o, r, "a pod under nobody's name does not reach its neighbour");

	outcome_begin(s, &o);
	outcome_received(&o, other->slot, KIND_IP, 1, f.len);
	o.near = 1;
	r = send_once(from, &way_bypass, &f);
	outcome_check(s, &o, r, "past its own hook it does, as documented");

	frame_for(from->dev, ALL "ip4 src=$ip4 dst=255.255.255.255" DNS, &f);
	outcome_begin(s, &o);
	outcome_dropped(&o, from->slot, RG_REASON_DST_MCAST, 1, f.len);
	o.near = 1;
	r = send_once(from, &way_bypass, &f);
	outcome_check(s, &o, r,
		      "past its own hook a broadcast reaches neighbours, as documented, but not "
		      "the wire");
}

/* In mode vepa nothing is turned around. */
static void test_vepa(struct stage *s, struct netdev *pod, size_t slot)
{
	const struct origin from = {.dev = pod, .slot = slot};
	static struct outcome o;
	static struct frame f;
	int r;

	frame_for(pod, NEAR "ip4 src=$ip4 dst=10.9.0.12" ROCE, &f);
	for (int i = 0; i < 2; i++) {
		outcome_begin(s, &o);
		outcome_passed(&o, slot, KIND_ROCE, 1, f.len);
		o.frames = 1;
		r = send_once(&from, i ? &way_bypass : &way_packet, &f);
		outcome_check(s, &o, r, "vepa%s: to a neighbour by the wire", i ? ", bypass" : "");
	}
	frame_for(pod, NEAR "ip4 src=$ip4 dst=8.8.8.8" DNS, &f);
	outcome_begin(s, &o);
	outcome_dropped(&o, slot, RG_REASON_DST_CIDR, 1, f.len);
	r = send_once(&from, &way_packet, &f);
	outcome_check(s, &o, r, "vepa: UDP to port 53 of 8.8.8.8 is stopped");
}

/* Removed is removed, also for a sender that was recognised a moment ago. */
static void test_removal(struct stage *s, struct netdev *pod, size_t slot)
{
	const struct origin from = {.dev = pod, .slot = slot};
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	static struct outcome o;
	static struct frame f;
	struct rg_err err = {0};
	int r;

	frame_for(pod, "eth src=$mac / ip4 src=$ip4" ROCE, &f);
	outcome_begin(s, &o);
	outcome_passed(&o, slot, KIND_ROCE, 2, 2 * f.len);
	o.frames = 2;
	r = send_once(&from, &way_packet, &f);
	r = r ? r : send_once(&from, &way_bypass, &f);
	outcome_check(s, &o, r, "a pod sends");
	if (rg_maps_open_locked(WORLD_PIN_DIR, 1000, &maps, &err) < 0 ||
	    rg_endpoints_remove(maps, s->guard.slots[slot], &err) < 0)
		tap_bail("%s", err.msg);
	outcome_begin(s, &o);
	outcome_dropped(&o, slot, RG_REASON_NO_POLICY, 1, f.len);
	outcome_dropped(&o, SLOT_UNKNOWN, RG_REASON_MAC_SRC, 1, f.len);
	r = send_once(&from, &way_packet, &f);
	(void)send_once(&from, &way_bypass, &f);
	outcome_check(s, &o, r, "removed, it sends nothing more, whatever the way");
}

/* What comes from the wire is counted once, and never refused. */
static void test_receiving(struct stage *s)
{
	static const struct {
		const char *name;
		const char *text;
		enum kind kind;
	} rows[] = {
		{"RoCE", "ip4 dst=10.9.0.99" ROCE, KIND_ROCE},
		{"RoCE, IPv6", "ip6 dst=fd09::99" ROCE, KIND_ROCE},
		{"CNP", "ip4 dst=10.9.0.99 / udp / bth op=0x81 becn / data 16 / icrc", KIND_CNP},
		{"RoCE with ECN CE", "ip4 dst=10.9.0.99 tos=3" ROCE, KIND_CE},
		{"RoCE of 8192 bytes", "ip4 dst=10.9.0.99 / udp / bth / data 8192 / icrc",
		 KIND_ROCE},
		{"RoCE in VLAN 100", "vlan vid=100 / ip4 dst=10.9.0.99" ROCE, KIND_ROCE},
		{"malformed RoCE", "ip4 dst=10.9.0.99 / udp / bth tver=1 / data 16 / icrc",
		 KIND_IP},
		{"UDP from 8.8.8.8", "ip4 src=8.8.8.8 dst=10.9.0.99" DNS, KIND_IP},
		{"ARP reply", "arp op=2 sip=10.9.0.254 tip=10.9.0.99", KIND_L2},
	};
	static struct outcome o;
	static struct frame f;

	for (size_t who = 0; who < ORIGIN_MAX; who++) {
		const struct origin *to = &s->origins[who];
		const struct origin from = {.dev = who == ORIGIN_DEVICE ? &s->own_far
									: &s->world.far};

		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			char text[512], mac[RG_MAC_STR_LEN];
			int r;

			(void)rg_str_format(text, sizeof(text), "eth src=$mac dst=%s / %s",
					    rg_mac_format(to->dev->mac, mac), rows[i].text);
			frame_for(from.dev, text, &f);
			outcome_begin(s, &o);
			outcome_received(&o, to->slot, rows[i].kind, 1, f.len);
			o.near = who == ORIGIN_SIBLING;
			r = send_once(&from, &way_packet, &f);
			outcome_check(s, &o, r, "%s receives %s", to->name, rows[i].name);
		}
	}
}

int main(void)
{
	struct stage *s = stage_open();
	_cleanup_close_ int ns = world_namespace();
	struct netdev vepa;
	size_t slot;

	stage_watch(s);
	test_siblings(s);
	test_groups(s);
	test_names(s);
	test_receiving(s);
	world_macvlan(&s->world, "pod2", "vepa", "02:00:00:00:09:13", &vepa);
	slot = guard_pod(&s->guard, &vepa, RG_KIND_MACVLAN, RG_IDENT_SHARED, ns, "10.9.0.13",
			 "fd09::13");
	test_vepa(s, &vepa, slot);
	test_removal(s, &vepa, slot);
	stage_close(s);
	return tap_done();
}
