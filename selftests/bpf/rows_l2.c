// SPDX-License-Identifier: Apache-2.0
/*
 * Ethernet: tags, types, source MACs. ARP.
 */
#include "rows.h"

#define HOST	  "eth src=02:00:00:00:0f:01"
#define STRANGER  "eth src=02:de:ad:be:ef:01"
#define LACP_MAC  " dst=01:80:c2:00:00:02"
#define LLDP_MAC  " dst=01:80:c2:00:00:0e"
#define BROADCAST " dst=ff:ff:ff:ff:ff:ff"
#define ROCE_TAIL "udp / bth / data 16 / icrc"

static const struct row l2_rows[] = {
	ROCE("no tag", "ip4 / " ROCE_TAIL),
	DROP(VLAN, "802.1Q", "eth / vlan vid=100 / ip4 / " ROCE_TAIL),
	DROP(VLAN, "802.1Q, priority tag", "eth / vlan vid=0 / ip4 / " ROCE_TAIL),
	DROP(VLAN, "802.1ad", "eth / vlan vid=100 tpid=0x88a8 / ip4 / " ROCE_TAIL),
	DROP(VLAN, "802.1Q around ARP", "eth" BROADCAST " / vlan vid=7 / arp"),
	ROCE("802.1Q of the rail", "eth / vlan vid=100 / ip4 / " ROCE_TAIL, .on = ON_ALLOW),
	ROCE("802.1Q with priority", "eth / vlan vid=0xe0c8 / ip6 / " ROCE_TAIL, .on = ON_ALLOW),
	DROP(VLAN, "802.1Q of another rail", "eth / vlan vid=101 / ip4 / " ROCE_TAIL,
	     .on = ON_ALLOW),
	DROP(VLAN, "802.1ad with a VLAN of the rail",
	     "eth / vlan vid=100 tpid=0x88a8 / ip4 / " ROCE_TAIL, .on = ON_ALLOW),
	DROP(VLAN, "two tags of the rail", "eth / vlan vid=100 / vlan vid=200 / ip4 / " ROCE_TAIL,
	     .on = ON_ALLOW),
	DROP(VLAN, "802.1ad inside a tag of the rail",
	     "eth / vlan vid=100 type=0x88a8 / vlan vid=100 / ip4 / " ROCE_TAIL, .on = ON_ALLOW),
	L2("ARP with a tag of the rail", "eth" BROADCAST " / vlan vid=100 / arp", .on = ON_ALLOW),
	DROP(SRC_IP, "foreign address behind a tag of the rail",
	     "eth / vlan vid=100 / ip4 src=10.9.0.77 / " ROCE_TAIL, .on = ON_ALLOW),
	DROP(SHORT, "tag of 2 bytes", "eth / vlan vid=100 / cut 16", .on = ON_ALLOW),
	DROP(ETHERTYPE, "old QinQ type 0x9100", "eth type=0x9100 / vlan vid=100 / ip4 / udp"),

	DROP(LLC, "802.3 with LLC and IP", "eth type=46 / hex aaaa030000000800 / ip4 / udp"),
	DROP(LLC, "spanning tree", "eth dst=01:80:c2:00:00:00 type=38 / hex 424203 / data 35"),
	DROP(LLC, "type 0", "eth type=0 / data 50"),
	DROP(LLC, "largest length", "eth type=0x5ff / data 50"),
	DROP(ETHERTYPE, "smallest type", "eth type=0x600 / data 50"),
	DROP(LLC, "802.3 behind a tag of the rail", "eth / vlan vid=100 type=46 / data 46",
	     .on = ON_ALLOW),

	DROP(ROCE_V1, "RoCEv1", "eth type=0x8915 / ip6 / bth / data 16 / icrc"),
	DROP(ROCE_V1, "RoCEv1 from the host", HOST " type=0x8915 / data 60", .by = BY_HOST),
	DROP(ETHERTYPE, "next to RoCEv1", "eth type=0x8916 / data 60"),
	DROP(ETHERTYPE, "PFC", "eth dst=01:80:c2:00:00:01 type=0x8808 / hex 010100ff / data 42"),
	DROP(ETHERTYPE, "PFC from the host", HOST " type=0x8808 / hex 010100ff / data 42",
	     .by = BY_HOST),
	DROP(ETHERTYPE, "MACsec", "eth type=0x88e5 / data 50"),
	DROP(ETHERTYPE, "MPLS", "eth type=0x8847 / data 50"),
	DROP(ETHERTYPE, "PPPoE", "eth type=0x8864 / data 50"),
	DROP(ETHERTYPE, "EAPOL", "eth type=0x888e / data 50"),
	DROP(ETHERTYPE, "reverse ARP", "eth" BROADCAST " type=0x8035 / arp op=3"),

	L2("LLDP from the host", HOST LLDP_MAC " type=0x88cc / data 46", .by = BY_HOST),
	DROP(ETHERTYPE, "LLDP from a pod", "eth" LLDP_MAC " type=0x88cc / data 46"),
	DROP(ETHERTYPE, "LLDP from a stranger", STRANGER LLDP_MAC " type=0x88cc / data 46",
	     .by = BY_NOBODY),
	L2("LACP from the host", HOST LACP_MAC " type=0x8809 / hex 01 / data 109", .by = BY_HOST),
	DROP(ETHERTYPE, "LACP from a pod", "eth" LACP_MAC " type=0x8809 / hex 01 / data 109"),
	DROP(ETHERTYPE, "slow protocol other than LACP from the host",
	     HOST LACP_MAC " type=0x8809 / hex 03 / data 109", .by = BY_HOST),

	ROCE("source MAC of the host", HOST " / ip4 src=10.9.0.100 / " ROCE_TAIL, .by = BY_HOST),
	DROP(MAC_SRC, "unknown source MAC", STRANGER " / ip4 / " ROCE_TAIL, .by = BY_NOBODY),
	DROP(MAC_SRC, "unknown source MAC, IPv6", STRANGER " / ip6 / " ROCE_TAIL, .by = BY_NOBODY),
	DROP(MAC_SRC, "unknown source MAC, link-local source",
	     STRANGER " / ip6 src=fe80::1 / " ROCE_TAIL, .by = BY_NOBODY),
	DROP(MAC_SRC, "unknown source MAC, unspecified source",
	     STRANGER " / ip6 src=:: dst=ff02::1:ff00:1 hops=255 / nd target=fd09::1",
	     .by = BY_NOBODY),
	DROP(MAC_SRC, "unknown source MAC, ARP", STRANGER BROADCAST " / arp", .by = BY_NOBODY),
	DROP(MAC_SRC, "group source MAC", "eth src=03:00:00:00:09:01 / ip4 / " ROCE_TAIL,
	     .by = BY_NOBODY),
	DROP(MAC_SRC, "one bit of the MAC", "eth src=02:00:00:00:09:00 / ip4 / " ROCE_TAIL,
	     .by = BY_NOBODY),
	DROP(SRC_IP, "MAC of one pod, address of another", "ip4 src=10.9.0.3 / " ROCE_TAIL),
	DROP(SRC_IP, "MAC of a pod, address of the host", "ip4 src=10.9.0.100 / " ROCE_TAIL),

	DROP(DST_MCAST, "broadcast frame around a unicast packet",
	     "eth" BROADCAST " / ip4 / " ROCE_TAIL),
	DROP(DST_MCAST, "multicast frame around a unicast packet",
	     "eth dst=33:33:00:00:00:01 / ip6 / " ROCE_TAIL),
};

