// SPDX-License-Identifier: Apache-2.0
/*
 * Probing. Version numbers say little about distribution kernels, so each feature is tried.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/probe.h"
#include "bpf/tcx.h"

#define LOOPBACK_IFINDEX 1 /* in every network namespace */

int rg_probe_tcx(struct rg_err *err)
{
	struct rg_tcx_chain chain;
	int r;

	if (rg_str_equal(getenv(RG_FORCE_CLSACT_ENV), "1"))
		return 0;
	r = rg_tcx_query(LOOPBACK_IFINDEX, RG_BPF_TCX_EGRESS, &chain);
	if (r == -EINVAL)
		return 0;
	if (r < 0)
		return rg_err_errno(err, r,
				    "cannot ask the kernel about TCX (needs CAP_NET_ADMIN)");
	return 1;
}

bool rg_probe_btf(void)
{
	return access("/sys/kernel/btf/vmlinux", R_OK) == 0;
}

int rg_probe_jit(void)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct bpf_prog_info info = {0};
	_cleanup_close_ int fd = -EBADF;
	uint32_t len = sizeof(info);

	fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "rg_probe", "Dual BSD/GPL", insns,
			   ARRAY_SIZE(insns), NULL);
	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len) < 0)
		return -errno;
	return info.jited_prog_len > 0;
}

static const struct {
	enum bpf_map_type type;
	const char *name;
	const char *since;
} map_types[] = {
	{BPF_MAP_TYPE_LPM_TRIE, "LPM tries", "4.11"},
	{BPF_MAP_TYPE_PERCPU_ARRAY, "per-CPU arrays", "4.6"},
	{BPF_MAP_TYPE_PROG_ARRAY, "program arrays", "4.2"},
	{BPF_MAP_TYPE_ARRAY_OF_MAPS, "arrays of maps", "4.12"},
	{BPF_MAP_TYPE_RINGBUF, "ring buffers", "5.8"},
};

int rg_probe_kernel(struct rg_err *err)
{
	int r = libbpf_probe_bpf_prog_type(BPF_PROG_TYPE_SCHED_CLS, NULL);

	if (r == 0)
		return rg_err_set(err, -EOPNOTSUPP,
				  "the kernel or this process may not load BPF traffic control "
				  "programs: CONFIG_NET_CLS_BPF, CAP_BPF and CAP_NET_ADMIN are "
				  "needed");
	if (r < 0)
		return rg_err_errno(err, r, "cannot ask the kernel about BPF programs");
	for (size_t i = 0; i < ARRAY_SIZE(map_types); i++) {
		r = libbpf_probe_bpf_map_type(map_types[i].type, NULL);
		if (r == 0)
			return rg_err_set(err, -EOPNOTSUPP,
					  "the kernel has no BPF %s; Linux %s and later has",
					  map_types[i].name, map_types[i].since);
		if (r < 0)
			return rg_err_errno(err, r, "cannot ask the kernel about BPF %s",
					    map_types[i].name);
	}
	return 0;
}
