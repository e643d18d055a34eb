// SPDX-License-Identifier: Apache-2.0
/*
 * The configuration file as a whole: top-level keys, and what must hold between them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <railgate/policy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/str.h"
#include "conf/internal.h"

#define CONF_MAX_BYTES 1048576
#define CONF_MAX_DEPTH 16

#define LISTEN_WANT                                                                           \
	"an address and a port such as \"127.0.0.1:9917\" or \"[::1]:9917\", or \"\" for no " \
	"metrics"

static void json_put_ptr(struct json_object **o)
{
	json_object_put(*o);
}

static int parse_rdma_cidr(struct json_object *value, const struct rg_path *path, void *dst,
			   struct rg_err *err)
{
	const char *want = "a unicast network such as \"172.16.0.0/16\"";
	struct rg_cidr_net *c = dst;
	char text[RG_CIDR_STR_LEN];
	const char *s;
	int r;

	r = rg_schema_string(value, path, want, &s, err);
	if (r < 0)
		return r;
	if (rg_cidr_parse(s, c) < 0 || rg_addr_is_multicast(&c->addr))
		return rg_schema_fail(err, path, value, want);
	if (!c->prefix)
		return rg_err_set(err, -EINVAL,
				  "%s: %s holds every address and would let everything pass; name "
				  "the fabric's networks, or set policy.mode to \"off\"",
				  path->text, s);
	if (rg_cidr_has_host_bits(c)) {
		struct rg_cidr_net net = rg_cidr_network(c);

		return rg_err_set(err, -EINVAL, "%s: %s has bits behind its prefix; write %s",
				  path->text, s, rg_cidr_format(&net, text));
	}
	return 0;
}

static int parse_rdma_cidrs(struct json_object *value, const struct rg_path *path, void *dst,
			    struct rg_err *err)
{
	struct rg_conf *conf = dst;
	size_t i, k;
	int r;

	r = rg_schema_array(value, path, RG_CONF_MAX_CIDRS, parse_rdma_cidr, conf->rdma_cidrs,
			    sizeof(conf->rdma_cidrs[0]), &conf->n_rdma_cidrs, err);
	if (r < 0)
		return r;
	if (!conf->n_rdma_cidrs)
		return rg_err_set(err, -EINVAL, "%s: empty; name the fabric's networks",
				  path->text);
	for (i = 0; i < conf->n_rdma_cidrs; i++)
		for (k = 0; k < i; k++)
			if (conf->rdma_cidrs[i].prefix == conf->rdma_cidrs[k].prefix &&
			    rg_addr_equal(&conf->rdma_cidrs[i].addr, &conf->rdma_cidrs[k].addr))
				return rg_err_set(err, -EINVAL,
						  "%s[%zu]: the same network as [%zu]; remove one",
						  path->text, i, k);
	return 0;
}

static bool match_equal(const struct rg_conf_match *a, const struct rg_conf_match *b)
{
	return (a->netdev[0] && rg_str_equal(a->netdev, b->netdev)) ||
	       (a->pci[0] && rg_str_equal(a->pci, b->pci)) ||
	       (a->rdma[0] && rg_str_equal(a->rdma, b->rdma)) ||
	       (a->has_mac && b->has_mac && memcmp(a->mac, b->mac, RG_MAC_LEN) == 0);
}

static int check_unique(const struct rg_conf *conf, size_t i, const struct rg_path *path,
			struct rg_err *err)
{
	const struct rg_conf_rail *rail = &conf->rails[i];
	char text[RG_ADDR_STR_LEN];
	size_t k, a, b;

	for (k = 0; k < i; k++) {
		const struct rg_conf_rail *other = &conf->rails[k];

		if (rg_str_equal(rail->name, other->name))
			return rg_err_set(err, -EINVAL, "%s.name: \"%s\" is rails[%zu]'s name too",
					  path->text, rail->name, k);
		if (match_equal(&rail->match, &other->match))
			return rg_err_set(err, -EINVAL,
					  "%s.match: binds to the same device as rails[%zu]",
					  path->text, k);
		for (a = 0; a < rail->n_addresses; a++)
			for (b = 0; b < other->n_addresses; b++)
				if (rg_addr_equal(&rail->addresses[a].addr,
						  &other->addresses[b].addr))
					return rg_err_set(
						err, -EINVAL,
						"%s.addresses[%zu]: %s is rails[%zu]'s address too",
						path->text, a,
						rg_addr_format(&rail->addresses[a].addr, text), k);
	}
	return 0;
}

/* Rails inherit the node's policy, so they are read after it whatever the order in the file. */
static int parse_rails(struct json_object *value, const struct rg_path *path, struct rg_conf *conf,
		       struct rg_err *err)
{
	size_t n, i;
	int r;

	if (!json_object_is_type(value, json_type_array))
		return rg_schema_fail(err, path, value, "an array");
	n = json_object_array_length(value);
	if (n > RG_MAX_RAILS)
		return rg_err_set(err, -EINVAL, "%s: %zu rails; at most %d are possible",
				  path->text, n, RG_MAX_RAILS);
	for (i = 0; i < n; i++) {
		struct rg_conf_rail *rail = &conf->rails[i];
		struct rg_path at = rg_path_index(path, i);

		rail->manage = true;
		rail->num_vfs = -1;
		rail->policy = conf->policy;
		r = rg_conf_parse_rail(json_object_array_get_idx(value, i), &at, rail, err);
		if (r < 0)
			return r;
		r = check_unique(conf, i, &at, err);
		if (r < 0)
			return r;
	}
	conf->n_rails = n;
	return 0;
}

