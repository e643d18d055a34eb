// SPDX-License-Identifier: Apache-2.0
/*
 * ICMPv6: neighbour discovery, router messages, multicast listeners.
 */
#include "rows.h"

#define HOST	"eth src=02:00:00:00:0f:01 / "
#define MY_MAC	"02:00:00:00:09:01"
#define MY_LL	"fe80::ff:fe00:901"
#define FOREIGN "02:00:00:00:09:03"
#define SOL	"dst=ff02::1:ff00:2 hops=255"
#define ALL	"dst=ff02::1 hops=255"
#define MLD	"dst=ff02::16 hops=1 / hbh / icmp6 type=143 / data 20"

static const struct row rows[] = {
	L2("solicitation", "ip6 " SOL " / nd slla=" MY_MAC),
	L2("solicitation without option", "ip6 " SOL " / nd"),
	L2("solicitation from the link-local address",
	   "ip6 src=" MY_LL " " SOL " / nd slla=" MY_MAC),
	L2("solicitation, unicast", "ip6 hops=255 / nd slla=" MY_MAC),
	L2("solicitation, unicast, link-local", "ip6 dst=fe80::2 hops=255 / nd target=fe80::2"),
	L2("solicitation, unicast, on link", "ip6 dst=fd77::2 hops=255 / nd target=fd77::2"),
	L2("solicitation behind a hop-by-hop header", "ip6 " SOL " / hbh / nd slla=" MY_MAC),
	L2("solicitation with a nonce", "ip6 " SOL " / nd slla=" MY_MAC " / hex 0e01010203040506"),
	DROP(ND_BAD, "solicitation with hop limit 254", "ip6 dst=ff02::1:ff00:2 hops=254 / nd"),
	DROP(ND_BAD, "solicitation with a foreign MAC", "ip6 " SOL " / nd slla=" FOREIGN),
	DROP(ND_BAD, "solicitation with a foreign MAC behind a nonce",
	     "ip6 " SOL " / nd / hex 0e010102030405060101020000000903"),
	DROP(ND_BAD, "solicitation with a long link-layer address",
	     "ip6 " SOL " / nd / hex 0102020000000901 / data 8"),
	DROP(ND_BAD, "solicitation with an option of length 0", "ip6 " SOL " / nd / data 8"),
	DROP(ND_BAD, "solicitation with half an option", "ip6 " SOL " / nd / hex 0e010102"),
	DROP(ND_BAD, "solicitation with an option beyond the end",
	     "ip6 " SOL " / nd / hex 0e02010203040506"),
	DROP(ND_BAD, "solicitation with five options",
	     "ip6 " SOL " / nd / hex 0e010000000000000e010000000000000e010000000000000e01"
	     "0000000000000e01000000000000"),
	L2("solicitation with four options",
	   "ip6 " SOL
	   " / nd / hex 0e010000000000000e010000000000000e010000000000000e01000000000000"),
	DROP(ND_BAD, "solicitation for a group", "ip6 " SOL " / nd target=ff02::2"),
	DROP(ND_BAD, "solicitation cut off", "ip6 " SOL " / icmp6 type=135 / data 15"),
	DROP(ND_BAD, "solicitation from a foreign link-local address",
	     "ip6 src=fe80::1 " SOL " / nd slla=" MY_MAC),
	L2("solicitation from a registered link-local address",
	   HOST "ip6 src=fe80::abcd " SOL " / nd", .by = BY_HOST),
	DROP(ND_BAD, "solicitation from another's registered link-local address",
	     "ip6 src=fe80::abcd " SOL " / nd"),
	DROP(SRC_IP, "solicitation from a sibling's address", "ip6 src=fd09::3 " SOL " / nd"),
	DROP(DST_CIDR, "solicitation to elsewhere", "ip6 dst=2001:db8::1 hops=255 / nd"),
	DROP(DST_MCAST, "solicitation to a group beyond the link", "ip6 dst=ff05::1 hops=255 / nd"),

	L2("duplicate detection of the own address", "ip6 src=:: " SOL " / nd target=fd09::1"),
	L2("duplicate detection of the own link-local address",
	   "ip6 src=:: " SOL " / nd target=" MY_LL),
	DROP(ND_BAD, "duplicate detection of a sibling's address",
	     "ip6 src=:: " SOL " / nd target=fd09::3"),
	DROP(ND_BAD, "duplicate detection of a foreign link-local address",
	     "ip6 src=:: " SOL " / nd target=fe80::1"),
	L2("duplicate detection by the host of an address to be",
	   HOST "ip6 src=:: " SOL " / nd target=fd09::4711", .by = BY_HOST),
	L2("duplicate detection by the host of a link-local address to be",
	   HOST "ip6 src=:: " SOL " / nd target=fe80::4711", .by = BY_HOST),
	DROP(ND_BAD, "duplicate detection by the host of an address outside",
	     HOST "ip6 src=:: " SOL " / nd target=2001:db8::1", .by = BY_HOST),

	L2("advertisement", "ip6 hops=255 / nd type=136 target=fd09::1 tlla=" MY_MAC),
	L2("advertisement to all", "ip6 " ALL " / nd type=136 target=fd09::1 tlla=" MY_MAC),
	L2("advertisement of the own link-local address",
	   "ip6 src=" MY_LL " dst=fe80::2 hops=255 / nd type=136 target=" MY_LL " tlla=" MY_MAC),
	L2("advertisement by the host of its link-local address",
	   HOST "ip6 src=fe80::abcd " ALL " / nd type=136 target=fe80::abcd", .by = BY_HOST),
	DROP(ND_BAD, "advertisement of the gateway", "ip6 " ALL " / nd type=136 target=fd09::254"),
	DROP(ND_BAD, "advertisement of no address", "ip6 " ALL " / nd type=136 target=::"),
	DROP(ND_BAD, "duplicate detection of no address", "ip6 src=:: " SOL " / nd target=::"),
	DROP(ND_BAD, "advertisement of a sibling", "ip6 " ALL " / nd type=136 target=fd09::3"),
	DROP(ND_BAD, "advertisement of a foreign link-local address",
	     "ip6 " ALL " / nd type=136 target=fe80::1"),
	DROP(ND_BAD, "advertisement by the host of an address to be",
	     HOST "ip6 src=fd09::100 " ALL " / nd type=136 target=fd09::4711", .by = BY_HOST),
	DROP(ND_BAD, "advertisement with a foreign MAC",
	     "ip6 " ALL " / nd type=136 target=fd09::1 tlla=" FOREIGN),
	DROP(ND_BAD, "advertisement with hop limit 64", "ip6 / nd type=136 target=fd09::1"),
	DROP(SRC_IP, "advertisement from the unspecified address",
	     "ip6 src=:: " ALL " / nd type=136 target=fd09::1"),

	L2("router solicitation", "ip6 src=" MY_LL " dst=ff02::2 hops=255 / nd type=133"),
	L2("router solicitation, unspecified source",
	   "ip6 src=:: dst=ff02::2 hops=255 / nd type=133"),
	DROP(ND_BAD, "router solicitation with hop limit 64",
	     "ip6 src=" MY_LL " dst=ff02::2 / nd type=133"),
	DROP(ND_BAD, "router advertisement", "ip6 src=" MY_LL " " ALL " / nd type=134 / data 8"),
	DROP(ND_BAD, "router advertisement, unicast, by the host",
	     HOST "ip6 src=fd09::100 hops=255 / nd type=134 / data 8", .by = BY_HOST),
	DROP(ND_BAD, "router advertisement behind a header",
	     "ip6 src=" MY_LL " " ALL " / dopt / nd type=134 / data 8"),
	DROP(ND_BAD, "redirect", "ip6 hops=255 / nd type=137 / data 32"),
	DROP(ND_BAD, "advertisement as first fragment",
	     "ip6 " ALL " / frag mf / nd type=136 target=fd09::254"),
	DROP(ND_BAD, "fragment that hides its ICMPv6 type", "ip6 " ALL " / frag mf / dopt nh=58"),
	DROP(DST_MCAST, "later fragment of ICMPv6 to all",
	     "ip6 " ALL " / frag off=1 nh=58 / data 8"),
	IP("first fragment of an echo request", "ip6 / frag mf / icmp6 / data 8"),

	L2("listener report", "ip6 src=" MY_LL " " MLD),
	L2("listener report before there is an address", "ip6 src=:: " MLD),
	L2("listener report, version 1",
	   "ip6 src=" MY_LL " dst=ff05::123 hops=1 / hbh / icmp6 type=131 / data 16"),
	L2("listener done",
	   "ip6 src=" MY_LL " dst=ff02::2 hops=1 / hbh / icmp6 type=132 / data 16"),
	DROP(DST_MCAST, "listener report on a rail without IPv6", "ip6 src=" MY_LL " " MLD,
	     .on = ON_V4),
	DROP(ND_BAD, "listener query",
	     "ip6 src=" MY_LL " dst=ff02::1 hops=1 / hbh / icmp6 type=130 / "
	     "data 20"),
	DROP(ND_BAD, "listener report with hop limit 2",
	     "ip6 src=" MY_LL " dst=ff02::16 hops=2 / hbh / icmp6 type=143 / data 20"),
	DROP(ND_BAD, "listener report, unicast",
	     "ip6 src=" MY_LL " dst=fd09::2 hops=1 / icmp6 type=143"),
	DROP(ND_BAD, "listener report from a global address", "ip6 " MLD),

	IP("echo request", "ip6 / icmp6 / data 56"),
	IP("echo request from the link-local address", "ip6 src=" MY_LL " / icmp6 / data 56"),
	IP("destination unreachable", "ip6 / icmp6 type=1 / data 48"),
	DROP(DST_CIDR, "echo request to elsewhere", "ip6 dst=2001:db8::1 / icmp6"),
	DROP(DST_CIDR, "echo request to a link-local address", "ip6 dst=fe80::2 / icmp6"),
	DROP(DST_MCAST, "echo request to all", "ip6 dst=ff02::1 / icmp6"),
	DROP(SRC_IP, "echo request from the unspecified address", "ip6 src=:: / icmp6"),
	DROP(IP_MALFORMED, "ICMPv6 of 7 bytes", "ip6 nh=58 / data 7"),
	IP("ICMPv4 of type 134", "ip4 / icmp type=134 / data 8"),
	IP("ICMPv6 number inside IPv4", "ip4 proto=58 / hex 8600000000000000"),
};

const struct table table_icmp6 = {"ICMPv6", rows, ARRAY_SIZE(rows)};
