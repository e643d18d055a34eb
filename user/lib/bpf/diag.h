/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the messages of libbpf go.
 */
#ifndef RG_BPF_DIAG_H
#define RG_BPF_DIAG_H

#include <stdarg.h>

enum rg_bpf_severity {
	RG_BPF_WARNING,
	RG_BPF_INFO,
	RG_BPF_DEBUG,
};

/**
 * typedef rg_bpf_message_fn - takes one message of libbpf
 * @severity: how urgent libbpf finds it
 * @fmt: message, which ends in a newline
 * @ap: its arguments
 */
typedef void (*rg_bpf_message_fn)(enum rg_bpf_severity severity, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/**
 * rg_bpf_messages() - say where messages go; libbpf itself would print them
 * @fn: takes them, NULL to discard them
 */
void rg_bpf_messages(rg_bpf_message_fn fn);

#endif /* RG_BPF_DIAG_H */
