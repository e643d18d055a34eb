/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making, exchanging and removing whole pin directories. Only for user/lib/bpf.
 */
#ifndef RG_BPF_PINSET_H
#define RG_BPF_PINSET_H

#include <stddef.h>

struct rg_err;

/**
 * rg_pinset_prepare() - make the railgate folder and clear what a killed agent left half done
 * @pin_dir: the railgate folder; a bpffs is mounted on /sys/fs/bpf if it lies there and none is
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_pinset_prepare(const char *pin_dir, struct rg_err *err);

/**
 * rg_pinset_recover() - finish or undo an exchange of pin directories that was interrupted
 * @pin_dir: the railgate folder, locked
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_pinset_recover(const char *pin_dir, struct rg_err *err);

/**
 * rg_pinset_find() - directory with the pins to take over
 * @pin_dir: the railgate folder
 * @buf: path, written only on success
 * @size: bytes at @buf
 *
 * This version's own if it is there, else that of the newest other version.
 *
 * Return: 0, -ENOENT if there is none, or another -errno
 */
int rg_pinset_find(const char *pin_dir, char *buf, size_t size);

/**
 * rg_pinset_begin() - make an empty set beside the present one
 * @pin_dir: the railgate folder, locked
 * @buf: path of the set
 * @size: bytes at @buf
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_pinset_begin(const char *pin_dir, char *buf, size_t size, struct rg_err *err);

/**
 * rg_pinset_finish() - put the set of rg_pinset_begin() in place in one step
 * @pin_dir: the railgate folder, locked
 * @from: set that was taken over, empty if none; its links move to the new one, then it is removed
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_pinset_finish(const char *pin_dir, const char *from, struct rg_err *err);

/**
 * rg_pinset_pin() - pin an object under a name, in place of another that has it
 * @dir: path of the set
 * @kind_dir: folder in it
 * @name: pin
 * @fd: map, program or link
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_pinset_pin(const char *dir, const char *kind_dir, const char *name, int fd,
		  struct rg_err *err);

#endif /* RG_BPF_PINSET_H */
