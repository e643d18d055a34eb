// SPDX-License-Identifier: Apache-2.0
/*
 * The layers that frames are built of, and their keys.
 *
 *	eth   src= dst= type=
 *	vlan  vid= tpid= (of the header in front) type=
 *	arp   op= sha= sip= tha= tip= htype= ptype= hlen= plen=
 *	ip4   src= dst= ver= ihl= options=HEX tos= total= id= df mf off= ttl= proto=
 *	ip6   src= dst= ver= tc= plen= nh= hops=
 *	hbh dopt rt frag ah mob exp none   nh= words= (8 bytes each; ah: 4) type= segs= off= mf
 *	udp   sport= dport= len=            tcp  sport= dport= flags= doff=
 *	bth   op= flags= pad= tver= qpn= pkey= becn fecn psn=
 *	icmp  type= code=                   icmp6 type= code=
 *	nd    type= target= slla= tlla= hops are ip6's
 *	data N [v=]  zeros unless v         text W  the word's bytes
 *	hex BYTES    icrc  4 bytes          cut N / padto N  change the frame's length
 */
#include "layers.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_mac(struct layer *l, struct frame *f, const char *key, const char *fallback)
{
	const char *s = layer_str(l, key, fallback);
	unsigned int m[6];

	if (sscanf(s, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]) != 6)
		frame_error("%s: %s=%s is not a MAC", l->name, key, s);
	for (int i = 0; i < 6; i++)
		frame_put8(f, m[i]);
}

static void put_addr(struct layer *l, struct frame *f, int family, const char *key,
		     const char *fallback)
{
	const char *s = layer_str(l, key, fallback);
	uint8_t addr[16];

	if (inet_pton(family, s, addr) != 1)
		frame_error("%s: %s=%s is not an address", l->name, key, s);
	frame_put(f, addr, family == AF_INET ? 4 : 16);
}

static void put_hex(struct frame *f, const char *s)
{
	unsigned int byte;

	for (; *s; s += 2) {
		if (sscanf(s, "%2x", &byte) != 1 || !s[1]) {
			frame_error("%s is not a row of bytes", s);
			return;
		}
		frame_put8(f, byte);
	}
}

static uint16_t next_ethertype(const struct layer *l)
{
	const struct layer_type *t = l->next ? layer_type_find(l->next->name) : NULL;

	return t && t->ethertype ? t->ethertype : 0xffff;
}

static uint8_t next_proto(const struct layer *l)
{
	const struct layer_type *t = l->next ? layer_type_find(l->next->name) : NULL;

	return t && t->proto >= 0 ? t->proto : 252;
}

static void head_eth(struct layer *l, struct frame *f)
{
	put_mac(l, f, "dst", FRAME_DST_MAC);
	put_mac(l, f, "src", FRAME_SRC_MAC);
	frame_put16(f, layer_num(l, "type", next_ethertype(l)));
}

static void head_vlan(struct layer *l, struct frame *f)
{
	if (layer_has(l, "tpid"))
		frame_set16(f, l->off - 2, layer_num(l, "tpid", 0));
	frame_put16(f, layer_num(l, "vid", 1));
	frame_put16(f, layer_num(l, "type", next_ethertype(l)));
}

static void head_arp(struct layer *l, struct frame *f)
{
	frame_put16(f, layer_num(l, "htype", 1));
	frame_put16(f, layer_num(l, "ptype", 0x0800));
	frame_put8(f, layer_num(l, "hlen", 6));
	frame_put8(f, layer_num(l, "plen", 4));
	frame_put16(f, layer_num(l, "op", 1));
	put_mac(l, f, "sha", FRAME_SRC_MAC);
	put_addr(l, f, AF_INET, "sip", FRAME_SRC_4);
	put_mac(l, f, "tha", "0:0:0:0:0:0");
	put_addr(l, f, AF_INET, "tip", FRAME_DST_4);
}

