/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call of the plugin: what the runtime passed in the environment and on standard input.
 */
#ifndef RG_CNI_CALL_H
#define RG_CNI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"
#include "state/record.h"

struct rg_fault;

/* Largest configuration accepted, in bytes. Multus' are below 100 KiB. */
#define RG_CALL_INPUT_MAX (1024 * 1024 - 1)

enum rg_command {
	RG_COMMAND_ADD,
	RG_COMMAND_DEL,
	RG_COMMAND_CHECK,
	RG_COMMAND_GC,
	RG_COMMAND_STATUS,
	RG_COMMAND_VERSION,
	RG_COMMAND_MAX,
};

/**
 * struct rg_call - a call
 * @command: command
 * @container_id: CNI_CONTAINERID, empty if the command has none
 * @ifname: CNI_IFNAME, empty if the command has none
 * @netns: CNI_NETNS, NULL if not given or empty
 * @netns_override: CNI_NETNS_OVERRIDE: the host's own namespace is meant
 * @args: CNI_ARGS, NULL if not given
 * @path: CNI_PATH, NULL if not given
 * @pod_namespace: K8S_POD_NAMESPACE, empty if not given
 * @pod_name: K8S_POD_NAME, empty if not given
 * @pod_uid: K8S_POD_UID, empty if not given
 * @mac: MAC of CNI_ARGS, valid if @has_mac
 * @has_mac: whether CNI_ARGS gives a MAC
 * @input: standard input, NUL-terminated
 * @input_len: its length in bytes
 */
struct rg_call {
	enum rg_command command;
	char container_id[RG_RECORD_ID_SIZE];
	char ifname[IF_NAMESIZE];
	const char *netns;
	bool netns_override;
	const char *args;
	const char *path;
	char pod_namespace[RG_RECORD_NAME_SIZE];
	char pod_name[RG_RECORD_NAME_SIZE];
	char pod_uid[RG_RECORD_DEV_SIZE];
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
	char *input;
	size_t input_len;
};

/**
 * rg_call_command_name() - name of a command as in CNI_COMMAND
 * @command: command
 */
const char *rg_call_command_name(enum rg_command command);

/**
 * rg_call_from_env() - read and check the environment
 * @ret: call without its input; strings that are pointers stay the environment's
 * @f: which variables are missing or wrong
 *
 * Return: 0 or -errno
 */
int rg_call_from_env(struct rg_call *ret, struct rg_fault *f);

/**
 * rg_call_read_input() - read the configuration
 * @call: call
 * @fd: standard input
 * @f: what failed
 *
 * Return: 0 or -errno
 */
int rg_call_read_input(struct rg_call *call, int fd, struct rg_fault *f);

/**
 * rg_call_parse_args() - read CNI_ARGS
 * @call: call, whose @args are read
 * @f: what is wrong
 *
 * Keys that are not known are passed over.
 *
 * Return: 0 or -errno
 */
int rg_call_parse_args(struct rg_call *call, struct rg_fault *f);

/**
 * rg_call_done() - free what a call owns
 * @call: call
 */
void rg_call_done(struct rg_call *call);

#endif /* RG_CNI_CALL_H */
