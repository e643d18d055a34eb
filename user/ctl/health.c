// SPDX-License-Identifier: Apache-2.0
/*
 * Asking the agent whether it is well: one HTTP request with a deadline.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/inet.h"
#include "base/str.h"
#include "health.h"

#define ANSWER_MAX 4096

static const char request[] = "GET /healthz HTTP/1.0\r\nConnection: close\r\n\r\n";

/* An agent that listens on every address answers on the loopback one. */
static int parse_listen(const char *listen_on, struct sockaddr_storage *ret, socklen_t *ret_len)
{
	const char *colon = strrchr(listen_on, ':');
	char host[RG_ADDR_STR_LEN + 2];
	struct rg_addr a;
	uint64_t port;
	size_t len;

	if (!colon || rg_str_u64(colon + 1, UINT16_MAX, &port) < 0)
		return -EINVAL;
	len = (size_t)(colon - listen_on);
	if (len >= sizeof(host) || len < 2)
		return -EINVAL;
	memcpy(host, listen_on, len);
	host[len] = '\0';
	if (host[0] == '[' && host[len - 1] == ']') {
		host[len - 1] = '\0';
		memmove(host, host + 1, len - 1);
	}
	if (rg_addr_parse(host, &a) < 0)
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	if (rg_addr_is_v4(&a)) {
		struct sockaddr_in *sa = (struct sockaddr_in *)ret;
		const uint8_t *raw = rg_addr_raw(&a, &len);

		sa->sin_family = AF_INET;
		sa->sin_port = htons((uint16_t)port);
		memcpy(&sa->sin_addr, raw, len);
		if (!sa->sin_addr.s_addr)
			sa->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		*ret_len = sizeof(*sa);
	} else {
		struct sockaddr_in6 *sa = (struct sockaddr_in6 *)ret;

		sa->sin6_family = AF_INET6;
		sa->sin6_port = htons((uint16_t)port);
		memcpy(&sa->sin6_addr, a.b, sizeof(a.b));
		if (rg_addr_is_zero(&a))
			sa->sin6_addr = in6addr_loopback;
		*ret_len = sizeof(*sa);
	}
	return 0;
}

static int wait_for(int fd, short events, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = events};
	int r = poll(&p, 1, timeout_ms);

	if (r < 0)
		return -errno;
	return r ? 0 : -ETIMEDOUT;
}

static int connect_to(const char *listen_on, int timeout_ms, int *ret)
{
	_cleanup_close_ int fd = -EBADF;
	struct sockaddr_storage sa;
	socklen_t len, size = sizeof(int);
	int r, code;

	r = parse_listen(listen_on, &sa, &len);
	if (r < 0)
		return r;
	fd = socket(sa.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&sa, len) < 0 && errno != EINPROGRESS)
		return -errno;
	r = wait_for(fd, POLLOUT, timeout_ms);
	if (r < 0)
		return r;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0)
		return -errno;
	if (code)
		return -code;
	*ret = TAKE_FD(fd);
	return 0;
}

static int read_answer(int fd, int timeout_ms, char *buf, size_t size)
{
	size_t n = 0;

	while (n + 1 < size) {
		int r = wait_for(fd, POLLIN, timeout_ms);
		ssize_t got;

		if (r < 0)
			return r;
		got = recv(fd, buf + n, size - 1 - n, 0);
		if (got < 0)
			return -errno;
		if (!got)
			break;
		n += (size_t)got;
	}
	buf[n] = '\0';
	return 0;
}

int rg_health_get(const char *listen, int timeout_ms, char *body, size_t size, struct rg_err *err)
{
	char answer[ANSWER_MAX], *text;
	_cleanup_close_ int fd = -EBADF;
	unsigned int status;
	int r;

	r = connect_to(listen, timeout_ms, &fd);
	if (r == 0 && send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL) < 0)
		r = -errno;
	if (r == 0)
		r = read_answer(fd, timeout_ms, answer, sizeof(answer));
	if (r < 0)
		return rg_err_errno(err, r, "no answer from %s", listen);
	if (sscanf(answer, "HTTP/%*u.%*u %3u", &status) != 1)
		return rg_err_set(err, -EPROTO, "what answers at %s speaks no HTTP", listen);
	text = strstr(answer, "\r\n\r\n");
	text = text ? text + 4 : answer + strlen(answer);
	text[strcspn(text, "\r\n")] = '\0';
	(void)rg_str_format(body, size, "%s", text);
	return (int)status;
}
