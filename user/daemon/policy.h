/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the configuration and what is there to the policy in the maps.
 */
#ifndef RG_DAEMON_POLICY_H
#define RG_DAEMON_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/config.h"
#include "bpf/host.h"
#include "conf/conf.h"
#include "net/addr.h"
#include "topo/rails.h"

struct rg_err;

/**
 * struct rg_seen - the host's network as it is
 * @links: devices
 * @n_links: number of @links
 * @addrs: addresses of all devices
 * @n_addrs: number of @addrs
 * @devs: netdevs of the configured rails, in the configuration's order
 */
struct rg_seen {
	struct rg_link *links;
	size_t n_links;
	struct rg_ifaddr *addrs;
	size_t n_addrs;
	struct rg_rail_dev devs[RG_MAX_RAILS];
};

/**
 * rg_numbers_assign() - number of each configured rail in the maps
 * @conf: configuration
 * @in_force: policy in force, NULL if there is none; its rails keep their numbers
 * @busy: whether pods still use a number of no configured rail, which then is not given away
 * @arg: passed to @busy
 * @numbers: RG_MAX_RAILS of them, in the order of @conf->rails; written only on success
 * @err: sentence
 *
 * Return: 0, or -EBUSY if all numbers are taken
 */
int rg_numbers_assign(const struct rg_conf *conf, const struct rg_policy *in_force,
		      bool (*busy)(uint32_t number, void *arg), void *arg, int *numbers,
		      struct rg_err *err);

/**
 * rg_policy_make() - the policy that a configuration asks for
 * @conf: configuration
 * @numbers: from rg_numbers_assign()
 * @seen: the host's network
 * @ret: policy; its generation is not touched
 * @err: sentence
 *
 * Return: 0, or -E2BIG if there are too many networks
 */
int rg_policy_make(const struct rg_conf *conf, const int *numbers, const struct rg_seen *seen,
		   struct rg_policy *ret, struct rg_err *err);

/**
 * rg_policy_same() - whether two policies differ in nothing but their generation
 * @a: policy
 * @b: policy
 */
bool rg_policy_same(const struct rg_policy *a, const struct rg_policy *b);

/**
 * rg_hosts_make() - who the host is on each rail
 * @conf: configuration
 * @numbers: from rg_numbers_assign()
 * @seen: the host's network
 * @ret: RG_MAX_RAILS of them, by rail number
 *
 * The addresses of VLAN devices on a rail leave through the rail and count as its own.
 */
void rg_hosts_make(const struct rg_conf *conf, const int *numbers, const struct rg_seen *seen,
		   struct rg_host *ret);

#endif /* RG_DAEMON_POLICY_H */
