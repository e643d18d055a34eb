// SPDX-License-Identifier: Apache-2.0
/*
 * Drop events: what is in them, how many there are, and what becomes of those that do not fit.
 */
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/pkt_cls.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "bed.h"
#include "clock.h"
#include "frame.h"
#include "scene.h"
#include "tap.h"

static struct frame f;

static void run(struct bed *bed, enum scene_rail rail, const char *text)
{
	char error[128];

	if (frame_build(text, &f, error))
		tap_bail("%s: %s", text, error);
	bed_run(bed, RG_PROG_IDX_RAIL_TX, rail, f.data, f.len, NULL, NULL);
}

static bool addr_is(const uint8_t *bytes, const char *text)
{
	struct rg_addr a = {};

	if (text && rg_addr_parse(text, &a) < 0)
		tap_bail("bad address %s", text);
	return !memcmp(bytes, a.b, sizeof(a.b));
}

static const struct {
	const char *name, *text, *saddr, *daddr;
	uint16_t sport, dport, ethertype;
	uint8_t proto, reason;
} contents[] = {
	{"UDP", "ip4 dst=8.8.8.8 / udp sport=1234 dport=53 / data 30", "10.9.0.1", "8.8.8.8", 1234,
	 53, 0x0800, 17, RG_REASON_DST_CIDR},
	{"IPv6", "ip6 dst=2001:db8::1 / udp sport=1234 dport=53 / data 30", "fd09::1",
	 "2001:db8::1", 1234, 53, 0x86dd, 17, RG_REASON_DST_CIDR},
	{"TCP", "ip4 dst=8.8.8.8 / tcp sport=40000 dport=443", "10.9.0.1", "8.8.8.8", 40000, 443,
	 0x0800, 6, RG_REASON_DST_CIDR},
	{"protocol behind a header", "ip6 / dopt / udp sport=7 / bth / icrc", "fd09::1", "fd09::2",
	 7, 4791, 0x86dd, 17, RG_REASON_IP6_EXTHDR},
	{"foreign source", "ip4 src=10.9.0.77 / tcp", "10.9.0.77", "10.9.0.2", 0, 0, 0x0800, 6,
	 RG_REASON_SRC_IP},
	{"behind a tag", "eth / vlan vid=9 / ip4 / udp", "10.9.0.1", "10.9.0.2", 0, 0, 0x0800, 17,
	 RG_REASON_VLAN},
	{"IPv6 behind a tag", "eth / vlan vid=9 / ip6 / udp", "fd09::1", "fd09::2", 0, 0, 0x86dd,
	 17, RG_REASON_VLAN},
	{"ARP", "arp op=2 sip=10.9.0.254", NULL, NULL, 0, 0, 0x0806, 0, RG_REASON_ARP_BAD},
	{"not IP", "eth type=0x8808 / data 46", NULL, NULL, 0, 0, 0x8808, 0, RG_REASON_ETHERTYPE},
	{"short frame", "eth type=0x8915 / data 20", NULL, NULL, 0, 0, 0x8915, 0,
	 RG_REASON_ROCE_V1},
	{"no ports in a later fragment", "ip4 dst=8.8.8.8 off=9 proto=17 / data 40", "10.9.0.1",
	 "8.8.8.8", 0, 0, 0x0800, 17, RG_REASON_DST_CIDR},
};

static void test_contents(struct bed *bed)
{
	const struct rg_event *e = &bed->events[0];
	uint64_t now;
	size_t bytes;
	bool ok;

	for (size_t i = 0; i < ARRAY_SIZE(contents); i++) {
		bed_forget_events(bed);
		run(bed, ON_STANDARD, contents[i].text);
		now = clock_ns();
		ok = bed_events(bed) == 1;
		bytes = f.len < RG_EVENT_HEADER_BYTES ? f.len : RG_EVENT_HEADER_BYTES;
		ok = ok && e->reason == contents[i].reason && e->frame_bytes == f.len &&
		     e->ethertype == contents[i].ethertype && e->proto == contents[i].proto &&
		     e->sport == contents[i].sport && e->dport == contents[i].dport &&
		     addr_is(e->saddr, contents[i].saddr) && addr_is(e->daddr, contents[i].daddr) &&
		     e->header_bytes == bytes && !memcmp(e->header, f.data, bytes) &&
		     e->suppressed == 0 && e->time_ns <= now && now - e->time_ns < 10000000000ull &&
		     e->slot == scene_slot(ON_STANDARD, BY_POD) && e->rail == ON_STANDARD &&
		     e->hook == RG_HOOK_RAIL_TX;
		if (!tap_ok(ok, "contents: %s", contents[i].name))
			tap_note("reason %u, bytes %u, type %#x, proto %u, ports %u %u, header %u",
				 e->reason, e->frame_bytes, e->ethertype, e->proto, e->sport,
				 e->dport, e->header_bytes);
	}
}

