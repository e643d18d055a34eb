/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sending by the sockets that ordinary programs use, with the options that change what a hook sees.
 */
#ifndef RG_LIVE_SOCK_H
#define RG_LIVE_SOCK_H

#include <stddef.h>
#include <stdint.h>

#include "rows.h"
#include "world.h"

/* What a datagram carries. */
enum payload {
	DATA,	/* nothing in particular */
	ROCE,	/* well-formed RoCE */
	FORGED, /* looks like RoCE, but of a transport version that does not exist */
};

/**
 * struct sock_row - something sent by a socket
 * @name: what it is
 * @send: how; 0 or -errno
 * @to: destination address, or for sockets that take headers the frame's text
 * @port: destination port
 * @payload: contents
 * @size: bytes of payload
 * @arg: by @send: segment size, socket option
 * @reason: why packets are dropped
 * @dropped: packets that are, and their bytes
 * @kind: what packets that pass are counted as
 * @passed: packets that do, and their bytes
 * @frames: frames that arrive; a segmented packet arrives in one piece
 */
struct sock_row {
	const char *name;
	int (*send)(const struct netdev *dev, const struct sock_row *row);
	const char *to;
	uint16_t port;
	enum payload payload;
	size_t size;
	int arg;
	enum rg_reason reason;
	struct rg_count dropped;
	enum kind kind;
	struct rg_count passed;
	size_t frames;
};

#define SOCK_MAX_PAYLOAD 65000

/**
 * sock_payload() - contents of a row's datagram
 * @row: row
 *
 * Return: buffer of row->size bytes, page aligned, valid until the next call
 */
uint8_t *sock_payload(const struct sock_row *row);

/**
 * sock_open() - UDP socket connected to a row's destination
 * @row: row
 *
 * Return: socket, or -errno
 */
int sock_open(const struct sock_row *row);

/* Ways to send; each is a sock_row.send. */
int sock_udp(const struct netdev *dev, const struct sock_row *row);
int sock_segment(const struct netdev *dev, const struct sock_row *row);
int sock_zerocopy(const struct netdev *dev, const struct sock_row *row);
int sock_cork(const struct netdev *dev, const struct sock_row *row);
int sock_splice(const struct netdev *dev, const struct sock_row *row);
int sock_tcp(const struct netdev *dev, const struct sock_row *row);
int sock_options(const struct netdev *dev, const struct sock_row *row);
int sock_options6(const struct netdev *dev, const struct sock_row *row);
int sock_foreign(const struct netdev *dev, const struct sock_row *row);
int sock_raw(const struct netdev *dev, const struct sock_row *row);
int sock_raw6(const struct netdev *dev, const struct sock_row *row);
int sock_cooked(const struct netdev *dev, const struct sock_row *row);
int sock_vnet_gso(const struct netdev *dev, const struct sock_row *row);

#endif /* RG_LIVE_SOCK_H */
