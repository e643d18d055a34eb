/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network configuration: what a NetworkAttachmentDefinition or conflist says.
 *
 * Options have the names that macvlan, sriov-cni and their like gave them, so that an existing
 * network needs only another "type".
 */
#ifndef RG_CNI_NETCONF_H
#define RG_CNI_NETCONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include <railgate/endpoint.h>
#include <railgate/limits.h>

#include "base/inet.h"
#include "conf/conf.h"
#include "state/record.h"
#include "version.h"

struct json_object;
struct rg_call;
struct rg_fault;

#define RG_NETCONF_MAX_DEPTH	  32
#define RG_NETCONF_TYPE_SIZE	  256
#define RG_NETCONF_MAX_IPS	  RG_RECORD_MAX_ADDRS
#define RG_NETCONF_IPAM_TIMEOUT_S 90

/**
 * struct rg_netconf - a network configuration
 * @version: CNI version of request and answer
 * @name: name of the network
 * @mode: how the pod gets its interface, enum rg_kind
 * @macvlan_mode: MACVLAN_MODE_*
 * @rails: names of the rails to attach, in order
 * @n_rails: number of @rails
 * @master: netdev instead of a rail's name, empty if not given
 * @mac: MAC wanted, valid if @has_mac
 * @has_mac: whether a MAC is wanted
 * @mtu: bytes, 0 for the rail's
 * @bcqueuelen: macvlan's broadcast queue, 0 for the kernel's own
 * @rdma: whether the RDMA device is part of the attachment ("rdma": "none" says no)
 * @ident_flags: the attachment's own policy, RG_IDENT_*
 * @ipam_type: IPAM plugin, empty if none
 * @ipam_timeout_s: how long it may take, in seconds
 * @ips: addresses that runtimeConfig or args ask for
 * @n_ips: number of @ips
 * @prev_result: result of the plugin before in the chain, or of ADD for CHECK; NULL if none
 * @valid: GC: attachments that are to stay, NULL if none was listed
 * @has_valid: GC: whether the list was given, be it empty
 * @doc: the whole of it, which @prev_result and @valid are parts of
 */
struct rg_netconf {
	enum rg_cni_version version;
	char name[RG_RECORD_NAME_SIZE];
	enum rg_kind mode;
	uint32_t macvlan_mode;
	char rails[RG_MAX_RAILS][RG_RAIL_NAME_SIZE];
	size_t n_rails;
	char master[IF_NAMESIZE];
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
	uint32_t mtu;
	uint32_t bcqueuelen;
	bool rdma;
	uint32_t ident_flags;
	char ipam_type[RG_NETCONF_TYPE_SIZE];
	uint32_t ipam_timeout_s;
	struct rg_cidr_net ips[RG_NETCONF_MAX_IPS];
	size_t n_ips;
	struct json_object *prev_result;
	struct json_object *valid;
	bool has_valid;
	struct json_object *doc;
};

/**
 * rg_netconf_parse() - read and check a configuration for a command
 * @call: call with its input
 * @ret: configuration, freed by rg_netconf_done(); its version is set even on failure if the text
 *       has one, so that the error can be answered in it
 * @f: what is wrong, with the JSON path
 *
 * DEL and GC need little of it, and are not refused for what they do not need.
 *
 * Return: 0 or -errno
 */
int rg_netconf_parse(const struct rg_call *call, struct rg_netconf *ret, struct rg_fault *f);

/**
 * rg_netconf_done() - free a configuration
 * @conf: configuration
 */
void rg_netconf_done(struct rg_netconf *conf);

/**
 * rg_netconf_mode_name() - "macvlan", "sriov", ...
 * @mode: enum rg_kind
 */
const char *rg_netconf_mode_name(enum rg_kind mode);

#endif /* RG_CNI_NETCONF_H */
