// SPDX-License-Identifier: Apache-2.0
/*
 * Namespaces and devices, made with ip(8) where the library has no call for it.
 */
#define _GNU_SOURCE
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/netlink.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/tap.h"
#include "net/link.h"
#include "net/nl.h"

#define MAX_WORDS 32

static int own_namespace(void)
{
	int fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		tap_bail("cannot open this thread's namespace: %s", strerror(errno));
	return fd;
}

void world_enter(int ns)
{
	if (setns(ns, CLONE_NEWNET) < 0)
		tap_bail("cannot enter a network namespace: %s", strerror(errno));
}

int world_namespace(void)
{
	_cleanup_close_ int here = own_namespace();
	int ns;

	if (unshare(CLONE_NEWNET) < 0)
		tap_bail("cannot make a network namespace: %s", strerror(errno));
	ns = own_namespace();
	/* addresses are given by hand, and nothing is sent unasked */
	world_sysctl(ns, "ipv6/conf/default/accept_dad", "0");
	world_sysctl(ns, "ipv6/conf/default/accept_ra", "0");
	world_enter(here);
	return ns;
}

static int spawn(int ns, char *text, bool quiet)
{
	_cleanup_close_ int here = own_namespace();
	posix_spawn_file_actions_t actions;
	char *words[MAX_WORDS + 1] = {NULL}, *save = NULL;
	unsigned int n = 0;
	int status, r;
	pid_t pid;

	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (n < MAX_WORDS)
			words[n++] = word;
	if (n == MAX_WORDS)
		tap_bail("%s: too many arguments", words[0]);
	posix_spawn_file_actions_init(&actions);
	if (quiet) {
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
		posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
	}
	world_enter(ns);
	r = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	world_enter(here);
	posix_spawn_file_actions_destroy(&actions);
	if (r || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		tap_bail("cannot run %s: %s", words[0], strerror(r));
	return WEXITSTATUS(status);
}

__attribute__((format(printf, 4, 0))) static void format(char *buf, size_t size, const char *prefix,
							 const char *fmt, va_list ap)
{
	size_t n = strlen(prefix);
	int r;

	memcpy(buf, prefix, n);
	r = vsnprintf(buf + n, size - n, fmt, ap);
	if (r < 0 || (size_t)r >= size - n)
		tap_bail("command is too long: %s", fmt);
}

void world_ip(int ns, const char *fmt, ...)
{
	char text[512], copy[512];
	va_list ap;

	va_start(ap, fmt);
	format(text, sizeof(text), "ip ", fmt, ap);
	va_end(ap);
	memcpy(copy, text, sizeof(copy));
	if (spawn(ns, text, false))
		tap_bail("this failed: %s", copy);
}

int world_try(int ns, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	format(text, sizeof(text), "setpriv --bounding-set=-all,+net_admin,+net_raw ", fmt, ap);
	va_end(ap);
	return spawn(ns, text, true);
}

void world_sysctl(int ns, const char *name, const char *value)
{
	_cleanup_close_ int here = own_namespace();
	_cleanup_close_ int fd = -EBADF;
	char path[256];

	world_enter(ns);
	if (rg_str_format(path, sizeof(path), "/proc/sys/net/%s", name) == 0)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		tap_bail("cannot write %s: %s", name, strerror(errno));
	world_enter(here);
}

static void fill(struct netdev *dev, int ns, const char *name)
{
	_cleanup_close_ int here = own_namespace();
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	struct rg_err err = {0};
	struct rg_link link;

	world_enter(ns);
	if (rg_nl_open(NETLINK_ROUTE, &nl, &err) < 0 || rg_link_get_name(nl, name, &link, &err) < 0)
		tap_bail("device %s: %s", name, err.msg);
	world_enter(here);
	dev->ns = ns;
	dev->ifindex = link.ifindex;
	memcpy(dev->mac, link.mac, sizeof(dev->mac));
	(void)rg_str_copy(dev->name, sizeof(dev->name), name);
}

static void wire(struct world *w, const char *name, const char *mac, const char *far_mac,
		 struct netdev *ret, struct netdev *ret_far)
{
	world_ip(w->host,
		 "link add %s mtu %d address %s type veth peer name %s mtu %d address %s "
		 "netns /proc/%d/fd/%d",
		 name, WORLD_MTU, mac, name, WORLD_MTU, far_mac, getpid(), w->fabric);
	world_ip(w->host, "link set %s addrgenmode none arp off", name);
	world_ip(w->fabric, "link set %s addrgenmode none arp off up", name);
	fill(ret, w->host, name);
	fill(ret_far, w->fabric, name);
}

void world_open(struct world *w)
{
	if (unshare(CLONE_NEWNET | CLONE_NEWNS) < 0)
		tap_bail("cannot make namespaces (needs root): %s", strerror(errno));
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("bpf", "/sys/fs/bpf", "bpf", 0, "mode=700") < 0)
		tap_bail("cannot mount a bpffs of the test's own: %s", strerror(errno));
	w->host = world_namespace();
	w->fabric = world_namespace();
	world_enter(w->host);
	world_pin_cpu(0);
	wire(w, "rail0", "02:00:00:00:09:01", WORLD_PEER_MAC, &w->rail, &w->far);
}

