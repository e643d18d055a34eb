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

static void check_bounds(const struct rg_cni_result *res)
{
	fuzz_check(res->n_interfaces <= RG_CNI_MAX_INTERFACES);
	for (size_t i = 0; i < res->n_interfaces; i++) {
		check_text(res->interfaces[i].name);
		check_text(res->interfaces[i].mac);
		check_text(res->interfaces[i].sandbox);
		check_text(res->interfaces[i].pci_id);
	}
	fuzz_check(res->n_ips <= RG_CNI_MAX_IPS);
	for (size_t i = 0; i < res->n_ips; i++) {
		fuzz_check(rg_cidr_is_valid(&res->ips[i].address));
		/* an IPAM plugin may count in interfaces that it does not name */
		fuzz_check(res->ips[i].interface >= -1);
	}
	fuzz_check(res->n_routes <= RG_CNI_MAX_ROUTES);
	for (size_t i = 0; i < res->n_routes; i++)
		fuzz_check(rg_cidr_is_valid(&res->routes[i].dst));
}

static struct json_object *parse_text(const char *text, size_t len)
{
	struct json_tokener *tok = json_tokener_new_ex(MAX_DEPTH);
	struct json_object *doc = json_tokener_parse_ex(tok, text, (int)len);

	json_tokener_free(tok);
	return doc;
}

/* Prints with standard output in memory and reads that. */
static void check_printed(const struct rg_cni_result *res, enum rg_cni_version version)
{
	_cleanup_free_ char *text = NULL;
	struct rg_cni_result again;
	struct rg_err err = {0};
	struct json_object *doc;
	FILE *saved = stdout;
	size_t len = 0;
	int r;

	stdout = open_memstream(&text, &len);
	fuzz_check(stdout);
	rg_cni_result_print(res, version);
	fuzz_check(fclose(stdout) == 0);
	stdout = saved;
	doc = parse_text(text, len);
	fuzz_check(doc);
	r = rg_cni_result_parse(doc, &again, &err);
	fuzz_check_result(r, &err);
	fuzz_check(r == 0);
	fuzz_check(again.n_ips == res->n_ips);
	for (size_t i = 0; i < res->n_ips; i++) {
		fuzz_check(rg_addr_equal(&again.ips[i].address.addr, &res->ips[i].address.addr));
		fuzz_check(again.ips[i].address.prefix == res->ips[i].address.prefix);
	}
	fuzz_check(again.n_routes == res->n_routes);
	rg_cni_result_done(&again);
	json_object_put(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_object *doc = parse_text((const char *)data, size);
	struct rg_cni_result res;
	struct rg_err err = {0};
	int r;

	if (!doc)
		return 0;
	memset(&res, 0xa5, sizeof(res));
	r = rg_cni_result_parse(doc, &res, &err);
	fuzz_check_result(r, &err);
	if (r == 0) {
		check_bounds(&res);
		for (int v = 0; v < RG_CNI_VERSIONS; v++)
			check_printed(&res, (enum rg_cni_version)v);
	}
	rg_cni_result_done(&res);
	json_object_put(doc);
	return 0;
}
