/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of one attachment: who has what, and what it takes to undo it.
 *
 * It is written before the first change of an ADD, so whatever happens afterwards, DEL, GC or the
 * agent finds in it what may have been changed.
 */
#ifndef RG_STATE_RECORD_H
#define RG_STATE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include "base/cleanup.h"
#include "base/inet.h"

struct rg_err;

/* Grows when a reader of the old layout would misunderstand the new one. */
#define RG_RECORD_SCHEMA    1

#define RG_RECORD_ID_SIZE   256
#define RG_RECORD_NAME_SIZE 256
#define RG_RECORD_RAIL_SIZE 16
#define RG_RECORD_MODE_SIZE 16
#define RG_RECORD_DEV_SIZE  64
#define RG_RECORD_BOOT_SIZE 40
#define RG_RECORD_MAX_ADDRS 16
#define RG_RECORD_FILE_MAX  (2 * 1024 * 1024)

enum rg_record_phase {
	RG_PHASE_ADDING = 0,   /* an ADD is under way, or was killed */
	RG_PHASE_READY = 1,    /* the attachment is complete */
	RG_PHASE_REMOVING = 2, /* removed while an ADD was under way, which must give up */
};

/**
 * struct rg_record - one attachment
 * @boot_id: boot during which it was made; netdevs and maps of an older boot are gone
 * @phase: enum rg_record_phase
 * @container_id: CNI container id
 * @ifname: interface inside the pod
 * @group: CNI_IFNAME of the call that made it; differs from @ifname where one call attaches
 *         several rails
 * @network: name of the CNI network
 * @netns: path of the pod's network namespace
 * @netns_dev: device of the namespace's file
 * @netns_ino: inode of the namespace's file; with @netns_dev its identity
 * @mode: "macvlan", ...
 * @rail: rail's name
 * @rail_number: rail's number in the maps
 * @pod_namespace: Kubernetes namespace, empty outside Kubernetes
 * @pod_name: Kubernetes pod, empty outside Kubernetes
 * @pod_uid: its UID, empty outside Kubernetes
 * @slot: endpoint slot, valid if @has_slot
 * @has_slot: whether @slot is known
 * @mac: MAC of the interface
 * @temp_name: name that the device may bear until it has its own, empty if none
 * @ifindex: of the interface inside the pod, 0 if not known yet
 * @addrs: its addresses
 * @n_addrs: number of @addrs
 * @rdma_device: RDMA device that serves the interface, empty if none
 * @gid_index: RoCEv2 GID index of the first address on @rdma_device, -1 if none
 * @created_s: seconds since the epoch
 * @config: network configuration as the runtime gave it (JSON text)
 * @cni_args: CNI_ARGS as given, NULL if not
 * @cni_path: CNI_PATH as given, NULL if not
 * @restore: what devices looked like before (JSON text), NULL if nothing has to be put back
 */
struct rg_record {
	char boot_id[RG_RECORD_BOOT_SIZE];
	int32_t phase;
	char container_id[RG_RECORD_ID_SIZE];
	char ifname[IF_NAMESIZE];
	char group[IF_NAMESIZE];
	char network[RG_RECORD_NAME_SIZE];
	char *netns;
	uint64_t netns_dev;
	uint64_t netns_ino;
	char mode[RG_RECORD_MODE_SIZE];
	char rail[RG_RECORD_RAIL_SIZE];
	int32_t rail_number;
	char pod_namespace[RG_RECORD_NAME_SIZE];
	char pod_name[RG_RECORD_NAME_SIZE];
	char pod_uid[RG_RECORD_DEV_SIZE];
	uint32_t slot;
	bool has_slot;
	uint8_t mac[RG_MAC_LEN];
	char temp_name[IF_NAMESIZE];
	int32_t ifindex;
	struct rg_cidr_net addrs[RG_RECORD_MAX_ADDRS];
	size_t n_addrs;
	char rdma_device[RG_RECORD_DEV_SIZE];
	int32_t gid_index;
	int64_t created_s;
	char *config;
	char *cni_args;
	char *cni_path;
	char *restore;
};

/**
 * rg_record_new() - an empty record
 *
 * Return: record, freed by rg_record_free(); NULL without memory
 */
struct rg_record *rg_record_new(void);

/**
 * rg_record_free() - free a record
 * @record: record or NULL
 */
void rg_record_free(struct rg_record *record);

static inline void rg_record_free_ptr(struct rg_record **record)
{
	rg_record_free(*record);
}

#define _cleanup_record_ _cleanup_(rg_record_free_ptr)

/**
 * rg_record_format() - a record as JSON
 * @record: record
 * @ret: text, to be freed
 * @ret_len: its length in bytes
 *
 * Return: 0 or -ENOMEM
 */
int rg_record_format(const struct rg_record *record, char **ret, size_t *ret_len);

/**
 * rg_record_parse() - a record from JSON
 * @text: text
 * @len: its length in bytes
 * @ret: record, freed by rg_record_free(); written only on success
 * @err: what is wrong
 *
 * Keys that are not known are passed over: a newer version of the same schema may have added them.
 *
 * Return: 0; -EBADMSG if the text is no record; -EPROTO if it is of a newer schema; -ENOMEM
 */
int rg_record_parse(const char *text, size_t len, struct rg_record **ret, struct rg_err *err);

/**
 * rg_record_boot_id() - identity of this boot
 * @buf: text, at least RG_RECORD_BOOT_SIZE bytes
 *
 * Return: 0 or -errno
 */
int rg_record_boot_id(char buf[RG_RECORD_BOOT_SIZE]);

#endif /* RG_STATE_RECORD_H */
