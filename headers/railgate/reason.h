/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Why a packet was dropped: the one list that BPF, railctl, the metrics and the documents share.
 *
 * Numbers are stable, they are read by bpftool users and stored by monitoring: append, never
 * renumber, never reuse. Names are metric label values.
 */
#ifndef RAILGATE_REASON_H
#define RAILGATE_REASON_H

/* X(number, NAME, "label", "what it means to an operator") */
#define RG_REASONS(X)                                                                           \
	X(0, PASS, "passed", "the packet may leave")                                            \
	X(1, NO_POLICY, "no_policy", "the rail has no policy loaded yet")                       \
	X(2, SHORT, "short", "a header is cut off")                                             \
	X(3, MAC_SRC, "mac_src", "source MAC belongs to no endpoint of this rail")              \
	X(4, ETHERTYPE, "ethertype", "neither ARP, IPv4 nor IPv6")                              \
	X(5, ROCE_V1, "roce_v1", "RoCEv1 (EtherType 0x8915); only RoCEv2 may pass")             \
	X(6, VLAN, "vlan", "VLAN tag that the rail does not list")                              \
	X(7, LLC, "llc", "802.3 frame with a length instead of an EtherType")                   \
	X(8, ARP_BAD, "arp_bad",                                                                \
	  "malformed ARP, or it claims an address that is not the sender's")                    \
	X(9, ND_BAD, "nd_bad", "router advertisement, redirect, or a foreign neighbour claim")  \
	X(10, IP_MALFORMED, "ip_malformed", "IP version or lengths contradict the frame")       \
	X(11, IP_OPTIONS, "ip_options", "IPv4 options")                                         \
	X(12, IP6_EXTHDR, "ip6_exthdr", "IPv6 extension header that is not allowed here")       \
	X(13, SRC_IP, "src_ip", "source address is not one of the sender's")                    \
	X(14, DST_CIDR, "dst_cidr", "destination outside the RDMA CIDRs")                       \
	X(15, DST_MCAST, "dst_mcast", "multicast or broadcast destination that is not allowed") \
	X(16, FRAG_ROCE, "frag_roce", "fragment that carries, or may carry, UDP port 4791")     \
	X(17, FRAG, "frag", "fragment (profile strict)")                                        \
	X(18, UDP_LEN, "udp_len", "UDP length contradicts the IP payload")                      \
	X(19, ROCE_SHORT, "roce_short", "UDP port 4791 payload too short for its RoCE headers") \
	X(20, ROCE_TVER, "roce_tver", "BTH transport version is not 0")                         \
	X(21, ROCE_OPCODE, "roce_opcode", "BTH opcode that no RoCE transport defines")          \
	X(22, ROCE_QPN, "roce_qpn", "destination queue pair 0, or multicast outside UD")        \
	X(23, ROCE_CNP, "roce_cnp", "CNP without BECN or of the wrong length")                  \
	X(24, ROCE_GSO, "roce_gso", "segmented (GSO) datagram to UDP port 4791")                \
	X(25, ROCE_SENDER, "roce_sender", "RoCE made by a socket, with kernelRoce deny")        \
	X(26, PROTO_DENIED, "proto_denied", "protocol or port not listed (profile strict)")     \
	X(27, RATE, "rate", "ARP, ND or MLD above the rate limit")                              \
	X(28, INTERNAL, "internal", "a helper failed; fails closed")

enum rg_reason {
#define RG_REASON_ENUM(num, name, label, text) RG_REASON_##name = num,
	RG_REASONS(RG_REASON_ENUM)
#undef RG_REASON_ENUM
		RG_REASON_MAX = 32, /* size of arrays indexed by reason; leaves room to append */
};

#endif /* RAILGATE_REASON_H */
