/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's own structures, cut down to the fields that the programs read. CO-RE finds each
 * field in the running kernel by name, so offsets, and neighbours that are not listed, do not
 * matter.
 */
#ifndef RG_VMLINUX_H
#define RG_VMLINUX_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct sock {
	unsigned char sk_kern_sock : 1;
} __attribute__((aligned(8)));

#pragma clang attribute pop

#endif /* RG_VMLINUX_H */
