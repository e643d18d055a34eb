// SPDX-License-Identifier: Apache-2.0
/*
 * Rails: what is declared, which netdev it is now, what is in force on it.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <railgate/policy.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/attach.h"
#include "bpf/config.h"
#include "bpf/pin.h"
#include "bpf/probe.h"
#include "conf/conf.h"
#include "ctl.h"
#include "names.h"
#include "net/addr.h"
#include "net/link.h"
#include "out.h"
#include "show.h"
#include "topo/rails.h"
#include "topo/sysfs.h"

/*
 * @conf: configuration
 * @policy: in force, NULL if not loaded
 * @devs: netdevs of @conf's rails
 * @nl: socket in the host's namespace
 * @tcx: kind of the hooks
 */
struct rails {
	struct rg_ctl *ctl;
	struct rg_conf *conf;
	const struct rg_policy *policy;
	struct rg_rail_dev *devs;
	struct rg_nl *nl;
	bool tcx;
};

static void rails_done(struct rails *r)
{
	free(r->conf);
	free(r->devs);
	rg_nl_close(r->nl);
}

static int gather(struct rails *r)
{
	_cleanup_free_ struct rg_link *links = NULL;
	struct rg_err *err = &r->ctl->err;
	size_t n;
	int ret;

	ret = rg_conf_load(r->ctl->conf_path, &r->conf, err);
	if (ret >= 0)
		ret = rg_nl_open(NETLINK_ROUTE, &r->nl, err);
	if (ret >= 0)
		ret = rg_link_list(r->nl, &links, &n, err);
	if (ret < 0)
		return ret;
	r->devs = calloc(r->conf->n_rails + 1, sizeof(*r->devs));
	if (!r->devs)
		return rg_err_errno(err, -ENOMEM, "cannot look for the rails");
	rg_rails_resolve(r->conf, links, n, RG_SYSFS_DEFAULT, r->devs);
	/* Without the right, hooks are "unknown" and the rest can be shown. */
	r->tcx = rg_probe_tcx(NULL) > 0;
	return 0;
}

static const char *state_of(const struct rg_rail_dev *dev)
{
	if (!dev->present)
		return "absent";
	if (!(dev->link.flags & IFF_UP))
		return "down";
	return dev->link.flags & IFF_RUNNING ? "up" : "no-carrier";
}

static void print_netdev(struct rg_out *out, const struct rg_rail_dev *dev)
{
	char mac[RG_MAC_STR_LEN];

	rg_out_str(out, "netdev", "NETDEV", dev->present ? dev->link.name : NULL);
	rg_out_str(out, "state", "STATE", state_of(dev));
	rg_out_str(out, "rdma", "RDMA", dev->rdma);
	rg_out_str(out, "mac", "MAC",
		   dev->present && dev->link.has_mac ? rg_mac_format(dev->link.mac, mac) : NULL);
	if (dev->present)
		rg_out_u64(out, "mtu", "MTU", dev->link.mtu, NULL);
	else
		rg_out_absent(out, "mtu", "MTU");
	rg_out_str(out, "absent_because", NULL, dev->present ? NULL : dev->why);
}

static void print_addresses(const struct rails *r, const struct rg_rail_dev *dev)
{
	_cleanup_free_ struct rg_ifaddr *addrs = NULL;
	char text[RG_CIDR_STR_LEN];
	size_t i, n = 0;

	if (dev->present)
		(void)rg_ifaddr_list(r->nl, dev->link.ifindex, &addrs, &n, NULL);
	rg_out_array(r->ctl->out, "addresses", "ADDRESSES");
	for (i = 0; i < n; i++)
		if (addrs[i].scope != RT_SCOPE_LINK || rg_out_is_json(r->ctl->out))
			rg_out_item(r->ctl->out, rg_cidr_format(&addrs[i].cidr, text));
	rg_out_array_end(r->ctl->out);
}

