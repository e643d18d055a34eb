// SPDX-License-Identifier: Apache-2.0
/*
 * DEL. Runs every step, whatever the others did, and fails only for what could not be removed.
 */
#include <errno.h>
#include <string.h>

#include "attach.h"
#include "base/str.h"
#include "commands.h"
#include "fault.h"
#include "release.h"

/**
 * struct del - a DEL
 * @call: call
 * @conf: network configuration
 * @node: node
 * @lock: lock of the container, NULL if the store cannot be used
 */
struct del {
	const struct rg_call *call;
	const struct rg_netconf *conf;
	struct rg_node *node;
	struct rg_store_lock *lock;
};

static void keep_first(struct rg_fault *first, int *r, const struct rg_fault *f, int next)
{
	if (next < 0 && *r == 0) {
		*first = *f;
		*r = next;
	}
}

/* The record if there is one that can be read, else what the call itself says. */
static struct rg_record *record_of(struct del *del, const char *ifname, bool *ret_recorded)
{
	struct rg_record *record = NULL;

	*ret_recorded = del->lock && rg_store_load(del->lock, ifname, &record, NULL) == 0;
	if (*ret_recorded)
		return record;
	record = rg_record_new();
	if (record) {
		(void)rg_str_copy(record->container_id, sizeof(record->container_id),
				  del->call->container_id);
		(void)rg_str_copy(record->ifname, sizeof(record->ifname), ifname);
	}
	return record;
}

/* IPAM as the call's configuration names it; a minimal one names none, but the record may. */
static int free_addresses(struct del *del, const struct rg_release *rel, struct rg_fault *f)
{
	struct rg_call recorded = {.command = RG_COMMAND_DEL, .input = rel->record->config};
	struct rg_release with_ipam = *rel;
	struct rg_netconf conf = {0};
	struct rg_fault ignored = {0};
	int r;

	with_ipam.config = del->call->input;
	with_ipam.config_len = del->call->input_len;
	with_ipam.ipam_type = del->conf->ipam_type;
	with_ipam.ipam_timeout_s = del->conf->ipam_timeout_s;
	if (!del->conf->ipam_type[0] && recorded.input) {
		recorded.input_len = strlen(recorded.input);
		if (rg_netconf_parse(&recorded, &conf, &ignored) == 0) {
			with_ipam.config = recorded.input;
			with_ipam.config_len = recorded.input_len;
			with_ipam.ipam_type = conf.ipam_type;
			with_ipam.ipam_timeout_s = conf.ipam_timeout_s;
		}
	}
	rg_store_unlock(TAKE_PTR(del->lock));
	r = rg_release_addresses(&with_ipam, f);
	rg_netconf_done(&conf);
	return r;
}

static int remove_record(struct del *del, const struct rg_record *record, struct rg_fault *f)
{
	int r = rg_store_lock(del->node->store, del->call->container_id, RG_NODE_LOCK_MS,
			      &del->lock, &f->err);

	r = r ? r : rg_release_record(del->lock, record, &f->err);
	return r < 0 ? rg_fault_code(f, RG_CNI_IO, r) : 0;
}

static int del_one(struct del *del, const char *ifname, struct rg_fault *f)
{
	_cleanup_close_ int busy_fd = -EBADF;
	struct rg_fault next = {0};
	bool recorded;
	_cleanup_record_ struct rg_record *record = record_of(del, ifname, &recorded);
	struct rg_release rel = {
		.node = del->node,
		.record = record,
		.recorded = recorded,
		.netns = del->call->netns,
		.path = del->call->path,
		.args = del->call->args,
	};
	int r = 0;

	if (!record)
		return rg_fault_set(f, RG_CNI_INTERNAL, "out of memory");
	if (recorded)
		keep_first(f, &r, &next, rg_release_claim(del->lock, record, &busy_fd, &next));
	rel.busy_fd = busy_fd;
	memset(&next, 0, sizeof(next));
	keep_first(f, &r, &next, rg_release_devices(&rel, &next));
	memset(&next, 0, sizeof(next));
	keep_first(f, &r, &next, free_addresses(del, &rel, &next));
	/* what failed can be tried again, by DEL, GC or the agent */
	return r ? r : remove_record(del, record, f);
}

/* Attachments that one ADD made on several rails go together. */
static int list_group(struct del *del, struct rg_store_key **ret, size_t *ret_n)
{
	struct rg_store_key *keys = NULL;
	size_t n = 0, kept = 0;

	if (rg_store_list(del->node->store, del->call->container_id, &keys, &n, NULL) < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		_cleanup_record_ struct rg_record *record = NULL;

		if (rg_str_equal(keys[i].ifname, del->call->ifname) ||
		    rg_store_read(del->node->store, keys[i].container_id, keys[i].ifname, &record,
				  NULL) < 0 ||
		    !rg_str_equal(record->group, del->call->ifname))
			continue;
		keys[kept++] = keys[i];
	}
	*ret = keys;
	*ret_n = kept;
	return 0;
}

static int del_all(struct del *del, struct rg_fault *f)
{
	_cleanup_free_ struct rg_store_key *keys = NULL;
	struct rg_fault next = {0};
	size_t n = 0;
	int r = del_one(del, del->call->ifname, f);

	(void)list_group(del, &keys, &n);
	for (size_t i = 0; i < n; i++) {
		if (!del->lock)
			(void)rg_store_lock(del->node->store, del->call->container_id,
					    RG_NODE_LOCK_MS, &del->lock, NULL);
		memset(&next, 0, sizeof(next));
		keep_first(f, &r, &next, del_one(del, keys[i].ifname, &next));
	}
	return r;
}

int rg_cni_del(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f)
{
	struct rg_node node;
	struct del del = {.call = call, .conf = conf, .node = &node};
	int r;

	rg_node_init(&node);
	r = rg_node_need_store(&node, f);
	if (r == 0) {
		r = rg_store_lock(node.store, call->container_id, RG_NODE_LOCK_MS, &del.lock,
				  &f->err);
		r = r < 0 ? rg_fault_errno(f, r) : 0;
	}
	r = r ? r : del_all(&del, f);
	rg_store_unlock(del.lock);
	rg_node_done(&node);
	return r;
}
