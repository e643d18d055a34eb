// SPDX-License-Identifier: Apache-2.0
/*
 * What others do to the rails' packets: TC programs, firewall rules.
 */
#define _GNU_SOURCE /* memmem, strchrnul */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/str.h"
#include "bpf/chain.h"
#include "conf/conf.h"
#include "ctl.h"
#include "doctor.h"
#include "run.h"
#include "topo/rails.h"

#define FIREWALL_TIMEOUT_MS 5000
#define FIREWALL_MAX	    (16u << 20)
#define ROCE_PORT	    "4791"

static void look_at_chain(struct rg_doctor *d, size_t i, bool egress)
{
	_cleanup_free_ struct rg_chain_prog *progs = NULL;
	const char *name = d->conf->rails[i].name, *side = egress ? "egress" : "ingress";
	const char *netdev = d->rails[i].link.name;
	struct rg_err err = {0};
	bool behind = false;
	char remedy[96];
	size_t n, k;

	if (rg_chain_list(d->ctl->pin_dir, d->rails[i].link.ifindex, egress, &progs, &n, &err) <
	    0) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, name, NULL, "%s: %s", side, err.msg);
		return;
	}
	(void)rg_str_format(remedy, sizeof(remedy),
			    "find its owner with bpftool net show dev %s (TCX: bpftool 7.3)",
			    netdev);
	for (k = 0; k < n; k++) {
		behind |= progs[k].ours;
		if (progs[k].ours)
			continue;
		rg_doctor_report(d, behind ? RG_LEVEL_INFO : RG_LEVEL_WARNING, name, remedy,
				 "%s of %s: foreign %s \"%s\"%s", side, netdev,
				 progs[k].tcx ? "TCX program" : "filter", progs[k].name,
				 behind ? " behind railgate's program"
					: ", not behind railgate's program");
	}
}

static void check_tc(struct rg_doctor *d)
{
	size_t i, before = d->n_findings;

	for (i = 0; i < d->n_rails; i++) {
		if (!d->rails[i].present)
			continue;
		look_at_chain(d, i, true);
		look_at_chain(d, i, false);
	}
	if (d->n_findings == before)
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "no foreign TC program on a rail");
}

/* Whether a line names the port as a number of its own. */
static bool names_port(const char *line, size_t len)
{
	const char *at = line, *end = line + len;

	while ((at = memmem(at, (size_t)(end - at), ROCE_PORT, strlen(ROCE_PORT)))) {
		const char *behind = at + strlen(ROCE_PORT);

		if ((at == line || !isalnum((unsigned char)at[-1])) &&
		    (behind == end || !isalnum((unsigned char)*behind)))
			return true;
		at = behind;
	}
	return false;
}

static void judge_ruleset(struct rg_doctor *d, const char *tool, const char *text)
{
	while (*text) {
		const char *end = strchrnul(text, '\n');
		size_t len;

		text += strspn(text, " \t");
		len = end > text ? (size_t)(end - text) : 0;
		if (names_port(text, len))
			rg_doctor_report(d, RG_LEVEL_WARNING, NULL,
					 "make sure that the rule does not drop or change RoCE on "
					 "rails",
					 "%s has \"%.*s\"", tool, (int)(len < 200 ? len : 200),
					 text);
		text = *end ? end + 1 : end;
	}
}

/* Returns whether the rules could be looked at. */
static bool look_at_firewall(struct rg_doctor *d, const char *const *argv)
{
	struct rg_run run = {
		.argv = argv,
		.timeout_ms = FIREWALL_TIMEOUT_MS,
		.max = FIREWALL_MAX,
	};
	_cleanup_free_ char *text = NULL;
	int r;

	r = rg_run(&run, &text);
	if (r == -ENOENT)
		return false;
	if (r) {
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL, "%s failed: %s", argv[0],
				 r < 0 ? strerror(-r) : "see its own message");
		return false;
	}
	judge_ruleset(d, argv[0], text);
	return true;
}

static void check_firewall(struct rg_doctor *d)
{
	static const char *const nft[] = {"nft", "--stateless", "list", "ruleset", NULL};
	static const char *const v4[] = {"iptables-legacy-save", NULL};
	static const char *const v6[] = {"ip6tables-legacy-save", NULL};
	size_t before = d->n_findings;
	bool seen, legacy;
	char table[32];

	seen = look_at_firewall(d, nft);
	/* Asking for legacy tables would make them: only if there are some. */
	legacy = rg_doctor_read(d, table, sizeof(table), "/proc/net/ip_tables_names") == 0;
	if (legacy && table[0])
		seen |= look_at_firewall(d, v4);
	if (rg_doctor_read(d, table, sizeof(table), "/proc/net/ip6_tables_names") == 0 && table[0])
		seen |= look_at_firewall(d, v6);
	if (d->n_findings != before)
		return;
	if (seen)
		rg_doctor_report(d, RG_LEVEL_OK, NULL, NULL, "no firewall rule names port %s",
				 ROCE_PORT);
	else
		rg_doctor_report(d, RG_LEVEL_SKIPPED, NULL, NULL,
				 "nft is not installed and there are no legacy tables");
}

const struct rg_check rg_checks_foreign[] = {
	{"foreign.tc",
	 "a program in front can hide packets from railgate, one behind can drop what passed", true,
	 check_tc},
	{"foreign.firewall", "soft-RoCE passes the firewall, and a rule for its port breaks it",
	 true, check_firewall},
	{0},
};
