// SPDX-License-Identifier: Apache-2.0
/*
 * Theory of operation. A hook is what its pin says: a TCX link, or the entry program of a clsact
 * filter. From the pin follow the ids that are looked for in the chain of the device. So an agent
 * that starts finds the hooks of its predecessor without a record of its own, and a program that
 * is not behind one of our pins is never touched.
 *
 * A new hook goes to the head of the chain first, then its pin takes the place of the old pin in
 * one rename, which drops the old hook. For a moment a packet passes both and is counted twice;
 * the other way round it would pass neither.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/entry.h"
#include "bpf/pin.h"
#include "bpf/tcfilter.h"
#include "bpf/tcx.h"

/**
 * struct found - what the pin leads to
 * @fd: link or program, negative without a pin
 * @is_link: TCX link, or else a program
 * @link: the link
 * @prog_id: the program
 */
struct found {
	int fd;
	bool is_link;
	struct rg_tcx_link link;
	uint32_t prog_id;
};

static void found_done(struct found *f)
{
	rg_close_ptr(&f->fd);
}

bool rg_hook_is_egress(enum rg_prog prog)
{
	return prog == RG_PROG_IDX_RAIL_TX || prog == RG_PROG_IDX_POD_TX;
}

static uint32_t attach_type(const struct rg_hook *hook)
{
	return rg_hook_is_egress(hook->prog) ? RG_BPF_TCX_EGRESS : RG_BPF_TCX_INGRESS;
}

static int find_pin(const struct rg_hook *hook, struct found *ret, struct rg_err *err)
{
	struct bpf_prog_info info = {0};
	uint32_t len = sizeof(info);
	char path[PATH_MAX];
	int r;

	r = rg_pin_path(hook->pin_dir, RG_PIN_KIND_LINK, hook->name, path, sizeof(path));
	if (r == 0)
		r = rg_pin_open_path(path, &ret->fd);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return rg_err_errno(err, r, "cannot open pin %s", path);
	if (rg_tcx_link_info(ret->fd, &ret->link) == 0) {
		ret->is_link = true;
		return 0;
	}
	if (bpf_obj_get_info_by_fd(ret->fd, &info, &len) < 0)
		return rg_err_errno(err, -errno, "cannot query pin %s", path);
	ret->prog_id = info.id;
	return 0;
}

/* Put a pin in the place of the one that is there, if any, in one step. */
static int pin_replace(const struct rg_hook *hook, int fd, struct rg_err *err)
{
	char path[PATH_MAX], new[PATH_MAX];
	int r;

	r = rg_pin_path(hook->pin_dir, RG_PIN_KIND_LINK, hook->name, path, sizeof(path));
	if (r == 0)
		r = rg_str_format(new, sizeof(new), "%s-new", path);
	if (r < 0)
		return rg_err_set(err, r, "pin of hook %s: path is too long", hook->name);
	(void)unlink(new);
	if (bpf_obj_pin(fd, new) < 0)
		return rg_err_errno(err, -errno, "cannot pin %s", new);
	if (rename(new, path) < 0) {
		r = -errno;
		(void)unlink(new);
		return rg_err_errno(err, r, "cannot pin %s", path);
	}
	return 0;
}

static int chain_find(const struct rg_tcx_chain *chain, uint32_t link_id)
{
	for (uint32_t i = 0; i < chain->n; i++)
		if (chain->link_ids[i] == link_id)
			return (int)i;
	return -ENOENT;
}

static bool link_fits(const struct rg_hook *hook, const struct found *f)
{
	return f->fd >= 0 && f->is_link && f->link.ifindex == (uint32_t)hook->ifindex &&
	       f->link.attach_type == attach_type(hook);
}

static int tcx_create(const struct rg_hook *hook, struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load(hook->progs_fd, hook->prog, hook->slot, err);
	_cleanup_close_ int link = -EBADF;
	int r;

	if (prog < 0)
		return prog;
	r = rg_tcx_attach(hook->ifindex, attach_type(hook), prog, &link);
	if (r < 0)
		return rg_err_errno(err, r, "cannot attach hook %s to device %d", hook->name,
				    hook->ifindex);
	return pin_replace(hook, link, err);
}