static bool listen_is_valid(const char *s)
{
	const char *colon = strrchr(s, ':');
	char host[RG_LISTEN_SIZE];
	struct rg_addr a;
	uint64_t port;
	size_t len;

	if (!colon || rg_str_u64(colon + 1, 65535, &port) < 0 || !port)
		return false;
	len = (size_t)(colon - s);
	if (len >= sizeof(host))
		return false;
	memcpy(host, s, len);
	host[len] = '\0';
	if (host[0] != '[')
		return rg_addr_parse(host, &a) == 0 && rg_addr_is_v4(&a);
	if (host[len - 1] != ']')
		return false;
	host[len - 1] = '\0';
	return rg_addr_parse(host + 1, &a) == 0;
}

static int parse_listen(struct json_object *value, const struct rg_path *path, void *dst,
			struct rg_err *err)
{
	const char *s;
	int r;

	r = rg_schema_string(value, path, LISTEN_WANT, &s, err);
	if (r < 0)
		return r;
	if ((*s && !listen_is_valid(s)) || rg_str_copy(dst, RG_LISTEN_SIZE, s) < 0)
		return rg_schema_fail(err, path, value, LISTEN_WANT);
	return 0;
}

static int parse_metrics(struct json_object *value, const struct rg_path *path, void *dst,
			 struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"listen", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf, metrics_listen), 0, 0,
		 parse_listen, LISTEN_WANT},
	};

	return rg_schema_object(value, path, fields, ARRAY_SIZE(fields), dst, err);
}

/* "rails" is checked for its presence here and read by parse_rails(). */
static int parse_later(struct json_object *value, const struct rg_path *path, void *dst,
		       struct rg_err *err)
{
	(void)value;
	(void)path;
	(void)dst;
	(void)err;
	return 0;
}

static int parse_document(struct json_object *doc, struct rg_conf *conf, struct rg_err *err)
{
	static const struct rg_field fields[] = {
		{"rdmaCidrs", RG_FIELD_CUSTOM, true, 0, 0, 0, parse_rdma_cidrs,
		 "the fabric's networks, such as [\"172.16.0.0/16\"]"},
		{"policy", RG_FIELD_CUSTOM, false, offsetof(struct rg_conf, policy), 0, 0,
		 rg_conf_parse_policy, "an object"},
		{"rails", RG_FIELD_CUSTOM, true, 0, 0, 0, parse_later, "an array of rails"},
		{"metrics", RG_FIELD_CUSTOM, false, 0, 0, 0, parse_metrics, "an object"},
		{"maxEndpoints", RG_FIELD_U32, false, offsetof(struct rg_conf, max_endpoints),
		 RG_ENDPOINTS_MIN, RG_ENDPOINTS_MAX, NULL,
		 "a number of endpoints from 64 to 65536"},
	};
	const struct rg_path top = {.text = ""}, rails = {.text = "rails"};
	int r;

	r = rg_schema_object(doc, &top, fields, ARRAY_SIZE(fields), conf, err);
	if (r < 0)
		return r;
	return parse_rails(json_object_object_get(doc, "rails"), &rails, conf, err);
}

int rg_conf_parse(const char *text, size_t len, struct rg_conf **ret, struct rg_err *err)
{
	_cleanup_(json_put_ptr) struct json_object *doc = NULL;
	_cleanup_free_ struct rg_conf *conf = calloc(1, sizeof(*conf));
	int r;

	if (!conf)
		return rg_err_errno(err, -ENOMEM, "cannot read the configuration");
	conf->policy.mode = RG_MODE_ENFORCE;
	conf->policy.profile = RG_PROFILE_STANDARD;
	conf->max_endpoints = RG_ENDPOINTS_DEFAULT;
	(void)rg_str_copy(conf->metrics_listen, sizeof(conf->metrics_listen), "127.0.0.1:9917");
	r = rg_schema_parse_text(text, len, CONF_MAX_DEPTH, &doc, err);
	if (r < 0)
		return r;
	r = parse_document(doc, conf, err);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(conf);
	return 0;
}

int rg_conf_load(const char *path, struct rg_conf **ret, struct rg_err *err)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r;

	r = rg_fs_read(AT_FDCWD, path, CONF_MAX_BYTES, &text, &len);
	if (r == -EFBIG)
		return rg_err_set(err, r,
				  "%s: larger than %d bytes; this cannot be a railgate "
				  "configuration",
				  path, CONF_MAX_BYTES);
	if (r < 0)
		return rg_err_errno(err, r, "cannot read the configuration %s", path);
	r = rg_conf_parse(text, len, ret, err);
	if (r < 0)
		return rg_err_ctx(err, r, "%s", path);
	return 0;
}

int rg_conf_find_rail(const struct rg_conf *conf, const char *name)
{
	size_t i;

	for (i = 0; i < conf->n_rails; i++)
		if (rg_str_equal(conf->rails[i].name, name))
			return (int)i;
	return -ENOENT;
}

char *rg_conf_rail_names(const struct rg_conf *conf, char *buf, size_t size)
{
	size_t i, len = 0;

	(void)rg_str_copy(buf, size, conf->n_rails ? "" : "(none)");
	for (i = 0; i < conf->n_rails; i++) {
		(void)rg_str_format(buf + len, size - len, "%s%s", i ? ", " : "",
				    conf->rails[i].name);
		len = strlen(buf);
	}
	return buf;
}

const char *rg_conf_path(const char *option, const char *variable, const char *fallback)
{
	const char *env = getenv(variable);

	if (option && *option)
		return option;
	return env && *env ? env : fallback;
}
