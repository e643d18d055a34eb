// SPDX-License-Identifier: Apache-2.0
/*
 * The plugin's standard input: whatever a runtime sends, parsing it gives a configuration within
 * its bounds or a CNI error with a code and a sentence.
 */
#include <stdlib.h>
#include <string.h>
#include <railgate/policy.h>

#include "base/cleanup.h"
#include "call.h"
#include "fault.h"
#include "fuzz.h"
#include "netconf.h"

#define check_text(array) fuzz_check(memchr(array, '\0', sizeof(array)))

static void check_bounds(const struct rg_netconf *conf)
{
	fuzz_check(conf->doc);
	fuzz_check(conf->version < RG_CNI_VERSION_MAX);
	check_text(conf->name);
	check_text(conf->ipam_type);
	/* it is looked up in the directories of CNI_PATH and executed */
	fuzz_check(!strchr(conf->ipam_type, '/'));
	fuzz_check(strcmp(conf->ipam_type, "..") != 0);
	fuzz_check(conf->mode == RG_KIND_MACVLAN);
	fuzz_check(conf->n_rails <= RG_MAX_RAILS);
	for (size_t i = 0; i < conf->n_rails; i++) {
		check_text(conf->rails[i]);
		fuzz_check(conf->rails[i][0]);
	}
	check_text(conf->master);
	fuzz_check(conf->n_rails || conf->master[0]);
	fuzz_check(!conf->has_mac || rg_mac_is_unicast(conf->mac));
	fuzz_check(conf->n_ips <= RG_NETCONF_MAX_IPS);
	for (size_t i = 0; i < conf->n_ips; i++)
		fuzz_check(rg_cidr_is_valid(&conf->ips[i]));
	fuzz_check((conf->ident_flags & ~(RG_IDENT_MODE_MASK | RG_IDENT_STRICT)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rg_call call = {.command = RG_COMMAND_ADD, .ifname = "net1", .input_len = size};
	struct rg_fault fault = {0};
	struct rg_netconf conf;
	int r;

	call.input = malloc(size + 1);
	fuzz_check(call.input);
	memcpy(call.input, data, size);
	call.input[size] = '\0';
	/* what is not written shows */
	memset(&conf, 0xa5, sizeof(conf));
	r = rg_netconf_parse(&call, &conf, &fault);
	fuzz_check(memchr(fault.err.msg, '\0', sizeof(fault.err.msg)));
	fuzz_check(conf.version < RG_CNI_VERSION_MAX);
	if (r < 0)
		fuzz_check(fault.code != 0 && fault.err.msg[0] != '\0');
	else
		check_bounds(&conf);
	rg_netconf_done(&conf);
	rg_call_done(&call);
	return 0;
}