static void head_ip4(struct layer *l, struct frame *f)
{
	unsigned int ihl = layer_num(l, "ihl", 5);
	uint16_t frag = layer_num(l, "off", 0);

	frag |= (layer_has(l, "df") ? 0x4000 : 0) | (layer_has(l, "mf") ? 0x2000 : 0);
	frame_put8(f, layer_num(l, "ver", 4) << 4 | ihl);
	frame_put8(f, layer_num(l, "tos", 0));
	frame_put16(f, 0);
	frame_put16(f, layer_num(l, "id", 1));
	frame_put16(f, frag);
	frame_put8(f, layer_num(l, "ttl", 64));
	frame_put8(f, layer_num(l, "proto", next_proto(l)));
	frame_put16(f, 0);
	put_addr(l, f, AF_INET, "src", FRAME_SRC_4);
	put_addr(l, f, AF_INET, "dst", FRAME_DST_4);
	put_hex(f, layer_str(l, "options", ""));
	if (l->off + ihl * 4 > f->len)
		frame_fill(f, 1, l->off + ihl * 4 - f->len);
}

/* Checksum, which nothing here judges, but the kernel's own input would. */
static void finish_ip4(struct layer *l, struct frame *f)
{
	uint32_t sum = 0;

	frame_set16(f, l->off + 2, layer_num(l, "total", f->len - l->off));
	for (size_t i = l->off; i < l->off + 20; i += 2)
		sum += f->data[i] << 8 | f->data[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	frame_set16(f, l->off + 10, ~sum);
}

static void head_ip6(struct layer *l, struct frame *f)
{
	frame_put32(f, layer_num(l, "ver", 6) << 28 | layer_num(l, "tc", 0) << 20);
	frame_put16(f, 0);
	frame_put8(f, layer_num(l, "nh", next_proto(l)));
	frame_put8(f, layer_num(l, "hops", 64));
	put_addr(l, f, AF_INET6, "src", FRAME_SRC_6);
	put_addr(l, f, AF_INET6, "dst", FRAME_DST_6);
}

static void finish_ip6(struct layer *l, struct frame *f)
{
	frame_set16(f, l->off + 4, layer_num(l, "plen", f->len - l->off - 40));
}

static void head_ext(struct layer *l, struct frame *f)
{
	bool ah = strcmp(l->name, "ah") == 0;
	unsigned int words = layer_num(l, "words", ah ? 4 : 1);

	frame_put8(f, layer_num(l, "nh", next_proto(l)));
	frame_put8(f, layer_num(l, "hlen", ah ? words - 2 : words - 1));
	frame_put8(f, layer_num(l, "type", 1));
	frame_put8(f, layer_num(l, "segs", 4));
	frame_fill(f, 0, ah ? words * 4 - 4 : words * 8 - 4);
}

static void head_frag(struct layer *l, struct frame *f)
{
	frame_put8(f, layer_num(l, "nh", next_proto(l)));
	frame_put8(f, 0);
	frame_put16(f, layer_num(l, "off", 0) << 3 | (layer_has(l, "mf") ? 1 : 0));
	frame_put32(f, 1);
}

static void head_none(struct layer *l, struct frame *f)
{
	(void)l;
	(void)f;
}

static void head_udp(struct layer *l, struct frame *f)
{
	frame_put16(f, layer_num(l, "sport", 49152));
	frame_put16(f, layer_num(l, "dport", 4791));
	frame_put32(f, 0);
}

static void finish_udp(struct layer *l, struct frame *f)
{
	frame_set16(f, l->off + 4, layer_num(l, "len", f->len - l->off));
}

static void head_tcp(struct layer *l, struct frame *f)
{
	frame_put16(f, layer_num(l, "sport", 40000));
	frame_put16(f, layer_num(l, "dport", 80));
	frame_put32(f, 1);
	frame_put32(f, 1);
	frame_put8(f, layer_num(l, "doff", 5) << 4);
	frame_put8(f, layer_num(l, "flags", 0x02));
	frame_put16(f, 65535);
	frame_put32(f, 0);
	if (layer_num(l, "doff", 5) > 5)
		frame_fill(f, 1, (layer_num(l, "doff", 5) - 5) * 4);
}

static void head_bth(struct layer *l, struct frame *f)
{
	uint8_t notify = (layer_has(l, "fecn") ? 0x80 : 0) | (layer_has(l, "becn") ? 0x40 : 0);

	frame_put8(f, layer_num(l, "op", 4));
	frame_put8(f, layer_num(l, "flags", 0) | layer_num(l, "pad", 0) << 4 |
			      layer_num(l, "tver", 0));
	frame_put16(f, layer_num(l, "pkey", 0xffff));
	frame_put8(f, notify);
	frame_put8(f, layer_num(l, "qpn", 0xd2) >> 16);
	frame_put16(f, layer_num(l, "qpn", 0xd2) & 0xffff);
	frame_put32(f, layer_num(l, "psn", 0));
}

static void head_icmp(struct layer *l, struct frame *f)
{
	frame_put8(f, layer_num(l, "type", strcmp(l->name, "icmp6") == 0 ? 128 : 8));
	frame_put8(f, layer_num(l, "code", 0));
	frame_fill(f, 0, 6);
}

static void put_lladdr(struct layer *l, struct frame *f, const char *key, uint8_t type)
{
	if (!layer_has(l, key))
		return;
	frame_put8(f, type);
	frame_put8(f, 1);
	put_mac(l, f, key, FRAME_SRC_MAC);
}

static void head_nd(struct layer *l, struct frame *f)
{
	uint8_t type = layer_num(l, "type", 135);

	frame_put8(f, type);
	frame_put8(f, layer_num(l, "code", 0));
	frame_fill(f, 0, 6);
	if (type == 135 || type == 136)
		put_addr(l, f, AF_INET6, "target", FRAME_DST_6);
	put_lladdr(l, f, "slla", 1);
	put_lladdr(l, f, "tlla", 2);
}

/* The word behind the name is its one argument. */
static const char *argument(struct layer *l)
{
	if (!l->n_keys) {
		frame_error("%s: needs an argument", l->name);
		return "0";
	}
	l->used[0] = true;
	return l->keys[0];
}

static void head_data(struct layer *l, struct frame *f)
{
	frame_fill(f, layer_num(l, "v", 0), strtoul(argument(l), NULL, 0));
}

static void head_text(struct layer *l, struct frame *f)
{
	const char *s = argument(l);

	frame_put(f, s, strlen(s));
}

static void head_hex(struct layer *l, struct frame *f)
{
	put_hex(f, argument(l));
}

static void head_icrc(struct layer *l, struct frame *f)
{
	(void)l;
	frame_put32(f, 0xe42dad81);
}

/* After the outer layers' lengths are set; so these two take effect in finish, at the outermost. */
static void finish_eth(struct layer *l, struct frame *f)
{
	const struct layer *last = l;
	size_t want;

	while (last->next)
		last = last->next;
	if (strcmp(last->name, "cut") != 0 && strcmp(last->name, "padto") != 0)
		return;
	want = strtoul(last->keys[0], NULL, 0);
	if (want > f->len)
		frame_fill(f, 0, want - f->len);
	f->len = want;
}

static void head_length(struct layer *l, struct frame *f)
{
	(void)f;
	(void)argument(l);
}

static const struct layer_type types[] = {
	{"eth", 0, -1, head_eth, finish_eth},
	{"vlan", 0x8100, -1, head_vlan, NULL},
	{"arp", 0x0806, -1, head_arp, NULL},
	{"ip4", 0x0800, 4, head_ip4, finish_ip4},
	{"ip6", 0x86dd, 41, head_ip6, finish_ip6},
	{"hbh", 0, 0, head_ext, NULL},
	{"rt", 0, 43, head_ext, NULL},
	{"frag", 0, 44, head_frag, NULL},
	{"ah", 0, 51, head_ext, NULL},
	{"none", 0, 59, head_none, NULL},
	{"dopt", 0, 60, head_ext, NULL},
	{"mob", 0, 135, head_ext, NULL},
	{"exp", 0, 253, head_ext, NULL},
	{"icmp", 0, 1, head_icmp, NULL},
	{"tcp", 0, 6, head_tcp, NULL},
	{"udp", 0, 17, head_udp, finish_udp},
	{"icmp6", 0, 58, head_icmp, NULL},
	{"nd", 0, 58, head_nd, NULL},
	{"bth", 0, -1, head_bth, NULL},
	{"data", 0, -1, head_data, NULL},
	{"text", 0, -1, head_text, NULL},
	{"hex", 0, -1, head_hex, NULL},
	{"icrc", 0, -1, head_icrc, NULL},
	{"cut", 0, -1, head_length, NULL},
	{"padto", 0, -1, head_length, NULL},
};

const struct layer_type *layer_type_find(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}
