// SPDX-License-Identifier: Apache-2.0
/*
 * Entry programs, assembled by hand: the same few instructions with other constants.
 */
#include "bpf/entry.h"

#include <errno.h>
#include <stddef.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include "base/cleanup.h"
#include "base/err.h"

#define MAX_INSNS	20
#define MARK_WORDS	2
#define CB_MARK		(RG_CB_SLOT + 1) /* word of skb->cb with which the mark begins */
#define CB_OFFSET(word) ((short)(offsetof(struct __sk_buff, cb) + 4 * (size_t)(word)))

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

/**
 * struct code - a program being assembled
 * @insns: instructions
 * @n: number of @insns
 */
struct code {
	struct bpf_insn insns[MAX_INSNS];
	size_t n;
};

static void emit(struct code *code, struct bpf_insn insn)
{
	code->insns[code->n++] = insn;
}

static void emit_set(struct code *code, uint8_t reg, int32_t value)
{
	emit(code,
	     (struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = reg, .imm = value});
}

static void emit_return(struct code *code, int verdict)
{
	emit_set(code, BPF_REG_0, verdict);
	emit(code, (struct bpf_insn){.code = BPF_JMP | BPF_EXIT});
}

/* skb->cb[word] = value */
static void emit_cb(struct code *code, int word, uint32_t value)
{
	emit_set(code, BPF_REG_2, (int32_t)value);
	emit(code, (struct bpf_insn){.code = BPF_STX | BPF_MEM | BPF_W,
				     .dst_reg = BPF_REG_1,
				     .src_reg = BPF_REG_2,
				     .off = CB_OFFSET(word)});
}

/* If the mark is in skb->cb, return: to the next program of the chain. */
static void emit_skip(struct code *code, const struct rg_mark *mark)
{
	for (int i = 0; i < MARK_WORDS; i++) {
		emit(code, (struct bpf_insn){.code = BPF_LDX | BPF_MEM | BPF_W,
					     .dst_reg = BPF_REG_2,
					     .src_reg = BPF_REG_1,
					     .off = CB_OFFSET(CB_MARK + i)});
		/* past the other words' tests, two instructions each, and the return */
		emit(code, (struct bpf_insn){.code = BPF_JMP32 | BPF_JNE | BPF_K,
					     .dst_reg = BPF_REG_2,
					     .off = (short)(2 * (MARK_WORDS - 1 - i) + 2),
					     .imm = (int32_t)mark->word[i]});
	}
	emit_return(code, TC_ACT_UNSPEC);
}

static void emit_tail_call(struct code *code, int progs_fd, enum rg_prog index)
{
	emit(code, (struct bpf_insn){.code = BPF_LD | BPF_DW | BPF_IMM,
				     .dst_reg = BPF_REG_2,
				     .src_reg = BPF_PSEUDO_MAP_FD,
				     .imm = progs_fd});
	emit(code, (struct bpf_insn){.imm = 0});
	emit_set(code, BPF_REG_3, (int32_t)index);
	emit(code, (struct bpf_insn){.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_tail_call});
}

int rg_entry_load_marked(int progs_fd, enum rg_prog index, uint32_t slot,
			 const struct rg_mark *mark, struct rg_err *err)
{
	struct code code = {.n = 0};
	int fd;

	if (index >= RG_PROG_IDX_MAX)
		return rg_err_set(err, -EINVAL, "no main program has index %d", (int)index);
	if (mark->use == RG_MARK_SKIP)
		emit_skip(&code, mark);
	emit_cb(&code, RG_CB_SLOT, slot);
	for (int i = 0; mark->use == RG_MARK_SET && i < MARK_WORDS; i++)
		emit_cb(&code, CB_MARK + i, mark->word[i]);
	emit_tail_call(&code, progs_fd, index);
	/* only reached if there is no main program */
	emit_return(&code, entries[index].verdict);
	fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, entries[index].name, "Dual BSD/GPL", code.insns,
			   code.n, NULL);
	if (fd < 0)
		return rg_err_errno(
			err, -errno,
			"cannot load the entry program of hook %u; it needs CAP_BPF and "
			"CAP_NET_ADMIN",
			slot);
	return fd;
}

int rg_entry_load(int progs_fd, enum rg_prog index, uint32_t slot, struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};

	return rg_entry_load_marked(progs_fd, index, slot, &none, err);
}
