// SPDX-License-Identifier: Apache-2.0
/*
 * The keys of a network configuration: their types, their ranges, and which of two wins.
 */
#include <errno.h>
#include <json-c/json.h>
#include <linux/if_link.h>
#include <railgate/policy.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/schema.h"
#include "netconf.h"

#define MODE_WANT                                                                                \
	"\"macvlan\", \"sriov\", \"host-device\", \"ib-sriov\", or a macvlan mode (\"bridge\", " \
	"\"private\", \"vepa\", \"passthru\")"
#define MAC_WANT "a unicast MAC such as \"02:00:00:00:00:01\""

static int parse_mode(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct {
		const char *name;
		enum rg_cni_mode mode;
		uint32_t macvlan_mode;
	} modes[] = {
		{"macvlan", RG_CNI_MODE_MACVLAN, MACVLAN_MODE_BRIDGE},
		{"sriov", RG_CNI_MODE_SRIOV, 0},
		{"host-device", RG_CNI_MODE_HOST_DEVICE, 0},
		{"ib-sriov", RG_CNI_MODE_IB_SRIOV, 0},
		/* the reference macvlan plugin's "mode" */
		{"bridge", RG_CNI_MODE_MACVLAN, MACVLAN_MODE_BRIDGE},
		{"private", RG_CNI_MODE_MACVLAN, MACVLAN_MODE_PRIVATE},
		{"vepa", RG_CNI_MODE_MACVLAN, MACVLAN_MODE_VEPA},
		{"passthru", RG_CNI_MODE_MACVLAN, MACVLAN_MODE_PASSTHRU},
	};
	struct rg_cni_netconf *conf = dst;
	const char *s;
	size_t i;
	int r;

	r = rg_schema_string(value, path, MODE_WANT, &s, err);
	if (r < 0)
		return r;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (rg_str_equal(modes[i].name, s)) {
			conf->mode = modes[i].mode;
			conf->macvlan_mode = modes[i].macvlan_mode;
			return 0;
		}
	}
	return rg_schema_fail(err, path, value, MODE_WANT);
}

static int parse_mac(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	struct rg_cni_netconf *conf = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, MAC_WANT, &s, err);
	if (r < 0 || !*s) /* libraries send "" for a capability that is not used */
		return r;
	if (rg_mac_parse(s, conf->mac) < 0 || !rg_mac_is_unicast(conf->mac))
		return rg_schema_fail(err, path, value, MAC_WANT);
	conf->has_mac = true;
	return 0;
}

static int parse_ip(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	const char *want = "an address such as \"172.16.0.10\" or \"172.16.0.10/24\"";
	struct rg_cidr_net *c = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	c->prefix = 0;
	if (rg_cidr_parse(s, c) < 0 && rg_addr_parse(s, &c->addr) < 0)
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_ips(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	struct rg_cni_netconf *conf = dst;

	return rg_schema_array(value, path, RG_CNI_MAX_IPS, parse_ip, conf->ips,
			       sizeof(conf->ips[0]), &conf->n_ips, err);
}

static int parse_rail_name(struct json_object *value, const struct rg_path *path, void *dst,
			   struct rg_err *err)
{
	const char *want = "a rail's name, such as \"rail0\"";
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (!*s || rg_str_copy(dst, RG_RAIL_NAME_SIZE, s) < 0)
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_rail(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	struct rg_cni_netconf *conf = dst;
	int r;

	r = parse_rail_name(value, path, conf->rails[0], err);
	if (r == 0)
		conf->n_rails = 1;
	return r;
}

static int parse_rails(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	struct rg_cni_netconf *conf = dst;

	if (json_object_is_type(value, json_type_string) &&
	    rg_str_equal(json_object_get_string(value), "all")) {
		conf->all_rails = true;
		return 0;
	}
	if (!json_object_is_type(value, json_type_array) || !json_object_array_length(value))
		return rg_schema_fail(err, path, value,
				      "\"all\" or an array of rail names such as [\"rail0\"]");
	return rg_schema_array(value, path, RG_MAX_RAILS, parse_rail_name, conf->rails,
			       sizeof(conf->rails[0]), &conf->n_rails, err);
}

static int parse_ipam(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"type", RG_FIELD_STRING, true, offsetof(struct rg_cni_netconf, ipam_type), 0,
		 sizeof(((struct rg_cni_netconf *)NULL)->ipam_type), NULL,
		 "the name of an IPAM plugin, such as \"static\""},
	};
	struct rg_cni_netconf *conf = dst;
	int r;

	if (json_object_is_type(value, json_type_object) && !json_object_object_length(value))
		return 0; /* "ipam": {} is L2 only */
	r = rg_schema_known(value, path, fields, ARRAY_SIZE(fields), conf, err);
	if (r < 0)
		return r;
	if (!conf->ipam_type[0])
		return 0;
	if (strchr(conf->ipam_type, '/') || rg_str_equal(conf->ipam_type, ".."))
		return rg_err_set(err, -EINVAL,
				  "%s.type: \"%s\" must be a plugin's name, without a path",
				  path->text, conf->ipam_type);
	conf->ipam = value;
	return 0;
}

