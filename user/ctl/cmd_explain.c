// SPDX-License-Identifier: Apache-2.0
/*
 * railctl explain: why a frame passes or is dropped, asked of the loaded programs themselves.
 *
 * The frames run through a second instance of the programs with a copy of the policy
 * (bpf/explain.h), so that no counter, event or rate limit in force sees them.
 */
#include <errno.h>
#include <railgate/policy.h>
#include <railgate/reason.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "bpf/config.h"
#include "bpf/endpoints.h"
#include "bpf/explain.h"
#include "bpf/maps.h"
#include "ctl.h"
#include "event.h"
#include "explain_rule.h"
#include "frames.h"
#include "names.h"
#include "out.h"
#include "reason.h"
#include "who.h"

/*
 * @hook: hook that the frames pass
 * @rail: rail number given or only one there is, -1 to find it by the source MAC
 * @slot: at a pod's hook
 * @dropped: frames that do not pass
 */
struct explanation {
	struct rg_ctl *ctl;
	struct rg_maps *maps;
	struct rg_explain *ex;
	enum rg_hook hook;
	int rail;
	uint32_t slot;
	unsigned int dropped;
};

static const char *class_name(const struct rg_dir *tx)
{
	if (tx->cnp_packets)
		return "cnp";
	if (tx->roce_packets)
		return "roce";
	if (tx->ip_packets)
		return "ip";
	return tx->l2_packets ? "l2" : NULL;
}

static const char *verdict_name(const struct rg_explain_result *r)
{
	if (!r->passed)
		return "drop";
	return r->reason == RG_REASON_PASS ? "pass" : "pass, would be dropped";
}

static void print_text(const struct explanation *x, const struct rg_frame *frame,
		       const struct rg_event *ev, unsigned int rail,
		       const struct rg_explain_result *r)
{
	const struct rg_policy *policy = rg_explain_policy(x->ex);
	char flow[RG_FLOW_SIZE], rule[RG_RULE_SIZE], who[RG_WHO_SIZE];
	struct rg_out *out = x->ctl->out;
	struct rg_event_names names;

	rg_who(x->maps, r->slot, &names);
	rg_out_text(out, "frame %u: %s, %zu bytes, %s %s\n", frame->number, rg_event_flow(ev, flow),
		    frame->len, policy->rails[rail].name, rg_name_hook(x->hook));
	if (frame->wire_len > frame->len)
		rg_out_text(out,
			    "  cut by the capture, %zu bytes on the wire: lengths will not fit\n",
			    frame->wire_len);
	rg_out_text(out, "  verdict  %s (mode %s)\n", verdict_name(r), rg_name_mode(r->mode));
	rg_out_text(out, "  sender   %s\n", rg_who_text(&names, who));
	rg_explain_rule(policy, rail, ev, r, rule);
	if (r->reason == RG_REASON_PASS) {
		rg_out_text(out, "  rule     %s\n", rule);
		return;
	}
	rg_out_text(out, "  reason   %s: %s\n", rg_reason_label(r->reason),
		    rg_reason_meaning(r->reason));
	rg_out_text(out, "  rule     %s: %s\n", rg_explain_step(r->reason), rule);
	rg_out_text(out, "  remedy   %s\n", rg_reason_remedy(r->reason));
}

