#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Files of at most 400 lines, functions of at most 60, BPF entry points of at most 40.
# size.allow lists what may be longer: "FILE MAX reason" or "FILE:FUNCTION MAX reason". An entry
# that is no longer needed is a finding too, so that the list only shrinks.

. selftests/lint/lib.sh

declare -A allowed used
while read -r what max reason; do
	case $what in '' | '#'*) continue ;; esac
	[ -n "$reason" ] || found "selftests/lint/size.allow" "$what has no reason"
	allowed[$what]=$max
done <selftests/lint/size.allow

check() { # check WHAT LINES LIMIT
	local what=$1 lines=$2 limit=$3
	[ "$lines" -gt "$limit" ] || return 0
	if [ "$lines" -le "${allowed[$what]:-0}" ]; then
		used[$what]=1
	else
		found "$what" "$lines lines, at most ${allowed[$what]:-$limit} allowed"
	fi
}

mapfile -t files < <(sources '*.c' '*.h' '*.sh' '*.py' '*.mk' '*.awk')
for file in "${files[@]}" .ci/run Makefile; do
	[ -f "$file" ] || continue
	check "$file" "$(wc -l <"$file")" 400
done

# A function of C or shell begins with its opening brace and ends with a brace in the first column.
while read -r file name lines limit; do
	check "$file:$name" "$lines" "$limit"
done < <(awk '
	FNR == 1 { prev = ""; entry = 0; start = 0 }
	/^SEC\("(tc|tcx|xdp)/ { entry = FNR }
	/^[A-Za-z_].*\(/ { head = $0 }
	FILENAME ~ /\.sh$/ && /^[a-z_0-9]+\(\) *[{(]/ {
		start = FNR
		name = $0
		sub(/\(.*/, "", name)
	}
	FILENAME ~ /\.[ch]$/ && /^\{$/ {
		start = FNR
		name = head
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
	}
	start && /^[})]/ {
		limit = (entry && start - entry < 6) ? 40 : 60
		print FILENAME, name, FNR - start - 1, limit
		start = 0
		entry = 0
	}' "${files[@]}")

for what in "${!allowed[@]}"; do
	[ -n "${used[$what]:-}" ] || found selftests/lint/size.allow "$what is not needed any more"
done
verdict
