#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A flood while the agent is killed, restarted and reloaded: each packet is counted exactly once,
# none passes unpoliced, and a second agent gives way.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

COUNT=200000
RATE=16000
GOOD=172.16.0.2 # in the RDMA CIDR
BAD=10.9.9.9	# outside

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
peer=$(ip netns exec "$fabric" cat /sys/class/net/rail0/address)
ip neigh add "$GOOD" lladdr "$peer" nud permanent dev rail0
ip neigh add "$BAD" lladdr "$peer" nud permanent dev rail0
ip route add "$BAD/32" dev rail0

config() {
	cat >"$RAILGATE_CONFIG" <<-END
		{"rdmaCidrs": ["172.16.0.0/16"$1],
		 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]${2-}}
	END
}
config ""

sent() {
	cat /sys/class/net/rail0/statistics/tx_packets
}
passed() {
	rg_metric 'railgate_tc_ip_packets_total{pod="(host)",rail="rail0",direction="egress"}' || echo 0
}
dropped() {
	rg_metric 'railgate_egress_dropped_packets_total{pod="(host)",rail="rail0",reason="dst_cidr"}' ||
		echo 0
}
link_ids() {
	bpftool -j link show pinned "$RAILGATE_PIN_DIR/v1/links/rail0_$1" | sed 's/.*"id":\([0-9]*\).*/\1/'
}

rg_agent_start
before_sent=$(sent)
before_passed=$(passed)
before_dropped=$(dropped)
tx_link=$(link_ids tx)
rx_link=$(link_ids rx)

"$RG_BUILD/tools/udpflood" "$GOOD" 9 "$COUNT" "$RATE" "$BAD" >"$RG_TMP/flood" &
flood=$!

tap_refuse "a second agent gives way" railgated
tap_match "and says why" "$TAP_OUT" "another railgated"
rg_agent_kill
tap_ok "agent killed in the flood"
hold 1
rg_agent_start
tap_ok "agent came back"
rg_agent_stop
rg_agent_start --log-level debug
tap_ok "agent stopped and started"
for i in 1 2 3 4 5; do
	config ", \"172.17.$i.0/24\""
	kill -HUP "$RG_AGENT_PID"
	hold 0.3
done
config "" ', "maxEndpoints": 4096'
max_entries() {
	rg_metric 'railgate_map_max_entries{map="rg_endpoints"}'
}
max_entries_are() {
	[ "$(max_entries)" = "$1" ]
}
tap_run "a reload moves to larger maps" wait_for 5 max_entries_are 4096
rg_agent_kill
config "" ', "maxEndpoints": 512'
rg_agent_start
tap_is "a restart moves to smaller maps" "$(max_entries)" 512
tap_run "the flood was still running" kill -0 "$flood"
wait "$flood"
tap_is "the sender's packets were all taken" "$(cat "$RG_TMP/flood")" "$COUNT $COUNT"

wait_same 5 passed >/dev/null
tap_is "each allowed packet left" "$(($(sent) - before_sent))" "$COUNT"
tap_is "each allowed packet was counted once" "$(($(passed) - before_passed))" "$COUNT"
tap_is "each forbidden packet was dropped and counted once" \
	"$(($(dropped) - before_dropped))" "$COUNT"
tap_is "the egress link is the first agent's" "$(link_ids tx)" "$tx_link"
tap_is "the ingress link is the first agent's" "$(link_ids rx)" "$rx_link"

rg_agent_stop
before_sent=$(sent)
"$RG_BUILD/tools/udpflood" "$GOOD" 9 100 0 "$BAD" >/dev/null
tap_is "without an agent the policy goes on" "$(($(sent) - before_sent))" 100
rm -rf "${RAILGATE_PIN_DIR:?}"/*
ip link del rail0
ip netns del "$fabric"
rm -rf "${RAILGATE_RUN_DIR:?}"/*
residue_check "nothing is left"
tap_done
