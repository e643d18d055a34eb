/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delegation to an IPAM plugin.
 */
#ifndef RG_CNI_IPAM_H
#define RG_CNI_IPAM_H

#include <stddef.h>

#include "call.h"
#include "result.h"

struct rg_fault;

/**
 * struct rg_ipam - what a delegated call needs
 * @type: IPAM plugin
 * @timeout_s: how long it may take, in seconds
 * @config: network configuration, passed on as it is
 * @config_len: its length in bytes
 * @path: CNI_PATH
 * @args: CNI_ARGS or NULL
 * @container_id: CNI_CONTAINERID, empty for commands without one
 * @netns: CNI_NETNS or NULL
 * @ifname: CNI_IFNAME, empty for commands without one
 * @busy_fd: file descriptor with a lock that is held as long as the IPAM plugin lives, even if
 *           this process is killed; 0 for none
 */
struct rg_ipam {
	const char *type;
	unsigned int timeout_s;
	const char *config;
	size_t config_len;
	const char *path;
	const char *args;
	const char *container_id;
	const char *netns;
	const char *ifname;
	int busy_fd;
};

/**
 * rg_ipam_add() - let the IPAM plugin allocate addresses
 * @ipam: call
 * @ret: its result, to be freed by rg_result_done(); written only on success
 * @f: the plugin's own error with its code, or what prevented it from answering
 *
 * Return: 0 or -errno
 */
int rg_ipam_add(const struct rg_ipam *ipam, struct rg_result *ret, struct rg_fault *f);

/**
 * rg_ipam_run() - delegate a command that has no result
 * @ipam: call
 * @command: DEL, CHECK, GC or STATUS
 * @f: as rg_ipam_add()
 *
 * Return: 0 or -errno
 */
int rg_ipam_run(const struct rg_ipam *ipam, enum rg_command command, struct rg_fault *f);

#endif /* RG_CNI_IPAM_H */
