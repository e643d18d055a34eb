#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Reloading: by signal, by a changed or replaced file; a bad file changes nothing and is reported;
# rails that come, go and change places in the file; another number of endpoints.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

ns_new fabric fab
for r in ra rb; do
	rail_pair "$r" "$fabric"
done
ip addr add 172.16.1.1/24 dev ra
ip addr add 172.16.2.1/24 dev rb
ip neigh add 172.16.1.2 lladdr 02:00:00:00:00:02 nud permanent dev ra
ip neigh add 172.16.2.2 lladdr 02:00:00:00:00:02 nud permanent dev rb

rail() {
	printf '{"name": "%s", "match": {"netdev": "%s"}%s}' "$1" "$2" "${3-}"
}
config() { # config RAILS [MORE]: in place of the old file in one step
	cat >"$RAILGATE_CONFIG.new" <<-END
		{"rdmaCidrs": ["172.16.0.0/16"], "rails": [$1]${2-}}
	END
	mv "$RAILGATE_CONFIG.new" "$RAILGATE_CONFIG"
}
reloads() {
	rg_metric "railgate_config_reloads_total{result=\"$1\"}"
}
reloads_are() {
	[ "$(reloads "$1")" = "$2" ]
}
generation() {
	rg_metric 'railgate_policy_generation{rail="a"}'
}
sent_by() {
	rg_metric "railgate_tc_ip_packets_total{pod=\"(host)\",rail=\"$1\",direction=\"egress\"}"
}
dropped_by() {
	rg_metric "railgate_egress_dropped_packets_total{pod=\"(host)\",rail=\"$1\",reason=\"dst_cidr\"}"
}
send() { # send DEST COUNT
	"$RG_BUILD/tools/udpflood" "$1" 9 "$2" 0 >/dev/null
}
number() { # number RAIL: its number in the maps
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_endpoints" |
		python3 -c 'import json, sys
for e in json.load(sys.stdin):
	v = e["formatted"]["value"]
	if v["rail_name"] == sys.argv[1] and v["kind"] == 0:
		print(v["rail"])' "$1"
}
pin_dirs() {
	find "$RAILGATE_PIN_DIR" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' '
}
pins() {
	find "$RAILGATE_PIN_DIR/v1/links" -type f -printf '%f\n' | sort | tr '\n' ' '
}

both="$(rail a ra), $(rail b rb)"
config "$both"
rg_agent_start
tap_is "both rails have hooks" "$(pins)" "a_rx a_tx b_rx b_tx "
send 172.16.1.2 5
send 172.16.2.2 7
tap_is "rail a counts" "$(sent_by a)" 5
tap_is "rail b counts" "$(sent_by b)" 7

kill -HUP "$RG_AGENT_PID"
tap_run "SIGHUP is a reload" wait_for 5 reloads_are applied 1
tap_is "without a change the policy stays as it is" "$(generation)" 1

before=$(generation)
printf '{"rails": [' >"$RAILGATE_CONFIG"
tap_run "a file cut off is refused" wait_for 5 reloads_are refused 1
tap_match "health says so and goes on" "$(rg_get /healthz)" "^degraded"
tap_match "with the reason" "$(rg_get /healthz)" "configuration: refused"
tap_is "a metric as well" "$(rg_metric railgate_config_valid)" 0
tap_match "and the log" "$(cat "$RG_TMP/agent.log")" "error: configuration refused"
tap_is "the policy is the old one" "$(generation)" "$before"
config "$(rail a ra ', "color": 1')"
tap_run "an unknown key is refused" wait_for 5 reloads_are refused 2
tap_match "the key is named" "$(rg_get /healthz)" "rails\[0\].color"
rm "$RAILGATE_CONFIG"
kill -HUP "$RG_AGENT_PID"
tap_run "a file that is missing is refused" wait_for 5 reloads_are refused 3
send 172.16.1.2 5
tap_is "all the while rail a works" "$(sent_by a 2>/dev/null)" 10

config "$both" ', "policy": {"mode": "audit"}'
tap_run "a good file is applied when it appears" wait_for 5 reloads_are applied 2
tap_match "health is well again" "$(rg_get /healthz)" "^ok"
ip route add 10.9.9.9/32 dev ra
ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:02 nud permanent dev ra
before=$(cat /sys/class/net/ra/statistics/tx_packets)
send 10.9.9.9 5
tap_is "audit counts what it would drop" "$(dropped_by a)" 5
tap_is "but passes it" "$(($(cat /sys/class/net/ra/statistics/tx_packets) - before))" 5
config "$both"
tap_run "back to enforce" wait_for 5 reloads_are applied 3
before=$(cat /sys/class/net/ra/statistics/tx_packets)
send 10.9.9.9 5
tap_is "which drops" "$(($(cat /sys/class/net/ra/statistics/tx_packets) - before))" 0

sent_a=$(sent_by a)
sent_b=$(sent_by b)
number_a=$(number a)
number_b=$(number b)
config "$(rail b rb), $(rail a ra)"
tap_run "rails in another order" wait_for 5 reloads_are applied 4
tap_is "keep their numbers" "$(number a) $(number b)" "$number_a $number_b"
tap_is "keep their counters" "$(sent_by a) $(sent_by b)" "$sent_a $sent_b"
send 172.16.1.2 5
tap_is "rail a counts on" "$(sent_by a)" "$((sent_a + 5))"
tap_is "rail b does not" "$(sent_by b)" "$sent_b"

config "$(rail b rb)"
tap_run "a rail that is no longer configured" wait_for 5 reloads_are applied 5
tap_is "loses its hooks" "$(pins)" "b_rx b_tx "
before=$(cat /sys/class/net/ra/statistics/tx_packets)
send 10.9.9.9 5
tap_is "and is nobody's business" "$(($(cat /sys/class/net/ra/statistics/tx_packets) - before))" 5
tap_refuse "its series are gone" sent_by a
config "$(rail b rb), $(rail c ra)"
tap_run "the netdev as another rail" wait_for 5 reloads_are applied 6
tap_is "has hooks under its name" "$(pins)" "b_rx b_tx c_rx c_tx "
tap_is "and counters that begin at zero" "$(sent_by c)" 0

send 172.16.2.2 3
sent_b=$(sent_by b)
config "$(rail b rb), $(rail c ra)" ', "maxEndpoints": 4096'
tap_run "more endpoints" wait_for 10 reloads_are applied 7
tap_is "make larger maps" "$(rg_metric 'railgate_map_max_entries{map="rg_endpoints"}')" 4096
tap_is "whose counters go on" "$(sent_by b)" "$sent_b"
send 172.16.2.2 3
tap_is "and count" "$(sent_by b)" "$((sent_b + 3))"
tap_is "the hooks are the same" "$(pins)" "b_rx b_tx c_rx c_tx "
tap_is "nothing of the old maps is left" "$(pin_dirs)" "agent v1 "
config "$(rail b rb), $(rail c ra)" ', "maxEndpoints": 64'
tap_run "fewer endpoints" wait_for 10 reloads_are applied 8
tap_is "have their counters too" "$(sent_by b)" "$((sent_b + 3))"

config "$(rail b rb)" ', "metrics": {"listen": "127.0.0.1:9918"}'
tap_run "the metrics move to another port" wait_for 5 rg_get /healthz
tap_refuse "and leave the old one" curl -sS -f --max-time 2 http://127.0.0.1:9917/healthz

rg_agent_stop
rm -rf "${RAILGATE_PIN_DIR:?}"/* "${RAILGATE_RUN_DIR:?}"/*
ip link del ra
ip link del rb
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
