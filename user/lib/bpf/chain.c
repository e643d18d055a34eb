// SPDX-License-Identifier: Apache-2.0
/*
 * Who is on a device's TC hooks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>
#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/chain.h"
#include "bpf/pin.h"
#include "bpf/tcfilter.h"
#include "bpf/tcx.h"

#define MAX_MAPS 8 /* maps of a program that are looked at; an entry program has one */

static uint32_t progs_map_id(const char *pin_dir)
{
	struct bpf_map_info info = {0};
	_cleanup_close_ int fd = -EBADF;
	uint32_t len = sizeof(info);

	if (rg_pin_open(pin_dir, RG_PIN_KIND_MAP, RG_MAP_PROGS, &fd, NULL) < 0 ||
	    bpf_obj_get_info_by_fd(fd, &info, &len) < 0)
		return 0;
	return info.id;
}

/* Name of a program, and whether it uses the program array. */
static void look_at(uint32_t map_id, struct rg_chain_prog *p)
{
	_cleanup_close_ int fd = p->id ? bpf_prog_get_fd_by_id(p->id) : -EBADF;
	uint32_t ids[MAX_MAPS] = {0}, i;
	struct bpf_prog_info info = {
		.nr_map_ids = MAX_MAPS,
		.map_ids = (uintptr_t)ids,
	};
	uint32_t len = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len) < 0)
		return;
	(void)rg_str_copy(p->name, sizeof(p->name), info.name);
	for (i = 0; map_id && i < info.nr_map_ids && i < MAX_MAPS; i++)
		p->ours |= ids[i] == map_id;
}

static int add_tcx(int ifindex, bool egress, struct rg_chain_prog *progs, size_t *n)
{
	struct rg_tcx_chain chain;
	uint32_t i;
	int r;

	r = rg_tcx_query(ifindex, egress ? RG_BPF_TCX_EGRESS : RG_BPF_TCX_INGRESS, &chain);
	if (r == -EINVAL) /* a kernel without TCX */
		return 0;
	if (r < 0)
		return r;
	for (i = 0; i < chain.n; i++)
		progs[(*n)++] = (struct rg_chain_prog){.id = chain.prog_ids[i], .tcx = true};
	return 0;
}

static void add_filters(const struct rg_tcf *filters, size_t n_filters, struct rg_chain_prog *progs,
			size_t *n)
{
	size_t i;

	for (i = 0; i < n_filters; i++) {
		struct rg_chain_prog *p = &progs[(*n)++];

		*p = (struct rg_chain_prog){
			.id = filters[i].prog_id,
		};
		(void)rg_str_copy(p->name, sizeof(p->name), filters[i].kind);
	}
}

int rg_chain_list(const char *pin_dir, int ifindex, bool egress, struct rg_chain_prog **ret,
		  size_t *ret_n, struct rg_err *err)
{
	_cleanup_free_ struct rg_chain_prog *progs = NULL;
	_cleanup_free_ struct rg_tcf *filters = NULL;
	uint32_t map_id = progs_map_id(pin_dir);
	size_t n = 0, n_filters = 0, i;
	int r;

	r = rg_tcf_list(ifindex, egress, &filters, &n_filters);
	if (r == 0) {
		progs = calloc(RG_TCX_CHAIN_MAX + n_filters, sizeof(*progs));
		r = progs ? add_tcx(ifindex, egress, progs, &n) : -ENOMEM;
	}
	if (r < 0)
		return rg_err_errno(err, r, "cannot query the programs of device %d", ifindex);
	add_filters(filters, n_filters, progs, &n);
	for (i = 0; i < n; i++)
		look_at(map_id, &progs[i]);
	*ret = n ? TAKE_PTR(progs) : NULL;
	*ret_n = n;
	return 0;
}
