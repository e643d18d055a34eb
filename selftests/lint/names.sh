#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Words that must not be there, words that must, and names that fit.

. selftests/lint/lib.sh

text=$(mktemp)
trap 'rm -f "$text"' EXIT
mapfile -t c_files < <(sources '*.c' '*.h')
code "${c_files[@]}" >"$text"

# banned WHAT FILES EXPRESSION [EXCEPT]: a search in C code without comments and strings.
banned() {
	found_lines "$1" < <(grep -E "^$2:[0-9]+:" "$text" |
		grep -E "^[^:]+:[0-9]+:(.*[^A-Za-z0-9_>.])?($3)" |
		grep -vE "^(${4:-none}):")
}

any='[^:]+'
banned 'cannot bound what it writes; use rg_str_format() or rg_str_copy()' "$any" \
	'(v?sprintf|str(cpy|cat|ncpy|ncat)|stpcpy|gets)\('
banned 'hides bad numbers; use rg_str_u64()' "$any" 'ato(i|l|ll|f)\('
banned 'runs a shell' "$any" '(system|popen)\('
banned 'not reentrant' "$any" '(strtok|inet_ntoa|asctime|ctime|gmtime|localtime|readdir_r)\('
banned 'only main() ends the program; return an error' '(user|cni)/[^:]+' 'exit\(' '.*/main\.c'
banned 'cleanup attributes and early returns do this' '(user|cni)/[^:]+' 'goto '
banned 'the library returns errors, its callers print them' \
	'user/lib/[^:]+' '(log_(err|warn|info|debug)|v?f?printf|perror|puts|fputs|syslog)\(' \
	'user/lib/base/log\.[ch]'
banned 'wait for a condition instead' 'selftests/[^:]+' '(u|nano)?sleep\('

mapfile -t shell_files < <(sources '*.sh' run)
found_lines 'wait for a condition (selftests/lib/wait.sh) instead' < <(
	grep -nHE '(^|[;&|({`]|[[:space:]](then|do|else|!))[[:space:]]*sleep[[:space:]]' \
		"${shell_files[@]}" | grep -v '^selftests/lib/wait\.sh:')

# Every file says its licence, and the right one for its folder.
while IFS= read -r file; do
	case $file in
	bpf/*.mk | */README.md | *.md | *.json | *.conflist | */corpus/* | */data/*) continue ;;
	bpf/* | headers/* | vmlinux/*) license='GPL-2\.0-only OR BSD-2-Clause' ;;
	selftests/vm/kmod/*) license='GPL-2\.0-only' ;;
	*) license='Apache-2\.0' ;;
	esac
	head -n 3 "$file" | grep -qE "SPDX-License-Identifier: $license( \*/)?$" ||
		found "$file" "no SPDX line, or not ${license//\\/}"
done < <(
	sources '*'
	ls Makefile .clang-tidy .shellcheckrc
)

word='TO''DO|FIX''ME|X''XX'
mapfile -t all_files < <(sources '*' | grep -vE '/(corpus|data)/')
found_lines 'finish it or leave it out' < <(
	grep -nHIE "(^|[^A-Za-z_.])($word)([^A-Za-z_]|$)" "${all_files[@]}")
found_lines 'white space at the end of the line' < <(grep -nHIE '[ 	]+$' "${all_files[@]}")
# too_wide COLUMNS FILE...
too_wide() {
	local columns=$1 file
	shift
	for file in "$@"; do
		expand -t 8 "$file" | grep -nE "^.{$((columns + 1)),}" | sed "s|^|$file:|" || true
	done
}
found_lines 'over 100 columns' < <(too_wide 100 "${c_files[@]}")
found_lines 'over 120 columns' < <(too_wide 120 "${shell_files[@]}")

# The kernel cuts names after 15 characters.
found_lines 'longer than 15 characters' < <(
	grep -nHoE '"rg_[a-z0-9_]{13,}"' headers/railgate/abi.h || true
	grep -rnHE --include='*.[ch]' '^} [a-z0-9_]{16,} SEC\("\.maps"\)' bpf || true
	grep -rnHE --include='*.[ch]' -A1 '^SEC\("(tc|tcx|xdp)' bpf |
		grep -E '^[^ ]+-int [a-z0-9_]{16,}\(' || true)

version=$(sed -n 's/^VERSION := //p' Makefile | tail -n 1)
grep -qE "^## ${version//./\\.}( |$)" deploy/NEWS.md ||
	found deploy/NEWS.md "no entry for version $version"
verdict
