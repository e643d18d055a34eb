/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking the agent whether it is well.
 */
#ifndef RG_CTL_HEALTH_H
#define RG_CTL_HEALTH_H

#include <stddef.h>

struct rg_err;

/**
 * rg_health_get() - fetch /healthz
 * @listen: "address:port" or "[address]:port" as in the configuration
 * @timeout_ms: longest wait, in milliseconds
 * @body: first line of the answer
 * @size: bytes at @body
 * @err: sentence
 *
 * Return: HTTP status, or -errno
 */
int rg_health_get(const char *listen, int timeout_ms, char *body, size_t size, struct rg_err *err);

#endif /* RG_CTL_HEALTH_H */
