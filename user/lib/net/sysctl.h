/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per-device sysctls, written only in the namespace they are meant for.
 */
#ifndef RG_NET_SYSCTL_H
#define RG_NET_SYSCTL_H

#include <stddef.h>

struct rg_err;
struct rg_netns_id;

/**
 * rg_sysctl_open() - open /proc/sys/net after checking whose it is
 * @expected: namespace that the calling process must be in
 * @ret_fd: directory
 * @err: what failed
 *
 * The kernel shows in /proc/sys/net the caller's own namespace. Called in a child that entered a
 * pod's namespace, the check makes sure that no value ever lands on the host.
 *
 * Return: 0, -EXDEV if the process is in another namespace, or -errno
 */
int rg_sysctl_open(const struct rg_netns_id *expected, int *ret_fd, struct rg_err *err);

/**
 * rg_sysctl_set() - write a device's setting
 * @dir: from rg_sysctl_open()
 * @family: "ipv4/conf", "ipv6/conf", "ipv4/neigh", "ipv6/neigh"
 * @ifname: device
 * @key: setting
 * @value: text
 * @err: what failed
 *
 * Return: 0, -ENOENT if there is no such device or setting, or -errno
 */
int rg_sysctl_set(int dir, const char *family, const char *ifname, const char *key,
		  const char *value, struct rg_err *err);

/**
 * rg_sysctl_get() - read a device's setting
 * @dir: from rg_sysctl_open()
 * @family: as rg_sysctl_set()
 * @ifname: device
 * @key: setting
 * @buf: text without newline
 * @size: bytes at @buf
 * @err: what failed
 *
 * Return: 0, -ENOENT if there is no such device or setting, or -errno
 */
int rg_sysctl_get(int dir, const char *family, const char *ifname, const char *key, char *buf,
		  size_t size, struct rg_err *err);

#endif /* RG_NET_SYSCTL_H */
