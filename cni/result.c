// SPDX-License-Identifier: Apache-2.0
/*
 * Building a result and writing it in the version that was asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "result.h"

void rg_result_done(struct rg_result *result)
{
	free(result->ifs);
	free(result->ips);
	free(result->routes);
	json_object_put(result->dns);
	memset(result, 0, sizeof(*result));
}

/* Append @size bytes to an array; @items is where its pointer is. */
static int append(void *items, size_t *n, const void *item, size_t size)
{
	void *old, *bigger;

	memcpy(&old, items, sizeof(old));
	bigger = reallocarray(old, *n + 1, size);
	if (!bigger)
		return -ENOMEM;
	memcpy((char *)bigger + *n * size, item, size);
	memcpy(items, &bigger, sizeof(bigger));
	(*n)++;
	return 0;
}

int rg_result_add_if(struct rg_result *result, const struct rg_result_if *item)
{
	return append(&result->ifs, &result->n_ifs, item, sizeof(*item));
}

int rg_result_add_ip(struct rg_result *result, const struct rg_result_ip *item)
{
	return append(&result->ips, &result->n_ips, item, sizeof(*item));
}

int rg_result_add_route(struct rg_result *result, const struct rg_result_route *item)
{
	return append(&result->routes, &result->n_routes, item, sizeof(*item));
}

/* json-c aborts nothing and returns NULL without memory; adding NULL would write null. */
static int put(struct json_object *doc, const char *key, struct json_object *value)
{
	if (!doc || !value || json_object_object_add(doc, key, value) < 0) {
		json_object_put(value);
		return -ENOMEM;
	}
	return 0;
}

static int put_string(struct json_object *doc, const char *key, const char *s)
{
	return put(doc, key, json_object_new_string(s));
}

static int put_number(struct json_object *doc, const char *key, int64_t v)
{
	return put(doc, key, json_object_new_int64(v));
}

static int put_addr(struct json_object *doc, const char *key, const struct rg_addr *addr)
{
	char text[RG_ADDR_STR_LEN];

	return put_string(doc, key, rg_addr_format(addr, text));
}

static int put_cidr(struct json_object *doc, const char *key, const struct rg_cidr_net *cidr)
{
	char text[RG_CIDR_STR_LEN];

	return put_string(doc, key, rg_cidr_format(cidr, text));
}

/* Append an object to a list; takes it over. */
static int append_object(struct json_object *list, struct json_object *item, int r)
{
	if (r < 0 || json_object_array_add(list, item) < 0) {
		json_object_put(item);
		return -ENOMEM;
	}
	return 0;
}

static int format_if(struct json_object *list, const struct rg_result_if *item,
		     enum rg_cni_version version)
{
	struct json_object *doc = json_object_new_object();
	char mac[RG_MAC_STR_LEN];
	int r = put_string(doc, "name", item->name);

	if (item->has_mac)
		r = r ? r : put_string(doc, "mac", rg_mac_format(item->mac, mac));
	if (item->mtu && version >= RG_CNI_1_1_0)
		r = r ? r : put_number(doc, "mtu", item->mtu);
	if (item->sandbox[0])
		r = r ? r : put_string(doc, "sandbox", item->sandbox);
	if (item->pci[0] && version >= RG_CNI_1_1_0)
		r = r ? r : put_string(doc, "pciID", item->pci);
	return append_object(list, doc, r);
}

static int format_ip(struct json_object *list, const struct rg_result_ip *item, int first_if,
		     enum rg_cni_version version)
{
	struct json_object *doc = json_object_new_object();
	int r = 0;

	if (version < RG_CNI_1_0_0)
		r = put_string(doc, "version", rg_addr_is_v4(&item->addr.addr) ? "4" : "6");
	if (item->interface >= 0)
		r = r ? r : put_number(doc, "interface", first_if + item->interface);
	r = r ? r : put_cidr(doc, "address", &item->addr);
	if (item->has_gateway)
		r = r ? r : put_addr(doc, "gateway", &item->gateway);
	return append_object(list, doc, r);
}

static int format_route(struct json_object *list, const struct rg_result_route *item,
			enum rg_cni_version version)
{
	struct json_object *doc = json_object_new_object();
	int r = put_cidr(doc, "dst", &item->dst);

	if (item->has_gateway)
		r = r ? r : put_addr(doc, "gw", &item->gateway);
	if (version >= RG_CNI_1_1_0) {
		if (item->mtu)
			r = r ? r : put_number(doc, "mtu", item->mtu);
		if (item->advmss)
			r = r ? r : put_number(doc, "advmss", item->advmss);
		if (item->has_priority)
			r = r ? r : put_number(doc, "priority", item->priority);
		if (item->table)
			r = r ? r : put_number(doc, "table", item->table);
		if (item->scope >= 0)
			r = r ? r : put_number(doc, "scope", item->scope);
	}
	return append_object(list, doc, r);
}

/* The list that @doc has under a key, made if it has none. */
static struct json_object *list_of(struct json_object *doc, const char *key)
{
	struct json_object *list = NULL;

	if (json_object_object_get_ex(doc, key, &list) &&
	    json_object_is_type(list, json_type_array))
		return list;
	list = json_object_new_array();
	return put(doc, key, list) < 0 ? NULL : list;
}

static int fill(struct json_object *doc, const struct rg_result *result,
		enum rg_cni_version version)
{
	struct json_object *ifs, *ips, *routes, *dns = NULL;
	int first_if, r = put_string(doc, "cniVersion", rg_version_text(version));

	ifs = r ? NULL : list_of(doc, "interfaces");
	ips = ifs ? list_of(doc, "ips") : NULL;
	routes = ips ? list_of(doc, "routes") : NULL;
	if (!routes)
		return -ENOMEM;
	first_if = (int)json_object_array_length(ifs);
	for (size_t i = 0; i < result->n_ifs && r == 0; i++)
		r = format_if(ifs, &result->ifs[i], version);
	for (size_t i = 0; i < result->n_ips && r == 0; i++)
		r = format_ip(ips, &result->ips[i], first_if, version);
	for (size_t i = 0; i < result->n_routes && r == 0; i++)
		r = format_route(routes, &result->routes[i], version);
	if (r == 0 && (!json_object_object_get_ex(doc, "dns", &dns) || !dns))
		r = put(doc, "dns",
			result->dns ? json_object_get(result->dns) : json_object_new_object());
	return r;
}

int rg_result_format(const struct rg_result *result, enum rg_cni_version version,
		     struct json_object *prev, struct json_object **ret)
{
	struct json_object *doc = NULL;
	int r;

	if (prev && json_object_deep_copy(prev, &doc, NULL) < 0)
		return -ENOMEM;
	if (!doc)
		doc = json_object_new_object();
	r = doc ? fill(doc, result, version) : -ENOMEM;
	if (r < 0) {
		json_object_put(doc);
		return r;
	}
	*ret = doc;
	return 0;
}
