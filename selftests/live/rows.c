// SPDX-License-Identifier: Apache-2.0
/*
 * Frames that must not leave a rail, and beside each the near misses that must. bpf/frame.h
 * explains the texts.
 */
#include "rows.h"

#include "base/cleanup.h"

#define ETH	      "eth src=$mac / "
#define ALL	      "eth src=$mac dst=ff:ff:ff:ff:ff:ff / "
#define IP4	      ETH "ip4 src=$ip4"
#define IP6	      ETH "ip6 src=$ip6"
#define ROCE	      " / udp / bth / data 16 / icrc"
#define OTHER	      " / udp dport=9999 / data 40"
#define DNS	      " / udp dport=53 / data 40"

#define PASS(kind)    RG_REASON_PASS, KIND_##kind
#define DROP(reason)  RG_REASON_##reason, KIND_L2
#define MCAST_4	      "01:00:5e:00:00:05"
#define MCAST_MLD     "33:33:00:00:00:16"
#define SLOW_PROTOCOL "01:80:c2:00:00:02"

static const struct frame_row standard[] = {
	/* what a rail is for */
	{"RoCE", IP4 ROCE, PASS(ROCE), 0},
	{"RoCE over IPv6", IP6 ROCE, PASS(ROCE), 0},
	{"RoCE beyond the CIDRs", IP4 " dst=8.8.8.8" ROCE, PASS(ROCE), 0},
	{"CNP", IP4 " / udp / bth op=0x81 becn / data 16 / icrc", PASS(CNP), 0},
	{"RoCE with DF and TTL 1", IP4 " df ttl=1" ROCE, PASS(ROCE), 0},
	{"RoCE with ECN CE", IP4 " tos=3" ROCE, PASS(CE), 0},
	{"RoCE from port 1024", IP4 " / udp sport=1024 / bth / data 16 / icrc", PASS(ROCE), 0},
	{"RoCE of 4096 bytes", IP4 " / udp / bth / data 4096 / icrc", PASS(ROCE), 0},
	{"RoCE of 8192 bytes", IP6 " / udp / bth / data 8192 / icrc", PASS(ROCE), 0},
	{"RoCE with XRC", IP4 " / udp / bth op=0xa4 / data 20 / icrc", PASS(ROCE), 0},
	{"RoCE from the link-local GID", ETH "ip6 src=fe80::1 dst=fe80::2" ROCE, PASS(ROCE), 0},

	/* where it goes */
	{"UDP inside the CIDRs", IP4 OTHER, PASS(IP), 0},
	{"UDP to port 53 of 8.8.8.8", IP4 " dst=8.8.8.8" DNS, DROP(DST_CIDR), 0},
	{"UDP to port 53 of 8.8.8.8 of 8192 bytes", IP4 " dst=8.8.8.8 / udp dport=53 / data 8192",
	 DROP(DST_CIDR), 0},
	{"TCP inside the CIDRs", IP4 " / tcp", PASS(IP), 0},
	{"TCP to 8.8.8.8", IP4 " dst=8.8.8.8 / tcp", DROP(DST_CIDR), 0},
	{"ping inside the CIDRs", IP4 " / icmp / data 56", PASS(IP), 0},
	{"ping to 8.8.8.8", IP4 " dst=8.8.8.8 / icmp / data 56", DROP(DST_CIDR), 0},
	{"UDP to 2001:db8::1", IP6 " dst=2001:db8::1" DNS, DROP(DST_CIDR), 0},
	{"RoCE to a multicast group",
	 "eth src=$mac dst=" MCAST_4 " / ip4 src=$ip4 dst=224.0.0.5 / udp / bth op=0x64 "
	 "qpn=0xffffff / data 24 / icrc",
	 DROP(DST_MCAST), 0},
	{"DHCP discover",
	 ALL "ip4 src=0.0.0.0 dst=255.255.255.255 / udp sport=68 dport=67 / data 240",
	 DROP(DST_MCAST), 0},
	{"tunnel (IP in IP) inside the CIDRs", IP4 " / ip4 dst=8.8.8.8" DNS, PASS(IP), 0},
	{"tunnel (IP in IP) to 8.8.8.8", IP4 " dst=8.8.8.8 / ip4" DNS, DROP(DST_CIDR), 0},

	/* who sends it */
	{"forged source MAC", "eth src=02:de:ad:be:ef:01 / ip4 src=$ip4" ROCE, DROP(MAC_SRC), 0},
	{"forged source address", ETH "ip4 src=10.9.0.77" ROCE, DROP(SRC_IP), 0},
	{"forged source address, IPv6", ETH "ip6 src=fd09::77" ROCE, DROP(SRC_IP), 0},
	{"source address from outside", ETH "ip4 src=8.8.8.8" ROCE, DROP(SRC_IP), 0},

	/* what is in front of the IP header */
	{"listed VLAN", ETH "vlan vid=7 / ip4 src=$ip4" ROCE, PASS(ROCE), 0},
	{"VLAN 100", ETH "vlan vid=100 / ip4 src=$ip4" ROCE, DROP(VLAN), 0},
	{"priority tag", ETH "vlan vid=0 / ip4 src=$ip4" ROCE, DROP(VLAN), 0},
	{"listed VLAN in an 802.1ad tag", ETH "vlan tpid=0x88a8 vid=7 / ip4 src=$ip4" ROCE,
	 DROP(VLAN), 0},
	{"two tags", ETH "vlan vid=7 / vlan vid=7 / ip4 src=$ip4" ROCE, DROP(VLAN), 0},
	{"listed VLAN, UDP to 8.8.8.8", ETH "vlan vid=7 / ip4 src=$ip4 dst=8.8.8.8" DNS,
	 DROP(DST_CIDR), 0},
	{"RoCEv1", "eth src=$mac type=0x8915 / data 64", DROP(ROCE_V1), 0},
	{"802.3 length instead of an EtherType", "eth src=$mac type=0x0040 / data 64", DROP(LLC),
	 0},
	{"IP behind LLC and SNAP",
	 "eth src=$mac type=0x0050 / hex aaaa030000000800 / ip4 src=$ip4" ROCE, DROP(LLC), 0},
	{"priority flow control", "eth src=$mac type=0x8808 / hex 0101ffff / data 42",
	 DROP(ETHERTYPE), 0},
	{"unknown EtherType", "eth src=$mac type=0x88b6 / data 46", DROP(ETHERTYPE), 0},
	{"LLDP", "eth src=$mac type=0x88cc / data 46", PASS(L2), FROM_HOST},
	{"LLDP", "eth src=$mac type=0x88cc / data 46", DROP(ETHERTYPE), FROM_PODS},
	{"LACP", "eth src=$mac dst=" SLOW_PROTOCOL " type=0x8809 / hex 01 / data 100", PASS(L2),
	 FROM_HOST},
	{"LACP", "eth src=$mac dst=" SLOW_PROTOCOL " type=0x8809 / hex 01 / data 100",
	 DROP(ETHERTYPE), FROM_PODS},

	/* neighbours */
	{"ARP request", ALL "arp sha=$mac sip=$ip4", PASS(L2), 0},
	{"ARP probe", ALL "arp sha=$mac sip=0.0.0.0", PASS(L2), 0},
	{"ARP announcement", ALL "arp sha=$mac sip=$ip4 tip=$ip4", PASS(L2), 0},
	{"ARP reply for somebody else", ETH "arp op=2 sha=$mac sip=10.9.0.254", DROP(ARP_BAD), 0},
	{"ARP reply with a foreign MAC", ETH "arp op=2 sha=02:de:ad:be:ef:01 sip=$ip4",
	 DROP(ARP_BAD), 0},
	{"ARP request beyond the rail", ALL "arp sha=$mac sip=$ip4 tip=8.8.8.8", DROP(ARP_BAD), 0},
	{"neighbour solicitation", IP6 " hops=255 / nd slla=$mac", PASS(L2), 0},
	{"duplicate address detection",
	 ETH "ip6 src=:: dst=ff02::1:ff00:1 hops=255 / nd target=$ip6", PASS(L2), 0},
	{"neighbour advertisement", IP6 " hops=255 / nd type=136 target=$ip6 tlla=$mac", PASS(L2),
	 0},
	{"neighbour advertisement for somebody else",
	 IP6 " hops=255 / nd type=136 target=fd09::254 tlla=$mac", DROP(ND_BAD), 0},
	{"router advertisement", IP6 " hops=255 / nd type=134 / data 8", DROP(ND_BAD), 0},
	{"redirect", IP6 " hops=255 / nd type=137 / data 32", DROP(ND_BAD), 0},
	{"listener report",
	 "eth src=$mac dst=" MCAST_MLD " / ip6 src=:: dst=ff02::16 hops=1 / hbh / icmp6 type=143 "
	 "/ data 20",
	 PASS(L2), 0},

	/* headers */
	{"nothing behind the EtherType", "eth src=$mac type=0x0800", DROP(SHORT), 0},
	{"cut off in the IPv4 header", IP4 ROCE " / cut 30", DROP(SHORT), 0},
	{"IP version 5", IP4 " ver=5" ROCE, DROP(IP_MALFORMED), 0},
	{"IP length beyond the frame", IP4 " total=200" ROCE, DROP(IP_MALFORMED), 0},
	{"padding behind the packet", IP4 ROCE " / padto 90", PASS(ROCE), 0},
	{"IPv4 options", IP4 " ihl=8" ROCE, DROP(IP_OPTIONS), 0},
	{"destination options and RoCE", IP6 " / dopt" ROCE, DROP(IP6_EXTHDR), 0},
	{"destination options and UDP", IP6 " / dopt" OTHER, PASS(IP), 0},
	{"routing header", IP6 " / rt" OTHER, DROP(IP6_EXTHDR), 0},
	{"four extension headers", IP6 " / dopt / dopt / dopt / dopt" OTHER, PASS(IP), 0},
	{"five extension headers", IP6 " / dopt / dopt / dopt / dopt / dopt" OTHER,
	 DROP(IP6_EXTHDR), 0},
	{"no next header", IP6 " / none", DROP(IP6_EXTHDR), 0},

	/* fragments */
	{"first fragment of RoCE", IP4 " mf / udp len=400 / bth / data 16", DROP(FRAG_ROCE), 0},
	{"first fragment of other UDP", IP4 " mf / udp dport=9999 len=400 / data 40", PASS(IP), 0},
	{"later fragment inside the CIDRs", IP4 " off=185 proto=17 / data 40", PASS(IP), 0},
	{"later fragment to 8.8.8.8", IP4 " dst=8.8.8.8 off=185 proto=17 / data 40", DROP(DST_CIDR),
	 0},
	{"first fragment of RoCE, IPv6", IP6 " / frag mf / udp len=400 / bth / data 16",
	 DROP(FRAG_ROCE), 0},
	{"first fragment of other UDP, IPv6", IP6 " / frag mf / udp dport=9999 len=400 / data 40",
	 PASS(IP), 0},

	/* what claims to be RoCE */
	{"UDP length beyond the packet", IP4 " / udp len=200 / bth / data 16 / icrc", DROP(UDP_LEN),
	 0},
	{"UDP length short of the packet", IP4 " / udp dport=9999 len=20 / data 40", DROP(UDP_LEN),
	 0},
	{"11 bytes to port 4791", IP4 " / udp / data 11", DROP(ROCE_SHORT), 0},
	{"15 bytes to port 4791", IP4 " / udp / data 15", DROP(ROCE_SHORT), 0},
	{"ACK without its header", IP4 " / udp / bth op=0x11 / icrc", DROP(ROCE_SHORT), 0},
	{"ACK", IP4 " / udp / bth op=0x11 / data 4 / icrc", PASS(ROCE), 0},
	{"HTTP to port 4791", IP4 " / udp / text GET_/_HTTP/1.1 / data 40", DROP(ROCE_TVER), 0},
	{"reserved opcode 0x15", IP4 " / udp / bth op=0x15 / data 16 / icrc", DROP(ROCE_OPCODE), 0},
	{"opcode 0x66, write of UD", IP4 " / udp / bth op=0x66 / data 16 / icrc", DROP(ROCE_OPCODE),
	 0},
	{"opcode 0x40 of RD", IP4 " / udp / bth op=0x40 / data 16 / icrc", DROP(ROCE_OPCODE), 0},
	{"queue pair 0", IP4 " / udp / bth qpn=0 / data 16 / icrc", DROP(ROCE_QPN), 0},
	{"multicast queue pair outside UD", IP4 " / udp / bth qpn=0xffffff / data 16 / icrc",
	 DROP(ROCE_QPN), 0},
	{"CNP without BECN", IP4 " / udp / bth op=0x81 / data 16 / icrc", DROP(ROCE_CNP), 0},
	{"CNP of the wrong length", IP4 " / udp / bth op=0x81 becn / data 20 / icrc",
	 DROP(ROCE_CNP), 0},
	{"malformed RoCE of 8192 bytes", IP4 " / udp / bth tver=1 / data 8192 / icrc",
	 DROP(ROCE_TVER), 0},
	{"port 4791 as source", IP4 " / udp sport=4791 dport=9999 / data 40", PASS(IP), 0},
};

