/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin's environment variables, checked.
 */
#ifndef RG_CNI_ENV_H
#define RG_CNI_ENV_H

#include <limits.h>
#include <net/if.h>
#include <stdbool.h>

#include "error.h"

enum rg_cni_command {
	RG_CNI_ADD,
	RG_CNI_DEL,
	RG_CNI_CHECK,
	RG_CNI_GC,
	RG_CNI_STATUS,
	RG_CNI_VERSION_CMD,
};

/**
 * struct rg_cni_env - what the runtime says besides the network configuration
 * @command: CNI_COMMAND
 * @container_id: CNI_CONTAINERID
 * @netns: CNI_NETNS, empty if the runtime has none (DEL)
 * @ifname: CNI_IFNAME
 * @path: CNI_PATH
 * @netns_override: CNI_NETNS_OVERRIDE: the host's own namespace may be used
 * @pod_namespace: K8S_POD_NAMESPACE of CNI_ARGS, empty outside Kubernetes
 * @pod_name: K8S_POD_NAME
 * @pod_uid: K8S_POD_UID
 * @args_mac: MAC of CNI_ARGS, empty if not given
 */
struct rg_cni_env {
	enum rg_cni_command command;
	char container_id[NAME_MAX + 1];
	char netns[PATH_MAX];
	char ifname[IF_NAMESIZE];
	char path[PATH_MAX];
	bool netns_override;
	char pod_namespace[64];
	char pod_name[254];
	char pod_uid[64];
	char args_mac[32];
};

/**
 * rg_cni_env_read() - read and check the environment
 * @ret: environment
 * @error: names the variable, its value and what would be right
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_env_read(struct rg_cni_env *ret, struct rg_cni_error *error);

#endif /* RG_CNI_ENV_H */
