// SPDX-License-Identifier: Apache-2.0
/*
 * Honest frames of every kind that the policy knows, between the endpoints of the scene and
 * others.
 */
#include "gen.h"

#include <arpa/inet.h>
#include <string.h>

#include "bpf/scene.h"

static const char *const macs[] = {"\x02\0\0\0\x09\x01", "\x02\0\0\0\x09\x03",
				   "\x02\0\0\0\x09\x04", "\x02\0\0\0\x09\x05",
				   "\x02\0\0\0\x09\x07", "\x02\0\0\0\x09\x08",
				   "\x02\0\0\0\x0f\x01", "\x02\xde\xad\0\0\x01"};
static const uint8_t hosts[] = {1, 3, 4, 5, 7, 8, 100, 77};
static const char *const dst4[] = {"10.9.0.2",	 "10.9.200.1",	    "172.20.1.1",   "8.8.8.8",
				   "224.0.0.5",	 "255.255.255.255", "192.0.2.9",    "198.51.100.3",
				   "127.0.0.1",	 "0.0.0.0",	    "203.0.113.40", "224.0.1.129",
				   "192.168.7.1"};
static const char *const dst6[] = {"fd09::2",	"fd77::9",	"2001:db8::1",	 "ff02::1",
				   "ff02::1:2", "fe80::7",	"::1",		 "::ffff:10.9.0.2",
				   "ff05::2",	"2001:4860::8", "2001:db8:5::1", "ff02::16"};
static const uint8_t opcodes[] = {0x00, 0x04, 0x05, 0x06, 0x0a, 0x0b, 0x0c, 0x0d, 0x10, 0x11,
				  0x12, 0x13, 0x14, 0x17, 0x1c, 0x1d, 0x24, 0x2a, 0x64, 0x65,
				  0x81, 0x81, 0xa4, 0xac, 0xb3, 0xb6, 0x15, 0x40, 0x66, 0xc0};
static const uint16_t ports[] = {4791, 4791, 4791, 53, 67, 547, 319, 22, 179, 443, 5000, 4790};

#define PICK(g, list) ((list)[gen_random(g, sizeof(list) / sizeof((list)[0]))])

uint32_t gen_random(struct gen *g, uint32_t limit)
{
	/* xorshift64*, G. Marsaglia and S. Vigna */
	g->state ^= g->state >> 12;
	g->state ^= g->state << 25;
	g->state ^= g->state >> 27;
	return (uint32_t)(g->state * 0x2545f4914f6cdd1dULL >> 33) % limit;
}

void gen_start(struct gen *g, uint64_t seed)
{
	memset(g, 0, sizeof(*g));
	g->state = seed * 0x9e3779b97f4a7c15ULL | 1;
}

static void put(struct gen *g, const void *bytes, size_t n)
{
	memcpy(g->data + g->len, bytes, n);
	g->len += n;
}

static void put8(struct gen *g, uint32_t v)
{
	g->data[g->len++] = (uint8_t)v;
}

static void put16(struct gen *g, uint32_t v)
{
	put8(g, v >> 8);
	put8(g, v);
}

static void put_zero(struct gen *g, size_t n)
{
	memset(g->data + g->len, 0, n);
	g->len += n;
}

static void set16(struct gen *g, size_t at, size_t v)
{
	g->data[at] = (uint8_t)(v >> 8);
	g->data[at + 1] = (uint8_t)v;
}

static void put_addr(struct gen *g, const char *text)
{
	uint8_t raw[16];
	int family = strchr(text, ':') ? AF_INET6 : AF_INET;

	(void)inet_pton(family, text, raw);
	put(g, raw, family == AF_INET6 ? 16 : 4);
}

