// SPDX-License-Identifier: Apache-2.0
/*
 * The agent's web pages, by libmicrohttpd in its single-threaded mode.
 *
 * The listening socket is made here and handed over, because only so an address that cannot be
 * bound is reported with its reason.
 */
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/inet.h"
#include "base/str.h"
#include "daemon/http.h"

#define MAX_CONNECTIONS	       32U
#define IDLE_TIMEOUT_S	       10U
#define CONNECTION_MEMORY_SIZE ((size_t)16 * 1024)

struct rg_http {
	struct MHD_Daemon *daemon;
	const struct rg_http_page *pages;
	size_t n_pages;
	void *arg;
};

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned int status,
			       const char *content_type, char *text, size_t len)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	response = MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(text);
		return MHD_NO;
	}
	if (MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, content_type) ==
	    MHD_YES)
		result = MHD_queue_response(connection, status, response);
	else
		result = MHD_NO;
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result respond_plain(struct MHD_Connection *connection, unsigned int status,
				     const char *text)
{
	char *copy = strdup(text);

	return copy ? respond(connection, status, "text/plain", copy, strlen(copy)) : MHD_NO;
}

static enum MHD_Result serve(struct rg_http *http, struct MHD_Connection *connection,
			     const struct rg_http_page *page)
{
	char *text = NULL;
	size_t len = 0;
	int status;

	status = page->make(http->arg, &text, &len);
	if (status < 0)
		return respond_plain(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
				     "The page could not be made; see the agent's log.\n");
	return respond(connection, (unsigned int)status, page->content_type, text, len);
}

/* libmicrohttpd calls this once with the headers, then again for the body. */
static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url,
				  const char *method, const char *version, const char *upload,
				  size_t *upload_len, void **request)
{
	static int seen_marker;
	struct rg_http *http = cls;
	size_t i;

	(void)version;
	(void)upload;
	if (!*request) {
		*request = &seen_marker;
		return MHD_YES;
	}
	/* a body is read and forgotten, else the connection would break before the answer */
	if (*upload_len) {
		*upload_len = 0;
		return MHD_YES;
	}
	if (!rg_str_equal(method, MHD_HTTP_METHOD_GET) &&
	    !rg_str_equal(method, MHD_HTTP_METHOD_HEAD))
		return respond_plain(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "Only GET.\n");
	for (i = 0; i < http->n_pages; i++)
		if (rg_str_equal(url, http->pages[i].path))
			return serve(http, connection, &http->pages[i]);
	return respond_plain(connection, MHD_HTTP_NOT_FOUND,
			     "Not found. The pages are /metrics and /healthz.\n");
}

/* "127.0.0.1:9917" or "[::1]:9917", which the configuration parser has checked. */
static int parse_listen(const char *listen, struct sockaddr_storage *ret, socklen_t *ret_len)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;
	struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
	bool brackets = listen[0] == '[';
	char host[RG_ADDR_STR_LEN];
	const uint8_t *raw;
	struct rg_addr a;
	const char *end;
	uint64_t port;
	size_t len;

	end = strrchr(listen, ':');
	if (!end || rg_str_u64(end + 1, 65535, &port) < 0)
		return -EINVAL;
	len = (size_t)(end - listen);
	if (brackets && (len < 2 || listen[len - 1] != ']'))
		return -EINVAL;
	if (rg_str_format(host, sizeof(host), "%.*s", (int)(brackets ? len - 2 : len),
			  listen + brackets) < 0 ||
	    rg_addr_parse(host, &a) < 0)
		return -EINVAL;
	memset(ret, 0, sizeof(*ret));
	raw = rg_addr_raw(&a, &len);
	if (rg_addr_is_v4(&a)) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)port);
		memcpy(&v4->sin_addr, raw, len);
		*ret_len = sizeof(*v4);
	} else {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((uint16_t)port);
		memcpy(&v6->sin6_addr, raw, len);
		*ret_len = sizeof(*v6);
	}
	return 0;
}

static int open_listener(const char *listen_at, int *ret_fd, struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;
	struct sockaddr_storage at;
	const int on = 1;
	socklen_t len;
	int r;

	r = parse_listen(listen_at, &at, &len);
	if (r < 0)
		return rg_err_set(err, r, "metrics.listen: \"%s\" is not an address with a port",
				  listen_at);
	fd = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    bind(fd, (struct sockaddr *)&at, len) < 0 || listen(fd, SOMAXCONN) < 0)
		return rg_err_errno(err, -errno,
				    "cannot listen on %s for the metrics (change "
				    "metrics.listen, or stop who listens there)",
				    listen_at);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int rg_http_start(const char *listen, const struct rg_http_page *pages, size_t n_pages, void *arg,
		  struct rg_http **ret, struct rg_err *err)
{
	_cleanup_free_ struct rg_http *http = calloc(1, sizeof(*http));
	_cleanup_close_ int fd = -EBADF;
	int r;

	if (!http)
		return rg_err_errno(err, -ENOMEM, "cannot serve metrics");
	http->pages = pages;
	http->n_pages = n_pages;
	http->arg = arg;
	r = open_listener(listen, &fd, err);
	if (r < 0)
		return r;
	http->daemon = MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, on_request, http,
					MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
					MAX_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
					IDLE_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
					CONNECTION_MEMORY_SIZE, MHD_OPTION_END);
	if (!http->daemon)
		return rg_err_set(err, -EIO, "cannot serve metrics on %s", listen);
	(void)TAKE_FD(fd); /* MHD_stop_daemon() closes it */
	*ret = TAKE_PTR(http);
	return 0;
}

void rg_http_stop(struct rg_http *http)
{
	if (!http)
		return;
	MHD_stop_daemon(http->daemon);
	free(http);
}

int rg_http_fd(const struct rg_http *http)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon,
							       MHD_DAEMON_INFO_EPOLL_FD);

	return info ? info->epoll_fd : -EBADF;
}

int rg_http_timeout_ms(const struct rg_http *http)
{
	MHD_UNSIGNED_LONG_LONG ms;

	if (MHD_get_timeout(http->daemon, &ms) != MHD_YES)
		return -1;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

void rg_http_run(struct rg_http *http)
{
	(void)MHD_run(http->daemon);
}
