/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time for tests that wait or measure.
 */
#ifndef RG_TEST_CLOCK_H
#define RG_TEST_CLOCK_H

#include <stdint.h>
#include <time.h>

/**
 * clock_ns() - nanoseconds of CLOCK_MONOTONIC, as the programs' bpf_ktime_get_ns()
 */
static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

#endif /* RG_TEST_CLOCK_H */
