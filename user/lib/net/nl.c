// SPDX-License-Identifier: Apache-2.0
/*
 * Netlink requests through libnl's sockets and messages.
 *
 * libnl's receive machinery hides the extended ack and maps errno to its own numbers, so answers
 * are walked here: a message at a time, matched by sequence number.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "base/err.h"
#include "net/nl.h"

#ifndef NETLINK_GET_STRICT_CHK
#define NETLINK_GET_STRICT_CHK 12
#endif

/* Interrupted and overrun dumps are repeated; a table that changes faster than this is an error. */
#define DUMP_ATTEMPTS 8

/* The kernel may charge a whole page per message, so this is about 250 messages of a burst. */
#define RECEIVE_BUFFER (1024 * 1024)

/**
 * struct rg_nl - a netlink socket
 * @sk: libnl's
 * @seq: last sequence number used
 */
struct rg_nl {
	struct nl_sock *sk;
	uint32_t seq;
};

static int nle_to_errno(int nle)
{
	switch (nle < 0 ? -nle : nle) {
	case NLE_SUCCESS:
		return 0;
	case NLE_AGAIN:
		return -EAGAIN;
	case NLE_NOMEM:
		return -ENOBUFS;
	case NLE_PERM:
		return -EPERM;
	case NLE_BAD_SOCK:
		return -EBADF;
	default:
		return -EIO;
	}
}

static int set_up(struct rg_nl *nl, struct rg_err *err)
{
	static const int options[] = {NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK};
	int fd = nl_socket_get_fd(nl->sk);
	int one = 1, r;

	/* older kernels lack some; they only make answers better */
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		(void)setsockopt(fd, SOL_NETLINK, options[i], &one, sizeof(one));
	nl_socket_enable_msg_peek(nl->sk);
	r = nl_socket_set_buffer_size(nl->sk, RECEIVE_BUFFER, 0);
	if (r < 0)
		return rg_err_set(err, nle_to_errno(r), "netlink socket: cannot size buffers: %s",
				  nl_geterror(r));
	return 0;
}

int rg_nl_wrap(int fd, int protocol, struct rg_nl **ret, struct rg_err *err)
{
	_cleanup_close_ int owned = fd;
	_cleanup_rg_nl_ struct rg_nl *nl = calloc(1, sizeof(*nl));
	int r;

	if (nl)
		nl->sk = nl_socket_alloc();
	if (!nl || !nl->sk)
		return rg_err_set(err, -ENOMEM, "netlink socket: out of memory");
	r = nl_socket_set_fd(nl->sk, protocol, owned);
	if (r < 0)
		return rg_err_set(err, nle_to_errno(r), "netlink socket: %s", nl_geterror(r));
	(void)TAKE_FD(owned);
	r = set_up(nl, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(nl);
	return 0;
}

int rg_nl_open(int protocol, struct rg_nl **ret, struct rg_err *err)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return rg_err_errno(err, -errno, "cannot open a netlink socket (protocol %d)",
				    protocol);
	return rg_nl_wrap(fd, protocol, ret, err);
}

void rg_nl_close(struct rg_nl *nl)
{
	if (!nl)
		return;
	nl_socket_free(nl->sk);
	free(nl);
}

int rg_nl_fd(const struct rg_nl *nl)
{
	return nl_socket_get_fd(nl->sk);
}

struct nl_msg *rg_nl_msg(int type, int flags, const void *header, size_t header_len)
{
	struct nl_msg *msg = nlmsg_alloc_simple(type, flags | NLM_F_REQUEST);

