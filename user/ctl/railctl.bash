# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Completion of railctl for bash. Commands and options come from its own help, so that they need no
# list here.

_railctl() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word command=''
	local IFS=$' \t\n'

	COMPREPLY=()
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in
		show | watch | policy | explain | doctor | gc | cleanup) command=$word && break ;;
		esac
	done
	case $prev in
	-c | --config | --plugin) mapfile -t COMPREPLY < <(compgen -f -- "$cur") && return ;;
	--state-dir | --pin-dir | --run-dir | --root)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur") && return
		;;
	-r | --rail)
		mapfile -t COMPREPLY < <(compgen -W "$(_railctl_rails)" -- "$cur") && return
		;;
	esac
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(railctl ${command:+"$command"} --help 2>/dev/null |
			sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p')" -- "$cur")
	elif [ -z "$command" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(railctl --help 2>/dev/null |
			sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')" -- "$cur")
	elif [ "$command" = show ]; then
		mapfile -t COMPREPLY < <(compgen -W "rails endpoints drops" -- "$cur")
	elif [ "$command" = explain ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}

_railctl_rails() {
	railctl show rails --json 2>/dev/null | sed -n 's/^      "name": *"\(.*\)",*/\1/p'
}

complete -F _railctl railctl
