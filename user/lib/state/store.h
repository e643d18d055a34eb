/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where records are kept: <state dir>/attachments/<container id>/<ifname>.json.
 *
 * A directory per container, so no two keys collide, and its own lock: everything that changes an
 * attachment holds the lock of its container's directory. The directory goes with its last
 * record, so nothing is left of a container that is gone.
 */
#ifndef RG_STATE_STORE_H
#define RG_STATE_STORE_H

#include <stdbool.h>

#include "state/record.h"

struct rg_store;
struct rg_store_lock;

/**
 * rg_store_valid_id() - whether a string is a container id (or network name) as CNI defines it
 * @id: letters and digits, from the second character on also "_", "." and "-"; and short enough
 *      for a file name
 */
bool rg_store_valid_id(const char *id);

/**
 * rg_store_valid_ifname() - whether a string may name a network device
 * @ifname: at most 15 bytes, not "." or "..", no "/", ":", white space
 */
bool rg_store_valid_ifname(const char *ifname);

/**
 * rg_store_open() - open the store
 * @state_dir: state directory
 * @create: make it if it is missing
 * @ret: store, closed by rg_store_close()
 * @err: what failed
 *
 * Return: 0, -ENOENT if it is missing, or -errno
 */
int rg_store_open(const char *state_dir, bool create, struct rg_store **ret, struct rg_err *err);

/**
 * rg_store_close() - close the store
 * @store: store or NULL
 */
void rg_store_close(struct rg_store *store);

static inline void rg_store_close_ptr(struct rg_store **store)
{
	rg_store_close(*store);
}

#define _cleanup_store_ _cleanup_(rg_store_close_ptr)

/**
 * rg_store_lock() - lock the attachments of a container
 * @store: store
 * @container_id: container
 * @timeout_ms: how long to wait, in milliseconds
 * @ret: lock, given back by rg_store_unlock()
 * @err: what failed
 *
 * Return: 0; -ETIMEDOUT; -EINVAL if the id is no id; or -errno
 */
int rg_store_lock(struct rg_store *store, const char *container_id, unsigned int timeout_ms,
		  struct rg_store_lock **ret, struct rg_err *err);

/**
 * rg_store_unlock() - give a lock back
 * @lock: lock or NULL
 *
 * Removes the container's directory if no record is left in it.
 */
void rg_store_unlock(struct rg_store_lock *lock);

static inline void rg_store_unlock_ptr(struct rg_store_lock **lock)
{
	rg_store_unlock(*lock);
}

#define _cleanup_unlock_ _cleanup_(rg_store_unlock_ptr)

/**
 * rg_store_save() - write a record
 * @lock: lock of the record's container
 * @record: record
 * @durable: whether it must survive a loss of power from now on; costs some fsyncs
 * @err: what failed
 *
 * A crash of the process leaves the old record or the new one, whole.
 *
 * Return: 0 or -errno
 */
int rg_store_save(struct rg_store_lock *lock, const struct rg_record *record, bool durable,
		  struct rg_err *err);

/**
 * rg_store_save_phase() - change the phase of a record that is there
 * @lock: lock of the record's container
 * @record: record as it was loaded, but for its phase
 * @err: what failed
 *
 * The file stays the same one, so that a lock on it (rg_store_open_record()) stays meaningful.
 *
 * Return: 0 or -errno
 */
int rg_store_save_phase(struct rg_store_lock *lock, const struct rg_record *record,
			struct rg_err *err);

/**
 * rg_store_load() - read a record
 * @lock: lock of the container
 * @ifname: interface inside the pod
 * @ret: record, freed by rg_record_free()
 * @err: what failed
 *
 * Return: 0; -ENOENT if there is none; -EBADMSG if the file is damaged; or -errno
 */
int rg_store_load(struct rg_store_lock *lock, const char *ifname, struct rg_record **ret,
		  struct rg_err *err);

/**
 * rg_store_open_record() - open the file of a record, to lock it
 * @lock: lock of the container
 * @ifname: interface inside the pod
 * @ret_fd: file; rg_store_save() makes another one of the same name
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_store_open_record(struct rg_store_lock *lock, const char *ifname, int *ret_fd,
			 struct rg_err *err);

/**
 * rg_store_remove() - remove a record
 * @lock: lock of the container
 * @ifname: interface inside the pod
 * @err: what failed
 *
 * Return: 0, also if there is none, or -errno
 */
int rg_store_remove(struct rg_store_lock *lock, const char *ifname, struct rg_err *err);

/**
 * rg_store_read() - read a record without its lock, to look at it
 * @store: store
 * @container_id: container
 * @ifname: interface inside the pod
 * @ret: record, freed by rg_record_free()
 * @err: what failed
 *
 * Return: as rg_store_load()
 */
int rg_store_read(struct rg_store *store, const char *container_id, const char *ifname,
		  struct rg_record **ret, struct rg_err *err);

/**
 * struct rg_store_key - names of a record
 * @container_id: container
 * @ifname: interface inside the pod
 */
struct rg_store_key {
	char container_id[RG_RECORD_ID_SIZE];
	char ifname[IF_NAMESIZE];
};

/**
 * rg_store_list() - names of all records
 * @store: store
 * @container_id: only those of a container, NULL for all
 * @ret: array, to be freed with free(); NULL if empty
 * @ret_n: number of names
 * @err: what failed
 *
 * Takes no lock: a record may be gone by the time it is read. Damaged ones are listed too. What
 * does not look like a record is passed over.
 *
 * Return: 0 or -errno
 */
int rg_store_list(struct rg_store *store, const char *container_id, struct rg_store_key **ret,
		  size_t *ret_n, struct rg_err *err);

#endif /* RG_STATE_STORE_H */
