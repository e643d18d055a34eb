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

void rg_who_of(uint32_t slot, const struct rg_endpoint *endpoint, struct rg_event_names *ret)
{
	const char *kind = NULL;

	memset(ret, 0, sizeof(*ret));
	if (slot < RG_SLOT_UNKNOWN(0))
		kind = "host";
	else if (slot < RG_SLOT_FIRST_POD)
		kind = "unknown sender";
	if (endpoint) {
		(void)rg_str_copy(ret->rail, sizeof(ret->rail), endpoint->rail_name);
		(void)rg_str_copy(ret->pod_namespace, sizeof(ret->pod_namespace),
				  endpoint->pod_namespace);
		(void)rg_str_copy(ret->pod_name, sizeof(ret->pod_name), endpoint->pod_name);
		(void)rg_str_copy(ret->ifname, sizeof(ret->ifname), endpoint->ifname);
	}
	if (kind)
		(void)rg_str_copy(ret->pod_name, sizeof(ret->pod_name), kind);
	else if (!ret->pod_name[0])
		(void)rg_str_format(ret->pod_name, sizeof(ret->pod_name), "slot %u", slot);
}

void rg_who(const struct rg_maps *maps, uint32_t slot, struct rg_event_names *ret)
{
	struct rg_endpoint e;
	bool found = maps && rg_endpoints_get(maps, slot, &e) == 0;

	rg_who_of(slot, found ? &e : NULL, ret);
}

char *rg_who_text(const struct rg_event_names *names, char buf[RG_WHO_SIZE])
{
	(void)rg_str_format(buf, RG_WHO_SIZE, "%s%s%s%s%s", names->pod_namespace,
			    names->pod_namespace[0] ? "/" : "", names->pod_name,
			    names->ifname[0] ? " " : "", names->ifname);
	return buf;
}