static const struct frame_row strict[] = {
	{"RoCE", IP4 ROCE, PASS(ROCE), 0},
	{"RoCE beyond the CIDRs", IP4 " dst=8.8.8.8" ROCE, DROP(DST_CIDR), 0},
	{"ping inside the CIDRs", IP4 " / icmp / data 56", PASS(IP), 0},
	{"UDP inside the CIDRs", IP4 OTHER, DROP(PROTO_DENIED), 0},
	{"UDP to the excepted port", IP4 " / udp dport=7777 / data 40", PASS(IP), 0},
	{"TCP inside the CIDRs", IP4 " / tcp", DROP(PROTO_DENIED), 0},
	{"tunnel (IP in IP) inside the CIDRs", IP4 " / ip4 dst=8.8.8.8" DNS, DROP(PROTO_DENIED), 0},
	{"later fragment inside the CIDRs", IP4 " off=185 proto=17 / data 40", DROP(FRAG), 0},
	{"first fragment of UDP, IPv6", IP6 " / frag mf / udp dport=7777 len=400 / data 40",
	 DROP(FRAG), 0},
};

static const struct frame_row deny[] = {
	{"RoCE that a socket made", IP4 ROCE, DROP(ROCE_SENDER), 0},
	{"RoCE that a socket made, IPv6", IP6 ROCE, DROP(ROCE_SENDER), 0},
	{"UDP inside the CIDRs", IP4 OTHER, PASS(IP), 0},
};

