// SPDX-License-Identifier: Apache-2.0
/*
 * Attachments whose pod is gone, and how they are taken away.
 */
#include <errno.h>
#include <limits.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "ctl.h"
#include "gc.h"
#include "net/link.h"
#include "net/netns.h"
#include "run.h"

#define DEL_TIMEOUT_MS	 60000
#define ANSWER_MAX	 65536
#define ADD_MAX_S	 600 /* an ADD that has not ended by then was killed */
#define PLUGIN		 "railgate"
#define CNI_PATH_DEFAULT "/opt/cni/bin"

/* Whether the pod's namespace is there and still the same. */
static bool same_netns(const struct rg_record *record, int *ret_fd, char *reason, size_t size)
{
	struct rg_netns_id id, recorded = {record->netns_dev, record->netns_ino};
	int r;

	if (!record->netns || !*record->netns) {
		(void)rg_str_copy(reason, size, "no namespace is recorded for it");
		return false;
	}
	r = rg_netns_open(record->netns, ret_fd, &id, NULL);
	if (r == -ENOENT) {
		(void)rg_str_copy(reason, size, "the pod's network namespace is gone");
		return false;
	}
	/* What cannot be looked at is not taken for gone. */
	if (r < 0 || rg_netns_same(&id, &recorded))
		return true;
	(void)rg_str_copy(reason, size, "the namespace's path belongs to another pod by now");
	return false;
}

static bool has_interface(int netns_fd, const char *ifname)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	struct rg_link link;

	if (netns_fd < 0 || rg_netns_nl(netns_fd, NETLINK_ROUTE, &nl, NULL) < 0)
		return true;
	return rg_link_get_name(nl, ifname, &link, NULL) != -ENODEV;
}

/* Of several interfaces made by one call, DEL takes all away. */
static bool is_single(const struct rg_record *record)
{
	return !record->group[0] || rg_str_equal(record->group, record->ifname);
}

static bool is_left(const struct rg_record *record, const char *boot_id, char *reason, size_t size)
{
	_cleanup_close_ int fd = -EBADF;

	if (!rg_str_equal(record->boot_id, boot_id)) {
		(void)rg_str_copy(reason, size, "it was made before the machine was booted");
		return true;
	}
	if (!same_netns(record, &fd, reason, size))
		return true;
	if (record->phase != RG_PHASE_READY) {
		(void)rg_str_copy(reason, size, "its ADD was interrupted");
		return time(NULL) - record->created_s > ADD_MAX_S;
	}
	if (!is_single(record) || has_interface(fd, record->ifname))
		return false;
	(void)rg_str_format(reason, size, "interface %s is gone from the pod", record->ifname);
	return true;
}

static int look_at(struct rg_gc *gc, const struct rg_store_key *key, const char *boot_id)
{
	_cleanup_record_ struct rg_record *record = NULL;
	struct rg_gc_item item = {.kind = RG_GC_ATTACHMENT, .key = *key};

	/* A damaged record is DEL's business, which the runtime will call. */
	if (rg_store_read(gc->store, key->container_id, key->ifname, &record, NULL) < 0 ||
	    !is_left(record, boot_id, item.reason, sizeof(item.reason)))
		return 0;
	(void)rg_str_format(item.name, sizeof(item.name),
			    "%.100s%s%.100s %s on %s, container %.64s", record->pod_namespace,
			    record->pod_namespace[0] ? "/" : "",
			    record->pod_name[0] ? record->pod_name : "pod", key->ifname,
			    record->rail, key->container_id);
	return rg_gc_add(gc, &item);
}

int rg_gc_find_attachments(struct rg_gc *gc, struct rg_err *err)
{
	_cleanup_free_ struct rg_store_key *keys = NULL;
	char boot_id[RG_RECORD_BOOT_SIZE];
	size_t n, i;
	int r;

	r = rg_record_boot_id(boot_id);
	if (r < 0)
		return rg_err_errno(err, r, "cannot read the boot's identity");
	r = rg_store_list(gc->store, NULL, &keys, &n, err);
	for (i = 0; r == 0 && i < n; i++)
		r = look_at(gc, &keys[i], boot_id);
	return r;
}

