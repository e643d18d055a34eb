/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network configuration that arrives on standard input.
 *
 * Keys that are not known are left alone, as the specification wants; a known key of a wrong type
 * is an error that names its path. Options have the names of macvlan, sriov-cni, rdma-cni and
 * ib-sriov-cni, so that an existing network needs only its "type" changed.
 */
#ifndef RG_CNI_NETCONF_H
#define RG_CNI_NETCONF_H

#include <net/if.h>
#include <railgate/limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inet.h"
#include "conf/conf.h"
#include "env.h"
#include "error.h"

struct json_object;

#define RG_CNI_INPUT_MAX (512 * 1024) /* bytes; prevResult included */
#define RG_CNI_MAX_IPS	 16

/* CNI versions that the plugin speaks; ordered. */
enum rg_cni_version {
	RG_CNI_0_3_0,
	RG_CNI_0_3_1,
	RG_CNI_0_4_0,
	RG_CNI_1_0_0,
	RG_CNI_1_1_0,
	RG_CNI_VERSIONS,
};

enum rg_cni_mode {
	RG_CNI_MODE_NONE, /* not given: chained, if there is a prevResult */
	RG_CNI_MODE_MACVLAN,
	RG_CNI_MODE_SRIOV,
	RG_CNI_MODE_HOST_DEVICE,
	RG_CNI_MODE_IB_SRIOV,
};

/**
 * struct rg_cni_netconf - checked network configuration
 * @doc: the document; owned
 * @ipam: "ipam" within @doc, NULL if not given or empty
 * @prev_result: "prevResult" within @doc, NULL if not given
 * @valid_attachments: "cni.dev/valid-attachments" within @doc (GC), NULL if not given
 * @version: cniVersion
 * @name: network name
 * @ipam_type: plugin that "ipam" names, empty if none
 * @mode: what to attach
 * @macvlan_mode: MACVLAN_MODE_*
 * @rails: names of the rails
 * @n_rails: number of @rails
 * @all_rails: "rails": "all"
 * @master: netdev that a macvlan network names instead of a rail, empty if not given
 * @device_id: device on its bus, empty if not given
 * @mac: MAC, valid if @has_mac
 * @has_mac: whether a MAC was asked for
 * @mtu: bytes, 0 if not given
 * @bcqueuelen: macvlan broadcast queue length, 0 if not given
 * @ips: addresses asked for by runtimeConfig.ips; a prefix of 0 means none was given
 * @n_ips: number of @ips
 * @policy_mode: enum rg_mode of "policy", 0 if the rail's
 * @strict: "policy": {"profile": "strict"}
 * @rdma_device_name: name of the RDMA device inside the pod, empty to keep it
 */
struct rg_cni_netconf {
	struct json_object *doc;
	struct json_object *ipam;
	struct json_object *prev_result;
	struct json_object *valid_attachments;
	enum rg_cni_version version;
	char name[256];
	char ipam_type[64];
	enum rg_cni_mode mode;
	uint32_t macvlan_mode;
	char rails[RG_MAX_RAILS][RG_RAIL_NAME_SIZE];
	size_t n_rails;
	bool all_rails;
	char master[IF_NAMESIZE];
	char device_id[RG_PCI_SIZE];
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
	uint32_t mtu;
	uint32_t bcqueuelen;
	struct rg_cidr_net ips[RG_CNI_MAX_IPS];
	size_t n_ips;
	uint8_t policy_mode;
	bool strict;
	char rdma_device_name[RG_RDMA_NAME_SIZE];
};

/**
 * rg_cni_version_text() - "1.1.0"
 * @version: version
 */
const char *rg_cni_version_text(enum rg_cni_version version);

/**
 * rg_cni_netconf_parse() - check a network configuration
 * @text: JSON
 * @len: bytes at @text
 * @env: environment, whose CNI_ARGS may ask for a MAC
 * @ret: configuration; rg_cni_netconf_done() frees what it owns, also after a failure, when it
 *       tells the version for the error object as far as that was read
 * @error: names the JSON path, the value and what would be right
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_netconf_parse(const char *text, size_t len, const struct rg_cni_env *env,
			 struct rg_cni_netconf *ret, struct rg_cni_error *error);

/**
 * rg_cni_netconf_read() - read standard input and check it
 * @env: environment
 * @ret: configuration, as for rg_cni_netconf_parse()
 * @error: as for rg_cni_netconf_parse()
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_netconf_read(const struct rg_cni_env *env, struct rg_cni_netconf *ret,
			struct rg_cni_error *error);

/**
 * rg_cni_netconf_done() - free what a configuration owns
 * @conf: configuration
 */
void rg_cni_netconf_done(struct rg_cni_netconf *conf);

/**
 * rg_cni_netconf_keys() - read the keys of a document, but for runtimeConfig
 * @conf: configuration with its document
 * @err: sentence that names the JSON path
 *
 * For rg_cni_netconf_parse().
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_netconf_keys(struct rg_cni_netconf *conf, struct rg_err *err);

/**
 * rg_cni_netconf_runtime() - read runtimeConfig, whose wishes are stronger than any other
 * @conf: configuration with its document
 * @err: sentence that names the JSON path
 *
 * For rg_cni_netconf_parse().
 *
 * Return: 0 or -EINVAL
 */
int rg_cni_netconf_runtime(struct rg_cni_netconf *conf, struct rg_err *err);

#endif /* RG_CNI_NETCONF_H */
