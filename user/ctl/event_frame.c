// SPDX-License-Identifier: Apache-2.0
/*
 * A frame described as a drop event would describe it.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "base/inet.h"
#include "event.h"

#define VLAN_BYTES 4
#define IP4_BYTES  20
#define IP6_BYTES  40

/* A frame and how far it has been read. */
struct cursor {
	const uint8_t *data;
	size_t len;
	size_t at;
};

static bool holds(const struct cursor *c, size_t n)
{
	return c->len >= c->at && c->len - c->at >= n;
}

static uint16_t u16(const struct cursor *c, size_t offset)
{
	return (uint16_t)(c->data[c->at + offset] << 8 | c->data[c->at + offset + 1]);
}

static void read_ports(struct cursor *c, struct rg_event *ret)
{
	if ((ret->proto != IPPROTO_TCP && ret->proto != IPPROTO_UDP &&
	     ret->proto != IPPROTO_SCTP) ||
	    !holds(c, 4))
		return;
	ret->sport = u16(c, 0);
	ret->dport = u16(c, 2);
}

static void read_ip4(struct cursor *c, struct rg_event *ret)
{
	struct rg_addr a;
	bool later;

	if (!holds(c, IP4_BYTES))
		return;
	rg_addr_from_v4(c->data + c->at + 12, &a);
	memcpy(ret->saddr, a.b, sizeof(ret->saddr));
	rg_addr_from_v4(c->data + c->at + 16, &a);
	memcpy(ret->daddr, a.b, sizeof(ret->daddr));
	ret->proto = c->data[c->at + 9];
	later = u16(c, 6) & 0x1fff;
	c->at += (size_t)(c->data[c->at] & 0xf) * 4;
	if (!later)
		read_ports(c, ret);
}

static void read_ip6(struct cursor *c, struct rg_event *ret)
{
	if (!holds(c, IP6_BYTES))
		return;
	memcpy(ret->saddr, c->data + c->at + 8, sizeof(ret->saddr));
	memcpy(ret->daddr, c->data + c->at + 24, sizeof(ret->daddr));
	ret->proto = c->data[c->at + 6];
	c->at += IP6_BYTES;
	read_ports(c, ret);
}

void rg_event_of_frame(const uint8_t *data, size_t len, struct rg_event *ret)
{
	struct cursor c = {data, len, 0};
	uint16_t type;

	memset(ret, 0, sizeof(*ret));
	ret->frame_bytes = (uint32_t)len;
	ret->header_bytes = (uint16_t)(len < sizeof(ret->header) ? len : sizeof(ret->header));
	memcpy(ret->header, data, ret->header_bytes);
	if (!holds(&c, ETH_HLEN))
		return;
	type = u16(&c, 12);
	c.at = ETH_HLEN;
	if ((type == ETH_P_8021Q || type == ETH_P_8021AD) && holds(&c, VLAN_BYTES)) {
		type = u16(&c, 2);
		c.at += VLAN_BYTES;
	}
	ret->ethertype = type;
	if (type == ETH_P_IP)
		read_ip4(&c, ret);
	else if (type == ETH_P_IPV6)
		read_ip6(&c, ret);
}
