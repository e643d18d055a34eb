/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is on a device's TC hooks: railgate's entry programs and those of others.
 *
 * A program is railgate's if it uses the pinned program array; nothing else can be proof, since
 * anyone may give a program any name.
 */
#ifndef RG_BPF_CHAIN_H
#define RG_BPF_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rg_err;

/**
 * struct rg_chain_prog - a program or filter on a hook
 * @id: program, 0 for a filter that is none
 * @name: program's name, or the filter's kind
 * @tcx: attached with TCX, else a clsact filter
 * @ours: railgate's
 */
struct rg_chain_prog {
	uint32_t id;
	char name[64];
	bool tcx;
	bool ours;
};

/**
 * rg_chain_list() - programs on one direction of a device, in the order in which they run
 * @pin_dir: the railgate folder in a bpffs; without pins nothing is railgate's
 * @ifindex: device in the caller's network namespace
 * @egress: direction
 * @ret: array, to be freed with free(); NULL if there are none
 * @ret_n: number of programs
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_chain_list(const char *pin_dir, int ifindex, bool egress, struct rg_chain_prog **ret,
		  size_t *ret_n, struct rg_err *err);

#endif /* RG_BPF_CHAIN_H */
