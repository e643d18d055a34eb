#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every function that the library exports is called rg_... and has a kernel-doc comment.
# Usage: symbols.sh LIBRARY

. selftests/lint/lib.sh

mapfile -t docs < <(sources '*.c' '*.h' | grep '^user/lib/')
while read -r name; do
	case $name in
	rg_*) ;;
	*) found "$1" "$name is exported without the prefix rg_" ;;
	esac
	grep -qE "^ \* ${name}\(\) - " "${docs[@]}" ||
		found "$1" "$name has no kernel-doc comment (\" * $name() - ...\")"
done < <(nm -g --defined-only "$1" | awk '$2 == "T" { print $3 }' | sort -u)
verdict
