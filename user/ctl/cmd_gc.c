// SPDX-License-Identifier: Apache-2.0
/*
 * railctl gc: remove what is left of pods that are gone.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/maps.h"
#include "ctl.h"
#include "gc.h"
#include "out.h"

#define LOCK_TIMEOUT_MS 5000

/*
 * @dry: list only
 * @done: items that were printed
 * @failed: items that could not be removed
 * @why: last failure
 */
struct collection {
	struct rg_gc gc;
	bool dry;
	size_t done;
	size_t failed;
	struct rg_err why;
};

static void print_item(struct rg_out *out, const struct rg_gc_item *item, const char *result,
		       const char *why)
{
	rg_out_record(out);
	rg_out_str(out, "kind", "KIND", rg_gc_kind_name(item->kind));
	rg_out_str(out, "name", "WHAT", item->name);
	rg_out_str(out, "reason", "REASON", item->reason);
	rg_out_str(out, "result", "RESULT", result);
	rg_out_str(out, "error", NULL, why);
	rg_out_record_end(out);
}

/* Remove and print what was found since the last call. */
static void process(struct collection *c)
{
	for (; c->done < c->gc.n; c->done++) {
		const struct rg_gc_item *item = &c->gc.items[c->done];
		struct rg_err err = {0};

		if (!c->dry && rg_gc_remove(&c->gc, item, &err) < 0) {
			c->failed++;
			c->why = err;
		}
		print_item(c->gc.ctl->out, item,
			   c->dry     ? "kept (dry run)"
			   : err.code ? "failed"
				      : "removed",
			   err.msg);
	}
}

static int collect_attachments(struct collection *c)
{
	struct rg_ctl *ctl = c->gc.ctl;
	int r;

	r = rg_store_open(ctl->state_dir, false, &c->gc.store, &ctl->err);
	if (r == -ENOENT)
		return 0;
	if (r == 0)
		r = rg_gc_find_attachments(&c->gc, &ctl->err);
	process(c);
	return r;
}

/*
 * Without records every endpoint would look left: a wrong --state-dir must not cut off all pods.
 * The maps are locked only now, the plugin's DELs are done.
 */
static int collect_maps(struct collection *c, bool without_state)
{
	struct rg_ctl *ctl = c->gc.ctl;
	int r;

	if (!c->gc.store && !without_state)
		return 0;
	r = rg_maps_open_locked(ctl->pin_dir, LOCK_TIMEOUT_MS, &c->gc.maps, &ctl->err);
	if (r == -EAGAIN) /* no policy is loaded */
		return 0;
	if (r == 0)
		r = rg_gc_find_maps(&c->gc, &ctl->err);
	process(c);
	return r;
}

static void collection_done(struct collection *c)
{
	rg_gc_done(&c->gc);
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	_cleanup_(collection_done) struct collection c = {
		.gc = {.ctl = ctl, .plugin = values[1]},
		.dry = values[0] != NULL,
	};
	int r;

	if (argc)
		return rg_ctl_usage_error(ctl, "gc: \"%s\" is too much", argv[0]);
	rg_out_bool(ctl->out, "dry_run", NULL, c.dry);
	rg_out_list(ctl->out, "items", NULL);
	r = collect_attachments(&c);
	if (r == 0)
		r = collect_maps(&c, values[2] != NULL);
	rg_out_list_end(ctl->out, "nothing is left of pods that are gone");
	if (r < 0)
		return r;
	if (!c.gc.store)
		rg_out_text(ctl->out,
			    "\n%s/attachments does not exist: endpoints were not looked at "
			    "(--without-state)\n",
			    ctl->state_dir);
	if (c.failed)
		rg_out_text(ctl->out, "\nLast failure: %s\n", c.why.msg);
	return c.failed ? RG_EXIT_NOTICE : RG_EXIT_OK;
}

static const struct rg_opt opts[] = {
	{"dry-run", 'n', NULL, "list only"},
	{"plugin", 0, "FILE", "plugin that performs DEL, instead of the one in CNI_PATH"},
	{"without-state", 0, NULL, "remove endpoints although there are no records at all"},
	{0},
};

const struct rg_cmd rg_cmd_gc = {
	.name = "gc",
	.args = "",
	.summary = "remove what is left of pods that are gone",
	.help = "Looks for attachments whose network namespace or interface is gone or which were\n"
		"made before the last boot, endpoints without an attachment, identities without "
		"an\n"
		"endpoint, and hooks without a device. Attachments are taken away by the plugin's\n"
		"own DEL, with the configuration that was recorded at ADD, IPAM included.\n\n"
		"The runtime's GC and the agent do the same on their own; this is for looking and\n"
		"for nodes on which neither runs.\n\n"
		"Exit code: 0 all removed, or nothing to do; 3 something could not be removed.\n\n"
		"Examples:\n"
		"  railctl gc --dry-run\n"
		"  railctl gc --json | jq '.items[] | select(.result == \"failed\")'\n",
	.opts = opts,
	.run = run,
};
