# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Results in TAP. Source this, report with the tap_* functions, end with tap_done. A script that
# dies before tap_done has failed, whatever it printed: the exit trap says so.

TAP_COUNT=0
TAP_FAILED=0
TAP_ENDED=
TAP_CLEANUPS=()

# tap_diag TEXT...: a comment for people, one "# " line for each line
tap_diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

# tap_ok NAME
tap_ok() {
	TAP_COUNT=$((TAP_COUNT + 1))
	printf 'ok %d - %s\n' "$TAP_COUNT" "$1"
}

# tap_fail NAME [TEXT]: the text says what was seen and what was expected
tap_fail() {
	TAP_COUNT=$((TAP_COUNT + 1))
	TAP_FAILED=$((TAP_FAILED + 1))
	printf 'not ok %d - %s\n' "$TAP_COUNT" "$1"
	if [ -n "${2-}" ]; then
		tap_diag "$2"
	fi
}

# tap_skip NAME REASON: a skip without a reason is a failure
tap_skip() {
	if [ -z "${2-}" ]; then
		tap_fail "$1" "skipped without a reason"
		return
	fi
	TAP_COUNT=$((TAP_COUNT + 1))
	printf 'ok %d - %s # SKIP %s\n' "$TAP_COUNT" "$1" "$2"
}

# tap_skip_all REASON: nothing in this file can run here
tap_skip_all() {
	TAP_ENDED=1
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# tap_is NAME GOT WANT
tap_is() {
	if [ "$2" = "$3" ]; then
		tap_ok "$1"
	else
		tap_fail "$1" "got:    $2"$'\n'"wanted: $3"
	fi
}

# tap_num NAME GOT OP WANT: integers, OP as in test(1): -eq -ne -lt -le -gt -ge
tap_num() {
	local got=$2 op=$3 want=$4

	if [[ $got =~ ^-?[0-9]+$ && $want =~ ^-?[0-9]+$ ]] && test "$got" "$op" "$want"; then
		tap_ok "$1"
	else
		tap_fail "$1" "'$got' $op '$want' does not hold"
	fi
}

# tap_match NAME TEXT REGEX: extended regular expression, anywhere in the text
tap_match() {
	if grep -Eq -e "$3" <<<"$2"; then
		tap_ok "$1"
	else
		tap_fail "$1" "no match for: $3"$'\n'"in: $2"
	fi
}

# tap_nomatch NAME TEXT REGEX
tap_nomatch() {
	if grep -Eq -e "$3" <<<"$2"; then
		tap_fail "$1" "unwanted match for: $3"$'\n'"in: $2"
	else
		tap_ok "$1"
	fi
}

# tap_run NAME COMMAND...: the command must succeed; its output is shown if it does not.
# The output is left in TAP_OUT.
tap_run() {
	local name=$1 rc=0

	shift
	TAP_OUT=$("$@" 2>&1) || rc=$?
	if [ "$rc" -eq 0 ]; then
		tap_ok "$name"
	else
		tap_fail "$name" "exit status $rc from: $*"$'\n'"$TAP_OUT"
	fi
	return 0
}

# tap_refuse NAME COMMAND...: the command must fail, by its own decision and not by a signal
tap_refuse() {
	local name=$1 rc=0

	shift
	TAP_OUT=$("$@" 2>&1) || rc=$?
	if [ "$rc" -eq 0 ]; then
		tap_fail "$name" "unexpected success of: $*"$'\n'"$TAP_OUT"
	elif [ "$rc" -ge 124 ]; then
		tap_fail "$name" "exit status $rc (killed, or not started) from: $*"$'\n'"$TAP_OUT"
	else
		tap_ok "$name"
	fi
	return 0
}

# tap_cleanup COMMAND: run at the end, last added first, also when the script dies
tap_cleanup() {
	TAP_CLEANUPS+=("$1")
}

tap_run_cleanups() {
	local i

	for ((i = ${#TAP_CLEANUPS[@]} - 1; i >= 0; i--)); do
		eval "${TAP_CLEANUPS[i]}" || tap_diag "cleanup failed: ${TAP_CLEANUPS[i]}"
	done
	TAP_CLEANUPS=()
}

# tap_done: run the cleanups, print the plan and exit
tap_done() {
	tap_run_cleanups
	TAP_ENDED=1
	printf '1..%d\n' "$TAP_COUNT"
	[ "$TAP_FAILED" -eq 0 ] || exit 1
	exit 0
}

# tap_end: for what measures instead of testing: run the cleanups, end well without a plan
tap_end() {
	tap_run_cleanups
	TAP_ENDED=1
}

tap_on_exit() {
	local rc=$?

	trap - EXIT
	set +e
	if [ -z "$TAP_ENDED" ]; then
		tap_fail "runs to its end" "exit status $rc before tap_done (line ${TAP_LINE:-?})"
		tap_run_cleanups
		printf '1..%d\n' "$TAP_COUNT"
		exit 1
	fi
	exit "$rc"
}

trap 'TAP_LINE="${BASH_SOURCE[0]##*/}:$LINENO"' ERR
set -o errtrace
trap tap_on_exit EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
