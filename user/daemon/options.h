/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The agent's command line and environment.
 */
#ifndef RG_DAEMON_OPTIONS_H
#define RG_DAEMON_OPTIONS_H

#include <stdbool.h>

#include "base/log.h"

/**
 * struct rg_options - where everything is and how to log
 * @config: configuration file
 * @state_dir: records of attachments
 * @pin_dir: the railgate folder in a bpffs
 * @run_dir: sockets and locks
 * @log_level: least urgent level that is logged
 * @log_json: log JSON lines
 * @check_config: only check the configuration
 */
struct rg_options {
	const char *config;
	const char *state_dir;
	const char *pin_dir;
	const char *run_dir;
	enum rg_log_level log_level;
	bool log_json;
	bool check_config;
};

/**
 * rg_options_parse() - read the command line; the environment stands in for what it leaves out
 * @argc: arguments
 * @argv: arguments
 * @ret: options
 * @ret_status: exit status if there is nothing more to do
 *
 * Prints help, version and complaints itself.
 *
 * Return: true to go on, false to exit
 */
bool rg_options_parse(int argc, char **argv, struct rg_options *ret, int *ret_status);

#endif /* RG_DAEMON_OPTIONS_H */
