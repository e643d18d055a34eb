// SPDX-License-Identifier: Apache-2.0
/*
 * "policy": mode, profile, kernelRoce and the exceptions.
 */
#include <errno.h>
#include <json-c/json.h>
#include <netinet/in.h>
#include <railgate/policy.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/internal.h"

#define ANYONE (RG_FROM_HOST | RG_FROM_PODS)

struct named_value {
	const char *name;
	uint8_t value;
};

/* What the usual names stand for. A name may need several entries. */
static const struct {
	const char *name;
	struct rg_conf_allow allow;
} known_allows[] = {
	/* RFC 2131: clients send to port 67; RFC 8415: to port 547 */
	{"dhcp", {.proto = IPPROTO_UDP, .port = 67, .from = ANYONE}},
	{"dhcp", {.proto = IPPROTO_UDP, .port = 547, .from = ANYONE}},
	/* RFC 4271 */
	{"bgp", {.proto = IPPROTO_TCP, .port = 179, .from = RG_FROM_HOST}},
	/* RFC 5881 single hop, RFC 5883 multihop */
	{"bfd", {.proto = IPPROTO_UDP, .port = 3784, .from = RG_FROM_HOST}},
	{"bfd", {.proto = IPPROTO_UDP, .port = 4784, .from = RG_FROM_HOST}},
	/* IEEE 1588 annex C: event and general messages */
	{"ptp", {.proto = IPPROTO_UDP, .port = 319, .from = RG_FROM_HOST}},
	{"ptp", {.proto = IPPROTO_UDP, .port = 320, .from = RG_FROM_HOST}},
};

static int parse_named(struct json_object *value, const struct rg_path *path,
		       const struct named_value *names, size_t n, const char *want, uint8_t *dst,
		       struct rg_err *err)
{
	const char *s;
	size_t i;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	for (i = 0; i < n; i++) {
		if (rg_str_equal(names[i].name, s)) {
			*dst = names[i].value;
			return 0;
		}
	}
	return rg_schema_fail(err, path, value, want);
}

static int parse_mode(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct named_value modes[] = {
		{"enforce", RG_MODE_ENFORCE},
		{"audit", RG_MODE_AUDIT},
		{"off", RG_MODE_OFF},
	};

	return parse_named(value, path, modes, ARRAY_SIZE(modes),
			   "\"enforce\", \"audit\" or \"off\"", dst, err);
}

static int parse_profile(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	static const struct named_value profiles[] = {
		{"standard", RG_PROFILE_STANDARD},
		{"strict", RG_PROFILE_STRICT},
	};

	return parse_named(value, path, profiles, ARRAY_SIZE(profiles),
			   "\"standard\" or \"strict\"", dst, err);
}

static int parse_kernel_roce(struct json_object *value, const struct rg_path *path, void *dst,
			     struct rg_err *err)
{
	static const struct named_value verdicts[] = {{"allow", 0}, {"deny", 1}};
	uint8_t deny = 0;
	int r;

	r = parse_named(value, path, verdicts, ARRAY_SIZE(verdicts), "\"allow\" or \"deny\"", &deny,
			err);
	if (r < 0)
		return r;
	*(bool *)dst = deny;
	return 0;
}

static int parse_proto(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	static const struct named_value protos[] = {
		{"tcp", IPPROTO_TCP},	{"udp", IPPROTO_UDP},	    {"sctp", IPPROTO_SCTP},
		{"icmp", IPPROTO_ICMP}, {"icmpv6", IPPROTO_ICMPV6},
	};
	const char *want = "\"tcp\", \"udp\", \"sctp\", \"icmp\", \"icmpv6\" or a protocol number "
			   "from 1 to 255";
	int64_t number;
	int r;

	if (!json_object_is_type(value, json_type_int))
		return parse_named(value, path, protos, ARRAY_SIZE(protos), want, dst, err);
	r = rg_schema_number(value, path, 1, 255, want, &number, err);
	if (r < 0)
		return r;
	*(uint8_t *)dst = (uint8_t)number;
	return 0;
}

static int parse_from(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	static const struct named_value froms[] = {
		{"host", RG_FROM_HOST},
		{"pods", RG_FROM_PODS},
		{"any", ANYONE},
	};

	return parse_named(value, path, froms, ARRAY_SIZE(froms), "\"host\", \"pods\" or \"any\"",
			   dst, err);
}

