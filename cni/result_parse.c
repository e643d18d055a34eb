// SPDX-License-Identifier: Apache-2.0
/*
 * Reading a result. Others made it: every type and every size is checked, and what the
 * specification may add later is passed over.
 */
#include <errno.h>
#include <string.h>
#include <json-c/json.h>

#include "base/err.h"
#include "base/str.h"
#include "conf/schema.h"
#include "result.h"

static int parse_addr(struct json_object *value, const struct rg_path *path, struct rg_addr *ret,
		      struct rg_err *err)
{
	static const char want[] = "an IP address";
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	return rg_addr_parse(s, ret) < 0 ? rg_schema_fail(err, path, value, want) : 0;
}

static int parse_cidr(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const char want[] = "an IP address with a prefix length";
	const char *s;
	int r = rg_schema_string(value, path, want, &s, err);

	if (r < 0)
		return r;
	return rg_cidr_parse(s, dst) < 0 ? rg_schema_fail(err, path, value, want) : 0;
}

static int parse_if_mac(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	struct rg_result_if *item = dst;
	const char *s;
	int r = rg_schema_string(value, path, "a MAC address", &s, err);

	/* other kinds of interface have addresses of other lengths */
	if (r == 0)
		item->has_mac = rg_mac_parse(s, item->mac) == 0;
	return r;
}

static int parse_if(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"name", RG_FIELD_STRING, .offset = offsetof(struct rg_result_if, name),
		 .max = IF_NAMESIZE, .want = "an interface's name"},
		{"mac", RG_FIELD_CUSTOM, .parse = parse_if_mac},
		{"mtu", RG_FIELD_U32, .offset = offsetof(struct rg_result_if, mtu),
		 .max = UINT32_MAX, .want = "an MTU"},
		{"sandbox", RG_FIELD_STRING, .offset = offsetof(struct rg_result_if, sandbox),
		 .max = sizeof(((struct rg_result_if *)0)->sandbox), .want = "a namespace's path"},
		{"pciID", RG_FIELD_STRING, .offset = offsetof(struct rg_result_if, pci),
		 .max = RG_RESULT_PCI_SIZE, .want = "a device address"},
	};
	struct rg_result_if item = {0};
	int r = rg_schema_known(value, path, fields, ARRAY_SIZE(fields), &item, err);

	return r ? r : rg_result_add_if(dst, &item);
}

static int parse_gateway(struct json_object *value, const struct rg_path *path,
			 struct rg_addr *gateway, bool *ret_has, struct rg_err *err)
{
	int r;

	/* Go's encoder writes "" for an address that is not set */
	if (rg_str_equal(json_object_get_string(value), ""))
		return 0;
	r = parse_addr(value, path, gateway, err);
	*ret_has = r == 0;
	return r;
}

static int parse_ip_gateway(struct json_object *value, const struct rg_path *path, void *dst,
			    struct rg_err *err)
{
	struct rg_result_ip *item = dst;

	return parse_gateway(value, path, &item->gateway, &item->has_gateway, err);
}

static int parse_ip(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"address", RG_FIELD_CUSTOM, .required = true,
		 .offset = offsetof(struct rg_result_ip, addr), .parse = parse_cidr,
		 .want = "an IP address with a prefix length"},
		{"gateway", RG_FIELD_CUSTOM, .parse = parse_ip_gateway},
		{"interface", RG_FIELD_S32, .offset = offsetof(struct rg_result_ip, interface),
		 .min = 0, .max = RG_RESULT_MAX, .want = "an index into \"interfaces\""},
	};
	struct rg_result_ip item = {.interface = -1};
	int r = rg_schema_known(value, path, fields, ARRAY_SIZE(fields), &item, err);

	return r ? r : rg_result_add_ip(dst, &item);
}

static int parse_route_gateway(struct json_object *value, const struct rg_path *path, void *dst,
			       struct rg_err *err)
{
	struct rg_result_route *item = dst;

	return parse_gateway(value, path, &item->gateway, &item->has_gateway, err);
}

static int parse_route_priority(struct json_object *value, const struct rg_path *path, void *dst,
				struct rg_err *err)
{
	struct rg_result_route *item = dst;
	int64_t v;
	int r = rg_schema_number(value, path, 0, UINT32_MAX, "a metric", &v, err);

	if (r < 0)
		return r;
	item->priority = (uint32_t)v;
	item->has_priority = true;
	return 0;
}

#define ROUTE(member) offsetof(struct rg_result_route, member)

static int parse_route(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"dst", RG_FIELD_CUSTOM, .required = true, .offset = ROUTE(dst),
		 .parse = parse_cidr, .want = "a destination with a prefix length"},
		{"gw", RG_FIELD_CUSTOM, .parse = parse_route_gateway},
		{"mtu", RG_FIELD_U32, .offset = ROUTE(mtu), .max = UINT32_MAX, .want = "an MTU"},
		{"advmss", RG_FIELD_U32, .offset = ROUTE(advmss), .max = UINT32_MAX,
		 .want = "an MSS"},
		{"priority", RG_FIELD_CUSTOM, .parse = parse_route_priority},
		{"table", RG_FIELD_U32, .offset = ROUTE(table), .max = UINT32_MAX,
		 .want = "a routing table"},
		{"scope", RG_FIELD_S32, .offset = ROUTE(scope), .max = 255, .want = "a scope"},
	};
	struct rg_result_route item = {.scope = -1};
	int r = rg_schema_known(value, path, fields, ARRAY_SIZE(fields), &item, err);

	return r ? r : rg_result_add_route(dst, &item);
}

/* The element functions append, so there is no stride. */
static int parse_list(struct json_object *value, const struct rg_path *path, rg_field_parse parse,
		      struct rg_result *result, struct rg_err *err)
{
	size_t n;

	return rg_schema_array(value, path, RG_RESULT_MAX, parse, result, 0, &n, err);
}

static int parse_ifs(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	return parse_list(value, path, parse_if, dst, err);
}

static int parse_ips(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	return parse_list(value, path, parse_ip, dst, err);
}

static int parse_routes(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	return parse_list(value, path, parse_route, dst, err);
}

static int parse_dns(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	struct rg_result *result = dst;

	if (!json_object_is_type(value, json_type_object))
		return rg_schema_fail(err, path, value, "an object");
	result->dns = json_object_get(value);
	return 0;
}

int rg_result_parse(struct json_object *doc, const char *where, struct rg_result *ret,
		    struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"interfaces", RG_FIELD_CUSTOM, .parse = parse_ifs},
		{"ips", RG_FIELD_CUSTOM, .parse = parse_ips},
		{"routes", RG_FIELD_CUSTOM, .parse = parse_routes},
		{"dns", RG_FIELD_CUSTOM, .parse = parse_dns},
	};
	_cleanup_result_ struct rg_result result = {0};
	struct rg_path path;
	int r;

	(void)rg_str_format(path.text, sizeof(path.text), "%s", where);
	r = rg_schema_known(doc, &path, fields, ARRAY_SIZE(fields), &result, err);
	if (r == -ENOMEM)
		return rg_err_set(err, r, "out of memory");
	if (r < 0)
		return r;
	*ret = result;
	memset(&result, 0, sizeof(result));
	return 0;
}