void world_close(struct world *w)
{
	rg_close_ptr(&w->fabric);
	rg_close_ptr(&w->host);
}

void world_macvlan(struct world *w, const char *name, const char *mode, const char *mac,
		   struct netdev *ret)
{
	world_ip(w->host, "link add link %s name %s address %s type macvlan mode %s", w->rail.name,
		 name, mac, mode);
	world_ip(w->host, "link set %s addrgenmode none arp off", name);
	fill(ret, w->host, name);
}

void world_wire(struct world *w, const char *name, const char *mac, struct netdev *ret,
		struct netdev *ret_far)
{
	wire(w, name, mac, "02:00:00:00:09:03", ret, ret_far);
}

void world_move(struct netdev *dev, int ns)
{
	_cleanup_close_ int here = own_namespace();
	struct rg_link_change change = RG_LINK_CHANGE_NONE;
	_cleanup_rg_nl_ struct rg_nl *nl = NULL;
	struct rg_err err = {0};

	change.netns_fd = ns;
	world_enter(dev->ns);
	if (rg_nl_open(NETLINK_ROUTE, &nl, &err) < 0 ||
	    rg_link_change(nl, dev->ifindex, &change, &err) < 0)
		tap_bail("cannot move %s: %s", dev->name, err.msg);
	world_enter(here);
	fill(dev, ns, dev->name);
}

void world_up(struct netdev *dev, const char *ip4, const char *ip6)
{
	(void)rg_str_copy(dev->ip4, sizeof(dev->ip4), ip4);
	(void)rg_str_copy(dev->ip6, sizeof(dev->ip6), ip6);
	world_ip(dev->ns, "address add %s/16 dev %s", ip4, dev->name);
	world_ip(dev->ns, "address add %s/64 dev %s nodad", ip6, dev->name);
	world_ip(dev->ns, "link set %s up", dev->name);
	world_ip(dev->ns, "neighbour add %s lladdr %s dev %s nud permanent", WORLD_PEER_4,
		 WORLD_PEER_MAC, dev->name);
	world_ip(dev->ns, "neighbour add %s lladdr %s dev %s nud permanent", WORLD_PEER_6,
		 WORLD_PEER_MAC, dev->name);
	world_ip(dev->ns, "route add default via %s dev %s", WORLD_PEER_4, dev->name);
	world_ip(dev->ns, "-6 route add default via %s dev %s", WORLD_PEER_6, dev->name);
}

void world_pin_cpu(unsigned int cpu)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu % (unsigned int)(n > 0 ? n : 1), &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		tap_bail("cannot bind to CPU %u: %s", cpu, strerror(errno));
}
