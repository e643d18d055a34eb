/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error contract of the library.
 *
 * A function that can fail returns 0 or a positive value on success and -errno on failure, and
 * takes a struct rg_err of its caller's as last argument. On failure it leaves there one sentence
 * that says what is wrong, where (the value) and what to do about it. NULL means the caller does
 * not want the sentence. Nothing needs to be freed. The library never prints: the plugin puts the
 * sentence into the CNI error, the agent logs it, the tool prints it.
 */
#ifndef RG_BASE_ERR_H
#define RG_BASE_ERR_H

/**
 * struct rg_err - what went wrong
 * @code: -errno, 0 while nothing did
 * @msg: sentence for people
 */
struct rg_err {
	int code;
	char msg[512];
};

/**
 * rg_err_set() - describe a failure
 * @err: where to describe it, may be NULL
 * @code: -errno
 * @fmt: sentence
 *
 * Return: @code, so that a caller can return it in one line
 */
int rg_err_set(struct rg_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_err_errno() - describe a failure and append the system's text for it
 * @err: where to describe it, may be NULL
 * @code: -errno
 * @fmt: what was tried; ": No such file or directory" follows it
 *
 * Return: @code
 */
int rg_err_errno(struct rg_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_err_ctx() - put the circumstance in front of a described failure
 * @err: described failure, may be NULL
 * @code: -errno, passed through
 * @fmt: circumstance; ": " and the present sentence follow it
 *
 * Return: @code
 */
int rg_err_ctx(struct rg_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* RG_BASE_ERR_H */
