// SPDX-License-Identifier: Apache-2.0
/*
 * One element of "rails".
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/internal.h"

#define NAME_WANT                                                                              \
	"a name of 1 to 15 characters, of letters, digits, \"-\", \"_\" and \".\", beginning " \
	"with a letter or digit"
#define NETDEV_WANT "a netdev name of 1 to 15 characters without \"/\" and blanks"
#define PCI_WANT    "a device address such as \"0000:86:00.0\" or \"mlx5_core.sf.4\""
#define RDMA_WANT   "an RDMA device name of 1 to 63 characters such as \"mlx5_0\""
#define ADDR_WANT   "an interface address such as \"172.16.0.10/24\""

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Names become part of pin names, file names and metric labels. */
static bool name_is_plain(const char *s, const char *more)
{
	if (!is_alnum(*s))
		return false;
	for (; *s; s++)
		if (!is_alnum(*s) && !strchr(more, *s))
			return false;
	return true;
}

static int parse_plain(struct json_object *value, const struct rg_path *path, const char *more,
		       const char *want, char *dst, size_t size, struct rg_err *err)
{
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (!name_is_plain(s, more) || rg_str_copy(dst, size, s) < 0)
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_name(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	return parse_plain(value, path, "-_.", NAME_WANT, dst, RG_RAIL_NAME_SIZE, err);
}

static int parse_pci(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	return parse_plain(value, path, "-_.:", PCI_WANT, dst, RG_PCI_SIZE, err);
}

static int parse_rdma(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	return parse_plain(value, path, "-_.", RDMA_WANT, dst, RG_RDMA_NAME_SIZE, err);
}

static int parse_netdev(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	const char *s;
	int r;

	r = rg_schema_string(value, path, NETDEV_WANT, &s, err);
	if (r < 0)
		return r;
	/* net/core/dev.c, dev_valid_name() */
	if (!*s || rg_str_equal(s, ".") || rg_str_equal(s, "..") || strpbrk(s, "/: \t\n\v\f\r") ||
	    rg_str_copy(dst, IF_NAMESIZE, s) < 0)
		return rg_schema_fail(err, path, value, NETDEV_WANT);
	return 0;
}

static int parse_mac(struct json_object *value, const struct rg_path *path, void *dst,
		     struct rg_err *err)
{
	const char *want = "a unicast MAC such as \"02:00:00:00:00:01\"";
	struct rg_conf_match *m = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (rg_mac_parse(s, m->mac) < 0 || !rg_mac_is_unicast(m->mac))
		return rg_schema_fail(err, path, value, want);
	m->has_mac = true;
	return 0;
}

static int parse_match(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"netdev", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_match, netdev), 0, 0,
		 parse_netdev, NETDEV_WANT},
		{"mac", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_mac, "a MAC"},
		{"pci", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_match, pci), 0, 0,
		 parse_pci, PCI_WANT},
		{"rdma", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_match, rdma), 0, 0,
		 parse_rdma, RDMA_WANT},
	};
	struct rg_conf_match *m = dst;
	int r;

	r = rg_schema_object(value, path, fields, ARRAY_SIZE(fields), m, err);
	if (r < 0)
		return r;
	if (!m->netdev[0] && !m->has_mac && !m->pci[0] && !m->rdma[0])
		return rg_err_set(err, -EINVAL,
				  "%s: empty; give at least one of pci, mac, rdma, netdev",
				  path->text);
	return 0;
}

static int parse_address(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	struct rg_cidr_net *c = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, ADDR_WANT, &s, err);
	if (r < 0)
		return r;
	if (rg_cidr_parse(s, c) < 0 || !c->prefix || rg_addr_is_zero(&c->addr) ||
	    rg_addr_is_multicast(&c->addr))
		return rg_schema_fail(err, path, value, ADDR_WANT);
	return 0;
}

static int parse_addresses(struct json_object *value, const struct rg_path *path, void *dst,
			   struct rg_err *err)
{
	struct rg_conf_rail *rail = dst;
	size_t i, k;
	int r;

	r = rg_schema_array(value, path, RG_CONF_MAX_ADDRS, parse_address, rail->addresses,
			    sizeof(rail->addresses[0]), &rail->n_addresses, err);
	if (r < 0)
		return r;
	for (i = 0; i < rail->n_addresses; i++)
		for (k = 0; k < i; k++)
			if (rg_addr_equal(&rail->addresses[i].addr, &rail->addresses[k].addr))
				return rg_err_set(err, -EINVAL,
						  "%s[%zu]: the same address as [%zu]; remove one",
						  path->text, i, k);
	return 0;
}

