/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ADD as a table of steps. Each has its reversal, which goes onto the undo stack before the step
 * is taken, since a step may fail half way.
 *
 * A mode of attachment is such a table: the steps that modes share are the same functions.
 */
#ifndef RG_CNI_STEPS_H
#define RG_CNI_STEPS_H

#include "attach.h"
#include "undo.h"

/**
 * struct rg_step - a step of ADD
 * @name: for messages
 * @run: take the step; returns 0 or -errno with the fault described
 * @undo: reverse it, NULL if there is nothing to reverse; its argument is the attachment
 */
struct rg_step {
	const char *name;
	int (*run)(struct rg_attach *a, struct rg_fault *f);
	rg_undo_fn undo;
};

/**
 * rg_steps_run() - take the steps of an attachment's mode, in order, up to the first that fails
 * @a: attachment, prepared
 * @undo: stack that the reversals are put on
 * @f: what failed
 *
 * Return: 0 or -errno
 */
int rg_steps_run(struct rg_attach *a, struct rg_undo *undo, struct rg_fault *f);

#endif /* RG_CNI_STEPS_H */
