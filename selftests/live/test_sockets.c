// SPDX-License-Identifier: Apache-2.0
/*
 * What programs send by sockets, from the host and from pods: segmented, without copying, in
 * pieces, with options and headers of their own, from foreign addresses.
 */
#include <netinet/in.h>

#include "base/cleanup.h"
#include "bpf/tap.h"
#include "stage.h"
#include "send.h"
#include "sock.h"

#define PEER4 WORLD_PEER_4
#define PEER6 WORLD_PEER_6
#define FAR4  "8.8.8.8"
#define FAR6  "2001:db8::1"
#define UDP4  42 /* headers in front of the payload, with Ethernet's */
#define UDP6  62
#define IP4   "eth src=$mac / ip4 src=$ip4"
#define IP6   "eth src=$mac / ip6 src=$ip6"
#define BTH   " / udp / bth / data 16 / icrc"

#define PASS(kind, packets, bytes, frames) \
	RG_REASON_PASS, {0, 0}, KIND_##kind, {packets, bytes}, frames
#define DROP(reason, packets, bytes) RG_REASON_##reason, {packets, bytes}, KIND_IP, {0, 0}, 0

/* Of a datagram of 12000 bytes and a MTU of 9000. */
#define FIRST_FRAGMENT (14 + 20 + 8976)
#define LAST_FRAGMENT  (14 + 20 + 12008 - 8976)

