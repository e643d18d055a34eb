/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for conditions, bounded.
 */
#ifndef RG_LIVE_WAIT_H
#define RG_LIVE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * wait_until() - wait for a condition
 * @is: condition
 * @arg: passed to @is
 * @timeout_ms: how long at most, in milliseconds
 *
 * Return: whether it came true
 */
bool wait_until(bool (*is)(void *arg), void *arg, unsigned int timeout_ms);

/**
 * wait_pause() - let the CPU have a millisecond for others
 */
void wait_pause(void);

/**
 * wait_now_ms() - CLOCK_MONOTONIC in milliseconds
 */
uint64_t wait_now_ms(void);

#endif /* RG_LIVE_WAIT_H */
