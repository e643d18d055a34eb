// SPDX-License-Identifier: Apache-2.0
/*
 * The directory of records and its locks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "state/store.h"

#define SUFFIX	      ".json"
#define LOCK_ATTEMPTS 100

/**
 * struct rg_store - an open store
 * @fd: <state dir>/attachments
 * @path: the same, for messages
 */
struct rg_store {
	int fd;
	char path[PATH_MAX];
};

/**
 * struct rg_store_lock - a container's locked directory
 * @store: store it belongs to, which outlives it
 * @fd: the directory, which carries the lock
 * @made: whether this lock made the directory, which is then not durable yet
 * @container_id: container
 */
struct rg_store_lock {
	struct rg_store *store;
	int fd;
	bool made;
	char container_id[RG_RECORD_ID_SIZE];
};

int rg_store_open(const char *state_dir, bool create, struct rg_store **ret, struct rg_err *err)
{
	_cleanup_(rg_store_close_ptr) struct rg_store *store = calloc(1, sizeof(*store));
	int r;

	if (!store)
		return rg_err_set(err, -ENOMEM, "out of memory");
	store->fd = -EBADF;
	r = rg_str_format(store->path, sizeof(store->path), "%s/attachments", state_dir);
	if (r < 0)
		return rg_err_set(err, r, "state directory '%s': path is too long", state_dir);
	if (create) {
		r = rg_fs_mkdir_p(store->path, 0700);
		if (r < 0)
			return rg_err_errno(err, r, "cannot make state directory '%s'",
					    store->path);
	}
	store->fd = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->fd < 0)
		return rg_err_errno(err, -errno, "state directory '%s'", store->path);
	*ret = TAKE_PTR(store);
	return 0;
}

void rg_store_close(struct rg_store *store)
{
	if (!store)
		return;
	rg_close_ptr(&store->fd);
	free(store);
}

/* Return: 0 if @lock holds the directory that bears its name, -EAGAIN if it holds a removed one. */
static int lock_once(struct rg_store_lock *lock, unsigned int timeout_ms)
{
	_cleanup_close_ int fd = -EBADF;
	struct stat st;
	int r;

	lock->made = mkdirat(lock->store->fd, lock->container_id, 0700) == 0;
	if (!lock->made && errno != EEXIST)
		return -errno;
	fd = openat(lock->store->fd, lock->container_id,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -EAGAIN : -errno;
	r = rg_fs_flock(fd, LOCK_EX, timeout_ms);
	if (r < 0)
		return r;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!st.st_nlink)
		return -EAGAIN;
	lock->fd = TAKE_FD(fd);
	return 0;
}

int rg_store_lock(struct rg_store *store, const char *container_id, unsigned int timeout_ms,
		  struct rg_store_lock **ret, struct rg_err *err)
{
	_cleanup_free_ struct rg_store_lock *lock = calloc(1, sizeof(*lock));
	int r = -EAGAIN;

	if (!lock)
		return rg_err_set(err, -ENOMEM, "out of memory");
	if (!rg_store_valid_id(container_id) ||
	    rg_str_copy(lock->container_id, sizeof(lock->container_id), container_id) < 0)
		return rg_err_set(err, -EINVAL, "'%s' is not a container id", container_id);
	lock->store = store;
	for (int i = 0; i < LOCK_ATTEMPTS && r == -EAGAIN; i++)
		r = lock_once(lock, timeout_ms);
	if (r == -ETIMEDOUT)
		return rg_err_set(err, r,
				  "another call has been changing container '%s' for more than "
				  "%u ms; try again",
				  container_id, timeout_ms);
	if (r < 0)
		return rg_err_errno(err, r, "cannot lock '%s/%s'", store->path, container_id);
	*ret = TAKE_PTR(lock);
	return 0;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), n = strlen(suffix);

	return len > n && rg_str_equal(name + len - n, suffix);
}

/* Half-written files of processes that were killed would keep the directory. */
static void remove_leftovers(int dir_fd)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);

	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		return;
	rewinddir(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' && has_suffix(entry->d_name, ".tmp"))
			(void)unlinkat(dir_fd, entry->d_name, 0);
	}
}

void rg_store_unlock(struct rg_store_lock *lock)
{
	if (!lock)
		return;
	if (unlinkat(lock->store->fd, lock->container_id, AT_REMOVEDIR) < 0 && errno == ENOTEMPTY) {
		remove_leftovers(lock->fd);
		(void)unlinkat(lock->store->fd, lock->container_id, AT_REMOVEDIR);
	}
	rg_close_ptr(&lock->fd);
	free(lock);
}

static int file_name(const char *ifname, char buf[NAME_MAX + 1])
{
	if (!rg_store_valid_ifname(ifname))
		return -EINVAL;
	return rg_str_format(buf, NAME_MAX + 1, "%s" SUFFIX, ifname);
}

/*
 * The file after its renaming, so that one commit of the file system's journal holds all: what
 * is not durable by then is a record of which nothing has happened yet.
 */
static int sync_record(const struct rg_store_lock *lock, const char *name)
{
	_cleanup_close_ int fd = openat(lock->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0 || fsync(lock->fd) < 0)
		return -errno;
	return lock->made && fsync(lock->store->fd) < 0 ? -errno : 0;
}

static int write_failed(const struct rg_store_lock *lock, const char *name, int r,
			struct rg_err *err)
{
	return rg_err_errno(err, r, "cannot write record '%s/%s/%s'", lock->store->path,
			    lock->container_id, name);
}

int rg_store_save(struct rg_store_lock *lock, const struct rg_record *record, bool durable,
		  struct rg_err *err)
{
	_cleanup_free_ char *text = NULL;
	char name[NAME_MAX + 1];
	size_t len;
	int r = file_name(record->ifname, name);

