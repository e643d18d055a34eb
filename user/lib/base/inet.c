// SPDX-License-Identifier: Apache-2.0
/*
 * Addresses as text and as the maps keep them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/inet.h"
#include "base/str.h"

static const uint8_t v4_mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int rg_mac_parse(const char *s, uint8_t ret[RG_MAC_LEN])
{
	uint8_t mac[RG_MAC_LEN];
	int i;

	for (i = 0; i < RG_MAC_LEN; i++) {
		int hi = hex_digit(s[0]);
		int lo = hi < 0 ? -1 : hex_digit(s[1]);

		if (lo < 0)
			return -EINVAL;
		mac[i] = (uint8_t)(hi << 4 | lo);
		s += 2;
		if (i == RG_MAC_LEN - 1)
			break;
		if (*s != ':' && *s != '-')
			return -EINVAL;
		s++;
	}
	if (*s)
		return -EINVAL;
	memcpy(ret, mac, sizeof(mac));
	return 0;
}

char *rg_mac_format(const uint8_t mac[RG_MAC_LEN], char buf[RG_MAC_STR_LEN])
{
	(void)snprintf(buf, RG_MAC_STR_LEN, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
		       mac[3], mac[4], mac[5]);
	return buf;
}

bool rg_mac_is_unicast(const uint8_t mac[RG_MAC_LEN])
{
	static const uint8_t zero[RG_MAC_LEN];

	return !(mac[0] & 1) && memcmp(mac, zero, sizeof(zero)) != 0;
}

bool rg_addr_is_v4(const struct rg_addr *a)
{
	return memcmp(a->b, v4_mapped, sizeof(v4_mapped)) == 0;
}

void rg_addr_from_v4(const void *v4, struct rg_addr *ret)
{
	memcpy(ret->b, v4_mapped, sizeof(v4_mapped));
	memcpy(ret->b + 12, v4, 4);
}

int rg_addr_family(const struct rg_addr *a)
{
	return rg_addr_is_v4(a) ? AF_INET : AF_INET6;
}

const uint8_t *rg_addr_raw(const struct rg_addr *a, size_t *ret_len)
{
	bool v4 = rg_addr_is_v4(a);

	*ret_len = v4 ? 4 : 16;
	return v4 ? a->b + 12 : a->b;
}

bool rg_addr_is_link_local(const struct rg_addr *a)
{
	if (rg_addr_is_v4(a))
		return a->b[12] == 169 && a->b[13] == 254;
	return a->b[0] == 0xfe && (a->b[1] & 0xc0) == 0x80;
}

bool rg_addr_is_multicast(const struct rg_addr *a)
{
	return rg_addr_is_v4(a) ? (a->b[12] & 0xf0) == 0xe0 : a->b[0] == 0xff;
}

bool rg_addr_is_zero(const struct rg_addr *a)
{
	static const uint8_t zero[16];
	size_t len;
	const uint8_t *raw = rg_addr_raw(a, &len);

	return memcmp(raw, zero, len) == 0;
}

bool rg_addr_equal(const struct rg_addr *a, const struct rg_addr *b)
{
	return memcmp(a->b, b->b, sizeof(a->b)) == 0;
}

int rg_addr_parse(const char *s, struct rg_addr *ret)
{
	struct in6_addr v6;
	struct in_addr v4;

	if (inet_pton(AF_INET, s, &v4) == 1) {
		rg_addr_from_v4(&v4, ret);
		return 0;
	}
	if (inet_pton(AF_INET6, s, &v6) == 1) {
		memcpy(ret->b, &v6, sizeof(ret->b));
		return 0;
	}
	return -EINVAL;
}

char *rg_addr_format(const struct rg_addr *a, char buf[RG_ADDR_STR_LEN])
{
	size_t len;
	const uint8_t *raw = rg_addr_raw(a, &len);

	(void)inet_ntop(rg_addr_family(a), raw, buf, RG_ADDR_STR_LEN);
	return buf;
}

int rg_cidr_parse(const char *s, struct rg_cidr_net *ret)
{
	const char *slash = strchr(s, '/');
	char text[RG_ADDR_STR_LEN];
	struct rg_cidr_net c;
	uint64_t prefix;

	if (!slash || (size_t)(slash - s) >= sizeof(text))
		return -EINVAL;
	memcpy(text, s, (size_t)(slash - s));
	text[slash - s] = '\0';
	if (rg_addr_parse(text, &c.addr) < 0)
		return -EINVAL;
	if (rg_str_u64(slash + 1, rg_addr_is_v4(&c.addr) ? 32 : 128, &prefix) < 0)
		return -EINVAL;
	c.prefix = (uint8_t)prefix;
	*ret = c;
	return 0;
}

char *rg_cidr_format(const struct rg_cidr_net *c, char buf[RG_CIDR_STR_LEN])
{
	size_t len;

	(void)rg_addr_format(&c->addr, buf);
	len = strlen(buf);
	(void)snprintf(buf + len, RG_CIDR_STR_LEN - len, "/%u", c->prefix);
	return buf;
}

bool rg_cidr_is_valid(const struct rg_cidr_net *c)
{
	return c->prefix <= (rg_addr_is_v4(&c->addr) ? 32 : 128);
}

unsigned int rg_cidr_prefix128(const struct rg_cidr_net *c)
{
	return rg_addr_is_v4(&c->addr) ? 96U + c->prefix : c->prefix;
}

struct rg_cidr_net rg_cidr_network(const struct rg_cidr_net *c)
{
	unsigned int bits = rg_cidr_prefix128(c), i;
	struct rg_cidr_net n = *c;

	for (i = 0; i < 16; i++) {
		unsigned int keep = bits > i * 8 ? bits - i * 8 : 0;

		if (keep < 8)
			n.addr.b[i] &= (uint8_t)(0xff00U >> keep);
	}
	return n;
}

bool rg_cidr_has_host_bits(const struct rg_cidr_net *c)
{
	struct rg_cidr_net n = rg_cidr_network(c);

	return !rg_addr_equal(&n.addr, &c->addr);
}

bool rg_cidr_contains(const struct rg_cidr_net *c, const struct rg_addr *a)
{
	struct rg_cidr_net net = rg_cidr_network(c);
	struct rg_cidr_net of = {.addr = *a, .prefix = c->prefix};

	if (rg_addr_is_v4(a) != rg_addr_is_v4(&c->addr))
		return false;
	of = rg_cidr_network(&of);
	return rg_addr_equal(&net.addr, &of.addr);
}
