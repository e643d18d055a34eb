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

for name in "$@"; do
	seeds=$here/corpus/$name
	found=$out/corpus/$name
	mkdir -p "$found"
	tap_num "$name has seeds" "$(find "$seeds" -type f | wc -l)" -ge 5
	options=(-timeout=10 -rss_limit_mb=1024 -artifact_prefix="$out/crash-$name-")
	[ ! -f "$here/$name.dict" ] || options+=(-dict="$here/$name.dict")
	tap_run "$name holds on its seeds" "$out/fuzz_$name" "${options[@]}" -runs=0 "$seeds" "$found"
	tap_run "$name holds for $seconds s" "$out/fuzz_$name" "${options[@]}" -max_len=16384 \
		-max_total_time="$seconds" -print_final_stats=1 "$found" "$seeds"
	tap_diag "$(grep -E 'number_of_executed_units|new_units_added' <<<"$TAP_OUT" || true)"
	tap_diag "$(grep -oE 'cov: [0-9]+ ft: [0-9]+' <<<"$TAP_OUT" | tail -n 1 || true)"
done
tap_done
