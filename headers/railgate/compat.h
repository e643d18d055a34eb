/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Constants of newer kernels that a distribution's own headers may lack.
 */
#ifndef RAILGATE_COMPAT_H
#define RAILGATE_COMPAT_H

/* include/uapi/linux/bpf.h, enum bpf_attach_type, Linux 6.6 */
#define RG_BPF_TCX_INGRESS 46
#define RG_BPF_TCX_EGRESS  47

#endif /* RAILGATE_COMPAT_H */
