/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugin's commands.
 */
#ifndef RG_CNI_COMMANDS_H
#define RG_CNI_COMMANDS_H

#include "call.h"
#include "netconf.h"

struct rg_fault;

/**
 * rg_cni_add() - attach a pod to its rails and print the result
 * @call: call
 * @conf: network configuration
 * @f: what failed; then nothing is left of the attempt
 *
 * Return: 0 or -errno
 */
int rg_cni_add(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f);

/**
 * rg_cni_del() - remove a pod's attachment
 * @call: call
 * @conf: network configuration
 * @f: first failure; the other steps were taken all the same
 *
 * What is not there has been removed: no record, no namespace, no agent are all right.
 *
 * Return: 0 or -errno
 */
int rg_cni_del(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f);

/**
 * rg_cni_check() - whether an attachment is as ADD left it
 * @call: call
 * @conf: network configuration with its prevResult
 * @f: what is damaged
 *
 * Return: 0 or -errno
 */
int rg_cni_check(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f);

/**
 * rg_cni_gc() - remove the network's attachments that the runtime does not know
 * @call: call
 * @conf: network configuration with the list of valid attachments
 * @f: first failure; the other attachments were removed all the same
 *
 * Return: 0 or -errno
 */
int rg_cni_gc(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f);

/**
 * rg_cni_status() - whether an ADD can succeed now
 * @call: call
 * @conf: network configuration
 * @f: what is missing
 *
 * Return: 0 or -errno
 */
int rg_cni_status(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f);

#endif /* RG_CNI_COMMANDS_H */
