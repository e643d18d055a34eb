// SPDX-License-Identifier: Apache-2.0
/*
 * A sending thread.
 */
#include "flood.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "bpf/tap.h"
#include "wait.h"

#define NICE  10
#define BURST 64 /* packets between two pauses, so that grace periods end */

void flood_frame(struct flood *f, const char *text)
{
	if (f->n == FLOOD_MAX_FRAMES)
		tap_bail("too many frames");
	frame_for(f->dev, text, &f->frames[f->n++]);
}

void flood_begin(unsigned int cpu)
{
	world_pin_cpu(cpu);
	if (setpriority(PRIO_PROCESS, 0, NICE) < 0)
		tap_bail("cannot lower the priority: %s", strerror(errno));
}

static void *run(void *arg)
{
	struct flood *f = arg;
	struct sender s;
	int r;

	flood_begin(f->cpu);
	r = sender_open(&s, f->way, f->dev);
	if (r < 0)
		tap_bail("%s: %s", f->way->name, strerror(-r));
	for (size_t i = 0; !__atomic_load_n(&f->stop, __ATOMIC_RELAXED); i = (i + 1) % f->n) {
		r = sender_send(&s, &f->frames[i]);
		f->sent[i]++;
		if (r == -ENOBUFS)
			f->refused[i]++;
		else if (r < 0 && !f->error)
			f->error = r;
		__atomic_store_n(&f->total, f->total + 1, __ATOMIC_RELAXED);
		if (f->total % BURST == 0)
			wait_pause();
	}
	sender_close(&s);
	return NULL;
}

void flood_start(struct flood *f)
{
	int r = pthread_create(&f->thread, NULL, run, f);

	if (r)
		tap_bail("cannot start a thread: %s", strerror(r));
}

uint64_t flood_total(const struct flood *f)
{
	return __atomic_load_n(&f->total, __ATOMIC_RELAXED);
}

void flood_stop(struct flood *f)
{
	__atomic_store_n(&f->stop, true, __ATOMIC_RELAXED);
	(void)pthread_join(f->thread, NULL);
	if (f->error)
		tap_bail("sending failed: %s", strerror(-f->error));
}

uint64_t flood_lost(void)
{
	_cleanup_fclose_ FILE *file = fopen("/proc/net/softnet_stat", "re");
	uint64_t sum = 0;
	char line[512];

	if (!file)
		tap_bail("cannot read softnet_stat: %s", strerror(errno));
	while (file && fgets(line, sizeof(line), file)) {
		uint32_t dropped;

		if (sscanf(line, "%*x %" SCNx32, &dropped) == 1)
			sum += dropped;
	}
	return sum;
}
