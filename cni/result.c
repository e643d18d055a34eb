// SPDX-License-Identifier: Apache-2.0
/*
 * CNI results. The formats differ in three things: before 1.0.0 an address carries its "version",
 * and only 1.1.0 knows the MTU and PCI address of interfaces and the priority of routes (CNI
 * specification 1.1.0, section 5; 0.4.0, "Result").
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/schema.h"
#include "result.h"

static int parse_address(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	const char *want = "an address with its prefix such as \"172.16.0.10/24\"";
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	return rg_cidr_parse(s, dst) < 0 ? rg_schema_fail(err, path, value, want) : 0;
}

static int parse_gateway(struct json_object *value, const struct rg_path *path, struct rg_addr *dst,
			 bool *ret_has, struct rg_err *err)
{
	const char *want = "an address such as \"172.16.0.1\"";
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0 || !*s)
		return r;
	if (rg_addr_parse(s, dst) < 0)
		return rg_schema_fail(err, path, value, want);
	*ret_has = true;
	return 0;
}

static int parse_ip_gateway(struct json_object *value, const struct rg_path *path, void *dst,
			    struct rg_err *err)
{
	struct rg_cni_ip *ip = dst;

	return parse_gateway(value, path, &ip->gateway, &ip->has_gateway, err);
}

static int parse_route_gateway(struct json_object *value, const struct rg_path *path, void *dst,
			       struct rg_err *err)
{
	struct rg_cni_route *route = dst;

	return parse_gateway(value, path, &route->gateway, &route->has_gateway, err);
}

static int parse_ip(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "address",
		 .type = RG_FIELD_CUSTOM,
		 .required = true,
		 .offset = offsetof(struct rg_cni_ip, address),
		 .parse = parse_address,
		 .want = "an address"},
		{.key = "gateway", .type = RG_FIELD_CUSTOM, .parse = parse_ip_gateway},
		{.key = "interface",
		 .type = RG_FIELD_S32,
		 .offset = offsetof(struct rg_cni_ip, interface),
		 .min = -1,
		 .max = RG_CNI_MAX_INTERFACES - 1,
		 .want = "the index of an interface"},
	};
	struct rg_cni_ip *ip = dst;

	ip->interface = -1;
	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), ip, err);
}

static int parse_route(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "dst",
		 .type = RG_FIELD_CUSTOM,
		 .required = true,
		 .offset = offsetof(struct rg_cni_route, dst),
		 .parse = parse_address,
		 .want = "a network"},
		{.key = "gw", .type = RG_FIELD_CUSTOM, .parse = parse_route_gateway},
		{.key = "priority",
		 .type = RG_FIELD_U32,
		 .offset = offsetof(struct rg_cni_route, priority),
		 .max = UINT32_MAX,
		 .want = "a metric"},
	};

	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_interface(struct json_object *value, const struct rg_path *path, void *dst,
			   struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{.key = "name",
		 .type = RG_FIELD_STRING,
		 .required = true,
		 .offset = offsetof(struct rg_cni_interface, name),
		 .max = IF_NAMESIZE,
		 .want = "an interface name of at most 15 characters"},
		{.key = "mac",
		 .type = RG_FIELD_STRING,
		 .offset = offsetof(struct rg_cni_interface, mac),
		 .max = 64,
		 .want = "a MAC"},
		{.key = "mtu",
		 .type = RG_FIELD_U32,
		 .offset = offsetof(struct rg_cni_interface, mtu),
		 .max = UINT32_MAX,
		 .want = "an MTU"},
		{.key = "sandbox",
		 .type = RG_FIELD_STRING,
		 .offset = offsetof(struct rg_cni_interface, sandbox),
		 .max = PATH_MAX,
		 .want = "a path"},
		{.key = "pciID",
		 .type = RG_FIELD_STRING,
		 .offset = offsetof(struct rg_cni_interface, pci_id),
		 .max = RG_PCI_SIZE,
		 .want = "a device address"},
	};

	return rg_schema_known(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int parse_list(struct json_object *doc, const char *key, size_t max, rg_field_parse parse,
		      void *dst, size_t stride, size_t *ret_n, struct rg_err *err)
{
	const struct rg_path path = rg_path_key(&(struct rg_path){.text = ""}, key);
	struct json_object *list = json_object_object_get(doc, key);

	return list ? rg_schema_array(list, &path, max, parse, dst, stride, ret_n, err) : 0;
}

int rg_cni_result_parse(struct json_object *doc, struct rg_cni_result *ret, struct rg_err *err)
{
	int r;

	memset(ret, 0, sizeof(*ret));
	if (!json_object_is_type(doc, json_type_object))
		return rg_err_set(err, -EINVAL, "a result must be a JSON object");
	r = parse_list(doc, "interfaces", RG_CNI_MAX_INTERFACES, parse_interface, ret->interfaces,
		       sizeof(ret->interfaces[0]), &ret->n_interfaces, err);
	if (r == 0)
		r = parse_list(doc, "ips", RG_CNI_MAX_IPS, parse_ip, ret->ips, sizeof(ret->ips[0]),
			       &ret->n_ips, err);
	if (r == 0)
		r = parse_list(doc, "routes", RG_CNI_MAX_ROUTES, parse_route, ret->routes,
			       sizeof(ret->routes[0]), &ret->n_routes, err);
	if (r < 0)
		return r;
	ret->dns = json_object_get(json_object_object_get(doc, "dns"));
	return 0;
}

static void add_string(struct json_object *o, const char *key, const char *value)
{
	json_object_object_add(o, key, json_object_new_string(value));
}

static struct json_object *interface_json(const struct rg_cni_interface *i,
					  enum rg_cni_version version)
{
	struct json_object *o = json_object_new_object();

	add_string(o, "name", i->name);
	if (i->mac[0])
		add_string(o, "mac", i->mac);
	if (i->mtu && version >= RG_CNI_1_1_0)
		json_object_object_add(o, "mtu", json_object_new_int64(i->mtu));
	if (i->sandbox[0])
		add_string(o, "sandbox", i->sandbox);
	if (i->pci_id[0] && version >= RG_CNI_1_1_0)
		add_string(o, "pciID", i->pci_id);
	return o;
}

static struct json_object *ip_json(const struct rg_cni_ip *ip, enum rg_cni_version version)
{
	struct json_object *o = json_object_new_object();
	char text[RG_CIDR_STR_LEN];

	if (version < RG_CNI_1_0_0)
		add_string(o, "version", rg_addr_is_v4(&ip->address.addr) ? "4" : "6");
	if (ip->interface >= 0)
		json_object_object_add(o, "interface", json_object_new_int(ip->interface));
	add_string(o, "address", rg_cidr_format(&ip->address, text));
	if (ip->has_gateway)
		add_string(o, "gateway", rg_addr_format(&ip->gateway, text));
	return o;
}

static struct json_object *route_json(const struct rg_cni_route *route, enum rg_cni_version version)
{
	struct json_object *o = json_object_new_object();
	char text[RG_CIDR_STR_LEN];

	add_string(o, "dst", rg_cidr_format(&route->dst, text));
	if (route->has_gateway)
		add_string(o, "gw", rg_addr_format(&route->gateway, text));
	if (route->priority && version >= RG_CNI_1_1_0)
		json_object_object_add(o, "priority", json_object_new_int64(route->priority));
	return o;
}

static void print(struct json_object *o)
{
	(void)puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE));
	(void)fflush(stdout);
}

void rg_cni_result_print(const struct rg_cni_result *result, enum rg_cni_version version)
{
	struct json_object *o = json_object_new_object(), *list;
	size_t i;

	add_string(o, "cniVersion", rg_cni_version_text(version));
	list = json_object_new_array();
	for (i = 0; i < result->n_interfaces; i++)
		json_object_array_add(list, interface_json(&result->interfaces[i], version));
	json_object_object_add(o, "interfaces", list);
	list = json_object_new_array();
	for (i = 0; i < result->n_ips; i++)
		json_object_array_add(list, ip_json(&result->ips[i], version));
	json_object_object_add(o, "ips", list);
	if (result->n_routes) {
		list = json_object_new_array();
		for (i = 0; i < result->n_routes; i++)
			json_object_array_add(list, route_json(&result->routes[i], version));
		json_object_object_add(o, "routes", list);
	}
	json_object_object_add(
		o, "dns", result->dns ? json_object_get(result->dns) : json_object_new_object());
	print(o);
	json_object_put(o);
}

void rg_cni_result_pass_on(struct json_object *doc, enum rg_cni_version version)
{
	add_string(doc, "cniVersion", rg_cni_version_text(version));
	print(doc);
}

void rg_cni_result_done(struct rg_cni_result *result)
{
	json_object_put(result->dns);
	result->dns = NULL;
}
