// SPDX-License-Identifier: Apache-2.0
/*
 * State files: whatever is on the disk, reading it gives a record within its bounds or an error,
 * and a record that was read is written the same way again.
 */
#include <string.h>

#include "base/cleanup.h"
#include "fuzz.h"
#include "state/record.h"
#include "state/store.h"

#define check_text(array) fuzz_check(memchr(array, '\0', sizeof(array)))

static void check_bounds(const struct rg_record *record)
{
	check_text(record->boot_id);
	check_text(record->container_id);
	check_text(record->ifname);
	check_text(record->group);
	check_text(record->network);
	check_text(record->mode);
	check_text(record->rail);
	check_text(record->pod_namespace);
	check_text(record->pod_name);
	check_text(record->pod_uid);
	check_text(record->temp_name);
	check_text(record->rdma_device);
	fuzz_check(record->n_addrs <= RG_RECORD_MAX_ADDRS);
	for (size_t i = 0; i < record->n_addrs; i++)
		fuzz_check(rg_cidr_is_valid(&record->addrs[i]));
	/* what these say must not depend on what follows them in memory */
	(void)rg_store_valid_id(record->container_id);
	(void)rg_store_valid_ifname(record->ifname);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_record_ struct rg_record *record = NULL, *again = NULL;
	_cleanup_free_ char *first = NULL, *second = NULL;
	size_t first_len, second_len;
	struct rg_err err = {0};
	int r = rg_record_parse((const char *)data, size, &record, &err);

	fuzz_check_result(r, &err);
	if (r < 0) {
		fuzz_check(!record);
		return 0;
	}
	check_bounds(record);
	fuzz_check(rg_record_format(record, &first, &first_len) == 0);
	fuzz_check(rg_record_parse(first, first_len, &again, &err) == 0);
	fuzz_check(rg_record_format(again, &second, &second_len) == 0);
	fuzz_check(first_len == second_len && memcmp(first, second, first_len) == 0);
	return 0;
}
