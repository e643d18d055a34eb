// SPDX-License-Identifier: Apache-2.0
/*
 * The words for what the maps hold as numbers.
 */
#include <netinet/in.h>
#include <railgate/endpoint.h>
#include <railgate/event.h>
#include <railgate/policy.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "base/str.h"
#include "names.h"

#define V4_MAPPED_BITS 96

static const char *pick(const char *const *names, size_t n, unsigned int i)
{
	return i < n && names[i] ? names[i] : "unknown";
}

const char *rg_name_mode(unsigned int mode)
{
	static const char *const names[] = {
		[RG_MODE_NONE] = "none",
		[RG_MODE_ENFORCE] = "enforce",
		[RG_MODE_AUDIT] = "audit",
		[RG_MODE_OFF] = "off",
	};

	return pick(names, ARRAY_SIZE(names), mode);
}

const char *rg_name_profile(unsigned int profile)
{
	static const char *const names[] = {
		[RG_PROFILE_STANDARD] = "standard",
		[RG_PROFILE_STRICT] = "strict",
	};

	return pick(names, ARRAY_SIZE(names), profile);
}

const char *rg_name_from(unsigned int from)
{
	static const char *const names[] = {
		[RG_FROM_HOST] = "host",
		[RG_FROM_PODS] = "pods",
		[RG_FROM_HOST | RG_FROM_PODS] = "any",
	};

	return pick(names, ARRAY_SIZE(names), from);
}

const char *rg_name_hook(unsigned int hook)
{
	static const char *const names[] = {
		[RG_HOOK_RAIL_TX] = "rail-tx",
		[RG_HOOK_RAIL_RX] = "rail-rx",
		[RG_HOOK_POD_TX] = "pod-tx",
		[RG_HOOK_POD_RX] = "pod-rx",
	};

	return pick(names, ARRAY_SIZE(names), hook);
}

const char *rg_name_kind(unsigned int kind)
{
	static const char *const names[] = {
		[RG_KIND_HOST] = "host",
		[RG_KIND_UNKNOWN] = "unknown",
		[RG_KIND_MACVLAN] = "macvlan",
		[RG_KIND_SRIOV] = "sriov",
		[RG_KIND_HOST_DEVICE] = "host-device",
		[RG_KIND_IB_SRIOV] = "ib-sriov",
		[RG_KIND_CHAINED] = "chained",
	};

	return pick(names, ARRAY_SIZE(names), kind);
}

const char *rg_name_proto(uint8_t proto, char buf[RG_PROTO_NAME_SIZE])
{
	static const struct {
		uint8_t proto;
		const char *name;
	} known[] = {
		{IPPROTO_TCP, "tcp"},	{IPPROTO_UDP, "udp"},	    {IPPROTO_SCTP, "sctp"},
		{IPPROTO_ICMP, "icmp"}, {IPPROTO_ICMPV6, "icmpv6"}, {IPPROTO_IPIP, "ipip"},
		{IPPROTO_GRE, "gre"},	{IPPROTO_IGMP, "igmp"},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].proto == proto)
			return known[i].name;
	(void)rg_str_format(buf, RG_PROTO_NAME_SIZE, "protocol %u", proto);
	return buf;
}

static void allow_network(const struct rg_allow *allow, char buf[RG_CIDR_STR_LEN])
{
	struct rg_cidr_net net = {.prefix = allow->to_prefix};

	memcpy(net.addr.b, allow->to, sizeof(net.addr.b));
	if (!allow->to_prefix) {
		(void)rg_str_copy(buf, RG_CIDR_STR_LEN, "any");
		return;
	}
	if (rg_addr_is_v4(&net.addr) && net.prefix >= V4_MAPPED_BITS)
		net.prefix = (uint8_t)(net.prefix - V4_MAPPED_BITS);
	(void)rg_cidr_format(&net, buf);
}

char *rg_name_allow(const struct rg_allow *allow, char *buf, size_t size)
{
	char proto[RG_PROTO_NAME_SIZE], to[RG_CIDR_STR_LEN], port[16] = "";

	if (allow->port)
		(void)rg_str_format(port, sizeof(port), " port %u", allow->port);
	allow_network(allow, to);
	(void)rg_str_format(buf, size, "%s%s to %s from %s", rg_name_proto(allow->proto, proto),
			    port, to, rg_name_from(allow->from));
	return buf;
}
