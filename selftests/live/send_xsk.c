// SPDX-License-Identifier: Apache-2.0
/*
 * AF_XDP in copy mode, with the system calls themselves. A frame of more than one chunk is sent as
 * several descriptors, which become fragments of one packet.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <linux/if_xdp.h>

#include "base/cleanup.h"
#include "send.h"

#ifndef XDP_USE_SG
#define XDP_USE_SG (1 << 4) /* Linux 6.6 */
#endif
#define PKT_CONTD    1U /* descriptor option: more of the packet follows */
#define CHUNK	     4096U
#define CHUNKS	     8U
#define RING	     8U
#define DONE_TRIES   100
#define DONE_STEP_MS 10

/**
 * struct xsk - shared memory of an AF_XDP socket
 * @umem: chunks
 * @tx: mapping of the ring of descriptors to send
 * @tx_size: its size
 * @done: mapping of the ring of chunks sent
 * @done_size: its size
 * @off: where things are in the mappings
 */
struct xsk {
	uint8_t *umem;
	uint8_t *tx;
	size_t tx_size;
	uint8_t *done;
	size_t done_size;
	struct xdp_mmap_offsets off;
};

static int set(const struct sender *s, int option, const void *value, socklen_t len)
{
	return setsockopt(s->fd, SOL_XDP, option, value, len) < 0 ? -errno : 0;
}

static int make_rings(const struct sender *s)
{
	struct xdp_umem_reg reg = {
		.addr = (uintptr_t)s->xsk->umem,
		.len = (uint64_t)CHUNK * CHUNKS,
		.chunk_size = CHUNK,
	};
	const uint32_t size = RING;
	socklen_t len = sizeof(s->xsk->off);
	int r = set(s, XDP_UMEM_REG, &reg, sizeof(reg));

	r = r ? r : set(s, XDP_UMEM_FILL_RING, &size, sizeof(size));
	r = r ? r : set(s, XDP_UMEM_COMPLETION_RING, &size, sizeof(size));
	r = r ? r : set(s, XDP_TX_RING, &size, sizeof(size));
	if (r == 0 && getsockopt(s->fd, SOL_XDP, XDP_MMAP_OFFSETS, &s->xsk->off, &len) < 0)
		r = -errno;
	return r;
}

static int map_ring(const struct sender *s, size_t size, off_t pgoff, uint8_t **ret)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, s->fd, pgoff);

	if (p == MAP_FAILED)
		return -errno;
	*ret = p;
	return 0;
}

static int map_rings(const struct sender *s)
{
	struct xsk *x = s->xsk;
	int r;

	x->tx_size = x->off.tx.desc + RING * sizeof(struct xdp_desc);
	x->done_size = x->off.cr.desc + RING * sizeof(uint64_t);
	r = map_ring(s, x->tx_size, XDP_PGOFF_TX_RING, &x->tx);
	return r ? r : map_ring(s, x->done_size, (off_t)XDP_UMEM_PGOFF_COMPLETION_RING, &x->done);
}

/* Before Linux 6.6 a packet is one chunk at most. */
static int bind_queue(const struct sender *s)
{
	struct sockaddr_xdp at = {
		.sxdp_family = AF_XDP,
		.sxdp_flags = XDP_COPY | XDP_USE_SG,
		.sxdp_ifindex = (uint32_t)s->dev->ifindex,
	};
	int r = bind(s->fd, (struct sockaddr *)&at, sizeof(at));

	if (r < 0 && errno == EINVAL) {
		at.sxdp_flags = XDP_COPY;
		r = bind(s->fd, (struct sockaddr *)&at, sizeof(at));
	}
	return r < 0 ? -errno : 0;
}

static int xsk_open(struct sender *s)
{
	void *umem;
	int r;

	s->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
	s->xsk = calloc(1, sizeof(*s->xsk));
	if (s->fd < 0 || !s->xsk)
		return s->fd < 0 ? -errno : -ENOMEM;
	umem = mmap(NULL, (size_t)CHUNK * CHUNKS, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (umem == MAP_FAILED)
		return -errno;
	s->xsk->umem = umem;
	r = make_rings(s);
	r = r ? r : map_rings(s);
	return r ? r : bind_queue(s);
}

static uint32_t *word(uint8_t *ring, uint64_t off)
{
	return (uint32_t *)(void *)(ring + off);
}

/* Give the chunks that the kernel is done with back to ourselves. */
static uint32_t collect(struct xsk *x)
{
	uint32_t produced = __atomic_load_n(word(x->done, x->off.cr.producer), __ATOMIC_ACQUIRE);
	uint32_t *consumer = word(x->done, x->off.cr.consumer), n = produced - *consumer;

	__atomic_store_n(consumer, produced, __ATOMIC_RELEASE);
	return n;
}

static int xsk_send(struct sender *s, const struct frame *f)
{
	struct xsk *x = s->xsk;
	struct xdp_desc *descs = (struct xdp_desc *)(void *)(x->tx + x->off.tx.desc);
	uint32_t *producer = word(x->tx, x->off.tx.producer), at = *producer, n = 0, done = 0;
	int r = 0;

	for (size_t off = 0; off < f->len; off += CHUNK, n++) {
		size_t len = f->len - off < CHUNK ? f->len - off : CHUNK;

		if (n == CHUNKS)
			return -EMSGSIZE;
		memcpy(x->umem + (size_t)n * CHUNK, f->data + off, len);
		descs[(at + n) % RING] = (struct xdp_desc){
			.addr = (uint64_t)n * CHUNK,
			.len = (uint32_t)len,
			.options = off + len < f->len ? PKT_CONTD : 0,
		};
	}
	__atomic_store_n(producer, at + n, __ATOMIC_RELEASE);
	/* a drop completes a chunk as well as a transmission does */
	for (int i = 0; i < DONE_TRIES && done < n; i++) {
		if (sendto(s->fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0)
			r = -errno;
		done += collect(x);
		if (done < n)
			(void)poll(NULL, 0, i ? DONE_STEP_MS : 0);
	}
	return done < n ? (r ? r : -ETIMEDOUT) : 0;
}

static void xsk_close(struct sender *s)
{
	struct xsk *x = s->xsk;

	if (!x)
		return;
	if (x->umem)
		(void)munmap(x->umem, (size_t)CHUNK * CHUNKS);
	if (x->tx)
		(void)munmap(x->tx, x->tx_size);
	if (x->done)
		(void)munmap(x->done, x->done_size);
	free(x);
	s->xsk = NULL;
}

const struct way way_xsk = {
	.name = "AF_XDP in copy mode",
	.bypass = true,
	.open = xsk_open,
	.send = xsk_send,
	.close = xsk_close,
};