static const struct frame_row none[] = {
	{"RoCE", IP4 ROCE, DROP(NO_POLICY), 0},
	{"ARP request", ALL "arp sha=$mac sip=$ip4", DROP(NO_POLICY), 0},
};

static const struct frame_row off[] = {
	{"RoCE", IP4 ROCE, PASS(ROCE), 0},
	{"UDP to port 53 of 8.8.8.8", IP4 " dst=8.8.8.8" DNS, PASS(IP), 0},
	{"VLAN 100", ETH "vlan vid=100 / ip4 src=$ip4" ROCE, PASS(ROCE), 0},
};

/* Passes, but is counted as a drop as well. */
#define AUDIT(reason, kind) RG_REASON_##reason, KIND_##kind

static const struct frame_row audit[] = {
	{"RoCE", IP4 ROCE, PASS(ROCE), 0},
	{"UDP to port 53 of 8.8.8.8", IP4 " dst=8.8.8.8" DNS, AUDIT(DST_CIDR, IP), 0},
	{"forged source address", ETH "ip4 src=10.9.0.77" ROCE, AUDIT(SRC_IP, ROCE), 0},
	{"ARP reply for somebody else", ETH "arp op=2 sha=$mac sip=10.9.0.254", AUDIT(ARP_BAD, L2),
	 0},
	{"ARP request beyond the rail", ALL "arp sha=$mac sip=$ip4 tip=8.8.8.8", AUDIT(ARP_BAD, L2),
	 0},
	{"malformed RoCE", IP4 " / udp / bth tver=1 / data 16 / icrc", AUDIT(ROCE_TVER, IP), 0},
};

