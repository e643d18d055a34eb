/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running another plugin: its standard input and output, and a limit to how long it may take.
 */
#ifndef RG_CNI_EXEC_H
#define RG_CNI_EXEC_H

#include <stddef.h>

struct rg_err;

/* Largest answer accepted, in bytes. */
#define RG_EXEC_OUTPUT_MAX (1024 * 1024)

/**
 * struct rg_exec_result - how a program ended
 * @status: exit status, or -signal if one ended it
 * @output: its standard output, NUL-terminated; the caller frees it
 * @output_len: its length in bytes
 */
struct rg_exec_result {
	int status;
	char *output;
	size_t output_len;
};

/**
 * rg_exec_find() - find a program in a list of directories
 * @path: directories with ":" between, as CNI_PATH
 * @name: program
 * @buf: its path
 * @size: bytes at @buf
 *
 * Return: 0, -ENOENT, or -ENAMETOOLONG
 */
int rg_exec_find(const char *path, const char *name, char *buf, size_t size);

/**
 * rg_exec() - run a program to its end
 * @program: its path
 * @env: its environment
 * @input: its standard input
 * @input_len: bytes of @input
 * @keep_fd: file descriptor that it inherits, 0 for none
 * @timeout_ms: how long it may take, in milliseconds; then it and its process group are killed
 * @ret: how it ended, written only on success
 * @err: what failed
 *
 * Its standard error is the caller's.
 *
 * Return: 0; -ETIMEDOUT; -EFBIG if it answered too much; or another -errno
 */
int rg_exec(const char *program, char *const env[], const char *input, size_t input_len,
	    int keep_fd, unsigned int timeout_ms, struct rg_exec_result *ret, struct rg_err *err);

#endif /* RG_CNI_EXEC_H */
