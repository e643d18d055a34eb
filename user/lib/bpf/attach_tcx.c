// SPDX-License-Identifier: Apache-2.0
/*
 * Hooks that are TCX links.
 */
#include <errno.h>
#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/attach_internal.h"

static int chain_find(const struct rg_tcx_chain *chain, uint32_t link_id)
{
	for (uint32_t i = 0; i < chain->n; i++)
		if (chain->link_ids[i] == link_id)
			return (int)i;
	return -ENOENT;
}

static bool link_fits(const struct rg_hook *hook, const struct rg_hook_pin *pin)
{
	return pin->fd >= 0 && pin->is_link && pin->link.ifindex == (uint32_t)hook->ifindex &&
	       pin->link.attach_type == rg_hook_attach_type(hook);
}

/* Give a link another entry program, in one step. */
static int set_entry(const struct rg_hook *hook, int link, const struct rg_mark *mark,
		     struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load_marked(hook->progs_fd, hook->prog, hook->slot,
							mark, err);

	if (prog < 0)
		return prog;
	if (bpf_link_update(link, prog, NULL) < 0)
		return rg_err_errno(err, -errno, "cannot update the program of hook %s",
				    hook->name);
	return 0;
}

static int create(const struct rg_hook *hook, const struct rg_mark *mark, int *ret_link,
		  struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load_marked(hook->progs_fd, hook->prog, hook->slot,
							mark, err);
	_cleanup_close_ int link = -EBADF;
	int r;

	if (prog < 0)
		return prog;
	r = rg_tcx_attach(hook->ifindex, rg_hook_attach_type(hook), prog, &link);
	if (r < 0)
		return rg_err_errno(err, r, "cannot attach hook %s to device %d", hook->name,
				    hook->ifindex);
	r = rg_hook_pin_replace(hook, link, err);
	if (r == 0)
		*ret_link = TAKE_FD(link);
	return r;
}

static int attach_new(const struct rg_hook *hook, struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	_cleanup_close_ int link = -EBADF;

	return create(hook, &none, &link, err);
}

/* The link cannot be moved within the chain: a new one at its head takes over. */
static int take_over(const struct rg_hook *hook, const struct rg_hook_pin *pin, struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	struct rg_mark set, skip;
	_cleanup_close_ int link = -EBADF;
	int r;

	r = rg_hook_new_mark(&set, err);
	skip = set;
	skip.use = RG_MARK_SKIP;
	if (r == 0)
		r = set_entry(hook, pin->fd, &skip, err);
	if (r == 0)
		r = create(hook, &set, &link, err);
	if (r < 0)
		return r;
	/* without its pin it would go as well, but only some time later */
	if (bpf_link_detach(pin->fd) < 0)
		return rg_err_errno(err, -errno, "cannot detach the old link of hook %s",
				    hook->name);
	return set_entry(hook, link, &none, err);
}

int rg_hook_tcx_ensure(const struct rg_hook *hook, const struct rg_hook_pin *pin,
		       struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	enum rg_hook_change change = pin->fd < 0 ? RG_HOOK_ATTACHED : RG_HOOK_RENEWED;
	struct rg_tcx_chain chain;
	int r, at = -ENOENT;

	if (link_fits(hook, pin)) {
		r = rg_tcx_query(hook->ifindex, rg_hook_attach_type(hook), &chain);
		if (r < 0)
			return rg_err_errno(err, r, "cannot query the programs of device %d",
					    hook->ifindex);
		at = chain_find(&chain, pin->link.id);
		change = at > 0 ? RG_HOOK_RESTORED : RG_HOOK_REPAIRED;
	}
	if (at == 0) {
		r = hook->refresh ? set_entry(hook, pin->fd, &none, err) : 0;
		change = hook->refresh ? RG_HOOK_REFRESHED : RG_HOOK_KEPT;
	} else {
		r = at > 0 ? take_over(hook, pin, err) : attach_new(hook, err);
	}
	if (r == 0 && pin->fd >= 0 && !pin->is_link)
		r = rg_hook_drop_filters(hook, pin, err);
	return r < 0 ? r : (int)change;
}

int rg_hook_tcx_query(const struct rg_hook *hook, const struct rg_hook_pin *pin,
		      struct rg_hook_state *ret)
{
	struct rg_tcx_chain chain;
	int r;

	r = rg_tcx_query(hook->ifindex, rg_hook_attach_type(hook), &chain);
	if (r < 0)
		return r;
	r = link_fits(hook, pin) ? chain_find(&chain, pin->link.id) : -ENOENT;
	if (r < 0)
		return 0;
	ret->attached = true;
	ret->position = (uint32_t)r;
	ret->behind = chain.n - (uint32_t)r - 1;
	return 0;
}
