/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hooks on the pod's own interface: pins named after the endpoint's slot.
 */
#ifndef RG_CNI_PODHOOK_H
#define RG_CNI_PODHOOK_H

#include <stdint.h>

struct rg_err;
struct rg_pod_setup;

/**
 * rg_podhook_attach() - attach both hooks; called in the pod's namespace
 * @setup: interface with its number, and what the hooks carry
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_podhook_attach(const struct rg_pod_setup *setup, struct rg_err *err);

/**
 * rg_podhook_check() - whether the pins of a slot's hooks are there
 * @pin_dir: the railgate folder in a bpffs
 * @slot: endpoint slot
 * @ifindex: interface that the hooks must be on
 * @err: what is missing
 *
 * Return: 0 or -errno
 */
int rg_podhook_check(const char *pin_dir, uint32_t slot, int ifindex, struct rg_err *err);

/**
 * rg_podhook_remove() - remove the pins of a slot's hooks, and with them the hooks
 * @pin_dir: the railgate folder in a bpffs
 * @slot: endpoint slot
 * @err: what failed
 *
 * Return: 0, also if there are none, or -errno
 */
int rg_podhook_remove(const char *pin_dir, uint32_t slot, struct rg_err *err);

#endif /* RG_CNI_PODHOOK_H */
