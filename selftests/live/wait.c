// SPDX-License-Identifier: Apache-2.0
/*
 * Waiting for conditions: the only place of the live tests that lets time pass.
 */
#include "wait.h"

#include <poll.h>
#include <time.h>

#define STEP_MS 5

uint64_t wait_now_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

bool wait_until(bool (*is)(void *arg), void *arg, unsigned int timeout_ms)
{
	uint64_t end = wait_now_ms() + timeout_ms;

	while (!is(arg)) {
		if (wait_now_ms() >= end)
			return false;
		(void)poll(NULL, 0, STEP_MS);
	}
	return true;
}

void wait_pause(void)
{
	(void)poll(NULL, 0, 1);
}
