/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the plugin answers when it fails: the CNI specification's code and one sentence.
 *
 * Codes below 100 are the specification's, those from 100 on are ours and are documented in
 * railgate(8).
 */
#ifndef RG_CNI_FAULT_H
#define RG_CNI_FAULT_H

#include "base/err.h"

enum rg_cni_code {
	RG_CNI_VERSION = 1,	   /* incompatible CNI version */
	RG_CNI_UNSUPPORTED = 2,	   /* a field of the configuration is not supported */
	RG_CNI_UNKNOWN = 3,	   /* the container is not known */
	RG_CNI_ENVIRONMENT = 4,	   /* an environment variable is missing or wrong */
	RG_CNI_IO = 5,		   /* files could not be read or written */
	RG_CNI_DECODE = 6,	   /* the configuration is not JSON */
	RG_CNI_CONFIG = 7,	   /* the configuration is wrong */
	RG_CNI_NETNS = 8,	   /* the network namespace is wrong */
	RG_CNI_TRY_AGAIN = 11,	   /* will clear up by itself */
	RG_CNI_NOT_AVAILABLE = 50, /* STATUS: no ADD can succeed now */
	RG_CNI_FAILED = 100,	   /* the kernel refused */
	RG_CNI_FULL = 101,	   /* slots or identities are used up */
	RG_CNI_CONFLICT = 102,	   /* a name, MAC or address belongs to someone else */
	RG_CNI_PERMISSION = 103,   /* a capability is missing */
	RG_CNI_DAMAGED = 104,	   /* CHECK: the attachment is not as ADD left it */
	RG_CNI_IPAM = 105,	   /* the IPAM plugin failed without a CNI error */
	RG_CNI_INTERNAL = 999,
};

/**
 * struct rg_fault - why a command failed
 * @code: enum rg_cni_code, or the code of the IPAM plugin that failed; 0 while nothing did
 * @err: sentence
 * @details: more of it, empty if none
 */
struct rg_fault {
	int code;
	struct rg_err err;
	char details[512];
};

/**
 * rg_fault_set() - describe a failure
 * @f: fault
 * @code: enum rg_cni_code
 * @fmt: sentence
 *
 * Return: a negative errno that fits @code, so that a caller can return it in one line
 */
int rg_fault_set(struct rg_fault *f, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_fault_code() - give a failure that the library described the code of its kind
 * @f: fault, whose @err the library filled in
 * @code: enum rg_cni_code
 * @r: what the library returned
 *
 * Return: @r
 */
int rg_fault_code(struct rg_fault *f, int code, int r);

/**
 * rg_fault_errno() - give a failure that the library described a code by its errno
 * @f: fault, whose @err the library filled in
 * @r: what the library returned
 *
 * Return: @r
 */
int rg_fault_errno(struct rg_fault *f, int r);

/**
 * rg_fault_print() - print the error object to standard output
 * @f: fault
 * @cni_version: version of the configuration, or NULL if it is not known
 */
void rg_fault_print(const struct rg_fault *f, const char *cni_version);

#endif /* RG_CNI_FAULT_H */