static void print_record(const struct explanation *x, const struct rg_frame *frame,
			 const struct rg_event *ev, unsigned int rail,
			 const struct rg_explain_result *r)
{
	const struct rg_policy *policy = rg_explain_policy(x->ex);
	char flow[RG_FLOW_SIZE], rule[RG_RULE_SIZE];
	struct rg_out *out = x->ctl->out;
	struct rg_event_names names;

	if (!rg_out_is_json(out))
		return;
	rg_who(x->maps, r->slot, &names);
	rg_out_record(out);
	rg_out_u64(out, "frame", NULL, frame->number, NULL);
	rg_out_str(out, "flow", NULL, rg_event_flow(ev, flow));
	rg_out_u64(out, "bytes", NULL, frame->len, NULL);
	rg_out_bool(out, "cut", NULL, frame->wire_len > frame->len);
	rg_out_str(out, "rail", NULL, policy->rails[rail].name);
	rg_out_str(out, "hook", NULL, rg_name_hook(x->hook));
	rg_out_bool(out, "passed", NULL, r->passed);
	rg_out_str(out, "mode", NULL, rg_name_mode(r->mode));
	rg_out_str(out, "reason", NULL, rg_reason_label(r->reason));
	rg_out_u64(out, "reason_number", NULL, r->reason, NULL);
	rg_out_str(out, "class", NULL, class_name(&r->tx));
	rg_out_str(out, "namespace", NULL, names.pod_namespace);
	rg_out_str(out, "pod", NULL, names.pod_name);
	rg_out_str(out, "ifname", NULL, names.ifname);
	rg_out_u64(out, "slot", NULL, r->slot, NULL);
	rg_out_str(out, "rule", NULL, rg_explain_rule(policy, rail, ev, r, rule));
	rg_out_record_end(out);
}

/* Run a frame on the rail given, or on the one that knows its source MAC. */
static int judge(const struct explanation *x, const struct rg_frame *frame, unsigned int *ret_rail,
		 struct rg_explain_result *ret, struct rg_err *err)
{
	const struct rg_policy *policy = rg_explain_policy(x->ex);
	unsigned int rail;
	int r;

	if (x->rail >= 0) {
		*ret_rail = (unsigned int)x->rail;
		return rg_explain_run(x->ex, x->hook,
				      x->hook == RG_HOOK_POD_TX ? x->slot : *ret_rail, frame->data,
				      frame->len, ret, err);
	}
	for (rail = 0; rail < RG_MAX_RAILS; rail++) {
		if (policy->rails[rail].mode == RG_MODE_NONE)
			continue;
		*ret_rail = rail;
		r = rg_explain_run(x->ex, x->hook, rail, frame->data, frame->len, ret, err);
		if (r < 0 || ret->known)
			return r;
	}
	return rg_err_set(err, -EINVAL,
			  "its source MAC is known on no rail; give the rail with --rail");
}

static int explain_frame(const struct rg_frame *frame, void *arg, struct rg_err *err)
{
	struct explanation *x = arg;
	struct rg_explain_result result;
	struct rg_event ev;
	unsigned int rail = 0;
	int r;

	r = judge(x, frame, &rail, &result, err);
	if (r < 0)
		return rg_err_ctx(err, r, "frame %u", frame->number);
	rg_event_of_frame(frame->data, frame->len, &ev);
	print_text(x, frame, &ev, rail, &result);
	print_record(x, frame, &ev, rail, &result);
	x->dropped += !result.passed;
	return 0;
}

static int choose_rail(struct explanation *x, const char *name)
{
	const struct rg_policy *policy = rg_explain_policy(x->ex);
	unsigned int i, n = 0;

	if (name) {
		x->rail = rg_policy_rail_number(policy, name);
		if (x->rail < 0)
			return rg_err_set(&x->ctl->err, -ENOENT,
					  "there is no rail \"%s\" in the policy in force", name);
		return 0;
	}
	x->rail = -1;
	for (i = 0; i < RG_MAX_RAILS; i++) {
		if (policy->rails[i].mode == RG_MODE_NONE)
			continue;
		x->rail = (int)i;
		n++;
	}
	if (n != 1)
		x->rail = -1;
	return 0;
}

struct pod_search {
	const struct explanation *x;
	struct rg_event_filter filter;
	uint32_t slot;
	uint32_t flags;
	uint8_t rail;
	unsigned int n;
};

static int match_pod(uint32_t slot, const struct rg_endpoint *e, void *arg)
{
	static const struct rg_event no_event;
	struct pod_search *s = arg;
	struct rg_event_names names;

	rg_who(s->x->maps, slot, &names);
	if (slot < RG_SLOT_FIRST_POD || (s->x->rail >= 0 && e->rail != s->x->rail) ||
	    !rg_event_wanted(&s->filter, &no_event, &names))
		return 0;
	s->slot = slot;
	s->flags = e->flags;
	s->rail = e->rail;
	s->n++;
	return 0;
}

