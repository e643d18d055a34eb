#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Other products' programs on a rail: behind ours they go on working, in front of ours they are
# noticed and passed, and none is ever removed. What someone takes away comes back. All of it once
# with TCX links and once with clsact filters, as on kernels without TCX.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot
tcxprog=$RG_BUILD/tools/tcxprog
links=$RAILGATE_PIN_DIR/v1/links
mkdir /sys/fs/bpf/foreign
FLOOD=${RG_FLOOD:-100000}

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
for ip in 172.16.0.2 10.9.9.9; do
	ip neigh add "$ip" lladdr 02:00:00:00:00:02 nud permanent dev rail0
done
ip route add 10.9.9.9/32 dev rail0
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END

send() { # send DEST COUNT: prints how many left the rail
	local before

	before=$(cat /sys/class/net/rail0/statistics/tx_packets)
	"$RG_BUILD/tools/udpflood" "$1" 9 "$2" 0 >/dev/null
	echo $(($(cat /sys/class/net/rail0/statistics/tx_packets) - before))
}
position() {
	rg_metric "railgate_policy_chain_position{rail=\"rail0\",hook=\"egress\"}"
}
first() {
	[ "$(position)" = 0 ]
}
attached() {
	rg_metric "railgate_policy_attached{rail=\"rail0\",hook=\"${1-egress}\"}"
}
chain() {
	"$tcxprog" list rail0 egress | tr '\n' ' '
}
is_attached() {
	[ "$(attached)" = 1 ] && [ "$(attached ingress)" = 1 ]
}
said() {
	grep -q "$1" "$RG_TMP/agent.log"
}
polices() { # polices NAME
	tap_is "$1: allowed packets leave" "$(send 172.16.0.2 10)" 10
	tap_is "$1: others do not" "$(send 10.9.9.9 10)" 0
}

# A flood while others push in front: each packet is judged, and once.
passed() {
	rg_metric 'railgate_tc_ip_packets_total{pod="(host)",rail="rail0",direction="egress"}'
}
repaired() {
	[ "$(rg_metric railgate_repairs_total)" -gt "$repairs" ] && first
}
flood() { # flood COMMAND...: run the command three times meanwhile
	local before_tx before_passed flood i

	before_tx=$(cat /sys/class/net/rail0/statistics/tx_packets)
	before_passed=$(passed)
	"$RG_BUILD/tools/udpflood" 172.16.0.2 9 "$FLOOD" 20000 10.9.9.9 >/dev/null &
	flood=$!
	for i in 1 2 3; do
		repairs=$(rg_metric railgate_repairs_total)
		"$@" "$i"
		wait_for 5 repaired
	done
	wait "$flood"
	sent=$(($(cat /sys/class/net/rail0/statistics/tx_packets) - before_tx))
	counted=$(($(passed) - before_passed))
}

push_tcx() {
	"$tcxprog" attach rail0 egress head -1 "/sys/fs/bpf/foreign/push$1"
}

tcx_part() {
	rg_agent_start
	tap_run "TCX: attached" is_attached
	"$tcxprog" attach rail0 egress tail -1 /sys/fs/bpf/foreign/behind
	polices "TCX, a program behind"
	tap_is "it sees what we allow" "$("$tcxprog" count /sys/fs/bpf/foreign/behind)" 10
	tap_is "we are first" "$(position)" 0

	"$tcxprog" attach rail0 egress head 0 /sys/fs/bpf/foreign/front
	tap_run "TCX, a program in front that would hide us: we are first again" wait_for 5 first
	tap_run "and say so" wait_for 5 said "put in front of the policy"
	polices "TCX, a program that was in front"
	tap_num "the program is still there" "$("$tcxprog" count /sys/fs/bpf/foreign/front)" -ge 10
	tap_is "the chain is ours, theirs, theirs" "$(chain)" "rg_on_rail_tx foreign foreign "

	flood push_tcx
	tap_is "TCX, pushed aside in a flood: nothing passes unjudged" "$sent" "$FLOOD"
	tap_is "and nothing is counted twice" "$counted" "$FLOOD"
	rm /sys/fs/bpf/foreign/push*

	rm "$links/rail0_tx"
	tap_run "TCX, our link taken away: it comes back" wait_for 5 is_attached
	tap_run "and in front" wait_for 5 first
	rm -rf "${RAILGATE_PIN_DIR:?}/v1"
	tap_run "TCX, all pins taken away: hooks come back" wait_for 40 said "pinned again"
	tap_is "and pins" "$(find "$RAILGATE_PIN_DIR/v1/progs" -type f | wc -l)" 4
	polices "TCX, after that"
	rm /sys/fs/bpf/foreign/front /sys/fs/bpf/foreign/behind
	rg_agent_stop
	: >"$RG_TMP/agent.log"
}

