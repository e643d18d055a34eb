// SPDX-License-Identifier: Apache-2.0
/*
 * The agent's event loop.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "daemon/loop.h"

#define MAX_EVENTS 16

/**
 * struct source - one file descriptor
 * @fd: file descriptor, negative once removed
 * @own: whether the loop closes it
 * @drain: bytes to read before the call (timers, signals)
 * @fn: called when readable
 * @arg: passed to @fn
 * @next: list
 */
struct source {
	int fd;
	bool own;
	size_t drain;
	rg_loop_fn fn;
	void *arg;
	struct source *next;
};

struct rg_loop {
	int epoll_fd;
	bool quit;
	struct source *sources;
	struct rg_loop_idle idle;
};

int rg_loop_new(struct rg_loop **ret, struct rg_err *err)
{
	struct rg_loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return rg_err_set(err, -ENOMEM, "out of memory");
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0) {
		free(loop);
		return rg_err_errno(err, -errno, "cannot make an epoll instance");
	}
	*ret = loop;
	return 0;
}

void rg_loop_free(struct rg_loop *loop)
{
	struct source *s, *next;

	if (!loop)
		return;
	for (s = loop->sources; s; s = next) {
		next = s->next;
		if (s->own)
			rg_close_ptr(&s->fd);
		free(s);
	}
	rg_close_ptr(&loop->epoll_fd);
	free(loop);
}

static int add_source(struct rg_loop *loop, const struct source *source, struct rg_err *err)
{
	struct epoll_event event = {.events = EPOLLIN};
	struct source *s = malloc(sizeof(*s));

	if (!s)
		return rg_err_set(err, -ENOMEM, "out of memory");
	*s = *source;
	event.data.ptr = s;
	if (epoll_ctl(loop->epoll_fd, EPOLL_CTL_ADD, s->fd, &event) < 0) {
		free(s);
		return rg_err_errno(err, -errno, "cannot watch file descriptor %d", source->fd);
	}
	s->next = loop->sources;
	loop->sources = s;
	return 0;
}

int rg_loop_add(struct rg_loop *loop, int fd, rg_loop_fn fn, void *arg, struct rg_err *err)
{
	return add_source(loop, &(struct source){.fd = fd, .fn = fn, .arg = arg}, err);
}

/* The entry itself is freed between two rounds: an event for it may be waiting in this one. */
void rg_loop_remove(struct rg_loop *loop, int fd)
{
	for (struct source *s = loop->sources; s; s = s->next) {
		if (s->fd != fd)
			continue;
		(void)epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
		s->fd = -EBADF;
		s->fn = NULL;
	}
}

static void free_removed(struct rg_loop *loop)
{
	struct source **at = &loop->sources;

	while (*at) {
		struct source *s = *at;

		if (s->fn) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		free(s);
	}
}

int rg_loop_every(struct rg_loop *loop, uint32_t interval_ms, rg_loop_fn fn, void *arg,
		  struct rg_err *err)
{
	const struct timespec step = {
		.tv_sec = interval_ms / 1000,
		.tv_nsec = (long)(interval_ms % 1000) * 1000000,
	};
	const struct itimerspec spec = {.it_interval = step, .it_value = step};
	_cleanup_close_ int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	int r;

	if (fd < 0 || timerfd_settime(fd, 0, &spec, NULL) < 0)
		return rg_err_errno(err, -errno, "cannot make a timer");
	r = add_source(
		loop,
		&(struct source){
			.fd = fd, .own = true, .drain = sizeof(uint64_t), .fn = fn, .arg = arg},
		err);
	if (r == 0)
		(void)TAKE_FD(fd);
	return r;
}

int rg_loop_signal(struct rg_loop *loop, int signo, rg_loop_fn fn, void *arg, struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;
	sigset_t set;
	int r;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, signo);
	if (sigprocmask(SIG_BLOCK, &set, NULL) == 0)
		fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return rg_err_errno(err, -errno, "cannot take signal %d", signo);
	r = add_source(loop,
		       &(struct source){.fd = fd,
					.own = true,
					.drain = sizeof(struct signalfd_siginfo),
					.fn = fn,
					.arg = arg},
		       err);
	if (r == 0)
		(void)TAKE_FD(fd);
	return r;
}

void rg_loop_set_idle(struct rg_loop *loop, const struct rg_loop_idle *idle)
{
	if (idle)
		loop->idle = *idle;
	else
		memset(&loop->idle, 0, sizeof(loop->idle));
}

static void call(const struct source *s)
{
	char sink[sizeof(struct signalfd_siginfo)];

	if (!s->fn)
		return;
	if (s->drain && read(s->fd, sink, s->drain) < 0)
		return;
	s->fn(s->arg);
}

int rg_loop_run(struct rg_loop *loop, struct rg_err *err)
{
	struct epoll_event events[MAX_EVENTS];

	while (!loop->quit) {
		int timeout = loop->idle.run ? loop->idle.timeout_ms(loop->idle.arg) : -1;
		int n = epoll_wait(loop->epoll_fd, events, MAX_EVENTS, timeout);

		if (n < 0 && errno != EINTR)
			return rg_err_errno(err, -errno, "cannot wait for events");
		for (int i = 0; i < n && !loop->quit; i++)
			call(events[i].data.ptr);
		free_removed(loop);
		if (loop->idle.run && (n <= 0 || loop->idle.timeout_ms(loop->idle.arg) == 0))
			loop->idle.run(loop->idle.arg);
	}
	return 0;
}

void rg_loop_quit(struct rg_loop *loop)
{
	loop->quit = true;
}

int64_t rg_loop_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
