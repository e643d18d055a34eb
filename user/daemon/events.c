// SPDX-License-Identifier: Apache-2.0
/*
 * Passing drop events on. The agent is the ring buffer's one reader and never waits for a watcher:
 * one whose socket is full misses events, which is counted.
 */
#define _GNU_SOURCE /* accept4() */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/events.h"
#include "daemon/events.h"
#include "daemon/loop.h"

#define SOCKET_NAME  "events.sock"
#define MAX_WATCHERS 64
#define BACKLOG	     16

struct watcher {
	struct rg_watchers *all;
	int fd;
};

/**
 * struct rg_watchers - socket and those connected to it
 * @loop: loop
 * @listen_fd: socket
 * @path: its path
 * @events: ring buffer, NULL before rg_watchers_read()
 * @missed: events that did not fit into a watcher's socket
 * @watchers: connected ones; fd is negative in a free place
 */
struct rg_watchers {
	struct rg_loop *loop;
	int listen_fd;
	char path[PATH_MAX];
	struct rg_events *events;
	uint64_t missed;
	struct watcher watchers[MAX_WATCHERS];
};

static void drop_watcher(struct watcher *w)
{
	rg_loop_remove(w->all->loop, w->fd);
	rg_close_ptr(&w->fd);
	w->fd = -EBADF;
}

/* Watchers have nothing to say: what becomes readable is their end. */
static void on_watcher(void *arg)
{
	struct watcher *w = arg;
	char sink[64];
	ssize_t n = recv(w->fd, sink, sizeof(sink), MSG_DONTWAIT);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		drop_watcher(w);
}

static void on_connect(void *arg)
{
	struct rg_watchers *all = arg;
	_cleanup_close_ int fd = accept4(all->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	for (size_t i = 0; fd >= 0 && i < MAX_WATCHERS; i++) {
		struct watcher *w = &all->watchers[i];

		if (w->fd >= 0)
			continue;
		if (rg_loop_add(all->loop, fd, on_watcher, w, NULL) == 0)
			w->fd = TAKE_FD(fd);
		return;
	}
}

static void on_event(const struct rg_event *event, void *arg)
{
	struct rg_watchers *all = arg;

	for (size_t i = 0; i < MAX_WATCHERS; i++) {
		struct watcher *w = &all->watchers[i];

		if (w->fd < 0 ||
		    send(w->fd, event, sizeof(*event), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
			continue;
		if (errno == EAGAIN || errno == ENOBUFS)
			all->missed++;
		else
			drop_watcher(w);
	}
}

static void on_ring(void *arg)
{
	struct rg_watchers *all = arg;

	(void)rg_events_read(all->events);
}

/* Only root may watch: events carry the first bytes of packets. */
static int listen_at(struct rg_watchers *all, struct rg_err *err)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	mode_t mask;
	int r;

	if (rg_str_copy(addr.sun_path, sizeof(addr.sun_path), all->path) < 0)
		return rg_err_set(err, -ENAMETOOLONG, "socket %s: path is too long", all->path);
	all->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (all->listen_fd < 0)
		return rg_err_errno(err, -errno, "cannot make a socket");
	(void)unlink(all->path);
	mask = umask(0177);
	r = bind(all->listen_fd, (const struct sockaddr *)&addr, sizeof(addr)) < 0 ? -errno : 0;
	(void)umask(mask);
	if (r == 0 && listen(all->listen_fd, BACKLOG) < 0)
		r = -errno;
	return r < 0 ? rg_err_errno(err, r, "cannot listen on %s", all->path) : 0;
}

int rg_watchers_new(const char *run_dir, struct rg_loop *loop, struct rg_watchers **ret,
		    struct rg_err *err)
{
	struct rg_watchers *all = calloc(1, sizeof(*all));
	int r;

	if (!all)
		return rg_err_set(err, -ENOMEM, "out of memory");
	all->loop = loop;
	all->listen_fd = -EBADF;
	for (size_t i = 0; i < MAX_WATCHERS; i++)
		all->watchers[i] = (struct watcher){.all = all, .fd = -EBADF};
	r = rg_str_format(all->path, sizeof(all->path), "%s/" SOCKET_NAME, run_dir);
	if (r < 0)
		r = rg_err_set(err, r, "run directory %s: path is too long", run_dir);
	if (r == 0)
		r = listen_at(all, err);
	if (r == 0)
		r = rg_loop_add(loop, all->listen_fd, on_connect, all, err);
	if (r < 0) {
		rg_watchers_free(all);
		return r;
	}
	*ret = all;
	return 0;
}

static void close_ring(struct rg_watchers *all)
{
	if (!all->events)
		return;
	rg_loop_remove(all->loop, rg_events_fd(all->events));
	rg_events_close(all->events);
	all->events = NULL;
}

int rg_watchers_read(struct rg_watchers *all, const struct rg_maps *maps, struct rg_err *err)
{
	int r;

	close_ring(all);
	r = rg_events_open(maps, on_event, all, &all->events, err);
	if (r < 0)
		return r;
	r = rg_loop_add(all->loop, rg_events_fd(all->events), on_ring, all, err);
	/* what came while no agent ran */
	if (r == 0)
		on_ring(all);
	return r;
}

uint64_t rg_watchers_missed(const struct rg_watchers *all)
{
	return all->missed;
}

void rg_watchers_free(struct rg_watchers *all)
{
	if (!all)
		return;
	close_ring(all);
	for (size_t i = 0; i < MAX_WATCHERS; i++)
		if (all->watchers[i].fd >= 0)
			drop_watcher(&all->watchers[i]);
	if (all->listen_fd >= 0) {
		rg_loop_remove(all->loop, all->listen_fd);
		(void)unlink(all->path);
	}
	rg_close_ptr(&all->listen_fd);
	free(all);
}
