/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What every other file of the programs stands on: kernel headers, byte order, small constants.
 */
#ifndef RG_BPF_BASE_H
#define RG_BPF_BASE_H

#include <stdbool.h>
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <railgate/abi.h>
#include <railgate/counters.h>
#include <railgate/endpoint.h>
#include <railgate/event.h>
#include <railgate/limits.h>
#include <railgate/policy.h>
#include <railgate/reason.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "identity keys are assembled as little-endian words"
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/*
 * A function that the verifier checks once, by itself, instead of at each call: what is rare, long
 * or has loops. Its arguments are the context, numbers, and structures that may be NULL.
 */
#define RG_GLOBAL __weak __noinline

/* TCX_NEXT, which clsact knows as TC_ACT_UNSPEC: the programs behind us run too. */
#define RG_VERDICT_PASS (-1)
#define RG_VERDICT_DROP TC_ACT_SHOT

#define RG_ROCE_PORT	4791

/* IANA IPv6 extension headers that <linux/in.h> does not name everywhere. */
#define RG_NEXTHDR_MOBILITY 135
#define RG_NEXTHDR_HIP	    139
#define RG_NEXTHDR_SHIM6    140
#define RG_NEXTHDR_EXP1	    253
#define RG_NEXTHDR_EXP2	    254

#endif /* RG_BPF_BASE_H */
