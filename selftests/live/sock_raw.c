// SPDX-License-Identifier: Apache-2.0
/*
 * Sockets that take the network header from the sender, and packets that ask to be segmented.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "base/cleanup.h"
#include "sock.h"
#include "send.h"

#define IP4_DST	 30 /* offsets in the frame */
#define IP6_DST	 38
#define UDP_CSUM 6 /* offset in the UDP header */

/* IPPROTO_RAW: the IPv4 header is the sender's; the kernel fixes length and checksum. */
int sock_raw(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
	struct sockaddr_in to = {.sin_family = AF_INET};
	static struct frame f;

	if (fd < 0)
		return -errno;
	frame_for(dev, row->to, &f);
	memcpy(&to.sin_addr, f.data + IP4_DST, sizeof(to.sin_addr));
	if (sendto(fd, f.data + ETH_HLEN, f.len - ETH_HLEN, 0, (struct sockaddr *)&to, sizeof(to)) <
	    0)
		return -errno;
	return 0;
}

int sock_raw6(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
	struct sockaddr_in6 to = {.sin6_family = AF_INET6};
	static struct frame f;

	if (fd < 0)
		return -errno;
	frame_for(dev, row->to, &f);
	memcpy(&to.sin6_addr, f.data + IP6_DST, sizeof(to.sin6_addr));
	if (sendto(fd, f.data + ETH_HLEN, f.len - ETH_HLEN, 0, (struct sockaddr *)&to, sizeof(to)) <
	    0)
		return -errno;
	return 0;
}

/* A packet socket whose Ethernet header the kernel makes. */
int sock_cooked(const struct netdev *dev, const struct sock_row *row)
{
	_cleanup_close_ int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_ifindex = dev->ifindex};
	static struct frame f;

	if (fd < 0)
		return -errno;
	frame_for(dev, row->to, &f);
	memcpy(to.sll_addr, f.data, ETH_ALEN);
	to.sll_halen = ETH_ALEN;
	memcpy(&to.sll_protocol, f.data + (size_t)2 * ETH_ALEN, sizeof(to.sll_protocol));
	if (sendto(fd, f.data + ETH_HLEN, f.len - ETH_HLEN, 0, (struct sockaddr *)&to, sizeof(to)) <
	    0)
		return -errno;
	return 0;
}

/* A packet socket that asks for segments of arg bytes behind Ethernet, IPv4 and UDP. */
int sock_vnet_gso(const struct netdev *dev, const struct sock_row *row)
{
	const struct gso gso = {
		.type = row->port,
		.size = (uint16_t)row->arg,
		.headers = 42,
		.csum_start = 34,
		.csum_offset = UDP_CSUM,
	};
	struct sender s;
	static struct frame f;
	int r = sender_open(&s, &way_vnet, dev);

	if (r < 0)
		return r;
	frame_for(dev, row->to, &f);
	r = send_gso(&s, &f, &gso);
	sender_close(&s);
	return r;
}
