// SPDX-License-Identifier: Apache-2.0
/*
 * Packets a second of one sender through several netdevs, each with another guard on its egress.
 *
 *	pps MILLISECONDS ROUNDS [CIDRS:]IFNAME=DESTINATION...
 *
 * Netdevs with CIDRS in front get railgate's programs, with 4,096 endpoints and that many CIDRs,
 * profile strict; what others have is the caller's business. The netdevs take turns, for so many
 * milliseconds each, so that what else happens on the machine hits all alike. Prints for each the
 * median of the rounds, and whether a packet to elsewhere "leaks" or the guard "drops" it. Frames
 * are RoCE of 1 KiB through a packet socket.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <bpf/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <railgate/compat.h>

#include "base/cleanup.h"
#include "bpf/bed.h"
#include "bpf/clock.h"
#include "bpf/entry.h"
#include "bpf/frame.h"
#include "bpf/maps.h"
#include "bpf/tap.h"
#include "crowd.h"

#define MAX_LANES  16
#define MAX_ROUNDS 200
#define BATCH	   64
#define ENDPOINTS  4096

/**
 * struct lane - one netdev
 * @name: its name
 * @sock: packet socket bound to it
 * @bed: railgate's programs on it, or NULL
 * @frame: what is sent
 * @sent: packets sent so far
 * @counted: packets that the netdev had counted at the start
 * @pps: results by round
 */
struct lane {
	char name[IF_NAMESIZE];
	int sock;
	struct bed *bed;
	struct frame frame;
	uint64_t sent;
	uint64_t counted;
	double pps[MAX_ROUNDS];
};

static struct lane lanes[MAX_LANES];

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Packets that left through the netdev, behind all guards. */
static uint64_t tx_packets(const char *name)
{
	_cleanup_fclose_ FILE *f = NULL;
	unsigned long long n;
	char path[128];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/statistics/tx_packets", name);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%llu", &n) != 1)
		tap_bail("cannot read %s", path);
	return n;
}

static void guard(struct lane *l, uint32_t cidrs)
{
	int prog;

	l->bed = crowd_open(ENDPOINTS, cidrs, false);
	prog = rg_entry_load(rg_maps_fd(l->bed->maps, RG_MAP_ID_PROGS), RG_PROG_IDX_RAIL_TX,
			     CROWD_STRICT, NULL);
	if (prog < 0 || bpf_link_create(prog, (int)if_nametoindex(l->name),
					(enum bpf_attach_type)RG_BPF_TCX_EGRESS, NULL) < 0)
		tap_bail("cannot attach to %s: %s", l->name, strerror(errno));
}

/* "64:rail=10.9.0.2" */
static void open_lane(struct lane *l, char *text)
{
	struct sockaddr_ll to = {.sll_family = AF_PACKET};
	char *colon = strchr(text, ':'), *eq = strchr(text, '='), error[128], layers[256];

	if (!eq)
		tap_bail("%s: no destination", text);
	*eq = '\0';
	(void)snprintf(l->name, sizeof(l->name), "%s", colon ? colon + 1 : text);
	(void)snprintf(layers, sizeof(layers), "ip4 dst=%s / udp / bth / data 1024 / icrc", eq + 1);
	if (frame_build(layers, &l->frame, error) < 0)
		tap_bail("%s: %s", layers, error);
	l->sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	to.sll_ifindex = (int)if_nametoindex(l->name);
	to.sll_protocol = htons(ETH_P_IP);
	if (l->sock < 0 || !to.sll_ifindex || bind(l->sock, (struct sockaddr *)&to, sizeof(to)) < 0)
		tap_bail("cannot send through %s: %s", l->name, strerror(errno));
	if (colon)
		guard(l, (uint32_t)strtoul(text, NULL, 0));
	l->counted = tx_packets(l->name);
}

static double run(struct lane *l, uint64_t ns)
{
	struct iovec iov = {.iov_base = l->frame.data, .iov_len = l->frame.len};
	uint64_t start = clock_ns(), now, n = 0;
	struct mmsghdr msgs[BATCH] = {};
	int r;

	for (int i = 0; i < BATCH; i++) {
		msgs[i].msg_hdr.msg_iov = &iov;
		msgs[i].msg_hdr.msg_iovlen = 1;
	}
	do {
		r = sendmmsg(l->sock, msgs, BATCH, 0);
		if (r < 0)
			tap_bail("%s: %s; does its guard let the packet pass?", l->name,
				 strerror(errno));
		n += (uint64_t)r;
		now = clock_ns();
	} while (now - start < ns);
	l->sent += n;
	return (double)n * 1e9 / (double)(now - start);
}

/* Does a packet that no policy here allows leave through the netdev? */
static bool leaks(const struct lane *l)
{
	uint64_t before = tx_packets(l->name);
	static struct frame f;
	char error[128];

	if (frame_build("ip4 dst=8.8.8.8 / udp / bth / data 1024 / icrc", &f, error) < 0)
		tap_bail("%s", error);
	(void)send(l->sock, f.data, f.len, 0);
	return tx_packets(l->name) != before;
}

int main(int argc, char **argv)
{
	int n_lanes = argc - 3, rounds;
	uint64_t ns;

	if (n_lanes < 1 || n_lanes > MAX_LANES)
		tap_bail("usage: pps MILLISECONDS ROUNDS [CIDRS:]IFNAME=DESTINATION...");
	ns = strtoull(argv[1], NULL, 0) * 1000000;
	rounds = (int)strtoul(argv[2], NULL, 0);
	if (rounds < 1 || rounds > MAX_ROUNDS)
		tap_bail("1 to %d rounds", MAX_ROUNDS);
	for (int i = 0; i < n_lanes; i++)
		open_lane(&lanes[i], argv[i + 3]);
	/* the first round warms up and does not count */
	for (int round = -1; round < rounds; round++)
		for (int i = 0; i < n_lanes; i++)
			lanes[i].pps[round < 0 ? 0 : round] = run(&lanes[i], ns);
	for (int i = 0; i < n_lanes; i++) {
		struct lane *l = &lanes[i];

		if (tx_packets(l->name) - l->counted < l->sent)
			tap_bail("%s: not all packets left", l->name);
		qsort(l->pps, (size_t)rounds, sizeof(l->pps[0]), compare);
		printf("%s %.0f %s\n", l->name, l->pps[rounds / 2], leaks(l) ? "leaks" : "drops");
		close(l->sock);
		if (l->bed)
			bed_close(l->bed);
	}
	return 0;
}
