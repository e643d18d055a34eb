// SPDX-License-Identifier: Apache-2.0
/*
 * A slot's count is (sum over CPUs) - (base), in arithmetic modulo 2^64. A base is what the slot
 * had counted before; after a move to new maps it is "negative", so that a fresh slot goes on
 * from where the old map stood (migrate.c).
 *
 * All values are arrays of 64-bit counters, which the loops below rely on.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "bpf/counters.h"
#include "bpf/maps.h"

#define BATCH_BYTES (1U << 20)

#define N_COUNTERS  (sizeof(struct rg_counters) / sizeof(uint64_t))
#define N_DROPS	    (sizeof(struct rg_drops) / sizeof(uint64_t))

_Static_assert(sizeof(struct rg_counters) % sizeof(uint64_t) == 0, "rg_counters is of u64");
_Static_assert(sizeof(struct rg_drops) % sizeof(uint64_t) == 0, "rg_drops is of u64");
_Static_assert(sizeof(struct rg_stats) % sizeof(uint64_t) == 0, "rg_stats is of u64");
_Static_assert(sizeof(struct rg_usage) == sizeof(struct rg_base), "a base is a usage");

/**
 * struct column - one per-CPU map that is read for many slots
 * @fd: map
 * @words: 64-bit counters in a value
 * @offset: of the value within struct rg_usage
 * @n_cpus: possible CPUs
 * @batch: whether the kernel takes batch look-ups on this map
 */
struct column {
	int fd;
	size_t words;
	size_t offset;
	size_t n_cpus;
	bool batch;
};

static void sum_cpus(const uint64_t *values, size_t words, size_t n_cpus, uint64_t *ret)
{
	memset(ret, 0, words * sizeof(*ret));
	for (size_t cpu = 0; cpu < n_cpus; cpu++)
		for (size_t w = 0; w < words; w++)
			ret[w] += values[cpu * words + w];
}

/* A packet that is counted while base and counters are read must not show as 2^64 - 1. */
static void subtract_base(struct rg_usage *usage, const struct rg_base *base)
{
	uint64_t *u = (uint64_t *)usage;
	const uint64_t *b = (const uint64_t *)base;

	for (size_t w = 0; w < sizeof(*usage) / sizeof(*u); w++) {
		u[w] -= b[w];
		if ((int64_t)u[w] < 0)
			u[w] = 0;
	}
}

static int count_cpus(struct rg_err *err)
{
	int n = libbpf_num_possible_cpus();

	return n > 0 ? n : rg_err_errno(err, n, "cannot count the CPUs");
}

static int read_percpu(int fd, uint32_t key, size_t words, size_t n_cpus, uint64_t *scratch,
		       uint64_t *ret)
{
	if (bpf_map_lookup_elem(fd, &key, scratch) < 0)
		return -errno;
	sum_cpus(scratch, words, n_cpus, ret);
	return 0;
}

static struct column column_counters(const struct rg_maps *maps, int n_cpus)
{
	return (struct column){
		.fd = rg_maps_fd(maps, RG_MAP_ID_COUNTERS),
		.words = N_COUNTERS,
		.offset = offsetof(struct rg_usage, counters),
		.n_cpus = (size_t)n_cpus,
		.batch = true,
	};
}

static struct column column_drops(const struct rg_maps *maps, int n_cpus)
{
	return (struct column){
		.fd = rg_maps_fd(maps, RG_MAP_ID_DROPS),
		.words = N_DROPS,
		.offset = offsetof(struct rg_usage, drops),
		.n_cpus = (size_t)n_cpus,
		.batch = true,
	};
}

static uint64_t *column_dst(const struct column *col, struct rg_usage *usage)
{
	return (uint64_t *)((char *)usage + col->offset);
}

static int read_sums(const struct rg_maps *maps, uint32_t slot, struct rg_usage *ret,
		     struct rg_err *err)
{
	_cleanup_free_ uint64_t *scratch = NULL;
	struct column cols[2];
	int r, n_cpus = count_cpus(err);

	if (n_cpus < 0)
		return n_cpus;
	scratch = calloc((size_t)n_cpus, sizeof(struct rg_drops));
	if (!scratch)
		return rg_err_set(err, -ENOMEM, "out of memory");
	cols[0] = column_counters(maps, n_cpus);
	cols[1] = column_drops(maps, n_cpus);
	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		r = read_percpu(cols[i].fd, slot, cols[i].words, cols[i].n_cpus, scratch,
				column_dst(&cols[i], ret));
		if (r < 0)
			return rg_err_errno(err, r, "cannot read the counters of slot %u", slot);
	}
	return 0;
}

static int read_base(const struct rg_maps *maps, uint32_t slot, struct rg_base *ret,
		     struct rg_err *err)
{
	memset(ret, 0, sizeof(*ret));
	if (bpf_map_lookup_elem(rg_maps_fd(maps, RG_MAP_ID_BASES), &slot, ret) < 0 &&
	    errno != ENOENT)
		return rg_err_errno(err, -errno, "cannot read the base of slot %u", slot);
	return 0;
}

int rg_counters_read(const struct rg_maps *maps, uint32_t slot, struct rg_usage *ret,
		     struct rg_err *err)
{
	struct rg_usage usage;
	struct rg_base base;
	int r;

	r = read_base(maps, slot, &base, err);
	if (r < 0)
		return r;
	r = read_sums(maps, slot, &usage, err);
	if (r < 0)
		return r;
	subtract_base(&usage, &base);
	*ret = usage;
	return 0;
}

