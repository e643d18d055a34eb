// SPDX-License-Identifier: Apache-2.0
/*
 * Sentences about failures. Text that does not fit is cut; a cut sentence beats none.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"

int rg_err_set(struct rg_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

int rg_err_errno(struct rg_err *err, int code, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", strerror(-code));
	return code;
}

int rg_err_ctx(struct rg_err *err, int code, const char *fmt, ...)
{
	char inner[sizeof(err->msg)];
	va_list ap;
	size_t len;

	if (!err)
		return code;
	memcpy(inner, err->msg, sizeof(inner));
	err->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", inner);
	return code;
}
