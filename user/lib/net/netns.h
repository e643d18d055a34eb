/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network namespaces: which one a path is, and doing something inside one.
 *
 * The process itself never leaves its namespace. What has to be done inside another one is done
 * by a child that enters it (setns alone, no mount), or through a netlink socket that a child made
 * there and handed back: a socket belongs to the namespace it was made in.
 */
#ifndef RG_NET_NETNS_H
#define RG_NET_NETNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/nl.h"

struct rg_err;

/**
 * struct rg_netns_id - identity of a namespace, unique while it exists
 * @dev: device of its file
 * @ino: inode of its file
 */
struct rg_netns_id {
	uint64_t dev;
	uint64_t ino;
};

/**
 * rg_netns_open() - open a network namespace by its path
 * @path: bind mount or /proc/<pid>/ns/net
 * @ret_fd: open namespace
 * @ret_id: its identity, may be NULL
 * @err: what is wrong with the path
 *
 * Return: 0; -ENOENT if the path is missing or is no namespace any more (its mount was removed
 * and left a plain file); -EINVAL if it is a namespace of another kind; or -errno
 */
int rg_netns_open(const char *path, int *ret_fd, struct rg_netns_id *ret_id, struct rg_err *err);

/**
 * rg_netns_self() - identity of the calling process's own namespace
 * @ret_id: identity
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_netns_self(struct rg_netns_id *ret_id, struct rg_err *err);

/**
 * rg_netns_same() - whether two identities are the same namespace
 * @a: identity
 * @b: identity
 */
static inline bool rg_netns_same(const struct rg_netns_id *a, const struct rg_netns_id *b)
{
	return a->dev == b->dev && a->ino == b->ino;
}

/**
 * typedef rg_netns_fn - what a child does inside a namespace
 * @arg: the child's view of the caller's argument; what it writes there the caller sees
 * @err: what failed; copied back too
 *
 * Return: 0 or positive, or -errno
 */
typedef int (*rg_netns_fn)(void *arg, struct rg_err *err);

/**
 * rg_netns_run() - run a function inside a namespace
 * @netns_fd: namespace
 * @fn: function
 * @arg: flat memory without pointers that the child would change behind
 * @size: bytes at @arg, copied to the child and back
 * @err: what failed
 *
 * The child dies with its parent, and keeps the parent's locks until it has died.
 *
 * Return: what @fn returned; -errno if the child could not be made or did not end by itself
 */
int rg_netns_run(int netns_fd, rg_netns_fn fn, void *arg, size_t size, struct rg_err *err);

/**
 * rg_netns_nl() - netlink socket inside a namespace
 * @netns_fd: namespace
 * @protocol: NETLINK_ROUTE, NETLINK_RDMA
 * @ret: socket; rg_nl_close() frees it
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_netns_nl(int netns_fd, int protocol, struct rg_nl **ret, struct rg_err *err);

#endif /* RG_NET_NETNS_H */