#define CIDRS                              \
	{                                  \
		"10.9.0.0/16", "fd09::/64" \
	}

const struct frame_group frame_groups[] = {
	{"standard",
	 {.mode = RG_MODE_ENFORCE, .vlan = 7, .cidrs = CIDRS},
	 standard,
	 ARRAY_SIZE(standard)},
	{"strict",
	 {.mode = RG_MODE_ENFORCE,
	  .profile = RG_PROFILE_STRICT,
	  .cidrs = CIDRS,
	  .allow_port = 7777},
	 strict,
	 ARRAY_SIZE(strict)},
	{"kernelRoce deny",
	 {.mode = RG_MODE_ENFORCE, .flags = RG_RAIL_KERNEL_ROCE_DENY, .cidrs = CIDRS},
	 deny,
	 ARRAY_SIZE(deny)},
	{"no policy", {.mode = RG_MODE_NONE}, none, ARRAY_SIZE(none)},
	{"audit", {.mode = RG_MODE_AUDIT, .cidrs = CIDRS}, audit, ARRAY_SIZE(audit)},
	{"off", {.mode = RG_MODE_OFF, .cidrs = CIDRS}, off, ARRAY_SIZE(off)},
};

const size_t n_frame_groups = ARRAY_SIZE(frame_groups);
