// SPDX-License-Identifier: Apache-2.0
/*
 * The undo stack.
 */
#include <errno.h>

#include "base/err.h"
#include "undo.h"

int rg_undo_push(struct rg_undo *undo, const char *name, rg_undo_fn fn, void *arg)
{
	if (undo->n == RG_UNDO_MAX)
		return -E2BIG;
	undo->items[undo->n++] = (struct rg_undo_item){.name = name, .fn = fn, .arg = arg};
	return 0;
}

int rg_undo_run(struct rg_undo *undo, struct rg_err *err)
{
	int first = 0;

	while (undo->n) {
		const struct rg_undo_item *item = &undo->items[--undo->n];
		struct rg_err failure = {0};
		int r = item->fn(item->arg, &failure);

		if (r >= 0 || first)
			continue;
		first = r;
		if (err) {
			*err = failure;
			(void)rg_err_ctx(err, r, "undoing step '%s'", item->name);
		}
	}
	return first;
}
