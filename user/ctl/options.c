// SPDX-License-Identifier: Apache-2.0
/*
 * Command lines and help texts from the tables of commands and options.
 */
#include <getopt.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "conf/conf.h"
#include "options.h"

#include <railgate/abi.h>

/* getopt_long() values: global options by number, the command's own behind them. */
enum {
	OPT_CONFIG = 256,
	OPT_STATE_DIR,
	OPT_PIN_DIR,
	OPT_RUN_DIR,
	OPT_JSON,
	OPT_HELP,
	OPT_VERSION,
	OPT_OWN,
};

static const struct {
	struct rg_opt opt;
	int id;
} globals[] = {
	{{"config", 'c', "FILE", "configuration (" RG_CONF_PATH_DEFAULT ")"}, OPT_CONFIG},
	{{"state-dir", 0, "DIR", "state of attachments (" RG_STATE_DIR_DEFAULT ")"}, OPT_STATE_DIR},
	{{"pin-dir", 0, "DIR", "pinned maps and programs (" RG_PIN_DIR_DEFAULT ")"}, OPT_PIN_DIR},
	{{"run-dir", 0, "DIR", "the agent's sockets (" RG_RUN_DIR_DEFAULT ")"}, OPT_RUN_DIR},
	{{"json", 'j', NULL, "print JSON"}, OPT_JSON},
	{{"help", 'h', NULL, "print help"}, OPT_HELP},
	{{"version", 'V', NULL, "print the version"}, OPT_VERSION},
};

#define MAX_OPTS (ARRAY_SIZE(globals) + RG_CTL_MAX_OPTS)

/* Tables for getopt_long(): the long options, and the letters with their colons. */
struct parser {
	struct option longs[MAX_OPTS + 1];
	char letters[2 * MAX_OPTS + 2];
	char own[RG_CTL_MAX_OPTS];
	size_t n;
};

static void parser_add(struct parser *p, const struct rg_opt *opt, int id)
{
	size_t len = strlen(p->letters);

	p->longs[p->n++] = (struct option){
		.name = opt->name,
		.has_arg = opt->value ? required_argument : no_argument,
		.val = id,
	};
	if (opt->letter)
		(void)rg_str_format(p->letters + len, sizeof(p->letters) - len, "%c%s", opt->letter,
				    opt->value ? ":" : "");
}

static void parser_init(struct parser *p, const struct rg_opt *own, const char *prefix)
{
	size_t i;

	memset(p, 0, sizeof(*p));
	(void)rg_str_copy(p->letters, sizeof(p->letters), prefix);
	for (i = 0; i < ARRAY_SIZE(globals); i++)
		parser_add(p, &globals[i].opt, globals[i].id);
	for (i = 0; own && own[i].name && i < RG_CTL_MAX_OPTS; i++) {
		p->own[i] = own[i].letter;
		parser_add(p, &own[i], OPT_OWN + (int)i);
	}
}

/* A letter stands for the option of its table. */
static int option_id(const struct parser *p, int c)
{
	size_t i;

	if (c >= OPT_CONFIG)
		return c;
	for (i = 0; i < ARRAY_SIZE(globals); i++)
		if (globals[i].opt.letter == c)
			return globals[i].id;
	for (i = 0; i < RG_CTL_MAX_OPTS; i++)
		if (p->own[i] == c)
			return OPT_OWN + (int)i;
	return -1;
}

static enum rg_parse parse(struct rg_ctl *ctl, const struct parser *p, int argc, char **argv,
			   const char **values)
{
	int c;

	optind = 0; /* a second parse in one process; glibc starts anew */
	while ((c = getopt_long(argc, argv, p->letters, p->longs, NULL)) != -1) {
		int id = c == '?' ? -1 : option_id(p, c);

		switch (id) {
		case -1:
			return RG_PARSE_WRONG;
		case OPT_CONFIG:
			ctl->conf_path = optarg;
			break;
		case OPT_STATE_DIR:
			ctl->state_dir = optarg;
			break;
		case OPT_PIN_DIR:
			ctl->pin_dir = optarg;
			break;
		case OPT_RUN_DIR:
			ctl->run_dir = optarg;
			break;
		case OPT_JSON:
			ctl->json = true;
			break;
		case OPT_HELP:
			return RG_PARSE_HELP;
		case OPT_VERSION:
			return RG_PARSE_VERSION;
		default:
			values[id - OPT_OWN] = optarg ? optarg : "";
		}
	}
	return RG_PARSE_RUN;
}

enum rg_parse rg_options_global(struct rg_ctl *ctl, int argc, char **argv, int *ret_used)
{
	enum rg_parse what;
	struct parser p;

	/* "+": stop at the command's name */
	parser_init(&p, NULL, "+");
	what = parse(ctl, &p, argc, argv, NULL);
	*ret_used = optind;
	return what;
}

enum rg_parse rg_options_command(struct rg_ctl *ctl, const struct rg_cmd *cmd, int argc,
				 char **argv, const char **values, int *ret_used)
{
	enum rg_parse what;
	struct parser p;

	parser_init(&p, cmd->opts, "");
	what = parse(ctl, &p, argc, argv, values);
	*ret_used = optind;
	return what;
}

static void help_option(const struct rg_opt *opt, FILE *stream)
{
	char text[64];

	(void)rg_str_format(text, sizeof(text), "--%s%s%s", opt->name, opt->value ? " " : "",
			    opt->value ? opt->value : "");
	if (opt->letter)
		(void)fprintf(stream, "  -%c, %-22s  %s\n", opt->letter, text, opt->help);
	else
		(void)fprintf(stream, "      %-22s  %s\n", text, opt->help);
}

static void help_globals(FILE *stream)
{
	size_t i;

	(void)fputs("\nGlobal options:\n", stream);
	for (i = 0; i < ARRAY_SIZE(globals); i++)
		help_option(&globals[i].opt, stream);
}

void rg_options_help(const struct rg_cmd *cmd, FILE *stream)
{
	size_t i;

	(void)fprintf(stream, "Usage: railctl %s [options]%s%s\n\n%s\n", cmd->name,
		      *cmd->args ? " " : "", cmd->args, cmd->summary);
	if (cmd->opts) {
		(void)fputs("\nOptions:\n", stream);
		for (i = 0; cmd->opts[i].name; i++)
			help_option(&cmd->opts[i], stream);
	}
	help_globals(stream);
	(void)fprintf(stream, "\n%s", cmd->help);
}

void rg_options_help_all(const struct rg_cmd *const *cmds, FILE *stream)
{
	size_t i;

	(void)fputs("Usage: railctl [options] COMMAND [options] [arguments]\n\n"
		    "Looks at and tidies up railgate: RDMA rails, their policy and their pods.\n\n"
		    "Commands:\n",
		    stream);
	for (i = 0; cmds[i]; i++)
		(void)fprintf(stream, "  %-10s %s\n", cmds[i]->name, cmds[i]->summary);
	help_globals(stream);
	(void)fputs(
		"\nRAILGATE_CONFIG, RAILGATE_STATE_DIR, RAILGATE_PIN_DIR and RAILGATE_RUN_DIR\n"
		"move the same places. \"railctl COMMAND --help\" explains a command.\n\n"
		"Exit code: 0 done, 1 failed, 2 wrong usage, 3 done and found something worth\n"
		"a look (a warning, a difference, a dropped frame), 4 doctor found a problem.\n",
		stream);
}
