// SPDX-License-Identifier: Apache-2.0
/*
 * The network configuration (CNI specification 1.1.0, section 1).
 */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "conf/schema.h"
#include "netconf.h"

#define INPUT_MAX_DEPTH 32

#define MAC_WANT	"a unicast MAC such as \"02:00:00:00:00:01\""

static const char *const version_texts[RG_CNI_VERSIONS] = {"0.3.0", "0.3.1", "0.4.0", "1.0.0",
							   "1.1.0"};

const char *rg_cni_version_text(enum rg_cni_version version)
{
	return version_texts[version];
}

static int parse_version(struct rg_cni_netconf *conf, struct rg_cni_error *error)
{
	struct json_object *v = json_object_object_get(conf->doc, "cniVersion");
	const char *text = v ? json_object_get_string(v) : "0.1.0";
	size_t i;

	for (i = 0; i < RG_CNI_VERSIONS; i++) {
		if (rg_str_equal(version_texts[i], text)) {
			conf->version = (enum rg_cni_version)i;
			return 0;
		}
	}
	return rg_cni_fail(error, RG_CNI_VERSION,
			   "cniVersion: \"%.32s\" is not supported; railgate speaks 0.3.0, 0.3.1, "
			   "0.4.0, 1.0.0 and 1.1.0",
			   text);
}

static int check_name(const char *name, struct rg_cni_error *error)
{
	const char *more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	if (!*name || strchr("_.-", *name) || name[strspn(name, more)])
		return rg_cni_fail(
			error, RG_CNI_CONFIG,
			"name: \"%.64s\" must begin with a letter or digit and hold only "
			"letters, digits, \"_\", \".\" and \"-\"",
			name);
	return 0;
}

/* CNI_ARGS are stronger than the configuration and weaker than runtimeConfig. */
static int apply_args_mac(const struct rg_cni_env *env, struct rg_cni_netconf *conf,
			  struct rg_cni_error *error)
{
	if (!env->args_mac[0])
		return 0;
	if (rg_mac_parse(env->args_mac, conf->mac) < 0 || !rg_mac_is_unicast(conf->mac))
		return rg_cni_fail(error, RG_CNI_ENVIRONMENT, "CNI_ARGS: MAC \"%s\" is not %s",
				   env->args_mac, MAC_WANT);
	conf->has_mac = true;
	return 0;
}

int rg_cni_netconf_parse(const char *text, size_t len, const struct rg_cni_env *env,
			 struct rg_cni_netconf *ret, struct rg_cni_error *error)
{
	struct rg_err err = {.code = 0};
	int r;

	memset(ret, 0, sizeof(*ret));
	ret->version = RG_CNI_1_1_0;
	if (rg_schema_parse_text(text, len, INPUT_MAX_DEPTH, &ret->doc, &err) < 0)
		return rg_cni_fail(error, RG_CNI_DECODE, "network configuration: %s", err.msg);
	if (!json_object_is_type(ret->doc, json_type_object))
		return rg_cni_fail(error, RG_CNI_DECODE,
				   "network configuration: not a JSON object");
	r = parse_version(ret, error);
	if (r < 0)
		return r;
	if (rg_cni_netconf_keys(ret, &err) < 0)
		return rg_cni_fail(error, RG_CNI_CONFIG, "network configuration: %s", err.msg);
	r = check_name(ret->name, error);
	if (r == 0)
		r = apply_args_mac(env, ret, error);
	if (r < 0)
		return r;
	if (rg_cni_netconf_runtime(ret, &err) < 0)
		return rg_cni_fail(error, RG_CNI_CONFIG, "network configuration: %s", err.msg);
	return 0;
}

int rg_cni_netconf_read(const struct rg_cni_env *env, struct rg_cni_netconf *ret,
			struct rg_cni_error *error)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r;

	memset(ret, 0, sizeof(*ret));
	ret->version = RG_CNI_1_1_0;
	r = rg_fs_read_fd(STDIN_FILENO, RG_CNI_INPUT_MAX, &text, &len);
	if (r == -EFBIG)
		return rg_cni_fail(error, RG_CNI_DECODE,
				   "network configuration: larger than %d bytes", RG_CNI_INPUT_MAX);
	if (r < 0)
		return rg_cni_fail(error, RG_CNI_IO, "cannot read the network configuration: %s",
				   strerror(-r));
	return rg_cni_netconf_parse(text, len, env, ret, error);
}

void rg_cni_netconf_done(struct rg_cni_netconf *conf)
{
	json_object_put(conf->doc);
	conf->doc = NULL;
}
