/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the running kernel can do, found by asking it.
 */
#ifndef RG_BPF_PROBE_H
#define RG_BPF_PROBE_H

#include <stdbool.h>

struct rg_err;

/* Set to 1, it makes everything behave as on a kernel without TCX. For tests. */
#define RG_FORCE_CLSACT_ENV "RAILGATE_FORCE_CLSACT"

/**
 * rg_probe_tcx() - whether programs can be attached with TCX links (Linux 6.6)
 * @err: sentence
 *
 * Return: 1 if so, 0 if not or if RAILGATE_FORCE_CLSACT=1, or -errno
 */
int rg_probe_tcx(struct rg_err *err);

/**
 * rg_probe_btf() - whether the kernel describes its own types
 */
bool rg_probe_btf(void);

/**
 * rg_probe_jit() - whether the kernel compiles BPF programs
 *
 * Return: 1 if so, 0 if they are interpreted, or -errno if it cannot be asked
 */
int rg_probe_jit(void);

/**
 * rg_probe_kernel() - whether the kernel has all that the programs need
 * @err: what is missing and from which version on it is there
 *
 * Return: 0, -EOPNOTSUPP, or another -errno
 */
int rg_probe_kernel(struct rg_err *err);

#endif /* RG_BPF_PROBE_H */