const struct table table_l2 = {"Ethernet", l2_rows, ARRAY_SIZE(l2_rows)};

#define ARP "eth" BROADCAST " / arp"

static const struct row arp_rows[] = {
	L2("request", ARP " tip=10.9.0.254"),
	L2("request, unicast", "arp tip=10.9.0.254"),
	L2("request in the RDMA CIDRs but not on link", ARP " tip=10.9.200.1"),
	L2("request on link but not in the RDMA CIDRs", ARP " tip=192.168.7.1"),
	L2("request by the host", HOST BROADCAST " / arp sha=02:00:00:00:0f:01 sip=10.9.0.100",
	   .by = BY_HOST),
	L2("probe of the own address", ARP " sip=0.0.0.0 tip=10.9.0.1"),
	L2("probe of another address on link", ARP " sip=0.0.0.0 tip=10.9.0.50"),
	L2("announcement", ARP " tip=10.9.0.1"),
	L2("announcement as reply", ARP " op=2 tip=10.9.0.1"),
	L2("reply", "arp op=2 tha=02:00:00:00:09:02"),
	L2("reply to a probe", "arp op=2 tha=02:00:00:00:09:02 tip=0.0.0.0"),
	L2("padded to 60 bytes", ARP " / padto 60"),
	DROP(ARP_BAD, "reply that claims the gateway", "arp op=2 sip=10.9.0.254"),
	DROP(ARP_BAD, "request that claims the gateway", ARP " sip=10.9.0.254"),
	DROP(ARP_BAD, "request with a sibling's address", ARP " sip=10.9.0.3"),
	DROP(ARP_BAD, "reply from nobody", "arp op=2 sip=0.0.0.0"),
	DROP(ARP_BAD, "sender MAC is not the frame's", ARP " sha=02:00:00:00:09:03"),
	DROP(ARP_BAD, "sender MAC and address of a sibling",
	     ARP " sha=02:00:00:00:09:03 sip=10.9.0.3"),
	DROP(ARP_BAD, "target outside of everything", ARP " tip=8.8.8.8"),
	DROP(ARP_BAD, "probe outside of everything", ARP " sip=0.0.0.0 tip=8.8.8.8"),
	DROP(ARP_BAD, "request for 0.0.0.0", ARP " tip=0.0.0.0"),
	DROP(ARP_BAD, "probe for 0.0.0.0", ARP " sip=0.0.0.0 tip=0.0.0.0"),
	DROP(ARP_BAD, "reply outside of everything", "arp op=2 tip=8.8.8.8"),
	DROP(ARP_BAD, "operation 3", ARP " op=3"),
	DROP(ARP_BAD, "operation 0", ARP " op=0"),
	DROP(ARP_BAD, "inverse ARP", ARP " op=8"),
	DROP(ARP_BAD, "hardware type 6", ARP " htype=6"),
	DROP(ARP_BAD, "protocol IPv6", ARP " ptype=0x86dd"),
	DROP(ARP_BAD, "hardware address of 8 bytes", ARP " hlen=8"),
	DROP(ARP_BAD, "protocol address of 16 bytes", ARP " plen=16"),
	DROP(SHORT, "one byte missing", ARP " / cut 41"),
	L2("no byte missing", ARP " / cut 42"),
};

const struct table table_arp = {"ARP", arp_rows, ARRAY_SIZE(arp_rows)};
