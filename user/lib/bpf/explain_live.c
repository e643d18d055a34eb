// SPDX-License-Identifier: Apache-2.0
/*
 * Frames that are too long for BPF_PROG_TEST_RUN, which on many kernels takes a page less its
 * overhead, while an RDMA packet is 4 KiB and more: they are sent through a real hook, on the
 * loopback of a network namespace that nobody else is in.
 */
#define _GNU_SOURCE /* unshare */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/entry.h"
#include "bpf/explain_internal.h"
#include "bpf/tcfilter.h"

#define LOOPBACK 1 /* always the first device of a namespace */

/* attach.h, which knows it too, cannot be included beside <railgate/event.h>. */
static bool is_egress(enum rg_prog prog)
{
	return prog == RG_PROG_IDX_RAIL_TX || prog == RG_PROG_IDX_POD_TX;
}

/* A packet socket that receives nothing: protocol 0. */
static int open_device(int *ret_sock)
{
	struct sockaddr_ll sa = {.sll_family = AF_PACKET, .sll_ifindex = LOOPBACK};
	struct ifreq ifr = {.ifr_name = "lo"};
	_cleanup_close_ int sock = -EBADF;

	if (unshare(CLONE_NEWNET) < 0)
		return -errno;
	sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (sock < 0 || bind(sock, (struct sockaddr *)&sa, sizeof(sa)) < 0 ||
	    ioctl(sock, SIOCGIFFLAGS, &ifr) < 0)
		return -errno;
	ifr.ifr_flags |= IFF_UP;
	if (ioctl(sock, SIOCSIFFLAGS, &ifr) < 0)
		return -errno;
	*ret_sock = TAKE_FD(sock);
	return 0;
}

static int attach(struct rg_explain_live *live, int progs_fd, enum rg_prog prog, uint32_t slot,
		  struct rg_err *err)
{
	_cleanup_close_ int fd = -EBADF;
	_cleanup_free_ struct rg_tcf *filters = NULL;
	bool egress = is_egress(prog);
	size_t n = 0, i;
	int r;

	r = rg_tcf_list(LOOPBACK, egress, &filters, &n);
	for (i = 0; r == 0 && i < n; i++)
		r = rg_tcf_detach(LOOPBACK, egress, &filters[i]);
	if (r < 0)
		return rg_err_errno(err, r, "cannot clear the hook");
	fd = rg_entry_load(progs_fd, prog, slot, err);
	if (fd < 0)
		return fd;
	r = rg_tcf_attach(LOOPBACK, egress, fd, RG_TCF_HANDLE);
	if (r < 0)
		return rg_err_errno(err, r, "cannot attach the program");
	live->prog = prog;
	live->slot = slot;
	return 0;
}

static int prepare(struct rg_explain_live *live, int progs_fd, enum rg_prog prog, uint32_t slot,
		   struct rg_err *err)
{
	bool first = live->sock < 0;
	int r;

	if (!first && live->prog == prog && live->slot == slot)
		return 0;
	if (first) {
		r = open_device(&live->sock);
		if (r < 0)
			return rg_err_errno(err, r, "cannot make a network namespace");
	}
	return attach(live, progs_fd, prog, slot, err);
}

int rg_explain_live_send(struct rg_explain_live *live, int progs_fd, enum rg_prog prog,
			 uint32_t slot, const uint8_t *data, size_t len, bool *ret_passed,
			 struct rg_err *err)
{
	int r;

	if (!is_egress(prog))
		return rg_err_set(err, -EMSGSIZE,
				  "this kernel cannot run a program on a frame of %zu bytes", len);
	r = prepare(live, progs_fd, prog, slot, err);
	if (r < 0)
		return rg_err_ctx(err, r, "frame of %zu bytes", len);
	if (send(live->sock, data, len, 0) == (ssize_t)len) {
		*ret_passed = true;
		return 0;
	}
	/* What a sender is told when a program drops its packet. */
	if (errno != ENOBUFS)
		return rg_err_errno(err, -errno, "cannot send a frame of %zu bytes", len);
	*ret_passed = false;
	return 0;
}

void rg_explain_live_done(struct rg_explain_live *live)
{
	rg_close_ptr(&live->sock);
	live->sock = -EBADF;
}
