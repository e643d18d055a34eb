// SPDX-License-Identifier: Apache-2.0
/*
 * What changes under the programs: identities, CIDRs, the policy, the programs themselves; and the
 * edges of the maps. Each first with packets that the programs have seen, and remember.
 */
#include <errno.h>
#include <string.h>
#include <bpf/bpf.h>
#include <linux/pkt_cls.h>
#include <railgate/endpoint.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "bed.h"
#include "bpf/epoch.h"
#include "bpf/maps.h"
#include "clock.h"
#include "frame.h"
#include "scene.h"
#include "tap.h"

#define PASS   (-1)
#define DROP   TC_ACT_SHOT
#define ROCE   "ip4 / udp / bth / data 16 / icrc"
#define ROCE_6 "ip6 / udp / bth / data 16 / icrc"
#define TCP    "ip4 / tcp"

static struct frame f;

static int verdict(struct bed *bed, enum scene_rail rail, const char *text)
{
	char error[128];

	if (frame_build(text, &f, error))
		tap_bail("%s: %s", text, error);
	return bed_run(bed, RG_PROG_IDX_RAIL_TX, rail, f.data, f.len, NULL, NULL);
}

static bool all(struct bed *bed, enum scene_rail rail, int want)
{
	return verdict(bed, rail, ROCE) == want && verdict(bed, rail, ROCE_6) == want &&
	       verdict(bed, rail, TCP) == want && verdict(bed, rail, ROCE) == want;
}

static void forget_ident(struct bed *bed, enum scene_rail rail, const char *addr)
{
	struct rg_ident_key key = {.rail = rail};
	struct rg_addr a = {};

	if (rg_mac_parse(FRAME_SRC_MAC, key.mac) < 0 || (addr && rg_addr_parse(addr, &a) < 0))
		tap_bail("bad identity");
	memcpy(key.addr, a.b, sizeof(key.addr));
	if (bpf_map_delete_elem(rg_maps_fd(bed->maps, RG_MAP_ID_IDENTS), &key) < 0)
		tap_bail("cannot delete identity %s: %s", addr ? addr : "", strerror(errno));
}

static void bump(struct bed *bed)
{
	if (rg_epoch_bump(bed->maps, NULL) < 0)
		tap_bail("cannot advance the epoch");
}

static void test_identity(struct bed *bed)
{
	uint32_t slot = scene_slot(ON_STANDARD, BY_POD);

	tap_ok(all(bed, ON_STANDARD, PASS), "identity: known");
	forget_ident(bed, ON_STANDARD, FRAME_SRC_4);
	bump(bed);
	tap_ok(verdict(bed, ON_STANDARD, ROCE) == DROP && verdict(bed, ON_STANDARD, TCP) == DROP,
	       "identity: an address that went is refused at once");
	tap_ok(verdict(bed, ON_STANDARD, ROCE_6) == PASS, "identity: the other address is not");
	tap_ok(all(bed, ON_V4, PASS), "identity: nor is it on another rail");
	bed_ident(bed, ON_STANDARD, FRAME_SRC_MAC, FRAME_SRC_4, slot, 0);
	tap_ok(all(bed, ON_STANDARD, PASS), "identity: it comes back without ado");
	bed_ident(bed, ON_STANDARD, FRAME_SRC_MAC, FRAME_SRC_4, slot, RG_IDENT_STRICT);
	bump(bed);
	tap_ok(verdict(bed, ON_STANDARD, ROCE) == PASS && verdict(bed, ON_STANDARD, TCP) == DROP,
	       "identity: its own profile counts at once");
	bed_ident(bed, ON_STANDARD, FRAME_SRC_MAC, FRAME_SRC_4, slot, 0);
	bump(bed);
	tap_ok(verdict(bed, ON_STANDARD, TCP) == PASS, "identity: and no longer");
}

/* Removed without telling anybody, as with bpftool: forgotten after some seconds. */
static void test_silent_removal(struct bed *bed)
{
	uint64_t start, waited;

	tap_ok(all(bed, ON_ALLOW, PASS), "silent removal: known");
	forget_ident(bed, ON_ALLOW, FRAME_SRC_4);
	start = clock_ns();
	do {
		waited = (clock_ns() - start) / 1000000;
	} while (verdict(bed, ON_ALLOW, ROCE) == PASS && waited < 10000);
	tap_ok(waited < 5000, "silent removal: refused after %llu ms", (unsigned long long)waited);
}