static int tcx_refresh(const struct rg_hook *hook, const struct found *f, struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load(hook->progs_fd, hook->prog, hook->slot, err);

	if (prog < 0)
		return prog;
	if (bpf_link_update(f->fd, prog, NULL) < 0)
		return rg_err_errno(err, -errno, "cannot update the program of hook %s",
				    hook->name);
	return RG_HOOK_REFRESHED;
}

/* A filter outlives its pin, unlike a link: the predecessor's has to be removed. */
static int drop_filters(const struct rg_hook *hook, const struct found *f, struct rg_err *err)
{
	int r = rg_tcf_detach_prog(rg_hook_is_egress(hook->prog), f->prog_id);

	return r < 0 ? rg_err_errno(err, r, "cannot remove the old filter of hook %s", hook->name)
		     : 0;
}

static int tcx_ensure(const struct rg_hook *hook, const struct found *f, struct rg_err *err)
{
	enum rg_hook_change change = f->fd < 0 ? RG_HOOK_ATTACHED : RG_HOOK_RENEWED;
	struct rg_tcx_chain chain;
	int r;

	if (link_fits(hook, f)) {
		r = rg_tcx_query(hook->ifindex, attach_type(hook), &chain);
		if (r < 0)
			return rg_err_errno(err, r, "cannot query the programs of device %d",
					    hook->ifindex);
		r = chain_find(&chain, f->link.id);
		if (r == 0)
			return hook->refresh ? tcx_refresh(hook, f, err) : RG_HOOK_KEPT;
		change = r > 0 ? RG_HOOK_RESTORED : RG_HOOK_REPAIRED;
	}
	r = tcx_create(hook, err);
	if (r == 0 && f->fd >= 0 && !f->is_link)
		r = drop_filters(hook, f, err);
	return r < 0 ? r : (int)change;
}

/* Index of our filter in the order of running, or -ENOENT. */
static int filters_find(const struct rg_tcf *filters, size_t n, const struct found *f)
{
	if (f->fd < 0 || f->is_link)
		return -ENOENT;
	for (size_t i = 0; i < n; i++)
		if (filters[i].prog_id == f->prog_id)
			return (int)i;
	return -ENOENT;
}

static int clsact_create(const struct rg_hook *hook, uint32_t handle, struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load(hook->progs_fd, hook->prog, hook->slot, err);
	int r;

	if (prog < 0)
		return prog;
	r = rg_tcf_attach(hook->ifindex, rg_hook_is_egress(hook->prog), prog, handle);
	if (r < 0)
		return rg_err_errno(err, r, "cannot attach clsact filter %s to device %d",
				    hook->name, hook->ifindex);
	return pin_replace(hook, prog, err);
}

static int clsact_ensure(const struct rg_hook *hook, const struct found *f, struct rg_err *err)
{
	bool egress = rg_hook_is_egress(hook->prog);
	_cleanup_free_ struct rg_tcf *filters = NULL;
	uint32_t handle = RG_TCF_HANDLE;
	enum rg_hook_change change;
	size_t n;
	int r, at;

	r = rg_tcf_list(hook->ifindex, egress, &filters, &n);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list the filters of device %d", hook->ifindex);
	at = filters_find(filters, n, f);
	if (at == 0 && !hook->refresh)
		return RG_HOOK_KEPT;
	if (at < 0)
		change = f->fd < 0    ? RG_HOOK_ATTACHED
			 : f->is_link ? RG_HOOK_RENEWED
				      : RG_HOOK_REPAIRED;
	else
		change = at ? RG_HOOK_RESTORED : RG_HOOK_REFRESHED;
	/* the newest filter of a priority runs first: ours comes back under the other handle */
	if (at > 0)
		handle = filters[at].handle == RG_TCF_HANDLE ? RG_TCF_HANDLE + 1 : RG_TCF_HANDLE;
	else if (at == 0)
		handle = filters[at].handle;
	r = clsact_create(hook, handle, err);
	/* replacing a filter under its handle has removed it already */
	if (r == 0 && at != 0 && f->fd >= 0 && !f->is_link)
		r = drop_filters(hook, f, err);
	return r < 0 ? r : (int)change;
}

