// SPDX-License-Identifier: Apache-2.0
/*
 * RoCEv2: the base transport header behind UDP port 4791 (InfiniBand Architecture Specification,
 * volume 1, chapter 9; annex A17).
 */
#include "ref.h"

enum { BTH = 12, ICRC = 4, RETH = 16, IMM = 4, IETH = 4, AETH = 4, DETH = 8, XRC = 4 };
enum { ATOMIC = 28, ATOMIC_ACK = 8, FETH = 4 };

/* Bytes of the headers between BTH and payload, -1 for an opcode that no transport defines. */
static int extended(uint8_t opcode)
{
	uint8_t op = opcode & 0x1f;
	int bytes;

	switch (opcode >> 5) {
	case 3: /* unreliable datagram: SEND only, with and without immediate */
		return op == 0x04 ? DETH : op == 0x05 ? DETH + IMM : -1;
	case 4: /* congestion notification */
		return op == 0x01 ? 0 : -1;
	case 1: /* unreliable connection: SEND and WRITE */
		if (op > 0x0b)
			return -1;
		break;
	case 0:
		if (op == 0x1c)
			return FETH + RETH;
		if (op == 0x1d)
			return RETH;
		break;
	case 5:
		break;
	default: /* reliable datagram is nobody's, the rest is vendors' */
		return -1;
	}
	switch (op) {
	case 0x00 ... 0x02:
	case 0x04:
	case 0x07:
	case 0x08:
	case 0x0e:
		bytes = 0;
		break;
	case 0x03:
	case 0x05:
	case 0x09:
		bytes = IMM;
		break;
	case 0x06:
	case 0x0a:
	case 0x0c:
		bytes = RETH;
		break;
	case 0x0b:
		bytes = RETH + IMM;
		break;
	case 0x0d:
	case 0x0f:
	case 0x10:
	case 0x11:
		bytes = AETH;
		break;
	case 0x12:
		bytes = AETH + ATOMIC_ACK;
		break;
	case 0x13:
	case 0x14:
		bytes = ATOMIC;
		break;
	case 0x16:
	case 0x17:
		bytes = IETH;
		break;
	default:
		return -1;
	}
	/* XRC requests carry XRCETH as well; responses (0x0d to 0x12) do not */
	if (opcode >> 5 == 5 && !(op >= 0x0d && op <= 0x12))
		bytes += XRC;
	return bytes;
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