static int received(struct bed *bed, const char *text)
{
	char error[128];

	if (frame_build(text, &f, error))
		tap_bail("%s: %s", text, error);
	return bed_run(bed, RG_PROG_IDX_RAIL_RX, ON_STANDARD, f.data, f.len, NULL, NULL);
}

/* Somebody on the wire becomes one of our pods: from then on it is judged. */
static void test_received(struct bed *bed)
{
	const char *const frame = "eth src=02:00:00:00:0e:07 dst=02:00:00:00:09:03 / "
				  "ip4 src=10.9.0.207 dst=10.9.0.3 / udp / bth / data 16 / icrc";
	const uint32_t flags = RG_IDENT_SHARED | RG_IDENT_BRIDGE;
	uint32_t slot = scene_slot(ON_STANDARD, BY_PRIVATE);
	struct rg_usage before, after;

	tap_ok(received(bed, frame) == PASS && received(bed, frame) == PASS,
	       "received: frames from the wire pass");
	bed_ident(bed, ON_STANDARD, "02:00:00:00:0e:07", NULL, slot, flags);
	bump(bed);
	tap_ok(received(bed, frame) == DROP, "received: not as a pod that has not this address");
	bed_ident(bed, ON_STANDARD, "02:00:00:00:0e:07", "10.9.0.207", slot, flags);
	bump(bed);
	bed_usage(bed, slot, &before);
	tap_ok(received(bed, frame) == PASS && received(bed, frame) == PASS,
	       "received: as a pod that has it, they do");
	bed_usage(bed, slot, &after);
	tap_ok(after.counters.tx.roce_packets - before.counters.tx.roce_packets == 2,
	       "received: and are counted as sent");
}

static void test_policy(struct bed *bed)
{
	struct rg_policy *p = &bed->policy;

	tap_ok(verdict(bed, ON_STRICT_ALLOW, ROCE) == PASS &&
		       verdict(bed, ON_STRICT_ALLOW, ROCE_6) == PASS,
	       "policy: RoCE into the CIDRs passes");
	p->n_cidrs = 0;
	bed_cidr(bed, RG_SCOPE_RDMA, "192.0.2.0/24");
	bed_commit(bed);
	tap_ok(verdict(bed, ON_STRICT_ALLOW, ROCE) == DROP &&
		       verdict(bed, ON_STRICT_ALLOW, ROCE_6) == DROP,
	       "policy: not once the CIDRs are others");
	tap_ok(verdict(bed, ON_STANDARD, TCP) == DROP && verdict(bed, ON_STANDARD, ROCE) == PASS,
	       "policy: standard lets RoCE pass, and only that");
	tap_ok(verdict(bed, ON_STANDARD, "ip4 dst=192.0.2.9 / tcp") == PASS,
	       "policy: the other CIDR is in force");

	p->n_cidrs = 0;
	bed_cidr(bed, RG_SCOPE_RDMA, "::/0");
	bed_commit(bed);
	tap_ok(verdict(bed, ON_STANDARD, "ip6 dst=2001:db8::1 / tcp") == PASS,
	       "policy: ::/0 is all of IPv6");
	tap_ok(verdict(bed, ON_STANDARD, TCP) == DROP, "policy: ::/0 is nothing of IPv4");
	tap_ok(verdict(bed, ON_STANDARD, "ip6 dst=::ffff:10.9.0.2 / tcp") == DROP,
	       "policy: nor of what looks like it");
	p->n_cidrs = 0;
	bed_cidr(bed, RG_SCOPE_RDMA, "0.0.0.0/0");
	bed_commit(bed);
	tap_ok(verdict(bed, ON_STANDARD, TCP) == PASS &&
		       verdict(bed, ON_STANDARD, "ip6 / tcp") == DROP,
	       "policy: 0.0.0.0/0 is all of IPv4 and nothing of IPv6");
	tap_ok(verdict(bed, ON_STANDARD, "ip4 dst=224.0.0.1 / tcp") == DROP,
	       "policy: but not groups");

	p->rails[ON_STANDARD].mode = RG_MODE_NONE;
	bed_commit(bed);
	tap_ok(all(bed, ON_STANDARD, DROP), "policy: a rail that is no longer configured is shut");
}

