// SPDX-License-Identifier: Apache-2.0
/*
 * Entry programs, assembled by hand: the same seven instructions with other constants.
 */
#include "bpf/entry.h"

#include <errno.h>
#include <stddef.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include "base/cleanup.h"
#include "base/err.h"

/* What each index is for: name of the entry program, verdict when there is no main program. */
static const struct {
	const char *name;
	int verdict;
} entries[RG_PROG_IDX_MAX] = {
	[RG_PROG_IDX_RAIL_TX] = {"rg_on_rail_tx", TC_ACT_SHOT},
	[RG_PROG_IDX_RAIL_RX] = {"rg_on_rail_rx", TC_ACT_UNSPEC},
	[RG_PROG_IDX_POD_TX] = {"rg_on_pod_tx", TC_ACT_SHOT},
	[RG_PROG_IDX_POD_RX] = {"rg_on_pod_rx", TC_ACT_UNSPEC},
};

int rg_entry_load(int progs_fd, enum rg_prog index, uint32_t slot, struct rg_err *err)
{
	const struct bpf_insn insns[] = {
		/* skb->cb[RG_CB_SLOT] = slot */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = (int)slot},
		{.code = BPF_STX | BPF_MEM | BPF_W,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_REG_2,
		 .off = offsetof(struct __sk_buff, cb[RG_CB_SLOT])},
		/* bpf_tail_call(skb, rg_progs, index) */
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_2,
		 .src_reg = BPF_PSEUDO_MAP_FD,
		 .imm = progs_fd},
		{.imm = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = (int)index},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_tail_call},
		/* only reached if there is none */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K,
		 .dst_reg = BPF_REG_0,
		 .imm = index < RG_PROG_IDX_MAX ? entries[index].verdict : TC_ACT_SHOT},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd;

	if (index >= RG_PROG_IDX_MAX)
		return rg_err_set(err, -EINVAL, "no main program has index %d", (int)index);
	fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, entries[index].name, "Dual BSD/GPL", insns,
			   ARRAY_SIZE(insns), NULL);
	if (fd < 0)
		return rg_err_errno(
			err, -errno,
			"cannot load the entry program of hook %u; it needs CAP_BPF and "
			"CAP_NET_ADMIN",
			slot);
	return fd;
}
