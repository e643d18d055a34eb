// SPDX-License-Identifier: Apache-2.0
/*
 * railgate.json: whatever the file holds, parsing it gives a configuration within its own bounds
 * or a sentence that says what is wrong.
 */
#include <arpa/inet.h>
#include <string.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "conf/conf.h"
#include "fuzz.h"

static void check_policy(const struct rg_conf_policy *p)
{
	fuzz_check(p->mode >= RG_MODE_ENFORCE && p->mode <= RG_MODE_OFF);
	fuzz_check(p->profile <= RG_PROFILE_STRICT);
	fuzz_check(p->n_allows <= RG_MAX_ALLOWS);
	for (size_t i = 0; i < p->n_allows; i++) {
		fuzz_check(p->allows[i].from != 0);
		fuzz_check(!p->allows[i].has_to || !rg_cidr_has_host_bits(&p->allows[i].to));
	}
}

static void check_rail(const struct rg_conf *conf, const struct rg_conf_rail *rail)
{
	const struct rg_conf_match *m = &rail->match;

	fuzz_check(rail->name[0] && memchr(rail->name, '\0', sizeof(rail->name)));
	fuzz_check(rg_conf_find_rail(conf, rail->name) == rail - conf->rails);
	fuzz_check(m->netdev[0] || m->pci[0] || m->rdma[0] || m->has_mac);
	fuzz_check(memchr(m->netdev, '\0', sizeof(m->netdev)) && !strchr(m->netdev, '/'));
	fuzz_check(memchr(m->pci, '\0', sizeof(m->pci)) && !strchr(m->pci, '/'));
	fuzz_check(memchr(m->rdma, '\0', sizeof(m->rdma)) && !strchr(m->rdma, '/'));
	fuzz_check(rail->n_addresses <= RG_CONF_MAX_ADDRS);
	fuzz_check(rail->n_gateways <= ARRAY_SIZE(rail->gateways));
	fuzz_check(rail->n_vlans <= RG_MAX_VLANS);
	fuzz_check(rail->mtu == 0 || (rail->mtu >= 68 && rail->mtu <= 65535));
	for (size_t i = 0; i < rail->n_vlans; i++)
		fuzz_check(rail->vlans[i] >= 1 && rail->vlans[i] <= 4094);
	check_policy(&rail->policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ struct rg_conf *conf = NULL;
	struct rg_err err = {0};
	int r = rg_conf_parse((const char *)data, size, &conf, &err);

	fuzz_check_result(r, &err);
	if (r < 0) {
		fuzz_check(conf == NULL);
		return 0;
	}
	fuzz_check(conf->n_rails <= RG_MAX_RAILS);
	fuzz_check(conf->n_rdma_cidrs <= RG_CONF_MAX_CIDRS);
	fuzz_check(conf->max_endpoints >= RG_ENDPOINTS_MIN &&
		   conf->max_endpoints <= RG_ENDPOINTS_MAX);
	check_policy(&conf->policy);
	for (size_t i = 0; i < conf->n_rails; i++)
		check_rail(conf, &conf->rails[i]);
	return 0;
}
