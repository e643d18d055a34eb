// SPDX-License-Identifier: Apache-2.0
/*
 * The node that a call runs on.
 */
#include <string.h>
#include <linux/netlink.h>

#include <railgate/abi.h>

#include "fault.h"
#include "node.h"

void rg_node_init(struct rg_node *node)
{
	memset(node, 0, sizeof(*node));
	node->conf_path = rg_conf_path(NULL, "RAILGATE_CONFIG", RG_CONF_PATH_DEFAULT);
	node->state_dir = rg_conf_path(NULL, "RAILGATE_STATE_DIR", RG_STATE_DIR_DEFAULT);
	node->pin_dir = rg_conf_path(NULL, "RAILGATE_PIN_DIR", RG_PIN_DIR_DEFAULT);
}

void rg_node_done(struct rg_node *node)
{
	free(node->conf);
	rg_nl_close(node->nl);
	rg_store_close(node->store);
	memset(node, 0, sizeof(*node));
}

int rg_node_need_conf(struct rg_node *node, struct rg_fault *f)
{
	int r = node->conf ? 0 : rg_conf_load(node->conf_path, &node->conf, &f->err);

	return r < 0 ? rg_fault_code(f, RG_CNI_CONFIG, r) : 0;
}

int rg_node_need_net(struct rg_node *node, struct rg_fault *f)
{
	int r = node->nl ? 0 : rg_netns_self(&node->host, &f->err);

	if (r == 0 && !node->nl)
		r = rg_nl_open(NETLINK_ROUTE, &node->nl, &f->err);
	return r < 0 ? rg_fault_errno(f, r) : 0;
}

int rg_node_need_store(struct rg_node *node, struct rg_fault *f)
{
	int r = node->store ? 0 : rg_store_open(node->state_dir, true, &node->store, &f->err);

	if (r == -EACCES || r == -EPERM)
		return rg_fault_code(f, RG_CNI_PERMISSION, r);
	return r < 0 ? rg_fault_code(f, RG_CNI_IO, r) : 0;
}
