// SPDX-License-Identifier: Apache-2.0
/*
 * The other hooks: pods' own, and both directions of receiving.
 */
#include "rows.h"

#define ROCE_PL	   "udp / bth / data 16 / icrc"
#define TO_SIBLING "eth dst=02:00:00:00:09:03 / ip4 dst=10.9.0.3 / "
#define TO_POD	   "eth src=02:00:00:00:0e:01 dst=02:00:00:00:09:01 / "
#define TO_HOST	   "eth dst=02:00:00:00:0f:01 / ip4 dst=10.9.0.100 / "
#define VF	   "eth src=02:00:00:00:09:05 / ip4 src=10.9.0.5 "
#define BCAST	   "eth dst=ff:ff:ff:ff:ff:ff / "
#define POD_TX	   .at = RG_PROG_IDX_POD_TX
#define AT_VF	   .at = RG_PROG_IDX_POD_TX, .hook = BY_VF, .by = BY_VF
#define RAIL_RX	   .at = RG_PROG_IDX_RAIL_RX
#define AT_TURN	   .at = RG_PROG_IDX_RAIL_RX, .by = BY_SIBLING, .turned = 1
#define POD_RX	   .at = RG_PROG_IDX_POD_RX

static const struct row rows[] = {
	SILENT("macvlan to the wire: left to the rail", "ip4 / " ROCE_PL, POD_TX),
	SILENT("macvlan to the wire, not allowed: left to the rail", "ip4 dst=8.8.8.8 / tcp",
	       POD_TX),
	SILENT("macvlan to the host: left to the rail", TO_HOST ROCE_PL, POD_TX),
	SILENT("macvlan to a sibling: left to the rail", TO_SIBLING ROCE_PL, POD_TX),
	SILENT("macvlan to a sibling, not allowed: left to the rail", TO_SIBLING "tcp", POD_TX,
	       .on = ON_STRICT),
	DROP(MAC_SRC, "macvlan to a sibling with the sibling's own MAC",
	     "eth src=02:00:00:00:09:03 dst=02:00:00:00:09:03 / ip4 src=10.9.0.3 / tcp", POD_TX),
	DROP(MAC_SRC, "macvlan to a sibling with another pod's MAC and address",
	     "eth src=02:00:00:00:09:05 dst=02:00:00:00:09:03 / ip4 src=10.9.0.5 / " ROCE_PL,
	     POD_TX),
	DROP(MAC_SRC, "macvlan to the wire with another pod's MAC and address",
	     "eth src=02:00:00:00:09:03 / ip4 src=10.9.0.3 / " ROCE_PL, POD_TX),
	DROP(MAC_SRC, "macvlan to the wire with an unknown MAC",
	     "eth src=02:de:ad:be:ef:01 / ip4 / " ROCE_PL, POD_TX),
	SILENT("macvlan with an unknown MAC, audit: counted at the rail",
	       "eth src=02:de:ad:be:ef:01 / ip4 / " ROCE_PL, POD_TX, .on = ON_AUDIT),
	SILENT("macvlan to a sibling in private mode: left to the rail",
	       "eth dst=02:00:00:00:09:04 / ip4 dst=10.9.0.4 / tcp", POD_TX),
	DROP(MAC_SRC, "macvlan in private mode with another pod's MAC",
	     "eth dst=02:00:00:00:09:03 / ip4 / tcp", POD_TX, .hook = BY_PRIVATE, .by = BY_PRIVATE),
	SILENT("macvlan in private mode to a sibling: left to the rail",
	       "eth src=02:00:00:00:09:04 dst=02:00:00:00:09:03 / ip4 src=10.9.0.4 / tcp", POD_TX,
	       .hook = BY_PRIVATE, .by = BY_PRIVATE),
	SILENT("macvlan broadcast, allowed: counted at the rail", BCAST "arp", POD_TX),
	DROP(ARP_BAD, "macvlan broadcast, not allowed: dropped here", BCAST "arp sip=10.9.0.254",
	     POD_TX),
	SILENT("macvlan broadcast, audit: counted at the rail", BCAST "arp sip=10.9.0.254", POD_TX,
	       .on = ON_AUDIT),
	DROP(NO_POLICY, "macvlan broadcast without configuration", BCAST "arp", POD_TX,
	     .on = ON_UNSET),

	ROCE("VF", VF "/ " ROCE_PL, AT_VF),
	IP("VF, TCP", VF "/ tcp", AT_VF),
	L2("VF, ARP",
	   "eth src=02:00:00:00:09:05 dst=ff:ff:ff:ff:ff:ff / "
	   "arp sha=02:00:00:00:09:05 sip=10.9.0.5",
	   AT_VF),
	DROP(DST_CIDR, "VF, elsewhere", VF "dst=8.8.8.8 / tcp", AT_VF),
	DROP(MAC_SRC, "VF with another pod's MAC and address", "ip4 / " ROCE_PL, AT_VF),
	DROP(MAC_SRC, "VF with another pod's MAC, ARP", BCAST "arp", AT_VF),
	DROP(MAC_SRC, "VF with an unknown MAC", "eth src=02:de:ad:be:ef:01 / ip4 / " ROCE_PL,
	     AT_VF),
	DROP(SRC_IP, "VF with another pod's address", "eth src=02:00:00:00:09:05 / ip4 / " ROCE_PL,
	     AT_VF),
	DROP(ETHERTYPE, "VF with the host's MAC, LLDP",
	     "eth src=02:00:00:00:0f:01 type=0x88cc / data 46", AT_VF),
	AUDIT(DST_CIDR, IP, "VF, audit", VF "dst=8.8.8.8 / tcp", .on = ON_AUDIT, AT_VF),
	AUDIT(MAC_SRC, ROCE, "VF, audit, foreign MAC", "ip4 / " ROCE_PL, .on = ON_AUDIT, AT_VF),
	DROP(NO_POLICY, "VF without configuration", VF "/ " ROCE_PL, AT_VF, .on = ON_UNSET),

	ROCE("received, for a pod", TO_POD "ip4 src=10.9.0.2 dst=10.9.0.1 / " ROCE_PL, RAIL_RX),
	ROCE("received with CE", TO_POD "ip6 tc=3 / " ROCE_PL, RAIL_RX, .ce = 1),
	CNP("received CNP",
	    TO_POD "ip4 / udp / bth op=0x81 becn / data 16 / "
		   "icrc",
	    RAIL_RX),
	ROCE("received, for the host", TO_HOST ROCE_PL, RAIL_RX, .by = BY_HOST),
	ROCE("received, for nobody here", "eth src=02:00:00:00:0e:01 / ip4 / " ROCE_PL, RAIL_RX,
	     .by = BY_NOBODY),
	L2("received broadcast", BCAST "arp", RAIL_RX, .by = BY_NOBODY),
	IP("received, malformed RoCE",
	   TO_POD "ip4 / udp / bth tver=1 / data 16 / "
		  "icrc",
	   RAIL_RX),
	IP("received, IPv4 of length 0", TO_POD "ip4 total=0 / " ROCE_PL, RAIL_RX),
	IP("received, options", TO_POD "ip4 ihl=6 / " ROCE_PL, RAIL_RX),
	IP("received, fragment", TO_POD "ip4 mf / " ROCE_PL, RAIL_RX),
	ROCE("received with a tag", TO_POD "vlan vid=5 / ip4 / " ROCE_PL, RAIL_RX),
	L2("received neighbour solicitation", TO_POD "ip6 / nd", RAIL_RX),
	L2("received listener report", TO_POD "ip6 / hbh / icmp6 type=143", RAIL_RX),
	IP("received echo request", TO_POD "ip6 / icmp6", RAIL_RX),
	IP("received, header cut off", TO_POD "vlan / ip4 / udp / cut 34", RAIL_RX),
	L2("received, not IP",
	   "eth src=02:00:00:00:0e:01 dst=02:00:00:00:09:01 type=0x8808 / data 46", RAIL_RX),
	ROCE("received, no configuration", TO_POD "ip4 / " ROCE_PL, RAIL_RX, .on = ON_UNSET),
	IP("received segments", TO_POD "ip4 / tcp doff=8 / data 1500", RAIL_RX, .gso_size = 500,
	   .gso_segs = 3, .packets = 3, .bytes = 1566 + 2 * 66),

	ROCE("turned around for a sibling", TO_SIBLING ROCE_PL, AT_TURN),
	IP("turned around, TCP", TO_SIBLING "tcp", AT_TURN),
	L2("turned around, ARP reply", "eth dst=02:00:00:00:09:03 / arp op=2 tip=10.9.0.3",
	   AT_TURN),
	IP("turned around for a macvlan that we do not know",
	   "eth dst=02:00:00:00:09:aa / ip4 dst=10.9.0.170 / tcp", RAIL_RX, .by = BY_NOBODY,
	   .turned = 1),
	DROP(SRC_IP, "turned around, foreign address",
	     "eth dst=02:00:00:00:09:03 / ip4 src=10.9.0.77 / tcp", RAIL_RX),
	DROP(SRC_IP, "turned around, the sibling's own address",
	     "eth dst=02:00:00:00:09:03 / ip4 src=10.9.0.3 / tcp", RAIL_RX),
	DROP(ROCE_TVER, "turned around, malformed RoCE",
	     TO_SIBLING "udp / bth tver=1 / data 16 / icrc", RAIL_RX),
	DROP(DST_CIDR, "turned around for a macvlan that we do not know, elsewhere",
	     "eth dst=02:00:00:00:09:aa / ip4 dst=8.8.8.8 / tcp", RAIL_RX),
	DROP(PROTO_DENIED, "turned around, strict", TO_SIBLING "tcp", RAIL_RX, .on = ON_STRICT),
	DROP(ROCE_SENDER, "turned around, RoCE without a socket", TO_SIBLING ROCE_PL, RAIL_RX,
	     .on = ON_DENY),
	AUDIT(IP_MALFORMED, IP, "turned around, audit", TO_SIBLING "tcp / cut 50", .on = ON_AUDIT,
	      AT_TURN),
	IP("turned around, off", "eth dst=02:00:00:00:09:03 / ip4 src=10.9.0.77 / tcp",
	   .on = ON_OFF, AT_TURN),
	DROP(NO_POLICY, "turned around without configuration", TO_SIBLING ROCE_PL, RAIL_RX,
	     .on = ON_UNSET),
	IP("received, with the MAC of a macvlan that is never turned around",
	   "eth src=02:00:00:00:09:04 dst=02:00:00:00:09:03 / ip4 src=10.9.0.77 / tcp", RAIL_RX,
	   .by = BY_SIBLING),

	SILENT("pod receives, macvlan: counted at the rail",
	       "eth dst=02:00:00:00:09:01 / ip4 / " ROCE_PL, POD_RX),
	ROCE("pod receives, VF", "eth dst=02:00:00:00:09:05 / ip4 / " ROCE_PL, POD_RX,
	     .hook = BY_VF, .by = BY_VF),
	L2("pod receives, VF, broadcast", BCAST "arp", POD_RX, .hook = BY_VF, .by = BY_VF),
};

const struct table table_hooks = {"hooks", rows, ARRAY_SIZE(rows)};
