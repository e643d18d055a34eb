/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GID table of an RDMA device: which entry is a given address's.
 *
 * A table is shared by everyone on the device and is sparse, so the index of a pod's own RoCEv2
 * entry is different in every pod, and an application that is told a wrong one cannot connect.
 */
#ifndef RG_RDMA_GID_H
#define RG_RDMA_GID_H

#include "base/inet.h"

struct rg_err;

/**
 * struct rg_gid - an entry of a GID table
 * @port: port of the device, from 1
 * @index: entry
 */
struct rg_gid {
	unsigned int port;
	unsigned int index;
};

/**
 * rg_gid_find() - RoCEv2 entry of an address
 * @sysfs: root of sysfs
 * @device: RDMA device
 * @addr: address
 * @ret: entry, written only on success
 *
 * Return: 0, -ENOENT if the table has none (yet), or another -errno
 */
int rg_gid_find(const char *sysfs, const char *device, const struct rg_addr *addr,
		struct rg_gid *ret);

/**
 * rg_gid_wait() - rg_gid_find(), waiting for an entry that is about to come
 * @sysfs: root of sysfs
 * @device: RDMA device
 * @addr: address
 * @timeout_ms: how long to wait, in milliseconds
 * @ret: entry, written only on success
 *
 * The kernel fills the table from a work queue after an address was added.
 *
 * Return: as rg_gid_find()
 */
int rg_gid_wait(const char *sysfs, const char *device, const struct rg_addr *addr,
		unsigned int timeout_ms, struct rg_gid *ret);

#endif /* RG_RDMA_GID_H */