tcx=
if "$tcxprog" list lo egress >/dev/null 2>&1; then
	tcx=1
	tcx_part
else
	tap_skip "TCX" "Linux $(uname -r) has none"
fi

export RAILGATE_FORCE_CLSACT=1
rg_agent_start
tap_run "clsact: takes over from TCX" is_attached
[ -z "$tcx" ] || tap_is "no TCX program of ours is left" "$(chain)" ""
tap_match "the log says that it is weaker" "$(cat "$RG_TMP/agent.log")" "no TCX"
tap_is "build info tells the kind" \
	"$(rg_get /metrics | grep -c '^railgate_build_info.*attach="clsact"')" 1
polices "clsact"

"$tcxprog" pin -1 /sys/fs/bpf/foreign/filter
tc filter add dev rail0 egress prio 5 bpf da object-pinned /sys/fs/bpf/foreign/filter
polices "clsact, a filter behind"
tap_is "it sees what we allow" "$("$tcxprog" count /sys/fs/bpf/foreign/filter)" 10
tc filter add dev rail0 egress prio 1 handle 7 protocol all bpf da \
	object-pinned /sys/fs/bpf/foreign/filter
tap_run "clsact, a filter in front: we are first again" wait_for 5 said "put in front of the policy"
tap_is "and it is still there" "$(tc filter show dev rail0 egress prio 1 | grep -c 'handle 0x7 ')" 1
polices "clsact, a filter that was in front"
push_filter() {
	tc filter add dev rail0 egress prio 1 handle "$((10 + $1))" protocol all bpf da \
		object-pinned /sys/fs/bpf/foreign/filter
}
flood push_filter
tap_is "clsact, pushed aside in a flood: nothing passes unjudged" "$sent" "$FLOOD"
tap_is "and nothing is counted twice" "$counted" "$FLOOD"
tc qdisc del dev rail0 clsact
tap_run "clsact, the qdisc deleted: attached again" wait_for 5 is_attached
tap_run "and said" wait_for 5 said "attached again"
polices "clsact, after that"
tc filter del dev rail0 egress prio 1
tap_run "clsact, our filter deleted: attached again" wait_for 5 is_attached
polices "clsact, after that too"

if [ -n "$tcx" ]; then
	"$tcxprog" attach rail0 egress head -1 /sys/fs/bpf/foreign/tcx
	tap_run "a TCX program before clsact shows in our position" wait_for 5 not_true first
	polices "clsact behind it"
	rm /sys/fs/bpf/foreign/tcx
fi
rg_agent_kill
tap_is "clsact without an agent" "$(send 10.9.9.9 10)" 0
rg_agent_start
polices "clsact, with the next agent"
rg_agent_stop

if [ -n "$tcx" ]; then
	unset RAILGATE_FORCE_CLSACT
	rg_agent_start
	tap_run "TCX: takes over from clsact" is_attached
	tap_is "no filter is left" "$(tc filter show dev rail0 egress; tc filter show dev rail0 ingress)" ""
	polices "TCX again"
	rg_agent_stop
fi

rm -rf "${RAILGATE_PIN_DIR:?}"/* "${RAILGATE_RUN_DIR:?}"/* /sys/fs/bpf/foreign
ip link del rail0
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
