// SPDX-License-Identifier: Apache-2.0
/*
 * Time of ADD and DEL of two CNI plugins in one run, A B A B, so that what else the machine does
 * hits both alike. A side is a plugin with one network configuration for each call it needs.
 *
 * Usage: bench_cni PAIRS NETNS PLUGIN CONF... -- PLUGIN CONF...
 * Prints medians in microseconds: "add A B", "del A B", "sum A B" and "ratio A/B" of the sums.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/str.h"

#define WARM_UP	  3
#define MAX_PAIRS 1000
#define TEXT_SIZE 512

/**
 * struct side - one of the two that are compared
 * @plugin: executable
 * @confs: network configuration files, one call each
 * @n_confs: number of @confs
 * @add: microseconds of ADD, all calls together, by pair
 * @del: of DEL
 */
struct side {
	const char *plugin;
	char **confs;
	int n_confs;
	double add[MAX_PAIRS];
	double del[MAX_PAIRS];
};

static double now_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

/* What the plugin had to say, for a failure. */
static void show(const char *plugin, const char *command, int fd)
{
	char text[4096];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	(void)fprintf(stderr, "bench_cni: %s %s failed: %s\n", plugin, command, text);
}

static int spawn(const char *plugin, const char *conf, int out, char *const env[])
{
	char *const argv[] = {(char *)plugin, NULL};
	posix_spawn_file_actions_t actions;
	int status = -1, r;
	pid_t pid;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return -ENOMEM;
	r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, conf, O_RDONLY, 0);
	r = r ? r : posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	r = r ? r : posix_spawn(&pid, plugin, &actions, NULL, argv, env);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r != 0)
		return -r;
	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* One call of a plugin; what it takes counts from before the fork to the end of the process. */
static int call(const struct side *side, const char *command, int round, int i, const char *netns,
		double *us)
{
	_cleanup_close_ int out = memfd_create("result", MFD_CLOEXEC);
	static const char *const passed[] = {"CNI_PATH",	 "PATH",
					     "RAILGATE_CONFIG",	 "RAILGATE_STATE_DIR",
					     "RAILGATE_PIN_DIR", "RAILGATE_RUN_DIR"};
	char text[4 + ARRAY_SIZE(passed)][TEXT_SIZE];
	char *env[ARRAY_SIZE(text) + 1] = {0};
	size_t n = 0;
	double start;
	int r = 0;

	r |= rg_str_format(text[n++], TEXT_SIZE, "CNI_COMMAND=%s", command);
	r |= rg_str_format(text[n++], TEXT_SIZE, "CNI_CONTAINERID=bench-%d", round);
	r |= rg_str_format(text[n++], TEXT_SIZE, "CNI_NETNS=%s", netns);
	r |= rg_str_format(text[n++], TEXT_SIZE, "CNI_IFNAME=net%d", i + 1);
	for (size_t k = 0; k < ARRAY_SIZE(passed); k++)
		if (getenv(passed[k]))
			r |= rg_str_format(text[n++], TEXT_SIZE, "%s=%s", passed[k],
					   getenv(passed[k]));
	if (r < 0 || out < 0)
		return -EINVAL;
	for (size_t k = 0; k < n; k++)
		env[k] = text[k];
	start = now_us();
	r = spawn(side->plugin, side->confs[i], out, env);
	*us += now_us() - start;
	if (r < 0)
		show(side->plugin, command, out);
	return r;
}

static int run(struct side *side, int round, const char *netns)
{
	double add = 0, del = 0;
	int r = 0;

	for (int i = 0; r == 0 && i < side->n_confs; i++)
		r = call(side, "ADD", round, i, netns, &add);
	for (int i = 0; r == 0 && i < side->n_confs; i++)
		r = call(side, "DEL", round, i, netns, &del);
	if (round >= WARM_UP) {
		side->add[round - WARM_UP] = add;
		side->del[round - WARM_UP] = del;
	}
	return r;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median(const double *values, const double *more, int n)
{
	double sorted[MAX_PAIRS] = {0};

	for (int i = 0; i < n; i++)
		sorted[i] = values[i] + (more ? more[i] : 0);
	qsort(sorted, (size_t)n, sizeof(*sorted), compare);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	static struct side a, b;
	uint64_t pairs;
	int split = 3;

	while (split < argc && strcmp(argv[split], "--") != 0)
		split++;
	if (split < 5 || argc - split < 3 || rg_str_u64(argv[1], MAX_PAIRS - WARM_UP, &pairs) < 0 ||
	    pairs == 0) {
		(void)fprintf(stderr,
			      "usage: bench_cni PAIRS NETNS PLUGIN CONF... -- PLUGIN CONF...\n");
		return 2;
	}
	a.plugin = argv[3];
	a.confs = argv + 4;
	a.n_confs = split - 4;
	b.plugin = argv[split + 1];
	b.confs = argv + split + 2;
	b.n_confs = argc - split - 2;
	for (int round = 0; round < (int)pairs + WARM_UP; round++)
		if (run(&a, round, argv[2]) < 0 || run(&b, round, argv[2]) < 0)
			return 1;
	(void)printf("add %.0f %.0f\n", median(a.add, NULL, (int)pairs),
		     median(b.add, NULL, (int)pairs));
	(void)printf("del %.0f %.0f\n", median(a.del, NULL, (int)pairs),
		     median(b.del, NULL, (int)pairs));
	(void)printf("sum %.0f %.0f\n", median(a.add, a.del, (int)pairs),
		     median(b.add, b.del, (int)pairs));
	(void)printf("ratio %.3f\n",
		     median(a.add, a.del, (int)pairs) / median(b.add, b.del, (int)pairs));
	return 0;
}
