// SPDX-License-Identifier: Apache-2.0
/*
 * Theory of operation. A hook is what its pin says: a TCX link, or the entry program of a clsact
 * filter. From the pin follow the ids that are looked for in the chain of the device. So an agent
 * that starts finds the hooks of its predecessor without a record of its own, and a program that
 * is not behind one of our pins is never touched.
 *
 * A new hook goes to the head of the chain first, then its pin takes the place of the old pin in
 * one rename, which drops the old hook. In between a packet meets both. The new one marks it, and
 * the old one, which was told the mark before, lets marked packets pass: each is judged once.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <railgate/compat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/attach_internal.h"
#include "bpf/pin.h"
#include "bpf/pinset.h"
#include "bpf/tcfilter.h"
#include "bpf/tcx.h"

static void found_done(struct rg_hook_pin *f)
{
	rg_close_ptr(&f->fd);
}

bool rg_hook_is_egress(enum rg_prog prog)
{
	return prog == RG_PROG_IDX_RAIL_TX || prog == RG_PROG_IDX_POD_TX;
}

uint32_t rg_hook_attach_type(const struct rg_hook *hook)
{
	return rg_hook_is_egress(hook->prog) ? RG_BPF_TCX_EGRESS : RG_BPF_TCX_INGRESS;
}

static int find_pin(const struct rg_hook *hook, struct rg_hook_pin *ret, struct rg_err *err)
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

int rg_hook_pin_replace(const struct rg_hook *hook, int fd, struct rg_err *err)
{
	char dir[PATH_MAX];
	int r = rg_pin_version_dir(hook->pin_dir, dir, sizeof(dir));

	if (r < 0)
		return rg_err_set(err, r, "pin directory %s: path is too long", hook->pin_dir);
	return rg_pinset_pin(dir, rg_pin_kind_dir(RG_PIN_KIND_LINK), hook->name, fd, err);
}

int rg_hook_drop_filters(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			 struct rg_err *err)
{
	int r = rg_tcf_detach_prog(rg_hook_is_egress(hook->prog), pin->prog_id);

	return r < 0 ? rg_err_errno(err, r, "cannot remove the old filter of hook %s", hook->name)
		     : 0;
}

int rg_hook_new_mark(struct rg_mark *ret, struct rg_err *err)
{
	struct rg_mark mark = {.use = RG_MARK_SET};

	if (getrandom(mark.word, sizeof(mark.word), 0) != (ssize_t)sizeof(mark.word))
		return rg_err_errno(err, -errno, "cannot get random numbers");
	*ret = mark;
	return 0;
}

int rg_hook_attach(const struct rg_hook *hook, struct rg_err *err)
{
	_cleanup_(found_done) struct rg_hook_pin f = {.fd = -EBADF};
	int r;

	r = find_pin(hook, &f, err);
	if (r < 0)
		return r;
	return hook->tcx ? rg_hook_tcx_ensure(hook, &f, err) : rg_hook_clsact_ensure(hook, &f, err);
}

int rg_hook_query(const struct rg_hook *hook, struct rg_hook_state *ret, struct rg_err *err)
{
	_cleanup_(found_done) struct rg_hook_pin f = {.fd = -EBADF};
	struct rg_hook_state state = {0};
	int r;

	r = find_pin(hook, &f, err);
	if (r < 0)
		return r;
	r = hook->tcx ? rg_hook_tcx_query(hook, &f, &state)
		      : rg_hook_clsact_query(hook, &f, &state);
	if (r < 0)
		return rg_err_errno(err, r, "cannot query the programs of device %d",
				    hook->ifindex);
	*ret = state;
	return 0;
}

int rg_hook_detach(const struct rg_hook *hook, struct rg_err *err)
{
	_cleanup_(found_done) struct rg_hook_pin f = {.fd = -EBADF};
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
