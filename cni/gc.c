// SPDX-License-Identifier: Apache-2.0
/*
 * GC: the network's attachments that the runtime does not list are removed, by their records.
 */
#include <errno.h>
#include <string.h>
#include <json-c/json.h>

#include "base/str.h"
#include "commands.h"
#include "fault.h"
#include "ipam.h"
#include "release.h"

static const char *string_of(struct json_object *doc, const char *key)
{
	struct json_object *value = NULL;

	if (!json_object_object_get_ex(doc, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

/* A list with anything in it that is not understood must not make us remove an attachment. */
static int check_list(const struct rg_netconf *conf, struct rg_fault *f)
{
	size_t n;

	if (!conf->has_valid)
		return rg_fault_set(
			f, RG_CNI_CONFIG,
			"cni.dev/valid-attachments: missing; without it GC would remove "
			"every attachment");
	if (!conf->valid) /* null: none is valid */
		return 0;
	if (!json_object_is_type(conf->valid, json_type_array))
		return rg_fault_set(f, RG_CNI_CONFIG, "cni.dev/valid-attachments: not an array");
	n = json_object_array_length(conf->valid);
	for (size_t i = 0; i < n; i++) {
		struct json_object *item = json_object_array_get_idx(conf->valid, i);

		if (!string_of(item, "containerID") || !string_of(item, "ifname"))
			return rg_fault_set(
				f, RG_CNI_CONFIG,
				"cni.dev/valid-attachments[%zu]: not an object with the "
				"strings \"containerID\" and \"ifname\"",
				i);
	}
	return 0;
}

static bool is_valid(const struct rg_netconf *conf, const char *container_id, const char *ifname)
{
	size_t n = conf->valid ? json_object_array_length(conf->valid) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *item = json_object_array_get_idx(conf->valid, i);

		if (rg_str_equal(string_of(item, "containerID"), container_id) &&
		    rg_str_equal(string_of(item, "ifname"), ifname))
			return true;
	}
	return false;
}

/* Whether a record is this network's and stale. One that is damaged belongs to no network. */
static bool is_stale(struct rg_node *node, const struct rg_netconf *conf,
		     const struct rg_store_key *key)
{
	_cleanup_record_ struct rg_record *record = NULL;

	if (rg_store_read(node->store, key->container_id, key->ifname, &record, NULL) < 0)
		return false;
	return rg_str_equal(record->network, conf->name) &&
	       !is_valid(conf, key->container_id, record->group);
}

static int collect_one(struct rg_node *node, const struct rg_netconf *conf,
		       const struct rg_store_key *key, struct rg_fault *f)
{
	struct rg_store_lock *lock = NULL;
	int r;

	if (!is_stale(node, conf, key))
		return 0;
	r = rg_store_lock(node->store, key->container_id, RG_NODE_LOCK_MS, &lock, &f->err);
	if (r < 0)
		return rg_fault_errno(f, r);
	r = rg_release_recorded(node, &lock, key->ifname, f);
	rg_store_unlock(lock);
	return r;
}

static int collect(struct rg_node *node, const struct rg_netconf *conf, struct rg_fault *f)
{
	_cleanup_free_ struct rg_store_key *keys = NULL;
	size_t n = 0;
	int first, r = rg_node_need_store(node, f);

	if (r < 0)
		return r;
	first = rg_store_list(node->store, NULL, &keys, &n, &f->err);
	if (first < 0)
		return rg_fault_code(f, RG_CNI_IO, first);
	for (size_t i = 0; i < n; i++) {
		struct rg_fault next = {0};

		r = collect_one(node, conf, &keys[i], &next);
		if (r < 0 && first == 0) {
			*f = next;
			first = r;
		}
	}
	return first;
}

int rg_cni_gc(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f)
{
	const struct rg_ipam ipam = {
		.type = conf->ipam_type,
		.timeout_s = conf->ipam_timeout_s,
		.config = call->input,
		.config_len = call->input_len,
		.path = call->path,
		.args = call->args,
	};
	struct rg_fault other = {0};
	struct rg_node node;
	int r = check_list(conf, f), second;

	if (r < 0)
		return r;
	rg_node_init(&node);
	r = collect(&node, conf, f);
	second = conf->ipam_type[0] ? rg_ipam_run(&ipam, RG_COMMAND_GC, &other) : 0;
	if (second < 0 && r == 0) {
		*f = other;
		r = second;
	}
	rg_node_done(&node);
	return r;
}
