// SPDX-License-Identifier: Apache-2.0
/*
 * Where the messages of libbpf go. libbpf keeps one destination for the whole process.
 */
#include <bpf/libbpf.h>

#include "bpf/diag.h"

static rg_bpf_message_fn message_fn;

static int forward(enum libbpf_print_level level, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

static int forward(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	switch (level) {
	case LIBBPF_WARN:
		message_fn(RG_BPF_WARNING, fmt, ap);
		break;
	case LIBBPF_INFO:
		message_fn(RG_BPF_INFO, fmt, ap);
		break;
	case LIBBPF_DEBUG:
		message_fn(RG_BPF_DEBUG, fmt, ap);
		break;
	}
	return 0;
}

void rg_bpf_messages(rg_bpf_message_fn fn)
{
	message_fn = fn;
	(void)libbpf_set_print(fn ? forward : NULL);
}
