// SPDX-License-Identifier: Apache-2.0
/*
 * The plugin's environment variables (CNI specification 1.1.0, section 2, "Parameters").
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "env.h"

static const struct {
	const char *name;
	enum rg_cni_command command;
	bool attachment; /* needs container id and interface name */
	bool netns;	 /* needs the namespace */
	bool path;	 /* needs CNI_PATH */
} commands[] = {
	{"ADD", RG_CNI_ADD, true, true, true},
	{"DEL", RG_CNI_DEL, true, false, true},
	{"CHECK", RG_CNI_CHECK, true, true, true},
	{"GC", RG_CNI_GC, false, false, true},
	{"STATUS", RG_CNI_STATUS, false, false, true},
	{"VERSION", RG_CNI_VERSION_CMD, false, false, false},
};

static int read_variable(const char *name, bool required, char *dst, size_t size,
			 struct rg_cni_error *error)
{
	const char *value = getenv(name);

	dst[0] = '\0';
	if (!value || !*value) {
		if (!required)
			return 0;
		return rg_cni_fail(error, RG_CNI_ENVIRONMENT,
				   "environment variable %s is missing; the runtime must set it",
				   name);
	}
	if (rg_str_copy(dst, size, value) < 0)
		return rg_cni_fail(error, RG_CNI_ENVIRONMENT,
				   "environment variable %s has %zu characters; at most %zu are "
				   "possible",
				   name, strlen(value), size - 1);
	return 0;
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "must start with an alphanumeric character, optionally followed by any combination of one or
 * more alphanumeric characters, underscore, dot or hyphen"
 */
static int check_container_id(const char *id, struct rg_cni_error *error)
{
	size_t i;

	for (i = 0; id[i]; i++)
		if (!is_alnum(id[i]) && (!i || !strchr("_.-", id[i])))
			return rg_cni_fail(error, RG_CNI_ENVIRONMENT,
					   "CNI_CONTAINERID \"%.64s\" must begin with a letter or "
					   "digit and hold only letters, digits, \"_\", \".\" and "
					   "\"-\"",
					   id);
	return 0;
}

static int check_ifname(const char *name, struct rg_cni_error *error)
{
	if (rg_str_equal(name, ".") || rg_str_equal(name, "..") || strpbrk(name, "/: \t\n\v\f\r"))
		return rg_cni_fail(
			error, RG_CNI_ENVIRONMENT,
			"CNI_IFNAME \"%s\" is not an interface name: it may not be \".\" "
			"or \"..\" nor hold \"/\", \":\" or blanks",
			name);
	return 0;
}

static int read_command(struct rg_cni_env *env, size_t *ret_row, struct rg_cni_error *error)
{
	char name[16];
	size_t i;
	int r;

	r = read_variable("CNI_COMMAND", true, name, sizeof(name), error);
	if (r < 0)
		return r;
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (rg_str_equal(commands[i].name, name)) {
			env->command = commands[i].command;
			*ret_row = i;
			return 0;
		}
	}
	return rg_cni_fail(error, RG_CNI_ENVIRONMENT,
			   "CNI_COMMAND \"%s\" is none of ADD, DEL, CHECK, GC, STATUS, VERSION",
			   name);
}

/* CNI_ARGS is "KEY=VALUE;KEY=VALUE"; what Kubernetes does not know is none of our business. */
static int read_args(struct rg_cni_env *env, struct rg_cni_error *error)
{
	const struct {
		const char *key;
		char *dst;
		size_t size;
	} known[] = {
		{"K8S_POD_NAMESPACE", env->pod_namespace, sizeof(env->pod_namespace)},
		{"K8S_POD_NAME", env->pod_name, sizeof(env->pod_name)},
		{"K8S_POD_UID", env->pod_uid, sizeof(env->pod_uid)},
		{"MAC", env->args_mac, sizeof(env->args_mac)},
	};
	const char *args = getenv("CNI_ARGS");
	_cleanup_free_ char *copy = strdup(args ? args : "");
	char *save = NULL, *pair;
	size_t i;

	if (!copy)
		return rg_cni_fail(error, RG_CNI_INTERNAL, "out of memory");
	for (pair = strtok_r(copy, ";", &save); pair; pair = strtok_r(NULL, ";", &save)) {
		char *value = strchr(pair, '=');

		if (!value)
			return rg_cni_fail(error, RG_CNI_ENVIRONMENT,
					   "CNI_ARGS: \"%.64s\" is not KEY=VALUE", pair);
		*value++ = '\0';
		for (i = 0; i < ARRAY_SIZE(known); i++)
			if (rg_str_equal(known[i].key, pair) &&
			    rg_str_copy(known[i].dst, known[i].size, value) < 0)
				return rg_cni_fail(
					error, RG_CNI_ENVIRONMENT,
					"CNI_ARGS: %s has %zu characters; at most %zu are "
					"possible",
					pair, strlen(value), known[i].size - 1);
	}
	return 0;
}

int rg_cni_env_read(struct rg_cni_env *ret, struct rg_cni_error *error)
{
	const char *override = getenv("CNI_NETNS_OVERRIDE");
	size_t row = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	r = read_command(ret, &row, error);
	if (r < 0)
		return r;
	r = read_variable("CNI_CONTAINERID", commands[row].attachment, ret->container_id,
			  sizeof(ret->container_id), error);
	if (r == 0)
		r = read_variable("CNI_NETNS", commands[row].netns, ret->netns, sizeof(ret->netns),
				  error);
	if (r == 0)
		r = read_variable("CNI_IFNAME", commands[row].attachment, ret->ifname,
				  sizeof(ret->ifname), error);
	if (r == 0)
		r = read_variable("CNI_PATH", commands[row].path, ret->path, sizeof(ret->path),
				  error);
	if (r == 0)
		r = check_container_id(ret->container_id, error);
	if (r == 0)
		r = check_ifname(ret->ifname, error);
	if (r == 0)
		r = read_args(ret, error);
	ret->netns_override = override &&
			      (rg_str_equal(override, "1") || rg_str_equal(override, "true"));
	return r;
}
