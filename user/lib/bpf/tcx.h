/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCX links, by bpf(2) itself: libbpf 1.1 does not know them. Only for user/lib/bpf.
 */
#ifndef RG_BPF_TCX_H
#define RG_BPF_TCX_H

#include <stdbool.h>
#include <stdint.h>

#define RG_TCX_CHAIN_MAX 64 /* the kernel allows no more programs on one hook */

/**
 * struct rg_tcx_chain - programs on one hook, in the order in which they run
 * @n: number of programs
 * @revision: changes with every change of the chain
 * @prog_ids: programs
 * @link_ids: their links, 0 for a program attached without one
 */
struct rg_tcx_chain {
	uint32_t n;
	uint64_t revision;
	uint32_t prog_ids[RG_TCX_CHAIN_MAX];
	uint32_t link_ids[RG_TCX_CHAIN_MAX];
};

/**
 * struct rg_tcx_link - a link
 * @id: link
 * @prog_id: its program
 * @ifindex: device in whatever namespace it is, 0 if the device is gone
 * @attach_type: RG_BPF_TCX_INGRESS or RG_BPF_TCX_EGRESS
 */
struct rg_tcx_link {
	uint32_t id;
	uint32_t prog_id;
	uint32_t ifindex;
	uint32_t attach_type;
};

/**
 * rg_tcx_attach() - attach a program at the head of a chain
 * @ifindex: device in the caller's network namespace
 * @attach_type: RG_BPF_TCX_INGRESS or RG_BPF_TCX_EGRESS
 * @prog_fd: program
 * @ret_fd: link; the caller closes it
 *
 * Return: 0 or -errno
 */
int rg_tcx_attach(int ifindex, uint32_t attach_type, int prog_fd, int *ret_fd);

/**
 * rg_tcx_query() - read a chain
 * @ifindex: device in the caller's network namespace
 * @attach_type: RG_BPF_TCX_INGRESS or RG_BPF_TCX_EGRESS
 * @ret: written only on success
 *
 * Return: 0, -EINVAL if the kernel has no TCX, or another -errno
 */
int rg_tcx_query(int ifindex, uint32_t attach_type, struct rg_tcx_chain *ret);

/**
 * rg_tcx_link_info() - what a link is attached to
 * @fd: link
 * @ret: written only on success
 *
 * Return: 0, -EINVAL if @fd is no TCX link, or another -errno
 */
int rg_tcx_link_info(int fd, struct rg_tcx_link *ret);

#endif /* RG_BPF_TCX_H */
