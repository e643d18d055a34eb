/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Constants of newer kernels that a distribution's own headers may lack.
 */
#ifndef RAILGATE_COMPAT_H
#define RAILGATE_COMPAT_H

/* include/uapi/linux/bpf.h, enum bpf_attach_type, Linux 6.6 */
#define RG_BPF_TCX_INGRESS 46
#define RG_BPF_TCX_EGRESS  47

/* include/uapi/linux/bpf.h, enum bpf_link_type, Linux 6.6 */
#define RG_BPF_LINK_TYPE_TCX 11

/* include/uapi/linux/bpf.h, flags of BPF_LINK_CREATE, Linux 6.6. Without a relative program or
 * link, "before" means at the head of the chain.
 */
#define RG_BPF_F_BEFORE (1U << 3)

#endif /* RAILGATE_COMPAT_H */
