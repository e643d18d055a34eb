// SPDX-License-Identifier: Apache-2.0
/*
 * What sysfs tells about RDMA devices and the hardware behind netdevs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "topo/sysfs.h"

/* Last component of what a symbolic link points to. */
static int link_target_name(const char *path, char *buf, size_t size)
{
	char target[PATH_MAX];
	const char *slash;
	ssize_t n;

	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return errno == EINVAL ? -ENOENT : -errno;
	target[n] = '\0';
	slash = strrchr(target, '/');
	return rg_str_copy(buf, size, slash ? slash + 1 : target);
}

int rg_sysfs_netdev_device(const char *sysfs, const char *netdev, char *buf, size_t size)
{
	char path[PATH_MAX];
	int r;

	r = rg_str_format(path, sizeof(path), "%s/class/net/%s/device", sysfs, netdev);
	return r < 0 ? r : link_target_name(path, buf, size);
}

/* Looks for @netdev among the netdevs of one port's GIDs; *@seen tells whether it has any. */
static bool port_has_netdev(int ports, const char *port, const char *netdev, bool *seen)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[NAME_MAX + 32], name[IF_NAMESIZE];
	struct dirent *e;
	int fd;

	if (rg_str_format(path, sizeof(path), "%s/gid_attrs/ndevs", port) < 0)
		return false;
	fd = openat(ports, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	while ((e = readdir(dir))) {
		/* entries of unused GIDs cannot be read */
		if (e->d_name[0] == '.' || rg_fs_read_line(fd, e->d_name, name, sizeof(name)) < 0 ||
		    !name[0])
			continue;
		*seen = true;
		if (rg_str_equal(name, netdev))
			return true;
	}
	return false;
}

static bool rdma_has_netdev(const char *sysfs, const char *rdma, const char *netdev, bool *seen)
{
	_cleanup_closedir_ DIR *ports = NULL;
	char path[PATH_MAX];
	struct dirent *e;

	if (rg_str_format(path, sizeof(path), "%s/class/infiniband/%s/ports", sysfs, rdma) < 0)
		return false;
	ports = opendir(path);
	while (ports && (e = readdir(ports)))
		if (e->d_name[0] != '.' && port_has_netdev(dirfd(ports), e->d_name, netdev, seen))
			return true;
	return false;
}

bool rg_sysfs_rdma_serves(const char *sysfs, const char *rdma, const char *netdev,
			  const char *device)
{
	char path[PATH_MAX], parent[NAME_MAX + 1];
	bool seen = false;

	if (rdma_has_netdev(sysfs, rdma, netdev, &seen))
		return true;
	/* a device with GIDs of other netdevs only serves those: LAG, several ports */
	if (seen || !device[0])
		return false;
	if (rg_str_format(path, sizeof(path), "%s/class/infiniband/%s/device", sysfs, rdma) < 0 ||
	    link_target_name(path, parent, sizeof(parent)) < 0)
		return false;
	return rg_str_equal(parent, device);
}

int rg_sysfs_rdma_of_netdev(const char *sysfs, const char *netdev, const char *device, char *buf,
			    size_t size)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX];
	struct dirent *e;
	int r;

	r = rg_str_format(path, sizeof(path), "%s/class/infiniband", sysfs);
	if (r < 0)
		return r;
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.' && rg_sysfs_rdma_serves(sysfs, e->d_name, netdev, device))
			return rg_str_copy(buf, size, e->d_name);
	return -ENOENT;
}
