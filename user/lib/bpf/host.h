/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's own endpoint of each rail in the maps. Only the agent writes it.
 */
#ifndef RG_BPF_HOST_H
#define RG_BPF_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"

struct rg_err;
struct rg_maps;

#define RG_HOST_MAX_ADDRS 64

/**
 * struct rg_host - the host on one rail
 * @present: whether the rail's netdev is there; if not, the host has no identity on the rail
 * @name: rail's name, empty for a number that no rail has
 * @mac: netdev's MAC
 * @ifindex: netdev
 * @addrs: its addresses
 * @n_addrs: number of @addrs
 */
struct rg_host {
	bool present;
	char name[16];
	uint8_t mac[RG_MAC_LEN];
	uint32_t ifindex;
	struct rg_addr addrs[RG_HOST_MAX_ADDRS];
	size_t n_addrs;
};

/**
 * rg_host_sync() - make the maps say what the host is now
 * @maps: maps
 * @hosts: by rail number, RG_MAX_RAILS of them
 * @err: sentence
 *
 * New identities are written before old ones are deleted. Those of pods are not touched, also not
 * if one has an identity that the host has.
 *
 * Return: number of identities and endpoints changed, or -errno
 */
int rg_host_sync(const struct rg_maps *maps, const struct rg_host *hosts, struct rg_err *err);

/**
 * rg_host_new_owner() - start the counters of a rail number at zero for another rail
 * @maps: maps
 * @rail: number, on which no hook counts
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_host_new_owner(const struct rg_maps *maps, uint32_t rail, struct rg_err *err);

/**
 * rg_host_rail_in_use() - whether pods have endpoints on a rail number
 * @maps: maps
 * @rail: number
 */
bool rg_host_rail_in_use(const struct rg_maps *maps, uint32_t rail);

#endif /* RG_BPF_HOST_H */