static int parse_policy(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "mode",
		 .type = RG_FIELD_STRING,
		 .offset = 0,
		 .max = 16,
		 .want = "\"enforce\", \"audit\" or \"off\""},
		{.key = "profile",
		 .type = RG_FIELD_STRING,
		 .offset = 16,
		 .max = 16,
		 .want = "\"standard\" or \"strict\""},
	};
	struct rg_cni_netconf *conf = dst;
	char text[2][16] = {"", ""};
	int r;

	r = rg_schema_object(value, path, fields, ARRAY_SIZE(fields), text, err);
	if (r < 0)
		return r;
	if (rg_str_equal(text[0], "enforce"))
		conf->policy_mode = RG_MODE_ENFORCE;
	else if (rg_str_equal(text[0], "audit"))
		conf->policy_mode = RG_MODE_AUDIT;
	else if (rg_str_equal(text[0], "off"))
		conf->policy_mode = RG_MODE_OFF;
	else if (text[0][0])
		return rg_schema_fail(err, path, value,
				      "a policy: \"mode\" is \"enforce\", \"audit\" or \"off\"");
	conf->strict = rg_str_equal(text[1], "strict");
	if (text[1][0] && !conf->strict && !rg_str_equal(text[1], "standard"))
		return rg_schema_fail(err, path, value,
				      "a policy: \"profile\" is \"standard\" or \"strict\"");
	return 0;
}

/* It becomes part of a path in sysfs. */
static int parse_device(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	static const char want[] = "a device address such as \"0000:86:00.2\"";
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (strchr(s, '/') || s[0] == '.' || rg_str_copy(dst, RG_PCI_SIZE, s) < 0)
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_args(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "mac", .type = RG_FIELD_CUSTOM, .parse = parse_mac, .want = MAC_WANT},
	};
	struct rg_path at = rg_path_key(path, "cni");
	struct json_object *cni;

	if (!json_object_is_type(value, json_type_object))
		return rg_schema_fail(err, path, value, "an object");
	cni = json_object_object_get(value, "cni");
	return cni ? rg_schema_known(cni, &at, fields, ARRAY_SIZE(fields), dst, err) : 0;
}

static int parse_runtime_config(struct json_object *value, const struct rg_path *path, void *dst,
				struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "mac", .type = RG_FIELD_CUSTOM, .parse = parse_mac, .want = MAC_WANT},
		{.key = "ips", .type = RG_FIELD_CUSTOM, .parse = parse_ips, .want = "an array"},
		{.key = "deviceID",
		 .type = RG_FIELD_CUSTOM,
		 .offset = offsetof(struct rg_cni_netconf, device_id),
		 .parse = parse_device,
		 .want = "a device address"},
	};

	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_object(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	if (!json_object_is_type(value, json_type_object))
		return rg_schema_fail(err, path, value, "an object");
	*(struct json_object **)dst = value;
	return 0;
}

static int parse_array(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	if (!json_object_is_type(value, json_type_array))
		return rg_schema_fail(err, path, value, "an array");
	*(struct json_object **)dst = value;
	return 0;
}

#define AT(field) offsetof(struct rg_cni_netconf, field)

int rg_cni_netconf_keys(struct rg_cni_netconf *conf, struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"name", RG_FIELD_STRING, true, AT(name), 0, 256, NULL, "a network name"},
		{"mode", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_mode, MODE_WANT},
		{"rail", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_rail, "a rail's name"},
		{"rails", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_rails, "rail names"},
		{"master", RG_FIELD_STRING, false, AT(master), 0, IF_NAMESIZE, NULL,
		 "a netdev name of at most 15 characters"},
		{"pciBusID", RG_FIELD_CUSTOM, false, AT(device_id), 0, 0, parse_device,
		 "a device address"},
		{"deviceID", RG_FIELD_CUSTOM, false, AT(device_id), 0, 0, parse_device,
		 "a device address"},
		{"mac", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_mac, MAC_WANT},
		{"mtu", RG_FIELD_U32, false, AT(mtu), 0, 65535, NULL,
		 "an MTU from 68 to 65535 bytes, or 0 for the rail's"},
		{"bcqueuelen", RG_FIELD_U32, false, AT(bcqueuelen), 0, UINT32_MAX, NULL,
		 "a queue length"},
		{"policy", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_policy, "an object"},
		{"rdmaDeviceName", RG_FIELD_STRING, false, AT(rdma_device_name), 0,
		 RG_RDMA_NAME_SIZE, NULL, "an RDMA device name of at most 63 characters"},
		{"ipam", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_ipam, "an object"},
		{"prevResult", RG_FIELD_CUSTOM, false, AT(prev_result), 0, 0, parse_object,
		 "an object"},
		{"cni.dev/valid-attachments", RG_FIELD_CUSTOM, false, AT(valid_attachments), 0, 0,
		 parse_array, "an array"},
	};
	/* stronger than the keys above, and so read after them */
	static const struct rg_field args[] = {
		{"args", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_args, "an object"},
	};
	const struct rg_path top = {.text = ""};
	int r;

	r = rg_schema_known(conf->doc, &top, fields, ARRAY_SIZE(fields), conf, err);
	if (r == 0)
		r = rg_schema_known(conf->doc, &top, args, 1, conf, err);
	if (r == 0 && conf->mtu && conf->mtu < 68)
		r = rg_err_set(err, -EINVAL, "mtu: %u is below the smallest MTU of IPv4, 68 bytes",
			       conf->mtu);
	return r;
}

int rg_cni_netconf_runtime(struct rg_cni_netconf *conf, struct rg_err *err)
{
	static const struct rg_field runtime[] = {
		{"runtimeConfig", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_runtime_config,
		 "an object"},
	};
	const struct rg_path top = {.text = ""};

	return rg_schema_known(conf->doc, &top, runtime, ARRAY_SIZE(runtime), conf, err);
}
