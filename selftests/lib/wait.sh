# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Waiting for conditions, always bounded. No other file of the tests sleeps.

WAIT_STEP=0.05

# How many times slower than a machine of its own this one may be. A condition that holds is seen
# at once all the same; only giving up takes longer.
WAIT_SCALE=${RG_WAIT_SCALE:-1}

# wait_for SECONDS COMMAND...: run the command until it succeeds; fail after SECONDS
wait_for() {
	local end=$((SECONDS + $1 * WAIT_SCALE + 1)) step=$WAIT_STEP

	shift
	until "$@" >/dev/null 2>&1; do
		if [ "$SECONDS" -ge "$end" ]; then
			printf '# gave up waiting for: %s\n' "$*" >&2
			return 1
		fi
		sleep "$step"
		# Asking costs time too, which a slow machine's programs need for themselves.
		[ "$WAIT_SCALE" -eq 1 ] || step=0.5
	done
}

# wait_not SECONDS COMMAND...: run the command until it fails
wait_not() {
	local seconds=$1

	shift
	wait_for "$seconds" not_true "$@"
}

not_true() {
	! "$@"
}

# wait_same SECONDS COMMAND...: run the command until it prints the same twice, half a second
# apart: for counters that other CPUs are still adding to. Prints what it printed last.
wait_same() {
	local end=$((SECONDS + $1 * WAIT_SCALE + 1)) before now

	shift
	before=$("$@")
	while :; do
		sleep 0.5
		now=$("$@")
		if [ "$now" = "$before" ]; then
			printf '%s\n' "$now"
			return 0
		fi
		if [ "$SECONDS" -ge "$end" ]; then
			printf '# never came to rest: %s\n' "$*" >&2
			return 1
		fi
		before=$now
	done
}

# wait_exit SECONDS PID: wait until a process of ours is gone, return its exit status
wait_exit() {
	wait_for "$1" pid_gone "$2" || return 124
	wait "$2" 2>/dev/null
}

# pid_gone PID: no such process, or only its zombie
pid_gone() {
	local state

	state=$(sed -n 's/^State:[[:space:]]*\([A-Z]\).*/\1/p' "/proc/$1/status" 2>/dev/null) || return 0
	[ -z "$state" ] || [ "$state" = Z ] || [ "$state" = X ]
}

# hold SECONDS: let traffic or a timer of the program under test run for a fixed time. For
# durations that are themselves the condition; never to hope that something has happened.
hold() {
	sleep "$1"
}
