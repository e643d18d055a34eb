// SPDX-License-Identifier: Apache-2.0
/*
 * Numbered UDP datagrams at a steady rate.
 *
 * udpflood DEST PORT COUNT RATE [DEST2]: COUNT datagrams of 64 bytes to DEST, RATE a second (0 for
 * as fast as possible). With DEST2, each is followed by one to DEST2. Prints how many the kernel
 * took for each; what a hook drops afterwards counts as taken.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/str.h"

#define BURST	  16
#define NS_SECOND 1000000000LL

struct target {
	struct sockaddr_in addr;
	uint64_t sent;
};

static int64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_SECOND + now.tv_nsec;
}

static void wait_until(int64_t due_ns)
{
	const struct timespec due = {.tv_sec = due_ns / NS_SECOND, .tv_nsec = due_ns % NS_SECOND};

	(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

/* A datagram that is dropped on its way down is reported as ENOBUFS: it reached the hook. */
static int send_one(int fd, struct target *t, uint64_t number)
{
	unsigned char data[64] = {0};

	memcpy(data, &number, sizeof(number));
	if (sendto(fd, data, sizeof(data), 0, (const struct sockaddr *)&t->addr, sizeof(t->addr)) <
		    0 &&
	    errno != ENOBUFS)
		return -errno;
	t->sent++;
	return 0;
}

static int flood(int fd, struct target *targets, size_t n, uint64_t count, uint64_t rate)
{
	int64_t start = now_ns();

	for (uint64_t i = 0; i < count; i++) {
		if (rate && i % BURST == 0)
			wait_until(start + (int64_t)(i * NS_SECOND / rate));
		for (size_t t = 0; t < n; t++) {
			int r = send_one(fd, &targets[t], i);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	_cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct target targets[2] = {0};
	uint64_t port, count, rate;
	size_t n = argc == 6 ? 2 : 1;
	int r;

	if (argc < 5 || argc > 6 || rg_str_u64(argv[2], UINT16_MAX, &port) < 0 ||
	    rg_str_u64(argv[3], UINT32_MAX, &count) < 0 ||
	    rg_str_u64(argv[4], UINT32_MAX, &rate) < 0)
		return EXIT_FAILURE;
	for (size_t i = 0; i < n; i++) {
		targets[i].addr.sin_family = AF_INET;
		targets[i].addr.sin_port = htons((uint16_t)port);
		if (inet_pton(AF_INET, argv[i ? 5 : 1], &targets[i].addr.sin_addr) != 1)
			return EXIT_FAILURE;
	}
	r = fd < 0 ? -errno : flood(fd, targets, n, count, rate);
	if (r < 0) {
		(void)fprintf(stderr, "udpflood: %s\n", strerror(-r));
		return EXIT_FAILURE;
	}
	(void)printf("%llu %llu\n", (unsigned long long)targets[0].sent,
		     (unsigned long long)targets[1].sent);
	return EXIT_SUCCESS;
}
