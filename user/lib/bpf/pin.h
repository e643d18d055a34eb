/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pin directory: <pin dir>/v<ABI>/{maps,progs,links}/<name>.
 *
 * The agent fills "v<ABI>-new" and renames it, so that "v<ABI>" is there whole or not at all.
 * bpffs refuses dots in names, which is why pins of a rail go by rg_pin_link_name().
 *
 * Whoever changes the maps holds the pin directory's lock shared; the agent takes it exclusively
 * while it moves to maps of another size, so that no change goes into maps that are left behind.
 */
#ifndef RG_BPF_PIN_H
#define RG_BPF_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_err;

#define RG_PIN_NAME_SIZE 64

enum rg_pin_kind {
	RG_PIN_KIND_MAP,
	RG_PIN_KIND_PROG,
	RG_PIN_KIND_LINK,
	RG_PIN_KIND_MAX,
};

/**
 * rg_pin_version_dir() - path of the directory that holds this version's pins
 * @pin_dir: the railgate folder in a bpffs
 * @buf: path
 * @size: bytes at @buf
 *
 * Return: 0 or -ENAMETOOLONG
 */
int rg_pin_version_dir(const char *pin_dir, char *buf, size_t size);

/**
 * rg_pin_kind_dir() - name of the folder of one kind of pin ("maps", "progs", "links")
 * @kind: kind
 */
const char *rg_pin_kind_dir(enum rg_pin_kind kind);

/**
 * rg_pin_path() - path of one pin
 * @pin_dir: the railgate folder in a bpffs
 * @kind: kind
 * @name: pin
 * @buf: path
 * @size: bytes at @buf
 *
 * Return: 0 or -ENAMETOOLONG
 */
int rg_pin_path(const char *pin_dir, enum rg_pin_kind kind, const char *name, char *buf,
		size_t size);

/**
 * rg_pin_open_path() - open a pinned object by its path
 * @path: pin
 * @ret_fd: map, program or link; the caller closes it
 *
 * Return: 0 or -errno
 */
int rg_pin_open_path(const char *path, int *ret_fd);

/**
 * rg_pin_open() - open a pinned object
 * @pin_dir: the railgate folder in a bpffs
 * @kind: kind
 * @name: pin
 * @ret_fd: map, program or link; the caller closes it
 * @err: sentence
 *
 * Return: 0, -EAGAIN if there is no such pin, which means that the agent has not loaded the
 * policy yet, or another -errno
 */
int rg_pin_open(const char *pin_dir, enum rg_pin_kind kind, const char *name, int *ret_fd,
		struct rg_err *err);

/**
 * rg_pin_ready() - whether maps and programs are all pinned
 * @pin_dir: the railgate folder in a bpffs
 * @err: what is missing and what to do
 *
 * Return: 0, -EAGAIN if something is missing, or another -errno
 */
int rg_pin_ready(const char *pin_dir, struct rg_err *err);

/**
 * rg_pin_is_bpffs() - whether a directory, or the nearest one above it that exists, is a bpffs
 * @pin_dir: directory, which need not exist
 */
bool rg_pin_is_bpffs(const char *pin_dir);

/**
 * rg_pin_link_name() - name of the pin of a rail's hook
 * @rail: rail's name
 * @dir: "tx" or "rx"
 * @buf: <rail>_<dir>, with "~" for each "." of the rail's name
 *
 * Return: @buf
 */
char *rg_pin_link_name(const char *rail, const char *dir, char buf[RG_PIN_NAME_SIZE]);

/**
 * rg_pin_pod_link_name() - name of the pin of a pod's hook
 * @slot: slot of its endpoint
 * @dir: "tx" or "rx"
 * @buf: pod@<slot>_<dir>, which no rail's pin can be called
 *
 * Return: @buf
 */
char *rg_pin_pod_link_name(uint32_t slot, const char *dir, char buf[RG_PIN_NAME_SIZE]);

/**
 * rg_pin_pod_link_slot() - slot that the name of a pod's hook stands for
 * @name: pin
 *
 * Return: slot, or -EINVAL if this is no pod's pin
 */
int64_t rg_pin_pod_link_slot(const char *name);

/**
 * typedef rg_pin_fn - called for each pin
 * @name: pin
 * @arg: caller's
 *
 * Return: 0 to go on, or -errno to stop with
 */
typedef int (*rg_pin_fn)(const char *name, void *arg);

/**
 * rg_pin_each() - walk over the pins of one kind
 * @pin_dir: the railgate folder in a bpffs
 * @kind: kind
 * @fn: called for each, in the directory's order; it may remove the pin it is called for
 * @arg: passed to @fn
 *
 * Return: 0, also if the directory is missing, or -errno
 */
int rg_pin_each(const char *pin_dir, enum rg_pin_kind kind, rg_pin_fn fn, void *arg);

/**
 * rg_pin_remove() - remove one pin
 * @pin_dir: the railgate folder in a bpffs
 * @kind: kind
 * @name: pin
 *
 * Return: 0, also if it is gone already, or -errno
 */
int rg_pin_remove(const char *pin_dir, enum rg_pin_kind kind, const char *name);

/**
 * rg_pin_lock() - take the pin directory's lock
 * @pin_dir: the railgate folder in a bpffs
 * @exclusive: alone, or shared with others who change maps
 * @timeout_ms: how long to wait, in milliseconds
 * @ret_fd: closing it releases the lock
 * @err: sentence
 *
 * Return: 0, -EAGAIN if the directory is missing or the wait was too long, or another -errno
 */
int rg_pin_lock(const char *pin_dir, bool exclusive, unsigned int timeout_ms, int *ret_fd,
		struct rg_err *err);

/**
 * rg_pin_lock_agent() - be the only agent on a pin directory
 * @pin_dir: the railgate folder in a bpffs, made if missing
 * @ret_fd: closing it gives way to another agent
 * @err: sentence
 *
 * This lock is the folder "agent" in the pin directory, so that it does not stand in the way of
 * those who change the maps.
 *
 * Return: 0, -EBUSY if there is another agent, or another -errno
 */
int rg_pin_lock_agent(const char *pin_dir, int *ret_fd, struct rg_err *err);

#endif /* RG_BPF_PIN_H */
