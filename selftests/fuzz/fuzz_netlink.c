// SPDX-License-Identifier: Apache-2.0
/*
 * Netlink answers: whatever arrives on the socket, reading it ends and gives values within their
 * bounds. libnl's nl_send() and nl_recv() are replaced at link time (--wrap).
 *
 * Input: one byte that chooses the request, then datagrams, each as two bytes of length (little
 * endian), one byte of flags and the bytes. The sequence numbers in a datagram are set to what
 * the request used, unless FLAG_FOREIGN says otherwise.
 */
#include <string.h>
#include <linux/netlink.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "base/cleanup.h"
#include "fuzz.h"
#include "net/addr.h"
#include "net/link.h"
#include "net/monitor.h"
#include "net/route.h"
#include "net/rule.h"

#define FLAG_FOREIGN 1 /* sequence numbers stay as they are */
#define FLAG_USER    2 /* does not come from the kernel */

static const uint8_t *input;
static size_t input_left;
static uint32_t request_seq;

int __wrap_nl_send(struct nl_sock *sk, struct nl_msg *msg);
int __wrap_nl_recv(struct nl_sock *sk, struct sockaddr_nl *from, unsigned char **buf,
		   struct ucred **creds);

int __wrap_nl_send(struct nl_sock *sk, struct nl_msg *msg)
{
	(void)sk;
	request_seq = nlmsg_hdr(msg)->nlmsg_seq;
	return (int)nlmsg_hdr(msg)->nlmsg_len;
}

static void set_sequence(unsigned char *data, size_t size)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)data;
	int rest = (int)size;

	for (; nlmsg_ok(nlh, rest); nlh = nlmsg_next(nlh, &rest))
		nlh->nlmsg_seq = request_seq;
}

int __wrap_nl_recv(struct nl_sock *sk, struct sockaddr_nl *from, unsigned char **buf,
		   struct ucred **creds)
{
	size_t len;
	uint8_t flags;

	(void)sk;
	(void)creds;
	if (input_left < 3)
		return -NLE_AGAIN;
	len = input[0] | (size_t)input[1] << 8;
	flags = input[2];
	input += 3;
	input_left -= 3;
	if (len > input_left)
		len = input_left;
	if (len == 0)
		return 0;
	/* a buffer of the exact size, so that ASan sees the first byte too far */
	*buf = malloc(len);
	fuzz_check(*buf);
	memcpy(*buf, input, len);
	input += len;
	input_left -= len;
	if (!(flags & FLAG_FOREIGN))
		set_sequence(*buf, len);
	memset(from, 0, sizeof(*from));
	from->nl_family = AF_NETLINK;
	from->nl_pid = flags & FLAG_USER ? 1 : 0;
	return (int)len;
}

static void check_cidr(const struct rg_cidr_net *c)
{
	char text[RG_CIDR_STR_LEN];

	fuzz_check(c->prefix <= (rg_addr_is_v4(&c->addr) ? 32 : 128));
	fuzz_check(rg_cidr_prefix128(c) <= 128);
	fuzz_check(strlen(rg_cidr_format(c, text)) < sizeof(text));
}

#define check_text(array) fuzz_check(memchr(array, '\0', sizeof(array)))

static void check_link(const struct rg_link *l)
{
	check_text(l->name);
	check_text(l->kind);
	check_text(l->alias);
	check_text(l->bus);
	check_text(l->dev);
	check_text(l->phys_port);
	fuzz_check(l->n_altnames <= RG_LINK_MAX_ALTNAMES);
	for (size_t i = 0; i < l->n_altnames; i++)
		check_text(l->altnames[i]);
}

static void check_event(const struct rg_net_event *event, void *arg)
{
	(void)arg;
	switch (event->kind) {
	case RG_NET_LINK_NEW:
	case RG_NET_LINK_GONE:
		check_link(&event->link);
		break;
	case RG_NET_ADDR_NEW:
	case RG_NET_ADDR_GONE:
		check_cidr(&event->addr.cidr);
		break;
	case RG_NET_ROUTE_NEW:
	case RG_NET_ROUTE_GONE:
		check_cidr(&event->route.dst);
		break;
	case RG_NET_LOST:
		break;
	}
}

static int list_links(struct rg_nl *nl, struct rg_err *err)
{
	_cleanup_free_ struct rg_link *links = NULL;
	size_t n = 0;
	int r = rg_link_list(nl, &links, &n, err);

	for (size_t i = 0; r == 0 && i < n; i++)
		check_link(&links[i]);
	return r;
}

static int get_link(struct rg_nl *nl, struct rg_err *err)
{
	struct rg_link link = {0};
	int r = rg_link_get(nl, 1, &link, err);

	if (r == 0)
		check_link(&link);
	return r;
}

static int list_addresses(struct rg_nl *nl, struct rg_err *err)
{
	_cleanup_free_ struct rg_ifaddr *addrs = NULL;
	size_t n = 0;
	int r = rg_ifaddr_list(nl, 0, &addrs, &n, err);

	for (size_t i = 0; r == 0 && i < n; i++)
		check_cidr(&addrs[i].cidr);
	return r;
}

static int list_routes(struct rg_nl *nl, struct rg_err *err)
{
	_cleanup_free_ struct rg_route *routes = NULL;
	size_t n = 0;
	int r = rg_route_list(nl, 0, 0, &routes, &n, err);

	for (size_t i = 0; r == 0 && i < n; i++)
		check_cidr(&routes[i].dst);
	return r;
}

static int list_rules(struct rg_nl *nl, struct rg_err *err)
{
	_cleanup_free_ struct rg_rule *rules = NULL;
	char text[RG_RULE_TEXT_SIZE];
	size_t n = 0;
	int r = rg_rule_list(nl, &rules, &n, err);

	for (size_t i = 0; r == 0 && i < n; i++) {
		check_text(rules[i].iif);
		check_text(rules[i].oif);
		fuzz_check(strlen(rg_rule_format(&rules[i], text)) < sizeof(text));
	}
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*const requests[])(struct rg_nl *, struct rg_err *) = {
		list_links, get_link, list_addresses, list_routes, list_rules,
	};
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	struct rg_err err = {0};
	unsigned int which;
	int r;

	if (size < 1)
		return 0;
	fuzz_check(rg_nl_open(NETLINK_ROUTE, &nl, &err) == 0);
	which = data[0] % (ARRAY_SIZE(requests) + 1);
	input = data + 1;
	input_left = size - 1;
	if (which == ARRAY_SIZE(requests)) {
		(void)rg_net_monitor_read(nl, check_event, NULL);
		return 0;
	}
	r = requests[which](nl, &err);
	fuzz_check_result(r, &err);
	return 0;
}
