// SPDX-License-Identifier: Apache-2.0
/*
 * railctl cleanup: take railgate off a node. What is removed is provably railgate's: what is
 * pinned below its folder, filters with its name and handle, records, and files that it made.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/pin.h"
#include "bpf/residue.h"
#include "ctl.h"
#include "out.h"
#include "state/store.h"

#define LOCK_TIMEOUT_MS 5000
#define MAX_LISTED	5

/* Files of the run directory, and folders that may be removed once they are empty. */
static const char *const run_files[] = {"events.sock", "railgated.lock"};

/*
 * @apply: remove, else list
 * @failed: what could not be removed
 * @n: number of things
 */
struct cleanup {
	struct rg_ctl *ctl;
	bool apply;
	size_t failed;
	size_t n;
};

static void report(struct cleanup *c, const char *kind, const char *name, int r, const char *why)
{
	struct rg_out *out = c->ctl->out;

	c->n++;
	c->failed += r < 0;
	rg_out_record(out);
	rg_out_str(out, "kind", "KIND", kind);
	rg_out_str(out, "name", "WHAT", name);
	rg_out_str(out, "result", "RESULT",
		   !c->apply ? "would be removed"
		   : r < 0   ? "failed"
			     : "removed");
	rg_out_str(out, "error", NULL, r < 0 ? why : NULL);
	rg_out_record_end(out);
	if (r < 0)
		(void)fprintf(stderr, "railctl: %s: %s\n", name, why);
}

/* Pods that are attached would lose their identity and be cut off. */
static int check_attachments(struct cleanup *c, struct rg_store *store, bool force)
{
	_cleanup_free_ struct rg_store_key *keys = NULL;
	char list[512] = "";
	size_t n, i;
	int r;

	r = rg_store_list(store, NULL, &keys, &n, &c->ctl->err);
	if (r < 0 || !n || force || !c->apply)
		return r;
	for (i = 0; i < n && i < MAX_LISTED; i++) {
		size_t len = strlen(list);

		(void)rg_str_format(list + len, sizeof(list) - len, "%s%.16s %s", i ? ", " : "",
				    keys[i].container_id, keys[i].ifname);
	}
	return rg_err_set(&c->ctl->err, -EBUSY,
			  "%zu attachments exist (%s%s): delete their pods first, or run \"railctl "
			  "gc\" if these are gone; --force cuts them off",
			  n, list, n > MAX_LISTED ? ", ..." : "");
}

/* Nobody may put back what is removed. */
static int check_agent(struct cleanup *c, int *ret_fd)
{
	struct rg_ctl *ctl = c->ctl;

	if (!c->apply || access(ctl->pin_dir, F_OK) < 0)
		return 0;
	if (rg_pin_lock_agent(ctl->pin_dir, ret_fd, &ctl->err) == -EBUSY)
		return rg_err_set(&ctl->err, -EBUSY,
				  "railgated runs and would put everything back; stop it first "
				  "(systemctl disable --now railgated)");
	return 0;
}

static int remove_residue(struct cleanup *c)
{
	_cleanup_free_ struct rg_residue *items = NULL;
	size_t n, i;
	int r;

	r = rg_residue_list(c->ctl->pin_dir, &items, &n, &c->ctl->err);
	if (r < 0)
		return r;
	for (i = 0; i < n; i++) {
		struct rg_err err = {0};

		r = c->apply ? rg_residue_remove(&items[i], &err) : 0;
		report(c, rg_residue_kind_name(items[i].kind), items[i].text, r, err.msg);
	}
	return 0;
}

static int remove_record(struct rg_store *store, const struct rg_store_key *key, struct rg_err *err)
{
	_cleanup_unlock_ struct rg_store_lock *lock = NULL;
	int r;

	r = rg_store_lock(store, key->container_id, LOCK_TIMEOUT_MS, &lock, err);
	return r < 0 ? r : rg_store_remove(lock, key->ifname, err);
}

