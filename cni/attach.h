/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One attachment being made: an interface of a pod on a rail. A call makes one, or several where
 * the network lists "rails".
 */
#ifndef RG_CNI_ATTACH_H
#define RG_CNI_ATTACH_H

#include <railgate/policy.h>

#include "call.h"
#include "netconf.h"
#include "node.h"
#include "pod.h"
#include "result.h"
#include "topo/rails.h"

struct rg_fault;

/**
 * struct rg_attach - an attachment
 * @call: call
 * @conf: network configuration
 * @node: node
 * @lock: lock of the container; NULL while an IPAM plugin runs
 * @rail: rail as configured
 * @dev: its netdev
 * @policy: rail as it is in force
 * @number: rail's number in the maps
 * @maps: maps, with the pin directory's lock; NULL while an IPAM plugin runs
 * @netns_fd: pod's namespace
 * @record: what is known of the attachment, and is written before each change
 * @ipam: what the IPAM plugin answered
 * @setup: the interface inside the pod
 */
struct rg_attach {
	const struct rg_call *call;
	const struct rg_netconf *conf;
	struct rg_node *node;
	struct rg_store_lock **lock;
	const struct rg_conf_rail *rail;
	struct rg_rail_dev dev;
	struct rg_rail policy;
	int number;
	struct rg_maps *maps;
	int netns_fd;
	struct rg_record *record;
	struct rg_result ipam;
	struct rg_pod_setup setup;
};

/**
 * rg_attach_prepare() - find out everything about an attachment, change nothing
 * @a: attachment with @call, @conf, @node, @lock and @netns_fd
 * @index: which of the network's rails
 * @netns: identity of the pod's namespace
 * @f: what is wrong
 *
 * Return: 0 or -errno
 */
int rg_attach_prepare(struct rg_attach *a, size_t index, const struct rg_netns_id *netns,
		      struct rg_fault *f);

/**
 * rg_attach_done() - free what an attachment owns
 * @a: attachment
 */
void rg_attach_done(struct rg_attach *a);

/**
 * rg_attach_ifname() - name of the interface on one of several rails
 * @first: CNI_IFNAME, the name on the first rail
 * @index: which rail
 * @buf: name: the number at the end of @first counts up (net1, net2, ...)
 *
 * Return: 0, or -ENAMETOOLONG
 */
int rg_attach_ifname(const char *first, size_t index, char buf[IF_NAMESIZE]);

/**
 * rg_attach_find_rail() - rail that the network means
 * @node: node with its configuration and network
 * @conf: network configuration
 * @index: which of its rails
 * @ret_dev: its netdev
 * @f: what is wrong
 *
 * Return: index into the node's rails, or -errno
 */
int rg_attach_find_rail(struct rg_node *node, const struct rg_netconf *conf, size_t index,
			struct rg_rail_dev *ret_dev, struct rg_fault *f);

/**
 * rg_attach_endpoint() - the endpoint that stands for an attachment in the maps
 * @record: attachment
 * @conf: network configuration
 * @ret: endpoint
 */
void rg_attach_endpoint(const struct rg_record *record, const struct rg_netconf *conf,
			struct rg_endpoint *ret);

#endif /* RG_CNI_ATTACH_H */
