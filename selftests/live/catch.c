// SPDX-License-Identifier: Apache-2.0
/*
 * Receiving with packet sockets.
 */
#include "catch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "base/cleanup.h"
#include "bpf/tap.h"

#define MARK_TYPE	0x88b5 /* for local experiments */
#define MARK_TIMEOUT_MS 5000
#define RECEIVE_BUFFER	(64 << 20)

/**
 * struct mark - frame that ends a catch
 * @dst: receiver
 * @src: nobody
 * @type: MARK_TYPE
 * @text: to find it by
 * @seq: which one
 */
struct mark {
	uint8_t dst[6];
	uint8_t src[6];
	uint16_t type;
	char text[14];
	uint64_t seq;
} __attribute__((packed));

static int packet_socket(int ns, int ifindex, uint16_t protocol)
{
	struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(protocol),
		.sll_ifindex = ifindex,
	};
	int fd;

	world_enter(ns);
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (fd < 0 || (protocol && bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0))
		tap_bail("cannot open a packet socket: %s", strerror(errno));
	return fd;
}

static void set(int fd, int level, int option, int value)
{
	if (setsockopt(fd, level, option, &value, sizeof(value)) < 0)
		tap_bail("socket option %d: %s", option, strerror(errno));
}

struct catcher *catch_open(int ns, int ifindex, const struct netdev *mark_from,
			   const uint8_t mark_dst[RG_MAC_LEN])
{
	struct catcher *c = calloc(1, sizeof(*c));

	if (!c)
		tap_bail("out of memory");
	c->fd = packet_socket(ns, ifindex, ETH_P_ALL);
	set(c->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
	set(c->fd, SOL_PACKET, PACKET_AUXDATA, 1);
	set(c->fd, SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER);
	c->mark_fd = packet_socket(mark_from->ns, 0, 0);
	set(c->mark_fd, SOL_PACKET, PACKET_QDISC_BYPASS, 1);
	c->mark_ifindex = mark_from->ifindex;
	memcpy(c->mark_dst, mark_dst, sizeof(c->mark_dst));
	return c;
}

void catch_close(struct catcher *c)
{
	(void)close(c->fd);
	(void)close(c->mark_fd);
	free(c);
}

static void send_mark(struct catcher *c)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(MARK_TYPE),
		.sll_ifindex = c->mark_ifindex,
	};
	struct mark mark = {
		.src = {0x02, 0x5e, 0x4d, 0x61, 0x72, 0x6b},
		.type = htons(MARK_TYPE),
		.text = "railgate mark",
		.seq = ++c->seq,
	};

	memcpy(mark.dst, c->mark_dst, sizeof(mark.dst));
	if (sendto(c->mark_fd, &mark, sizeof(mark), 0, (struct sockaddr *)&to, sizeof(to)) < 0)
		tap_bail("cannot send a mark: %s", strerror(errno));
}

static bool is_mark(const uint8_t *data, ssize_t len, uint64_t seq)
{
	struct mark mark;

	if ((size_t)len < sizeof(mark))
		return false;
	memcpy(&mark, data, sizeof(mark));
	return mark.type == htons(MARK_TYPE) && !memcmp(mark.text, "railgate mark", 14) &&
	       mark.seq == seq;
}

/* The kernel takes a VLAN tag out of a frame that it receives. */
static ssize_t restore_tag(struct msghdr *msg, uint8_t *data, ssize_t len)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		struct tpacket_auxdata aux;
		uint16_t tag[2];

		if (c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA)
			continue;
		memcpy(&aux, CMSG_DATA(c), sizeof(aux));
		if (!(aux.tp_status & TP_STATUS_VLAN_VALID) || len + 4 > CATCH_MAX_BYTES)
			continue;
		memmove(data + 2 * ETH_ALEN + 4, data + 2 * ETH_ALEN,
			(size_t)len - 2 * (size_t)ETH_ALEN);
		tag[0] = htons(aux.tp_vlan_tpid);
		tag[1] = htons(aux.tp_vlan_tci);
		memcpy(data + 2 * ETH_ALEN, tag, sizeof(tag));
		return len + 4;
	}
	return len;
}

static ssize_t receive(const struct catcher *c, uint8_t *data)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};
	struct iovec iov = {.iov_base = data, .iov_len = CATCH_MAX_BYTES};
	char control[256];
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t len;

	if (poll(&p, 1, MARK_TIMEOUT_MS) != 1)
		tap_bail("the mark did not arrive");
	len = recvmsg(c->fd, &msg, 0);
	if (len < 2 * ETH_ALEN)
		tap_bail("cannot receive: %s", strerror(errno));
	return restore_tag(&msg, data, len);
}

const struct caught *catch_all(struct catcher *c)
{
	struct caught *got = &c->last;

	got->n = 0;
	got->bytes = 0;
	send_mark(c);
	for (;;) {
		size_t i = got->n < CATCH_MAX_FRAMES ? got->n : CATCH_MAX_FRAMES - 1;
		ssize_t len = receive(c, got->frames[i].data);

		if (is_mark(got->frames[i].data, len, c->seq))
			return got;
		got->frames[i].len = (size_t)len;
		got->n++;
		got->bytes += (uint64_t)len;
	}
}

int catch_counter(int ns, uint32_t offset, uint32_t value)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, ETH_HLEN),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog filter = {.len = ARRAY_SIZE(insns), .filter = insns};
	struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
	int fd = packet_socket(ns, 0, 0);

	set(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) < 0 ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0)
		tap_bail("cannot count frames: %s", strerror(errno));
	return fd;
}

uint64_t catch_count(int fd)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);

	/* the kernel's count of all that matched, whether there was room for it or not */
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len) < 0)
		tap_bail("cannot read a counter: %s", strerror(errno));
	return stats.tp_packets;
}
