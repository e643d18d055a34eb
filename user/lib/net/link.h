/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Network devices: what they are, and every change the project makes to one.
 *
 * Changes to one device that belong together are one request, so that nobody (udev, the pod)
 * sees a state between them: a move into a namespace and the new name, the MAC and the MTU.
 */
#ifndef RG_NET_LINK_H
#define RG_NET_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>

#include "base/inet.h"
#include "net/nl.h"

#define RG_LINK_KIND_SIZE    16
#define RG_LINK_ALIAS_SIZE   256
#define RG_LINK_DEV_SIZE     64
#define RG_LINK_MAX_ALTNAMES 4
#define RG_LINK_ALTNAME_SIZE 128

/**
 * struct rg_link - a network device
 * @ifindex: its number in its namespace
 * @name: its name
 * @kind: "macvlan", "vlan", "bond", ...; empty for hardware
 * @type: ARPHRD_*
 * @mac: hardware address, valid if @has_mac
 * @has_mac: whether the device has a 6-byte hardware address
 * @perm_mac: address the hardware was born with, valid if @has_perm_mac
 * @has_perm_mac: whether the kernel reported @perm_mac
 * @mtu: bytes
 * @min_mtu: smallest MTU, 0 if unknown
 * @max_mtu: largest MTU, 0 if unlimited or unknown
 * @flags: IFF_*
 * @operstate: IF_OPER_*
 * @parent: ifindex of the lower device (IFLA_LINK), 0 if none
 * @parent_nsid: id of the namespace that @parent lives in, -1 if this one
 * @master: ifindex of the bond or bridge above, 0 if none
 * @macvlan_mode: MACVLAN_MODE_*, 0 if not a macvlan
 * @alias: ifalias, empty if none
 * @bus: bus of the hardware behind it ("pci", "auxiliary"), empty if none or unknown
 * @dev: address on @bus ("0000:86:00.0")
 * @phys_port: phys_port_name ("p0", "pf0vf3"), empty if none
 * @altnames: alternative names
 * @n_altnames: number of @altnames
 */
struct rg_link {
	int ifindex;
	char name[IF_NAMESIZE];
	char kind[RG_LINK_KIND_SIZE];
	uint16_t type;
	uint8_t mac[RG_MAC_LEN];
	bool has_mac;
	uint8_t perm_mac[RG_MAC_LEN];
	bool has_perm_mac;
	uint32_t mtu;
	uint32_t min_mtu;
	uint32_t max_mtu;
	uint32_t flags;
	uint8_t operstate;
	int parent;
	int parent_nsid;
	int master;
	uint32_t macvlan_mode;
	char alias[RG_LINK_ALIAS_SIZE];
	char bus[RG_LINK_KIND_SIZE];
	char dev[RG_LINK_DEV_SIZE];
	char phys_port[RG_LINK_DEV_SIZE];
	char altnames[RG_LINK_MAX_ALTNAMES][RG_LINK_ALTNAME_SIZE];
	size_t n_altnames;
};

/**
 * rg_link_parse() - read an RTM_NEWLINK or RTM_DELLINK message
 * @nlh: message
 * @ret: device
 *
 * Return: 0, or -EPROTO if the message is not well-formed
 */
int rg_link_parse(const struct nlmsghdr *nlh, struct rg_link *ret);

/**
 * rg_link_get() - device by number
 * @nl: NETLINK_ROUTE socket
 * @ifindex: number
 * @ret: device, written only on success
 * @err: what failed
 *
 * Asks for no VF data, so the answer is small whatever the device.
 *
 * Return: 0, -ENODEV if there is none, or -errno
 */
int rg_link_get(struct rg_nl *nl, int ifindex, struct rg_link *ret, struct rg_err *err);

/**
 * rg_link_get_name() - device by name or alternative name
 * @nl: NETLINK_ROUTE socket
 * @name: name
 * @ret: device, written only on success
 * @err: what failed
 *
 * Return: 0, -ENODEV if there is none, or -errno
 */
