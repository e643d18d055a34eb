/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that railgate left in the kernel and that is provably its own: pins below the pin
 * directory, the hooks they hold, and clsact filters with the name and handle of ours.
 *
 * Hooks in pods' namespaces are found by their pins. Filters there are not: they go with the pod.
 */
#ifndef RG_BPF_RESIDUE_H
#define RG_BPF_RESIDUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_err;

#define RG_RESIDUE_TEXT_SIZE 256

enum rg_residue_kind {
	RG_RESIDUE_FILTER, /* clsact filter of a device in this network namespace */
	RG_RESIDUE_HOOK,   /* pinned hook: TCX link, or entry program of a filter */
	RG_RESIDUE_PROG,   /* pinned main program */
	RG_RESIDUE_MAP,	   /* pinned map */
	RG_RESIDUE_DIR,	   /* directory, empty once those in front of it in the list are removed */
};

/**
 * struct rg_residue - one thing that was left
 * @kind: what it is
 * @text: for people: path of a pin or directory, or device, direction and name of a filter
 * @ifindex: device of a filter
 * @egress: direction of a filter
 * @prio: priority of a filter
 * @handle: handle of a filter
 */
struct rg_residue {
	enum rg_residue_kind kind;
	char text[RG_RESIDUE_TEXT_SIZE];
	int ifindex;
	bool egress;
	uint32_t prio;
	uint32_t handle;
};

/**
 * rg_residue_kind_name() - what a kind is called
 * @kind: kind
 */
const char *rg_residue_kind_name(enum rg_residue_kind kind);

/**
 * rg_residue_list() - find everything that is ours
 * @pin_dir: the railgate folder in a bpffs
 * @ret: array in the order in which it can be removed; the caller frees it with free()
 * @ret_n: number of things
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_residue_list(const char *pin_dir, struct rg_residue **ret, size_t *ret_n,
		    struct rg_err *err);

/**
 * rg_residue_remove() - remove one thing
 * @residue: thing
 * @err: sentence
 *
 * No agent may run, it would put back what is removed: see rg_pin_lock_agent().
 *
 * Return: 0, also if it is gone already, or -errno
 */
int rg_residue_remove(const struct rg_residue *residue, struct rg_err *err);

#endif /* RG_BPF_RESIDUE_H */
