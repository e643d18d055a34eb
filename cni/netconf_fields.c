// SPDX-License-Identifier: Apache-2.0
/*
 * The keys of a network configuration, each read strictly: a wrong type is an error that names
 * its JSON path. Keys that are not ours are another plugin's and are passed over.
 */
#include <errno.h>
#include <string.h>
#include <linux/if_link.h>
#include <json-c/json.h>

#include <railgate/policy.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "call.h"
#include "conf/schema.h"
#include "netconf_fields.h"

static const struct {
	const char *name;
	uint32_t mode;
} macvlan_modes[] = {
	{"bridge", MACVLAN_MODE_BRIDGE},
	{"private", MACVLAN_MODE_PRIVATE},
	{"vepa", MACVLAN_MODE_VEPA},
	{"passthru", MACVLAN_MODE_PASSTHRU},
};

/* "mode" is ours ("macvlan") or, in a network written for the macvlan plugin, that one's. */
static int parse_mode(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	struct rg_netconf *conf = dst;
	const char *s;
	int r = rg_schema_string(value, path, RG_NETCONF_MODE_WANT, &s, err);

	if (r < 0)
		return r;
	conf->mode = RG_KIND_MACVLAN;
	if (rg_str_equal(s, "macvlan"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(macvlan_modes); i++) {
		if (rg_str_equal(s, macvlan_modes[i].name)) {
			conf->macvlan_mode = macvlan_modes[i].mode;
			return 0;
		}
	}
	return rg_schema_fail(err, path, value, RG_NETCONF_MODE_WANT);
}

static int parse_macvlan_mode(struct json_object *value, const struct rg_path *path, void *dst,
			      struct rg_err *err)
{
	static const char want[] = "\"bridge\", \"private\", \"vepa\" or \"passthru\"";
	struct rg_netconf *conf = dst;
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(macvlan_modes); i++) {
		if (rg_str_equal(s, macvlan_modes[i].name)) {
			conf->macvlan_mode = macvlan_modes[i].mode;
			return 0;
		}
	}
	return rg_schema_fail(err, path, value, want);
}

static int parse_rail(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const char want[] = "a rail's name, 1 to 15 characters";
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	if (!*s || rg_str_copy(dst, RG_RAIL_NAME_SIZE, s) < 0)
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_only_rail(struct json_object *value, const struct rg_path *path, void *dst,
			   struct rg_err *err)
{
	struct rg_netconf *conf = dst;

	conf->n_rails = 1;
	return parse_rail(value, path, conf->rails[0], err);
}

static int parse_mac(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	static const char want[] = "a unicast MAC address such as \"02:00:00:00:00:01\"";
	struct rg_netconf *conf = dst;
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0 || !*s) /* an empty one is what generators write for none */
		return r;
	if (rg_mac_parse(s, conf->mac) < 0 || !rg_mac_is_unicast(conf->mac))
		return rg_schema_fail(err, path, value, want);
	conf->has_mac = true;
	return 0;
}

static int parse_rdma(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const char want[] = "\"auto\" or \"none\"";
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	if (!rg_str_equal(s, "auto") && !rg_str_equal(s, "none"))
		return rg_schema_fail(err, path, value, want);
	((struct rg_netconf *)dst)->rdma = rg_str_equal(s, "auto");
	return 0;
}

static int parse_policy_mode(struct json_object *value, const struct rg_path *path, void *dst,
			     struct rg_err *err)
{
	static const char *const names[] = {
		[RG_MODE_ENFORCE] = "enforce", [RG_MODE_AUDIT] = "audit", [RG_MODE_OFF] = "off"};
	static const char want[] = "\"enforce\", \"audit\" or \"off\"";
	uint32_t *flags = dst;
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	for (uint32_t i = RG_MODE_ENFORCE; r == 0 && i < ARRAY_SIZE(names); i++) {
		if (!rg_str_equal(s, names[i]))
			continue;
		*flags = (*flags & ~RG_IDENT_MODE_MASK) | i;
		return 0;
	}
	return r < 0 ? r : rg_schema_fail(err, path, value, want);
}

static int parse_policy_profile(struct json_object *value, const struct rg_path *path, void *dst,
				struct rg_err *err)
{
	static const char want[] = "\"strict\", or \"standard\" for the rail's own profile";
	uint32_t *flags = dst;
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	if (rg_str_equal(s, "strict"))
		*flags |= RG_IDENT_STRICT;
	else if (!rg_str_equal(s, "standard"))
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_policy(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"mode", RG_FIELD_CUSTOM, .parse = parse_policy_mode},
		{"profile", RG_FIELD_CUSTOM, .parse = parse_policy_profile},
	};

	return rg_schema_object(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_ip(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	static const char want[] = "an IP address, with or without a prefix length";
	struct rg_cidr_net *ip = dst;
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0 || rg_cidr_parse(s, ip) == 0)
		return r;
	if (rg_addr_parse(s, &ip->addr) < 0)
		return rg_schema_fail(err, path, value, want);
	ip->prefix = rg_addr_is_v4(&ip->addr) ? 32 : 128;
	return 0;
}

