// SPDX-License-Identifier: Apache-2.0
/*
 * The GID table of an RDMA device, from sysfs.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <arpa/inet.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "rdma/gid.h"

#define LINE_SIZE    64
#define POLL_STEP_MS 2
#define MAX_PORT     255

static DIR *open_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		(void)close(fd);
	return dir;
}

/* An entry without a type is empty: reading it fails. */
static bool is_roce_v2(const char *port_path, const char *index)
{
	char path[PATH_MAX], type[LINE_SIZE];

	return rg_str_format(path, sizeof(path), "%s/gid_attrs/types/%s", port_path, index) == 0 &&
	       rg_fs_read_line(AT_FDCWD, path, type, sizeof(type)) == 0 &&
	       rg_str_equal(type, "RoCE v2");
}

static bool is_gid_of(int dir_fd, const char *index, const struct rg_addr *addr)
{
	char text[LINE_SIZE];
	uint8_t gid[16];

	return rg_fs_read_line(dir_fd, index, text, sizeof(text)) == 0 &&
	       inet_pton(AF_INET6, text, gid) == 1 && memcmp(gid, addr->b, sizeof(gid)) == 0;
}

static int find_in_port(const char *port_path, const struct rg_addr *addr, unsigned int *ret_index)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	uint64_t index;

	if (rg_str_format(path, sizeof(path), "%s/gids", port_path) < 0)
		return -ENAMETOOLONG;
	dir = open_dir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		if (rg_str_u64(entry->d_name, UINT16_MAX, &index) < 0 ||
		    !is_gid_of(dirfd(dir), entry->d_name, addr) ||
		    !is_roce_v2(port_path, entry->d_name))
			continue;
		*ret_index = (unsigned int)index;
		return 0;
	}
	return -ENOENT;
}

int rg_gid_find(const char *sysfs, const char *device, const struct rg_addr *addr,
		struct rg_gid *ret)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	uint64_t port;

	if (rg_str_format(path, sizeof(path), "%s/class/infiniband/%s/ports", sysfs, device) < 0)
		return -ENAMETOOLONG;
	dir = open_dir(path);
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		char port_path[PATH_MAX + NAME_MAX + 2];
		unsigned int index = 0;

		if (rg_str_u64(entry->d_name, MAX_PORT, &port) < 0 ||
		    rg_str_format(port_path, sizeof(port_path), "%s/%s", path, entry->d_name) < 0 ||
		    find_in_port(port_path, addr, &index) < 0)
			continue;
		*ret = (struct rg_gid){.port = (unsigned int)port, .index = index};
		return 0;
	}
	return -ENOENT;
}

int rg_gid_wait(const char *sysfs, const char *device, const struct rg_addr *addr,
		unsigned int timeout_ms, struct rg_gid *ret)
{
	const struct timespec step = {.tv_nsec = POLL_STEP_MS * 1000L * 1000L};
	int r = rg_gid_find(sysfs, device, addr, ret);

	for (unsigned int waited = 0; r == -ENOENT && waited < timeout_ms; waited += POLL_STEP_MS) {
		(void)nanosleep(&step, NULL);
		r = rg_gid_find(sysfs, device, addr, ret);
	}
	return r;
}
