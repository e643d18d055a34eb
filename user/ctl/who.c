// SPDX-License-Identifier: Apache-2.0
/*
 * The names behind a slot.
 */
#include <railgate/endpoint.h>
#include <railgate/limits.h>
#include <string.h>

#include "base/str.h"
#include "bpf/endpoints.h"
#include "who.h"

void rg_who(const struct rg_maps *maps, uint32_t slot, struct rg_event_names *ret)
{
	struct rg_endpoint e;
	const char *kind = NULL;

	memset(ret, 0, sizeof(*ret));
	if (slot < RG_SLOT_UNKNOWN(0))
		kind = "host";
	else if (slot < RG_SLOT_FIRST_POD)
		kind = "unknown sender";
	if (maps && rg_endpoints_get(maps, slot, &e) == 0) {
		(void)rg_str_copy(ret->rail, sizeof(ret->rail), e.rail_name);
		(void)rg_str_copy(ret->pod_namespace, sizeof(ret->pod_namespace), e.pod_namespace);
		(void)rg_str_copy(ret->pod_name, sizeof(ret->pod_name), e.pod_name);
		(void)rg_str_copy(ret->ifname, sizeof(ret->ifname), e.ifname);
	}
	if (kind)
		(void)rg_str_copy(ret->pod_name, sizeof(ret->pod_name), kind);
	else if (!ret->pod_name[0])
		(void)rg_str_format(ret->pod_name, sizeof(ret->pod_name), "slot %u", slot);
}

char *rg_who_text(const struct rg_event_names *names, char buf[RG_WHO_SIZE])
{
	(void)rg_str_format(buf, RG_WHO_SIZE, "%s%s%s%s%s", names->pod_namespace,
			    names->pod_namespace[0] ? "/" : "", names->pod_name,
			    names->ifname[0] ? " " : "", names->ifname);
	return buf;
}
