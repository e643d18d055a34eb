// SPDX-License-Identifier: Apache-2.0
/*
 * What is said about a drop reason.
 */
#include <errno.h>
#include <railgate/reason.h>
#include <stdint.h>

#include "base/str.h"
#include "reason.h"

static const struct {
	const char *label;
	const char *meaning;
} reasons[RG_REASON_MAX] = {
#define RG_REASON_TEXT(num, name, label, text) [num] = {label, text},
	RG_REASONS(RG_REASON_TEXT)
#undef RG_REASON_TEXT
};

/* Reasons without an entry are malformed packets: the sender has to be found, nothing to set. */
static const char *const remedies[RG_REASON_MAX] = {
	[RG_REASON_NO_POLICY] = "start railgated, or look into its log for a refused configuration",
	[RG_REASON_MAC_SRC] = "the pod changed its MAC, or the interface was not added by railgate",
	[RG_REASON_ETHERTYPE] = "find the sender; rails carry ARP, IPv4 and IPv6 only",
	[RG_REASON_ROCE_V1] = "set the RDMA device or application to RoCEv2 (GID type v2)",
	[RG_REASON_VLAN] = "list the VLAN under the rail's \"vlans\" if it belongs there",
	[RG_REASON_ARP_BAD] = "address set by hand or ARP spoofing; addresses come from IPAM",
	[RG_REASON_ND_BAD] = "address set by hand, a router or spoofing in the pod",
	[RG_REASON_SRC_IP] = "give the address by IPAM, or bind the socket to the rail's address",
	[RG_REASON_DST_CIDR] = "not for the rail: fix the route that points there, or add the "
			       "network to rdmaCidrs or an exception to policy.allow",
	[RG_REASON_DST_MCAST] = "harmless if it is IPv6's own noise on a rail without IPv6; for "
				"DHCP allow \"dhcp\"",
	[RG_REASON_FRAG_ROCE] = "RoCE is never fragmented: lower the sender's MTU",
	[RG_REASON_FRAG] = "lower the sender's MTU, or use profile standard",
	[RG_REASON_ROCE_SENDER] = "a socket imitates RoCE; with soft-RoCE set kernelRoce to allow",
	[RG_REASON_ROCE_GSO] = "a socket with UDP_SEGMENT sends to port 4791: not RoCE",
	[RG_REASON_PROTO_DENIED] = "add the protocol to policy.allow, or use profile standard",
	[RG_REASON_RATE] = "an ARP or ND storm: look for a scan or a loop in the pod",
	[RG_REASON_INTERNAL] = "report it with the output of railctl doctor",
};

static const char malformed[] = "malformed packet: find the program that makes it (railctl watch)";

const char *rg_reason_label(unsigned int reason)
{
	return reason < RG_REASON_MAX && reasons[reason].label ? reasons[reason].label : "unknown";
}

const char *rg_reason_meaning(unsigned int reason)
{
	return reason < RG_REASON_MAX && reasons[reason].meaning ? reasons[reason].meaning
								 : "a reason of a newer version";
}

const char *rg_reason_remedy(unsigned int reason)
{
	return reason < RG_REASON_MAX && remedies[reason] ? remedies[reason] : malformed;
}

int rg_reason_find(const char *text)
{
	uint64_t n;
	size_t i;

	for (i = 0; i < RG_REASON_MAX; i++)
		if (rg_str_equal(reasons[i].label, text))
			return (int)i;
	if (rg_str_u64(text, RG_REASON_MAX - 1, &n) == 0 && reasons[n].label)
		return (int)n;
	return -EINVAL;
}
