// SPDX-License-Identifier: Apache-2.0
/*
 * Running another program for what it prints, with a deadline.
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cleanup.h"
#include "capture.h"

static long long now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (long long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static int start(const char *const *argv, int out, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int r;

	r = posix_spawn_file_actions_init(&actions);
	if (r)
		return -r;
	r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!r)
		r = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
						     0);
	if (!r)
		r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY,
						     0);
	if (!r)
		r = posix_spawnp(ret_pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int read_until(int fd, long long deadline, size_t max, char **ret)
{
	_cleanup_free_ char *buf = malloc(max + 1);
	size_t n = 0;

	if (!buf)
		return -ENOMEM;
	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		long long left = deadline - now_ms();
		ssize_t got;
		int r;

		r = left > 0 ? poll(&p, 1, (int)left) : 0;
		if (r < 0 && errno != EINTR)
			return -errno;
		if (r == 0)
			return -ETIMEDOUT;
		if (r < 0)
			continue;
		got = read(fd, buf + n, max - n);
		if (got < 0)
			return -errno;
		if (!got)
			break;
		n += (size_t)got;
		if (n == max)
			return -EFBIG;
	}
	buf[n] = '\0';
	*ret = TAKE_PTR(buf);
	return 0;
}

int rg_capture(const char *const *argv, int timeout_ms, size_t max, char **ret)
{
	_cleanup_close_ int in = -EBADF, out = -EBADF;
	_cleanup_free_ char *text = NULL;
	int fds[2], r, status;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	in = fds[0];
	out = fds[1];
	r = start(argv, out, &pid);
	if (r < 0)
		return r;
	rg_close_ptr(&out);
	out = -EBADF;
	r = read_until(in, now_ms() + timeout_ms, max, &text);
	if (r < 0)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (r == 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
		r = -EIO;
	if (r < 0)
		return r;
	*ret = TAKE_PTR(text);
	return 0;
}
