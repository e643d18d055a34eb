/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who made a RoCE packet: the RDMA stack, or a socket of some program?
 *
 * Soft-RoCE sends through UDP sockets of the kernel's own, and its packets carry a reference to
 * them. Everything else that reaches UDP port 4791 comes from a user's UDP socket, a raw or packet
 * socket, AF_XDP, or was forwarded and has no socket at all. A source port of 0 would tell most of
 * them apart, but not a corked UDP socket that is disconnected before it is flushed.
 */
#ifndef RG_BPF_SENDER_H
#define RG_BPF_SENDER_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>

#include "lib/base.h"

#define RG_AF_INET    2
#define RG_AF_INET6   10
#define RG_SOCK_DGRAM 2

/**
 * rg_sender_is_rdma() - did the kernel's RDMA stack make this packet?
 * @skb: packet
 */
static __always_inline bool rg_sender_is_rdma(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	const struct sock *kernel_sk;

	if (!sk)
		return false;
	sk = bpf_sk_fullsock(sk);
	if (!sk || sk->type != RG_SOCK_DGRAM)
		return false;
	if (sk->family != RG_AF_INET && sk->family != RG_AF_INET6)
		return false;
	/* The verifier lets nobody look into what it calls a socket: take its address. */
	if (bpf_probe_read_kernel(&kernel_sk, sizeof(kernel_sk), &sk))
		return false;
	return BPF_CORE_READ_BITFIELD_PROBED(kernel_sk, sk_kern_sock);
}

#endif /* RG_BPF_SENDER_H */
