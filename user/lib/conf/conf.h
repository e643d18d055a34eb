/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The node's configuration, /etc/railgate/railgate.json, as checked values.
 *
 * All three programs read the same file. Unknown keys, wrong types and impossible values are
 * errors that name the JSON path and what would be right, and nothing of such a file is used.
 */
#ifndef RG_CONF_CONF_H
#define RG_CONF_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <railgate/limits.h>

#include "base/inet.h"

struct rg_err;

#define RG_CONF_PATH_DEFAULT "/etc/railgate/railgate.json"
#define RG_STATE_DIR_DEFAULT "/var/lib/railgate"
#define RG_RUN_DIR_DEFAULT   "/run/railgate"

#define RG_RAIL_NAME_SIZE    16
#define RG_PCI_SIZE	     64 /* any bus: 0000:86:00.0, mlx5_core.sf.4 */
#define RG_RDMA_NAME_SIZE    64
#define RG_CONF_MAX_CIDRS    128
#define RG_CONF_MAX_ADDRS    16
#define RG_LISTEN_SIZE	     128

/**
 * struct rg_conf_match - what binds a rail to hardware; every key that is given must fit
 * @netdev: netdev name, empty if not given
 * @pci: device address on its bus, empty if not given
 * @rdma: RDMA device name, empty if not given
 * @mac: MAC, valid if @has_mac
 * @has_mac: whether @mac was given
 */
struct rg_conf_match {
	char netdev[IF_NAMESIZE];
	char pci[RG_PCI_SIZE];
	char rdma[RG_RDMA_NAME_SIZE];
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
};

/**
 * struct rg_conf_allow - an exception to the policy
 * @to: destination network, valid if @has_to, else any
 * @has_to: whether @to was given
 * @proto: IP protocol number
 * @port: destination port, host byte order, 0 for any
 * @from: RG_FROM_HOST, RG_FROM_PODS or both (<railgate/policy.h>)
 */
struct rg_conf_allow {
	struct rg_cidr_net to;
	bool has_to;
	uint8_t proto;
	uint8_t from;
	uint16_t port;
};

/**
 * struct rg_conf_policy - policy of a rail
 * @mode: enum rg_mode
 * @profile: enum rg_profile
 * @kernel_roce_deny: drop RoCE that a socket made
 * @allows: exceptions
 * @n_allows: number of @allows
 */
struct rg_conf_policy {
	uint8_t mode;
	uint8_t profile;
	bool kernel_roce_deny;
	struct rg_conf_allow allows[RG_MAX_ALLOWS];
	size_t n_allows;
};

/**
 * struct rg_conf_rail - one rail as declared
 * @name: operator's name
 * @match: hardware it is bound to
 * @addresses: interface addresses with prefix length
 * @n_addresses: number of @addresses
 * @gateways: at most one of each family
 * @n_gateways: number of @gateways
 * @mtu: bytes, 0 to leave it alone
 * @manage: whether the agent may configure the netdev; otherwise it only attaches the policy
 * @num_vfs: VFs to create, -1 to leave them alone
 * @vlans: VLAN ids the rail may carry
 * @n_vlans: number of @vlans
 * @policy: the node's policy with the rail's own keys on top
 */
struct rg_conf_rail {
	char name[RG_RAIL_NAME_SIZE];
	struct rg_conf_match match;
	struct rg_cidr_net addresses[RG_CONF_MAX_ADDRS];
	size_t n_addresses;
	struct rg_addr gateways[2];
	size_t n_gateways;
	uint32_t mtu;
	bool manage;
	int32_t num_vfs;
	uint16_t vlans[RG_MAX_VLANS];
	size_t n_vlans;
	struct rg_conf_policy policy;
};

/**
 * struct rg_conf - the whole file
 * @rdma_cidrs: networks of the RDMA fabric
 * @n_rdma_cidrs: number of @rdma_cidrs
 * @policy: policy of rails that do not say otherwise
 * @rails: rails in the file's order; a rail's number in the maps is not its position here but what
 *         the agent gave its name (bpf/config.h, rg_policy_rail_number())
 * @n_rails: number of @rails
 * @metrics_listen: "address:port" or "[address]:port" of the metrics, empty for none
 * @max_endpoints: slots in the counter maps
 */
struct rg_conf {
	struct rg_cidr_net rdma_cidrs[RG_CONF_MAX_CIDRS];
	size_t n_rdma_cidrs;
	struct rg_conf_policy policy;
	struct rg_conf_rail rails[RG_MAX_RAILS];
	size_t n_rails;
	char metrics_listen[RG_LISTEN_SIZE];
	uint32_t max_endpoints;
};

/**
 * rg_conf_load() - read and check a configuration file
 * @path: file
 * @ret: configuration, written only on success; the caller frees it with free()
 * @err: sentence that names the JSON path, the value and the remedy
 *
 * Return: 0 or -errno (-EINVAL for contents that are not right)
 */
int rg_conf_load(const char *path, struct rg_conf **ret, struct rg_err *err);

/**
 * rg_conf_parse() - check a configuration given as text
 * @text: JSON
 * @len: bytes at @text
 * @ret: configuration, written only on success; the caller frees it with free()
 * @err: sentence as for rg_conf_load()
 *
 * Return: 0 or -errno
 */
int rg_conf_parse(const char *text, size_t len, struct rg_conf **ret, struct rg_err *err);

/**
 * rg_conf_find_rail() - rail by name
 * @conf: configuration
 * @name: operator's name
 *
 * Return: position in @conf->rails, or -ENOENT
 */
int rg_conf_find_rail(const struct rg_conf *conf, const char *name);

/**
 * rg_conf_rail_names() - names of all rails, for messages
 * @conf: configuration
 * @buf: "rail0, rail1", or "(none)"
 * @size: bytes at @buf
 *
 * Return: @buf
 */
char *rg_conf_rail_names(const struct rg_conf *conf, char *buf, size_t size);

/**
 * rg_conf_path() - a path that can be moved: option, else environment, else default
 * @option: value of the command line option, NULL if not given
 * @variable: name of the environment variable
 * @fallback: default
 *
 * Return: one of the three strings; an empty one counts as not given
 */
const char *rg_conf_path(const char *option, const char *variable, const char *fallback);

#endif /* RG_CONF_CONF_H */
