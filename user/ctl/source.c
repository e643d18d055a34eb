// SPDX-License-Identifier: Apache-2.0
/*
 * Where drop events come from.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/events.h"
#include "source.h"

/* Events taken in one go, so that a flood does not keep a signal waiting. */
#define BATCH 256

/*
 * @sock: connection to the agent, negative while there is none
 * @ring: ring buffer, NULL while the agent reads it
 */
struct rg_source {
	const char *run_dir;
	const struct rg_maps *maps;
	rg_source_fn fn;
	void *arg;
	int sock;
	struct rg_events *ring;
};

static int connect_agent(const char *run_dir, int *ret)
{
	struct sockaddr_un sa = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = -EBADF;
	int r;

	r = rg_str_format(sa.sun_path, sizeof(sa.sun_path), "%s/%s", run_dir, RG_EVENTS_SOCKET);
	if (r < 0)
		return r;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&sa, sizeof(sa)) < 0)
		return -errno;
	*ret = TAKE_FD(fd);
	return 0;
}

static void disconnect(struct rg_source *s)
{
	rg_close_ptr(&s->sock);
	s->sock = -EBADF;
	rg_events_close(TAKE_PTR(s->ring));
}

/* The agent if it answers, else the ring buffer. */
static int connect_any(struct rg_source *s, struct rg_err *err)
{
	int r = connect_agent(s->run_dir, &s->sock);

	if (r == 0)
		return 0;
	if (r != -ENOENT && r != -ECONNREFUSED)
		return rg_err_errno(err, r, "cannot connect to the agent at %s/%s", s->run_dir,
				    RG_EVENTS_SOCKET);
	if (!s->maps)
		return rg_err_set(err, r,
				  "no agent answers at %s/%s, and the policy is not loaded; start "
				  "railgated",
				  s->run_dir, RG_EVENTS_SOCKET);
	return rg_events_open(s->maps, s->fn, s->arg, &s->ring, err);
}

int rg_source_open(const char *run_dir, const struct rg_maps *maps, rg_source_fn fn, void *arg,
		   struct rg_source **ret, struct rg_err *err)
{
	_cleanup_(rg_source_close_ptr) struct rg_source *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return rg_err_errno(err, -ENOMEM, "cannot receive drop events");
	*s = (struct rg_source){run_dir, maps, fn, arg, -EBADF, NULL};
	r = connect_any(s, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(s);
	return 0;
}

bool rg_source_is_agent(const struct rg_source *s)
{
	return s->sock >= 0;
}

/* Returns 1 when the agent has hung up. */
static int read_socket(struct rg_source *s)
{
	struct rg_event event;
	size_t i;

	for (i = 0; i < BATCH; i++) {
		ssize_t n = recv(s->sock, &event, sizeof(event), MSG_DONTWAIT);

		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return 1;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if ((size_t)n == sizeof(event))
			s->fn(&event, s->arg);
	}
	return 0;
}

static int change_source(struct rg_source *s, struct rg_err *err)
{
	int r;

	disconnect(s);
	r = connect_any(s, err);
	return r < 0 ? r : 1;
}

/* Returns 1 when an agent has come. */
static int agent_came(struct rg_source *s)
{
	int sock;

	if (connect_agent(s->run_dir, &sock) < 0)
		return 0;
	disconnect(s);
	s->sock = sock;
	return 1;
}

int rg_source_wait(struct rg_source *s, int ms, struct rg_err *err)
{
	struct pollfd p = {.events = POLLIN};
	int r;

	p.fd = s->sock >= 0 ? s->sock : rg_events_fd(s->ring);
	r = poll(&p, 1, ms);
	if (r < 0)
		return errno == EINTR ? -EINTR
				      : rg_err_errno(err, -errno, "cannot wait for drop events");
	if (s->sock < 0) {
		if (agent_came(s))
			return 1;
		r = rg_events_read(s->ring);
		return r < 0 ? rg_err_errno(err, r, "cannot read the ring buffer") : 0;
	}
	if (!r)
		return 0;
	r = read_socket(s);
	if (r == 1)
		return change_source(s, err);
	return r < 0 ? rg_err_errno(err, r, "cannot receive from the agent") : 0;
}

void rg_source_close(struct rg_source *s)
{
	if (!s)
		return;
	disconnect(s);
	free(s);
}

void rg_source_close_ptr(struct rg_source **s)
{
	rg_source_close(*s);
}
