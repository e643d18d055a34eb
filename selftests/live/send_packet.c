// SPDX-License-Identifier: Apache-2.0
/*
 * Packet sockets: plain, past the queueing discipline, with a wrong protocol, with a virtio header.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/tap.h"
#include "send.h"

int sender_open(struct sender *s, const struct way *way, const struct netdev *dev)
{
	int r;

	memset(s, 0, sizeof(*s));
	s->way = way;
	s->dev = dev;
	s->fd = -EBADF;
	world_enter(dev->ns);
	r = way->open(s);
	if (r < 0)
		sender_close(s);
	return r;
}

int sender_send(struct sender *s, const struct frame *f)
{
	return s->way->send(s, f);
}

void sender_close(struct sender *s)
{
	if (s->way->close)
		s->way->close(s);
	rg_close_ptr(&s->fd);
	s->fd = -EBADF;
}

static int set(const struct sender *s, int option, int value)
{
	return setsockopt(s->fd, SOL_PACKET, option, &value, sizeof(value)) < 0 ? -errno : 0;
}

static int packet_open(struct sender *s)
{
	int r = 0;

	s->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return -errno;
	if (s->way->bypass)
		r = set(s, PACKET_QDISC_BYPASS, 1);
	if (r == 0 && s->way == &way_vnet)
		r = set(s, PACKET_VNET_HDR, 1);
	return r;
}

static uint16_t frame_type(const struct frame *f)
{
	return (uint16_t)(f->data[12] << 8 | f->data[13]);
}

/* What the frame is said to be; a liar says something else even if it is the truth by chance. */
static uint16_t said_type(const struct sender *s, const struct frame *f)
{
	uint16_t type = frame_type(f);

	if (!s->way->protocol)
		return type;
	return s->way->protocol == type ? ETH_P_IP : s->way->protocol;
}

static int send_iov(const struct sender *s, const struct frame *f, struct iovec *iov, size_t n)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(said_type(s, f)),
		.sll_ifindex = s->dev->ifindex,
	};
	const struct msghdr msg = {
		.msg_name = &to,
		.msg_namelen = sizeof(to),
		.msg_iov = iov,
		.msg_iovlen = n,
	};

	return sendmsg(s->fd, &msg, 0) < 0 ? -errno : 0;
}

static int packet_send(struct sender *s, const struct frame *f)
{
	struct iovec iov = {.iov_base = (void *)f->data, .iov_len = f->len};

	return send_iov(s, f, &iov, 1);
}

int send_gso(struct sender *s, const struct frame *f, const struct gso *gso)
{
	struct virtio_net_hdr hdr = {
		.flags = gso->type ? VIRTIO_NET_HDR_F_NEEDS_CSUM : 0,
		.gso_type = gso->type,
		.hdr_len = gso->headers,
		.gso_size = gso->size,
		.csum_start = gso->csum_start,
		.csum_offset = gso->csum_offset,
	};
	struct iovec iov[2] = {
		{.iov_base = &hdr, .iov_len = sizeof(hdr)},
		{.iov_base = (void *)f->data, .iov_len = f->len},
	};

	return send_iov(s, f, iov, ARRAY_SIZE(iov));
}

static int vnet_send(struct sender *s, const struct frame *f)
{
	const struct gso none = {.type = GSO_NONE};

	return send_gso(s, f, &none);
}

const struct way way_packet = {
	.name = "packet socket",
	.open = packet_open,
	.send = packet_send,
};

const struct way way_bypass = {
	.name = "packet socket with PACKET_QDISC_BYPASS",
	.bypass = true,
	.open = packet_open,
	.send = packet_send,
};

const struct way way_lying = {
	.name = "packet socket that lies about the protocol",
	.protocol = ETH_P_ARP,
	.open = packet_open,
	.send = packet_send,
};

const struct way way_vnet = {
	.name = "packet socket with a virtio header",
	.open = packet_open,
	.send = vnet_send,
};

/* Replaces the variables of a text by what the device has. */
static void expand(const struct netdev *dev, const char *text, char *buf, size_t size)
{
	char mac[RG_MAC_STR_LEN];
	const struct {
		const char *name;
		const char *value;
	} vars[] = {{"$mac", rg_mac_format(dev->mac, mac)}, {"$ip4", dev->ip4}, {"$ip6", dev->ip6}};
	size_t n = 0;

	while (*text && n + RG_ADDR_STR_LEN < size) {
		size_t i = 0;

		while (i < ARRAY_SIZE(vars) && !rg_str_prefix(text, vars[i].name))
			i++;
		if (i == ARRAY_SIZE(vars)) {
			buf[n++] = *text++;
			continue;
		}
		(void)rg_str_copy(buf + n, size - n, vars[i].value);
		n += strlen(vars[i].value);
		text += strlen(vars[i].name);
	}
	buf[n] = '\0';
	if (*text)
		tap_bail("frame text is too long");
}

void frame_for(const struct netdev *dev, const char *text, struct frame *ret)
{
	char expanded[1024], error[128];

	expand(dev, text, expanded, sizeof(expanded));
	if (frame_build(expanded, ret, error) < 0)
		tap_bail("frame \"%s\": %s", expanded, error);
}
