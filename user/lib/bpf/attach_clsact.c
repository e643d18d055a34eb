// SPDX-License-Identifier: Apache-2.0
/*
 * Hooks that are clsact filters.
 */
#include <errno.h>
#include <linux/if_ether.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/attach_internal.h"
#include "bpf/tcfilter.h"

/* Index of our filter in the order of running, or -ENOENT. */
static int filters_find(const struct rg_tcf *filters, size_t n, const struct rg_hook_pin *pin)
{
	if (pin->fd < 0 || pin->is_link)
		return -ENOENT;
	for (size_t i = 0; i < n; i++)
		if (filters[i].prog_id == pin->prog_id)
			return (int)i;
	return -ENOENT;
}

/* Whether a filter of ours can come before all others: rg_tcf_attach() tries priority 1 first. */
static bool can_lead(const struct rg_tcf *first)
{
	return first->prio > 1 ||
	       (rg_str_equal(first->kind, "bpf") && first->protocol == ETH_P_ALL);
}

static int put_filter(const struct rg_hook *hook, uint32_t handle, const struct rg_mark *mark,
		      int *ret_prog, struct rg_err *err)
{
	_cleanup_close_ int prog = rg_entry_load_marked(hook->progs_fd, hook->prog, hook->slot,
							mark, err);
	int r;

	if (prog < 0)
		return prog;
	r = rg_tcf_attach(hook->ifindex, rg_hook_is_egress(hook->prog), prog, handle);
	if (r < 0)
		return rg_err_errno(err, r, "cannot attach clsact filter %s to device %d",
				    hook->name, hook->ifindex);
	*ret_prog = TAKE_FD(prog);
	return 0;
}

/* The filter under @handle, new or in the place of the one that is there, and its pin. */
static int put_pinned(const struct rg_hook *hook, uint32_t handle, const struct rg_mark *mark,
		      struct rg_err *err)
{
	_cleanup_close_ int prog = -EBADF;
	int r = put_filter(hook, handle, mark, &prog, err);

	return r < 0 ? r : rg_hook_pin_replace(hook, prog, err);
}

/* The newest filter of a priority runs first: ours comes again, under the other handle. */
static int take_over(const struct rg_hook *hook, const struct rg_tcf *old, struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	uint32_t handle = old->handle == RG_TCF_HANDLE ? RG_TCF_HANDLE + 1 : RG_TCF_HANDLE;
	_cleanup_close_ int prog = -EBADF;
	struct rg_mark set, skip;
	int r;

	r = rg_hook_new_mark(&set, err);
	skip = set;
	skip.use = RG_MARK_SKIP;
	if (r == 0)
		r = put_filter(hook, old->handle, &skip, &prog, err);
	if (r == 0)
		r = put_pinned(hook, handle, &set, err);
	if (r < 0)
		return r;
	r = rg_tcf_detach(hook->ifindex, rg_hook_is_egress(hook->prog), old);
	if (r < 0)
		return rg_err_errno(err, r, "cannot remove the old filter of hook %s", hook->name);
	return put_pinned(hook, handle, &none, err);
}

static int attach_new(const struct rg_hook *hook, const struct rg_hook_pin *pin, struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	int r = put_pinned(hook, RG_TCF_HANDLE, &none, err);

	if (r < 0)
		return r;
	if (pin->fd < 0)
		return RG_HOOK_ATTACHED;
	if (pin->is_link)
		return RG_HOOK_RENEWED;
	/* of its predecessor on another device, if there is one */
	r = rg_hook_drop_filters(hook, pin, err);
	return r < 0 ? r : RG_HOOK_REPAIRED;
}

int rg_hook_clsact_ensure(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			  struct rg_err *err)
{
	static const struct rg_mark none = {.use = RG_MARK_NONE};
	_cleanup_free_ struct rg_tcf *filters = NULL;
	size_t n;
	int r, at;

	r = rg_tcf_list(hook->ifindex, rg_hook_is_egress(hook->prog), &filters, &n);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list the filters of device %d", hook->ifindex);
	at = filters_find(filters, n, pin);
	if (at < 0)
		return attach_new(hook, pin, err);
	if (at > 0 && can_lead(&filters[0])) {
		r = take_over(hook, &filters[at], err);
		return r < 0 ? r : RG_HOOK_RESTORED;
	}
	if (!hook->refresh)
		return RG_HOOK_KEPT;
	r = put_pinned(hook, filters[at].handle, &none, err);
	return r < 0 ? r : RG_HOOK_REFRESHED;
}

int rg_hook_clsact_query(const struct rg_hook *hook, const struct rg_hook_pin *pin,
			 struct rg_hook_state *ret)
{
	_cleanup_free_ struct rg_tcf *filters = NULL;
	struct rg_tcx_chain chain = {.n = 0};
	size_t n;
	int r;

	r = rg_tcf_list(hook->ifindex, rg_hook_is_egress(hook->prog), &filters, &n);
	if (r < 0)
		return r;
	r = filters_find(filters, n, pin);
	if (r < 0)
		return 0;
	/* TCX programs, where the kernel has them, run before all filters */
	(void)rg_tcx_query(hook->ifindex, rg_hook_attach_type(hook), &chain);
	ret->attached = true;
	ret->position = (uint32_t)r + chain.n;
	ret->behind = (uint32_t)n - (uint32_t)r - 1;
	return 0;
}