/* The plugin as the record's runtime would find it. */
static int find_plugin(const struct rg_gc *gc, const struct rg_record *record, char *buf,
		       size_t size)
{
	const char *dir = record->cni_path && *record->cni_path ? record->cni_path
								: CNI_PATH_DEFAULT;

	if (gc->plugin)
		return rg_str_copy(buf, size, gc->plugin);
	while (*dir) {
		size_t len = strcspn(dir, ":");

		if (len && rg_str_format(buf, size, "%.*s/%s", (int)len, dir, PLUGIN) == 0 &&
		    access(buf, X_OK) == 0)
			return 0;
		dir += len + (dir[len] == ':');
	}
	return -ENOENT;
}

struct environment {
	char *vars[16];
	size_t n;
};

static void environment_done(struct environment *e)
{
	while (e->n)
		free(e->vars[--e->n]);
}

static int add_var(struct environment *e, const char *name, const char *value)
{
	size_t size = strlen(name) + strlen(value) + 2;
	char *var;

	if (e->n + 1 == ARRAY_SIZE(e->vars))
		return -E2BIG;
	var = malloc(size);
	if (!var)
		return -ENOMEM;
	(void)rg_str_format(var, size, "%s=%s", name, value);
	e->vars[e->n++] = var;
	return 0;
}

static int make_environment(const struct rg_gc *gc, const struct rg_record *record,
			    struct environment *e)
{
	const char *path = getenv("PATH");
	const struct {
		const char *name;
		const char *value;
	} vars[] = {
		{"CNI_COMMAND", "DEL"},
		{"CNI_CONTAINERID", record->container_id},
		{"CNI_IFNAME", record->group[0] ? record->group : record->ifname},
		{"CNI_NETNS", record->netns ? record->netns : ""},
		{"CNI_ARGS", record->cni_args ? record->cni_args : ""},
		{"CNI_PATH", record->cni_path ? record->cni_path : CNI_PATH_DEFAULT},
		{"PATH", path ? path : "/usr/sbin:/usr/bin:/sbin:/bin"},
		{"RAILGATE_CONFIG", gc->ctl->conf_path},
		{"RAILGATE_STATE_DIR", gc->ctl->state_dir},
		{"RAILGATE_PIN_DIR", gc->ctl->pin_dir},
		{"RAILGATE_RUN_DIR", gc->ctl->run_dir},
	};
	size_t i;
	int r = 0;

	for (i = 0; i < ARRAY_SIZE(vars) && r == 0; i++)
		r = add_var(e, vars[i].name, vars[i].value);
	return r;
}

int rg_gc_del(struct rg_gc *gc, const struct rg_record *record, struct rg_err *err)
{
	_cleanup_(environment_done) struct environment e = {.n = 0};
	_cleanup_free_ char *answer = NULL;
	char plugin[PATH_MAX];
	const char *argv[] = {plugin, NULL};
	struct rg_run run = {
		.argv = argv,
		.env = (const char *const *)e.vars,
		.input = record->config,
		.timeout_ms = DEL_TIMEOUT_MS,
		.max = ANSWER_MAX,
	};
	int r;

	if (find_plugin(gc, record, plugin, sizeof(plugin)) < 0)
		return rg_err_set(
			err, -ENOENT,
			"cannot find the plugin %s in CNI_PATH (%s); give it with --plugin", PLUGIN,
			record->cni_path ? record->cni_path : CNI_PATH_DEFAULT);
	r = make_environment(gc, record, &e);
	if (r == 0)
		r = rg_run(&run, &answer);
	if (r < 0)
		return rg_err_errno(err, r, "DEL by %s", plugin);
	if (r)
		return rg_err_set(err, -EIO, "DEL by %s failed: %.300s", plugin, answer);
	return 0;
}
