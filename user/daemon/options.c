// SPDX-License-Identifier: Apache-2.0
/*
 * The agent's command line and environment.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include <railgate/abi.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/conf.h"
#include "daemon/options.h"

#define EXIT_USAGE 2

enum {
	OPT_STATE_DIR = 256,
	OPT_PIN_DIR,
	OPT_RUN_DIR,
	OPT_LOG_LEVEL,
	OPT_LOG_JSON,
	OPT_CHECK,
};

static const struct option longs[] = {
	{"config", required_argument, NULL, 'c'},
	{"state-dir", required_argument, NULL, OPT_STATE_DIR},
	{"pin-dir", required_argument, NULL, OPT_PIN_DIR},
	{"run-dir", required_argument, NULL, OPT_RUN_DIR},
	{"log-level", required_argument, NULL, OPT_LOG_LEVEL},
	{"log-json", no_argument, NULL, OPT_LOG_JSON},
	{"check-config", no_argument, NULL, OPT_CHECK},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static const char help[] =
	"Usage: railgated [OPTION...]\n"
	"Puts the rail policy into force, follows the rails, serves metrics.\n\n"
	"  -c, --config FILE       configuration (" RG_CONF_PATH_DEFAULT ")\n"
	"      --state-dir DIR     records of attachments (" RG_STATE_DIR_DEFAULT ")\n"
	"      --pin-dir DIR       pinned maps and programs (" RG_PIN_DIR_DEFAULT ")\n"
	"      --run-dir DIR       sockets and locks (" RG_RUN_DIR_DEFAULT ")\n"
	"      --log-level LEVEL   error, warning, info or debug (info)\n"
	"      --log-json          log one JSON object a line\n"
	"      --check-config      check the configuration and exit\n"
	"  -h, --help              print this\n"
	"  -V, --version           print the version\n\n"
	"The environment variables RAILGATE_CONFIG, RAILGATE_STATE_DIR, RAILGATE_PIN_DIR and\n"
	"RAILGATE_RUN_DIR stand in for the options of the same name.\n";

static const struct {
	const char *name;
	enum rg_log_level level;
} levels[] = {
	{"error", RG_LOG_ERR},
	{"warning", RG_LOG_WARN},
	{"info", RG_LOG_INFO},
	{"debug", RG_LOG_DEBUG},
};

static bool parse_level(const char *name, enum rg_log_level *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (rg_str_equal(name, levels[i].name)) {
			*ret = levels[i].level;
			return true;
		}
	}
	(void)fprintf(stderr,
		      "railgated: log level '%s' is not one of error, warning, info, debug\n",
		      name);
	return false;
}

/* Return: true to go on with the next option. */
static bool take(int option, struct rg_options *o, int *ret_status)
{
	*ret_status = EXIT_SUCCESS;
	switch (option) {
	case 'c':
		o->config = optarg;
		return true;
	case OPT_STATE_DIR:
		o->state_dir = optarg;
		return true;
	case OPT_PIN_DIR:
		o->pin_dir = optarg;
		return true;
	case OPT_RUN_DIR:
		o->run_dir = optarg;
		return true;
	case OPT_LOG_LEVEL:
		*ret_status = EXIT_USAGE;
		return parse_level(optarg, &o->log_level);
	case OPT_LOG_JSON:
		o->log_json = true;
		return true;
	case OPT_CHECK:
		o->check_config = true;
		return true;
	case 'h':
		(void)fputs(help, stdout);
		return false;
	case 'V':
		(void)puts("railgated " RG_VERSION);
		return false;
	default:
		(void)fputs("Try 'railgated --help'.\n", stderr);
		*ret_status = EXIT_USAGE;
		return false;
	}
}

bool rg_options_parse(int argc, char **argv, struct rg_options *ret, int *ret_status)
{
	struct rg_options o = {.log_level = RG_LOG_INFO};
	int option;

	while ((option = getopt_long(argc, argv, "c:hV", longs, NULL)) != -1)
		if (!take(option, &o, ret_status))
			return false;
	if (optind < argc) {
		(void)fprintf(stderr, "railgated: unexpected argument '%s'\n", argv[optind]);
		*ret_status = EXIT_USAGE;
		return false;
	}
	o.config = rg_conf_path(o.config, "RAILGATE_CONFIG", RG_CONF_PATH_DEFAULT);
	o.state_dir = rg_conf_path(o.state_dir, "RAILGATE_STATE_DIR", RG_STATE_DIR_DEFAULT);
	o.pin_dir = rg_conf_path(o.pin_dir, "RAILGATE_PIN_DIR", RG_PIN_DIR_DEFAULT);
	o.run_dir = rg_conf_path(o.run_dir, "RAILGATE_RUN_DIR", RG_RUN_DIR_DEFAULT);
	*ret = o;
	return true;
}
