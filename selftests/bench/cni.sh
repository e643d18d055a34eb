#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What the plugin and the agent cost: ADD and DEL against the reference macvlan plugin in the same
# run, a scrape and the agent's memory with 1,000 endpoints on 8 rails.
# Environment: BENCH_PAIRS (40), RG_CNI_REFERENCE (/usr/lib/cni).

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/lib.sh"
netns_enter "$0" "$@"
rg_env
pairs=${BENCH_PAIRS:-40}
reference=${RG_CNI_REFERENCE:-/usr/lib/cni}
rails=8

config() {
	local i

	printf '{"rdmaCidrs":["172.16.0.0/16"],"maxEndpoints":2048,"metrics":{"listen":"127.0.0.1:9917"},'
	printf '"rails":['
	for ((i = 0; i < rails; i++)); do
		printf '%s{"name":"rail%d","match":{"netdev":"rail%d"},"addresses":["172.16.%d.1/24"]}' \
			"$([ "$i" -eq 0 ] || echo ,)" "$i" "$i" "$i"
	done
	printf ']}\n'
}
ours() { # ours RAIL
	rg_netconf "rail$1" "172.16.$1.50/24"
}
theirs() { # theirs RAIL
	printf '{"cniVersion":"1.0.0","name":"rails","type":"macvlan","master":"rail%d",' "$1"
	printf '"ipam":{"type":"static","addresses":[{"address":"172.16.%d.50/24"}]}}\n' "$1"
}

ns_new fabric fab
for ((i = 0; i < rails; i++)); do
	rail_pair "rail$i" "$fabric"
	ours "$i" >"$RG_TMP/ours$i"
	theirs "$i" >"$RG_TMP/theirs$i"
done
config >"$RAILGATE_CONFIG"
rg_agent_start
ns_new pod

run_pairs() { # run_pairs PAIRS OURS... -- THEIRS...
	local n=$1
	shift
	"$RG_BUILD/bench/bench_cni" "$n" "/run/netns/$pod" "$@"
}
# pick KIND SIDE: a number of the last run
pick() {
	awk -v kind="$1" -v side="$2" '$1 == kind { print $(side + 1) }' <<<"$out"
}

bench_title "CNI calls against $reference/macvlan, static IPAM, medians of $pairs pairs"
out=$(run_pairs "$pairs" "$RG_BUILD/railgate" "$RG_TMP/ours0" -- "$reference/macvlan" "$RG_TMP/theirs0")
bench_row cni_add "ADD, one rail" "$(pick add 1)" us "$(pick add 2)"
bench_row cni_del "DEL, one rail" "$(pick del 1)" us "$(pick del 2)"
bench_row cni_add_del "ADD + DEL, one rail" "$(pick sum 1)" us "$(pick sum 2)" "ratio 0.6"

all_ours=() all_theirs=()
for ((i = 0; i < rails; i++)); do
	all_ours+=("$RG_TMP/ours$i")
	all_theirs+=("$RG_TMP/theirs$i")
done
out=$(run_pairs "$(((pairs + 3) / 4))" "$RG_BUILD/railgate" "${all_ours[@]}" -- \
	"$reference/macvlan" "${all_theirs[@]}")
bench_row cni_add_del_8_calls "ADD + DEL, eight rails by eight calls" "$(pick sum 1)" us "$(pick sum 2)"

memory() { # memory FIELD: KiB
	sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$RG_AGENT_PID/status"
}
# scrape: microseconds of one, body in $RG_TMP/metrics
scrape() {
	curl -sS -f -o "$RG_TMP/metrics" -w '%{time_total}\n' "http://$(rg_listen)/metrics" |
		awk '{ printf "%.0f\n", $1 * 1e6 }'
}
idle=$(memory VmRSS)
"$RG_BUILD/tools/endpoints" "$RAILGATE_PIN_DIR" 1000 "$rails"
"$RG_BUILD/bench/bench_count" "$RAILGATE_PIN_DIR"
for ((i = 0; i < 30; i++)); do
	scrape
done | sort -n >"$RG_TMP/scrapes"
bench_title "the agent with 1,000 endpoints on $rails rails"
bench_row scrape "scrape, median of 30" "$(sed -n 15p "$RG_TMP/scrapes")" us - "value 100000"
bench_row scrape_max "scrape, slowest of 30" "$(tail -n 1 "$RG_TMP/scrapes")" us -
bench_row scrape_bytes "size of the page" "$(stat -c %s "$RG_TMP/metrics")" B -
bench_row agent_rss "agent resident after 30 scrapes" "$(memory VmRSS)" KiB "$idle" "value 40960"
[ "$(grep -c 'pod="llama-worker' "$RG_TMP/metrics")" -ge 1000 ] || {
	echo "the page does not show the 1,000 endpoints" >&2
	exit 1
}
tap_end
