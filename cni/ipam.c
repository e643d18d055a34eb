// SPDX-License-Identifier: Apache-2.0
/*
 * Delegation to an IPAM plugin.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <json-c/json.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/schema.h"
#include "exec.h"
#include "fault.h"
#include "ipam.h"

#define MAX_DEPTH 32

static void put_json_ptr(struct json_object **o)
{
	json_object_put(*o);
}

#define _cleanup_json_ _cleanup_(put_json_ptr)

static void free_env(char ***env)
{
	for (char **p = *env; p && *p; p++)
		free(*p);
	free(*env);
}

#define N_VARIABLES 6

static bool is_cni_variable(const char *entry)
{
	return rg_str_prefix(entry, "CNI_") && !rg_str_prefix(entry, "CNI_NETNS_OVERRIDE=");
}

/* The caller's environment with the variables of the delegated call. */
static char **make_env(const struct rg_ipam *ipam, const char *command)
{
	const struct {
		const char *name, *value;
	} variables[N_VARIABLES] = {
		{"CNI_COMMAND", command},   {"CNI_CONTAINERID", ipam->container_id},
		{"CNI_NETNS", ipam->netns}, {"CNI_IFNAME", ipam->ifname},
		{"CNI_ARGS", ipam->args},   {"CNI_PATH", ipam->path},
	};
	_cleanup_(free_env) char **env = NULL;
	size_t n = 0;

	while (environ[n])
		n++;
	env = calloc(n + N_VARIABLES + 1, sizeof(*env));
	if (!env)
		return NULL;
	n = 0;
	for (char **p = environ; *p; p++) {
		if (is_cni_variable(*p))
			continue;
		env[n] = strdup(*p);
		if (!env[n++])
			return NULL;
	}
	for (size_t i = 0; i < N_VARIABLES; i++) {
		if (!variables[i].value || !*variables[i].value)
			continue;
		if (asprintf(&env[n], "%s=%s", variables[i].name, variables[i].value) < 0) {
			env[n] = NULL;
			return NULL;
		}
		n++;
	}
	return TAKE_PTR(env);
}

static const char *string_of(struct json_object *doc, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(doc, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return "";
	return json_object_get_string(value);
}

/* The error object of the specification, passed on with its code; else what is known. */
static int fail(const struct rg_ipam *ipam, const char *command,
		const struct rg_exec_result *result, struct rg_fault *f)
{
	_cleanup_json_ struct json_object *doc = NULL;
	struct json_object *code = NULL;

	if (rg_schema_parse_text(result->output, result->output_len, MAX_DEPTH, &doc, NULL) == 0 &&
	    json_object_is_type(doc, json_type_object) &&
	    json_object_object_get_ex(doc, "code", &code) &&
	    json_object_is_type(code, json_type_int) && json_object_get_int(code) > 0) {
		(void)rg_str_copy(f->details, sizeof(f->details), string_of(doc, "details"));
		return rg_fault_set(f, json_object_get_int(code), "IPAM plugin '%s' %s: %s",
				    ipam->type, command, string_of(doc, "msg"));
	}
	(void)rg_str_copy(f->details, sizeof(f->details), result->output);
	if (result->status < 0)
		return rg_fault_set(f, RG_CNI_IPAM, "IPAM plugin '%s' %s was ended by signal %d",
				    ipam->type, command, -result->status);
	return rg_fault_set(f, RG_CNI_IPAM,
			    "IPAM plugin '%s' %s ended with status %d and no CNI error; see its "
			    "standard error in the runtime's log",
			    ipam->type, command, result->status);
}

static int run(const struct rg_ipam *ipam, const char *command, struct rg_exec_result *ret,
	       struct rg_fault *f)
{
	_cleanup_(free_env) char **env = NULL;
	struct rg_exec_result result = {0};
	char program[PATH_MAX];
	int r = rg_exec_find(ipam->path ? ipam->path : "", ipam->type, program, sizeof(program));

	if (r < 0)
		return rg_fault_set(
			f, RG_CNI_CONFIG,
			"ipam.type: no plugin '%s' in CNI_PATH '%s'; install it there or "
			"correct the name",
			ipam->type, ipam->path ? ipam->path : "");
	env = make_env(ipam, command);
	if (!env)
		return rg_fault_set(f, RG_CNI_INTERNAL, "out of memory");
	r = rg_exec(program, env, ipam->config, ipam->config_len, ipam->busy_fd,
		    ipam->timeout_s * 1000, &result, &f->err);
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "IPAM plugin '%s' %s", ipam->type, command);
		return rg_fault_code(f, r == -ETIMEDOUT ? RG_CNI_TRY_AGAIN : RG_CNI_IPAM, r);
	}
	if (result.status != 0) {
		r = fail(ipam, command, &result, f);
		free(result.output);
		return r;
	}
	*ret = result;
	return 0;
}

int rg_ipam_add(const struct rg_ipam *ipam, struct rg_result *ret, struct rg_fault *f)
{
	_cleanup_json_ struct json_object *doc = NULL;
	_cleanup_free_ char *output = NULL;
	struct rg_exec_result result;
	int r = run(ipam, "ADD", &result, f);

	if (r < 0)
		return r;
	output = result.output;
	r = rg_schema_parse_text(output, result.output_len, MAX_DEPTH, &doc, &f->err);
	r = r ? r : rg_result_parse(doc, "result", ret, &f->err);
	if (r < 0) {
		(void)rg_err_ctx(&f->err, r, "IPAM plugin '%s' ADD", ipam->type);
		return rg_fault_code(f, RG_CNI_IPAM, r);
	}
	return 0;
}

int rg_ipam_run(const struct rg_ipam *ipam, enum rg_command command, struct rg_fault *f)
{
	struct rg_exec_result result;
	int r = run(ipam, rg_call_command_name(command), &result, f);

	if (r == 0)
		free(result.output);
	return r;
}