/* A hook whose main program is missing. */
static void test_programs(struct bed *bed)
{
	int progs = rg_maps_fd(bed->maps, RG_MAP_ID_PROGS);

	for (uint32_t i = 0; i < RG_PROG_IDX_MAX; i++) {
		bool sends = i == RG_PROG_IDX_RAIL_TX || i == RG_PROG_IDX_POD_TX;

		if (bpf_map_delete_elem(progs, &i) < 0)
			tap_bail("cannot empty %s", RG_MAP_PROGS);
		tap_ok(bed_run(bed, i, 0, f.data, f.len, NULL, NULL) == (sends ? DROP : PASS),
		       "programs: without its main program, hook %u %s", i,
		       sends ? "is shut" : "lets pass");
	}
}

/* Numbers that no map knows, as a hook of an older version might carry. */
static void test_edges(struct bed *bed)
{
	const uint32_t odd[] = {RG_MAX_RAILS, 255, 65535, 65536, 0xffffffff};
	struct rg_stats before, after;

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		tap_ok(verdict(bed, odd[i], ROCE) == DROP, "edges: rail %u is shut", odd[i]);
		tap_ok(bed_run(bed, RG_PROG_IDX_RAIL_RX, odd[i], f.data, f.len, NULL, NULL) == PASS,
		       "edges: rail %u receives", odd[i]);
		tap_ok(bed_run(bed, RG_PROG_IDX_POD_TX, odd[i], f.data, f.len, NULL, NULL) == DROP,
		       "edges: slot %u is shut", odd[i]);
		tap_ok(bed_run(bed, RG_PROG_IDX_POD_RX, odd[i], f.data, f.len, NULL, NULL) == PASS,
		       "edges: slot %u receives", odd[i]);
	}
	if (rg_counters_stats(bed->maps, &before, NULL) < 0)
		tap_bail("cannot read the health counters");
	bed_ident(bed, ON_AUDIT, FRAME_SRC_MAC, FRAME_SRC_4, SCENE_SLOTS, 0);
	bump(bed);
	tap_ok(verdict(bed, ON_AUDIT, ROCE) == PASS && verdict(bed, ON_AUDIT, ROCE) == PASS,
	       "edges: an endpoint without counters sends");
	if (rg_counters_stats(bed->maps, &after, NULL) < 0)
		tap_bail("cannot read the health counters");
	tap_ok(after.counter_errors - before.counter_errors == 2,
	       "edges: and that it was not counted is counted");
}

/* Three ARP, ND or MLD packets at once, then one each third of a second. */
static void test_rate(struct bed *bed)
{
	const char *const control[] = {
		"eth dst=ff:ff:ff:ff:ff:ff / arp",
		"ip6 dst=ff02::1:ff00:2 hops=255 / nd",
		"ip6 src=:: dst=ff02::16 hops=1 / hbh / icmp6 type=143 / data 20",
	};
	const char *const other = "eth src=02:00:00:00:09:03 dst=ff:ff:ff:ff:ff:ff / "
				  "arp sha=02:00:00:00:09:03 sip=10.9.0.3";
	struct rg_usage usage;
	uint64_t start;

	for (size_t i = 0; i < ARRAY_SIZE(control); i++)
		tap_ok(verdict(bed, ON_RATE, control[i]) == PASS, "rate: packet %zu passes", i);
	for (size_t i = 0; i < ARRAY_SIZE(control); i++)
		tap_ok(verdict(bed, ON_RATE, control[i]) == DROP, "rate: packet %zu does not",
		       i + ARRAY_SIZE(control));
	bed_usage(bed, scene_slot(ON_RATE, BY_POD), &usage);
	tap_ok(usage.drops.by_reason[RG_REASON_RATE].packets == 3, "rate: those are counted");
	tap_ok(verdict(bed, ON_RATE, other) == PASS, "rate: another endpoint has its own");
	tap_ok(verdict(bed, ON_RATE, ROCE) == PASS && verdict(bed, ON_RATE, "ip6 / icmp6") == PASS,
	       "rate: other packets are not meant");
	start = clock_ns();
	while (verdict(bed, ON_RATE, control[0]) == DROP && clock_ns() - start < 5000000000)
		;
	tap_ok(clock_ns() - start < 5000000000, "rate: one passes again a moment later");
}

int main(void)
{
	struct bed_options o = {.event_burst = 1};
	struct bed *bed = scene_open(&o);

	test_rate(bed);
	test_identity(bed);
	test_silent_removal(bed);
	test_received(bed);
	test_edges(bed);
	test_policy(bed);
	test_programs(bed);
	bed_close(bed);
	return tap_done();
}
