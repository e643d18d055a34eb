// SPDX-License-Identifier: Apache-2.0
/*
 * Names and paths of pins, and the lock on their directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>
#include <railgate/limits.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "bpf/pinset.h"

#define POD_PREFIX	"pod@"

#define VERSION_STR1(v) "v" #v
#define VERSION_STR(v)	VERSION_STR1(v)

static const char *const kind_dirs[RG_PIN_KIND_MAX] = {
	[RG_PIN_KIND_MAP] = RG_PIN_MAPS,
	[RG_PIN_KIND_PROG] = RG_PIN_PROGS,
	[RG_PIN_KIND_LINK] = RG_PIN_LINKS,
};

int rg_pin_version_dir(const char *pin_dir, char *buf, size_t size)
{
	return rg_str_format(buf, size, "%s/%s", pin_dir, VERSION_STR(RG_ABI));
}

const char *rg_pin_kind_dir(enum rg_pin_kind kind)
{
	return kind_dirs[kind];
}

int rg_pin_path(const char *pin_dir, enum rg_pin_kind kind, const char *name, char *buf,
		size_t size)
{
	return rg_str_format(buf, size, "%s/%s/%s/%s", pin_dir, VERSION_STR(RG_ABI),
			     kind_dirs[kind], name);
}

int rg_pin_open_path(const char *path, int *ret_fd)
{
	int fd = bpf_obj_get(path);

	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

static int not_loaded(const char *path, struct rg_err *err)
{
	return rg_err_set(err, -EAGAIN,
			  "the rail policy is not loaded: %s is missing; "
			  "start railgated and try again",
			  path);
}

int rg_pin_open(const char *pin_dir, enum rg_pin_kind kind, const char *name, int *ret_fd,
		struct rg_err *err)
{
	char path[PATH_MAX];
	int r;

	r = rg_pin_path(pin_dir, kind, name, path, sizeof(path));
	if (r < 0)
		return rg_err_set(err, r, "pin directory %s: path is too long", pin_dir);
	r = rg_pin_open_path(path, ret_fd);
	if (r == -ENOENT)
		return not_loaded(path, err);
	if (r < 0)
		return rg_err_errno(err, r, "cannot open pin %s (needs CAP_BPF)", path);
	return 0;
}

static int check_pin(const char *pin_dir, enum rg_pin_kind kind, const char *name,
		     struct rg_err *err)
{
	char path[PATH_MAX];
	int r;

	r = rg_pin_path(pin_dir, kind, name, path, sizeof(path));
	if (r < 0)
		return rg_err_set(err, r, "pin directory %s: path is too long", pin_dir);
	if (access(path, F_OK) == 0)
		return 0;
	r = -errno;
	if (r == -ENOENT || r == -ENOTDIR)
		return not_loaded(path, err);
	return rg_err_errno(err, r, "cannot look at pin %s", path);
}

int rg_pin_ready(const char *pin_dir, struct rg_err *err)
{
	static const char *const progs[] = {RG_PROG_RAIL_TX, RG_PROG_RAIL_RX, RG_PROG_POD_TX,
					    RG_PROG_POD_RX};
	int r;

	for (int i = 0; i < RG_MAP_ID_MAX; i++) {
		r = check_pin(pin_dir, RG_PIN_KIND_MAP, rg_map_name((enum rg_map_id)i), err);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(progs); i++) {
		r = check_pin(pin_dir, RG_PIN_KIND_PROG, progs[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

bool rg_pin_is_bpffs(const char *pin_dir)
{
	char part[PATH_MAX];
	struct statfs st;

	if (rg_str_copy(part, sizeof(part), pin_dir) < 0)
		return false;
	while (statfs(part, &st) < 0) {
		char *slash = strrchr(part, '/');

		if (errno != ENOENT || !slash || slash == part)
			return false;
		*slash = '\0';
	}
	return (unsigned long)st.f_type == BPF_FS_MAGIC;
}

char *rg_pin_link_name(const char *rail, const char *dir, char buf[RG_PIN_NAME_SIZE])
{
	char *p;

	/* rail names have at most 15 characters, so this always fits */
	(void)rg_str_format(buf, RG_PIN_NAME_SIZE, "%s_%s", rail, dir);
	for (p = buf; *p; p++)
		if (*p == '.')
			*p = '~';
	return buf;
}

