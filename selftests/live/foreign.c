// SPDX-License-Identifier: Apache-2.0
/*
 * Foreign programs: each counts what it sees, in a map of its own, then does what it is there for.
 */
#include "foreign.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <railgate/compat.h>

#include "base/cleanup.h"
#include "bpf/tap.h"
#include "bpf/tcx.h"

#define FILTER_PRIO 10
#define FIRST_PRIO  1

#define MAX_BODY    8

#define MOV_IMM(dst, value)                                                           \
	{                                                                             \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (value) \
	}
#define MOV_REG(dst, src)                                                               \
	{                                                                               \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (dst), .src_reg = (src) \
	}
#define CALL(func)                                        \
	{                                                 \
		.code = BPF_JMP | BPF_CALL, .imm = (func) \
	}
#define EXIT                               \
	{                                  \
		.code = BPF_JMP | BPF_EXIT \
	}

/* Counts the packet, which register 6 holds afterwards, then goes on with the body. */
static int load_body(int map, const struct bpf_insn *body, size_t n)
{
	const struct bpf_insn head[] = {
		MOV_REG(BPF_REG_6, BPF_REG_1),
		{.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = BPF_REG_10, .off = -4},
		MOV_REG(BPF_REG_2, BPF_REG_10),
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2, .imm = -4},
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_FD,
		 .imm = map},
		{.imm = 0},
		CALL(BPF_FUNC_map_lookup_elem),
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 2},
		MOV_IMM(BPF_REG_1, 1),
		{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
		 .dst_reg = BPF_REG_0,
		 .src_reg = BPF_REG_1,
		 .imm = BPF_ADD},
	};
	struct bpf_insn insns[ARRAY_SIZE(head) + MAX_BODY];
	int fd;

	memcpy(insns, head, sizeof(head));
	memcpy(insns + ARRAY_SIZE(head), body, n * sizeof(*body));
	fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "foreign", "GPL", insns, ARRAY_SIZE(head) + n,
			   NULL);
	if (fd < 0)
		tap_bail("cannot load a foreign program: %s", strerror(errno));
	return fd;
}

static int load(int map, enum foreign_kind kind, int arg)
{
	const struct bpf_insn returns[] = {MOV_IMM(BPF_REG_0, arg), EXIT};
	const struct bpf_insn tags[] = {
		MOV_REG(BPF_REG_1, BPF_REG_6),	  MOV_IMM(BPF_REG_2, htons(ETH_P_8021Q)),
		MOV_IMM(BPF_REG_3, arg),	  CALL(BPF_FUNC_skb_vlan_push),
		MOV_IMM(BPF_REG_0, FOREIGN_NEXT), EXIT,
	};
	const struct bpf_insn redirects[] = {
		MOV_IMM(BPF_REG_1, arg),
		MOV_IMM(BPF_REG_2, 0),
		CALL(BPF_FUNC_redirect),
		EXIT,
	};

	switch (kind) {
	case FOREIGN_VLAN:
		return load_body(map, tags, ARRAY_SIZE(tags));
	case FOREIGN_REDIRECT:
		return load_body(map, redirects, ARRAY_SIZE(redirects));
	default:
		return load_body(map, returns, ARRAY_SIZE(returns));
	}
}

static void filter(struct foreign *f, bool attach)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = f->dev->ifindex,
		    .attach_point = f->egress ? BPF_TC_EGRESS : BPF_TC_INGRESS);
	LIBBPF_OPTS(bpf_tc_opts, opts, .handle = 1,
		    .priority = f->place == FOREIGN_FILTER ? FILTER_PRIO : FIRST_PRIO);
	int r = 0;

	if (attach) {
		opts.prog_fd = f->prog;
		r = bpf_tc_hook_create(&hook);
		if (!r || r == -EEXIST)
			r = bpf_tc_attach(&hook, &opts);
	} else {
		r = bpf_tc_detach(&hook, &opts);
	}
	if (r < 0)
		tap_bail("foreign filter: %s", strerror(-r));
}

void foreign_attach(struct foreign *f, const struct netdev *dev, bool egress,
		    enum foreign_place place, enum foreign_kind kind, int arg)
{
	enum bpf_attach_type type = egress ? RG_BPF_TCX_EGRESS : RG_BPF_TCX_INGRESS;
	int r = 0;

	*f = (struct foreign){.link = -EBADF, .dev = dev, .egress = egress, .place = place};
	f->map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "foreign", 4, 8, 1, NULL);
	if (f->map < 0)
		tap_bail("cannot make a map: %s", strerror(errno));
	f->prog = load(f->map, kind, arg);
	world_enter(dev->ns);
	switch (place) {
	case FOREIGN_FRONT:
		r = rg_tcx_attach(dev->ifindex, type, f->prog, &f->link);
		break;
	case FOREIGN_TAIL:
		f->link = bpf_link_create(f->prog, dev->ifindex, type, NULL);
		r = f->link < 0 ? -errno : 0;
		break;
	default:
		filter(f, true);
	}
	if (r < 0)
		tap_bail("cannot attach a foreign program: %s", strerror(-r));
}

void foreign_replace(struct foreign *f, enum foreign_kind kind, int arg)
{
	int old = f->prog;

	f->prog = load(f->map, kind, arg);
	rg_close_ptr(&old);
	if (bpf_link_update(f->link, f->prog, NULL) < 0)
		tap_bail("cannot replace a foreign program: %s", strerror(errno));
}

uint64_t foreign_count(const struct foreign *f)
{
	const uint32_t zero = 0;
	uint64_t n;

	if (bpf_map_lookup_elem(f->map, &zero, &n) < 0)
		tap_bail("cannot read a foreign counter: %s", strerror(errno));
	return n;
}

void foreign_detach(struct foreign *f)
{
	world_enter(f->dev->ns);
	if (f->link < 0)
		filter(f, false);
	rg_close_ptr(&f->link);
	rg_close_ptr(&f->prog);
	rg_close_ptr(&f->map);
}