static int choose_pod(struct explanation *x, const char *pod)
{
	struct pod_search s = {.x = x, .filter = {.reason = -1, .pod = pod}};
	int r;

	x->hook = RG_HOOK_RAIL_TX;
	if (!pod)
		return 0;
	r = rg_endpoints_each(x->maps, match_pod, &s);
	if (r < 0)
		return rg_err_errno(&x->ctl->err, r, "cannot look for pod \"%s\"", pod);
	if (s.n != 1)
		return rg_err_set(
			&x->ctl->err, -ENOENT,
			"%u interfaces of \"%s\" are on %s; give NAMESPACE/POD and --rail", s.n,
			pod, x->rail >= 0 ? "this rail" : "rails");
	/* What a macvlan pod sends is judged at the rail's hook, by its MAC. */
	if (!(s.flags & RG_IDENT_SHARED))
		x->hook = RG_HOOK_POD_TX;
	x->slot = s.slot;
	x->rail = s.rail;
	return 0;
}

static void explanation_done(struct explanation *x)
{
	rg_explain_close(x->ex);
	rg_maps_free(x->maps);
}

static int open_all(struct explanation *x, const char *rail, const char *pod)
{
	struct rg_err *err = &x->ctl->err;
	int r;

	r = rg_maps_open(x->ctl->pin_dir, &x->maps, err);
	if (r == 0)
		r = rg_explain_open(x->maps, &x->ex, err);
	if (r == 0)
		r = choose_rail(x, rail);
	if (r == 0)
		r = choose_pod(x, pod);
	return r;
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	_cleanup_(explanation_done) struct explanation x = {.ctl = ctl};
	int r, same;

	if (argc != 1)
		return rg_ctl_usage_error(ctl, "explain: give one file, \"-\" or frame");
	r = open_all(&x, values[0], values[1]);
	if (r < 0)
		return r;
	same = rg_explain_same(ctl->pin_dir, x.ex, x.hook);
	if (same <= 0)
		rg_out_text(ctl->out,
			    "Note: the program in force is of another build than railctl; "
			    "it may judge otherwise.\n");
	rg_out_bool(ctl->out, "same_program", NULL, same > 0);
	rg_out_list(ctl->out, "frames", NULL);
	r = rg_frames_read(argv[0], explain_frame, &x, &ctl->err);
	rg_out_list_end(ctl->out, NULL);
	if (r < 0)
		return r;
	return x.dropped ? RG_EXIT_NOTICE : RG_EXIT_OK;
}

static const struct rg_opt opts[] = {
	{"rail", 'r', "RAIL", "rail that the frames leave by"},
	{"pod", 'p', "[NS/]POD", "judge as this pod's, at the hook that judges its frames"},
	{0},
};

const struct rg_cmd rg_cmd_explain = {
	.name = "explain",
	.args = "FILE|HEX|-",
	.summary = "say what the policy in force does with frames, and which rule decides",
	.help = "FILE is a pcap or pcapng capture of Ethernet frames, or text with one frame a\n"
		"line in hexadecimal. The frames run through the BPF programs on a copy of the\n"
		"policy: nothing is sent, and no counter moves.\n\n"
		"Without --rail the only rail is meant, or the one that knows the source MAC.\n"
		"Whether a socket or the RDMA stack made a packet (kernelRoce) is not in a frame;\n"
		"it is judged as if the RDMA stack had made it.\n\n"
		"Exit code: 0 all frames pass, 3 at least one is dropped.\n\n"
		"Examples:\n"
		"  tcpdump -i eth2 -c 10 -w /tmp/out.pcap && railctl explain /tmp/out.pcap\n"
		"  railctl explain --rail rail0 '02 00 00 00 00 02 02 00 ...'\n"
		"  railctl explain --json out.pcap | jq '.frames[] | select(.passed | not)'\n",
	.opts = opts,
	.run = run,
};