char *rg_pin_pod_link_name(uint32_t slot, const char *dir, char buf[RG_PIN_NAME_SIZE])
{
	(void)rg_str_format(buf, RG_PIN_NAME_SIZE, POD_PREFIX "%u_%s", slot, dir);
	return buf;
}

int64_t rg_pin_pod_link_slot(const char *name)
{
	char digits[RG_PIN_NAME_SIZE];
	uint64_t slot;
	char *end;

	if (!rg_str_prefix(name, POD_PREFIX) ||
	    rg_str_copy(digits, sizeof(digits), name + strlen(POD_PREFIX)) < 0)
		return -EINVAL;
	end = strchr(digits, '_');
	if (!end)
		return -EINVAL;
	*end = '\0';
	return rg_str_u64(digits, RG_ENDPOINTS_MAX, &slot) < 0 ? -EINVAL : (int64_t)slot;
}

int rg_pin_each(const char *pin_dir, enum rg_pin_kind kind, rg_pin_fn fn, void *arg)
{
	_cleanup_closedir_ DIR *dir = NULL;
	char path[PATH_MAX];
	struct dirent *entry;
	int r;

	r = rg_pin_path(pin_dir, kind, "", path, sizeof(path));
	if (r < 0)
		return r;
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry)
			return -errno;
		if (entry->d_name[0] == '.')
			continue;
		r = fn(entry->d_name, arg);
		if (r < 0)
			return r;
	}
}

int rg_pin_remove(const char *pin_dir, enum rg_pin_kind kind, const char *name)
{
	char path[PATH_MAX];
	int r;

	r = rg_pin_path(pin_dir, kind, name, path, sizeof(path));
	if (r < 0)
		return r;
	return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

int rg_pin_lock(const char *pin_dir, bool exclusive, unsigned int timeout_ms, int *ret_fd,
		struct rg_err *err)
{
	_cleanup_close_ int fd = open(pin_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r;

	if (fd < 0) {
		r = -errno;
		if (r == -ENOENT)
			return not_loaded(pin_dir, err);
		return rg_err_errno(err, r, "cannot open pin directory %s", pin_dir);
	}
	r = rg_fs_flock(fd, exclusive ? LOCK_EX : LOCK_SH, timeout_ms);
	if (r == -ETIMEDOUT)
		return rg_err_set(err, -EAGAIN,
				  "pin directory %s is locked by another process for more than "
				  "%u ms; try again",
				  pin_dir, timeout_ms);
	if (r < 0)
		return rg_err_errno(err, r, "cannot lock pin directory %s", pin_dir);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int rg_pin_lock_agent(const char *pin_dir, int *ret_fd, struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;
	char path[PATH_MAX];
	int r;

	r = rg_pinset_prepare(pin_dir, err);
	if (r < 0)
		return r;
	if (rg_str_format(path, sizeof(path), "%s/" RG_PIN_AGENT, pin_dir) < 0)
		return rg_err_set(err, -ENAMETOOLONG, "pin directory %s: path is too long",
				  pin_dir);
	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return rg_err_errno(err, -errno, "cannot make %s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	r = fd < 0 ? -errno : rg_fs_flock(fd, LOCK_EX, 0);
	if (r == -ETIMEDOUT)
		return rg_err_set(err, -EBUSY,
				  "another railgated works on pin directory %s; stop it first, or "
				  "give this one other directories",
				  pin_dir);
	if (r < 0)
		return rg_err_errno(err, r, "cannot lock %s", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}
