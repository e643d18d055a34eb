/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's web pages: /metrics and /healthz.
 *
 * Runs inside the agent's event loop, without a thread: poll rg_http_fd() for reading and call
 * rg_http_run() when it is ready or rg_http_timeout_ms() has passed.
 */
#ifndef RG_DAEMON_HTTP_H
#define RG_DAEMON_HTTP_H

#include <stddef.h>

struct rg_err;
struct rg_http;

/**
 * struct rg_http_page - one page
 * @path: path of its URL
 * @content_type: MIME type
 * @make: makes the page: leaves text to be freed with free() and its length, returns the HTTP
 *        status, or -errno for status 500
 */
struct rg_http_page {
	const char *path;
	const char *content_type;
	int (*make)(void *arg, char **ret_text, size_t *ret_len);
};

/**
 * rg_http_start() - listen and serve
 * @listen: "address:port" or "[address]:port", numeric
 * @pages: pages; must outlive the server
 * @n_pages: number of @pages
 * @arg: passed to the pages
 * @ret: server; rg_http_stop() frees it
 * @err: names the address
 *
 * Return: 0, -EADDRINUSE, or another -errno
 */
int rg_http_start(const char *listen, const struct rg_http_page *pages, size_t n_pages, void *arg,
		  struct rg_http **ret, struct rg_err *err);

/**
 * rg_http_stop() - close all connections and stop listening
 * @http: server or NULL
 */
void rg_http_stop(struct rg_http *http);

/**
 * rg_http_fd() - file descriptor to poll for reading
 * @http: server
 */
int rg_http_fd(const struct rg_http *http);

/**
 * rg_http_timeout_ms() - how long rg_http_run() may wait to be called
 * @http: server
 *
 * Return: milliseconds, or -1 if it can wait for the file descriptor
 */
int rg_http_timeout_ms(const struct rg_http *http);

/**
 * rg_http_run() - do what can be done without waiting
 * @http: server
 */
void rg_http_run(struct rg_http *http);

#endif /* RG_DAEMON_HTTP_H */