	if (msg && nlmsg_append(msg, (void *)header, header_len, NLMSG_ALIGNTO) < 0) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

void rg_nl_msg_free_ptr(struct nl_msg **msg)
{
	nlmsg_free(*msg);
}

/* The sentence the kernel attaches to an error, or NULL. */
static const char *extack_text(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *e = nlmsg_data(nlh);
	size_t skip = sizeof(*e);
	struct nlattr *attr;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(e->msg.nlmsg_len - NLMSG_HDRLEN);
	if (nlh->nlmsg_len < NLMSG_HDRLEN + skip)
		return NULL;
	attr = nlmsg_find_attr((struct nlmsghdr *)nlh, (int)skip, NLMSGERR_ATTR_MSG);
	if (!attr || nla_len(attr) < 1 || !memchr(nla_data(attr), '\0', (size_t)nla_len(attr)))
		return NULL;
	return nla_data(attr);
}

/* What the kernel calls an errno (MAX_ERRNO); anything else is no answer of the kernel's. */
static bool is_errno(int code)
{
	return code < 0 && code >= -4095;
}

static int finish(const struct nlmsghdr *nlh, struct rg_err *err)
{
	const struct nlmsgerr *e = nlmsg_data(nlh);
	const char *text;

	if (nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*e)) || (e->error && !is_errno(e->error)))
		return rg_err_set(err, -EPROTO, "the kernel's netlink answer is cut off");
	if (!e->error)
		return 0;
	text = extack_text(nlh);
	if (text)
		return rg_err_errno(err, e->error, "%s", text);
	return rg_err_set(err, e->error, "%s", strerror(-e->error));
}

/* A dump's end may carry the dump's error. */
static int finish_dump(const struct nlmsghdr *nlh, struct rg_err *err)
{
	int code;

	if (nlmsg_datalen(nlh) < (int)sizeof(code))
		return 0;
	memcpy(&code, nlmsg_data(nlh), sizeof(code));
	return is_errno(code) ? rg_err_set(err, code, "%s", strerror(-code)) : 0;
}

/**
 * struct walk - an answer being read
 * @seq: sequence number it answers
 * @fn: for each message, may be NULL
 * @arg: for @fn
 * @dump: the answer ends with NLMSG_DONE instead of an acknowledgement
 * @done: the last message was seen
 * @interrupted: the kernel says that the dump is not consistent
 * @err: for the sentence
 */
struct walk {
	uint32_t seq;
	rg_nl_answer_fn fn;
	void *arg;
	bool dump;
	bool done;
	bool interrupted;
	struct rg_err *err;
};

static int walk_message(struct walk *w, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_seq != w->seq)
		return 0;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		w->interrupted = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		w->done = true;
		return finish(nlh, w->err);
	case NLMSG_DONE:
		w->done = true;
		return finish_dump(nlh, w->err);
	case NLMSG_NOOP:
		return 0;
	case NLMSG_OVERRUN:
		return -ENOBUFS;
	default:
		return w->fn ? w->fn(nlh, w->arg) : 0;
	}
}

/* One datagram. The answer is read to its end even if a message was not to our liking. */
static int walk_datagram(struct rg_nl *nl, struct walk *w, int *result)
{
	_cleanup_free_ unsigned char *buf = NULL;
	struct sockaddr_nl from = {0};
	struct nlmsghdr *nlh;
	int n = nl_recv(nl->sk, &from, &buf, NULL);

	if (n == 0)
		return -EAGAIN;
	if (n < 0)
		return nle_to_errno(n);
	if (from.nl_pid != 0) /* not the kernel */
		return 0;
	for (nlh = (struct nlmsghdr *)buf; nlmsg_ok(nlh, n) && !w->done;
	     nlh = nlmsg_next(nlh, &n)) {
		int r = walk_message(w, nlh);

		if (r < 0 && *result == 0)
			*result = r;
	}
	return 0;
}

static int call(struct rg_nl *nl, struct nl_msg *msg, struct walk *w)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	int result = 0, r;

	w->seq = ++nl->seq;
	nlh->nlmsg_seq = w->seq;
	/* NLM_F_DUMP shares its bits with NLM_F_EXCL and NLM_F_REPLACE */
	if (!w->dump)
		nlh->nlmsg_flags |= NLM_F_ACK;
	r = nl_send(nl->sk, msg);
	if (r < 0)
		return rg_err_set(w->err, nle_to_errno(r), "netlink request: %s", nl_geterror(r));
	while (!w->done) {
		r = walk_datagram(nl, w, &result);
		if (r < 0)
			return rg_err_errno(w->err, r, "netlink answer");
	}
	return result;
}

