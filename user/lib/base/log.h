/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structured log lines: a message, then key=value fields, as text or as one JSON object a line.
 *
 * Only programs log; the library returns errors. A line goes to standard error, where systemd's
 * journal picks it up with its level from the "<N>" prefix when JOURNAL_STREAM is set.
 */
#ifndef RG_BASE_LOG_H
#define RG_BASE_LOG_H

#include <stdbool.h>
#include <stdarg.h>

enum rg_log_level {
	RG_LOG_ERR = 3, /* syslog(3) numbers */
	RG_LOG_WARN = 4,
	RG_LOG_INFO = 6,
	RG_LOG_DEBUG = 7,
};

/**
 * rg_log_setup() - choose what is logged and how
 * @level: least urgent level that is written
 * @json: one JSON object a line instead of text
 */
void rg_log_setup(enum rg_log_level level, bool json);

/**
 * rg_log_enabled() - whether lines of a level are written
 * @level: level asked about
 */
bool rg_log_enabled(enum rg_log_level level);

/**
 * rg_log_write() - write one line
 * @level: its level
 * @fields: NULL-terminated key, value, key, value, ...; NULL for none; a NULL value skips its key
 * @fmt: message
 */
void rg_log_write(enum rg_log_level level, const char *const *fields, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * rg_log_vwrite() - rg_log_write() for a va_list, without fields; trailing newlines are cut
 * @level: level
 * @fmt: message
 * @ap: its arguments
 *
 * For routing the messages of libbpf and libnl into the log.
 */
void rg_log_vwrite(enum rg_log_level level, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* RG_F("rail", name, "ifname", dev): fields for rg_log_write() */
#define RG_F(...)      ((const char *const[]){__VA_ARGS__, NULL})

#define log_err(...)   rg_log_write(RG_LOG_ERR, NULL, __VA_ARGS__)
#define log_warn(...)  rg_log_write(RG_LOG_WARN, NULL, __VA_ARGS__)
#define log_info(...)  rg_log_write(RG_LOG_INFO, NULL, __VA_ARGS__)
#define log_debug(...) rg_log_write(RG_LOG_DEBUG, NULL, __VA_ARGS__)

#endif /* RG_BASE_LOG_H */
