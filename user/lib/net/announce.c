// SPDX-License-Identifier: Apache-2.0
/*
 * Unsolicited neighbour advertisements through a raw ICMPv6 socket.
 */
#include <errno.h>
#include <string.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "net/announce.h"

/* A neighbour must see that the packet crossed no router (RFC 4861, 7.1.2). */
#define ND_HOPS 255

static const struct in6_addr all_nodes = {.s6_addr = {0xff, 0x02, [15] = 1}};

void rg_announce_na(const uint8_t mac[RG_MAC_LEN], const struct rg_addr *addr,
		    uint8_t msg[RG_ANNOUNCE_NA_LEN])
{
	struct nd_neighbor_advert na = {0};
	const struct nd_opt_hdr option = {
		.nd_opt_type = ND_OPT_TARGET_LINKADDR, .nd_opt_len = 1, /* in units of 8 bytes */
	};

	na.nd_na_type = ND_NEIGHBOR_ADVERT;
	na.nd_na_flags_reserved = ND_NA_FLAG_OVERRIDE;
	memcpy(&na.nd_na_target, addr->b, sizeof(na.nd_na_target));
	memcpy(msg, &na, sizeof(na));
	memcpy(msg + sizeof(na), &option, sizeof(option));
	memcpy(msg + sizeof(na) + sizeof(option), mac, RG_MAC_LEN);
	_Static_assert(sizeof(na) + sizeof(option) + RG_MAC_LEN == RG_ANNOUNCE_NA_LEN, "NA length");
}

static int send_na(int ifindex, const uint8_t *mac, const struct rg_addr *addr)
{
	_cleanup_close_ int fd = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMPV6);
	struct sockaddr_in6 from = {.sin6_family = AF_INET6, .sin6_scope_id = (uint32_t)ifindex};
	const struct sockaddr_in6 to = {
		.sin6_family = AF_INET6,
		.sin6_addr = all_nodes,
		.sin6_scope_id = (uint32_t)ifindex,
	};
	const int hops = ND_HOPS;
	uint8_t msg[RG_ANNOUNCE_NA_LEN];

	if (fd < 0)
		return -errno;
	memcpy(&from.sin6_addr, addr->b, sizeof(from.sin6_addr));
	rg_announce_na(mac, addr, msg);
	if (setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof(hops)) < 0 ||
	    bind(fd, (const struct sockaddr *)&from, sizeof(from)) < 0 ||
	    sendto(fd, msg, sizeof(msg), 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
		return -errno;
	return 0;
}

int rg_announce(int ifindex, const uint8_t mac[RG_MAC_LEN], const struct rg_addr *addrs, size_t n,
		struct rg_err *err)
{
	for (size_t i = 0; i < n; i++) {
		char text[RG_ADDR_STR_LEN];
		int r = rg_addr_is_v4(&addrs[i]) ? 0 : send_na(ifindex, mac, &addrs[i]);

		if (r < 0)
			return rg_err_errno(err, r, "cannot announce address %s on device %d",
					    rg_addr_format(&addrs[i], text), ifindex);
	}
	return 0;
}
