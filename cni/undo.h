/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The undo stack: what has to be reversed if a later step fails, last done first.
 */
#ifndef RG_CNI_UNDO_H
#define RG_CNI_UNDO_H

#include <stddef.h>

struct rg_err;

#define RG_UNDO_MAX 256 /* steps of one attachment times rails of one call */

/**
 * typedef rg_undo_fn - reverse a step
 * @arg: the step's
 * @err: what failed
 *
 * The step may have been done, half done or not done at all.
 *
 * Return: 0, also if there was nothing to reverse, or -errno
 */
typedef int (*rg_undo_fn)(void *arg, struct rg_err *err);

/**
 * struct rg_undo_item - one reversal
 * @name: step, for messages
 * @fn: reverses it
 * @arg: for @fn
 */
struct rg_undo_item {
	const char *name;
	rg_undo_fn fn;
	void *arg;
};

/**
 * struct rg_undo - a stack, empty when zeroed
 * @items: reversals
 * @n: number of @items
 */
struct rg_undo {
	struct rg_undo_item items[RG_UNDO_MAX];
	size_t n;
};

/**
 * rg_undo_push() - remember how to reverse a step
 * @undo: stack
 * @name: step, for messages
 * @fn: reverses it
 * @arg: for @fn
 *
 * Return: 0, or -E2BIG if the stack is full
 */
int rg_undo_push(struct rg_undo *undo, const char *name, rg_undo_fn fn, void *arg);

/**
 * rg_undo_run() - reverse everything, last first, whatever fails on the way
 * @undo: stack, empty afterwards
 * @err: the first failure
 *
 * Return: 0, or the first failure's -errno
 */
int rg_undo_run(struct rg_undo *undo, struct rg_err *err);

#endif /* RG_CNI_UNDO_H */
