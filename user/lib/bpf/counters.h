/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the counters: sums over CPUs, less what a slot had counted for earlier owners.
 *
 * The maps are never cleared, so a value that is read twice never goes back.
 */
#ifndef RG_BPF_COUNTERS_H
#define RG_BPF_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include <railgate/counters.h>

struct rg_err;
struct rg_maps;

/**
 * struct rg_usage - what one slot counted
 * @counters: passed
 * @drops: dropped, by reason
 */
struct rg_usage {
	struct rg_counters counters;
	struct rg_drops drops;
};

/**
 * rg_counters_read() - what a slot counted for its present owner
 * @maps: maps
 * @slot: slot
 * @ret: written only on success
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_counters_read(const struct rg_maps *maps, uint32_t slot, struct rg_usage *ret,
		     struct rg_err *err);

/**
 * rg_counters_rebase() - start a slot at zero for a new owner
 * @maps: maps
 * @slot: slot that the caller has just taken and that no identity refers to yet
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_counters_rebase(const struct rg_maps *maps, uint32_t slot, struct rg_err *err);

/**
 * rg_counters_read_many() - what many slots counted, read in batches where the kernel can
 * @maps: maps
 * @slots: slots in ascending order, without doubles
 * @n: number of @slots
 * @ret: @n results in the same order
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_counters_read_many(const struct rg_maps *maps, const uint32_t *slots, size_t n,
			  struct rg_usage *ret, struct rg_err *err);

/**
 * rg_counters_stats() - the programs' own health, summed over CPUs
 * @maps: maps
 * @ret: written only on success
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_counters_stats(const struct rg_maps *maps, struct rg_stats *ret, struct rg_err *err);

/**
 * rg_counters_ops() - well-formed RoCE of a rail by opcode class
 * @maps: maps
 * @rail: rail number
 * @dir: RG_OPS_TX or RG_OPS_RX
 * @ret: written only on success
 * @err: sentence
 *
 * Return: 0 or -errno
 */
int rg_counters_ops(const struct rg_maps *maps, uint32_t rail, uint32_t dir, struct rg_ops *ret,
		    struct rg_err *err);

#endif /* RG_BPF_COUNTERS_H */
