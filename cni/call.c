// SPDX-License-Identifier: Apache-2.0
/*
 * The environment of a call.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fs.h"
#include "base/str.h"
#include "call.h"
#include "fault.h"
#include "state/store.h"

/* Which variables a command cannot do without. */
#define NEEDS_ID    (1U << 0)
#define NEEDS_NETNS (1U << 1)
#define NEEDS_IF    (1U << 2)
#define NEEDS_PATH  (1U << 3)

static const struct {
	const char *name;
	unsigned int needs;
} commands[RG_COMMAND_MAX] = {
	[RG_COMMAND_ADD] = {"ADD", NEEDS_ID | NEEDS_NETNS | NEEDS_IF | NEEDS_PATH},
	[RG_COMMAND_DEL] = {"DEL", NEEDS_ID | NEEDS_IF | NEEDS_PATH},
	[RG_COMMAND_CHECK] = {"CHECK", NEEDS_ID | NEEDS_NETNS | NEEDS_IF | NEEDS_PATH},
	[RG_COMMAND_GC] = {"GC", NEEDS_PATH},
	[RG_COMMAND_STATUS] = {"STATUS", NEEDS_PATH},
	[RG_COMMAND_VERSION] = {"VERSION", 0},
};

static const struct {
	unsigned int bit;
	const char *variable;
} needed[] = {
	{NEEDS_ID, "CNI_CONTAINERID"},
	{NEEDS_NETNS, "CNI_NETNS"},
	{NEEDS_IF, "CNI_IFNAME"},
	{NEEDS_PATH, "CNI_PATH"},
};

const char *rg_call_command_name(enum rg_command command)
{
	return commands[command].name;
}

/* An empty variable is as good as none. */
static const char *env(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static int find_command(const char *name, enum rg_command *ret, struct rg_fault *f)
{
	for (int i = 0; name && i < RG_COMMAND_MAX; i++) {
		if (rg_str_equal(name, commands[i].name)) {
			*ret = (enum rg_command)i;
			return 0;
		}
	}
	return rg_fault_set(
		f, RG_CNI_ENVIRONMENT,
		"CNI_COMMAND '%s' is unknown; ADD, DEL, CHECK, GC, STATUS and VERSION are "
		"possible",
		name ? name : "");
}

static int check_needed(enum rg_command command, struct rg_fault *f)
{
	char missing[128] = "";
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		if (!(commands[command].needs & needed[i].bit) || env(needed[i].variable))
			continue;
		(void)rg_str_format(missing + len, sizeof(missing) - len, "%s%s", len ? ", " : "",
				    needed[i].variable);
		len = strlen(missing);
	}
	if (!len)
		return 0;
	return rg_fault_set(f, RG_CNI_ENVIRONMENT, "required env variables [%s] missing for %s",
			    missing, commands[command].name);
}

static int take_names(struct rg_call *call, struct rg_fault *f)
{
	const char *id = env("CNI_CONTAINERID"), *ifname = env("CNI_IFNAME");

	if (id && (!rg_store_valid_id(id) ||
		   rg_str_copy(call->container_id, sizeof(call->container_id), id) < 0))
		return rg_fault_set(
			f, RG_CNI_ENVIRONMENT,
			"CNI_CONTAINERID '%s' is not a container id: letters and digits, "
			"then also '_', '.', '-', at most %d characters",
			id, RG_RECORD_ID_SIZE - 33);
	if (ifname && (!rg_store_valid_ifname(ifname) ||
		       rg_str_copy(call->ifname, sizeof(call->ifname), ifname) < 0))
		return rg_fault_set(
			f, RG_CNI_ENVIRONMENT,
			"CNI_IFNAME '%s' is not an interface name: 1 to 15 characters, no "
			"'/', ':' or space, not '.' or '..'",
			ifname);
	return 0;
}

int rg_call_from_env(struct rg_call *ret, struct rg_fault *f)
{
	struct rg_call call = {0};
	const char *override = env("CNI_NETNS_OVERRIDE");
	int r;

	r = find_command(env("CNI_COMMAND"), &call.command, f);
	r = r ? r : check_needed(call.command, f);
	r = r ? r : take_names(&call, f);
	if (r < 0)
		return r;
	call.netns = env("CNI_NETNS");
	call.netns_override = override &&
			      (rg_str_equal(override, "1") || strcasecmp(override, "true") == 0);
	call.args = env("CNI_ARGS");
	call.path = env("CNI_PATH");
	r = rg_call_parse_args(&call, f);
	if (r < 0)
		return r;
	*ret = call;
	return 0;
}

int rg_call_read_input(struct rg_call *call, int fd, struct rg_fault *f)
{
	int r = rg_fs_read_fd(fd, RG_CALL_INPUT_MAX, &call->input, &call->input_len);

	if (r == -EFBIG)
		return rg_fault_set(f, RG_CNI_DECODE,
				    "the network configuration on standard input is larger than %d "
				    "bytes",
				    RG_CALL_INPUT_MAX);
	if (r < 0)
		return rg_fault_set(f, RG_CNI_IO,
				    "cannot read the network configuration from standard input: %s",
				    strerror(-r));
	return 0;
}

static int take_arg(struct rg_call *call, const char *key, const char *value, struct rg_fault *f)
{
	const struct {
		const char *key;
		char *dst;
		size_t size;
	} known[] = {
		{"K8S_POD_NAMESPACE", call->pod_namespace, sizeof(call->pod_namespace)},
		{"K8S_POD_NAME", call->pod_name, sizeof(call->pod_name)},
		{"K8S_POD_UID", call->pod_uid, sizeof(call->pod_uid)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (rg_str_equal(key, known[i].key) &&
		    rg_str_copy(known[i].dst, known[i].size, value) < 0)
			return rg_fault_set(f, RG_CNI_ENVIRONMENT,
					    "CNI_ARGS: %s is longer than %zu characters", key,
					    known[i].size - 1);
	}
	if (rg_str_equal(key, "MAC")) {
		if (rg_mac_parse(value, call->mac) < 0 || !rg_mac_is_unicast(call->mac))
			return rg_fault_set(f, RG_CNI_ENVIRONMENT,
					    "CNI_ARGS: MAC '%s' is not a unicast MAC address",
					    value);
		call->has_mac = true;
	}
	return 0;
}

int rg_call_parse_args(struct rg_call *call, struct rg_fault *f)
{
	_cleanup_free_ char *copy = call->args ? strdup(call->args) : NULL;
	char *rest = copy, *pair;
	int r = 0;

	if (call->args && !copy)
		return rg_fault_set(f, RG_CNI_INTERNAL, "out of memory");
	while (r == 0 && (pair = strsep(&rest, ";"))) {
		char *value = strchr(pair, '=');

		if (!*pair)
			continue;
		if (!value)
			return rg_fault_set(f, RG_CNI_ENVIRONMENT,
					    "CNI_ARGS: '%s' is not KEY=VALUE", pair);
		*value++ = '\0';
		r = take_arg(call, pair, value, f);
	}
	return r;
}

void rg_call_done(struct rg_call *call)
{
	free(call->input);
	call->input = NULL;
}
