// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers as people read them.
 */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "units.h"

/* Three significant digits: 9.99, 99.9, 999. The next unit begins where rounding would give
 * four digits, so that no "1000 k" appears.
 */
static char *scale(double v, double step, const char *const *units, size_t n, char *buf)
{
	size_t u = 0;
	int digits;

	while (u + 1 < n && v >= step - 0.5) {
		v /= step;
		u++;
	}
	digits = u == 0 && v == (double)(long long)v ? 0 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
	(void)rg_str_format(buf, RG_UNIT_SIZE, "%.*f%s%s", digits, v, *units[u] ? " " : "",
			    units[u]);
	return buf;
}

char *rg_unit_bits(double bytes_per_s, char buf[RG_UNIT_SIZE])
{
	static const char *const units[] = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};

	return scale(bytes_per_s * 8, 1000, units, ARRAY_SIZE(units), buf);
}

char *rg_unit_rate(double per_s, char buf[RG_UNIT_SIZE])
{
	static const char *const units[] = {"/s", "k/s", "M/s", "G/s"};

	return scale(per_s, 1000, units, ARRAY_SIZE(units), buf);
}

char *rg_unit_bytes(uint64_t bytes, char buf[RG_UNIT_SIZE])
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

	return scale((double)bytes, 1024, units, ARRAY_SIZE(units), buf);
}

char *rg_unit_count(uint64_t n, char buf[RG_UNIT_SIZE])
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};

	if (n < 100000) {
		(void)rg_str_format(buf, RG_UNIT_SIZE, "%llu", (unsigned long long)n);
		return buf;
	}
	return scale((double)n, 1000, units, ARRAY_SIZE(units), buf);
}

char *rg_unit_age(uint64_t seconds, char buf[RG_UNIT_SIZE])
{
	static const struct {
		unsigned int seconds;
		char unit;
	} parts[] = {{86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(parts) && seconds < parts[i].seconds)
		i++;
	if (i + 1 == ARRAY_SIZE(parts))
		(void)rg_str_format(buf, RG_UNIT_SIZE, "%llus", (unsigned long long)seconds);
	else
		(void)rg_str_format(buf, RG_UNIT_SIZE, "%llu%c %llu%c",
				    (unsigned long long)(seconds / parts[i].seconds), parts[i].unit,
				    (unsigned long long)(seconds % parts[i].seconds /
							 parts[i + 1].seconds),
				    parts[i + 1].unit);
	return buf;
}
