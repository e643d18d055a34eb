// SPDX-License-Identifier: Apache-2.0
/*
 * RoCEv2: the base transport header behind UDP port 4791 (InfiniBand Architecture Specification,
 * volume 1, chapter 9; annex A17).
 */
#include "ref.h"

enum { BTH = 12, ICRC = 4 };

/* Bytes of the headers between BTH and payload by operation, for RC; -1 for what it lacks. */
static const int16_t rc_extended[32] = {
	0,  0,	0,  4,	0,  4,	/* SEND first, middle, last, last imm, only, only imm */
	16, 0,	0,  4,	16, 20, /* WRITE likewise: RETH in front of the first */
	16, 4,	0,  4,	4,	/* READ request and responses, which carry AETH */
	4,  12, 28, 28, -1,	/* ACK, ATOMIC ACK, COMPARE SWAP, FETCH ADD, reserved */
	4,  4,	-1, -1, -1, -1, /* SEND with invalidate */
	20, 16, -1, -1,		/* FLUSH, ATOMIC WRITE */
};

/* Bytes of the headers between BTH and payload, -1 for an opcode that no transport defines. */
static int extended(uint8_t opcode)
{
	uint8_t op = opcode & 0x1f;
	int bytes = rc_extended[op];

	switch (opcode >> 5) {
	case 0:
		return bytes;
	case 1: /* unreliable connection: SEND and WRITE */
		return op <= 0x0b ? bytes : -1;
	case 3: /* unreliable datagram: DETH, and an immediate or not */
		return op == 0x04 ? 8 : op == 0x05 ? 12 : -1;
	case 4: /* congestion notification */
		return op == 0x01 ? 0 : -1;
	case 5: /* XRC: requests carry XRCETH as well, responses do not */
		if (bytes < 0 || op > 0x17)
			return -1;
		return op >= 0x0d && op <= 0x12 ? bytes : bytes + 4;
	default: /* reliable datagram is nobody's, the rest is vendors' */
		return -1;
	}
}

enum rg_reason ref_roce(struct ref *r)
{
	uint32_t bth = r->l4 + 8, len = r->l4_len - 8, qpn;
	uint8_t opcode;
	int ext;

	if (len < BTH + ICRC)
		return RG_REASON_ROCE_SHORT;
	opcode = ref_u8(r, bth);
	if (ref_u8(r, bth + 1) & 0x0f)
		return RG_REASON_ROCE_TVER;
	ext = extended(opcode);
	if (ext < 0)
		return RG_REASON_ROCE_OPCODE;
	if (len < (uint32_t)(BTH + ext + (ref_u8(r, bth + 1) >> 4 & 3) + ICRC))
		return RG_REASON_ROCE_SHORT;
	qpn = (uint32_t)ref_u8(r, bth + 5) << 16 | ref_u16(r, bth + 6);
	if (qpn == 0 || (qpn == 0xffffff && opcode >> 5 != 3))
		return RG_REASON_ROCE_QPN;
	if (opcode == 0x81 && (len != 32 || !(ref_u8(r, bth + 4) & 0x40)))
		return RG_REASON_ROCE_CNP;
	r->v.class = REF_ROCE;
	r->v.cnp = opcode == 0x81;
	return RG_REASON_PASS;
}
