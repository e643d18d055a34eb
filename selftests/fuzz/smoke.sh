#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Each fuzz target over its seeds, then for FUZZ_SECONDS; results in TAP. What libFuzzer finds on the
# way is kept in $FUZZ_OUT/corpus/<name>, a crashing input in $FUZZ_OUT/crash-<name>-*.
# Usage: smoke.sh NAME...

set -eu
. "$(dirname "$0")/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
out=${FUZZ_OUT:-build/fuzz}
seconds=${FUZZ_SECONDS:-60}
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

# Only what tells something: libFuzzer reports every input it keeps.
run() {
	local rc=0

	"$@" >"$out/log-$target" 2>&1 || rc=$?
	grep -E 'violated|ERROR|SUMMARY|runtime error|^ +#[0-9]+ .* in (rg_|LLVM|[a-z_]+ /)' \
		"$out/log-$target" | head -n 30 || true
	grep -E 'Test unit written' "$out/log-$target" || true
	return "$rc"
}

for target in "$@"; do
	seeds=$here/corpus/$target
	found=$out/corpus/$target
	mkdir -p "$found"
	tap_num "$target has seeds" "$(find "$seeds" -type f | wc -l)" -ge 5
	options=(-timeout=10 -rss_limit_mb=1024 -artifact_prefix="$out/crash-$target-")
	[ ! -f "$here/$target.dict" ] || options+=(-dict="$here/$target.dict")
	tap_run "$target holds on its seeds" run "$out/fuzz_$target" "${options[@]}" -runs=0 "$seeds" "$found"
	tap_run "$target holds for $seconds s" run "$out/fuzz_$target" "${options[@]}" -max_len=16384 \
		-max_total_time="$seconds" -print_final_stats=1 "$found" "$seeds"
	tap_diag "$(grep -E 'number_of_executed|new_units_added' "$out/log-$target" || true)"
	tap_diag "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' "$out/log-$target" | tail -n 1 || true)"
done
tap_done
