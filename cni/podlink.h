/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removing the interface from the pod's namespace.
 */
#ifndef RG_CNI_PODLINK_H
#define RG_CNI_PODLINK_H

#include <stdbool.h>

#include "state/record.h"

struct rg_err;

/**
 * rg_podlink_remove() - remove the macvlan of an attachment
 * @netns: path of the pod's namespace; NULL, missing or no longer a namespace are all right
 * @record: attachment; its interface may have been renamed or still have its temporary name
 * @recorded: whether @record was written by ADD; if not, only its names are known
 * @err: what failed
 *
 * Returns when the device has left the namespace and its parent. The kernel then waits for an RCU
 * grace period before it frees the memory, which takes longer than all else together; where
 * orphans are reaped by an init process, a child waits for that alone.
 *
 * Return: 0, also if there is nothing to remove, or -errno
 */
int rg_podlink_remove(const char *netns, const struct rg_record *record, bool recorded,
		      struct rg_err *err);

#endif /* RG_CNI_PODLINK_H */
