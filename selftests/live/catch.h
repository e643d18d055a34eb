/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What arrives at the other end.
 *
 * A mark, a frame with a number, follows what a test sends along the same way. Once it is there,
 * everything before it is there too, and nothing has to be waited for to prove that it did not
 * come.
 */
#ifndef RG_LIVE_CATCH_H
#define RG_LIVE_CATCH_H

#include <stddef.h>
#include <stdint.h>

#include "world.h"

#define CATCH_MAX_FRAMES 32
#define CATCH_MAX_BYTES	 16384

/**
 * struct caught - frames that arrived
 * @n: how many
 * @bytes: their bytes
 * @frames: the first of them, VLAN tag in place
 */
struct caught {
	size_t n;
	uint64_t bytes;
	struct {
		size_t len;
		uint8_t data[CATCH_MAX_BYTES];
	} frames[CATCH_MAX_FRAMES];
};

/**
 * struct catcher - a receiver and the sender of its marks
 * @fd: packet socket that receives
 * @mark_fd: packet socket that sends marks
 * @mark_ifindex: device they are sent on
 * @mark_dst: MAC they are sent to
 * @seq: number of the last one
 * @last: frames of the last catch_all()
 */
struct catcher {
	int fd;
	int mark_fd;
	int mark_ifindex;
	uint8_t mark_dst[RG_MAC_LEN];
	uint64_t seq;
	struct caught last;
};

/**
 * catch_open() - begin to receive
 * @ns: namespace
 * @ifindex: device, 0 for all of the namespace
 * @mark_from: device that marks are sent on, past its own hooks
 * @mark_dst: MAC that leads them to the receiver
 *
 * Return: receiver; catch_close() frees it
 */
struct catcher *catch_open(int ns, int ifindex, const struct netdev *mark_from,
			   const uint8_t mark_dst[RG_MAC_LEN]);

/**
 * catch_close() - stop receiving
 * @c: receiver
 */
void catch_close(struct catcher *c);

/**
 * catch_all() - take all that has arrived up to now
 * @c: receiver
 *
 * Ends the program if the mark does not come, which would make every test meaningless.
 *
 * Return: c->last
 */
const struct caught *catch_all(struct catcher *c);

/**
 * catch_counter() - count frames that arrive, however many, without keeping them
 * @ns: namespace
 * @offset: where in the frame to look
 * @value: 32-bit word to find there, host byte order
 *
 * Return: socket for catch_count(); the caller closes it
 */
int catch_counter(int ns, uint32_t offset, uint32_t value);

/**
 * catch_count() - frames since the last call
 * @fd: socket of catch_counter()
 */
uint64_t catch_count(int fd);

#endif /* RG_LIVE_CATCH_H */
