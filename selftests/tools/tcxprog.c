// SPDX-License-Identifier: Apache-2.0
/*
 * A foreign program on a device's TCX chain, as other products attach theirs.
 *
 * tcxprog attach IFNAME ingress|egress head|tail VERDICT PIN: attach a program that counts packets
 * and returns VERDICT (-1 next, 0 pass, 2 drop); pin its link as PIN and its counter as PIN_count.
 * tcxprog pin VERDICT PIN: only pin such a program, for tc(8), and its counter.
 * tcxprog count PIN: print the packets that it saw.
 * tcxprog list IFNAME ingress|egress: names of the programs on the chain, in their order.
 */
#include <errno.h>
#include <net/if.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/tcx.h"

#define F_AFTER (1U << 4) /* BPF_F_AFTER */

struct link_create {
	uint32_t prog_fd;
	uint32_t target_ifindex;
	uint32_t attach_type;
	uint32_t flags;
	uint32_t relative_fd;
	uint32_t pad;
	uint64_t expected_revision;
};

static int load(int map_fd, int verdict)
{
	const struct bpf_insn insns[] = {
		/* key 0 on the stack */
		{.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = BPF_REG_10, .off = -4},
		{.code = BPF_LD | BPF_DW | BPF_IMM,
		 .dst_reg = BPF_REG_1,
		 .src_reg = BPF_PSEUDO_MAP_FD,
		 .imm = map_fd},
		{.imm = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2, .imm = -4},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem},
		{.code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 2},
		/* *value += 1, atomically */
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1, .imm = 1},
		{.code = BPF_STX | BPF_ATOMIC | BPF_DW,
		 .dst_reg = BPF_REG_0,
		 .src_reg = BPF_REG_1,
		 .imm = BPF_ADD},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = verdict},
		{.code = BPF_JMP | BPF_EXIT},
	};

	return bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "foreign", "GPL", insns, ARRAY_SIZE(insns),
			     NULL);
}

static uint32_t attach_type(const char *direction)
{
	return rg_str_equal(direction, "egress") ? RG_BPF_TCX_EGRESS : RG_BPF_TCX_INGRESS;
}

static int attach(const char *ifname, const char *direction, const char *place, int verdict,
		  const char *pin)
{
	_cleanup_close_ int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "foreign", 4, 8, 1, NULL);
	_cleanup_close_ int prog = map < 0 ? -EBADF : load(map, verdict);
	_cleanup_close_ int link = -EBADF;
	struct link_create attr = {
		.prog_fd = (uint32_t)prog,
		.target_ifindex = if_nametoindex(ifname),
		.attach_type = attach_type(direction),
		.flags = rg_str_equal(place, "head") ? RG_BPF_F_BEFORE : F_AFTER,
	};
	char map_pin[256];

	if (prog < 0 || rg_str_format(map_pin, sizeof(map_pin), "%s_count", pin) < 0)
		return -errno;
	link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	if (link < 0 || bpf_obj_pin(map, map_pin) < 0 || bpf_obj_pin(link, pin) < 0)
		return -errno;
	return 0;
}

static int pin_program(int verdict, const char *pin)
{
	_cleanup_close_ int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "foreign", 4, 8, 1, NULL);
	_cleanup_close_ int prog = map < 0 ? -EBADF : load(map, verdict);
	char path[256];

	if (prog < 0 || rg_str_format(path, sizeof(path), "%s_count", pin) < 0)
		return -errno;
	return bpf_obj_pin(map, path) < 0 || bpf_obj_pin(prog, pin) < 0 ? -errno : 0;
}

static int count(const char *pin)
{
	uint32_t zero = 0;
	uint64_t value;
	char path[256];
	int fd;

	if (rg_str_format(path, sizeof(path), "%s_count", pin) < 0)
		return -ENAMETOOLONG;
	fd = bpf_obj_get(path);
	if (fd < 0 || bpf_map_lookup_elem(fd, &zero, &value) < 0)
		return -errno;
	(void)close(fd);
	(void)printf("%llu\n", (unsigned long long)value);
	return 0;
}

static int list(const char *ifname, const char *direction)
{
	struct rg_tcx_chain chain;
	int r = rg_tcx_query((int)if_nametoindex(ifname), attach_type(direction), &chain);

	for (uint32_t i = 0; r == 0 && i < chain.n; i++) {
		_cleanup_close_ int fd = bpf_prog_get_fd_by_id(chain.prog_ids[i]);
		struct bpf_prog_info info = {0};
		uint32_t len = sizeof(info);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &len) == 0)
			(void)puts(info.name);
	}
	return r;
}

int main(int argc, char **argv)
{
	int r = -EINVAL;

	if (argc == 7 && rg_str_equal(argv[1], "attach"))
		r = attach(argv[2], argv[3], argv[4], (int)strtol(argv[5], NULL, 10), argv[6]);
	else if (argc == 3 && rg_str_equal(argv[1], "count"))
		r = count(argv[2]);
	else if (argc == 4 && rg_str_equal(argv[1], "pin"))
		r = pin_program((int)strtol(argv[2], NULL, 10), argv[3]);
	else if (argc == 4 && rg_str_equal(argv[1], "list"))
		r = list(argv[2], argv[3]);
	if (r < 0)
		(void)fprintf(stderr, "tcxprog: %s\n", strerror(-r));
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
