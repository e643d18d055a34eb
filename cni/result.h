/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CNI results: what IPAM plugins and earlier plugins of a chain return, and what we return.
 */
#ifndef RG_CNI_RESULT_H
#define RG_CNI_RESULT_H

#include <limits.h>
#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"
#include "netconf.h"

struct json_object;
struct rg_err;

#define RG_CNI_MAX_INTERFACES 32
#define RG_CNI_MAX_ROUTES     64

/**
 * struct rg_cni_interface - element of "interfaces"
 * @name: name
 * @mac: MAC as text, empty if not given
 * @mtu: bytes, 0 if not given
 * @sandbox: path of its namespace, empty on the host
 * @pci_id: device address, empty if not given
 */
struct rg_cni_interface {
	char name[IF_NAMESIZE];
	char mac[64];
	uint32_t mtu;
	char sandbox[PATH_MAX];
	char pci_id[RG_PCI_SIZE];
};

/**
 * struct rg_cni_ip - element of "ips"
 * @address: interface address
 * @gateway: gateway, valid if @has_gateway
 * @has_gateway: whether a gateway was given
 * @interface: index into the interfaces, -1 if not given
 */
struct rg_cni_ip {
	struct rg_cidr_net address;
	struct rg_addr gateway;
	bool has_gateway;
	int interface;
};

/**
 * struct rg_cni_route - element of "routes"
 * @dst: destination
 * @gateway: gateway, valid if @has_gateway
 * @has_gateway: whether a gateway was given
 * @priority: metric, 0 if not given
 */
struct rg_cni_route {
	struct rg_cidr_net dst;
	struct rg_addr gateway;
	bool has_gateway;
	uint32_t priority;
};

/**
 * struct rg_cni_result - a result
 * @interfaces: interfaces
 * @n_interfaces: number of @interfaces
 * @ips: addresses
 * @n_ips: number of @ips
 * @routes: routes
 * @n_routes: number of @routes
 * @dns: "dns" as it came, NULL if not given; owned
 */
struct rg_cni_result {
	struct rg_cni_interface interfaces[RG_CNI_MAX_INTERFACES];
	size_t n_interfaces;
	struct rg_cni_ip ips[RG_CNI_MAX_IPS];
	size_t n_ips;
	struct rg_cni_route routes[RG_CNI_MAX_ROUTES];
	size_t n_routes;
	struct json_object *dns;
};

/**
 * rg_cni_result_parse() - read a result of any version
 * @doc: result
 * @ret: parsed; rg_cni_result_done() frees what it owns, also after a failure
 * @err: names the JSON path, the value and what would be right
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_result_parse(struct json_object *doc, struct rg_cni_result *ret, struct rg_err *err);

/**
 * rg_cni_result_print() - write a result to standard output
 * @result: result
 * @version: version whose format is written
 */
void rg_cni_result_print(const struct rg_cni_result *result, enum rg_cni_version version);

/**
 * rg_cni_result_pass_on() - write an earlier plugin's result unchanged but for its cniVersion
 * @doc: result
 * @version: version of the request
 */
void rg_cni_result_pass_on(struct json_object *doc, enum rg_cni_version version);

/**
 * rg_cni_result_done() - free what a result owns
 * @result: result
 */
void rg_cni_result_done(struct rg_cni_result *result);

#endif /* RG_CNI_RESULT_H */