int rg_nl_call(struct rg_nl *nl, struct nl_msg *msg, rg_nl_answer_fn fn, void *arg,
	       struct rg_err *err)
{
	_cleanup_nl_msg_ struct nl_msg *owned = msg;
	struct walk w = {.fn = fn, .arg = arg, .err = err};

	if (!owned)
		return rg_err_set(err, -ENOMEM, "netlink request: out of memory");
	return call(nl, owned, &w);
}

/**
 * struct list - a growing array
 * @items: items
 * @n: number of items
 * @size: items that fit
 * @item_size: bytes of one
 * @fn: fills one
 * @arg: for @fn
 */
struct list {
	char *items;
	size_t n;
	size_t size;
	size_t item_size;
	rg_nl_item_fn fn;
	void *arg;
};

static int list_message(const struct nlmsghdr *nlh, void *arg)
{
	struct list *l = arg;
	int r;

	if (l->n == l->size) {
		size_t size = l->size ? l->size * 2 : 16;
		char *bigger = reallocarray(l->items, size, l->item_size);

		if (!bigger)
			return -ENOMEM;
		l->items = bigger;
		l->size = size;
	}
	memset(l->items + l->n * l->item_size, 0, l->item_size);
	r = l->fn(nlh, l->items + l->n * l->item_size, l->arg);
	if (r > 0)
		l->n++;
	return r < 0 ? r : 0;
}

int rg_nl_list(struct rg_nl *nl, struct nl_msg *msg, size_t item_size, rg_nl_item_fn fn, void *arg,
	       void **ret, size_t *ret_n, struct rg_err *err)
{
	_cleanup_nl_msg_ struct nl_msg *owned = msg;
	struct list l = {.item_size = item_size, .fn = fn, .arg = arg};
	int r = -EAGAIN;

	if (!owned)
		return rg_err_set(err, -ENOMEM, "netlink request: out of memory");
	for (int i = 0; i < DUMP_ATTEMPTS; i++) {
		struct walk w = {.fn = list_message, .arg = &l, .dump = true, .err = err};

		l.n = 0;
		r = call(nl, owned, &w);
		if (r == 0 && !w.interrupted) {
			*ret = l.items;
			*ret_n = l.n;
			return 0;
		}
		if (r < 0 && r != -ENOBUFS && r != -EINTR)
			break;
		r = r < 0 ? r : -EAGAIN;
	}
	free(l.items);
	if (r == -EAGAIN)
		(void)rg_err_set(err, r, "the kernel's table kept changing while it was read");
	return r;
}

int rg_nl_receive(struct rg_nl *nl, rg_nl_answer_fn fn, void *arg)
{
	int count = 0;

	for (;;) {
		_cleanup_free_ unsigned char *buf = NULL;
		struct sockaddr_nl from = {0};
		struct nlmsghdr *nlh;
		int n = nl_recv(nl->sk, &from, &buf, NULL);

		if (n == 0 || n == -NLE_AGAIN)
			return count;
		if (n < 0)
			return nle_to_errno(n);
		if (from.nl_pid != 0)
			continue;
		for (nlh = (struct nlmsghdr *)buf; nlmsg_ok(nlh, n); nlh = nlmsg_next(nlh, &n)) {
			int r = fn(nlh, arg);

			if (r < 0)
				return r;
			count++;
		}
	}
}

int rg_nl_join(struct rg_nl *nl, int group, struct rg_err *err)
{
	const struct sockaddr_nl any = {.nl_family = AF_NETLINK};
	int r;

	/* sending binds a socket, but this one only listens; bound already is as good */
	if (bind(rg_nl_fd(nl), (const struct sockaddr *)&any, sizeof(any)) < 0 && errno != EINVAL)
		return rg_err_errno(err, -errno, "cannot bind a netlink socket");
	r = nl_socket_add_membership(nl->sk, group);
	if (r == 0)
		r = nl_socket_set_nonblocking(nl->sk);
	if (r < 0)
		return rg_err_set(err, nle_to_errno(r), "cannot subscribe to netlink group %d: %s",
				  group, nl_geterror(r));
	return 0;
}

void rg_nl_attr_str(const struct nlattr *attr, char *dst, size_t size)
{
	if (attr)
		(void)nla_strlcpy(dst, attr, size);
}