static int remove_records(struct cleanup *c, struct rg_store *store)
{
	_cleanup_free_ struct rg_store_key *keys = NULL;
	char name[RG_RECORD_ID_SIZE + IF_NAMESIZE];
	size_t n, i;
	int r;

	r = rg_store_list(store, NULL, &keys, &n, &c->ctl->err);
	if (r < 0)
		return r;
	for (i = 0; i < n; i++) {
		struct rg_err err = {0};

		r = c->apply ? remove_record(store, &keys[i], &err) : 0;
		(void)rg_str_format(name, sizeof(name), "%s %s", keys[i].container_id,
				    keys[i].ifname);
		report(c, "record", name, r, err.msg);
	}
	return 0;
}

/* A folder goes when nothing of anyone's is left in it. */
static void remove_path(struct cleanup *c, bool folder, const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	int r = 0;

	if (rg_str_format(path, sizeof(path), "%s%s%s", dir, *name ? "/" : "", name) < 0 ||
	    lstat(path, &st) < 0 || S_ISDIR(st.st_mode) != folder)
		return;
	if (c->apply && (folder ? rmdir(path) : unlink(path)) < 0)
		r = -errno;
	if (r == -ENOTEMPTY || r == -EEXIST)
		return;
	report(c, folder ? "folder" : "file", path, r, strerror(-r));
}

static void remove_files(struct cleanup *c)
{
	size_t i;

	remove_path(c, true, c->ctl->state_dir, "attachments");
	remove_path(c, true, c->ctl->state_dir, "");
	for (i = 0; i < ARRAY_SIZE(run_files); i++)
		remove_path(c, false, c->ctl->run_dir, run_files[i]);
	remove_path(c, true, c->ctl->run_dir, "");
}

static int clean(struct cleanup *c, bool force)
{
	_cleanup_store_ struct rg_store *store = NULL;
	_cleanup_close_ int agent = -EBADF;
	int r;

	r = rg_store_open(c->ctl->state_dir, false, &store, &c->ctl->err);
	if (r < 0 && r != -ENOENT)
		return r;
	r = store ? check_attachments(c, store, force) : 0;
	if (r == 0)
		r = check_agent(c, &agent);
	if (r < 0)
		return r;
	rg_out_list(c->ctl->out, "items", NULL);
	r = remove_residue(c);
	if (r == 0 && store)
		r = remove_records(c, store);
	if (r == 0)
		remove_files(c);
	rg_out_list_end(c->ctl->out, "nothing of railgate is on this node");
	return r;
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	struct cleanup c = {.ctl = ctl, .apply = values[1] != NULL};
	int r;

	if (argc)
		return rg_ctl_usage_error(ctl, "cleanup: \"%s\" is too much", argv[0]);
	if (values[0] && values[1])
		return rg_ctl_usage_error(ctl,
					  "cleanup: --dry-run and --yes contradict each other");
	rg_out_bool(ctl->out, "dry_run", NULL, !c.apply);
	r = clean(&c, values[2] != NULL);
	if (r < 0)
		return r;
	if (!c.apply && c.n)
		rg_out_text(ctl->out, "\nNothing was removed; give --yes to remove all this.\n");
	return c.failed ? RG_EXIT_NOTICE : RG_EXIT_OK;
}

static const struct rg_opt opts[] = {
	{"dry-run", 'n', NULL, "list only (the default)"},
	{"yes", 'y', NULL, "remove what is listed"},
	{"force", 'f', NULL, "also while pods are attached; they are cut off from RDMA rails"},
	{0},
};

const struct rg_cmd rg_cmd_cleanup = {
	.name = "cleanup",
	.args = "",
	.summary = "take railgate off this node: hooks, pins, records",
	.help = "Lists everything on this node that is provably railgate's, and with --yes "
		"removes\n"
		"it: pinned hooks, programs and maps, clsact filters, records of attachments, the\n"
		"run directory. Nothing of anyone else is touched; a folder that holds something\n"
		"else stays. Rails are unguarded afterwards.\n\n"
		"Refuses while railgated runs, which would put everything back, and while pods "
		"are\n"
		"attached. Files that were installed are removed by \"make uninstall\" or the "
		"package.\n\n"
		"Exit code: 0 done, 1 refused, 3 something could not be removed.\n\n"
		"Examples:\n"
		"  railctl cleanup\n"
		"  systemctl disable --now railgated && railctl cleanup --yes\n",
	.opts = opts,
	.run = run,
};
