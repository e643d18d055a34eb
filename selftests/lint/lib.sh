# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Shared by the lints: the list of our files, and how a finding is printed and counted.

set -eu
LC_ALL=C
export LC_ALL
findings=0

# sources PATTERN...: our files whose names match one of the patterns.
sources() {
	local args=() p
	for p in "$@"; do
		args+=(-o -name "$p")
	done
	find bpf cni deploy demo headers selftests user vmlinux .ci -type f \
		\( "${args[@]:1}" \) 2>/dev/null | sort
}

# found WHERE WHAT: report one finding.
found() {
	printf '%s: %s\n' "$1" "$2" >&2
	findings=$((findings + 1))
}

# found_lines WHAT: report each "file:line: text" of standard input.
found_lines() {
	local line
	while IFS= read -r line; do
		found "$line" "$1"
	done
}

# code FILE...: C sources as "file:line:text" with comments and the contents of strings blanked.
code() {
	awk -f selftests/lint/code.awk "$@"
}

# verdict: end the lint.
verdict() {
	[ "$findings" -eq 0 ] || exit 1
}
