#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Run rings of tests and add up their results.
#
#   run.sh [--list] [RING[/NAME]...]        rings: unit bpf netns vm
#
#   unit   build/unit/test_*                cmocka programs
#   bpf    build/selftests/bpf/test_*       packets through the loaded programs
#   netns  selftests/netns/t_*.sh           the real programs in private namespaces
#   vm     selftests/vm/t_*.sh              the same inside a virtual machine
#
# A test prints TAP and has failed if a line says so, if it exits with another status than 0, or
# if it prints no plan. Comments in its first lines set limits: "# timeout: SECONDS" and, in the vm
# ring, "# kernel: KIND..." for the kernels it runs on, one after the other. Logs stay in
# build/selftests/log. The last line is
# "N passed, N failed, N skipped"; the exit status is 1 if anything failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
export RG_BUILD=${RG_BUILD:-$here/../build}
jobs=${RG_JOBS:-$(nproc)}
logs=$RG_BUILD/selftests/log
default_limit=180

# header FILE KEY: value of a "# key: value" comment
header() {
	sed -n "1,20s/^# $2: *//p" "$1" | head -n 1
}

# tests_of RING: the ring's tests, one path a line, in the vm ring with "@" and the kernel
tests_of() {
	local ring=$1 file kernel

	case $1 in
	unit) set -- "$RG_BUILD"/unit/test_* ;;
	bpf) set -- "$RG_BUILD"/selftests/bpf/test_* ;;
	netns) set -- "$here"/netns/t_*.sh ;;
	vm) set -- "$here"/vm/t_*.sh ;;
	*)
		echo "run.sh: no ring is called $1; there are unit, bpf, netns and vm" >&2
		exit 2
		;;
	esac
	for file in "$@"; do
		if [ ! -f "$file" ] || [ ! -x "$file" ]; then
			continue
		elif [ "$ring" = vm ]; then
			for kernel in $(header "$file" kernel); do
				echo "$file@$kernel"
			done
		else
			echo "$file"
		fi
	done
}

# name_of FILE: what a test is called
name_of() {
	basename "$1" | sed 's/\.sh\(@\|$\)/\1/'
}

# start RING FILE: run one test with its limit, output to standard output
start() {
	local limit

	limit=$(header "${2%@*}" timeout)
	limit=${RG_TIMEOUT:-${limit:-$default_limit}}
	case $1 in
	unit | bpf)
		CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 10 "${RG_TIMEOUT:-900}" "$2"
		;;
	vm)
		timeout -k 20 $((limit + 60)) "$here/vm/run.sh" --kernel "${2##*@}" \
			--timeout "$limit" "${2%@*}"
		;;
	*) timeout -k 10 "$limit" "$2" ;;
	esac
}

# run_one RING FILE: run a test, leave its log, counts and time in $logs
run_one() {
	local name base began rc=0 seconds passed failed skipped reasons

	name=$1/$(name_of "$2")
	base=$logs/$name
	mkdir -p "$(dirname "$base")"
	began=$EPOCHREALTIME
	start "$1" "$2" >"$base.log" 2>&1 </dev/null || rc=$?
	seconds=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')

	skipped=$(grep -c -i -E '^(ok .*|1\.\.0.*)# *skip' "$base.log") || true
	passed=$(($(grep -c -E '^ok ' "$base.log" || true) - $(grep -c -i -E '^ok .*# *skip' "$base.log" || true)))
	failed=$(grep -c -E '^not ok ' "$base.log") || true
	reasons=
	if ! grep -q -E '^1\.\.[0-9]+' "$base.log"; then
		reasons="printed no plan"
	fi
	if [ "$rc" -eq 124 ] || [ "$rc" -eq 137 ]; then
		reasons="ran into its time limit"
	elif [ "$rc" -ne 0 ] && [ "$failed" -eq 0 ]; then
		reasons="exit status $rc"
	fi
	[ -z "$reasons" ] || failed=$((failed + 1))
	report "$name" "$seconds" "$passed" "$failed" "$skipped" "$reasons" "$base.log"
	printf '%s %s %s\n' "$passed" "$failed" "$skipped" >"$base.count"
}

# report NAME SECONDS PASSED FAILED SKIPPED REASONS LOG: one write, so that parallel tests do not mix
report() {
	local text

	text=$(printf '%-6s %-40s %4d passed' "$([ "$4" -eq 0 ] && echo ok || echo FAILED)" "$1" "$3")
	[ "$4" -eq 0 ] || text+=", $4 failed"
	[ "$5" -eq 0 ] || text+=", $5 skipped"
	text+=" ($2 s)"$'\n'
	text+=$(grep -i -E '^(ok .*|1\.\.0.*)# *skip' "$7" | sed 's/^/       /') || true
	if [ "$4" -ne 0 ]; then
		text+=$(sed -n '/^not ok /,/^[^#]/{/^not ok /p;/^#/p}' "$7" | head -n 60 | sed 's/^/       /')
		if [ -n "$6" ]; then
			text+=$'\n'"       $6; the last lines of $7:"$'\n'
			text+=$(tail -n 25 "$7" | sed 's/^/       | /')
		fi
	fi
	printf '%s\n' "${text%$'\n'}"
}

list=
if [ "${1-}" = --list ]; then
	list=1
	shift
fi
[ $# -gt 0 ] || set -- unit bpf netns vm
if [ -z "$list" ]; then
	rm -rf "$logs"
	mkdir -p "$logs"
fi

for wanted in "$@"; do
	ring=${wanted%%/*}
	only=
	[ "$ring" = "$wanted" ] || only=${wanted#*/}
	files=$(tests_of "$ring")
	for file in $files; do
		name=$(name_of "$file")
		[ -z "$only" ] || [ "${name%@*}" = "$only" ] || [ "$name" = "$only" ] || continue
		if [ -n "$list" ]; then
			echo "$ring/$name"
			continue
		fi
		while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
			wait -n || true
		done
		run_one "$ring" "$file" &
	done
	wait
done
[ -z "$list" ] || exit 0

find "$logs" -name '*.count' -exec cat {} + | awk '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