static int parse_ips(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	struct rg_netconf *conf = dst;

	return rg_schema_array(value, path, RG_NETCONF_MAX_IPS, parse_ip, conf->ips,
			       sizeof(conf->ips[0]), &conf->n_ips, err);
}

/* What the runtime knows of this attachment: "runtimeConfig" and "args.cni" have the same keys. */
static int parse_runtime(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"mac", RG_FIELD_CUSTOM, .parse = parse_mac},
		{"ips", RG_FIELD_CUSTOM, .parse = parse_ips},
	};

	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_args(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"cni", RG_FIELD_CUSTOM, .parse = parse_runtime},
	};

	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_ipam(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"type", RG_FIELD_STRING, .offset = offsetof(struct rg_netconf, ipam_type),
		 .max = RG_NETCONF_TYPE_SIZE, .want = "the name of an IPAM plugin"},
	};
	struct rg_netconf *conf = dst;
	struct rg_path at = rg_path_key(path, "type");
	int r = rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);

	/* a path would lead out of CNI_PATH */
	if (r == 0 && strchr(conf->ipam_type, '/'))
		return rg_err_set(err, -EINVAL, "%s: \"%s\" is a path, not the name of a plugin",
				  at.text, conf->ipam_type);
	return r;
}

static int parse_rails(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	struct rg_netconf *conf = dst;

	return rg_schema_array(value, path, RG_MAX_RAILS, parse_rail, conf->rails,
			       RG_RAIL_NAME_SIZE, &conf->n_rails, err);
}

#define AT(member) offsetof(struct rg_netconf, member)

static const struct rg_field attach_fields[] = {
	{"mode", RG_FIELD_CUSTOM, .parse = parse_mode},
	{"macvlanMode", RG_FIELD_CUSTOM, .parse = parse_macvlan_mode},
	{"rail", RG_FIELD_CUSTOM, .parse = parse_only_rail},
	{"rails", RG_FIELD_CUSTOM, .parse = parse_rails},
	{"master", RG_FIELD_STRING, .offset = AT(master), .max = IF_NAMESIZE,
	 .want = "a network device's name"},
	{"mac", RG_FIELD_CUSTOM, .parse = parse_mac},
	{"mtu", RG_FIELD_U32, .offset = AT(mtu), .min = 0, .max = RG_NETCONF_MTU_MAX,
	 .want = "an MTU of 68 to 65535 bytes, or 0 for the rail's"},
	{"bcqueuelen", RG_FIELD_U32, .offset = AT(bcqueuelen), .min = 0, .max = UINT32_MAX,
	 .want = "a queue length"},
	{"rdma", RG_FIELD_CUSTOM, .parse = parse_rdma},
	{"policy", RG_FIELD_CUSTOM, .offset = AT(ident_flags), .parse = parse_policy},
};

/* In this order, as each overrides what came before. */
static const struct rg_field args_fields[] = {
	{"args", RG_FIELD_CUSTOM, .parse = parse_args},
};

static const struct rg_field runtime_fields[] = {
	{"runtimeConfig", RG_FIELD_CUSTOM, .parse = parse_runtime},
};

/* What every command needs: the network and who allocates its addresses. */
static const struct rg_field common_fields[] = {
	{"name", RG_FIELD_STRING, .required = true, .offset = AT(name), .max = RG_RECORD_NAME_SIZE,
	 .want = "the network's name"},
	{"ipam", RG_FIELD_CUSTOM, .parse = parse_ipam},
	{"ipamTimeout", RG_FIELD_U32, .offset = AT(ipam_timeout_s), .min = 1, .max = 3600,
	 .want = "1 to 3600 seconds"},
};

static int read_table(struct rg_netconf *conf, const struct rg_field *fields, size_t n,
		      struct rg_err *err)
{
	const struct rg_path root = {""};

	return rg_schema_known(conf->doc, &root, fields, n, conf, err);
}

int rg_netconf_read_common(struct rg_netconf *conf, struct rg_err *err)
{
	return read_table(conf, common_fields, ARRAY_SIZE(common_fields), err);
}

int rg_netconf_read_attach(struct rg_netconf *conf, const struct rg_call *call, struct rg_err *err)
{
	int r = read_table(conf, attach_fields, ARRAY_SIZE(attach_fields), err);

	if (r == 0 && call->has_mac) {
		memcpy(conf->mac, call->mac, sizeof(conf->mac));
		conf->has_mac = true;
	}
	r = r ? r : read_table(conf, args_fields, ARRAY_SIZE(args_fields), err);
	return r ? r : read_table(conf, runtime_fields, ARRAY_SIZE(runtime_fields), err);
}
