// SPDX-License-Identifier: Apache-2.0
/*
 * railctl: command table and dispatch. Each command has a file of its own, cmd_<name>.c.
 */
#include <errno.h>
#include <railgate/abi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "bpf/diag.h"
#include "conf/conf.h"
#include "ctl.h"
#include "options.h"
#include "out.h"

static const struct rg_cmd *const commands[] = {
	&rg_cmd_show,	 /* cmd_show.c */
	&rg_cmd_watch,	 /* cmd_watch.c */
	&rg_cmd_policy,	 /* cmd_policy.c */
	&rg_cmd_explain, /* cmd_explain.c */
	&rg_cmd_doctor,	 /* cmd_doctor.c */
	&rg_cmd_gc,	 /* cmd_gc.c */
	&rg_cmd_cleanup, /* cmd_cleanup.c */
	NULL,
};

static const struct rg_cmd *find_command(const char *name)
{
	size_t i;

	for (i = 0; commands[i]; i++)
		if (rg_str_equal(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static void resolve_places(struct rg_ctl *ctl)
{
	ctl->conf_path = rg_conf_path(ctl->conf_path, "RAILGATE_CONFIG", RG_CONF_PATH_DEFAULT);
	ctl->state_dir = rg_conf_path(ctl->state_dir, "RAILGATE_STATE_DIR", RG_STATE_DIR_DEFAULT);
	ctl->pin_dir = rg_conf_path(ctl->pin_dir, "RAILGATE_PIN_DIR", RG_PIN_DIR_DEFAULT);
	ctl->run_dir = rg_conf_path(ctl->run_dir, "RAILGATE_RUN_DIR", RG_RUN_DIR_DEFAULT);
}

static int run(struct rg_ctl *ctl, const struct rg_cmd *cmd, const char *const *values, int argc,
	       char **argv)
{
	int r, printed;

	ctl->out = rg_out_open(stdout, ctl->json);
	if (!ctl->out) {
		(void)fputs("railctl: out of memory\n", stderr);
		return RG_EXIT_FAILURE;
	}
	r = cmd->run(ctl, values, argc, argv);
	if (r < 0)
		(void)fprintf(stderr, "railctl: %s\n", ctl->err.msg);
	/* A document that was not finished would look like an answer. */
	if (r < 0 || r == RG_EXIT_USAGE)
		rg_out_discard(ctl->out);
	printed = rg_out_close(ctl->out);
	if (r < 0)
		return RG_EXIT_FAILURE;
	/* The reader of a pipe went away: nothing to complain about. */
	if (printed < 0 && printed != -EPIPE) {
		(void)fprintf(stderr, "railctl: cannot print: %s\n", strerror(-printed));
		return RG_EXIT_FAILURE;
	}
	return r;
}

static int dispatch(struct rg_ctl *ctl, int argc, char **argv)
{
	const char *values[RG_CTL_MAX_OPTS] = {NULL};
	const struct rg_cmd *cmd;
	int used;

	cmd = find_command(argv[0]);
	if (!cmd)
		return rg_ctl_usage_error(ctl, "there is no command \"%s\"", argv[0]);
	switch (rg_options_command(ctl, cmd, argc, argv, values, &used)) {
	case RG_PARSE_HELP:
		rg_options_help(cmd, stdout);
		return RG_EXIT_OK;
	case RG_PARSE_VERSION:
		(void)printf("railctl %s, ABI %d\n", RG_VERSION, RG_ABI);
		return RG_EXIT_OK;
	case RG_PARSE_WRONG:
		return rg_ctl_usage_error(ctl, "%s: wrong option", cmd->name);
	case RG_PARSE_RUN:
		break;
	}
	resolve_places(ctl);
	return run(ctl, cmd, values, argc - used, argv + used);
}

int main(int argc, char **argv)
{
	struct rg_ctl ctl = {0};
	int used;

	rg_log_setup(RG_LOG_WARN, false);
	rg_bpf_messages(NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	switch (rg_options_global(&ctl, argc, argv, &used)) {
	case RG_PARSE_HELP:
		rg_options_help_all(commands, stdout);
		return RG_EXIT_OK;
	case RG_PARSE_VERSION:
		(void)printf("railctl %s, ABI %d\n", RG_VERSION, RG_ABI);
		return RG_EXIT_OK;
	case RG_PARSE_WRONG:
		return rg_ctl_usage_error(&ctl, "wrong option");
	case RG_PARSE_RUN:
		break;
	}
	if (used == argc) {
		rg_options_help_all(commands, stderr);
		return RG_EXIT_USAGE;
	}
	return dispatch(&ctl, argc - used, argv + used);
}
