// SPDX-License-Identifier: Apache-2.0
/*
 * UDP and TCP sockets: what a program without any privilege can do, and what options make of it.
 */
#define _GNU_SOURCE /* splice */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <netinet/udp.h>
#include <linux/errqueue.h>
#include <linux/ipv6.h>

#include "base/cleanup.h"
#include "bpf/tap.h"
#include "sock.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103 /* Linux 4.18 */
#endif
#define BTH_LEN		 12
#define ZEROCOPY_WAIT_MS 2000

uint8_t *sock_payload(const struct sock_row *row)
{
	static uint8_t buf[SOCK_MAX_PAYLOAD] __attribute__((aligned(4096)));
	/* SEND_ONLY, partition ffff, queue pair 0xd2 */
	static const uint8_t bth[BTH_LEN] = {0x04, 0, 0xff, 0xff, 0, 0, 0, 0xd2};

	if (row->size > sizeof(buf))
		tap_bail("%s: payload is too long", row->name);
	memset(buf, 0, row->size);
	if (row->payload == DATA || row->size < sizeof(bth))
		return buf;
	memcpy(buf, bth, sizeof(bth));
	if (row->payload == FORGED)
		buf[1] = 1;
	return buf;
}

static socklen_t address(const char *text, uint16_t port, struct sockaddr_storage *ret)
{
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ret;
	struct sockaddr_in *in = (struct sockaddr_in *)ret;

	memset(ret, 0, sizeof(*ret));
	if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		return sizeof(*in);
	}
	if (inet_pton(AF_INET6, text, &in6->sin6_addr) != 1)
		tap_bail("%s is not an address", text);
	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	return sizeof(*in6);
}

static int set(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value)) < 0 ? -errno : 0;
}

static int open_type(const struct sock_row *row, int type)
{
	_cleanup_close_ int fd = -EBADF;
	struct sockaddr_storage to;
	socklen_t len = address(row->to, row->port, &to);
	int r;

	fd = socket(to.ss_family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	r = to.ss_family == AF_INET ? set(fd, SOL_SOCKET, SO_BROADCAST, 1) : 0;
	/* whole datagrams, so that the path's MTU is what fragments them */
	if (r == 0 && type == SOCK_DGRAM && to.ss_family == AF_INET)
		r = set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DONT);
	if (r < 0)
		return r;
	if (connect(fd, (struct sockaddr *)&to, len) < 0 && errno != EINPROGRESS)
		return -errno;
	return TAKE_FD(fd);
}

int sock_open(const struct sock_row *row)
{
	return open_type(row, SOCK_DGRAM);
}

static int send_all(int fd, const struct sock_row *row, int flags)
{
	return send(fd, sock_payload(row), row->size, flags) < 0 ? -errno : 0;
}

int sock_udp(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = sock_open(row);

	(void)dev;
	return fd < 0 ? fd : send_all(fd, row, 0);
}

int sock_segment(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = sock_open(row);
	int r;

	(void)dev;
	if (fd < 0)
		return fd;
	r = set(fd, SOL_UDP, UDP_SEGMENT, row->arg);
	return r < 0 ? r : send_all(fd, row, 0);
}

/* The payload's pages themselves become fragments of the packet; arg is the offset of the first. */
int sock_zerocopy(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = sock_open(row);
	struct pollfd p = {.fd = fd};
	struct msghdr msg = {0};
	char control[128];
	int r;

	(void)dev;
	if (fd < 0)
		return fd;
	r = set(fd, SOL_SOCKET, SO_ZEROCOPY, 1);
	if (r == 0)
		r = send_all(fd, row, MSG_ZEROCOPY);
	/* the kernel says when it needs the pages no more */
	msg.msg_control = control;
	msg.msg_controllen = sizeof(control);
	if (r == 0 && (poll(&p, 1, ZEROCOPY_WAIT_MS) < 0 || recvmsg(fd, &msg, MSG_ERRQUEUE) < 0))
		r = -errno;
	return r;
}

