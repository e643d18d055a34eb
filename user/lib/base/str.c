// SPDX-License-Identifier: Apache-2.0
/*
 * Bounded strings: cutting is always an error that the caller sees.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

int rg_str_copy(char *dst, size_t size, const char *src)
{
	size_t len = strlen(src);
	size_t n = len < size ? len : size - 1;

	memcpy(dst, src, n);
	dst[n] = '\0';
	return n == len ? 0 : -ENAMETOOLONG;
}

int rg_str_format(char *dst, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(dst, size, fmt, ap);
	va_end(ap);
	return n >= 0 && (size_t)n < size ? 0 : -ENAMETOOLONG;
}

bool rg_str_equal(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

bool rg_str_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

int rg_str_u64(const char *s, uint64_t max, uint64_t *ret)
{
	int base = rg_str_prefix(s, "0x") ? 16 : 10;
	unsigned long long v;
	char *end;

	/* strtoull() would skip blanks and take a sign */
	if (s[0] < '0' || s[0] > '9')
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, base);
	if (end == s || *end)
		return -EINVAL;
	if (errno == ERANGE || v > max)
		return -ERANGE;
	*ret = v;
	return 0;
}
