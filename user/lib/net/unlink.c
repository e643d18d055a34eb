// SPDX-License-Identifier: Apache-2.0
/*
 * Deleting a network device without waiting for its memory to be freed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/close_range.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>

#include "base/err.h"
#include "base/str.h"
#include "net/link.h"
#include "net/unlink.h"

/* The initial PID namespace always has this number (PROC_PID_INIT_INO). */
#define INIT_PID_NS "pid:[4026531836]"

static bool orphans_are_reaped(void)
{
	char text[64];
	ssize_t n = readlink("/proc/self/ns/pid", text, sizeof(text) - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	return rg_str_equal(text, INIT_PID_NS);
}

/* Closes all but @keep: locks and the runtime's pipes must not live as long as the child. */
static void close_others(int keep)
{
	if (keep > 0)
		(void)syscall(SYS_close_range, 0U, (unsigned int)keep - 1, 0U);
	(void)syscall(SYS_close_range, (unsigned int)keep + 1, ~0U, 0U);
}

__attribute__((noreturn)) static void delete_in_child(int netns_fd, int result_fd, int ifindex)
{
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	int32_t r = setns(netns_fd, CLONE_NEWNET) < 0 ? -errno : 0;

	close_others(result_fd);
	r = r ? r : rg_nl_open(NETLINK_ROUTE, &nl, NULL);
	r = r ? r : rg_link_delete(nl, ifindex, NULL);
	/* nobody may be listening any more */
	_exit(write(result_fd, &r, sizeof(r)) != sizeof(r));
}

/**
 * struct awaited - the announcement that is waited for
 * @ifindex: device
 * @seen: whether it has gone
 */
struct awaited {
	int ifindex;
	bool seen;
};

static int look(const struct nlmsghdr *nlh, void *arg)
{
	struct awaited *a = arg;

	if (nlh->nlmsg_type == RTM_DELLINK && nlmsg_datalen(nlh) >= (int)sizeof(struct ifinfomsg) &&
	    ((const struct ifinfomsg *)nlmsg_data(nlh))->ifi_index == a->ifindex)
		a->seen = true;
	return 0;
}

static int read_result(int fd, pid_t pid, int ifindex, struct rg_err *err)
{
	int32_t result;
	ssize_t n = read(fd, &result, sizeof(result));

	(void)waitpid(pid, NULL, 0);
	if (n != sizeof(result))
		return rg_err_set(err, -EIO, "the child that deletes device %d has died", ifindex);
	return result < 0 ? rg_err_errno(err, result, "cannot delete network device number %d",
					 ifindex)
			  : 0;
}

static int await(struct rg_nl *nl, int result_fd, pid_t pid, int ifindex, struct rg_err *err)
{
	struct awaited awaited = {.ifindex = ifindex};
	struct pollfd fds[] = {
		{.fd = result_fd, .events = POLLIN},
		{.fd = rg_nl_fd(nl), .events = POLLIN},
	};

	for (;;) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0) {
			if (errno == EINTR)
				continue;
			return rg_err_errno(err, -errno, "waiting for the end of device %d",
					    ifindex);
		}
		if (fds[0].revents)
			return read_result(result_fd, pid, ifindex, err);
		/* lost announcements: the child's answer will come */
		if (rg_nl_receive(nl, look, &awaited) < 0)
			fds[1].fd = -1;
		if (awaited.seen)
			return 0;
	}
}

int rg_link_delete_early(struct rg_nl *nl, int netns_fd, int ifindex, struct rg_err *err)
{
	_cleanup_close_ int here = -EBADF, there = -EBADF;
	int fds[2], r;
	pid_t pid;

	if (!orphans_are_reaped())
		return rg_link_delete(nl, ifindex, err);
	r = rg_nl_join(nl, RTNLGRP_LINK, err);
	if (r < 0)
		return r;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return rg_err_errno(err, -errno, "cannot make a pipe");
	here = fds[0];
	there = fds[1];
	pid = fork();
	if (pid == 0)
		delete_in_child(netns_fd, there, ifindex);
	if (pid < 0)
		return rg_err_errno(err, -errno, "cannot make a child process");
	rg_close_ptr(&there);
	there = -EBADF;
	return await(nl, here, pid, ifindex, err);
}
