// SPDX-License-Identifier: Apache-2.0
/*
 * IPv4 (RFC 791) and IPv6 (RFC 8200): whose packet, lengths, options, fragments, payload.
 */
#include <netinet/in.h>
#include <string.h>

#include "ref.h"

#define ROCE_PORT 4791

static enum rg_reason udp(struct ref *r)
{
	if (r->l4_len < 8)
		return RG_REASON_UDP_LEN;
	if (ref_u16(r, r->l4 + 4) != r->l4_len)
		return RG_REASON_UDP_LEN;
	if (ref_u16(r, r->l4 + 2) == ROCE_PORT) {
		enum rg_reason reason = ref_roce(r);

		if (reason)
			return reason;
		if (r->f->gso)
			return RG_REASON_ROCE_GSO;
		/* a frame that no socket sent was not made by the RDMA stack */
		if (r->cfg->flags & RG_RAIL_KERNEL_ROCE_DENY)
			return RG_REASON_ROCE_SENDER;
	}
	return ref_destination(r);
}

/* The first fragment must show that it hides neither RoCE nor neighbour discovery. */
static enum rg_reason fragment(struct ref *r)
{
	if (!r->later && r->proto == IPPROTO_UDP &&
	    (r->l4_len < 4 || ref_u16(r, r->l4 + 2) == ROCE_PORT))
		return RG_REASON_FRAG_ROCE;
	if (!r->later && r->proto == IPPROTO_ICMPV6 &&
	    (!r->l4_len || ref_icmp6_is_control(ref_u8(r, r->l4))))
		return RG_REASON_ND_BAD;
	return ref_strict(r) ? RG_REASON_FRAG : ref_destination(r);
}

enum rg_reason ref_ip4(struct ref *r)
{
	uint32_t rest, total, header;
	enum rg_reason reason;
	uint16_t fragments;

	if (!ref_has(r, r->l3, 20)) {
		reason = ref_by_mac(r);
		return reason ? reason : RG_REASON_SHORT;
	}
	memset(r->src + 10, 0xff, 2);
	memset(r->dst + 10, 0xff, 2);
	memcpy(r->src + 12, r->f->data + r->l3 + 12, 4);
	memcpy(r->dst + 12, r->f->data + r->l3 + 16, 4);
	r->group |= r->dst[12] >= 224;
	/* a DHCP client has no address yet and asks everyone */
	if (memcmp(r->src + 12, "\0\0\0\0", 4) == 0 &&
	    memcmp(r->dst + 12, "\xff\xff\xff\xff", 4) == 0)
		reason = ref_by_mac(r);
	else
		reason = ref_by_address(r);
	if (reason)
		return reason;

	rest = r->f->len - r->l3;
	total = ref_u16(r, r->l3 + 2);
	header = (ref_u8(r, r->l3) & 0xfU) * 4;
	r->proto = ref_u8(r, r->l3 + 9);
	if (!total && r->f->gso && r->proto == IPPROTO_TCP)
		total = rest; /* BIG TCP, include/net/gso.h */
	if (ref_u8(r, r->l3) >> 4 != 4 || header < 20 || total < header || total > rest)
		return RG_REASON_IP_MALFORMED;
	if (header > 20)
		return RG_REASON_IP_OPTIONS;
	r->v.class = REF_IP;
	r->v.ce = (ref_u8(r, r->l3 + 1) & 3) == 3;
	r->l4 = r->l3 + 20;
	r->l4_len = total - 20;
	fragments = ref_u16(r, r->l3 + 6);
	r->frag = fragments & 0x3fff;
	r->later = fragments & 0x1fff;
	if (r->frag)
		return fragment(r);
	return r->proto == IPPROTO_UDP ? udp(r) : ref_destination(r);
}

