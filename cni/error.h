/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin's errors: the CNI error object, on standard output, with the specification's codes.
 */
#ifndef RG_CNI_ERROR_H
#define RG_CNI_ERROR_H

#include "base/err.h"

/* CNI specification 1.1.0, section 5, "Error"; 8 and 999 are libcni's own. */
enum rg_cni_code {
	RG_CNI_OK = 0,
	RG_CNI_VERSION = 1,	   /* incompatible CNI version */
	RG_CNI_UNSUPPORTED = 2,	   /* unsupported field in the network configuration */
	RG_CNI_UNKNOWN = 3,	   /* container unknown or does not exist */
	RG_CNI_ENVIRONMENT = 4,	   /* invalid environment variables */
	RG_CNI_IO = 5,		   /* I/O failure */
	RG_CNI_DECODE = 6,	   /* failed to decode content */
	RG_CNI_CONFIG = 7,	   /* invalid network configuration */
	RG_CNI_NETNS = 8,	   /* invalid network namespace */
	RG_CNI_AGAIN = 11,	   /* try again later */
	RG_CNI_NOT_AVAILABLE = 50, /* STATUS: cannot service ADD */
	RG_CNI_LIMITED =
		51, /* STATUS: as 50, and existing containers may have limited connectivity */
	RG_CNI_FAILED = 100,  /* railgate: an operation on the node failed */
	RG_CNI_DIFFERS = 101, /* railgate: CHECK found damage */
	RG_CNI_FULL = 102,    /* railgate: no slot or identity is left */
	RG_CNI_INTERNAL = 999,
};

/**
 * struct rg_cni_error - why a command failed
 * @code: enum rg_cni_code, or what a delegated plugin answered
 * @msg: what is wrong, where, and what to do
 * @details: more, empty if there is none
 */
struct rg_cni_error {
	unsigned int code;
	char msg[512];
	char details[512];
};

/**
 * rg_cni_fail() - describe why a command fails
 * @error: where to describe it
 * @code: enum rg_cni_code
 * @fmt: what is wrong, where, and what to do
 *
 * Return: -EINVAL, so that a caller can return it in one line
 */
int rg_cni_fail(struct rg_cni_error *error, unsigned int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_cni_fail_err() - pass on an error of the library
 * @error: where to describe it
 * @r: -errno; -EAGAIN, -EBUSY and -ETIMEDOUT become RG_CNI_AGAIN, -ENOSPC RG_CNI_FULL, and -EPERM
 *     names the capabilities that the plugin needs
 * @err: its sentence
 *
 * Return: -EINVAL
 */
int rg_cni_fail_err(struct rg_cni_error *error, int r, const struct rg_err *err);

/**
 * rg_cni_error_print() - write the error object to standard output
 * @error: error
 * @version: cniVersion of the request
 */
void rg_cni_error_print(const struct rg_cni_error *error, const char *version);

#endif /* RG_CNI_ERROR_H */
