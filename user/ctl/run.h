/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running another program, with a deadline.
 */
#ifndef RG_CTL_RUN_H
#define RG_CTL_RUN_H

#include <stddef.h>

/**
 * struct rg_run - a program to run
 * @argv: program, looked up in PATH if it has no "/", and its arguments, ended by NULL
 * @env: environment, NULL for the caller's own
 * @input: text for its standard input, NULL for none
 * @timeout_ms: longest time it may take, in milliseconds; then it is killed
 * @max: largest standard output taken, in bytes
 */
struct rg_run {
	const char *const *argv;
	const char *const *env;
	const char *input;
	int timeout_ms;
	size_t max;
};

/**
 * rg_run() - run it
 * @run: program
 * @ret: its standard output with a NUL behind it, to be freed; also if it failed
 *
 * Its standard error goes to /dev/null.
 *
 * Return: its exit status, -ENOENT if there is no such program, -ETIMEDOUT, -EFBIG, -EINTR if a
 * signal ended it, or another -errno
 */
int rg_run(const struct rg_run *run, char **ret);

#endif /* RG_CTL_RUN_H */
