// SPDX-License-Identifier: Apache-2.0
/*
 * Running another plugin.
 *
 * Its input is a file in memory, so that neither side ever waits for the other to read or write.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "exec.h"

int rg_exec_find(const char *path, const char *name, char *buf, size_t size)
{
	while (*path) {
		size_t len = strcspn(path, ":");
		struct stat st;

		if (len) {
			if (rg_str_format(buf, size, "%.*s/%s", (int)len, path, name) < 0)
				return -ENAMETOOLONG;
			if (stat(buf, &st) == 0 && S_ISREG(st.st_mode) && access(buf, X_OK) == 0)
				return 0;
		}
		path += len;
		path += strspn(path, ":");
	}
	return -ENOENT;
}

static long long now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

/* Return: 0 if @fd became ready, -ETIMEDOUT, or another -errno. */
static int wait_ready(int fd, long long deadline_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	for (;;) {
		long long left = deadline_ms - now_ms();
		int n = poll(&p, 1, left > 0 ? (int)left : 0);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (left <= 0)
			return -ETIMEDOUT;
	}
}

static int read_output(int fd, long long deadline_ms, struct rg_exec_result *ret)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, size = 0;

	for (;;) {
		ssize_t n;
		int r = wait_ready(fd, deadline_ms);

		if (r < 0)
			return r;
		if (len + 1 >= size) {
			char *bigger = realloc(buf, size = size ? size * 2 : 4096);

			if (!bigger)
				return -ENOMEM;
			buf = bigger;
		}
		n = read(fd, buf + len, size - len - 1);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		len += n > 0 ? (size_t)n : 0;
		if (len > RG_EXEC_OUTPUT_MAX)
			return -EFBIG;
	}
	buf[len] = '\0';
	ret->output = TAKE_PTR(buf);
	ret->output_len = len;
	return 0;
}

/* A program may close its output and live on: the end of the process is waited for as well. */
static int wait_end(pid_t pid, long long deadline_ms, int *ret_status)
{
	_cleanup_close_ int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int status, r = pidfd < 0 ? -errno : wait_ready(pidfd, deadline_ms);

	if (r < 0)
		return r;
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	*ret_status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

static int input_file(const char *input, size_t len, int *ret_fd)
{
	_cleanup_close_ int fd = memfd_create("cni-input", MFD_CLOEXEC);
	int r = fd < 0 ? -errno : rg_fs_write_all(fd, input, len);

	if (r == 0 && lseek(fd, 0, SEEK_SET) < 0)
		r = -errno;
	if (r == 0)
		*ret_fd = TAKE_FD(fd);
	return r;
}

static int spawn(const char *program, char *const env[], int in, int out, int keep_fd, pid_t *ret)
{
	char *const argv[] = {(char *)program, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int r = posix_spawn_file_actions_init(&actions);

	if (r)
		return -r;
	r = posix_spawnattr_init(&attr);
	if (r) {
		(void)posix_spawn_file_actions_destroy(&actions);
		return -r;
	}
	r = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	r = r ? r : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	/* to itself: not closed on exec any more */
	if (r == 0 && keep_fd > 0)
		r = posix_spawn_file_actions_adddup2(&actions, keep_fd, keep_fd);
	/* a group of its own, so that a timeout also ends what it started */
	r = r ? r : posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
	r = r ? r : posix_spawnattr_setpgroup(&attr, 0);
	r = r ? r : posix_spawn(ret, program, &actions, &attr, argv, env);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int start(const char *program, char *const env[], const char *input, size_t input_len,
		 int keep_fd, int *ret_out, pid_t *ret_pid)
{
	_cleanup_close_ int in = -EBADF, out = -EBADF, child_out = -EBADF;
	int pipe_fds[2], r = input_file(input, input_len, &in);

	if (r < 0)
		return r;
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	out = pipe_fds[0];
	child_out = pipe_fds[1];
	r = spawn(program, env, in, child_out, keep_fd, ret_pid);
	if (r == 0)
		*ret_out = TAKE_FD(out);
	return r;
}

int rg_exec(const char *program, char *const env[], const char *input, size_t input_len,
	    int keep_fd, unsigned int timeout_ms, struct rg_exec_result *ret, struct rg_err *err)
{
	long long deadline_ms = now_ms() + timeout_ms;
	struct rg_exec_result result = {0};
	_cleanup_close_ int out = -EBADF;
	pid_t pid = -1;
	int r = start(program, env, input, input_len, keep_fd, &out, &pid);

	if (r < 0)
		return rg_err_errno(err, r, "cannot run '%s'", program);
	r = read_output(out, deadline_ms, &result);
	r = r ? r : wait_end(pid, deadline_ms, &result.status);
	if (r < 0) {
		(void)kill(-pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		free(result.output);
		if (r == -ETIMEDOUT)
			return rg_err_set(err, r, "'%s' did not end within %u s and was killed",
					  program, timeout_ms / 1000);
		if (r == -EFBIG)
			return rg_err_set(err, r, "'%s' answered more than %d bytes", program,
					  RG_EXEC_OUTPUT_MAX);
		return rg_err_errno(err, r, "reading the answer of '%s'", program);
	}
	*ret = result;
	return 0;
}
