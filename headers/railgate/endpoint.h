/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who may send on a rail: endpoints, written by the plugin at ADD and removed at DEL, and the
 * host's own, which the agent keeps equal to the rail's addresses.
 */
#ifndef RAILGATE_ENDPOINT_H
#define RAILGATE_ENDPOINT_H

#include <linux/types.h>
#include <railgate/limits.h>

/**
 * struct rg_ident_key - a sender's identity on a rail
 * @rail: rail number
 * @mac: MAC address
 * @addr: IPv6 address or IPv4 mapped into ::ffff:0:0/96, network byte order; all zero for the
 *        entry that knows the MAC alone (link-local sources, drops, received frames)
 *
 * The programs remember whom they have recognised. Whoever adds, deletes or changes an entry adds
 * one to rg_epoch[0] afterwards, and they look again; without that it may take them a few seconds.
 */
struct rg_ident_key {
	__u16 rail;
	__u8 mac[6];
	__u8 addr[16];
};

/* struct rg_ident.flags: the attachment's own "policy", stronger than the rail's */
#define RG_IDENT_MODE_MASK 0x3u	     /* enum rg_mode; 0 = the rail's */
#define RG_IDENT_STRICT	   (1u << 2) /* profile strict whatever the rail says */
#define RG_IDENT_HOST	   (1u << 3) /* the host's own endpoint */
#define RG_IDENT_SHARED	   (1u << 4) /* macvlan: the rail's hooks see its frames too */
#define RG_IDENT_BRIDGE \
	(1u << 5) /* macvlan in bridge mode: unicast frames between two of \
				      * these stay below the rail's egress hook */

/**
 * struct rg_ident - whom an identity belongs to
 * @slot: index into the counter maps
 * @flags: RG_IDENT_*
 */
struct rg_ident {
	__u32 slot;
	__u32 flags;
};

enum rg_kind {
	RG_KIND_HOST = 0,
	RG_KIND_UNKNOWN = 1, /* collects what could not be attributed on a rail */
	RG_KIND_MACVLAN = 2,
	RG_KIND_SRIOV = 3,
	RG_KIND_HOST_DEVICE = 4,
	RG_KIND_IB_SRIOV = 5,
	RG_KIND_CHAINED = 6,
};

/**
 * struct rg_endpoint - an endpoint as people and monitoring name it
 * @pod_namespace: Kubernetes namespace, empty outside Kubernetes
 * @pod_name: pod, or the container id's first characters outside Kubernetes
 * @rail_name: rail's name
 * @ifname: interface inside the pod
 * @container_id: CNI container id, cut to fit; with @ifname it names the attachment
 * @mac: MAC address
 * @rail: rail number
 * @kind: enum rg_kind
 * @ifindex: of the interface inside the pod, 0 if not known
 * @flags: RG_IDENT_* as in the endpoint's identities; the pod's hooks read them here
 * @added_s: seconds since the epoch when the endpoint was written
 *
 * The value's key is the slot. An entry's existence is the slot's allocation: the plugin takes a
 * slot with BPF_NOEXIST, so that two callers never share one.
 */
struct rg_endpoint {
	char pod_namespace[64];
	char pod_name[64];
	char rail_name[16];
	char ifname[16];
	char container_id[80];
	__u8 mac[6];
	__u8 rail;
	__u8 kind;
	__u32 ifindex;
	__u32 flags;
	__u64 added_s;
};

_Static_assert(sizeof(struct rg_ident_key) == 24, "rg_ident_key layout");
_Static_assert(sizeof(struct rg_ident) == 8, "rg_ident layout");
_Static_assert(sizeof(struct rg_endpoint) == 264, "rg_endpoint layout");

#endif /* RAILGATE_ENDPOINT_H */
