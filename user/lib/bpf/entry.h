/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry programs: what actually sits on a hook.
 *
 * A hook must know whose it is, for as long as it exists and whatever becomes of interface indices
 * and names. So each gets a program of its own, a few instructions long, that holds the slot as a
 * constant, leaves it in skb->cb and tail calls the main program from the pinned program array. An
 * upgrade replaces an element of that array and touches no hook.
 */
#ifndef RG_BPF_ENTRY_H
#define RG_BPF_ENTRY_H

#include <stdint.h>
#include <railgate/abi.h>

struct rg_err;

enum rg_mark_use {
	RG_MARK_NONE, /* no mark */
	RG_MARK_SET,  /* leave the mark with each packet */
	RG_MARK_SKIP, /* let a packet pass that has the mark */
};

/**
 * struct rg_mark - how two entry programs of one hook share packets
 * @use: what this one does with the mark
 * @word: random, so that nothing else leaves the same in skb->cb
 *
 * While one program takes over from another that runs behind it, both see each packet. The first
 * marks it, the second lets marked ones pass, and so each is judged and counted once.
 */
struct rg_mark {
	enum rg_mark_use use;
	uint32_t word[2];
};

/**
 * rg_entry_load() - make the entry program of a hook
 * @progs_fd: the program array (RG_MAP_PROGS); stays the caller's
 * @index: main program to call
 * @slot: rail number for a rail's hook, endpoint slot for a pod's
 * @err: what is wrong
 *
 * While the array's element is empty, sending hooks drop everything and receiving hooks pass it.
 *
 * Return: program, which the caller closes, or -errno
 */
int rg_entry_load(int progs_fd, enum rg_prog index, uint32_t slot, struct rg_err *err);

/**
 * rg_entry_load_marked() - make an entry program that shares packets with another
 * @progs_fd: the program array (RG_MAP_PROGS); stays the caller's
 * @index: main program to call
 * @slot: rail number for a rail's hook, endpoint slot for a pod's
 * @mark: how they share
 * @err: what is wrong
 *
 * Return: program, which the caller closes, or -errno
 */
int rg_entry_load_marked(int progs_fd, enum rg_prog index, uint32_t slot,
			 const struct rg_mark *mark, struct rg_err *err);

#endif /* RG_BPF_ENTRY_H */
