/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface inside the pod's namespace: set up by one child that enters it once.
 */
#ifndef RG_CNI_POD_H
#define RG_CNI_POD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include "net/netns.h"
#include "net/route.h"
#include "state/record.h"

struct rg_err;

#define RG_POD_MAX_ROUTES 192

/**
 * struct rg_pod_setup - what the interface shall be; flat, it is copied to the child and back
 * @netns: namespace that the child must find itself in
 * @made_as: name that the device was made with
 * @ifname: name that it shall have
 * @mac: its MAC, by which it is recognised
 * @metric: of the routes to its subnets
 * @addrs: addresses
 * @n_addrs: number of @addrs
 * @routes: routes, without their device
 * @n_routes: number of @routes
 * @pin_dir: the railgate folder in a bpffs
 * @progs_fd: map rg_progs, negative to attach no hook
 * @slot: endpoint slot, which the hook carries
 * @ifindex: set by the child
 * @mtu: set by the child
 */
struct rg_pod_setup {
	struct rg_netns_id netns;
	char made_as[IF_NAMESIZE];
	char ifname[IF_NAMESIZE];
	uint8_t mac[RG_MAC_LEN];
	uint32_t metric;
	struct rg_cidr_net addrs[RG_RECORD_MAX_ADDRS];
	size_t n_addrs;
	struct rg_route routes[RG_POD_MAX_ROUTES];
	size_t n_routes;
	char pin_dir[256];
	int progs_fd;
	uint32_t slot;
	int ifindex;
	uint32_t mtu;
};

/**
 * rg_pod_configure() - name the interface, give it addresses and routes, bring it up
 * @netns_fd: pod's namespace
 * @setup: what it shall be
 * @err: what failed
 *
 * The hooks come first, the sysctls before the device is up, and it goes up with its addresses, so
 * that nothing is ever sent unguarded or from a wrong address.
 *
 * Return: 0 or -errno
 */
int rg_pod_configure(int netns_fd, struct rg_pod_setup *setup, struct rg_err *err);

#endif /* RG_CNI_POD_H */
