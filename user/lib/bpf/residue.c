// SPDX-License-Identifier: Apache-2.0
/*
 * Finding and removing what railgate left in the kernel.
 */
#define _GNU_SOURCE /* reallocarray() */
#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include <railgate/abi.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/pin.h"
#include "bpf/residue.h"
#include "bpf/tcfilter.h"

#define ENTRY_PREFIX "rg_on_" /* names of entry programs, see entry.c */

struct list {
	struct rg_residue *items;
	size_t n;
};

static void list_done(struct list *list)
{
	free(list->items);
}

static int add(struct list *list, const struct rg_residue *item)
{
	struct rg_residue *bigger = reallocarray(list->items, list->n + 1, sizeof(*list->items));

	if (!bigger)
		return -ENOMEM;
	list->items = bigger;
	list->items[list->n++] = *item;
	return 0;
}

static int add_path(struct list *list, enum rg_residue_kind kind, const char *dir, const char *name)
{
	struct rg_residue item = {.kind = kind};
	int r = rg_str_format(item.text, sizeof(item.text), "%s%s%s", dir, *name ? "/" : "", name);

	return r < 0 ? r : add(list, &item);
}

static bool is_ours(const struct rg_tcf *filter)
{
	return rg_str_equal(filter->kind, "bpf") && rg_str_prefix(filter->name, ENTRY_PREFIX) &&
	       (filter->handle == RG_TCF_HANDLE || filter->handle == RG_TCF_HANDLE + 1);
}

static int add_filters(struct list *list, const struct if_nameindex *dev, bool egress)
{
	_cleanup_free_ struct rg_tcf *filters = NULL;
	size_t n = 0;
	int r;

	r = rg_tcf_list((int)dev->if_index, egress, &filters, &n);
	/* a device without the qdisc, or gone by now */
	if (r == -EINVAL || r == -ENODEV || r == -ENOENT)
		return 0;
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct rg_residue item = {
			.kind = RG_RESIDUE_FILTER,
			.ifindex = (int)dev->if_index,
			.egress = egress,
			.prio = filters[i].prio,
			.handle = filters[i].handle,
		};

		if (!is_ours(&filters[i]))
			continue;
		(void)rg_str_format(item.text, sizeof(item.text), "%s %s %s", dev->if_name,
				    egress ? "egress" : "ingress", filters[i].name);
		r = add(list, &item);
	}
	return r;
}

static void nameindex_free_ptr(struct if_nameindex **devs)
{
	if (*devs)
		if_freenameindex(*devs);
}

static int add_all_filters(struct list *list)
{
	_cleanup_(nameindex_free_ptr) struct if_nameindex *devs = if_nameindex();
	int r = devs ? 0 : -errno;

	for (size_t i = 0; r == 0 && devs[i].if_index; i++) {
		r = add_filters(list, &devs[i], true);
		if (r == 0)
			r = add_filters(list, &devs[i], false);
	}
	return r;
}

static int add_entries(struct list *list, enum rg_residue_kind kind, const char *dir)
{
	_cleanup_closedir_ DIR *d = opendir(dir);
	struct dirent *entry;
	int r = 0;

	if (!d)
		return errno == ENOENT ? 0 : -errno;
	while (r == 0 && (entry = readdir(d)) != NULL)
		if (entry->d_name[0] != '.')
			r = add_path(list, kind, dir, entry->d_name);
	return r;
}

/* One pin directory: "v1", or "v1-new" of an interrupted start. Links first: they are in force. */
static int add_version(struct list *list, const char *dir)
{
	static const struct {
		enum rg_pin_kind pins;
		enum rg_residue_kind kind;
	} kinds[] = {
		{RG_PIN_KIND_LINK, RG_RESIDUE_HOOK},
		{RG_PIN_KIND_PROG, RG_RESIDUE_PROG},
		{RG_PIN_KIND_MAP, RG_RESIDUE_MAP},
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(kinds); i++) {
		char path[PATH_MAX];

		r = rg_str_format(path, sizeof(path), "%s/%s", dir, rg_pin_kind_dir(kinds[i].pins));
		if (r < 0 || access(path, F_OK) < 0)
			continue;
		r = add_entries(list, kinds[i].kind, path);
		if (r == 0)
			r = add_path(list, RG_RESIDUE_DIR, path, "");
	}
	return r < 0 ? r : add_path(list, RG_RESIDUE_DIR, dir, "");
}

static bool is_version_dir(const char *name)
{
	size_t digits = name[0] == 'v' ? strspn(name + 1, "0123456789") : 0;

	return digits && (!name[1 + digits] || rg_str_equal(name + 1 + digits, "-new"));
}

static int add_pins(struct list *list, const char *pin_dir)
{
	_cleanup_closedir_ DIR *d = opendir(pin_dir);
	struct dirent *entry;
	char path[PATH_MAX];
	int r = 0;

	if (!d)
		return errno == ENOENT ? 0 : -errno;
	while (r == 0 && (entry = readdir(d)) != NULL) {
		if (rg_str_format(path, sizeof(path), "%s/%s", pin_dir, entry->d_name) < 0)
			return -ENAMETOOLONG;
		if (is_version_dir(entry->d_name))
			r = add_version(list, path);
		else if (rg_str_equal(entry->d_name, RG_PIN_AGENT))
			r = add_path(list, RG_RESIDUE_DIR, path, "");
	}
	return r < 0 ? r : add_path(list, RG_RESIDUE_DIR, pin_dir, "");
}

const char *rg_residue_kind_name(enum rg_residue_kind kind)
{
	static const char *const names[] = {
		[RG_RESIDUE_FILTER] = "filter", [RG_RESIDUE_HOOK] = "hook",
		[RG_RESIDUE_PROG] = "program",	[RG_RESIDUE_MAP] = "map",
		[RG_RESIDUE_DIR] = "directory",
	};

	return names[kind];
}

int rg_residue_list(const char *pin_dir, struct rg_residue **ret, size_t *ret_n, struct rg_err *err)
{
	_cleanup_(list_done) struct list list = {NULL, 0};
	int r;

	r = add_all_filters(&list);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list the filters of the network devices");
	r = add_pins(&list, pin_dir);
	if (r < 0)
		return rg_err_errno(err, r, "cannot list pin directory %s", pin_dir);
	*ret_n = list.n;
	*ret = TAKE_PTR(list.items);
	return 0;
}

static int remove_hook(const char *path)
{
	_cleanup_close_ int fd = -EBADF;

	/* detaching a program that is no link is refused, which is right: its filter is listed */
	if (rg_pin_open_path(path, &fd) == 0)
		(void)bpf_link_detach(fd);
	return unlink(path) < 0 ? -errno : 0;
}

int rg_residue_remove(const struct rg_residue *residue, struct rg_err *err)
{
	struct rg_tcf filter = {.prio = residue->prio, .handle = residue->handle};
	int r = 0;

	switch (residue->kind) {
	case RG_RESIDUE_FILTER:
		r = rg_tcf_detach(residue->ifindex, residue->egress, &filter);
		break;
	case RG_RESIDUE_HOOK:
		r = remove_hook(residue->text);
		break;
	case RG_RESIDUE_PROG:
	case RG_RESIDUE_MAP:
		r = unlink(residue->text) < 0 ? -errno : 0;
		break;
	case RG_RESIDUE_DIR:
		r = rmdir(residue->text) < 0 ? -errno : 0;
		break;
	}
	if (r < 0 && r != -ENOENT)
		return rg_err_errno(err, r, "cannot remove %s %s",
				    rg_residue_kind_name(residue->kind), residue->text);
	return 0;
}
