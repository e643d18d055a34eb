// SPDX-License-Identifier: Apache-2.0
/*
 * Results in the Test Anything Protocol: "ok 1 - name", and the plan at the end.
 */
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int n_tests, n_failed;

bool tap_ok(bool ok, const char *fmt, ...)
{
	va_list ap;

	n_tests++;
	if (!ok)
		n_failed++;
	printf("%sok %u - ", ok ? "" : "not ", n_tests);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	return ok;
}

void tap_skip(const char *name, const char *reason)
{
	n_tests++;
	printf("ok %u - %s # SKIP %s\n", n_tests, name, reason);
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

void tap_bail(const char *fmt, ...)
{
	va_list ap;

	printf("Bail out! ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(1);
}

int tap_done(void)
{
	printf("1..%u\n", n_tests);
	return n_tests && !n_failed ? 0 : 1;
}
