/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to send a frame of one's own making, each with what it tries to get past.
 */
#ifndef RG_LIVE_SEND_H
#define RG_LIVE_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/frame.h"
#include "world.h"

struct sender;

/**
 * struct way - a way of sending
 * @name: for people
 * @bypass: goes past the hooks of the device it is used on
 * @protocol: what the socket says the frame is, 0 for what it really is
 * @version: TPACKET_*, for packet rings
 * @open: prepare; 0 or -errno
 * @send: send one frame; 0, or -errno as the kernel said
 * @close: end
 */
struct way {
	const char *name;
	bool bypass;
	uint16_t protocol;
	int version;
	int (*open)(struct sender *s);
	int (*send)(struct sender *s, const struct frame *f);
	void (*close)(struct sender *s);
};

/**
 * struct sender - one way, open on one device
 * @way: which
 * @dev: device
 * @fd: socket
 * @memory: what is shared with the kernel, by the way
 * @size: bytes at @memory
 * @next: next slot of a ring
 * @xsk: rings of AF_XDP
 */
struct sender {
	const struct way *way;
	const struct netdev *dev;
	int fd;
	void *memory;
	size_t size;
	unsigned int next;
	struct xsk *xsk;
};

extern const struct way way_packet, way_bypass, way_lying, way_vnet, way_ring, way_ring3,
	way_ring_bypass, way_xsk;

/**
 * sender_open() - prepare to send
 * @s: sender
 * @way: how
 * @dev: on which device
 *
 * Return: 0, or -errno if this kernel cannot
 */
int sender_open(struct sender *s, const struct way *way, const struct netdev *dev);

/**
 * sender_send() - send one frame
 * @s: sender
 * @f: frame
 *
 * Return: 0 or -errno; -ENOBUFS is how a drop at a hook shows
 */
int sender_send(struct sender *s, const struct frame *f);

/**
 * sender_close() - end
 * @s: sender
 */
void sender_close(struct sender *s);

/**
 * struct gso - segmentation that a sender of frames asks for
 * @type: VIRTIO_NET_HDR_GSO_*, without ECN
 * @size: payload bytes of a segment
 * @headers: bytes in front of the payload
 * @csum_start: offset of the L4 header
 * @csum_offset: offset of the checksum in it
 */
struct gso {
	uint8_t type;
	uint16_t size;
	uint16_t headers;
	uint16_t csum_start;
	uint16_t csum_offset;
};

#define GSO_NONE   0
#define GSO_UDP	   3 /* into IP fragments */
#define GSO_UDP_L4 5 /* into datagrams */

/**
 * send_gso() - send a frame that the device shall segment
 * @s: open sender of way_vnet
 * @f: frame
 * @gso: how
 *
 * Return: 0 or -errno
 */
int send_gso(struct sender *s, const struct frame *f, const struct gso *gso);

/**
 * frame_for() - build a frame as some device's owner would send it
 * @dev: sender, who stands for $mac, $ip4 and $ip6 in the text
 * @text: layers, see frame_build()
 * @ret: frame
 *
 * Ends the program if the text is wrong.
 */
void frame_for(const struct netdev *dev, const char *text, struct frame *ret);

#endif /* RG_LIVE_SEND_H */
