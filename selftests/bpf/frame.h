/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from text, so that a table of packets reads as what it is.
 *
 *	"ip4 dst=10.9.0.2 / udp / bth op=04 / data 16 / icrc"
 *
 * Layers stand from the outside in, with " / " between. What a layer leaves out gets the value an
 * honest packet would have: lengths, the number of the next layer, addresses. "eth" in front may be
 * left out. frame.c lists the layers and their keys.
 */
#ifndef RG_TEST_FRAME_H
#define RG_TEST_FRAME_H

#include <stddef.h>
#include <stdint.h>

#define FRAME_MAX 20000

/* The addresses that frames have unless they say otherwise. */
#define FRAME_SRC_MAC "02:00:00:00:09:01"
#define FRAME_DST_MAC "02:00:00:00:09:02"
#define FRAME_SRC_4   "10.9.0.1"
#define FRAME_DST_4   "10.9.0.2"
#define FRAME_SRC_6   "fd09::1"
#define FRAME_DST_6   "fd09::2"

/**
 * struct frame - bytes of an Ethernet frame
 * @len: how many
 * @data: from the destination MAC on, without FCS
 */
struct frame {
	size_t len;
	uint8_t data[FRAME_MAX];
};

/**
 * frame_build() - make a frame
 * @text: layers
 * @ret: frame
 * @ret_error: what is wrong with @text, at least 128 bytes
 *
 * Return: 0 or -EINVAL
 */
int frame_build(const char *text, struct frame *ret, char *ret_error);

#endif /* RG_TEST_FRAME_H */
