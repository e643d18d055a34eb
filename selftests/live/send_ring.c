// SPDX-License-Identifier: Apache-2.0
/*
 * Packet rings: the kernel takes frames from shared memory and copies nothing but the Ethernet
 * header, so that 14 bytes are linear and the rest lies in pages.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "send.h"

#define SLOT_SIZE 16384
#define SLOTS	  4

static int ring_open(struct sender *s)
{
	union {
		struct tpacket_req v2;
		struct tpacket_req3 v3;
	} req = {.v3 = {.tp_block_size = SLOT_SIZE,
			.tp_block_nr = SLOTS,
			.tp_frame_size = SLOT_SIZE,
			.tp_frame_nr = SLOTS}};
	socklen_t len = s->way->version == TPACKET_V3 ? sizeof(req.v3) : sizeof(req.v2);
	const int one = 1;

	s->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (s->fd < 0 ||
	    setsockopt(s->fd, SOL_PACKET, PACKET_VERSION, &s->way->version, sizeof(int)) < 0 ||
	    (s->way->bypass &&
	     setsockopt(s->fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) < 0) ||
	    setsockopt(s->fd, SOL_PACKET, PACKET_TX_RING, &req, len) < 0)
		return -errno;
	s->size = (size_t)SLOT_SIZE * SLOTS;
	s->memory = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (s->memory == MAP_FAILED) {
		s->memory = NULL;
		return -errno;
	}
	return 0;
}

/* Where the frame starts in a slot, and the words that hold its length and state. */
static void ring_slot(const struct sender *s, uint8_t **ret_data, uint32_t **ret_len,
		      volatile uint32_t **ret_status)
{
	uint8_t *slot = (uint8_t *)s->memory + (size_t)s->next * SLOT_SIZE;

	if (s->way->version == TPACKET_V3) {
		struct tpacket3_hdr *h = (struct tpacket3_hdr *)slot;

		*ret_data = slot + TPACKET3_HDRLEN - sizeof(struct sockaddr_ll);
		*ret_len = &h->tp_len;
		*ret_status = &h->tp_status;
		h->tp_next_offset = 0;
	} else {
		struct tpacket2_hdr *h = (struct tpacket2_hdr *)slot;

		*ret_data = slot + TPACKET2_HDRLEN - sizeof(struct sockaddr_ll);
		*ret_len = &h->tp_len;
		*ret_status = &h->tp_status;
	}
}

static int ring_send(struct sender *s, const struct frame *f)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons((uint16_t)(f->data[12] << 8 | f->data[13])),
		.sll_ifindex = s->dev->ifindex,
	};
	volatile uint32_t *status;
	uint8_t *data;
	uint32_t *len;
	int r;

	ring_slot(s, &data, &len, &status);
	if (*status != TP_STATUS_AVAILABLE)
		return -EBUSY;
	memcpy(data, f->data, f->len);
	*len = (uint32_t)f->len;
	__atomic_store_n(status, TP_STATUS_SEND_REQUEST, __ATOMIC_RELEASE);
	r = sendto(s->fd, NULL, 0, 0, (struct sockaddr *)&to, sizeof(to)) < 0 ? -errno : 0;
	if (r == 0 && *status == TP_STATUS_WRONG_FORMAT)
		r = -EINVAL;
	/* the kernel would send a slot again that it could not get rid of */
	if (r < 0)
		*status = TP_STATUS_AVAILABLE;
	else
		s->next = (s->next + 1) % SLOTS;
	return r;
}

static void ring_close(struct sender *s)
{
	if (s->memory)
		(void)munmap(s->memory, s->size);
	s->memory = NULL;
}

const struct way way_ring = {
	.name = "packet ring",
	.version = TPACKET_V2,
	.open = ring_open,
	.send = ring_send,
	.close = ring_close,
};

const struct way way_ring3 = {
	.name = "packet ring of version 3",
	.version = TPACKET_V3,
	.open = ring_open,
	.send = ring_send,
	.close = ring_close,
};

const struct way way_ring_bypass = {
	.name = "packet ring with PACKET_QDISC_BYPASS",
	.bypass = true,
	.version = TPACKET_V2,
	.open = ring_open,
	.send = ring_send,
	.close = ring_close,
};