static void print_policy(const struct rails *r, const struct rg_conf_rail *rail)
{
	struct rg_out *out = r->ctl->out;
	const struct rg_rail *p;
	char text[48];
	int number = -1;

	if (r->policy)
		number = rg_policy_rail_number(r->policy, rail->name);
	if (number < 0) {
		rg_out_str(out, "mode", "POLICY", rg_out_is_json(out) ? NULL : "not loaded");
		return;
	}
	p = &r->policy->rails[number];
	if (rg_out_is_json(out)) {
		rg_out_str(out, "mode", NULL, rg_name_mode(p->mode));
		rg_out_str(out, "profile", NULL, rg_name_profile(p->profile));
		rg_out_u64(out, "number", NULL, (unsigned int)number, NULL);
		rg_out_u64(out, "generation", NULL, p->generation, NULL);
		return;
	}
	(void)rg_str_format(text, sizeof(text), "%s/%s", rg_name_mode(p->mode),
			    rg_name_profile(p->profile));
	rg_out_str(out, "mode", "POLICY", text);
	rg_out_u64(out, "generation", "GEN", p->generation, NULL);
}

static void hook_text(const struct rg_hook_state *s, bool known, char *buf, size_t size)
{
	if (!known)
		(void)rg_str_copy(buf, size, "unknown");
	else if (!s->attached)
		(void)rg_str_copy(buf, size, "MISSING");
	else if (s->position)
		(void)rg_str_format(buf, size, "behind %u", s->position);
	else
		(void)rg_str_copy(buf, size, "first");
}

static void print_hook(const struct rails *r, const struct rg_conf_rail *rail,
		       const struct rg_rail_dev *dev, bool tx)
{
	struct rg_out *out = r->ctl->out;
	struct rg_hook_state state = {0};
	char pin[RG_PIN_NAME_SIZE], text[24];
	struct rg_hook hook = {
		.pin_dir = r->ctl->pin_dir,
		.name = rg_pin_link_name(rail->name, tx ? "tx" : "rx", pin),
		.progs_fd = -1,
		.prog = tx ? RG_PROG_IDX_RAIL_TX : RG_PROG_IDX_RAIL_RX,
		.ifindex = dev->link.ifindex,
		.tcx = r->tcx,
	};
	bool known = dev->present && rg_hook_query(&hook, &state, NULL) == 0;

	hook_text(&state, known, text, sizeof(text));
	if (!rg_out_is_json(out)) {
		rg_out_str(out, "", tx ? "TX-HOOK" : "RX-HOOK", dev->present ? text : NULL);
		return;
	}
	rg_out_object(out, tx ? "tx_hook" : "rx_hook");
	if (!known) {
		rg_out_absent(out, "attached", NULL);
	} else {
		rg_out_bool(out, "attached", NULL, state.attached);
	}
	if (known && state.attached) {
		rg_out_u64(out, "position", NULL, state.position, NULL);
		rg_out_u64(out, "behind", NULL, state.behind, NULL);
	}
	rg_out_object_end(out);
}

int rg_show_rails(struct rg_ctl *ctl, const struct rg_policy *policy)
{
	_cleanup_(rails_done) struct rails r = {.ctl = ctl, .policy = policy};
	size_t i;
	int ret;

	ret = gather(&r);
	if (ret < 0)
		return ret;
	rg_out_str(ctl->out, "hook_kind", NULL, r.tcx ? "tcx" : "clsact");
	rg_out_list(ctl->out, "rails", "Rails");
	for (i = 0; i < r.conf->n_rails; i++) {
		const struct rg_conf_rail *rail = &r.conf->rails[i];

		rg_out_record(ctl->out);
		rg_out_str(ctl->out, "name", "RAIL", rail->name);
		print_netdev(ctl->out, &r.devs[i]);
		print_policy(&r, rail);
		print_hook(&r, rail, &r.devs[i], true);
		print_hook(&r, rail, &r.devs[i], false);
		print_addresses(&r, &r.devs[i]);
		rg_out_record_end(ctl->out);
	}
	rg_out_list_end(ctl->out, "none in the configuration");
	return 0;
}
