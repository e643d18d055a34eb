// SPDX-License-Identifier: Apache-2.0
/*
 * The plugin's standard input: whatever a runtime sends, parsing it gives a configuration within
 * its bounds or a CNI error with a code and a sentence.
 */
#include <string.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "fuzz.h"
#include "netconf.h"

#define check_text(array) fuzz_check(memchr(array, '\0', sizeof(array)))

static void check_bounds(const struct rg_cni_netconf *conf)
{
	fuzz_check(conf->doc);
	fuzz_check(conf->version < RG_CNI_VERSIONS);
	fuzz_check(rg_cni_version_text(conf->version)[0] != '\0');
	check_text(conf->name);
	check_text(conf->ipam_type);
	/* it is looked up in the directories of CNI_PATH and executed */
	fuzz_check(!strchr(conf->ipam_type, '/'));
	fuzz_check(strcmp(conf->ipam_type, "..") != 0);
	fuzz_check(conf->mode <= RG_CNI_MODE_IB_SRIOV);
	fuzz_check(conf->n_rails <= RG_MAX_RAILS);
	for (size_t i = 0; i < conf->n_rails; i++) {
		check_text(conf->rails[i]);
		fuzz_check(conf->rails[i][0]);
	}
	check_text(conf->master);
	check_text(conf->device_id);
	fuzz_check(!strchr(conf->device_id, '/'));
	fuzz_check(!conf->has_mac || rg_mac_is_unicast(conf->mac));
	fuzz_check(conf->n_ips <= RG_CNI_MAX_IPS);
	for (size_t i = 0; i < conf->n_ips; i++)
		fuzz_check(rg_cidr_is_valid(&conf->ips[i]));
	fuzz_check(conf->policy_mode <= RG_MODE_OFF);
	check_text(conf->rdma_device_name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rg_cni_env env = {.command = RG_CNI_ADD, .ifname = "net1"};
	struct rg_cni_error error = {0};
	struct rg_cni_netconf conf;
	int r;

	/* what is not written shows */
	memset(&conf, 0xa5, sizeof(conf));
	r = rg_cni_netconf_parse((const char *)data, size, &env, &conf, &error);
	fuzz_check(memchr(error.msg, '\0', sizeof(error.msg)));
	fuzz_check(conf.version < RG_CNI_VERSIONS);
	if (r < 0)
		fuzz_check(error.code != RG_CNI_OK && error.msg[0] != '\0');
	else
		check_bounds(&conf);
	rg_cni_netconf_done(&conf);
	return 0;
}
