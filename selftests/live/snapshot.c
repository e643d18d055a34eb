// SPDX-License-Identifier: Apache-2.0
/*
 * Counters before and after, and in what the difference differs from what was expected.
 */
#include <string.h>
#include <railgate/reason.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/tap.h"
#include "guard.h"

static const char *const reasons[RG_REASON_MAX] = {
#define REASON_LABEL(num, name, label, text) [RG_REASON_##name] = label,
	RG_REASONS(REASON_LABEL)
#undef REASON_LABEL
};

static const char *const fields[] = {"roce_packets", "roce_bytes", "cnp_packets", "ecn_ce_packets",
				     "ip_packets",   "ip_bytes",   "l2_packets"};

_Static_assert(sizeof(struct rg_dir) == 8 * ARRAY_SIZE(fields), "rg_dir has other fields");

void snapshot_take(const struct guard *g, struct snapshot *ret)
{
	struct rg_err err = {0};
	struct rg_stats stats;
	int r = rg_counters_stats(g->maps, &stats, &err);

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < g->n_slots && r == 0; i++)
		r = rg_counters_read(g->maps, g->slots[i], &ret->slots[i], &err);
	for (uint32_t dir = 0; dir < 2 && r == 0; dir++)
		r = rg_counters_ops(g->maps, GUARD_RAIL, dir, &ret->ops[dir], &err);
	if (r < 0)
		tap_bail("%s", err.msg);
	ret->errors = stats.counter_errors;
}

void snapshot_since(const struct guard *g, const struct snapshot *before, struct snapshot *ret)
{
	const uint64_t *old = (const uint64_t *)before;
	struct snapshot now;
	uint64_t *word = (uint64_t *)&now;

	snapshot_take(g, &now);
	for (size_t i = 0; i < sizeof(now) / sizeof(*word); i++)
		word[i] -= old[i];
	*ret = now;
}

static const char *slot_name(size_t i, char buf[16])
{
	if (i == SLOT_HOST)
		return "host";
	if (i == SLOT_UNKNOWN)
		return "unknown";
	(void)rg_str_format(buf, 16, "pod %zu", i - SLOT_POD + 1);
	return buf;
}

static bool dir_is(const struct rg_dir *got, const struct rg_dir *want, const char *who,
		   const char *dir, char *text, size_t size)
{
	const uint64_t *a = (const uint64_t *)got, *b = (const uint64_t *)want;

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (a[i] == b[i])
			continue;
		(void)rg_str_format(text, size, "%s %s %s: %lld counted, %lld expected", who, dir,
				    fields[i], (long long)a[i], (long long)b[i]);
		return false;
	}
	return true;
}

static bool drops_are(const struct rg_drops *got, const struct rg_drops *want, const char *who,
		      char *text, size_t size)
{
	for (int i = 0; i < RG_REASON_MAX; i++) {
		const struct rg_count *a = &got->by_reason[i], *b = &want->by_reason[i];

		if (a->packets == b->packets && a->bytes == b->bytes)
			continue;
		(void)rg_str_format(text, size,
				    "%s dropped for %s: %lld packets, %lld bytes counted, %lld, "
				    "%lld expected",
				    who, reasons[i] ? reasons[i] : "?", (long long)a->packets,
				    (long long)a->bytes, (long long)b->packets,
				    (long long)b->bytes);
		return false;
	}
	return true;
}

/* Opcode classes of the rail must add up to the RoCE packets of its endpoints. */
static bool ops_add_up(const struct guard *g, const struct snapshot *got, char *text, size_t size)
{
	uint64_t roce[2] = {0}, ops[2] = {0};

	for (size_t i = 0; i < g->n_slots; i++) {
		roce[RG_OPS_TX] += got->slots[i].counters.tx.roce_packets;
		roce[RG_OPS_RX] += got->slots[i].counters.rx.roce_packets;
	}
	for (int dir = 0; dir < 2; dir++) {
		for (int i = 0; i < RG_OP_MAX; i++)
			ops[dir] += got->ops[dir].packets[i];
		if (ops[dir] == roce[dir])
			continue;
		(void)rg_str_format(text, size, "%s: %lld RoCE packets but %lld opcodes",
				    dir == RG_OPS_TX ? "sent" : "received", (long long)roce[dir],
				    (long long)ops[dir]);
		return false;
	}
	return true;
}

bool snapshot_is(const struct guard *g, const struct snapshot *got, const struct snapshot *want,
		 char *ret_text, size_t size)
{
	char buf[16];

	for (size_t i = 0; i < g->n_slots; i++) {
		const struct rg_usage *a = &got->slots[i], *b = &want->slots[i];
		const char *who = slot_name(i, buf);

		if (!dir_is(&a->counters.tx, &b->counters.tx, who, "tx", ret_text, size) ||
		    !dir_is(&a->counters.rx, &b->counters.rx, who, "rx", ret_text, size) ||
		    !drops_are(&a->drops, &b->drops, who, ret_text, size))
			return false;
	}
	if (got->errors) {
		(void)rg_str_format(ret_text, size, "%llu packets found no counter",
				    (unsigned long long)got->errors);
		return false;
	}
	return ops_add_up(g, got, ret_text, size);
}