int rg_link_get_name(struct rg_nl *nl, const char *name, struct rg_link *ret, struct rg_err *err);

/**
 * rg_link_list() - all devices of a namespace
 * @nl: NETLINK_ROUTE socket
 * @ret: array, to be freed with free()
 * @ret_n: number of devices
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_link_list(struct rg_nl *nl, struct rg_link **ret, size_t *ret_n, struct rg_err *err);

/**
 * struct rg_macvlan - a macvlan to be made
 * @parent: ifindex of the device below, in the namespace of the socket
 * @netns_fd: namespace it is born in
 * @name: name it is born with
 * @mode: MACVLAN_MODE_*
 * @mac: its MAC
 * @mtu: bytes, 0 for the parent's
 * @bcqueuelen: broadcast queue length, 0 for the kernel's own
 */
struct rg_macvlan {
	int parent;
	int netns_fd;
	const char *name;
	uint32_t mode;
	uint8_t mac[RG_MAC_LEN];
	uint32_t mtu;
	uint32_t bcqueuelen;
};

/**
 * rg_link_add_macvlan() - make a macvlan directly inside a namespace
 * @nl: NETLINK_ROUTE socket in the parent's namespace
 * @spec: what to make
 * @err: what failed
 *
 * The device is down. The kernel compares the name with the socket's namespace as well as with
 * the new one: -EEXIST may mean either.
 *
 * Return: 0 or -errno
 */
int rg_link_add_macvlan(struct rg_nl *nl, const struct rg_macvlan *spec, struct rg_err *err);

/* Values of net.ipv4.conf.<device>.*, settable in the request that changes the device. */
#define RG_LINK_MAX_CONF 8

/**
 * struct rg_link_conf - one per-device IPv4 setting
 * @id: IPV4_DEVCONF_* (linux/ip.h)
 * @value: value
 */
struct rg_link_conf {
	uint16_t id;
	uint32_t value;
};

/**
 * struct rg_link_change - changes to one device, made by one request
 * @name: new name, NULL to keep it
 * @netns_fd: namespace to move it to, -1 to leave it; set -1 when not wanted
 * @mac: new MAC, NULL to keep it
 * @mtu: new MTU in bytes, 0 to keep it
 * @up: 1 up, -1 down, 0 as it is
 * @alias: new ifalias ("" removes it), NULL to keep it
 * @conf: IPv4 settings
 * @n_conf: number of @conf
 */
struct rg_link_change {
	const char *name;
	int netns_fd;
	const uint8_t *mac;
	uint32_t mtu;
	int up;
	const char *alias;
	struct rg_link_conf conf[RG_LINK_MAX_CONF];
	size_t n_conf;
};

/* A change that changes nothing, to start from. */
#define RG_LINK_CHANGE_NONE    \
	{                      \
		.netns_fd = -1 \
	}

/**
 * rg_link_change() - change a device in one request
 * @nl: NETLINK_ROUTE socket in the device's namespace
 * @ifindex: device
 * @change: what to change
 * @err: what failed
 *
 * Return: 0, -ENODEV if the device is gone, or -errno
 */
int rg_link_change(struct rg_nl *nl, int ifindex, const struct rg_link_change *change,
		   struct rg_err *err);

/**
 * rg_link_delete() - delete a virtual device
 * @nl: NETLINK_ROUTE socket in the device's namespace
 * @ifindex: device
 * @err: what failed
 *
 * Return: 0, -ENODEV if it is gone already, or -errno
 */
int rg_link_delete(struct rg_nl *nl, int ifindex, struct rg_err *err);

/**
 * rg_link_altname() - add or remove an alternative name
 * @nl: NETLINK_ROUTE socket in the device's namespace
 * @ifindex: device
 * @altname: alternative name
 * @add: true to add, false to remove
 * @err: what failed
 *
 * Return: 0 or -errno
 */
int rg_link_altname(struct rg_nl *nl, int ifindex, const char *altname, bool add,
		    struct rg_err *err);

#endif /* RG_NET_LINK_H */
