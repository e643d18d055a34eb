// SPDX-License-Identifier: Apache-2.0
/*
 * A line is built in one buffer and leaves in one write(2), so that lines of several processes
 * never mix. Values are quoted where they need it, in both formats by the rules of JSON.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"

static enum rg_log_level log_level = RG_LOG_INFO;
static bool log_json;

struct line {
	char buf[2048];
	size_t len;
};

static void line_putc(struct line *l, char c)
{
	/* the last byte stays free for the newline */
	if (l->len < sizeof(l->buf) - 1)
		l->buf[l->len++] = c;
}

static void line_puts(struct line *l, const char *s)
{
	while (*s)
		line_putc(l, *s++);
}

static void line_put_escaped(struct line *l, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		char hex[8];

		if (c == '"' || c == '\\') {
			line_putc(l, '\\');
			line_putc(l, (char)c);
		} else if (c == '\n') {
			line_puts(l, "\\n");
		} else if (c < 0x20) {
			(void)snprintf(hex, sizeof(hex), "\\u%04x", c);
			line_puts(l, hex);
		} else {
			line_putc(l, (char)c);
		}
	}
}

static void line_put_quoted(struct line *l, const char *s)
{
	line_putc(l, '"');
	line_put_escaped(l, s);
	line_putc(l, '"');
}

static bool needs_quotes(const char *s)
{
	return !*s || strpbrk(s, " \t\n\"=\\") != NULL;
}

static const char *level_name(enum rg_log_level level)
{
	switch (level) {
	case RG_LOG_ERR:
		return "error";
	case RG_LOG_WARN:
		return "warning";
	case RG_LOG_INFO:
		return "info";
	case RG_LOG_DEBUG:
		return "debug";
	}
	return "unknown";
}

static void line_put_json(struct line *l, enum rg_log_level level, const char *const *fields,
			  const char *msg)
{
	struct timespec now;
	struct tm tm;
	char stamp[32], usec[16];
	unsigned int us;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &tm);
	(void)strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%S", &tm);
	us = (unsigned int)(now.tv_nsec / 1000) % 1000000U;
	(void)snprintf(usec, sizeof(usec), ".%06uZ", us);
	line_puts(l, "{\"time\":\"");
	line_puts(l, stamp);
	line_puts(l, usec);
	line_puts(l, "\",\"level\":");
	line_put_quoted(l, level_name(level));
	line_puts(l, ",\"msg\":");
	line_put_quoted(l, msg);
	for (; fields && fields[0]; fields += 2) {
		if (!fields[1])
			continue;
		line_putc(l, ',');
		line_put_quoted(l, fields[0]);
		line_putc(l, ':');
		line_put_quoted(l, fields[1]);
	}
	line_putc(l, '}');
}

static void line_put_text(struct line *l, enum rg_log_level level, const char *const *fields,
			  const char *msg)
{
	char prefix[8];

	if (getenv("JOURNAL_STREAM")) {
		(void)snprintf(prefix, sizeof(prefix), "<%d>", (int)level);
		line_puts(l, prefix);
	}
	if (level != RG_LOG_INFO) {
		line_puts(l, level_name(level));
		line_puts(l, ": ");
	}
	line_puts(l, msg);
	for (; fields && fields[0]; fields += 2) {
		if (!fields[1])
			continue;
		line_putc(l, ' ');
		line_puts(l, fields[0]);
		line_putc(l, '=');
		if (needs_quotes(fields[1]))
			line_put_quoted(l, fields[1]);
		else
			line_puts(l, fields[1]);
	}
}

static void emit(enum rg_log_level level, const char *const *fields, const char *msg)
{
	struct line l = {.len = 0};
	ssize_t n;

	if (log_json)
		line_put_json(&l, level, fields, msg);
	else
		line_put_text(&l, level, fields, msg);
	l.buf[l.len++] = '\n';
	/* nowhere left to report a log line that cannot be written */
	n = write(STDERR_FILENO, l.buf, l.len);
	(void)n;
}

void rg_log_setup(enum rg_log_level level, bool json)
{
	log_level = level;
	log_json = json;
}

bool rg_log_enabled(enum rg_log_level level)
{
	return level <= log_level;
}

void rg_log_write(enum rg_log_level level, const char *const *fields, const char *fmt, ...)
{
	char msg[1024];
	va_list ap;

	if (!rg_log_enabled(level))
		return;
	va_start(ap, fmt);
	(void)vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	emit(level, fields, msg);
}

void rg_log_vwrite(enum rg_log_level level, const char *fmt, va_list ap)
{
	char msg[1024];
	size_t len;

	if (!rg_log_enabled(level))
		return;
	(void)vsnprintf(msg, sizeof(msg), fmt, ap);
	len = strlen(msg);
	while (len && msg[len - 1] == '\n')
		msg[--len] = '\0';
	emit(level, NULL, msg);
}
