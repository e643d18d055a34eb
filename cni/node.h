/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node that a call runs on: where its files are, its configuration and its handles.
 */
#ifndef RG_CNI_NODE_H
#define RG_CNI_NODE_H

#include "conf/conf.h"
#include "net/netns.h"
#include "state/store.h"

struct rg_fault;
struct rg_maps;

/* Longest wait for another call or the agent, in milliseconds. */
#define RG_NODE_LOCK_MS 30000

/**
 * struct rg_node - paths and handles; a handle is NULL until it is asked for
 * @conf_path: configuration file
 * @state_dir: state directory
 * @pin_dir: the railgate folder in a bpffs
 * @conf: configuration
 * @nl: NETLINK_ROUTE socket in the host's namespace
 * @host: identity of the host's namespace
 * @store: attachment records
 */
struct rg_node {
	const char *conf_path;
	const char *state_dir;
	const char *pin_dir;
	struct rg_conf *conf;
	struct rg_nl *nl;
	struct rg_netns_id host;
	struct rg_store *store;
};

/**
 * rg_node_init() - find out the paths
 * @node: node
 */
void rg_node_init(struct rg_node *node);

/**
 * rg_node_done() - close all handles
 * @node: node
 */
void rg_node_done(struct rg_node *node);

/**
 * rg_node_need_conf() - read the configuration
 * @node: node
 * @f: what is wrong with it
 *
 * Return: 0 or -errno
 */
int rg_node_need_conf(struct rg_node *node, struct rg_fault *f);

/**
 * rg_node_need_net() - open the host's network
 * @node: node
 * @f: what failed
 *
 * Return: 0 or -errno
 */
int rg_node_need_net(struct rg_node *node, struct rg_fault *f);

/**
 * rg_node_need_store() - open the store of attachment records, made if missing
 * @node: node
 * @f: what failed
 *
 * Return: 0 or -errno
 */
int rg_node_need_store(struct rg_node *node, struct rg_fault *f);

#endif /* RG_CNI_NODE_H */
