// SPDX-License-Identifier: Apache-2.0
/*
 * ADD.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <json-c/json.h>

#include "attach.h"
#include "base/str.h"
#include "commands.h"
#include "fault.h"
#include "net/link.h"
#include "release.h"
#include "steps.h"

#define CLEAR_ATTEMPTS 3

/**
 * struct add - an ADD
 * @call: call
 * @conf: network configuration
 * @node: node
 * @lock: lock of the container
 * @netns_fd: pod's namespace
 * @netns: its identity
 * @attaches: attachments, one for each rail
 * @n: number of @attaches
 * @undo: what to reverse on failure
 */
struct add {
	const struct rg_call *call;
	const struct rg_netconf *conf;
	struct rg_node *node;
	struct rg_store_lock *lock;
	int netns_fd;
	struct rg_netns_id netns;
	struct rg_attach *attaches;
	size_t n;
	struct rg_undo undo;
};

static int open_netns(struct add *add, struct rg_fault *f)
{
	int r = rg_netns_open(add->call->netns, &add->netns_fd, &add->netns, &f->err);

	if (r < 0)
		return rg_fault_code(f, RG_CNI_NETNS, r);
	if (rg_netns_same(&add->netns, &add->node->host) && !add->call->netns_override)
		return rg_fault_set(
			f, RG_CNI_NETNS,
			"CNI_NETNS '%s' is the host's own network namespace; a pod on the "
			"host network uses the rails as they are",
			add->call->netns);
	return 0;
}

static int prepare(struct add *add, struct rg_fault *f)
{
	size_t n = add->conf->n_rails ? add->conf->n_rails : 1;
	int r = rg_node_need_conf(add->node, f);

	r = r ? r : rg_node_need_net(add->node, f);
	r = r ? r : open_netns(add, f);
	if (r < 0)
		return r;
	add->attaches = calloc(n, sizeof(*add->attaches));
	if (!add->attaches)
		return rg_fault_set(f, RG_CNI_INTERNAL, "out of memory");
	for (; add->n < n && r == 0; add->n++) {
		struct rg_attach *a = &add->attaches[add->n];

		a->call = add->call;
		a->conf = add->conf;
		a->node = add->node;
		a->lock = &add->lock;
		a->netns_fd = add->netns_fd;
		r = rg_attach_prepare(a, add->n, &add->netns, f);
	}
	return r;
}

/* Whether the attachment of a record stands: then ADD was called twice. */
static bool stands(const struct add *add, const struct rg_record *record)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	char boot_id[RG_RECORD_BOOT_SIZE];
	struct rg_link link;

	return record->phase == RG_PHASE_READY && rg_record_boot_id(boot_id) == 0 &&
	       rg_str_equal(boot_id, record->boot_id) && record->netns_dev == add->netns.dev &&
	       record->netns_ino == add->netns.ino &&
	       rg_netns_nl(add->netns_fd, 0, &nl, NULL) == 0 &&
	       rg_link_get_name(nl, record->ifname, &link, NULL) == 0;
}

/*
 * What an ADD that was killed, or a boot before this one, left under the same name. The lock is
 * given up on the way, so there may be another attachment afterwards.
 */
static int clear_old(struct add *add, const char *ifname, struct rg_fault *f)
{
	for (int i = 0; i < CLEAR_ATTEMPTS; i++) {
		_cleanup_record_ struct rg_record *old = NULL;
		int r = rg_store_load(add->lock, ifname, &old, NULL);

		if (r == -ENOENT)
			return 0;
		if (r == 0 && stands(add, old))
			return rg_fault_set(f, RG_CNI_CONFLICT,
					    "interface '%s' of container '%s' is attached to rail "
					    "'%s' already; call DEL first",
					    ifname, add->call->container_id, old->rail);
		r = rg_release_recorded(add->node, &add->lock, ifname, f);
		if (r < 0 || !add->lock)
			return r;
	}
	return rg_fault_set(f, RG_CNI_TRY_AGAIN,
			    "interface '%s' of container '%s' is being added by other calls; try "
			    "again",
			    ifname, add->call->container_id);
}