static const struct sock_row rows[] = {
	{"UDP inside the CIDRs", sock_udp, PEER4, 9999, DATA, 40, 0, PASS(IP, 1, UDP4 + 40, 1)},
	{"UDP to port 53 of 8.8.8.8", sock_udp, FAR4, 53, DATA, 40, 0,
	 DROP(DST_CIDR, 1, UDP4 + 40)},
	{"UDP to port 53 of 2001:db8::1", sock_udp, FAR6, 53, DATA, 40, 0,
	 DROP(DST_CIDR, 1, UDP6 + 40)},
	{"RoCE", sock_udp, PEER4, 4791, ROCE, 32, 0, PASS(ROCE, 1, UDP4 + 32, 1)},
	{"RoCE, IPv6", sock_udp, PEER6, 4791, ROCE, 32, 0, PASS(ROCE, 1, UDP6 + 32, 1)},
	{"malformed RoCE", sock_udp, PEER4, 4791, FORGED, 32, 0, DROP(ROCE_TVER, 1, UDP4 + 32)},
	{"nothing to port 4791", sock_udp, PEER4, 4791, DATA, 0, 0, DROP(ROCE_SHORT, 1, UDP4)},
	{"multicast", sock_udp, "224.0.0.5", 9999, DATA, 40, 0, DROP(DST_MCAST, 1, UDP4 + 40)},
	{"broadcast", sock_udp, "255.255.255.255", 67, DATA, 240, 0,
	 DROP(DST_MCAST, 1, UDP4 + 240)},
	{"TCP inside the CIDRs", sock_tcp, PEER4, 80, DATA, 0, 0, PASS(IP, 1, 14 + 20 + 40, 1)},
	{"TCP to 8.8.8.8", sock_tcp, FAR4, 80, DATA, 0, 0, DROP(DST_CIDR, 1, 14 + 20 + 40)},

	/* UDP_SEGMENT: one header in front of many datagrams */
	{"5 segments to port 4791", sock_segment, PEER4, 4791, ROCE, 500, 100,
	 DROP(ROCE_GSO, 5, 5 * UDP4 + 500)},
	{"5 segments to port 4791, IPv6", sock_segment, PEER6, 4791, ROCE, 500, 100,
	 DROP(ROCE_GSO, 5, 5 * UDP6 + 500)},
	{"2 segments to port 4791, the last of 16 bytes", sock_segment, PEER4, 4791, ROCE, 116, 100,
	 DROP(ROCE_GSO, 2, 2 * UDP4 + 116)},
	{"one segment to port 4791", sock_segment, PEER4, 4791, ROCE, 100, 100,
	 PASS(ROCE, 1, UDP4 + 100, 1)},
	{"5 segments inside the CIDRs", sock_segment, PEER4, 9999, DATA, 500, 100,
	 PASS(IP, 5, 5 * UDP4 + 500, 1)},
	{"5 segments to 8.8.8.8", sock_segment, FAR4, 53, DATA, 500, 100,
	 DROP(DST_CIDR, 5, 5 * UDP4 + 500)},
	{"packet socket, 5 segments to port 4791", sock_vnet_gso, IP4 " / udp / bth / data 488",
	 GSO_UDP_L4, DATA, 0, 100, DROP(ROCE_GSO, 5, 5 * UDP4 + 500)},
	{"packet socket, 5 segments inside the CIDRs", sock_vnet_gso,
	 IP4 " / udp dport=9999 / data 500", GSO_UDP_L4, DATA, 0, 100,
	 PASS(IP, 5, 5 * UDP4 + 500, 1)},
	{"packet socket, 5 segments to 8.8.8.8", sock_vnet_gso,
	 IP4 " dst=8.8.8.8 / udp dport=53 / data 500", GSO_UDP_L4, DATA, 0, 100,
	 DROP(DST_CIDR, 5, 5 * UDP4 + 500)},

	/* MSG_ZEROCOPY and pages of a pipe: nothing behind the headers is linear */
	{"RoCE without copying", sock_zerocopy, PEER4, 4791, ROCE, 8000, 0,
	 PASS(ROCE, 1, UDP4 + 8000, 1)},
	{"RoCE without copying, IPv6", sock_zerocopy, PEER6, 4791, ROCE, 8000, 0,
	 PASS(ROCE, 1, UDP6 + 8000, 1)},
	{"malformed RoCE without copying", sock_zerocopy, PEER4, 4791, FORGED, 8000, 0,
	 DROP(ROCE_TVER, 1, UDP4 + 8000)},
	{"UDP to 8.8.8.8 without copying", sock_zerocopy, FAR4, 53, DATA, 8000, 0,
	 DROP(DST_CIDR, 1, UDP4 + 8000)},
	{"RoCE from a pipe", sock_splice, PEER4, 4791, ROCE, 8000, 0,
	 PASS(ROCE, 1, UDP4 + 8000, 1)},
	{"malformed RoCE from a pipe", sock_splice, PEER4, 4791, FORGED, 8000, 0,
	 DROP(ROCE_TVER, 1, UDP4 + 8000)},
	{"UDP to 8.8.8.8 from a pipe", sock_splice, FAR4, 53, DATA, 8000, 0,
	 DROP(DST_CIDR, 1, UDP4 + 8000)},
	{"RoCE in pieces of 3 bytes", sock_cork, PEER4, 4791, ROCE, 32, 3,
	 PASS(ROCE, 1, UDP4 + 32, 1)},
	{"malformed RoCE in pieces of 1 byte", sock_cork, PEER4, 4791, FORGED, 32, 1,
	 DROP(ROCE_TVER, 1, UDP4 + 32)},

	/* datagrams that the kernel has to fragment; it gives up when the first is dropped */
	{"RoCE in fragments", sock_udp, PEER4, 4791, ROCE, 12000, 0,
	 DROP(FRAG_ROCE, 1, FIRST_FRAGMENT)},
	{"UDP in fragments inside the CIDRs", sock_udp, PEER4, 9999, DATA, 12000, 0,
	 PASS(IP, 2, FIRST_FRAGMENT + LAST_FRAGMENT, 2)},
	{"UDP in fragments to 8.8.8.8", sock_udp, FAR4, 53, DATA, 12000, 0,
	 DROP(DST_CIDR, 1, FIRST_FRAGMENT)},

	/* socket options that put something between the headers */
	{"UDP with a loose source route", sock_options, PEER4, 9999, DATA, 40, 1,
	 DROP(IP_OPTIONS, 1, UDP4 + 8 + 40)},
	{"RoCE with padding in the IPv4 header", sock_options, PEER4, 4791, ROCE, 32, 0,
	 DROP(IP_OPTIONS, 1, UDP4 + 4 + 32)},
	{"UDP behind destination options", sock_options6, PEER6, 9999, DATA, 40, IPV6_DSTOPTS,
	 PASS(IP, 1, UDP6 + 8 + 40, 1)},
	{"RoCE behind destination options", sock_options6, PEER6, 4791, ROCE, 32, IPV6_DSTOPTS,
	 DROP(IP6_EXTHDR, 1, UDP6 + 8 + 32)},
	{"RoCE behind hop-by-hop options", sock_options6, PEER6, 4791, ROCE, 32, IPV6_HOPOPTS,
	 DROP(IP6_EXTHDR, 1, UDP6 + 8 + 32)},
	{"UDP behind a routing header", sock_options6, PEER6, 9999, DATA, 40, IPV6_RTHDR,
	 DROP(IP6_EXTHDR, 1, UDP6 + 24 + 40)},
	{"RoCE from a foreign address", sock_foreign, PEER4, 4791, ROCE, 32, 0,
	 DROP(SRC_IP, 1, UDP4 + 32)},
	{"RoCE from a foreign address, IPv6", sock_foreign, PEER6, 4791, ROCE, 32, 0,
	 DROP(SRC_IP, 1, UDP6 + 32)},

	/* sockets that take the sender's own headers */
	{"raw socket, RoCE", sock_raw, IP4 BTH, 0, DATA, 0, 0, PASS(ROCE, 1, 74, 1)},
	{"raw socket, RoCE from a foreign address", sock_raw,
	 "eth src=$mac / ip4 src=10.9.0.77" BTH, 0, DATA, 0, 0, DROP(SRC_IP, 1, 74)},
	{"raw socket, tunnel inside the CIDRs", sock_raw, IP4 " / ip4 dst=8.8.8.8 / data 40", 0,
	 DATA, 0, 0, PASS(IP, 1, 94, 1)},
	{"raw socket, tunnel to 8.8.8.8", sock_raw, IP4 " dst=8.8.8.8 / ip4 / data 40", 0, DATA, 0,
	 0, DROP(DST_CIDR, 1, 94)},
	{"raw socket, IPv4 options", sock_raw, IP4 " ihl=8" BTH, 0, DATA, 0, 0,
	 DROP(IP_OPTIONS, 1, 86)},
	{"raw socket, first fragment of RoCE", sock_raw, IP4 " mf / udp len=400 / bth / data 16", 0,
	 DATA, 0, 0, DROP(FRAG_ROCE, 1, 70)},
	{"raw socket, malformed RoCE", sock_raw, IP4 " / udp / bth tver=1 / data 16 / icrc", 0,
	 DATA, 0, 0, DROP(ROCE_TVER, 1, 74)},
	{"raw socket, RoCE, IPv6", sock_raw6, IP6 BTH, 0, DATA, 0, 0, PASS(ROCE, 1, 94, 1)},
	{"raw socket, routing header", sock_raw6, IP6 " / rt / udp dport=9999 / data 40", 0, DATA,
	 0, 0, DROP(IP6_EXTHDR, 1, 110)},
	{"raw socket, router advertisement", sock_raw6, IP6 " hops=255 / nd type=134 / data 8", 0,
	 DATA, 0, 0, DROP(ND_BAD, 1, 70)},
	{"cooked packet socket, RoCE", sock_cooked, IP4 BTH, 0, DATA, 0, 0, PASS(ROCE, 1, 74, 1)},
	{"cooked packet socket, RoCEv1", sock_cooked, "eth src=$mac type=0x8915 / data 64", 0, DATA,
	 0, 0, DROP(ROCE_V1, 1, 78)},
	{"cooked packet socket, UDP to 8.8.8.8", sock_cooked,
	 IP4 " dst=8.8.8.8 / udp dport=53 / data 40", 0, DATA, 0, 0, DROP(DST_CIDR, 1, 82)},
};

static const int senders[] = {ORIGIN_HOST, ORIGIN_POD, ORIGIN_DEVICE};

static void run_row(struct stage *s, const struct origin *from, const struct sock_row *row)
{
	static struct outcome o;
	int r;

	outcome_begin(s, &o);
	outcome_passed(&o, from->slot, row->kind, row->passed.packets, row->passed.bytes);
	outcome_dropped(&o, from->slot, row->reason, row->dropped.packets, row->dropped.bytes);
	o.frames = row->frames;
	world_enter(from->dev->ns);
	r = row->send(from->dev, row);
	outcome_check(s, &o, r, "%s, %s %s", from->name, row->name,
		      row->reason ? "is stopped" : "passes");
}

int main(void)
{
	struct stage *s = stage_open();

	for (size_t o = 0; o < ARRAY_SIZE(senders); o++)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			run_row(s, &s->origins[senders[o]], &rows[i]);
	stage_close(s);
	return tap_done();
}
