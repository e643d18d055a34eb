/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading the programs, taking over the pinned maps of a predecessor, and moving to maps of
 * another size.
 *
 * In two steps, so that the policy is in the maps before a packet meets the new programs:
 * rg_load_open() makes maps and programs without touching what runs, the caller writes the policy
 * into rg_load_maps(), and rg_load_commit() puts the programs into force and the pins in place.
 * The pin directory is locked from the first to the second.
 */
#ifndef RG_BPF_LOAD_H
#define RG_BPF_LOAD_H

#include <stdint.h>

#include "bpf/config.h"

struct rg_err;
struct rg_load;
struct rg_maps;

enum rg_load_origin {
	RG_LOAD_NEW,	 /* nothing was pinned */
	RG_LOAD_ADOPTED, /* the pinned maps are used on */
	RG_LOAD_MOVED,	 /* some pinned maps had another size or layout and are replaced */
};

/**
 * rg_load_open() - make maps and programs
 * @pin_dir: the railgate folder in a bpffs, made if missing
 * @max_endpoints: slots in the counter maps
 * @known: policy in force if the caller has written it itself, or NULL to read it from the maps,
 *         for which the kernel asks for CAP_SYS_ADMIN
 * @ret: maps and programs; rg_load_free() frees them
 * @err: sentence
 *
 * Return: 0; -ENOSPC if pinned endpoints use slots that @max_endpoints has not; or another -errno.
 * On failure everything is as it was before.
 */
int rg_load_open(const char *pin_dir, uint32_t max_endpoints, const struct rg_policy *known,
		 struct rg_load **ret, struct rg_err *err);

/**
 * rg_load_commit() - put programs and pins into force
 * @load: maps and programs with the policy written
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_load_commit(struct rg_load *load, struct rg_err *err);

/**
 * rg_load_repair() - put back pins that someone has removed
 * @load: maps and programs in force
 * @err: sentence
 *
 * Return: 1 if some were missing, 0 if not, or -errno
 */
int rg_load_repair(struct rg_load *load, struct rg_err *err);

/**
 * rg_load_maps() - the maps
 * @load: maps and programs, which keep owning them
 */
const struct rg_maps *rg_load_maps(const struct rg_load *load);

/**
 * rg_load_types() - BTF for rg_policy_write()
 * @load: maps and programs, which keep owning it
 */
const struct rg_policy_types *rg_load_types(const struct rg_load *load);

/**
 * rg_load_origin() - where the maps come from
 * @load: maps and programs
 */
enum rg_load_origin rg_load_origin(const struct rg_load *load);

/**
 * rg_load_policy() - policy that the predecessor left in force
 * @load: maps and programs, which keep owning it
 *
 * Return: policy, or NULL if there is none or it is of another version
 */
const struct rg_policy *rg_load_policy(const struct rg_load *load);

/**
 * rg_load_free() - close maps and programs; what is pinned stays in force
 * @load: maps and programs or NULL
 */
void rg_load_free(struct rg_load *load);

/**
 * rg_load_free_ptr() - for _cleanup_(rg_load_free_ptr)
 * @load: where the pointer is
 */
void rg_load_free_ptr(struct rg_load **load);

#endif /* RG_BPF_LOAD_H */
