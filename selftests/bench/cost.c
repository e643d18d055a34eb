// SPDX-License-Identifier: Apache-2.0
/*
 * What a packet costs in the programs, from the entry program on, beyond a program that does
 * nothing.
 *
 *	cost ENDPOINTS CIDRS [forget]
 *
 * Prints a line for each kind of packet: name, nanoseconds of the programs, nanoseconds of the
 * empty program. The two take turns in short runs. Other load on the machine slows both, so a run
 * only counts if the empty program beside it was about as fast as it ever was; then the median.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include "base/cleanup.h"
#include "bpf/bed.h"
#include "bpf/clock.h"
#include "bpf/frame.h"
#include "bpf/tap.h"
#include "crowd.h"

#define RUNS	 2000 /* packets between two looks at the clock */
#define ROUNDS	 5000
#define ENOUGH	 200		/* runs that count */
#define QUIET	 1.05		/* times the fastest empty run: those that count */
#define PATIENCE 10000000000ull /* nanoseconds to wait for quiet */
#define TCX_NEXT (-1)

#define RECEIVED "eth dst=" FRAME_SRC_MAC " src=" FRAME_DST_MAC " / "

static const struct {
	const char *name, *text;
	uint32_t rail;
	enum rg_prog prog;
} kinds[] = {
	{"roce4", "ip4 / udp / bth / data 1024 / icrc", CROWD_STANDARD, RG_PROG_IDX_RAIL_TX},
	{"roce6", "ip6 / udp / bth / data 1024 / icrc", CROWD_STANDARD, RG_PROG_IDX_RAIL_TX},
	{"roce4_strict", "ip4 / udp / bth / data 1024 / icrc", CROWD_STRICT, RG_PROG_IDX_RAIL_TX},
	{"roce6_strict", "ip6 / udp / bth / data 1024 / icrc", CROWD_STRICT, RG_PROG_IDX_RAIL_TX},
	{"ack4", "ip4 / udp / bth op=0x11 / data 4 / icrc", CROWD_STANDARD, RG_PROG_IDX_RAIL_TX},
	{"cnp4", "ip4 / udp / bth op=0x81 becn / data 16 / icrc", CROWD_STANDARD,
	 RG_PROG_IDX_RAIL_TX},
	{"tcp4", "ip4 / tcp / data 1000", CROWD_STANDARD, RG_PROG_IDX_RAIL_TX},
	{"ext6", "ip6 / hbh / dopt / ah / dopt / tcp / data 1000", CROWD_STANDARD,
	 RG_PROG_IDX_RAIL_TX},
	{"rx_roce4", RECEIVED "ip4 / udp / bth / data 1024 / icrc", 0, RG_PROG_IDX_RAIL_RX},
	{"rx_roce6", RECEIVED "ip6 / udp / bth / data 1024 / icrc", 0, RG_PROG_IDX_RAIL_RX},
	{"rx_tcp4", RECEIVED "ip4 / tcp / data 1000", 0, RG_PROG_IDX_RAIL_RX},
};

struct sample {
	double empty;
	double ours;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static int load_empty(void)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = TCX_NEXT},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int fd = bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "empty", "GPL", insns, ARRAY_SIZE(insns),
			       NULL);

	if (fd < 0)
		tap_bail("cannot load the empty program");
	return fd;
}

/* Nanoseconds of one packet in a short run. */
static double run_empty(int fd, const struct frame *f)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = f->data, .data_size_in = (__u32)f->len,
		    .repeat = RUNS);
	uint64_t start = clock_ns();

	if (bpf_prog_test_run_opts(fd, &opts))
		tap_bail("cannot run the empty program");
	return (double)(clock_ns() - start) / RUNS;
}

static double run_ours(struct bed *bed, size_t kind, const struct frame *f)
{
	const struct bed_ctx ctx = {.repeat = RUNS};
	uint64_t start = clock_ns();

	/* A packet that is dropped takes another way; it would be measured by mistake. */
	if (bed_run(bed, kinds[kind].prog, kinds[kind].rail, f->data, f->len, &ctx, NULL) !=
	    TCX_NEXT)
		tap_bail("a packet that should pass does not");
	return (double)(clock_ns() - start) / RUNS;
}

/**
 * struct series - runs of one kind of packet
 * @samples: all of them
 * @n: how many
 * @fastest: empty run
 */
struct series {
	struct sample samples[ROUNDS];
	int n;
	double fastest;
};

/* Medians of the quiet runs. Return: how many there are */
static int medians(const struct series *s, struct sample *ret)
{
	static double empty[ROUNDS], ours[ROUNDS];
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		if (s->samples[i].empty > s->fastest * QUIET)
			continue;
		empty[n] = s->samples[i].empty;
		ours[n++] = s->samples[i].ours;
	}
	qsort(empty, (size_t)n, sizeof(empty[0]), compare);
	qsort(ours, (size_t)n, sizeof(ours[0]), compare);
	*ret = (struct sample){.empty = empty[n / 2], .ours = ours[n / 2]};
	return n;
}

static bool enough(const struct series *all, size_t n)
{
	struct sample ignored;

	for (size_t k = 0; k < n; k++)
		if (!all[k].n || medians(&all[k], &ignored) < ENOUGH)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static struct series all[ARRAY_SIZE(kinds)];
	static struct frame frames[ARRAY_SIZE(kinds)];
	uint64_t start = clock_ns();
	int empty = load_empty();
	struct sample got;
	struct bed *bed;
	char error[128];

	if (argc < 3)
		tap_bail("usage: cost ENDPOINTS CIDRS [forget]");
	bed = crowd_open((uint32_t)strtoul(argv[1], NULL, 0), (uint32_t)strtoul(argv[2], NULL, 0),
			 argc > 3);
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		if (frame_build(kinds[k].text, &frames[k], error) < 0)
			tap_bail("%s: %s", kinds[k].name, error);
	for (int round = 0; round < ROUNDS && clock_ns() - start < PATIENCE; round++) {
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
			struct series *s = &all[k];

			got.empty = run_empty(empty, &frames[k]);
			got.ours = run_ours(bed, k, &frames[k]);
			s->samples[s->n++] = got;
			if (s->n == 1 || got.empty < s->fastest)
				s->fastest = got.empty;
		}
		if (round % 100 == 99 && enough(all, ARRAY_SIZE(kinds)))
			break;
	}
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		(void)medians(&all[k], &got);
		printf("%s %.1f %.1f\n", kinds[k].name, got.ours, got.empty);
	}
	bed_close(bed);
	return 0;
}
