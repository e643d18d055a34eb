#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A check that is switched off has its reason beside it: in .clang-tidy each "-check," is explained
# by a "# -check: reason" line, in cppcheck.suppress each entry by the comment above it, in the
# sources each NOLINT, cppcheck-suppress and shellcheck disable by text on or above its line.

. selftests/lint/lib.sh

while read -r check; do
	grep -qF "# $check: " .clang-tidy || found .clang-tidy "$check has no reason"
done < <(sed -nE 's/^  (-[^,]+),?$/\1/p' .clang-tidy)
while read -r check; do
	grep -qxF -e "  $check," -e "  $check" .clang-tidy ||
		found .clang-tidy "$check is explained but not excluded"
done < <(sed -nE 's/^# (-[^ :]+): .*/\1/p' .clang-tidy)

found_lines "suppressed without a reason" < <(awk '
	/^[a-zA-Z]/ && prev !~ /^\/\// && prev !~ /^[a-z]/ { print FILENAME ":" FNR ": " $0 }
	{ prev = $0 }' selftests/lint/cppcheck.suppress)

mapfile -t files < <(sources '*.c' '*.h' '*.sh' | grep -v '^selftests/lint/reasons.sh$')
found_lines "switched off without a reason" < <(awk '
	/NOLINT|cppcheck-suppress|shellcheck disable/ {
		text = $0
		sub(/.*(NOLINT|cppcheck-suppress|disable=)[A-Z0-9,]*(\([^)]*\)| [a-zA-Z]+)?/, "",
		    text)
		if (text !~ /[a-z][a-z]+ [a-z]+/ && prev !~ /^[ \t]*(#|\/\*|\*|\/\/)/)
			print FILENAME ":" FNR ": " $0
	}
	{ prev = $0 }' "${files[@]}")
verdict
