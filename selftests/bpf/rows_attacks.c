// SPDX-License-Identifier: Apache-2.0
/*
 * A sample of what someone would try in order to get past the policy, beside what an honest
 * neighbour of it looks like. Some of it stands in the other tables too: this one is read as a
 * story.
 */
#include "rows.h"

#define SEND	"bth op=0x04 qpn=0xd2 / data 16 / icrc"
#define TO_LEAK " dst=8.8.8.8 / "
#define ALL	"dst=ff02::1 hops=255 "

static const struct row rows[] = {
	ROCE("RC SEND ONLY to a peer", "ip4 / udp / " SEND),
	CNP("CNP to a peer", "ip4 / udp / bth op=0x81 becn qpn=0xd2 / data 16 / icrc"),
	DROP(DST_CIDR, "RC SEND ONLY out of the CIDRs, strict", "ip4" TO_LEAK "udp / " SEND,
	     .on = ON_STRICT),
	DROP(ROCE_TVER, "web request to the RoCE port", "ip4 / udp / text GET/HTTP / data 32"),
	DROP(ROCE_SHORT, "one byte short of a transport header", "ip4 / udp / data 11"),
	DROP(ROCE_SHORT, "one byte short of a checksum", "ip4 / udp / bth / data 3"),
	DROP(ROCE_OPCODE, "reserved RC opcode", "ip4 / udp / bth op=0x15 / data 16 / icrc"),
	DROP(ROCE_OPCODE, "UD WRITE", "ip4 / udp / bth op=0x66 / data 16 / icrc"),
	DROP(ROCE_OPCODE, "RD opcode", "ip4 / udp / bth op=0x40 / data 16 / icrc"),
	DROP(FRAG_ROCE, "RoCE in a first fragment", "ip4 mf / udp / " SEND),
	DROP(FRAG_ROCE, "RoCE in a first fragment, IPv6", "ip6 / frag mf / udp / " SEND),
	IP("later fragment to a peer", "ip4 off=185 proto=17 / hex 04d212b7 / data 40"),
	DROP(DST_CIDR, "later fragment out of the CIDRs",
	     "ip4 dst=8.8.8.8 off=185 proto=17 / hex 04d212b7 / data 40"),
	DROP(IP_OPTIONS, "source route out of the CIDRs",
	     "ip4 ihl=8 options=830b0408080808 / udp / " SEND),
	DROP(IP6_EXTHDR, "RoCE behind destination options", "ip6 / dopt / udp / " SEND),
	DROP(IP6_EXTHDR, "segment routing out of the CIDRs",
	     "ip6 / rt words=3 type=4 segs=1 / udp / " SEND),
	DROP(VLAN, "RoCE in another VLAN", "eth / vlan vid=100 / ip4 / udp / " SEND),
	DROP(DST_CIDR, "name server out of the CIDRs", "ip4" TO_LEAK "udp dport=53 / data 30"),
	DROP(ROCE_GSO, "segments behind one good header", "ip4 / udp / bth op=0x04 / data 488",
	     .gso_size = 100, .gso_segs = 5, .packets = 5, .bytes = 542 + 4 * 42),
	DROP(SRC_IP, "foreign source address", "ip4 src=10.9.0.77 / udp / " SEND),
	DROP(MAC_SRC, "foreign source MAC", "eth src=02:de:ad:be:ef:01 / ip4 / udp / " SEND,
	     .by = BY_NOBODY),
	L2("ARP for the gateway", "eth dst=ff:ff:ff:ff:ff:ff / arp tip=10.9.0.254"),
	L2("ARP probe", "eth dst=ff:ff:ff:ff:ff:ff / arp sip=0.0.0.0 tip=10.9.0.1"),
	DROP(ARP_BAD, "ARP as the gateway", "arp op=2 sip=10.9.0.254"),
	L2("duplicate address detection",
	   "ip6 src=:: dst=ff02::1:ff00:1 hops=255 / nd target=fd09::1"),
	L2("neighbour solicitation", "ip6 dst=ff02::1:ff00:2 hops=255 / nd target=fd09::2"),
	DROP(ND_BAD, "router advertisement", "ip6 " ALL "/ nd type=134 / data 8"),
	DROP(ND_BAD, "redirect", "ip6 " ALL "/ nd type=137 / data 32"),
	DROP(ND_BAD, "neighbour advertisement as the gateway",
	     "ip6 " ALL "/ nd type=136 target=fd09::254"),
	IP("tunnel to a peer", "ip4 / ip4 dst=8.8.8.8 / tcp"),
	IP("answer from the RoCE port", "ip4 / udp sport=4791 dport=9999 / data 20"),
	DROP(PROTO_DENIED, "tunnel to a peer, strict", "ip4 / ip4 dst=8.8.8.8 / tcp",
	     .on = ON_STRICT),
	DROP(PROTO_DENIED, "answer from the RoCE port, strict",
	     "ip4 / udp sport=4791 dport=9999 / data 20", .on = ON_STRICT),
	DROP(UDP_LEN, "UDP length of 200 in 80 bytes", "ip4 / udp len=200 / bth / data 36 / icrc"),
	DROP(IP_MALFORMED, "IPv4 longer than the frame", "ip4 total=1500 / udp / " SEND),
	DROP(DST_MCAST, "DHCP discover",
	     "eth dst=ff:ff:ff:ff:ff:ff / ip4 src=0.0.0.0 dst=255.255.255.255 / "
	     "udp sport=68 dport=67 / data 240"),
	DROP(DST_MCAST, "UD to a group", "ip4 dst=224.0.0.5 / udp / bth op=0x64 / data 16 / icrc"),

	ROCE("DF and TTL 1", "ip4 df ttl=1 / udp / " SEND),
	ROCE("ECN CE", "ip4 tos=3 / udp / " SEND, .ce = 1),
	ROCE("no UDP checksum over IPv6", "ip6 / udp / " SEND),
	ROCE("source port 1024", "ip4 / udp sport=1024 / " SEND),
	ROCE("partial partition member", "ip4 / udp / bth pkey=0x7fff / data 16 / icrc"),
	ROCE("ATOMIC WRITE", "ip4 / udp / bth op=0x1d / data 24 / icrc"),
	ROCE("XRC SEND ONLY", "ip4 / udp / bth op=0xa4 / data 20 / icrc"),
	ROCE("three bytes of padding", "ip4 / udp / bth pad=3 / data 8 / icrc"),
	IP("ping", "ip4 / icmp / data 56"),
};

const struct table table_attacks = {"attacks", rows, ARRAY_SIZE(rows)};
