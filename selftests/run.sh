#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Run rings of tests and add up their results.
#
#   run.sh [--list] [RING[/NAME]...]        rings: unit bpf netns vm
#
#   unit   build/unit/test_*                cmocka programs
#   bpf    build/selftests/bpf/{test_*,load_all}   packets through the loaded programs
#   netns  selftests/netns/t_*.sh           the real programs in private namespaces
#   vm     selftests/vm/t_*.sh              the same inside a virtual machine
#
# A test prints TAP or KTAP; lib/merge.awk says what is a failure. Comments in a test's first lines
# are its header: "# timeout: SECONDS" and, in the vm ring, "# kernel: KIND..." for the kernels that
# it runs on and "# machine: OPTION..." for vm/run.sh. Logs stay in build/selftests/log. The last
# line is "N passed, N failed, N skipped"; the exit status is 1 if anything failed.
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
	bpf) set -- "$RG_BUILD"/selftests/bpf/{test_*,load_all} ;;
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

# limit RING FILE: seconds that a test may take
limit() {
	local seconds=

	case $1 in
	unit | bpf) seconds=900 ;;
	*) seconds=$(header "${2%@*}" timeout) ;;
	esac
	echo "${RG_TIMEOUT:-${seconds:-$default_limit}}"
}

# start RING FILE LIMIT: run one test, output to standard output
start() {
	local more

	case $1 in
	vm)
		read -r -a more <<<"$(header "${2%@*}" machine)"
		timeout -k 20 $(($3 + 60)) "$here/vm/run.sh" --kernel "${2##*@}" \
			--timeout "$3" "${more[@]}" "${2%@*}"
		;;
	*) CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 10 "$3" "$2" ;;
	esac
}

# run_one RING FILE: run a test, leave its log, counts and time in $logs
run_one() {
	local name base began rc=0 seconds killed=0 limit

	name=$1/$(name_of "$2")
	base=$logs/$name
	limit=$(limit "$1" "$2")
	mkdir -p "$(dirname "$base")"
	began=$EPOCHREALTIME
	start "$1" "$2" "$limit" >"$base.log" 2>&1 </dev/null || rc=$?
	seconds=$(awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
	if [ "$rc" -eq 124 ] || [ "$rc" -eq 137 ]; then
		killed=$limit
	fi
	awk -v rc="$rc" -v killed="$killed" -f "$here/lib/merge.awk" "$base.log" >"$base.result"
	report "$name" "$seconds" "$base"
	head -n 1 "$base.result" >"$base.count"
}

# report NAME SECONDS BASE: one write, so that parallel tests do not mix
report() {
	local text passed failed skipped verdict=ok

	read -r passed failed skipped <"$3.result"
	[ "$failed" -eq 0 ] || verdict=FAILED
	text=$(printf '%-6s %-40s %4d passed' "$verdict" "$1" "$passed")
	[ "$failed" -eq 0 ] || text+=", $failed failed"
	[ "$skipped" -eq 0 ] || text+=", $skipped skipped"
	text+=" ($2 s)"$'\n'
	text+=$(sed -n '2,100s/^/       /p' "$3.result")
	if grep -q -E '^(killed|exit status|printed|planned) ' "$3.result"; then
		text+=$'\n'"       the last lines of $3.log:"$'\n'
		text+=$(tail -n 25 "$3.log" | sed 's/^/       | /')
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