int rg_hook_attach(const struct rg_hook *hook, struct rg_err *err)
{
	_cleanup_(found_done) struct found f = {.fd = -EBADF};
	int r;

	r = find_pin(hook, &f, err);
	if (r < 0)
		return r;
	return hook->tcx ? tcx_ensure(hook, &f, err) : clsact_ensure(hook, &f, err);
}

static int query_tcx(const struct rg_hook *hook, const struct found *f, struct rg_hook_state *ret)
{
	struct rg_tcx_chain chain;
	int r;

	r = rg_tcx_query(hook->ifindex, attach_type(hook), &chain);
	if (r < 0)
		return r;
	r = link_fits(hook, f) ? chain_find(&chain, f->link.id) : -ENOENT;
	if (r < 0)
		return 0;
	ret->attached = true;
	ret->position = (uint32_t)r;
	ret->behind = chain.n - (uint32_t)r - 1;
	return 0;
}

static int query_clsact(const struct rg_hook *hook, const struct found *f,
			struct rg_hook_state *ret)
{
	_cleanup_free_ struct rg_tcf *filters = NULL;
	struct rg_tcx_chain chain = {.n = 0};
	size_t n;
	int r;

	r = rg_tcf_list(hook->ifindex, rg_hook_is_egress(hook->prog), &filters, &n);
	if (r < 0)
		return r;
	r = filters_find(filters, n, f);
	if (r < 0)
		return 0;
	/* TCX programs, where the kernel has them, run before all filters */
	(void)rg_tcx_query(hook->ifindex, attach_type(hook), &chain);
	ret->attached = true;
	ret->position = (uint32_t)r + chain.n;
	ret->behind = (uint32_t)n - (uint32_t)r - 1;
	return 0;
}

int rg_hook_query(const struct rg_hook *hook, struct rg_hook_state *ret, struct rg_err *err)
{
	_cleanup_(found_done) struct found f = {.fd = -EBADF};
	struct rg_hook_state state = {0};
	int r;

	r = find_pin(hook, &f, err);
	if (r < 0)
		return r;
	r = hook->tcx ? query_tcx(hook, &f, &state) : query_clsact(hook, &f, &state);
	if (r < 0)
		return rg_err_errno(err, r, "cannot query the programs of device %d",
				    hook->ifindex);
	*ret = state;
	return 0;
}

int rg_hook_detach(const struct rg_hook *hook, struct rg_err *err)
{
	_cleanup_(found_done) struct found f = {.fd = -EBADF};
	int r;

	r = find_pin(hook, &f, err);
	if (r < 0 || f.fd < 0)
		return r;
	if (f.is_link)
		r = bpf_link_detach(f.fd) < 0 && errno != ENOLINK ? -errno : 0;
	else
		r = rg_tcf_detach_prog(rg_hook_is_egress(hook->prog), f.prog_id);
	if (r < 0)
		return rg_err_errno(err, r, "cannot detach hook %s", hook->name);
	r = rg_pin_remove(hook->pin_dir, RG_PIN_KIND_LINK, hook->name);
	return r < 0 ? rg_err_errno(err, r, "cannot remove the pin of hook %s", hook->name) : 0;
}

int rg_hook_device(const char *pin_dir, const char *name, uint32_t *ret_ifindex)
{
	_cleanup_close_ int fd = -EBADF;
	struct rg_tcx_link link;
	char path[PATH_MAX];
	int r;

	r = rg_pin_path(pin_dir, RG_PIN_KIND_LINK, name, path, sizeof(path));
	if (r == 0)
		r = rg_pin_open_path(path, &fd);
	if (r == 0)
		r = rg_tcx_link_info(fd, &link);
	if (r == 0)
		*ret_ifindex = link.ifindex;
	return r;
}
