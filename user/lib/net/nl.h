/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Netlink requests: one socket, one request, its answers, and the kernel's own words on failure.
 *
 * A socket belongs for ever to the network namespace it was made in (rg_netns_nl() makes one
 * inside another namespace). Requests are strictly checked by the kernel, so an attribute it
 * does not know is an error and not silently left out.
 */
#ifndef RG_NET_NL_H
#define RG_NET_NL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct rg_err;
struct rg_nl;
struct nl_msg;
struct nlmsghdr;
struct nlattr;

/**
 * rg_net_gone() - whether a result means that the thing spoken of no longer exists
 * @r: result of a function of this library
 *
 * Deleting what is gone has succeeded; this is the one place that says which codes mean it.
 */
static inline bool rg_net_gone(int r)
{
	return r == -ENODEV || r == -ENOENT || r == -ESRCH || r == -ENXIO;
}

/**
 * rg_nl_open() - open a netlink socket in the namespace of the calling process
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA
 * @ret: socket; rg_nl_close() frees it
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_nl_open(int protocol, struct rg_nl **ret, struct rg_err *err);

/**
 * rg_nl_wrap() - use a netlink socket that was made elsewhere
 * @fd: raw netlink socket; owned by the result, and closed on failure too
 * @protocol: its netlink protocol
 * @ret: socket; rg_nl_close() frees it
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_nl_wrap(int fd, int protocol, struct rg_nl **ret, struct rg_err *err);

/**
 * rg_nl_close() - close a socket
 * @nl: socket or NULL
 */
void rg_nl_close(struct rg_nl *nl);

static inline void rg_nl_close_ptr(struct rg_nl **nl)
{
	rg_nl_close(*nl);
}

#define _cleanup_rg_nl_ _cleanup_(rg_nl_close_ptr)

/**
 * rg_nl_fd() - file descriptor for poll
 * @nl: socket
 */
int rg_nl_fd(const struct rg_nl *nl);

/**
 * rg_nl_msg() - begin a request
 * @type: message type
 * @flags: NLM_F_*, without NLM_F_REQUEST
 * @header: family's fixed header
 * @header_len: its size in bytes
 *
 * Return: message, freed by rg_nl_call(), rg_nl_list() or nlmsg_free(); NULL without memory
 */
struct nl_msg *rg_nl_msg(int type, int flags, const void *header, size_t header_len);

/**
 * rg_nl_msg_free_ptr() - cleanup of a message not sent
 * @msg: message
 */
void rg_nl_msg_free_ptr(struct nl_msg **msg);

#define _cleanup_nl_msg_ _cleanup_(rg_nl_msg_free_ptr)

/**
 * typedef rg_nl_answer_fn - one message of an answer
 * @nlh: message, valid during the call
 * @arg: the caller's
 *
 * Return: 0, or -errno which becomes the request's result
 */
typedef int (*rg_nl_answer_fn)(const struct nlmsghdr *nlh, void *arg);

/**
 * rg_nl_call() - send a request and wait for its answer and acknowledgement
 * @nl: socket
 * @msg: request; freed here, NULL is answered with -ENOMEM
 * @fn: called for each message of the answer, may be NULL
 * @arg: passed to @fn
 * @err: the kernel's own sentence (extended ack) and its errno text; the caller adds the context
 *
 * Return: 0 or -errno as the kernel gave it
 */
int rg_nl_call(struct rg_nl *nl, struct nl_msg *msg, rg_nl_answer_fn fn, void *arg,
	       struct rg_err *err);

/**
 * typedef rg_nl_item_fn - turn one message of a dump into an item
 * @nlh: message
 * @item: zeroed item to fill
 * @arg: the caller's
 *
 * Return: 1 to keep the item, 0 to skip it, -errno to fail
 */
typedef int (*rg_nl_item_fn)(const struct nlmsghdr *nlh, void *item, void *arg);

/**
 * rg_nl_list() - dump, collected in an array
 * @nl: socket
 * @msg: request with NLM_F_DUMP; freed here, NULL is answered with -ENOMEM
 * @item_size: bytes of an item
 * @fn: fills an item
 * @arg: passed to @fn
 * @ret: array, to be freed with free(); NULL if empty
 * @ret_n: number of items
 * @err: what failed
 *
 * A dump that the kernel interrupted because the table changed, or that overran the socket, is
 * taken again from the start.
 *
 * Return: 0 or -errno
 */
int rg_nl_list(struct rg_nl *nl, struct nl_msg *msg, size_t item_size, rg_nl_item_fn fn, void *arg,
	       void **ret, size_t *ret_n, struct rg_err *err);

/**
 * rg_nl_receive() - read what is waiting on a socket that is subscribed to groups
 * @nl: socket
 * @fn: called for each message
 * @arg: passed to @fn
 *
 * Does not wait. -ENOBUFS says that messages were lost: look at everything again.
 *
 * Return: number of messages (0 if none was waiting), or -errno
 */
int rg_nl_receive(struct rg_nl *nl, rg_nl_answer_fn fn, void *arg);

/**
 * rg_nl_join() - subscribe to a multicast group
 * @nl: socket
 * @group: group number (RTNLGRP_LINK, ...)
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_nl_join(struct rg_nl *nl, int group, struct rg_err *err);

/**
 * rg_nl_attr_str() - copy a string attribute
 * @attr: attribute or NULL
 * @dst: always terminated; untouched if @attr is NULL
 * @size: bytes at @dst
 */
void rg_nl_attr_str(const struct nlattr *attr, char *dst, size_t size);

#endif /* RG_NET_NL_H */