	r = r ? r : rg_record_format(record, &text, &len);
	if (r < 0)
		return write_failed(lock, record->ifname, r, err);
	r = rg_fs_replace(lock->fd, name, text, len, 0600);
	if (r == 0 && durable)
		r = sync_record(lock, name);
	return r < 0 ? write_failed(lock, name, r, err) : 0;
}

int rg_store_save_phase(struct rg_store_lock *lock, const struct rg_record *record,
			struct rg_err *err)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_close_ int fd = -EBADF;
	char name[NAME_MAX + 1];
	struct stat st;
	size_t len;
	int r = file_name(record->ifname, name);

	r = r ? r : rg_record_format(record, &text, &len);
	if (r < 0)
		return write_failed(lock, record->ifname, r, err);
	fd = openat(lock->fd, name, O_WRONLY | O_CLOEXEC);
	/* One digit changes, all other bytes are what they were: a crash cannot tear it. */
	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size != (off_t)len)
		return rg_store_save(lock, record, false, err);
	r = rg_fs_write_all(fd, text, len);
	return r < 0 ? write_failed(lock, name, r, err) : 0;
}

static int load(const struct rg_store *store, int dir_fd, const char *container_id,
		const char *ifname, struct rg_record **ret, struct rg_err *err)
{
	_cleanup_free_ char *text = NULL;
	char name[NAME_MAX + 1];
	size_t len;
	int r = file_name(ifname, name);

	r = r ? r : rg_fs_read(dir_fd, name, RG_RECORD_FILE_MAX, &text, &len);
	if (r < 0)
		return rg_err_errno(err, r == -EFBIG ? -EBADMSG : r, "record '%s/%s/%s'",
				    store->path, container_id, ifname);
	r = rg_record_parse(text, len, ret, err);
	return r < 0 ? rg_err_ctx(err, r, "record '%s/%s/%s'", store->path, container_id, name) : 0;
}

int rg_store_load(struct rg_store_lock *lock, const char *ifname, struct rg_record **ret,
		  struct rg_err *err)
{
	return load(lock->store, lock->fd, lock->container_id, ifname, ret, err);
}

int rg_store_read(struct rg_store *store, const char *container_id, const char *ifname,
		  struct rg_record **ret, struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;

	if (!rg_store_valid_id(container_id))
		return rg_err_set(err, -EINVAL, "'%s' is not a container id", container_id);
	fd = openat(store->fd, container_id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return rg_err_errno(err, -errno, "record '%s/%s/%s'", store->path, container_id,
				    ifname);
	return load(store, fd, container_id, ifname, ret, err);
}

int rg_store_open_record(struct rg_store_lock *lock, const char *ifname, int *ret_fd,
			 struct rg_err *err)
{
	char name[NAME_MAX + 1];
	int r = file_name(ifname, name);
	int fd = r < 0 ? r : openat(lock->fd, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return rg_err_errno(err, r < 0 ? r : -errno, "record of interface '%s'", ifname);
	*ret_fd = fd;
	return 0;
}

int rg_store_remove(struct rg_store_lock *lock, const char *ifname, struct rg_err *err)
{
	char name[NAME_MAX + 1];
	int r = file_name(ifname, name);

	if (r == 0 && unlinkat(lock->fd, name, 0) < 0 && errno != ENOENT)
		r = -errno;
	return r < 0 ? rg_err_errno(err, r, "cannot remove record '%s/%s/%s'", lock->store->path,
				    lock->container_id, ifname)
		     : 0;
}

/**
 * struct keys - a growing list of names
 * @items: names
 * @n: number of names
 * @size: names that fit
 */
struct keys {
	struct rg_store_key *items;
	size_t n;
	size_t size;
};

static int add_key(struct keys *keys, const char *container_id, const char *file)
{
	struct rg_store_key *key;
	size_t len = strlen(file) - strlen(SUFFIX);

	if (keys->n == keys->size) {
		size_t size = keys->size ? keys->size * 2 : 64;
		struct rg_store_key *bigger = reallocarray(keys->items, size, sizeof(*keys->items));

		if (!bigger)
			return -ENOMEM;
		keys->items = bigger;
		keys->size = size;
	}
	key = &keys->items[keys->n];
	if (len >= sizeof(key->ifname) ||
	    rg_str_copy(key->container_id, sizeof(key->container_id), container_id) < 0)
		return 0;
	memcpy(key->ifname, file, len);
	key->ifname[len] = '\0';
	if (rg_store_valid_ifname(key->ifname))
		keys->n++;
	return 0;
}

static DIR *open_dir(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		(void)close(fd);
	return dir;
}

static int list_container(const struct rg_store *store, const char *container_id, struct keys *keys)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int r = 0;

	if (!rg_store_valid_id(container_id))
		return 0;
	dir = open_dir(store->fd, container_id);
	if (!dir)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
	while (r == 0 && (entry = readdir(dir))) {
		if (has_suffix(entry->d_name, SUFFIX))
			r = add_key(keys, container_id, entry->d_name);
	}
	return r;
}

int rg_store_list(struct rg_store *store, const char *container_id, struct rg_store_key **ret,
		  size_t *ret_n, struct rg_err *err)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	struct keys keys = {0};
	int r = 0;

	if (container_id) {
		r = list_container(store, container_id, &keys);
	} else {
		dir = open_dir(store->fd, ".");
		r = dir ? 0 : -errno;
		while (r == 0 && (entry = readdir(dir)))
			r = list_container(store, entry->d_name, &keys);
	}
	if (r < 0) {
		free(keys.items);
		return rg_err_errno(err, r, "cannot list '%s'", store->path);
	}
	*ret = keys.items;
	*ret_n = keys.n;
	return 0;
}
