// SPDX-License-Identifier: Apache-2.0
/*
 * Files: bounded reads, durable writes, locks, directories.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"

int rg_fs_read_fd(int fd, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, size = 0;

	for (;;) {
		ssize_t n;

		if (len + 1 >= size) {
			char *bigger;

			size = size ? size * 2 : 4096;
			bigger = realloc(buf, size);
			if (!bigger)
				return -ENOMEM;
			buf = bigger;
		}
		n = read(fd, buf + len, size - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max)
			return -EFBIG;
	}
	buf[len] = '\0';
	*ret = TAKE_PTR(buf);
	if (ret_len)
		*ret_len = len;
	return 0;
}

int rg_fs_read(int dirfd, const char *path, size_t max, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return rg_fs_read_fd(fd, max, ret, ret_len);
}

int rg_fs_read_line(int dirfd, const char *path, char *buf, size_t size)
{
	_cleanup_free_ char *text = NULL;
	int r = rg_fs_read(dirfd, path, 65536, &text, NULL);

	if (r < 0)
		return r;
	text[strcspn(text, "\n")] = '\0';
	return rg_str_copy(buf, size, text);
}

int rg_fs_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_new(int dirfd, const char *name, const void *data, size_t len, mode_t mode,
		     bool sync)
{
	_cleanup_close_ int fd = openat(dirfd, name,
					O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
					mode);
	int r;

	if (fd < 0)
		return -errno;
	r = rg_fs_write_all(fd, data, len);
	if (r < 0)
		return r;
	return sync && fsync(fd) < 0 ? -errno : 0;
}

static int replace(int dirfd, const char *name, const void *data, size_t len, mode_t mode,
		   bool sync)
{
	char tmp[NAME_MAX + 1];
	int r;

	/* a leading dot: readers of the directory skip what a crash left */
	r = rg_str_format(tmp, sizeof(tmp), ".%s.%d.tmp", name, (int)getpid());
	if (r < 0)
		return r;
	r = write_new(dirfd, tmp, data, len, mode, sync);
	if (r == 0 && renameat(dirfd, tmp, dirfd, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(dirfd, tmp, 0);
	return r;
}

int rg_fs_write_atomic(int dirfd, const char *name, const void *data, size_t len, mode_t mode)
{
	int r = replace(dirfd, name, data, len, mode, true);

	if (r < 0)
		return r;
	return fsync(dirfd) < 0 ? -errno : 0;
}

int rg_fs_replace(int dirfd, const char *name, const void *data, size_t len, mode_t mode)
{
	return replace(dirfd, name, data, len, mode, false);
}

int rg_fs_write_value(int dirfd, const char *path, const char *value)
{
	_cleanup_close_ int fd = openat(dirfd, path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return rg_fs_write_all(fd, value, strlen(value));
}

int rg_fs_mkdir_p(const char *path, mode_t mode)
{
	char part[PATH_MAX];
	char *p = part;
	int r;

	r = rg_str_copy(part, sizeof(part), path);
	if (r < 0)
		return r;
	while (*p) {
		char saved;

		p += strspn(p, "/");
		p += strcspn(p, "/");
		saved = *p;
		*p = '\0';
		if (mkdir(part, mode) < 0 && errno != EEXIST)
			return -errno;
		*p = saved;
	}
	return 0;
}

int rg_fs_flock(int fd, int operation, unsigned int timeout_ms)
{
	const struct timespec step = {.tv_nsec = 2 * 1000 * 1000};
	struct timespec now, start;

	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	while (flock(fd, operation | LOCK_NB) < 0) {
		long long waited_ms;

		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		waited_ms = (now.tv_sec - start.tv_sec) * 1000LL +
			    (now.tv_nsec - start.tv_nsec) / 1000000;
		if (waited_ms >= (long long)timeout_ms)
			return -ETIMEDOUT;
		(void)nanosleep(&step, NULL);
	}
	return 0;
}

int rg_fs_lock(int dirfd, const char *name, unsigned int timeout_ms, int *ret_fd)
{
	_cleanup_close_ int fd = openat(dirfd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
					0600);
	int r;

	if (fd < 0)
		return -errno;
	r = rg_fs_flock(fd, LOCK_EX, timeout_ms);
	if (r < 0)
		return r;
	*ret_fd = TAKE_FD(fd);
	return 0;
}
