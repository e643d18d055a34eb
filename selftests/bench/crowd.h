/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A crowded node for measurements: 8 rails, many endpoints, many CIDRs. Rails with even numbers
 * have profile standard, those with odd ones strict. The first endpoint of each rail has the
 * addresses that frames have by default (bpf/frame.h).
 */
#ifndef RG_BENCH_CROWD_H
#define RG_BENCH_CROWD_H

#include <stdint.h>

#include "bpf/bed.h"

#define CROWD_RAILS    8
#define CROWD_STANDARD 0 /* a rail of that profile */
#define CROWD_STRICT   1

/**
 * crowd_open() - load the programs and fill their maps
 * @endpoints: endpoints on all rails together, each with an IPv4 and an IPv6 address
 * @cidrs: RDMA CIDRs, of both families in turn; the first hold the default destinations
 * @forget: without the table of flows looked up before, so that each packet is a new one
 *
 * Return: bed, to be ended by bed_close()
 */
struct bed *crowd_open(uint32_t endpoints, uint32_t cidrs, bool forget);

#endif /* RG_BENCH_CROWD_H */
