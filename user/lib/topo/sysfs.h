/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sysfs tells about RDMA devices and the hardware behind netdevs.
 *
 * The root is a parameter, so that trees of machines that are not here can be read as well.
 */
#ifndef RG_TOPO_SYSFS_H
#define RG_TOPO_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

struct rg_err;

#define RG_SYSFS_DEFAULT "/sys"

/**
 * rg_sysfs_netdev_device() - address of the device behind a netdev
 * @sysfs: root
 * @netdev: netdev name
 * @buf: address on its bus, such as "0000:86:00.0"
 * @size: bytes at @buf
 *
 * Return: 0, -ENOENT if no device stands behind it, or another -errno
 */
int rg_sysfs_netdev_device(const char *sysfs, const char *netdev, char *buf, size_t size);

/**
 * rg_sysfs_rdma_of_netdev() - RDMA device that serves a netdev
 * @sysfs: root
 * @netdev: netdev name
 * @device: address of the device behind it, empty if none
 * @buf: RDMA device name
 * @size: bytes at @buf
 *
 * An RDMA device serves a netdev if one of its GIDs belongs to it, or, while it has no GIDs, if
 * both have the same device behind them.
 *
 * Return: 0, -ENOENT if there is none, or another -errno
 */
int rg_sysfs_rdma_of_netdev(const char *sysfs, const char *netdev, const char *device, char *buf,
			    size_t size);

/**
 * rg_sysfs_rdma_serves() - whether an RDMA device serves a netdev
 * @sysfs: root
 * @rdma: RDMA device name
 * @netdev: netdev name
 * @device: address of the device behind the netdev, empty if none
 */
bool rg_sysfs_rdma_serves(const char *sysfs, const char *rdma, const char *netdev,
			  const char *device);

#endif /* RG_TOPO_SYSFS_H */
