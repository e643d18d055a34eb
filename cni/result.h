/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CNI result: what IPAM plugins and earlier plugins answered, and what this one answers.
 */
#ifndef RG_CNI_RESULT_H
#define RG_CNI_RESULT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include "base/cleanup.h"
#include "base/inet.h"
#include "version.h"

struct json_object;
struct rg_err;

#define RG_RESULT_PCI_SIZE 64
#define RG_RESULT_MAX	   1024 /* elements of any list that are accepted */

/**
 * struct rg_result_if - an interface
 * @name: its name
 * @mac: its MAC, valid if @has_mac
 * @has_mac: whether @mac is given
 * @mtu: bytes, 0 if not given; since CNI 1.1.0
 * @sandbox: path of its namespace, empty for the host's
 * @pci: device address, empty if none; since CNI 1.1.0
 */
struct rg_result_if {
	char name[IF_NAMESIZE];
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
	uint32_t mtu;
	char sandbox[PATH_MAX];
	char pci[RG_RESULT_PCI_SIZE];
};

/**
 * struct rg_result_ip - an address
 * @addr: address with prefix length
 * @gateway: its subnet's gateway, valid if @has_gateway
 * @has_gateway: whether @gateway is given
 * @interface: index into the interfaces, -1 if not given
 */
struct rg_result_ip {
	struct rg_cidr_net addr;
	struct rg_addr gateway;
	bool has_gateway;
	int interface;
};

/**
 * struct rg_result_route - a route
 * @dst: destination
 * @gateway: next hop, valid if @has_gateway
 * @has_gateway: whether @gateway is given
 * @mtu: path MTU, 0 if not given; this and the following since CNI 1.1.0
 * @advmss: advertised MSS, 0 if not given
 * @priority: metric, valid if @has_priority
 * @has_priority: whether @priority is given
 * @table: routing table, 0 if not given
 * @scope: RT_SCOPE_*, -1 if not given
 */
struct rg_result_route {
	struct rg_cidr_net dst;
	struct rg_addr gateway;
	bool has_gateway;
	uint32_t mtu;
	uint32_t advmss;
	uint32_t priority;
	bool has_priority;
	uint32_t table;
	int scope;
};

/**
 * struct rg_result - a result
 * @ifs: interfaces
 * @n_ifs: number of @ifs
 * @ips: addresses
 * @n_ips: number of @ips
 * @routes: routes
 * @n_routes: number of @routes
 * @dns: "dns" as it was given, or NULL
 */
struct rg_result {
	struct rg_result_if *ifs;
	size_t n_ifs;
	struct rg_result_ip *ips;
	size_t n_ips;
	struct rg_result_route *routes;
	size_t n_routes;
	struct json_object *dns;
};

/**
 * rg_result_done() - free what a result owns
 * @result: result
 */
void rg_result_done(struct rg_result *result);

#define _cleanup_result_ _cleanup_(rg_result_done)

/**
 * rg_result_add_if() - append an interface
 * @result: result
 * @item: interface
 *
 * Return: 0 or -ENOMEM
 */
int rg_result_add_if(struct rg_result *result, const struct rg_result_if *item);

/**
 * rg_result_add_ip() - append an address
 * @result: result
 * @item: address
 *
 * Return: 0 or -ENOMEM
 */
int rg_result_add_ip(struct rg_result *result, const struct rg_result_ip *item);

/**
 * rg_result_add_route() - append a route
 * @result: result
 * @item: route
 *
 * Return: 0 or -ENOMEM
 */
int rg_result_add_route(struct rg_result *result, const struct rg_result_route *item);

/**
 * rg_result_parse() - read a result of any version from 0.3.0 on
 * @doc: the result's JSON
 * @where: what to call it in messages, such as "prevResult"
 * @ret: result, to be freed by rg_result_done(); written only on success
 * @err: what is wrong, with the JSON path
 *
 * Return: 0, -EINVAL or -ENOMEM
 */
int rg_result_parse(struct json_object *doc, const char *where, struct rg_result *ret,
		    struct rg_err *err);

/**
 * rg_result_format() - a result as JSON
 * @result: result
 * @version: version to write it in
 * @prev: result of the plugin before, which this one is appended to; NULL if none
 * @ret: JSON; the caller puts it with json_object_put()
 *
 * Return: 0 or -ENOMEM
 */
int rg_result_format(const struct rg_result *result, enum rg_cni_version version,
		     struct json_object *prev, struct json_object **ret);

#endif /* RG_CNI_RESULT_H */
