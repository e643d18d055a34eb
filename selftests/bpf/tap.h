/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results in the Test Anything Protocol.
 */
#ifndef RG_TEST_TAP_H
#define RG_TEST_TAP_H

#include <stdbool.h>

/**
 * tap_ok() - report one test
 * @ok: whether it passed
 * @fmt: its name
 *
 * Return: @ok
 */
bool tap_ok(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * tap_skip() - report a test that cannot run here
 * @name: its name
 * @reason: why
 */
void tap_skip(const char *name, const char *reason);

/**
 * tap_note() - print a line of explanation
 * @fmt: text
 */
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * tap_bail() - give up: nothing further makes sense
 * @fmt: why
 */
void tap_bail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/**
 * tap_done() - print the plan
 *
 * Return: exit status for main(): 0 if every test passed and there was one
 */
int tap_done(void);

#endif /* RG_TEST_TAP_H */
