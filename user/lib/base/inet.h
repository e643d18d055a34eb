/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MAC addresses, IP addresses and CIDRs, as text and as the maps keep them.
 *
 * An address is 16 bytes in network byte order, IPv4 mapped into ::ffff:0:0/96, so that both
 * families share one table and one comparison.
 */
#ifndef RG_BASE_INET_H
#define RG_BASE_INET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <net/if.h>
#include <netinet/in.h>

#define RG_MAC_LEN	6
#define RG_MAC_STR_LEN	18
#define RG_ADDR_STR_LEN INET6_ADDRSTRLEN
#define RG_CIDR_STR_LEN (INET6_ADDRSTRLEN + 4)

/**
 * struct rg_addr - an IP address of either family
 * @b: 16 bytes, network byte order, IPv4 mapped
 */
struct rg_addr {
	uint8_t b[16];
};

/**
 * struct rg_cidr_net - an address with a prefix length
 * @addr: address; host bits are kept, an interface address needs them
 * @prefix: length in bits in its own family (0 to 32, or 0 to 128)
 */
struct rg_cidr_net {
	struct rg_addr addr;
	uint8_t prefix;
};

/**
 * rg_mac_parse() - read a MAC address
 * @s: six hexadecimal bytes with ":" or "-" between
 * @ret: bytes, written only on success
 *
 * Return: 0 or -EINVAL
 */
int rg_mac_parse(const char *s, uint8_t ret[RG_MAC_LEN]);

/**
 * rg_mac_format() - write a MAC address as 02:00:00:00:00:01
 * @mac: bytes
 * @buf: at least RG_MAC_STR_LEN bytes
 *
 * Return: @buf
 */
char *rg_mac_format(const uint8_t mac[RG_MAC_LEN], char buf[RG_MAC_STR_LEN]);

/**
 * rg_mac_is_unicast() - whether a MAC may belong to an interface (not zero, not group)
 * @mac: bytes
 */
bool rg_mac_is_unicast(const uint8_t mac[RG_MAC_LEN]);

/**
 * rg_addr_is_v4() - whether an address is a mapped IPv4 one
 * @a: address
 */
bool rg_addr_is_v4(const struct rg_addr *a);

/**
 * rg_addr_from_v4() - map an IPv4 address
 * @v4: 4 bytes, network byte order
 * @ret: mapped
 */
void rg_addr_from_v4(const void *v4, struct rg_addr *ret);

/**
 * rg_addr_family() - AF_INET or AF_INET6
 * @a: address
 */
int rg_addr_family(const struct rg_addr *a);

/**
 * rg_addr_raw() - the address's bytes in its own family (4 or 16)
 * @a: address
 * @ret_len: number of bytes
 *
 * Return: pointer into @a
 */
const uint8_t *rg_addr_raw(const struct rg_addr *a, size_t *ret_len);

/**
 * rg_addr_is_link_local() - 169.254.0.0/16 or fe80::/10
 * @a: address
 */
bool rg_addr_is_link_local(const struct rg_addr *a);

/**
 * rg_addr_is_multicast() - 224.0.0.0/4 or ff00::/8
 * @a: address
 */
bool rg_addr_is_multicast(const struct rg_addr *a);

/**
 * rg_addr_is_zero() - 0.0.0.0 or ::
 * @a: address
 */
bool rg_addr_is_zero(const struct rg_addr *a);

/**
 * rg_addr_equal() - whether two addresses are the same
 * @a: address
 * @b: address
 */
bool rg_addr_equal(const struct rg_addr *a, const struct rg_addr *b);

/**
 * rg_addr_parse() - read an address of either family
 * @s: text
 * @ret: address, written only on success
 *
 * Return: 0 or -EINVAL
 */
int rg_addr_parse(const char *s, struct rg_addr *ret);

/**
 * rg_addr_format() - write an address, IPv4 in dotted form
 * @a: address
 * @buf: at least RG_ADDR_STR_LEN bytes
 *
 * Return: @buf
 */
char *rg_addr_format(const struct rg_addr *a, char buf[RG_ADDR_STR_LEN]);

/**
 * rg_cidr_parse() - read "address/prefix"
 * @s: text; the prefix is required
 * @ret: CIDR with its host bits, written only on success
 *
 * Return: 0 or -EINVAL
 */
int rg_cidr_parse(const char *s, struct rg_cidr_net *ret);

/**
 * rg_cidr_format() - write "address/prefix"
 * @c: CIDR
 * @buf: at least RG_CIDR_STR_LEN bytes
 *
 * Return: @buf
 */
char *rg_cidr_format(const struct rg_cidr_net *c, char buf[RG_CIDR_STR_LEN]);

/**
 * rg_cidr_is_valid() - whether the prefix fits the address's family
 * @c: CIDR
 *
 * What text parsing gives is valid. The kernel may hold others: a mapped address that is assigned
 * as an IPv6 one cannot be told from IPv4 in this form, and its prefix would be over 32.
 */
bool rg_cidr_is_valid(const struct rg_cidr_net *c);

/**
 * rg_cidr_prefix128() - prefix length counted in the mapped form
 * @c: CIDR
 *
 * Return: bits, 0 to 128
 */
unsigned int rg_cidr_prefix128(const struct rg_cidr_net *c);

/**
 * rg_cidr_has_host_bits() - whether bits behind the prefix are set
 * @c: CIDR
 */
bool rg_cidr_has_host_bits(const struct rg_cidr_net *c);

/**
 * rg_cidr_network() - clear the bits behind the prefix
 * @c: CIDR
 *
 * Return: the network
 */
struct rg_cidr_net rg_cidr_network(const struct rg_cidr_net *c);

/**
 * rg_cidr_contains() - whether an address of the same family lies in a network
 * @c: CIDR
 * @a: address
 */
bool rg_cidr_contains(const struct rg_cidr_net *c, const struct rg_addr *a);

#endif /* RG_BASE_INET_H */
