/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delegation to IPAM plugins (CNI specification 1.1.0, section 4).
 */
#ifndef RG_CNI_IPAM_H
#define RG_CNI_IPAM_H

#include "env.h"
#include "error.h"
#include "netconf.h"

struct json_object;

/* An IPAM plugin that has not answered by then is killed. RAILGATE_IPAM_TIMEOUT_MS changes it. */
#define RG_CNI_IPAM_TIMEOUT_MS 30000

/**
 * rg_cni_ipam_call() - run the IPAM plugin that a network names
 * @env: environment; its command, container, namespace and CNI_PATH are passed on
 * @conf: network configuration, passed on as it came
 * @command: "ADD", "DEL", "CHECK", "GC" or "STATUS"
 * @ifname: interface that the addresses are for
 * @ret: what the plugin printed, NULL if nothing; the caller puts it with json_object_put(). May
 *       be NULL for commands without a result
 * @error: the plugin's own error with its code, or why it could not be run; a plugin that hangs
 *         gives RG_CNI_AGAIN
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_ipam_call(const struct rg_cni_env *env, const struct rg_cni_netconf *conf,
		     const char *command, const char *ifname, struct json_object **ret,
		     struct rg_cni_error *error);

#endif /* RG_CNI_IPAM_H */
