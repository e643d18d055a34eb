/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * RoCEv2: is a datagram to UDP port 4791 what the InfiniBand specification calls a packet?
 *
 * The transport header is all that is judged. The checksum at the end (ICRC) is not: it costs more
 * than the packet, and whoever forges a packet can compute it.
 */
#ifndef RG_BPF_ROCE_H
#define RG_BPF_ROCE_H

#include "lib/pkt.h"
#include "lib/sender.h"

#define RG_BTH_LEN    12
#define RG_ICRC_LEN   4
#define RG_BTH_UD     3 /* opcode's transport: unreliable datagram */
#define RG_BTH_CNP    0x81
#define RG_BTH_ACK    0x11
#define RG_BTH_BECN   0x40 /* in byte 4 */
#define RG_CNP_LEN    32
#define RG_QPN_MCAST  0xffffff
#define RG_OP_EXT(op) (((op)&0xf) * 4) /* bytes of extended headers */

/* Opcode -> class (enum rg_op) and 32-bit words of extended headers; 0 = no such opcode. */
#define OP(class, bytes) ((RG_OP_##class) << 4 | (bytes) / 4)

static const __u8 rg_roce_ops[256] = {
	/* RC */
	[0x00] = OP(SEND, 0),
	[0x01] = OP(SEND, 0),
	[0x02] = OP(SEND, 0),
	[0x03] = OP(SEND, 4),
	[0x04] = OP(SEND, 0),
	[0x05] = OP(SEND, 4),
	[0x06] = OP(WRITE, 16),
	[0x07] = OP(WRITE, 0),
	[0x08] = OP(WRITE, 0),
	[0x09] = OP(WRITE, 4),
	[0x0a] = OP(WRITE, 16),
	[0x0b] = OP(WRITE, 20),
	[0x0c] = OP(READ, 16),
	[0x0d] = OP(READ_RESP, 4),
	[0x0e] = OP(READ_RESP, 0),
	[0x0f] = OP(READ_RESP, 4),
	[0x10] = OP(READ_RESP, 4),
	[0x11] = OP(ACK, 4),
	[0x12] = OP(ATOMIC, 12),
	[0x13] = OP(ATOMIC, 28),
	[0x14] = OP(ATOMIC, 28),
	[0x16] = OP(SEND, 4),
	[0x17] = OP(SEND, 4),
	[0x1c] = OP(OTHER, 20),
	[0x1d] = OP(ATOMIC, 16),
	/* UC */
	[0x20] = OP(SEND, 0),
	[0x21] = OP(SEND, 0),
	[0x22] = OP(SEND, 0),
	[0x23] = OP(SEND, 4),
	[0x24] = OP(SEND, 0),
	[0x25] = OP(SEND, 4),
	[0x26] = OP(WRITE, 16),
	[0x27] = OP(WRITE, 0),
	[0x28] = OP(WRITE, 0),
	[0x29] = OP(WRITE, 4),
	[0x2a] = OP(WRITE, 16),
	[0x2b] = OP(WRITE, 20),
	/* UD */
	[0x64] = OP(UD, 8),
	[0x65] = OP(UD, 12),
	/* CNP: its length is checked exactly */
	[0x81] = OP(CNP, 0),
	/* XRC: requests carry XRCETH (4 bytes) in addition */
	[0xa0] = OP(SEND, 4),
	[0xa1] = OP(SEND, 4),
	[0xa2] = OP(SEND, 4),
	[0xa3] = OP(SEND, 8),
	[0xa4] = OP(SEND, 4),
	[0xa5] = OP(SEND, 8),
	[0xa6] = OP(WRITE, 20),
	[0xa7] = OP(WRITE, 4),
	[0xa8] = OP(WRITE, 4),
	[0xa9] = OP(WRITE, 8),
	[0xaa] = OP(WRITE, 20),
	[0xab] = OP(WRITE, 24),
	[0xac] = OP(READ, 20),
	[0xad] = OP(READ_RESP, 4),
	[0xae] = OP(READ_RESP, 0),
	[0xaf] = OP(READ_RESP, 4),
	[0xb0] = OP(READ_RESP, 4),
	[0xb1] = OP(ACK, 4),
	[0xb2] = OP(ATOMIC, 12),
	[0xb3] = OP(ATOMIC, 32),
	[0xb4] = OP(ATOMIC, 32),
	[0xb6] = OP(SEND, 8),
	[0xb7] = OP(SEND, 8),
};

#undef OP

/**
 * rg_roce_check() - judge the form
 * @skb: packet
 * @p: packet; class and op are set if the form is right
 * @l4: offset of the UDP header
 * @len: bytes of UDP payload, all of them inside the frame
 *
 * Return: reason, RG_REASON_PASS if it is RoCEv2
 */
static __always_inline __u32 rg_roce_check(struct __sk_buff *skb, struct rg_pkt *p, __u32 l4,
					   __u32 len)
{
	__u32 opcode, op, pad, qpn;
	const __u8 *bth;

	if (len < RG_BTH_LEN + RG_ICRC_LEN)
		return RG_REASON_ROCE_SHORT;
	bth = rg_at(skb, l4 + sizeof(struct udphdr), RG_BTH_LEN);
	if (!bth)
		return RG_REASON_SHORT;
	if (bth[1] & 0xf)
		return RG_REASON_ROCE_TVER;
	opcode = bth[0];
	op = rg_roce_ops[opcode];
	if (!op)
		return RG_REASON_ROCE_OPCODE;
	pad = bth[1] >> 4 & 3;
	if (len < RG_BTH_LEN + RG_OP_EXT(op) + pad + RG_ICRC_LEN)
		return RG_REASON_ROCE_SHORT;
	qpn = bpf_ntohl(*(__be32 *)(bth + 4)) & 0xffffff;
	if (!qpn || (qpn == RG_QPN_MCAST && opcode >> 5 != RG_BTH_UD))
		return RG_REASON_ROCE_QPN;
	if (opcode == RG_BTH_CNP && (len != RG_CNP_LEN || !(bth[4] & RG_BTH_BECN)))
		return RG_REASON_ROCE_CNP;
	p->class = RG_CLASS_ROCE;
	p->op = op >> 4;
	return RG_REASON_PASS;
}

/**
 * rg_roce_judge() - may this datagram to port 4791 be sent, wherever it goes?
 * @skb: packet
 * @p: packet
 * @cfg: rail
 * @l4: offset of the UDP header
 * @len: bytes of UDP payload
 *
 * Return: reason, RG_REASON_PASS if it may
 */
static __always_inline __u32 rg_roce_judge(struct __sk_buff *skb, struct rg_pkt *p,
					   const struct rg_rail *cfg, __u32 l4, __u32 len)
{
	__u32 reason = rg_roce_check(skb, p, l4, len);

	if (reason)
		return reason;
	/* One transport header would vouch for all segments. RDMA never segments this way. */
	if (skb->gso_size || skb->gso_segs > 1)
		return RG_REASON_ROCE_GSO;
	if (unlikely(cfg->flags & RG_RAIL_KERNEL_ROCE_DENY) && !rg_sender_is_rdma(skb))
		return RG_REASON_ROCE_SENDER;
	return RG_REASON_PASS;
}

#endif /* RG_BPF_ROCE_H */
