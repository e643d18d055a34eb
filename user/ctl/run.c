// SPDX-License-Identifier: Apache-2.0
/*
 * Running another program, with a deadline.
 */
#define _GNU_SOURCE /* pipe2, memfd_create, environ */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "run.h"

static long long now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (long long)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The input as a file, so that a program which does not read it cannot block us. */
static int open_input(const char *input, int *ret)
{
	_cleanup_close_ int fd = -EBADF;
	int r;

	if (!input) {
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		*ret = TAKE_FD(fd);
		return 0;
	}
	fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = rg_fs_write_all(fd, input, strlen(input));
	if (r < 0)
		return r;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return -errno;
	*ret = TAKE_FD(fd);
	return 0;
}

static int start(const struct rg_run *run, int in, int out, pid_t *ret_pid)
{
	char *const *env = run->env ? (char *const *)run->env : environ;
	posix_spawn_file_actions_t actions;
	int r;

	r = posix_spawn_file_actions_init(&actions);
	if (r)
		return -r;
	r = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (!r)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!r)
		r = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
						     0);
	if (!r)
		r = posix_spawnp(ret_pid, run->argv[0], &actions, NULL, (char *const *)run->argv,
				 env);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

/* Read until the end, the deadline or the limit. */
static int read_until(int fd, long long deadline, size_t max, char *buf, size_t *n)
{
	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		long long left = deadline - now_ms();
		ssize_t got;
		int r;

		r = left > 0 ? poll(&p, 1, (int)left) : 0;
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return r < 0 ? -errno : -ETIMEDOUT;
		got = read(fd, buf + *n, max - *n);
		if (got <= 0)
			return got < 0 ? -errno : 0;
		*n += (size_t)got;
		if (*n == max)
			return -EFBIG;
	}
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

int rg_run(const struct rg_run *run, char **ret)
{
	_cleanup_close_ int input = -EBADF, in = -EBADF, out = -EBADF;
	_cleanup_free_ char *text = malloc(run->max + 1);
	int fds[2], r, status;
	size_t n = 0;
	pid_t pid;

	if (!text)
		return -ENOMEM;
	r = open_input(run->input, &input);
	if (r < 0)
		return r;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	in = fds[0];
	out = fds[1];
	r = start(run, input, out, &pid);
	if (r < 0)
		return r;
	rg_close_ptr(&out);
	out = -EBADF;
	r = read_until(in, now_ms() + run->timeout_ms, run->max, text, &n);
	if (r < 0)
		(void)kill(pid, SIGKILL);
	status = wait_for(pid);
	if (r < 0)
		return r;
	text[n] = '\0';
	*ret = TAKE_PTR(text);
	return status;
}
