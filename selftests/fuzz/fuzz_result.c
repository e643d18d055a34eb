// SPDX-License-Identifier: Apache-2.0
/*
 * Results: what an IPAM plugin answers and what an earlier plugin left in prevResult. Parsing
 * gives a result within its bounds or an error, and what we print of it, in any version, is a
 * result that we read the same.
 */
#include <json-c/json.h>
#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "fuzz.h"
#include "result.h"

#define MAX_DEPTH	  32

#define check_text(array) fuzz_check(memchr(array, '\0', sizeof(array)))

static void check_bounds(const struct rg_result *res)
{
	fuzz_check(res->n_ifs <= RG_RESULT_MAX);
	for (size_t i = 0; i < res->n_ifs; i++) {
		check_text(res->ifs[i].name);
		check_text(res->ifs[i].sandbox);
		check_text(res->ifs[i].pci);
	}
	fuzz_check(res->n_ips <= RG_RESULT_MAX);
	for (size_t i = 0; i < res->n_ips; i++) {
		fuzz_check(rg_cidr_is_valid(&res->ips[i].addr));
		/* an IPAM plugin may count in interfaces that it does not name */
		fuzz_check(res->ips[i].interface >= -1);
	}
	fuzz_check(res->n_routes <= RG_RESULT_MAX);
	for (size_t i = 0; i < res->n_routes; i++)
		fuzz_check(rg_cidr_is_valid(&res->routes[i].dst));
}

static void check_printed(const struct rg_result *res, enum rg_cni_version version)
{
	struct json_object *doc = NULL;
	struct rg_result again = {0};
	struct rg_err err = {0};
	int r = rg_result_format(res, version, NULL, &doc);

	fuzz_check(r == 0 && doc);
	r = rg_result_parse(doc, "result", &again, &err);
	fuzz_check_result(r, &err);
	fuzz_check(r == 0);
	fuzz_check(again.n_ips == res->n_ips);
	for (size_t i = 0; i < res->n_ips; i++) {
		fuzz_check(rg_addr_equal(&again.ips[i].addr.addr, &res->ips[i].addr.addr));
		fuzz_check(again.ips[i].addr.prefix == res->ips[i].addr.prefix);
	}
	fuzz_check(again.n_routes == res->n_routes);
	rg_result_done(&again);
	json_object_put(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *doc = json_tokener_parse_ex(tok, (const char *)data, (int)size);
	struct rg_result res = {0};
	struct rg_err err = {0};
	int r;

	json_tokener_free(tok);
	if (!doc)
		return 0;
	r = rg_result_parse(doc, "result", &res, &err);
	fuzz_check_result(r, &err);
	if (r == 0) {
		check_bounds(&res);
		for (int v = 0; v < RG_CNI_VERSION_MAX; v++)
			check_printed(&res, (enum rg_cni_version)v);
	}
	rg_result_done(&res);
	json_object_put(doc);
	return 0;
}
