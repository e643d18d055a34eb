// SPDX-License-Identifier: Apache-2.0
/*
 * What all commands of the tool share.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ctl.h"

int rg_ctl_usage_error(struct rg_ctl *ctl, const char *fmt, ...)
{
	va_list ap;

	(void)ctl;
	(void)fputs("railctl: ", stderr);
	va_start(ap, fmt);
	(void)vfprintf(stderr, fmt, ap);
	va_end(ap);
	(void)fputs(" (see --help)\n", stderr);
	return RG_EXIT_USAGE;
}
