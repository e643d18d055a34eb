/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Namespaces and devices for the live tests.
 *
 *	host namespace                      fabric namespace
 *	  rail0 (host's own) ==== wire ====   rail0
 *	   |- macvlan, moved into a pod
 *	  own0, moved into a pod  ==== wire ====  own0
 *
 * The test program leaves the machine's namespaces for new ones without a name, which end with it.
 * No device says anything by itself: ARP is off, neighbours are static, IPv6 has no link-local
 * addresses. What arrives was sent by the test.
 */
#ifndef RG_LIVE_WORLD_H
#define RG_LIVE_WORLD_H

#include <stdint.h>

#include "base/inet.h"

#define WORLD_PIN_DIR "/sys/fs/bpf/railgate"
#define WORLD_MTU     9000

/* The other end of the fabric: nobody is there, but frames are addressed to it. */
#define WORLD_PEER_MAC "02:00:00:00:09:02"
#define WORLD_PEER_4   "10.9.0.2"
#define WORLD_PEER_6   "fd09::2"

/**
 * struct netdev - a device and where it is
 * @ns: its network namespace
 * @name: name
 * @ifindex: number in @ns
 * @mac: hardware address
 * @ip4: IPv4 address, empty if none
 * @ip6: IPv6 address, empty if none
 */
struct netdev {
	int ns;
	char name[IF_NAMESIZE];
	int ifindex;
	uint8_t mac[RG_MAC_LEN];
	char ip4[RG_ADDR_STR_LEN];
	char ip6[RG_ADDR_STR_LEN];
};

/**
 * struct world - what there is
 * @host: namespace of the host
 * @fabric: namespace of the other end
 * @rail: the host's end of the wire
 * @far: the fabric's end
 */
struct world {
	int host;
	int fabric;
	struct netdev rail;
	struct netdev far;
};

/**
 * world_open() - leave the machine, make the host, the fabric and the rail between them
 * @w: world
 *
 * The rail is down, so that hooks can be attached first; see world_up(). Ends the program if
 * anything fails, as all functions here do.
 */
void world_open(struct world *w);

/**
 * world_close() - give it all back
 * @w: world
 */
void world_close(struct world *w);

/**
 * world_namespace() - make a network namespace
 *
 * Return: namespace; the caller closes it
 */
int world_namespace(void);

/**
 * world_enter() - continue the calling thread in a namespace
 * @ns: namespace
 */
void world_enter(int ns);

/**
 * world_ip() - run ip(8) in a namespace
 * @ns: namespace
 * @fmt: arguments, divided by spaces
 */
void world_ip(int ns, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * world_try() - run a command in a namespace as a privileged pod could
 * @ns: namespace
 * @fmt: command and arguments, divided by spaces
 *
 * It has CAP_NET_ADMIN and CAP_NET_RAW and no other capability. Its output is discarded.
 *
 * Return: its exit status
 */
int world_try(int ns, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * world_sysctl() - set a value below /proc/sys/net in a namespace
 * @ns: namespace
 * @name: path below /proc/sys/net
 * @value: value
 */
void world_sysctl(int ns, const char *name, const char *value);

/**
 * world_macvlan() - make a macvlan on the rail, still in the host's namespace and down
 * @w: world
 * @name: name
 * @mode: "bridge", "vepa" or "private"
 * @mac: its MAC
 * @ret: device
 */
void world_macvlan(struct world *w, const char *name, const char *mode, const char *mac,
		   struct netdev *ret);

/**
 * world_wire() - make a further wire between host and fabric
 * @w: world
 * @name: name of both ends
 * @mac: MAC of the host end
 * @ret: host end, down
 * @ret_far: other end, up
 */
void world_wire(struct world *w, const char *name, const char *mac, struct netdev *ret,
		struct netdev *ret_far);

/**
 * world_move() - move a device into another namespace
 * @dev: device; its namespace and number become the new ones
 * @ns: namespace
 */
void world_move(struct netdev *dev, int ns);

/**
 * world_up() - give a device addresses, a static way to the peer for everything, and bring it up
 * @dev: device
 * @ip4: IPv4 address without prefix length
 * @ip6: IPv6 address likewise
 */
void world_up(struct netdev *dev, const char *ip4, const char *ip6);

/**
 * world_pin_cpu() - keep the calling thread on one CPU
 * @cpu: number; taken modulo the CPUs there are
 *
 * What a thread sends on veth and macvlan is then received in the order in which it was sent.
 */
void world_pin_cpu(unsigned int cpu);

#endif /* RG_LIVE_WORLD_H */