static uint64_t drops(struct bed *bed, enum scene_who who, int reason)
{
	struct rg_usage usage;

	bed_usage(bed, scene_slot(ON_STANDARD, who), &usage);
	return usage.drops.by_reason[reason].packets;
}

static uint64_t stat(struct bed *bed, size_t offset)
{
	struct rg_stats stats;

	if (rg_counters_stats(bed->maps, &stats, NULL) < 0)
		tap_bail("cannot read the health counters");
	return *(const uint64_t *)((const char *)&stats + offset);
}

#define STAT(bed, field) stat(bed, offsetof(struct rg_stats, field))

/* A burst, then nothing more of this kind within the interval, but of any other. */
static void test_limit(void)
{
	struct bed_options o = {.event_interval_ns = 1000000000000, .event_burst = 5};
	struct bed *bed = scene_open(&o);
	uint64_t limited = STAT(bed, events_limited);

	for (int i = 0; i < 100; i++)
		run(bed, ON_STANDARD, "ip4 dst=8.8.8.8 / tcp");
	tap_ok(bed_events(bed) == 5, "limit: a flood gives as many events as may come at once");
	tap_ok(drops(bed, BY_POD, RG_REASON_DST_CIDR) == 100, "limit: all of the flood is counted");
	tap_ok(STAT(bed, events_limited) - limited == 95, "limit: what was held back is counted");
	run(bed, ON_STANDARD, "ip4 dst=224.0.0.5 / tcp");
	tap_ok(bed_events(bed) == 6, "limit: another reason of the endpoint gets through");
	run(bed, ON_STANDARD, "eth src=02:00:00:00:09:03 / ip4 src=10.9.0.3 dst=8.8.8.8 / tcp");
	tap_ok(bed_events(bed) == 7, "limit: another endpoint gets through");
	tap_ok(bed->events[6].slot == scene_slot(ON_STANDARD, BY_SIBLING) &&
		       bed->events[6].suppressed == 0,
	       "limit: and says that none of its own was held back");
	bed_close(bed);
}

/* After the interval, the next one tells how many were held back. */
static void test_suppressed(void)
{
	struct bed_options o = {.event_interval_ns = 200000000, .event_burst = 1};
	struct bed *bed = scene_open(&o);
	uint64_t start = clock_ns();
	unsigned int n = 0;

	do {
		run(bed, ON_STANDARD, "ip4 dst=8.8.8.8 / tcp");
		n++;
	} while (bed_events(bed) < 2 && clock_ns() - start < 10000000000);
	tap_ok(bed->n_events == 2 && bed->events[1].suppressed == n - 2,
	       "limit: the next event says that %u of %u were held back",
	       bed->n_events == 2 ? bed->events[1].suppressed : 0, n);
	bed_close(bed);
}

/* A ring that nobody reads fills up; what does not fit is counted, and the drops go on. */
static void test_lost(void)
{
	struct bed_options o = {.event_burst = 1, .events_bytes = 4096};
	struct bed *bed = scene_open(&o);
	uint64_t lost;

	for (int i = 0; i < 100; i++)
		run(bed, ON_STANDARD, "ip4 dst=8.8.8.8 / tcp");
	lost = STAT(bed, events_lost);
	tap_ok(lost > 0 && lost < 100, "lost: %llu of 100 events", (unsigned long long)lost);
	tap_ok(bed_events(bed) + lost == 100, "lost: the others are all there");
	tap_ok(drops(bed, BY_POD, RG_REASON_DST_CIDR) == 100, "lost: each packet is counted");
	bed_forget_events(bed);
	run(bed, ON_STANDARD, "ip4 dst=8.8.8.8 / tcp");
	tap_ok(bed_events(bed) == 1, "lost: events come again once somebody reads");
	bed_close(bed);
}

int main(void)
{
	struct bed_options o = {.event_burst = 1};
	struct bed *bed = scene_open(&o);

	test_contents(bed);
	bed_close(bed);
	test_limit();
	test_suppressed();
	test_lost();
	return tap_done();
}