int rg_counters_rebase(const struct rg_maps *maps, uint32_t slot, struct rg_err *err)
{
	struct rg_usage usage;
	int r;

	r = read_sums(maps, slot, &usage, err);
	if (r < 0)
		return r;
	if (bpf_map_update_elem(rg_maps_fd(maps, RG_MAP_ID_BASES), &slot, &usage, BPF_ANY) < 0)
		return rg_err_errno(err, -errno, "cannot write the base of slot %u", slot);
	return 0;
}

/* How many slots one batch may cover: wanted slots lie close together, but not always. */
static size_t batch_slots(const struct column *col)
{
	size_t n = BATCH_BYTES / (col->words * sizeof(uint64_t) * col->n_cpus);

	return n ? n : 1;
}

/*
 * Read the slots that fit into one batch beginning at slots[0].
 * Return: number of @slots done, or -errno.
 */
static int read_batch(const struct column *col, const uint32_t *slots, size_t n,
		      struct rg_usage *ret, uint32_t *keys, uint64_t *values)
{
	uint32_t first = slots[0], before = first - 1, out = 0, count;
	size_t span = batch_slots(col), done = 1;

	while (done < n && slots[done] - first < span)
		done++;
	count = slots[done - 1] - first + 1;
	/* the kernel goes on from the key behind this one; NULL begins at slot 0 */
	if (bpf_map_lookup_batch(col->fd, first ? &before : NULL, &out, keys, values, &count,
				 NULL) < 0 &&
	    errno != ENOENT)
		return -errno;
	if (count < slots[done - 1] - first + 1)
		return -ENOENT;
	for (size_t i = 0; i < done; i++)
		sum_cpus(values + (slots[i] - first) * col->words * col->n_cpus, col->words,
			 col->n_cpus, column_dst(col, &ret[i]));
	return (int)done;
}

static int read_column(struct column *col, const uint32_t *slots, size_t n, struct rg_usage *ret)
{
	size_t span = batch_slots(col);
	_cleanup_free_ uint32_t *keys = calloc(span, sizeof(*keys));
	_cleanup_free_ uint64_t *values = calloc(span, col->words * sizeof(*values) * col->n_cpus);
	size_t i = 0;

	if (!keys || !values)
		return -ENOMEM;
	while (i < n) {
		int r = -EOPNOTSUPP;

		if (col->batch)
			r = read_batch(col, slots + i, n - i, ret + i, keys, values);
		/* per-CPU arrays cannot be read in batches before Linux 5.13 */
		if (r == -EOPNOTSUPP || r == -ENOTSUP || r == -EINVAL) {
			col->batch = false;
			r = read_percpu(col->fd, slots[i], col->words, col->n_cpus, values,
					column_dst(col, &ret[i]));
			r = r < 0 ? r : 1;
		}
		if (r < 0)
			return r;
		i += (size_t)r;
	}
	return 0;
}

int rg_counters_read_many(const struct rg_maps *maps, const uint32_t *slots, size_t n,
			  struct rg_usage *ret, struct rg_err *err)
{
	_cleanup_free_ struct rg_base *bases = calloc(n ? n : 1, sizeof(*bases));
	struct column cols[2];
	int r, n_cpus = count_cpus(err);

	if (n_cpus < 0)
		return n_cpus;
	if (!bases)
		return rg_err_set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		r = read_base(maps, slots[i], &bases[i], err);
		if (r < 0)
			return r;
	}
	cols[0] = column_counters(maps, n_cpus);
	cols[1] = column_drops(maps, n_cpus);
	for (size_t i = 0; i < ARRAY_SIZE(cols); i++) {
		r = read_column(&cols[i], slots, n, ret);
		if (r < 0)
			return rg_err_errno(err, r, "cannot read the counters of %zu slots", n);
	}
	for (size_t i = 0; i < n; i++)
		subtract_base(&ret[i], &bases[i]);
	return 0;
}

static int read_one(const struct rg_maps *maps, enum rg_map_id id, uint32_t key, size_t words,
		    uint64_t *ret, struct rg_err *err)
{
	_cleanup_free_ uint64_t *scratch = NULL;
	int r, n_cpus = count_cpus(err);

	if (n_cpus < 0)
		return n_cpus;
	scratch = calloc((size_t)n_cpus, words * sizeof(*scratch));
	if (!scratch)
		return rg_err_set(err, -ENOMEM, "out of memory");
	r = read_percpu(rg_maps_fd(maps, id), key, words, (size_t)n_cpus, scratch, ret);
	if (r < 0)
		return rg_err_errno(err, r, "cannot read element %u of map %s", key,
				    rg_map_name(id));
	return 0;
}

int rg_counters_stats(const struct rg_maps *maps, struct rg_stats *ret, struct rg_err *err)
{
	return read_one(maps, RG_MAP_ID_STATS, 0, sizeof(*ret) / sizeof(uint64_t), (uint64_t *)ret,
			err);
}

int rg_counters_ops(const struct rg_maps *maps, uint32_t rail, uint32_t dir, struct rg_ops *ret,
		    struct rg_err *err)
{
	return read_one(maps, RG_MAP_ID_OPS, RG_OPS_KEY(rail, dir), sizeof(*ret) / sizeof(uint64_t),
			(uint64_t *)ret, err);
}
