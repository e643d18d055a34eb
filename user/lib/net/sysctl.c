// SPDX-License-Identifier: Apache-2.0
/*
 * Per-device sysctls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "net/netns.h"
#include "net/sysctl.h"

#define PATH_SIZE 128

int rg_sysctl_open(const struct rg_netns_id *expected, int *ret_fd, struct rg_err *err)
{
	struct rg_netns_id self;
	int fd, r = rg_netns_self(&self, err);

	if (r < 0)
		return r;
	if (!rg_netns_same(&self, expected))
		return rg_err_set(
			err, -EXDEV,
			"refusing to write sysctls: this is network namespace %llu, not %llu",
			(unsigned long long)self.ino, (unsigned long long)expected->ino);
	fd = open("/proc/sys/net", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return rg_err_errno(err, -errno, "/proc/sys/net (is /proc mounted?)");
	*ret_fd = fd;
	return 0;
}

/* A device name with a slash or of dots alone would lead to another file. */
static int path_of(char path[PATH_SIZE], const char *family, const char *ifname, const char *key,
		   struct rg_err *err)
{
	if (!*ifname || strchr(ifname, '/') || rg_str_equal(ifname, ".") ||
	    rg_str_equal(ifname, "..") ||
	    rg_str_format(path, PATH_SIZE, "%s/%s/%s", family, ifname, key) < 0)
		return rg_err_set(err, -EINVAL, "'%s' is not a device name", ifname);
	return 0;
}

int rg_sysctl_set(int dir, const char *family, const char *ifname, const char *key,
		  const char *value, struct rg_err *err)
{
	char path[PATH_SIZE];
	int r = path_of(path, family, ifname, key, err);

	if (r < 0)
		return r;
	r = rg_fs_write_value(dir, path, value);
	return r < 0 ? rg_err_errno(err, r, "cannot write '%s' to sysctl net/%s", value, path) : 0;
}

int rg_sysctl_get(int dir, const char *family, const char *ifname, const char *key, char *buf,
		  size_t size, struct rg_err *err)
{
	char path[PATH_SIZE];
	int r = path_of(path, family, ifname, key, err);

	if (r < 0)
		return r;
	r = rg_fs_read_line(dir, path, buf, size);
	return r < 0 ? rg_err_errno(err, r, "cannot read sysctl net/%s", path) : 0;
}