/* One datagram written in pieces of arg bytes. */
int sock_cork(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = sock_open(row);
	const uint8_t *data = sock_payload(row);
	size_t step = (size_t)row->arg;

	(void)dev;
	if (fd < 0)
		return fd;
	for (size_t off = 0; off < row->size; off += step) {
		size_t n = row->size - off < step ? row->size - off : step;

		if (send(fd, data + off, n, off + n < row->size ? MSG_MORE : 0) < 0)
			return -errno;
	}
	return 0;
}

/* One datagram of the pages of a pipe. */
int sock_splice(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = sock_open(row), in = -EBADF, out = -EBADF;
	struct iovec iov = {.iov_base = sock_payload(row), .iov_len = row->size};
	ssize_t n = 0;
	int pipes[2];

	(void)dev;
	if (fd < 0 || pipe2(pipes, O_CLOEXEC) < 0)
		return fd < 0 ? fd : -errno;
	out = pipes[0];
	in = pipes[1];
	if (vmsplice(in, &iov, 1, 0) != (ssize_t)row->size)
		return -errno;
	while (n < (ssize_t)row->size) {
		ssize_t r = splice(out, NULL, fd, NULL, row->size - (size_t)n, 0);

		if (r <= 0)
			return r ? -errno : -EPIPE;
		n += r;
	}
	return 0;
}

int sock_tcp(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = open_type(row, SOCK_STREAM | SOCK_NONBLOCK);

	(void)dev;
	return fd < 0 ? fd : 0;
}

/* With IPv4 options: arg 1 asks for a way by 8.8.8.8, else it is padding only. */
int sock_options(const struct netdev *dev, const struct sock_row *row)
{
	static const uint8_t source_route[] = {131, 7, 4, 10, 9, 0, 2, 1}, padding[] = {1, 1, 1, 1};
	_cleanup_close_ int fd = sock_open(row);
	const void *options = row->arg ? source_route : padding;
	socklen_t len = row->arg ? sizeof(source_route) : sizeof(padding);

	(void)dev;
	if (fd < 0)
		return fd;
	if (setsockopt(fd, IPPROTO_IP, IP_OPTIONS, options, len) < 0)
		return -errno;
	return send_all(fd, row, 0);
}

/* With an IPv6 extension header, which arg names. */
int sock_options6(const struct netdev *dev, const struct sock_row *row)
{
	/* destination options: padding; routing header of segment routing, by one way point */
	static const uint8_t padding[8] = {0, 0, 1, 4};
	uint8_t segments[24] = {0, 2, 4, 0, 0, 0, 0, 0, 0xfd, 0x09};
	_cleanup_close_ int fd = sock_open(row);
	bool route = row->arg == IPV6_RTHDR;

	(void)dev;
	segments[23] = 2;
	if (fd < 0)
		return fd;
	if (setsockopt(fd, IPPROTO_IPV6, row->arg, route ? segments : padding,
		       route ? sizeof(segments) : sizeof(padding)) < 0)
		return -errno;
	return send_all(fd, row, 0);
}

/* From an address that the sender does not have. */
int sock_foreign(const struct netdev *dev, const struct sock_row *row)
{
	struct sockaddr_storage from, to;
	_cleanup_close_ int fd = -EBADF;
	socklen_t len = address(row->to, row->port, &to);
	bool v4 = to.ss_family == AF_INET;
	int r;

	(void)dev;
	fd = socket(to.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	r = set(fd, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TRANSPARENT : IPV6_TRANSPARENT, 1);
	if (r < 0)
		return r;
	(void)address(v4 ? "10.9.0.77" : "fd09::77", 0, &from);
	if (bind(fd, (struct sockaddr *)&from, len) < 0)
		return -errno;
	if (sendto(fd, sock_payload(row), row->size, 0, (struct sockaddr *)&to, len) < 0)
		return -errno;
	return 0;
}