/* The sender's own address mostly, else what it must not send from. */
static void put_src6(struct gen *g, unsigned int who, const uint8_t *mac)
{
	uint8_t a[16] = {0xfd, 0x09};

	switch (gen_random(g, 12)) {
	case 0:
		memset(a, 0, sizeof(a)); /* :: */
		break;
	case 1:
	case 2: /* link-local, of the MAC or not */
		memset(a, 0, sizeof(a));
		a[0] = 0xfe;
		a[1] = 0x80;
		a[8] = mac[0] ^ 2;
		memcpy(a + 9, mac + 1, 2);
		a[11] = 0xff;
		a[12] = 0xfe;
		memcpy(a + 13, mac + 3, 3);
		a[15] = (uint8_t)(a[15] ^ (gen_random(g, 3) == 0));
		break;
	case 3:
		a[15] = PICK(g, hosts);
		break;
	case 4:
		memset(a, 0, sizeof(a));
		a[10] = a[11] = 0xff;
		a[12] = 10;
		a[13] = 9;
		a[15] = hosts[who];
		break;
	default:
		a[14] = hosts[who] == 100;
		a[15] = hosts[who] == 100 ? 0 : hosts[who];
		break;
	}
	put(g, a, sizeof(a));
}

static void put_roce(struct gen *g)
{
	uint8_t op = PICK(g, opcodes);
	size_t body = op == 0x81 ? 16 : gen_random(g, 48);

	put8(g, op);
	put8(g, gen_random(g, 8) ? 0 : gen_random(g, 4) << 4);
	put16(g, 0xffff);
	put8(g, op == 0x81 ? 0x40 : 0);
	put8(g, gen_random(g, 20) ? 0 : 0xff);
	put16(g, gen_random(g, 20) ? 0xd2 : gen_random(g, 2) * 0xffff);
	put_zero(g, 4 + body + 4);
}

static void put_udp(struct gen *g)
{
	size_t at = g->len;
	uint16_t port = PICK(g, ports);

	put16(g, 0xc000);
	put16(g, port);
	put_zero(g, 4);
	if (port == 4791)
		put_roce(g);
	else
		put_zero(g, gen_random(g, 40));
	set16(g, at + 4, g->len - at);
}

static void put_tcp(struct gen *g)
{
	put16(g, gen_random(g, 2) ? 179 : 40000);
	put16(g, PICK(g, ports));
	put_zero(g, 8);
	put8(g, 0x50);
	put8(g, gen_random(g, 2) ? 0x10 : 0x02);
	put_zero(g, 6 + gen_random(g, 20));
}

static void put_icmp6(struct gen *g, unsigned int who, const uint8_t *mac)
{
	static const uint8_t types[] = {128, 133, 135, 135, 136, 136, 131, 143, 130, 134, 137, 1};
	uint8_t type = PICK(g, types);

	put8(g, type);
	put_zero(g, 7);
	if (type == 135 || type == 136)
		put_src6(g, who, mac);
	for (uint32_t n = gen_random(g, 4) ? gen_random(g, 2) : gen_random(g, 7); n; n--) {
		put8(g, gen_random(g, 3));
		put8(g, 1);
		put(g, mac, 6);
	}
}

static uint8_t payload(struct gen *g, bool v6, unsigned int who, const uint8_t *mac)
{
	switch (gen_random(g, v6 ? 8 : 6)) {
	case 0:
	case 1:
	case 2:
		put_udp(g);
		return IPPROTO_UDP;
	case 3:
		put_tcp(g);
		return IPPROTO_TCP;
	case 4:
		put_zero(g, 4 + gen_random(g, 30));
		return gen_random(g, 2) ? 132 : 4;
	case 5:
		put8(g, 8);
		put_zero(g, 15);
		return v6 ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
	default:
		put_icmp6(g, who, mac);
		return IPPROTO_ICMPV6;
	}
}

static void put_ip4(struct gen *g, unsigned int who, const uint8_t *mac)
{
	size_t at = g->len;
	uint32_t fragment = gen_random(g, 12);

	put8(g, 0x45);
	put8(g, gen_random(g, 4));
	put_zero(g, 4);
	put16(g, fragment == 0 ? 0x2000 : fragment == 1 ? 185 : fragment == 2 ? 0x2001 : 0x4000);
	put8(g, 64);
	put_zero(g, 3);
	put8(g, 10);
	put8(g, 9);
	put8(g, 0);
	put8(g, gen_random(g, 10) ? hosts[who] : PICK(g, hosts));
	if (gen_random(g, 12) == 0)
		memset(g->data + at + 12, 0, 4);
	put_addr(g, gen_random(g, 2) ? "10.9.0.2" : PICK(g, dst4));
	g->data[at + 9] = payload(g, false, who, mac);
	set16(g, at + 2, g->len - at);
}