static bool is_extension(uint8_t proto)
{
	/* IANA "IPv6 Extension Header Types", and 59, no next header */
	return proto == 0 || proto == 43 || proto == 44 || proto == 51 || proto == 59 ||
	       proto == 60 || proto == 135 || proto == 139 || proto == 140 || proto == 253 ||
	       proto == 254;
}

/* At most four extension headers, of the kinds that end hosts need. */
static enum rg_reason walk(struct ref *r)
{
	for (int n = 0; is_extension(r->proto); n++) {
		uint32_t size;
		uint8_t next;

		if (n == 4 || r->l4_len < 8)
			return RG_REASON_IP6_EXTHDR;
		next = ref_u8(r, r->l4);
		size = (ref_u8(r, r->l4 + 1) + 1U) * 8;
		switch (r->proto) {
		case 0: /* hop-by-hop stands first or nowhere */
			if (n)
				return RG_REASON_IP6_EXTHDR;
			break;
		case 44:
			if (r->frag)
				return RG_REASON_IP6_EXTHDR;
			r->frag = true;
			r->later = ref_u16(r, r->l4 + 2) & 0xfff8;
			size = 8;
			break;
		case 51:
			size = (ref_u8(r, r->l4 + 1) + 2U) * 4;
			break;
		case 60:
			break;
		default:
			return RG_REASON_IP6_EXTHDR;
		}
		if (size > r->l4_len)
			return RG_REASON_IP6_EXTHDR;
		r->l4 += size;
		r->l4_len -= size;
		r->proto = next;
		if (r->later)
			return RG_REASON_PASS;
	}
	return RG_REASON_PASS;
}

static enum rg_reason behind_extensions(struct ref *r)
{
	enum rg_reason reason;
	bool final;

	if (r->frag)
		return fragment(r);
	if (r->proto == IPPROTO_UDP) {
		if (r->l4_len < 8)
			return RG_REASON_UDP_LEN;
		if (ref_u16(r, r->l4 + 2) == ROCE_PORT)
			return RG_REASON_IP6_EXTHDR;
		return ref_u16(r, r->l4 + 4) == r->l4_len ? ref_destination(r) : RG_REASON_UDP_LEN;
	}
	if (r->proto == IPPROTO_ICMPV6) {
		reason = ref_icmp6(r, &final);
		if (reason || final)
			return reason;
	}
	return ref_destination(r);
}

enum rg_reason ref_ip6(struct ref *r)
{
	bool big = false, direct;
	enum rg_reason reason;
	uint32_t rest;

	r->v6 = true;
	if (!ref_has(r, r->l3, 40)) {
		reason = ref_by_mac(r);
		return reason ? reason : RG_REASON_SHORT;
	}
	memcpy(r->src, r->f->data + r->l3 + 8, 16);
	memcpy(r->dst, r->f->data + r->l3 + 24, 16);
	r->group |= r->dst[0] == 0xff;
	reason = ref_by_address(r);
	if (reason)
		return reason;

	rest = r->f->len - r->l3 - 40;
	r->l4 = r->l3 + 40;
	r->l4_len = ref_u16(r, r->l3 + 4);
	r->proto = ref_u8(r, r->l3 + 6);
	r->hops = ref_u8(r, r->l3 + 7);
	if (!r->l4_len && r->f->gso) {
		big = true; /* BIG TCP */
		r->l4_len = rest;
	}
	if (ref_u8(r, r->l3) >> 4 != 6 || r->l4_len > rest || (!r->l4_len && r->proto == 0))
		return RG_REASON_IP_MALFORMED;
	r->v.class = REF_IP;
	r->v.ce = (ref_u8(r, r->l3 + 1) >> 4 & 3) == 3;
	direct = !is_extension(r->proto);
	reason = walk(r);
	if (reason)
		return reason;
	if (big && r->proto != IPPROTO_TCP)
		return RG_REASON_IP_MALFORMED;
	return direct && r->proto == IPPROTO_UDP ? udp(r) : behind_extensions(r);
}
