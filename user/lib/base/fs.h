/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files: bounded reads, durable writes, locks, directories.
 */
#ifndef RG_BASE_FS_H
#define RG_BASE_FS_H

#include <stddef.h>
#include <sys/types.h>

struct rg_err;

/**
 * rg_fs_read_fd() - read all of a file descriptor
 * @fd: open for reading
 * @max: largest size accepted, in bytes
 * @ret: NUL-terminated contents; the caller frees
 * @ret_len: bytes before the NUL, may be NULL
 *
 * Return: 0, -EFBIG if there is more than @max, or another -errno
 */
int rg_fs_read_fd(int fd, size_t max, char **ret, size_t *ret_len);

/**
 * rg_fs_read() - read all of a file
 * @dirfd: directory @path is relative to, or AT_FDCWD
 * @path: file
 * @max: largest size accepted, in bytes
 * @ret: NUL-terminated contents; the caller frees
 * @ret_len: bytes before the NUL, may be NULL
 *
 * Return: 0 or -errno as rg_fs_read_fd()
 */
int rg_fs_read(int dirfd, const char *path, size_t max, char **ret, size_t *ret_len);

/**
 * rg_fs_read_line() - read the first line of a small file such as a sysfs attribute
 * @dirfd: directory @path is relative to, or AT_FDCWD
 * @path: file
 * @buf: line without its newline
 * @size: bytes at @buf
 *
 * Return: 0, -ENAMETOOLONG if the line does not fit, or another -errno
 */
int rg_fs_read_line(int dirfd, const char *path, char *buf, size_t size);

/**
 * rg_fs_write_all() - write a whole buffer to a file descriptor
 * @fd: open for writing
 * @data: bytes
 * @len: number of bytes
 *
 * Return: 0 or -errno
 */
int rg_fs_write_all(int fd, const void *data, size_t len);

/**
 * rg_fs_write_atomic() - replace a file so that a crash leaves the old or the new one whole
 * @dirfd: directory
 * @name: file name in @dirfd
 * @data: contents
 * @len: number of bytes
 * @mode: permission bits
 *
 * The file and its directory are synced before this returns.
 *
 * Return: 0 or -errno
 */
int rg_fs_write_atomic(int dirfd, const char *name, const void *data, size_t len, mode_t mode);

/**
 * rg_fs_replace() - rg_fs_write_atomic() without the syncs
 * @dirfd: directory
 * @name: file name in @dirfd
 * @data: contents
 * @len: number of bytes
 * @mode: permission bits
 *
 * A crash of the process leaves the old file or the new one whole, a loss of power may not.
 *
 * Return: 0 or -errno
 */
int rg_fs_replace(int dirfd, const char *name, const void *data, size_t len, mode_t mode);

/**
 * rg_fs_write_value() - write a value to an existing file such as a sysctl
 * @dirfd: directory @path is relative to, or AT_FDCWD
 * @path: file
 * @value: text
 *
 * Return: 0 or -errno
 */
int rg_fs_write_value(int dirfd, const char *path, const char *value);

/**
 * rg_fs_mkdir_p() - make a directory and those above it
 * @path: directory
 * @mode: permission bits of the ones made
 *
 * Return: 0 or -errno
 */
int rg_fs_mkdir_p(const char *path, mode_t mode);

/**
 * rg_fs_flock() - take a lock on an open file or directory
 * @fd: closing it releases the lock
 * @operation: LOCK_EX or LOCK_SH of flock(2)
 * @timeout_ms: how long to wait, in milliseconds
 *
 * Return: 0, -ETIMEDOUT, or another -errno
 */
int rg_fs_flock(int fd, int operation, unsigned int timeout_ms);

/**
 * rg_fs_lock() - take an exclusive lock on a file, made if missing
 * @dirfd: directory
 * @name: lock file in @dirfd
 * @timeout_ms: how long to wait, in milliseconds
 * @ret_fd: closing it releases the lock
 *
 * The file stays: unlinking a lock file lets two holders in.
 *
 * Return: 0, -ETIMEDOUT, or another -errno
 */
int rg_fs_lock(int dirfd, const char *name, unsigned int timeout_ms, int *ret_fd);

#endif /* RG_BASE_FS_H */
