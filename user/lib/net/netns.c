// SPDX-License-Identifier: Apache-2.0
/*
 * Network namespaces.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <linux/magic.h>
#include <linux/nsfs.h>

#include "base/err.h"
#include "net/netns.h"

static int identity(int fd, struct rg_netns_id *ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	ret->dev = st.st_dev;
	ret->ino = st.st_ino;
	return 0;
}

int rg_netns_open(const char *path, int *ret_fd, struct rg_netns_id *ret_id, struct rg_err *err)
{
	/* a path that is no namespace may be a fifo, whose open would wait for ever */
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct rg_netns_id id;
	struct statfs fs;
	int r, type;

	if (fd < 0)
		return rg_err_errno(err, errno == ENOTDIR || errno == ENXIO ? -ENOENT : -errno,
				    "network namespace '%s'", path);
	if (fstatfs(fd, &fs) < 0)
		return rg_err_errno(err, -errno, "network namespace '%s'", path);
	if (fs.f_type != NSFS_MAGIC)
		return rg_err_set(
			err, -ENOENT,
			"'%s' is not a namespace (its mount is gone, or it never was one)", path);
	type = ioctl(fd, NS_GET_NSTYPE);
	if (type != CLONE_NEWNET)
		return rg_err_set(err, -EINVAL, "'%s' is a namespace, but not a network namespace",
				  path);
	r = identity(fd, &id);
	if (r < 0)
		return rg_err_errno(err, r, "network namespace '%s'", path);
	*ret_fd = TAKE_FD(fd);
	if (ret_id)
		*ret_id = id;
	return 0;
}

int rg_netns_self(struct rg_netns_id *ret_id, struct rg_err *err)
{
	_cleanup_close_ int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : identity(fd, ret_id);

	return r < 0 ? rg_err_errno(err, r, "cannot read the own network namespace below /proc")
		     : 0;
}

/**
 * struct shared - memory that parent and child both see
 * @result: what the function returned
 * @err: its sentence
 * @arg: the caller's argument
 */
struct shared {
	int result;
	struct rg_err err;
	_Alignas(16) char arg[];
};

__attribute__((noreturn)) static void child(int netns_fd, rg_netns_fn fn, struct shared *shared,
					    pid_t parent)
{
	/* the parent may have died before the signal was asked for */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(1);
	if (setns(netns_fd, CLONE_NEWNET) < 0)
		shared->result = rg_err_errno(
			&shared->err, -errno,
			"cannot enter the network namespace (needs CAP_SYS_ADMIN)");
	else
		shared->result = fn(shared->arg, &shared->err);
	_exit(0);
}

static int wait_for(pid_t pid, struct rg_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return rg_err_errno(err, -errno, "cannot wait for a child");
	}
	if (WIFSIGNALED(status))
		return rg_err_set(err, -EINTR,
				  "the child in the network namespace was killed by signal %d",
				  WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		return rg_err_set(err, -EIO,
				  "the child in the network namespace ended with status %d",
				  WEXITSTATUS(status));
	return 0;
}

int rg_netns_run(int netns_fd, rg_netns_fn fn, void *arg, size_t size, struct rg_err *err)
{
	size_t total = sizeof(struct shared) + size;
	struct shared *shared = mmap(NULL, total, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t self = getpid(), pid;
	int r;

	if (shared == MAP_FAILED)
		return rg_err_errno(err, -errno, "cannot share %zu bytes with a child", total);
	memcpy(shared->arg, arg, size);
	pid = fork();
	if (pid == 0)
		child(netns_fd, fn, shared, self);
	r = pid < 0 ? rg_err_errno(err, -errno, "cannot make a child process") : wait_for(pid, err);
	if (pid > 0)
		memcpy(arg, shared->arg, size);
	if (r == 0) {
		r = shared->result;
		if (r < 0 && err)
			*err = shared->err;
	}
	(void)munmap(shared, total);
	return r;
}

/* Room for one descriptor in a control message. */
union fd_control {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static int send_fd(int sock, int fd)
{
	char byte = 0;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	union fd_control control = {0};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	return sendmsg(sock, &msg, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int receive_fd(int sock, int *ret)
{
	char byte;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	union fd_control control = {0};
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg;

	if (recvmsg(sock, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0)
		return -errno;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS || cmsg->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EPROTO;
	memcpy(ret, CMSG_DATA(cmsg), sizeof(*ret));
	return 0;
}

/**
 * struct socket_request - a socket wanted inside a namespace
 * @protocol: netlink protocol
 * @channel: where the child sends the descriptor
 */
struct socket_request {
	int protocol;
	int channel;
};

static int make_socket(void *arg, struct rg_err *err)
{
	const struct socket_request *req = arg;
	_cleanup_close_ int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, req->protocol);
	int r;

	if (fd < 0)
		return rg_err_errno(err, -errno, "cannot open a netlink socket in the namespace");
	r = send_fd(req->channel, fd);
	return r < 0 ? rg_err_errno(err, r, "cannot hand over a netlink socket") : 0;
}

int rg_netns_nl(int netns_fd, int protocol, struct rg_nl **ret, struct rg_err *err)
{
	_cleanup_close_ int here = -EBADF, there = -EBADF;
	struct socket_request req = {.protocol = protocol};
	int pair[2], fd = -EBADF, r;

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair) < 0)
		return rg_err_errno(err, -errno, "cannot make a socket pair");
	here = pair[0];
	there = pair[1];
	req.channel = there;
	r = rg_netns_run(netns_fd, make_socket, &req, sizeof(req), err);
	if (r < 0)
		return r;
	r = receive_fd(here, &fd);
	if (r < 0)
		return rg_err_errno(err, r, "cannot take over a netlink socket");
	return rg_nl_wrap(fd, protocol, ret, err);
}
