/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clsact way of attaching, for kernels without TCX. Only for user/lib/bpf.
 *
 * It is weaker than TCX: whoever may change the network namespace may delete the qdisc with the
 * filters on it, and the qdisc does not survive a move into another namespace.
 */
#ifndef RG_BPF_TCFILTER_H
#define RG_BPF_TCFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RG_TCF_NAME_SIZE 64
#define RG_TCF_HANDLE	 0x5247 /* ours, and the one above it while our place is restored */

/**
 * struct rg_tcf - a filter
 * @prio: priority; the lowest runs first
 * @handle: handle within its priority
 * @protocol: EtherType it is for, host byte order
 * @prog_id: program of a BPF filter, 0 for other kinds
 * @kind: classifier ("bpf", "u32", ...)
 * @name: name of a BPF filter
 */
struct rg_tcf {
	uint32_t prio;
	uint32_t handle;
	uint16_t protocol;
	uint32_t prog_id;
	char kind[16];
	char name[RG_TCF_NAME_SIZE];
};

/**
 * rg_tcf_list() - filters of one direction of a device, in the order in which they run
 * @ifindex: device in the caller's network namespace
 * @egress: direction
 * @ret: array; the caller frees it with free()
 * @ret_n: number of filters; 0 also without a clsact qdisc
 *
 * Return: 0 or -errno
 */
int rg_tcf_list(int ifindex, bool egress, struct rg_tcf **ret, size_t *ret_n);

/**
 * rg_tcf_attach() - attach a program in front of the other filters, making the qdisc if needed
 * @ifindex: device in the caller's network namespace
 * @egress: direction
 * @prog_fd: program
 * @handle: RG_TCF_HANDLE or RG_TCF_HANDLE + 1
 *
 * Return: 0 or -errno
 */
int rg_tcf_attach(int ifindex, bool egress, int prog_fd, uint32_t handle);

/**
 * rg_tcf_detach() - remove one filter
 * @ifindex: device in the caller's network namespace
 * @egress: direction
 * @filter: which, by its priority and handle
 *
 * Return: 0, also if it is gone, or -errno
 */
int rg_tcf_detach(int ifindex, bool egress, const struct rg_tcf *filter);

/**
 * rg_tcf_detach_prog() - remove the filters of a program, on whatever device they are
 * @egress: direction
 * @prog_id: program
 *
 * Looks through all devices of the caller's network namespace.
 *
 * Return: 0, also if there are none, or -errno
 */
int rg_tcf_detach_prog(bool egress, uint32_t prog_id);

#endif /* RG_BPF_TCFILTER_H */
