/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines and help texts from the tables of commands and options.
 */
#ifndef RG_CTL_OPTIONS_H
#define RG_CTL_OPTIONS_H

#include <stdio.h>

#include "ctl.h"

/* What parsing asks for. */
enum rg_parse {
	RG_PARSE_RUN,
	RG_PARSE_HELP,
	RG_PARSE_VERSION,
	RG_PARSE_WRONG,
};

/**
 * rg_options_global() - read the options in front of the command
 * @ctl: destination of their values
 * @argc: arguments
 * @argv: arguments, the program's name first
 * @ret_used: index of the command's name in @argv
 *
 * Return: what to do
 */
enum rg_parse rg_options_global(struct rg_ctl *ctl, int argc, char **argv, int *ret_used);

/**
 * rg_options_command() - read the options of a command, global ones among them
 * @ctl: destination of global options
 * @cmd: command
 * @argc: arguments from the command's name on
 * @argv: arguments; reordered so that the others stand last
 * @values: destination of the command's own, in the order of cmd->opts
 * @ret_used: index in @argv of the first argument that is no option
 *
 * Return: what to do
 */
enum rg_parse rg_options_command(struct rg_ctl *ctl, const struct rg_cmd *cmd, int argc,
				 char **argv, const char **values, int *ret_used);

/**
 * rg_options_help() - print the help of a command
 * @cmd: command
 * @stream: where
 */
void rg_options_help(const struct rg_cmd *cmd, FILE *stream);

/**
 * rg_options_help_all() - print the list of commands and the global options
 * @cmds: commands, ended by NULL
 * @stream: where
 */
void rg_options_help_all(const struct rg_cmd *const *cmds, FILE *stream);

#endif /* RG_CTL_OPTIONS_H */
