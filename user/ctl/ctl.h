/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all commands of the tool share: places, the output, the command table's type, exit codes.
 */
#ifndef RG_CTL_CTL_H
#define RG_CTL_CTL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct rg_out;

/* Exit codes, documented in railctl(8). Commands return them, or -errno with ctl->err set. */
enum rg_exit {
	RG_EXIT_OK = 0,
	RG_EXIT_FAILURE = 1,
	RG_EXIT_USAGE = 2,
	RG_EXIT_NOTICE = 3,  /* the answer is "not quite": warnings, differences, dropped frames */
	RG_EXIT_PROBLEM = 4, /* doctor found something that does not work */
};

/**
 * struct rg_ctl - one call of the tool
 * @conf_path: configuration file
 * @state_dir: state of attachments
 * @pin_dir: the railgate folder in a bpffs
 * @run_dir: the agent's sockets
 * @json: JSON instead of text
 * @out: output, opened by main() before the command runs
 * @err: sentence of a failure
 */
struct rg_ctl {
	const char *conf_path;
	const char *state_dir;
	const char *pin_dir;
	const char *run_dir;
	bool json;
	struct rg_out *out;
	struct rg_err err;
};

/**
 * struct rg_opt - one option of a command
 * @name: long name
 * @letter: short name, 0 for none
 * @value: what stands for its value in the help, NULL if it takes none
 * @help: what it does
 */
struct rg_opt {
	const char *name;
	char letter;
	const char *value;
	const char *help;
};

/**
 * struct rg_cmd - one command
 * @name: name
 * @args: its arguments, for the help
 * @summary: one line
 * @help: paragraphs and examples below the options
 * @opts: its own options, ended by one without a name; NULL for none
 * @run: does it; @values holds for each of @opts the value given ("" for one that takes none),
 *       NULL if not given. Returns an exit code, or -errno with ctl->err set.
 */
struct rg_cmd {
	const char *name;
	const char *args;
	const char *summary;
	const char *help;
	const struct rg_opt *opts;
	int (*run)(struct rg_ctl *ctl, const char *const *values, int argc, char **argv);
};

#define RG_CTL_MAX_OPTS 16

/**
 * rg_ctl_usage_error() - say that the command line is wrong
 * @ctl: call
 * @fmt: sentence
 *
 * Return: RG_EXIT_USAGE
 */
int rg_ctl_usage_error(struct rg_ctl *ctl, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

extern const struct rg_cmd rg_cmd_show;
extern const struct rg_cmd rg_cmd_watch;
extern const struct rg_cmd rg_cmd_policy;
extern const struct rg_cmd rg_cmd_explain;
extern const struct rg_cmd rg_cmd_doctor;
extern const struct rg_cmd rg_cmd_gc;
extern const struct rg_cmd rg_cmd_cleanup;

#endif /* RG_CTL_CTL_H */
