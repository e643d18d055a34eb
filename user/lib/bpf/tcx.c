// SPDX-License-Identifier: Apache-2.0
/*
 * TCX links. The structures below are the parts of the kernel's union bpf_attr and struct
 * bpf_link_info that Linux 6.6 added.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/bpf.h>

#include <railgate/compat.h>

#include "base/cleanup.h"
#include "bpf/tcx.h"

/* attr.link_create with its tcx member */
struct link_create_attr {
	uint32_t prog_fd;
	uint32_t target_ifindex;
	uint32_t attach_type;
	uint32_t flags;
	uint32_t relative_fd;
	uint32_t pad;
	uint64_t expected_revision;
};

/* attr.query */
struct query_attr {
	uint32_t target_ifindex;
	uint32_t attach_type;
	uint32_t query_flags;
	uint32_t attach_flags;
	uint64_t prog_ids;
	uint32_t count;
	uint32_t pad;
	uint64_t prog_attach_flags;
	uint64_t link_ids;
	uint64_t link_attach_flags;
	uint64_t revision;
};

/* attr.info */
struct info_attr {
	uint32_t fd;
	uint32_t len;
	uint64_t info;
};

/* struct bpf_link_info with its tcx member */
struct link_info {
	uint32_t type;
	uint32_t id;
	uint32_t prog_id;
	uint32_t pad;
	uint32_t ifindex;
	uint32_t attach_type;
};

_Static_assert(offsetof(struct link_create_attr, expected_revision) == 24, "bpf_attr layout");
_Static_assert(offsetof(struct query_attr, revision) == 56, "bpf_attr layout");
_Static_assert(offsetof(struct link_info, ifindex) == 16, "bpf_link_info layout");

static int sys_bpf(int cmd, void *attr, size_t size)
{
	long r = syscall(SYS_bpf, cmd, attr, size);

	return r < 0 ? -errno : (int)r;
}

int rg_tcx_attach(int ifindex, uint32_t attach_type, int prog_fd, int *ret_fd)
{
	struct link_create_attr attr = {
		.prog_fd = (uint32_t)prog_fd,
		.target_ifindex = (uint32_t)ifindex,
		.attach_type = attach_type,
		.flags = RG_BPF_F_BEFORE,
	};
	int fd = sys_bpf(BPF_LINK_CREATE, &attr, sizeof(attr));

	if (fd < 0)
		return fd;
	*ret_fd = fd;
	return 0;
}

int rg_tcx_query(int ifindex, uint32_t attach_type, struct rg_tcx_chain *ret)
{
	struct rg_tcx_chain chain = {0};
	struct query_attr attr = {
		.target_ifindex = (uint32_t)ifindex,
		.attach_type = attach_type,
		.prog_ids = (uintptr_t)chain.prog_ids,
		.link_ids = (uintptr_t)chain.link_ids,
		.count = RG_TCX_CHAIN_MAX,
	};
	int r = sys_bpf(BPF_PROG_QUERY, &attr, sizeof(attr));

	if (r < 0)
		return r;
	chain.n = attr.count;
	chain.revision = attr.revision;
	*ret = chain;
	return 0;
}

int rg_tcx_link_info(int fd, struct rg_tcx_link *ret)
{
	struct link_info info = {0};
	struct info_attr attr = {
		.fd = (uint32_t)fd,
		.len = sizeof(info),
		.info = (uintptr_t)&info,
	};
	int r = sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));

	if (r < 0)
		return r;
	/* a pinned program answers as well, with its own type in the same place */
	if (info.type != RG_BPF_LINK_TYPE_TCX)
		return -EINVAL;
	*ret = (struct rg_tcx_link){
		.id = info.id,
		.prog_id = info.prog_id,
		.ifindex = info.ifindex,
		.attach_type = info.attach_type,
	};
	return 0;
}