/* Up to five extension headers; *@next is where the following header's number goes. */
static void put_extensions(struct gen *g, size_t *next)
{
	static const uint8_t kinds[] = {0, 60, 60, 44, 44, 51, 43, 59, 135};
	uint32_t n = gen_random(g, 3) ? 0 : gen_random(g, 6);

	while (n--) {
		uint8_t kind = PICK(g, kinds);

		g->data[*next] = kind;
		*next = g->len;
		put8(g, 0);
		put8(g, kind == 51 ? 1 + gen_random(g, 3) : gen_random(g, 8) ? 0 : 1);
		if (kind == 44)
			put16(g, gen_random(g, 3) ? 1 : 0x100);
		else
			put16(g, 0);
		put_zero(g, 4);
		if (kind == 51)
			put_zero(g, (g->data[*next + 1] + 2U) * 4 - 8);
		else if (kind != 44)
			put_zero(g, g->data[*next + 1] * 8U);
	}
}

static void put_ip6(struct gen *g, unsigned int who, const uint8_t *mac)
{
	size_t at = g->len, next = at + 6;
	static const uint8_t hops[] = {255, 255, 1, 64};

	put8(g, 0x60);
	put8(g, gen_random(g, 4) << 4);
	put_zero(g, 5);
	put8(g, PICK(g, hops));
	put_src6(g, who, mac);
	put_addr(g, gen_random(g, 2) ? "fd09::2" : PICK(g, dst6));
	put_extensions(g, &next);
	g->data[next] = payload(g, true, who, mac);
	set16(g, at + 4, g->len - at - 40);
}

static void put_arp(struct gen *g, unsigned int who, const uint8_t *mac)
{
	put16(g, 1);
	put16(g, 0x0800);
	put16(g, 0x0604);
	put16(g, 1 + gen_random(g, 2));
	put(g, mac, 6);
	put8(g, 10);
	put8(g, 9);
	put8(g, 0);
	put8(g, gen_random(g, 6) ? hosts[who] : PICK(g, hosts));
	if (gen_random(g, 5) == 0)
		memset(g->data + g->len - 4, 0, 4);
	put_zero(g, 6);
	if (gen_random(g, 4) == 0)
		put(g, g->data + g->len - 10, 4); /* about itself */
	else
		put_addr(g, PICK(g, dst4));
}

void gen_next(struct gen *g)
{
	static const uint16_t others[] = {0x88cc, 0x8809, 0x8915, 0x8808, 0x88a8, 0x0026, 0x9100};
	unsigned int who = gen_random(g, sizeof(hosts));
	uint8_t mac[6];
	uint32_t kind;

	memcpy(mac, macs[who], sizeof(mac));
	g->len = 0;
	/* a rail with a rate limit judges by the clock, which the reference has not */
	do
		g->rail = gen_random(g, SCENE_RAILS);
	while (g->rail == ON_RATE);
	g->gso = gen_random(g, 16) == 0;
	put(g, gen_random(g, 8) ? "\x02\0\0\0\x09\x02" : "\xff\xff\xff\xff\xff\xff", 6);
	put(g, mac, 6);
	if (gen_random(g, 16) == 0) {
		put16(g, 0x8100);
		put16(g, gen_random(g, 2) ? 100 : gen_random(g, 65536));
	}
	kind = gen_random(g, 20);
	if (kind < 9) {
		put16(g, 0x0800);
		put_ip4(g, who, mac);
	} else if (kind < 17) {
		put16(g, 0x86dd);
		put_ip6(g, who, mac);
	} else if (kind < 19) {
		put16(g, 0x0806);
		put_arp(g, who, mac);
	} else {
		put16(g, PICK(g, others));
		put8(g, gen_random(g, 3));
		put_zero(g, 45);
	}
	if (gen_random(g, 5) < 3)
		gen_mutate(g);
}
