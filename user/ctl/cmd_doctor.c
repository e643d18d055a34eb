// SPDX-License-Identifier: Apache-2.0
/*
 * railctl doctor: everything that has to be right on a node, looked at without changing anything.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/conf.h"
#include "ctl.h"
#include "doctor.h"
#include "out.h"

static const struct rg_check *const groups[] = {
	rg_checks_kernel,  /* check_kernel.c */
	rg_checks_guard,   /* check_guard.c */
	rg_checks_rails,   /* check_rails.c */
	rg_checks_rdma,	   /* check_rdma.c */
	rg_checks_pci,	   /* check_pci.c */
	rg_checks_routes,  /* check_routes.c */
	rg_checks_foreign, /* check_foreign.c */
	rg_checks_node,	   /* check_node.c */
};

static const char *level_name(enum rg_level level)
{
	static const char *const names[] = {
		[RG_LEVEL_OK] = "ok",		[RG_LEVEL_INFO] = "info",
		[RG_LEVEL_SKIPPED] = "skipped", [RG_LEVEL_WARNING] = "warning",
		[RG_LEVEL_PROBLEM] = "problem",
	};

	return names[level];
}

static void print_text(struct rg_out *out, const struct rg_finding *f, bool brief)
{
	bool bad = f->level >= RG_LEVEL_WARNING;

	if (brief && !bad)
		return;
	rg_out_text(out, "%-8s %-20s %s%s%s\n", level_name(f->level), f->check, f->subject,
		    f->subject[0] ? ": " : "", f->found);
	if (!bad)
		return;
	rg_out_text(out, "%29s why:    %s\n", "", f->why);
	if (f->remedy[0])
		rg_out_text(out, "%29s remedy: %s\n", "", f->remedy);
}

static void print(struct rg_out *out, const struct rg_doctor *d, bool brief)
{
	size_t counts[RG_LEVEL_PROBLEM + 1] = {0};
	size_t i;

	rg_out_list(out, "findings", NULL);
	for (i = 0; i < d->n_findings; i++) {
		const struct rg_finding *f = &d->findings[i];

		counts[f->level]++;
		print_text(out, f, brief);
		if (!rg_out_is_json(out))
			continue;
		rg_out_record(out);
		rg_out_str(out, "check", NULL, f->check);
		rg_out_str(out, "subject", NULL, f->subject);
		rg_out_str(out, "level", NULL, level_name(f->level));
		rg_out_str(out, "found", NULL, f->found);
		rg_out_str(out, "why", NULL, f->why);
		rg_out_str(out, "remedy", NULL, f->remedy);
		rg_out_record_end(out);
	}
	rg_out_list_end(out, NULL);
	rg_out_str(out, "worst", NULL, level_name(rg_doctor_worst(d)));
	rg_out_object(out, "counts");
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		rg_out_u64(out, level_name((enum rg_level)i), NULL, counts[i], NULL);
	rg_out_object_end(out);
	rg_out_text(out, "%sproblems %zu, warnings %zu, skipped %zu, ok %zu\n",
		    d->n_findings ? "\n" : "", counts[RG_LEVEL_PROBLEM], counts[RG_LEVEL_WARNING],
		    counts[RG_LEVEL_SKIPPED], counts[RG_LEVEL_OK] + counts[RG_LEVEL_INFO]);
}

static int run(struct rg_ctl *ctl, const char *const *values, int argc, char **argv)
{
	struct rg_doctor d = {.ctl = ctl, .root = values[1] ? values[1] : ""};
	enum rg_level worst;
	size_t i;
	int r;

	if (argc)
		return rg_ctl_usage_error(ctl, "doctor: \"%s\" is too much", argv[0]);
	r = rg_doctor_gather(&d, &ctl->err);
	if (r < 0) {
		rg_doctor_done(&d);
		return r;
	}
	for (i = 0; i < ARRAY_SIZE(groups); i++)
		rg_doctor_run(&d, groups[i]);
	print(ctl->out, &d, values[0] != NULL);
	worst = rg_doctor_worst(&d);
	rg_doctor_done(&d);
	if (d.failed)
		return rg_err_errno(&ctl->err, d.failed, "cannot keep the findings");
	return worst == RG_LEVEL_PROBLEM   ? RG_EXIT_PROBLEM
	       : worst == RG_LEVEL_WARNING ? RG_EXIT_NOTICE
					   : RG_EXIT_OK;
}

static const struct rg_opt opts[] = {
	{"brief", 'b', NULL, "show warnings and problems only"},
	{"root", 0, "DIR", "look at sys, proc, etc below DIR, such as another node's copy"},
	{0},
};

const struct rg_cmd rg_cmd_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "look for what keeps rails from working, with reason and remedy",
	.help = "Looks at the kernel, the agent, every rail of the configuration, its RDMA "
		"device,\n"
		"routes, firewalls, foreign TC programs and what pods with RDMA need of the node.\n"
		"Changes nothing. Checks that cannot be made are \"skipped\" with the reason.\n\n"
		"Exit code: 0 nothing to do, 3 the worst finding is a warning, 4 a problem.\n\n"
		"Examples:\n"
		"  railctl doctor\n"
		"  railctl doctor --brief\n"
		"  railctl doctor --json | jq '.findings[] | select(.level == \"problem\")'\n",
	.opts = opts,
	.run = run,
};
