// SPDX-License-Identifier: Apache-2.0
/*
 * Reading the network configuration.
 */
#include <errno.h>
#include <string.h>
#include <linux/if_link.h>
#include <json-c/json.h>

#include "call.h"
#include "conf/schema.h"
#include "fault.h"
#include "netconf_fields.h"
#include "state/store.h"

const char *rg_netconf_mode_name(enum rg_kind mode)
{
	return mode == RG_KIND_MACVLAN ? "macvlan" : "none";
}

static int parse_version(struct json_object *doc, struct rg_netconf *conf, struct rg_fault *f)
{
	struct json_object *value = NULL;
	const char *text = "0.1.0"; /* what the specification takes for none */
	int version;

	if (json_object_object_get_ex(doc, "cniVersion", &value) && value) {
		if (!json_object_is_type(value, json_type_string))
			return rg_fault_set(f, RG_CNI_CONFIG, "cniVersion: %s is not a string",
					    json_object_to_json_string(value));
		text = json_object_get_string(value);
	}
	version = rg_version_find(text);
	if (version < 0)
		return rg_fault_set(f, RG_CNI_VERSION,
				    "cniVersion \"%s\" is not supported%s; set one of %s", text,
				    value ? "" : " (the network gives none)", rg_version_list());
	conf->version = (enum rg_cni_version)version;
	return 0;
}

static int check_command(const struct rg_call *call, const struct rg_netconf *conf,
			 struct rg_fault *f)
{
	enum rg_cni_version least = RG_CNI_0_3_0;

	if (call->command == RG_COMMAND_CHECK)
		least = RG_CNI_0_4_0;
	if (call->command == RG_COMMAND_GC || call->command == RG_COMMAND_STATUS)
		least = RG_CNI_1_1_0;
	if (conf->version < least)
		return rg_fault_set(f, RG_CNI_VERSION,
				    "config version \"%s\" does not allow %s; it came with \"%s\"",
				    rg_version_text(conf->version),
				    rg_call_command_name(call->command), rg_version_text(least));
	if (!rg_store_valid_id(conf->name))
		return rg_fault_set(
			f, RG_CNI_CONFIG,
			"name: \"%s\" is not a network name: letters and digits, then also "
			"'_', '.', '-'",
			conf->name);
	return 0;
}

static int check_attach(const struct rg_netconf *conf, struct rg_fault *f)
{
	struct json_object *value = NULL;

	if (conf->mode != RG_KIND_MACVLAN)
		return rg_fault_set(f, RG_CNI_CONFIG, "mode: missing; give " RG_NETCONF_MODE_WANT);
	if (!conf->n_rails && !conf->master[0])
		return rg_fault_set(f, RG_CNI_CONFIG,
				    "rail: missing; give the name of a rail of this node's "
				    "configuration");
	if (conf->mtu && conf->mtu < RG_NETCONF_MTU_MIN)
		return rg_fault_set(f, RG_CNI_CONFIG, "mtu: %u is not an MTU of %d to %d bytes",
				    conf->mtu, RG_NETCONF_MTU_MIN, RG_NETCONF_MTU_MAX);
	if (json_object_object_get_ex(conf->doc, "linkInContainer", &value) &&
	    json_object_get_boolean(value))
		return rg_fault_set(
			f, RG_CNI_UNSUPPORTED,
			"linkInContainer: true is not supported; a rail is a device of the "
			"host");
	return 0;
}

static int read_fields(const struct rg_call *call, struct rg_netconf *conf, struct rg_fault *f)
{
	bool attach = call->command == RG_COMMAND_ADD || call->command == RG_COMMAND_CHECK ||
		      call->command == RG_COMMAND_STATUS;
	int r = rg_netconf_read_common(conf, &f->err);

	if (r == 0 && attach)
		r = rg_netconf_read_attach(conf, call, &f->err);
	if (r < 0)
		return rg_fault_code(f, RG_CNI_CONFIG, r);
	return attach ? check_attach(conf, f) : 0;
}

static void find_parts(struct rg_netconf *conf)
{
	(void)json_object_object_get_ex(conf->doc, "prevResult", &conf->prev_result);
	conf->has_valid = json_object_object_get_ex(conf->doc, "cni.dev/valid-attachments",
						    &conf->valid) ||
			  json_object_object_get_ex(conf->doc, "cni.dev/attachments", &conf->valid);
}

int rg_netconf_parse(const struct rg_call *call, struct rg_netconf *ret, struct rg_fault *f)
{
	int r;

	memset(ret, 0, sizeof(*ret));
	ret->version = RG_CNI_1_1_0;
	ret->macvlan_mode = MACVLAN_MODE_BRIDGE;
	ret->rdma = true;
	ret->ipam_timeout_s = RG_NETCONF_IPAM_TIMEOUT_S;
	r = rg_schema_parse_text(call->input, call->input_len, RG_NETCONF_MAX_DEPTH, &ret->doc,
				 &f->err);
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "network configuration");
		return rg_fault_code(f, RG_CNI_DECODE, r);
	}
	if (!json_object_is_type(ret->doc, json_type_object))
		return rg_fault_set(f, RG_CNI_DECODE,
				    "the network configuration is not a JSON object");
	find_parts(ret);
	r = parse_version(ret->doc, ret, f);
	r = r ? r : read_fields(call, ret, f);
	return r ? r : check_command(call, ret, f);
}

void rg_netconf_done(struct rg_netconf *conf)
{
	json_object_put(conf->doc);
	conf->doc = NULL;
}
