/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keys of a network configuration. Only for netconf*.c.
 */
#ifndef RG_CNI_NETCONF_FIELDS_H
#define RG_CNI_NETCONF_FIELDS_H

#include "netconf.h"

#define RG_NETCONF_MTU_MIN 68
#define RG_NETCONF_MTU_MAX 65535

#define RG_NETCONF_MODE_WANT \
	"\"macvlan\", or a macvlan mode: \"bridge\", \"private\", \"vepa\", \"passthru\""

struct rg_err;

/**
 * rg_netconf_read_common() - read what every command needs: the network and its IPAM plugin
 * @conf: configuration with its document
 * @err: what is wrong, with the JSON path
 *
 * Return: 0 or -EINVAL
 */
int rg_netconf_read_common(struct rg_netconf *conf, struct rg_err *err);

/**
 * rg_netconf_read_attach() - read how an interface is to be made
 * @conf: configuration with its document
 * @call: call, whose CNI_ARGS override the configuration and are overridden by runtimeConfig
 * @err: what is wrong, with the JSON path
 *
 * Return: 0 or -EINVAL
 */
int rg_netconf_read_attach(struct rg_netconf *conf, const struct rg_call *call, struct rg_err *err);

#endif /* RG_CNI_NETCONF_FIELDS_H */
