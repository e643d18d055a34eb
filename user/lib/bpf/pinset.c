// SPDX-License-Identifier: Apache-2.0
/*
 * Pin directories as a whole.
 *
 * A set is filled under "v<ABI>-new" and takes its place by one rename, or by one exchange if there
 * is a set already. After an exchange the old set is under "-new"; its links, which live by their
 * pins alone, move over one by one, and the rest is removed. Whatever moment that is interrupted
 * at, "-new" still holds every link that has not moved, and rg_pinset_recover() moves on.
 */
#define _GNU_SOURCE /* renameat2() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "bpf/pin.h"
#include "bpf/pinset.h"

#define BPFFS	   "/sys/fs/bpf"
#define DIR_MODE   0700
#define NEW_SUFFIX "-new"

static int too_long(const char *pin_dir, struct rg_err *err)
{
	return rg_err_set(err, -ENAMETOOLONG, "pin directory %s: path is too long", pin_dir);
}

static int new_dir(const char *pin_dir, char *buf, size_t size)
{
	char dir[PATH_MAX];
	int r = rg_pin_version_dir(pin_dir, dir, sizeof(dir));

	return r < 0 ? r : rg_str_format(buf, size, "%s" NEW_SUFFIX, dir);
}

int rg_pinset_prepare(const char *pin_dir, struct rg_err *err)
{
	int r;

	if (!rg_pin_is_bpffs(pin_dir) && rg_str_prefix(pin_dir, BPFFS "/") &&
	    mount("bpf", BPFFS, "bpf", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700") < 0)
		return rg_err_errno(err, -errno, "cannot mount a bpffs on " BPFFS);
	if (!rg_pin_is_bpffs(pin_dir))
		return rg_err_set(err, -EMEDIUMTYPE,
				  "pin directory %s is not in a bpffs; "
				  "mount one there: mount -t bpf bpf DIR",
				  pin_dir);
	r = rg_fs_mkdir_p(pin_dir, DIR_MODE);
	return r < 0 ? rg_err_errno(err, r, "cannot make pin directory %s", pin_dir) : 0;
}

/* Remove a set: the three folders and what is in them. Nothing is deeper. */
static int remove_set(const char *dir)
{
	for (int kind = 0; kind < RG_PIN_KIND_MAX; kind++) {
		_cleanup_closedir_ DIR *d = NULL;
		char path[PATH_MAX];
		struct dirent *entry;

		if (rg_str_format(path, sizeof(path), "%s/%s", dir,
				  rg_pin_kind_dir((enum rg_pin_kind)kind)) < 0)
			return -ENAMETOOLONG;
		d = opendir(path);
		if (!d)
			continue;
		while ((entry = readdir(d)) != NULL)
			if (entry->d_name[0] != '.' && unlinkat(dirfd(d), entry->d_name, 0) < 0 &&
			    errno != ENOENT)
				return -errno;
		if (rmdir(path) < 0)
			return -errno;
	}
	return rmdir(dir) < 0 && errno != ENOENT ? -errno : 0;
}

/* Move the links that @to does not have; those it has are newer. */
static int move_links(const char *from, const char *to)
{
	char from_links[PATH_MAX], to_links[PATH_MAX];
	_cleanup_closedir_ DIR *src = NULL, *dst = NULL;
	struct dirent *entry;

	if (rg_str_format(from_links, sizeof(from_links), "%s/%s", from,
			  rg_pin_kind_dir(RG_PIN_KIND_LINK)) < 0 ||
	    rg_str_format(to_links, sizeof(to_links), "%s/%s", to,
			  rg_pin_kind_dir(RG_PIN_KIND_LINK)) < 0)
		return -ENAMETOOLONG;
	src = opendir(from_links);
	if (!src)
		return errno == ENOENT ? 0 : -errno;
	dst = opendir(to_links);
	if (!dst)
		return -errno;
	while ((entry = readdir(src)) != NULL) {
		const char *name = entry->d_name;

		if (name[0] == '.' || faccessat(dirfd(dst), name, F_OK, 0) == 0)
			continue;
		if (renameat(dirfd(src), name, dirfd(dst), name) < 0 && errno != ENOENT)
			return -errno;
	}
	return 0;
}

int rg_pinset_recover(const char *pin_dir, struct rg_err *err)
{
	char dir[PATH_MAX], new[PATH_MAX];
	int r = 0;

	if (rg_pin_version_dir(pin_dir, dir, sizeof(dir)) < 0 ||
	    new_dir(pin_dir, new, sizeof(new)) < 0)
		return too_long(pin_dir, err);
	if (access(new, F_OK) < 0)
		return 0;
	if (access(dir, F_OK) == 0)
		r = move_links(new, dir);
	if (r == 0)
		r = remove_set(new);
	return r < 0 ? rg_err_errno(err, r, "cannot clear %s, left by an interrupted start", new)
		     : 0;
}

int rg_pinset_find(const char *pin_dir, char *buf, size_t size)
{
	_cleanup_closedir_ DIR *d = NULL;
	uint64_t newest = 0, version;
	struct dirent *entry;
	int r;

	r = rg_pin_version_dir(pin_dir, buf, size);
	if (r < 0 || access(buf, F_OK) == 0)
		return r;
	d = opendir(pin_dir);
	if (!d)
		return -errno;
	while ((entry = readdir(d)) != NULL)
		if (entry->d_name[0] == 'v' &&
		    rg_str_u64(entry->d_name + 1, UINT32_MAX, &version) == 0 && version > newest)
			newest = version;
	return newest ? rg_str_format(buf, size, "%s/v%u", pin_dir, (unsigned int)newest) : -ENOENT;
}

int rg_pinset_begin(const char *pin_dir, char *buf, size_t size, struct rg_err *err)
{
	int r;

	if (new_dir(pin_dir, buf, size) < 0)
		return too_long(pin_dir, err);
	for (int kind = 0; kind < RG_PIN_KIND_MAX; kind++) {
		char path[PATH_MAX];

		if (rg_str_format(path, sizeof(path), "%s/%s", buf,
				  rg_pin_kind_dir((enum rg_pin_kind)kind)) < 0)
			return too_long(pin_dir, err);
		r = rg_fs_mkdir_p(path, DIR_MODE);
		if (r < 0)
			return rg_err_errno(err, r, "cannot make %s", path);
	}
	return 0;
}

int rg_pinset_finish(const char *pin_dir, const char *from, struct rg_err *err)
{
	char dir[PATH_MAX], new[PATH_MAX];
	int r = 0;

	if (rg_pin_version_dir(pin_dir, dir, sizeof(dir)) < 0 ||
	    new_dir(pin_dir, new, sizeof(new)) < 0)
		return too_long(pin_dir, err);
	if (renameat2(AT_FDCWD, new, AT_FDCWD, dir,
		      rg_str_equal(from, dir) ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0)
		return rg_err_errno(err, -errno, "cannot put %s in place", new);
	if (rg_str_equal(from, dir))
		from = new;
	if (*from)
		r = move_links(from, dir);
	if (r == 0 && *from)
		r = remove_set(from);
	return r < 0 ? rg_err_errno(err, r, "cannot take over the pins of %s", from) : 0;
}

int rg_pinset_pin(const char *dir, const char *kind_dir, const char *name, int fd,
		  struct rg_err *err)
{
	char path[PATH_MAX], new[PATH_MAX];
	int r;

	if (rg_str_format(path, sizeof(path), "%s/%s/%s", dir, kind_dir, name) < 0 ||
	    rg_str_format(new, sizeof(new), "%s" NEW_SUFFIX, path) < 0)
		return too_long(dir, err);
	(void)unlink(new);
	if (bpf_obj_pin(fd, new) < 0)
		return rg_err_errno(err, -errno, "cannot pin %s", new);
	if (rename(new, path) < 0) {
		r = -errno;
		(void)unlink(new);
		return rg_err_errno(err, r, "cannot pin %s", path);
	}
	return 0;
}
