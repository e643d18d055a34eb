// SPDX-License-Identifier: Apache-2.0
/*
 * STATUS: whether an ADD of this network can succeed now, and if not, what is missing.
 */
#include <errno.h>
#include <net/if.h>

#include "attach.h"
#include "bpf/config.h"
#include "bpf/maps.h"
#include "bpf/pin.h"
#include "commands.h"
#include "fault.h"
#include "ipam.h"

static int not_available(struct rg_fault *f, int r)
{
	return rg_fault_code(f, RG_CNI_NOT_AVAILABLE, r);
}

static int check_rail(struct rg_node *node, const struct rg_netconf *conf, size_t index,
		      const struct rg_maps *maps, struct rg_fault *f)
{
	struct rg_rail_dev dev;
	struct rg_rail rail;
	int r = rg_attach_find_rail(node, conf, index, &dev, f);

	if (r < 0)
		return not_available(f, r);
	if (!(dev.link.flags & IFF_UP))
		return rg_fault_set(
			f, RG_CNI_NOT_AVAILABLE,
			"rail '%s' (%s) is down; bring it up, or let railgated manage it",
			node->conf->rails[r].name, dev.link.name);
	r = rg_policy_find_rail(maps, node->conf->rails[r].name, &rail, &f->err);
	return r < 0 ? not_available(f, r) : 0;
}

static int check_node(struct rg_node *node, const struct rg_netconf *conf, struct rg_fault *f)
{
	_cleanup_(rg_maps_free_ptr) struct rg_maps *maps = NULL;
	size_t n = conf->n_rails ? conf->n_rails : 1;
	int r = rg_node_need_conf(node, f);

	r = r ? r : rg_node_need_net(node, f);
	r = r ? r : rg_node_need_store(node, f);
	r = r ? r : rg_pin_ready(node->pin_dir, &f->err);
	r = r ? r : rg_maps_open(node->pin_dir, &maps, &f->err);
	if (r < 0)
		return not_available(f, r);
	for (size_t i = 0; i < n && r == 0; i++)
		r = check_rail(node, conf, i, maps, f);
	return r;
}

int rg_cni_status(const struct rg_call *call, const struct rg_netconf *conf, struct rg_fault *f)
{
	const struct rg_ipam ipam = {
		.type = conf->ipam_type,
		.timeout_s = conf->ipam_timeout_s,
		.config = call->input,
		.config_len = call->input_len,
		.path = call->path,
		.args = call->args,
	};
	struct rg_node node;
	int r;

	rg_node_init(&node);
	r = check_node(&node, conf, f);
	if (r == 0 && conf->ipam_type[0])
		r = rg_ipam_run(&ipam, RG_COMMAND_STATUS, f);
	rg_node_done(&node);
	return r;
}
