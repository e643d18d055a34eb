// SPDX-License-Identifier: Apache-2.0
/*
 * clsact filters. libbpf attaches, replaces and deletes them but cannot list them, which is what
 * it takes to know one's place; the list is one dump over a plain netlink socket.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/netlink.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/tcfilter.h"

#define DUMP_BYTES 32768
#define PRIO_TRIES 8

/**
 * struct list - filters collected so far
 */
struct list {
	struct rg_tcf *filters;
	size_t n;
};

static uint32_t parent_of(bool egress)
{
	return TC_H_MAKE(TC_H_CLSACT, egress ? TC_H_MIN_EGRESS : TC_H_MIN_INGRESS);
}

static void attr_str(const struct rtattr *attr, char *dst, size_t size)
{
	size_t len = RTA_PAYLOAD(attr);

	if (len >= size)
		len = size - 1;
	memcpy(dst, RTA_DATA(attr), len);
	dst[len] = '\0';
}

static void parse_bpf(const struct rtattr *options, struct rg_tcf *filter)
{
	const struct rtattr *a = RTA_DATA(options);
	int len = (int)RTA_PAYLOAD(options);

	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if ((a->rta_type & NLA_TYPE_MASK) == TCA_BPF_ID &&
		    RTA_PAYLOAD(a) >= sizeof(filter->prog_id))
			memcpy(&filter->prog_id, RTA_DATA(a), sizeof(filter->prog_id));
		else if ((a->rta_type & NLA_TYPE_MASK) == TCA_BPF_NAME)
			attr_str(a, filter->name, sizeof(filter->name));
	}
}

/* One message of the dump. A message without a handle stands for the priority as such. */
static int parse_filter(const struct nlmsghdr *nlh, struct list *list)
{
	const struct tcmsg *tcm = NLMSG_DATA(nlh);
	int len = (int)(nlh->nlmsg_len - NLMSG_LENGTH(sizeof(*tcm)));
	const struct rtattr *a = TCA_RTA(tcm), *options = NULL;
	struct rg_tcf filter = {0}, *bigger;

	if (nlh->nlmsg_len < NLMSG_LENGTH(sizeof(*tcm)) || !tcm->tcm_handle)
		return 0;
	filter.prio = tcm->tcm_info >> 16;
	filter.protocol = ntohs((uint16_t)tcm->tcm_info);
	filter.handle = tcm->tcm_handle;
	for (; RTA_OK(a, len); a = RTA_NEXT(a, len)) {
		if (a->rta_type == TCA_KIND)
			attr_str(a, filter.kind, sizeof(filter.kind));
		else if (a->rta_type == TCA_OPTIONS)
			options = a;
	}
	if (options && rg_str_equal(filter.kind, "bpf"))
		parse_bpf(options, &filter);
	bigger = realloc(list->filters, (list->n + 1) * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	list->filters = bigger;
	list->filters[list->n++] = filter;
	return 0;
}

static int parse_answer(const struct nlmsghdr *nlh, size_t len, struct list *list, bool *done)
{
	for (; NLMSG_OK(nlh, len); nlh = NLMSG_NEXT(nlh, len)) {
		int r = 0;

		if (nlh->nlmsg_type == NLMSG_DONE) {
			*done = true;
			return 0;
		}
		if (nlh->nlmsg_type == NLMSG_ERROR) {
			const struct nlmsgerr *e = NLMSG_DATA(nlh);

			return e->error ? e->error : -EPROTO;
		}
		if (nlh->nlmsg_type == RTM_NEWTFILTER)
			r = parse_filter(nlh, list);
		if (r < 0)
			return r;
	}
	return 0;
}

static int send_dump(int fd, int ifindex, uint32_t parent)
{
	struct {
		struct nlmsghdr nlh;
		struct tcmsg tcm;
	} req = {
		.nlh = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct tcmsg)),
			.nlmsg_type = RTM_GETTFILTER,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		.tcm = {.tcm_family = AF_UNSPEC, .tcm_ifindex = ifindex, .tcm_parent = parent},
	};

	return send(fd, &req, sizeof(req), 0) < 0 ? -errno : 0;
}

static int dump(int ifindex, uint32_t parent, struct list *list)
{
	_cleanup_close_ int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	_cleanup_free_ char *buf = malloc(DUMP_BYTES);
	bool done = false;
	int r;

	if (fd < 0)
		return -errno;
	if (!buf)
		return -ENOMEM;
	r = send_dump(fd, ifindex, parent);
	while (r == 0 && !done) {
		ssize_t n = recv(fd, buf, DUMP_BYTES, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		r = parse_answer((const struct nlmsghdr *)buf, (size_t)n, list, &done);
	}
	return r;
}

int rg_tcf_list(int ifindex, bool egress, struct rg_tcf **ret, size_t *ret_n)
{
	struct list list = {NULL, 0};
	int r = dump(ifindex, parent_of(egress), &list);

	if (r < 0) {
		free(list.filters);
		return r;
	}
	*ret = list.filters;
	*ret_n = list.n;
	return 0;
}

static struct bpf_tc_hook tc_hook(int ifindex, bool egress)
{
	return (struct bpf_tc_hook){
		.sz = sizeof(struct bpf_tc_hook),
		.ifindex = ifindex,
		.attach_point = egress ? BPF_TC_EGRESS : BPF_TC_INGRESS,
	};
}

int rg_tcf_attach(int ifindex, bool egress, int prog_fd, uint32_t handle)
{
	struct bpf_tc_hook hook = tc_hook(ifindex, egress);
	struct bpf_tc_hook qdisc = hook;
	int r;

	/* naming both directions makes libbpf create the qdisc for both */
	qdisc.attach_point = BPF_TC_EGRESS | BPF_TC_INGRESS;
	r = bpf_tc_hook_create(&qdisc);
	if (r < 0 && r != -EEXIST)
		return r;
	/* a classifier of another kind or protocol may already own the first priority */
	for (uint32_t prio = 1; prio <= PRIO_TRIES; prio++) {
		LIBBPF_OPTS(bpf_tc_opts, opts, .handle = handle, .priority = prio,
			    .prog_fd = prog_fd, .flags = BPF_TC_F_REPLACE);

		r = bpf_tc_attach(&hook, &opts);
		if (r != -EINVAL && r != -EEXIST)
			break;
	}
	return r;
}

int rg_tcf_detach(int ifindex, bool egress, const struct rg_tcf *filter)
{
	struct bpf_tc_hook hook = tc_hook(ifindex, egress);
	LIBBPF_OPTS(bpf_tc_opts, opts, .handle = filter->handle, .priority = filter->prio);
	int r = bpf_tc_detach(&hook, &opts);

	return r == -ENOENT || r == -EINVAL || r == -ENODEV ? 0 : r;
}

static int detach_prog_from(int ifindex, bool egress, uint32_t prog_id)
{
	_cleanup_free_ struct rg_tcf *filters = NULL;
	size_t n;
	int r;

	/* fails for a device that is gone by now, or that has no clsact qdisc */
	if (rg_tcf_list(ifindex, egress, &filters, &n) < 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (filters[i].prog_id != prog_id)
			continue;
		r = rg_tcf_detach(ifindex, egress, &filters[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

int rg_tcf_detach_prog(bool egress, uint32_t prog_id)
{
	struct if_nameindex *devs = if_nameindex();
	int r = devs ? 0 : -errno;

	for (size_t i = 0; r == 0 && devs[i].if_index; i++)
		r = detach_prog_from((int)devs[i].if_index, egress, prog_id);
	if (devs)
		if_freenameindex(devs);
	return r;
}