static int parse_gateway(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	const char *want = "a unicast address such as \"172.16.0.1\", without a prefix";
	struct rg_addr *a = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (rg_addr_parse(s, a) < 0 || rg_addr_is_zero(a) || rg_addr_is_multicast(a))
		return rg_schema_fail(err, path, value, want);
	return 0;
}

static int parse_gateways(struct json_object *value, const struct rg_path *path, void *dst,
			  struct rg_err *err)
{
	struct rg_conf_rail *rail = dst;
	int r;

	r = rg_schema_array(value, path, ARRAY_SIZE(rail->gateways), parse_gateway, rail->gateways,
			    sizeof(rail->gateways[0]), &rail->n_gateways, err);
	if (r < 0)
		return r;
	if (rail->n_gateways == 2 &&
	    rg_addr_is_v4(&rail->gateways[0]) == rg_addr_is_v4(&rail->gateways[1]))
		return rg_err_set(err, -EINVAL,
				  "%s: two gateways of one family; give at most one IPv4 and one "
				  "IPv6 gateway",
				  path->text);
	return 0;
}

static int parse_vlan(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	int64_t id;
	int r;

	r = rg_schema_number(value, path, 1, 4094, "a VLAN id from 1 to 4094", &id, err);
	if (r < 0)
		return r;
	*(uint16_t *)dst = (uint16_t)id;
	return 0;
}

static int parse_vlans(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	struct rg_conf_rail *rail = dst;

	return rg_schema_array(value, path, RG_MAX_VLANS, parse_vlan, rail->vlans,
			       sizeof(rail->vlans[0]), &rail->n_vlans, err);
}

static int parse_sriov(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"numVfs", RG_FIELD_S32, true, offsetof(struct rg_conf_rail, num_vfs), 0, 4096,
		 NULL, "a number of VFs from 0 to 4096"},
	};

	return rg_schema_object(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

static int check_gateways(const struct rg_conf_rail *rail, const struct rg_path *path,
			  struct rg_err *err)
{
	char text[RG_ADDR_STR_LEN];
	size_t i, k;

	for (i = 0; i < rail->n_gateways; i++) {
		const struct rg_addr *gw = &rail->gateways[i];
		bool reachable = rg_addr_is_link_local(gw) || !rail->n_addresses;

		for (k = 0; k < rail->n_addresses; k++) {
			if (rg_addr_equal(&rail->addresses[k].addr, gw))
				return rg_err_set(err, -EINVAL,
						  "%s.gateways[%zu]: %s is the rail's own address",
						  path->text, i, rg_addr_format(gw, text));
			reachable |= rg_cidr_contains(&rail->addresses[k], gw);
		}
		if (!reachable)
			return rg_err_set(
				err, -EINVAL,
				"%s.gateways[%zu]: %s lies in none of the rail's subnets; "
				"give a gateway within one of \"addresses\"",
				path->text, i, rg_addr_format(gw, text));
	}
	return 0;
}

int rg_conf_parse_rail(struct json_object *value, const struct rg_path *path,
		       struct rg_conf_rail *rail, struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"name", RG_FIELD_CUSTOM, true, offsetof(struct rg_conf_rail, name), 0, 0,
		 parse_name, NAME_WANT},
		{"match", RG_FIELD_CUSTOM, true, offsetof(struct rg_conf_rail, match), 0, 0,
		 parse_match, "an object with at least one of pci, mac, rdma, netdev"},
		{"addresses", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_addresses, "an array"},
		{"gateways", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_gateways, "an array"},
		{"mtu", RG_FIELD_U32, false, offsetof(struct rg_conf_rail, mtu), 68, 65535, NULL,
		 "an MTU from 68 to 65535 bytes"},
		{"manage", RG_FIELD_BOOL, false, offsetof(struct rg_conf_rail, manage), 0, 0, NULL,
		 "true or false"},
		{"vlans", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_vlans, "an array"},
		{"sriov", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_sriov, "an object"},
		{"policy", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_rail, policy), 0, 0,
		 rg_conf_parse_policy, "an object"},
	};
	int r;

	r = rg_schema_object(value, path, fields, ARRAY_SIZE(fields), rail, err);
	if (r < 0)
		return r;
	return check_gateways(rail, path, err);
}