static int take_lock(struct add *add, struct rg_fault *f)
{
	int r = rg_node_need_store(add->node, f);

	if (r < 0)
		return r;
	r = rg_store_lock(add->node->store, add->call->container_id, RG_NODE_LOCK_MS, &add->lock,
			  &f->err);
	if (r < 0)
		return rg_fault_errno(f, r);
	for (size_t i = 0; i < add->n && r == 0; i++)
		r = clear_old(add, add->attaches[i].record->ifname, f);
	if (r == 0 && !add->lock)
		r = rg_fault_set(f, RG_CNI_TRY_AGAIN, "lost the lock of container '%s'",
				 add->call->container_id);
	return r;
}

static int add_interface(struct rg_result *result, const struct rg_attach *a, size_t index)
{
	struct rg_result_if item = {.has_mac = true, .mtu = a->setup.mtu};
	int r;

	(void)rg_str_copy(item.name, sizeof(item.name), a->record->ifname);
	memcpy(item.mac, a->record->mac, RG_MAC_LEN);
	r = rg_str_copy(item.sandbox, sizeof(item.sandbox), a->call->netns);
	r = r ? r : rg_result_add_if(result, &item);
	for (size_t i = 0; i < a->ipam.n_ips && r == 0; i++) {
		struct rg_result_ip ip = a->ipam.ips[i];

		ip.interface = (int)index;
		r = rg_result_add_ip(result, &ip);
	}
	for (size_t i = 0; i < a->setup.n_routes && r == 0; i++) {
		const struct rg_route *route = &a->setup.routes[i];
		const struct rg_result_route item_route = {
			.dst = route->dst,
			.gateway = route->gateway,
			.has_gateway = route->has_gateway,
			.mtu = route->mtu,
			.advmss = route->advmss,
			.priority = route->metric,
			.has_priority = true,
			.table = route->table,
			.scope = route->scope ? route->scope : -1,
		};

		r = rg_result_add_route(result, &item_route);
	}
	if (r == 0 && a->ipam.dns && !result->dns)
		result->dns = json_object_get(a->ipam.dns);
	return r;
}

static int print_result(const struct add *add, struct rg_fault *f)
{
	_cleanup_result_ struct rg_result result = {0};
	struct json_object *doc = NULL;
	int r = 0;

	for (size_t i = 0; i < add->n && r == 0; i++)
		r = add_interface(&result, &add->attaches[i], i);
	r = r ? r : rg_result_format(&result, add->conf->version, add->conf->prev_result, &doc);
	if (r < 0)
		return rg_fault_set(f, RG_CNI_INTERNAL, "cannot write the result: %s",
				    strerror(-r));
	(void)puts(json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY |
							       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(doc);
	if (fflush(stdout) != 0)
		return rg_fault_set(f, RG_CNI_IO, "cannot write the result to standard output");
	return 0;
}

static int attach_all(struct add *add, struct rg_fault *f)
{
	struct rg_err undone = {0};
	int r = take_lock(add, f);

	for (size_t i = 0; i < add->n && r == 0; i++)
		r = rg_steps_run(&add->attaches[i], &add->undo, f);
	r = r ? r : print_result(add, f);
	if (r < 0 && rg_undo_run(&add->undo, &undone) < 0 && !f->details[0])
		(void)rg_str_copy(f->details, sizeof(f->details), undone.msg);
	return r;
}

int rg_cni_add(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f)
{
	struct rg_node node;
	struct add add = {.call = call, .conf = conf, .node = &node, .netns_fd = -EBADF};
	int r;

	rg_node_init(&node);
	r = prepare(&add, f);
	r = r ? r : attach_all(&add, f);
	for (size_t i = 0; i < add.n; i++)
		rg_attach_done(&add.attaches[i]);
	free(add.attaches);
	rg_store_unlock(add.lock);
	rg_close_ptr(&add.netns_fd);
	rg_node_done(&node);
	return r;
}
