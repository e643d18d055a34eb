// SPDX-License-Identifier: Apache-2.0
/*
 * The watchdog on hooks inside pods, where they are clsact filters: whoever has CAP_NET_ADMIN in
 * the pod can delete those. It takes CAP_SYS_ADMIN to enter the pod's namespace, which the agent
 * keeps on kernels without TCX only.
 */
#include <errno.h>
#include <limits.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"
#include "bpf/load.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "daemon/agent.h"
#include "net/netns.h"
#include "state/record.h"

/**
 * struct visit - what the child in the pod's namespace does; flat, it is copied there and back
 * @pin_dir: the railgate folder in a bpffs
 * @progs_fd: map rg_progs
 * @slot: endpoint
 * @ifindex: interface inside the pod
 */
struct visit {
	char pin_dir[PATH_MAX];
	int progs_fd;
	uint32_t slot;
	int ifindex;
};

static int attach_inside(void *arg, struct rg_err *err)
{
	const struct visit *visit = arg;
	char name[RG_PIN_NAME_SIZE];
	const struct rg_hook hook = {
		.pin_dir = visit->pin_dir,
		.name = rg_pin_pod_link_name(visit->slot, "tx", name),
		.progs_fd = visit->progs_fd,
		.prog = RG_PROG_IDX_POD_TX,
		.slot = visit->slot,
		.ifindex = visit->ifindex,
		.tcx = false,
	};

	return rg_hook_attach(&hook, err);
}

void rg_agent_pod_hook(struct rg_agent *agent, uint32_t slot, const struct rg_record *record)
{
	struct visit visit = {
		.progs_fd = rg_maps_fd(rg_load_maps(agent->load), RG_MAP_ID_PROGS),
		.slot = slot,
		.ifindex = record->ifindex,
	};
	_cleanup_close_ int netns = -EBADF;
	struct rg_netns_id id;
	struct rg_err err = {0};
	int r;

	if (agent->tcx || record->ifindex <= 0 ||
	    rg_str_copy(visit.pin_dir, sizeof(visit.pin_dir), agent->options.pin_dir) < 0 ||
	    rg_netns_open(record->netns, &netns, &id, NULL) < 0 || id.dev != record->netns_dev ||
	    id.ino != record->netns_ino)
		return;
	r = rg_netns_run(netns, attach_inside, &visit, sizeof(visit), &err);
	if (r == RG_HOOK_KEPT)
		return;
	if (r > 0)
		agent->repairs++;
	rg_log_write(RG_LOG_WARN,
		     RG_F("rail", record->rail, "namespace", record->pod_namespace, "pod",
			  record->pod_name, "ifname", record->ifname),
		     "%s", r < 0 ? err.msg : "the pod's hook had been deleted; attached again");
}
