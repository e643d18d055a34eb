/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running another program for what it prints.
 */
#ifndef RG_CTL_CAPTURE_H
#define RG_CTL_CAPTURE_H

#include <stddef.h>

/**
 * rg_capture() - run a program and take its standard output
 * @argv: program, looked up in PATH, and its arguments, ended by NULL
 * @timeout_ms: longest time it may take, in milliseconds; then it is killed
 * @max: largest output, in bytes
 * @ret: output with a NUL behind it; the caller frees
 *
 * Return: 0, -ENOENT if there is no such program, -ETIMEDOUT, -EFBIG, -EIO if it failed, or
 * another -errno
 */
int rg_capture(const char *const *argv, int timeout_ms, size_t max, char **ret);

#endif /* RG_CTL_CAPTURE_H */
