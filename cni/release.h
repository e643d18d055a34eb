/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removing an attachment: independent steps, all of which are taken whatever the others did.
 */
#ifndef RG_CNI_RELEASE_H
#define RG_CNI_RELEASE_H

#include "node.h"

struct rg_fault;

/**
 * struct rg_release - an attachment to be removed
 * @node: node
 * @record: attachment
 * @recorded: whether @record was written by ADD; if not, only its names are known
 * @netns: path of the pod's namespace as the runtime gives it now, NULL to use the record's
 * @ipam_type: IPAM plugin, empty if none
 * @ipam_timeout_s: how long it may take, in seconds
 * @config: network configuration for it
 * @config_len: its length in bytes
 * @path: CNI_PATH for it
 * @args: CNI_ARGS for it, or NULL
 * @busy_fd: what rg_release_claim() gave; none if 0 or negative
 */
struct rg_release {
	struct rg_node *node;
	const struct rg_record *record;
	bool recorded;
	const char *netns;
	const char *ipam_type;
	unsigned int ipam_timeout_s;
	const char *config;
	size_t config_len;
	const char *path;
	const char *args;
	int busy_fd;
};

/**
 * rg_release_claim() - take an attachment from an ADD that may still be at it
 * @lock: lock of the container
 * @record: attachment; its phase changes
 * @ret_busy_fd: locked by that ADD's IPAM plugin while it lives; left alone if no ADD is at it
 * @f: what failed
 *
 * An ADD waits for its IPAM plugin without the lock. Before a removal does the same, it says so in
 * the record, or that ADD would go on with an attachment whose addresses are being freed.
 *
 * Return: 0 or -errno
 */
int rg_release_claim(struct rg_store_lock *lock, struct rg_record *record, int *ret_busy_fd,
		     struct rg_fault *f);

/**
 * rg_release_record() - remove the record of an attachment that was removed
 * @lock: lock of the container, given back and taken again meanwhile
 * @record: what the record was; that of a newer attachment of the same name stays
 * @err: what failed
 *
 * Return: 0, also if there is no record, or -errno
 */
int rg_release_record(struct rg_store_lock *lock, const struct rg_record *record,
		      struct rg_err *err);

/**
 * rg_release_devices() - remove the interface, the endpoint and the hooks
 * @rel: attachment
 * @f: first failure
 *
 * Return: 0 or -errno
 */
int rg_release_devices(const struct rg_release *rel, struct rg_fault *f);

/**
 * rg_release_addresses() - let the IPAM plugin free the addresses
 * @rel: attachment
 * @f: what failed
 *
 * Waits for the IPAM plugin of an ADD that was killed: it would allocate what is freed here.
 *
 * Return: 0 or -errno
 */
int rg_release_addresses(const struct rg_release *rel, struct rg_fault *f);

/**
 * rg_release_recorded() - remove an attachment by its record alone, and then the record
 * @node: node with its store
 * @lock: lock of the container, given back and taken again around the IPAM plugin
 * @ifname: interface inside the pod
 * @f: first failure; the record stays then, so that it can be tried again
 *
 * A record that is damaged has at least its name.
 *
 * Return: 0, also if there is no record, or -errno
 */
int rg_release_recorded(struct rg_node *node, struct rg_store_lock **lock, const char *ifname,
			struct rg_fault *f);

#endif /* RG_CNI_RELEASE_H */