static int parse_to(struct json_object *value, const struct rg_path *path, void *dst,
		    struct rg_err *err)
{
	const char *want = "a network such as \"10.0.0.0/8\", without bits behind its prefix";
	struct rg_conf_allow *a = dst;
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (rg_cidr_parse(s, &a->to) < 0 || rg_cidr_has_host_bits(&a->to))
		return rg_schema_fail(err, path, value, want);
	a->has_to = true;
	return 0;
}

static int parse_port(struct json_object *value, const struct rg_path *path, void *dst,
		      struct rg_err *err)
{
	int64_t port;
	int r;

	r = rg_schema_number(value, path, 1, 65535, "a port from 1 to 65535", &port, err);
	if (r < 0)
		return r;
	*(uint16_t *)dst = (uint16_t)port;
	return 0;
}

static int add_allow(struct rg_conf_policy *p, const struct rg_conf_allow *a,
		     const struct rg_path *path, struct rg_err *err)
{
	if (p->n_allows == RG_MAX_ALLOWS)
		return rg_err_set(err, -EINVAL,
				  "%s: too many exceptions; at most %d are possible (a name such "
				  "as \"ptp\" counts as two)",
				  path->text, RG_MAX_ALLOWS);
	p->allows[p->n_allows++] = *a;
	return 0;
}

static int parse_allow_name(struct json_object *value, const struct rg_path *path,
			    struct rg_conf_policy *p, struct rg_err *err)
{
	const char *name = json_object_get_string(value);
	bool found = false;
	size_t i;
	int r;

	for (i = 0; i < ARRAY_SIZE(known_allows); i++) {
		if (!rg_str_equal(known_allows[i].name, name))
			continue;
		found = true;
		r = add_allow(p, &known_allows[i].allow, path, err);
		if (r < 0)
			return r;
	}
	if (!found)
		return rg_schema_fail(err, path, value,
				      "\"dhcp\", \"bgp\", \"bfd\", \"ptp\" or an object with "
				      "\"proto\"");
	return 0;
}

static int parse_allow(struct json_object *value, const struct rg_path *path,
		       struct rg_conf_policy *p, struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"proto", RG_FIELD_CUSTOM, true, offsetof(struct rg_conf_allow, proto), 0, 0,
		 parse_proto, "a protocol"},
		{"port", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_allow, port), 0, 0,
		 parse_port, "a port"},
		{"to", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_to, "a network"},
		{"from", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_allow, from), 0, 0,
		 parse_from, "a sender"},
	};
	struct rg_conf_allow a = {.from = ANYONE};
	int r;

	if (json_object_is_type(value, json_type_string))
		return parse_allow_name(value, path, p, err);
	r = rg_schema_object(value, path, fields, ARRAY_SIZE(fields), &a, err);
	if (r < 0)
		return r;
	if (a.port && a.proto != IPPROTO_TCP && a.proto != IPPROTO_UDP && a.proto != IPPROTO_SCTP)
		return rg_err_set(err, -EINVAL,
				  "%s.port: protocol %u has no ports; remove \"port\" or give tcp, "
				  "udp or sctp",
				  path->text, a.proto);
	return add_allow(p, &a, path, err);
}

/* A list given for a rail replaces the node's: what a rail may carry stands in one place. */
static int parse_allows(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	struct rg_conf_policy *p = dst;
	size_t n, i;

	if (!json_object_is_type(value, json_type_array))
		return rg_schema_fail(err, path, value, "an array");
	p->n_allows = 0;
	n = json_object_array_length(value);
	for (i = 0; i < n; i++) {
		struct json_object *e = json_object_array_get_idx(value, i);
		struct rg_path at = rg_path_index(path, i);
		int r;

		r = parse_allow(e, &at, p, err);
		if (r < 0)
			return r;
	}
	return 0;
}

int rg_conf_parse_policy(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"mode", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_policy, mode), 0, 0,
		 parse_mode, "a mode"},
		{"profile", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf_policy, profile), 0, 0,
		 parse_profile, "a profile"},
		{"kernelRoce", RG_FIELD_CUSTOM, false,
		 offsetof(struct rg_conf_policy, kernel_roce_deny), 0, 0, parse_kernel_roce,
		 "a verdict"},
		{"allow", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_allows, "a list of exceptions"},
	};

	return rg_schema_object(value, path, fields, ARRAY_SIZE(fields), dst, err);
}
