#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The agent follows its rails: absent, plugged in, flapping, renamed, deleted and made again, with
# other addresses; and keeps the host's identity equal to them.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

MAC=02:00:00:00:10:01
ns_new fabric fab

cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16", "fd16::/32"],
	 "rails": [{"name": "rail.a", "match": {"mac": "$MAC"}},
	           {"name": "rail.b", "match": {"netdev": "rb"}}]}
END

present() {
	rg_metric "railgate_rail_present{rail=\"$1\"}"
}
attached() {
	rg_metric "railgate_policy_attached{rail=\"$1\",hook=\"$2\"}"
}
is_attached() {
	[ "$(attached "$1" egress)" = 1 ] && [ "$(attached "$1" ingress)" = 1 ]
}
is_present() {
	[ "$(present "$1")" = "$2" ]
}
passed() {
	rg_metric 'railgate_tc_ip_packets_total{pod="(host)",rail="rail.a",direction="egress"}' || echo 0
}
passed_is() {
	[ "$(passed)" = "$1" ]
}
dropped() {
	rg_metric "railgate_egress_dropped_packets_total{pod=\"$1\",rail=\"rail.a\",reason=\"$2\"}" ||
		echo 0
}
host_idents() {
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_idents" |
		grep -o '"slot":[0-9]*' | wc -l
}
idents_are() {
	[ "$(host_idents)" = "$1" ]
}
plug() { # plug NAME
	ip link add "$1" address "$MAC" type veth peer name wire netns "$fabric"
	ip link set "$1" addrgenmode none
	ip link set "$1" up
	ip -n "$fabric" link set wire addrgenmode none up
}
give_address() { # give_address NAME ADDRESS
	ip addr add "$2/24" dev "$1"
	ip neigh replace 172.16.0.2 lladdr 02:00:00:00:10:02 nud permanent dev "$1"
}
send() { # send COUNT
	"$RG_BUILD/tools/udpflood" 172.16.0.2 9 "$1" 0 >/dev/null
}

rg_agent_start
tap_ok "starts with no rail there"
tap_is "an absent rail is reported" "$(present rail.a)" 0
tap_refuse "an absent rail has no hooks" attached rail.a egress
tap_is "an absent rail has no identities" "$(host_idents)" 0

plug eth7
tap_run "a rail that is plugged in is found by its MAC and gets its hooks" \
	wait_for 5 is_attached rail.a
tap_run "the host is known by its MAC" wait_for 5 idents_are 1
give_address eth7 172.16.0.1
tap_run "and by its address" wait_for 5 idents_are 2
send 10
tap_is "the host's packets pass" "$(passed)" 10

ip addr add 172.16.0.7/24 dev eth7
ip addr add fd16::7/64 dev eth7 nodad
tap_run "new addresses of both families are followed" wait_for 5 idents_are 4
ip addr del 172.16.0.7/24 dev eth7
ip addr del fd16::7/64 dev eth7
tap_run "and those that go" wait_for 5 idents_are 2

ip link set eth7 down
ip link set eth7 up
ip neigh replace 172.16.0.2 lladdr 02:00:00:00:10:02 nud permanent dev eth7
send 10
tap_is "a flap loses nothing" "$(passed)" 20
tap_run "the hooks stand after a flap" is_attached rail.a

ip link set eth7 down
ip link set eth7 name eth8
ip link set eth8 up
ip neigh replace 172.16.0.2 lladdr 02:00:00:00:10:02 nud permanent dev eth8
tap_run "a rename is noticed" wait_for 5 grep -q "rail's netdev was renamed" "$RG_TMP/agent.log"
tap_run "the hooks stand after a rename" is_attached rail.a
send 10
tap_is "and the counters go on" "$(passed)" 30

ip link set eth8 address 02:00:00:00:10:77
tap_run "a rail whose MAC has changed is gone" wait_for 5 is_present rail.a 0
before=$(cat /sys/class/net/eth8/statistics/tx_packets)
send 10
tap_is "but its hook stays and drops what it sends" \
	"$(cat /sys/class/net/eth8/statistics/tx_packets)" "$before"
ip link set eth8 address "$MAC"
tap_run "and comes back with its MAC" wait_for 5 is_present rail.a 1
tap_run "its hooks too" wait_for 5 is_attached rail.a

ip link del eth8
tap_run "a rail that is deleted is absent" wait_for 5 is_present rail.a 0
tap_refuse "its series are absent" rg_metric \
	'railgate_tc_ip_packets_total{pod="(host)",rail="rail.a",direction="egress"}'
plug eth9
give_address eth9 172.16.0.1
tap_run "made again, it is attached" wait_for 5 is_attached rail.a
tap_run "with its identity" wait_for 5 idents_are 2
send 10
tap_run "and its counters go on from where they were" wait_for 5 passed_is 40

tap_is "one rail's fate is not the other's" "$(present rail.b)" 0
ip link add rb type veth peer name rb2 netns "$fabric"
tap_run "the other rail, by name" wait_for 5 is_attached rail.b
tap_match "health names the netdevs" "$(rg_get /healthz)" "rail.b: rb$"

ip link set eth9 addrgenmode eui64 down
ip link set eth9 up
tap_run "the link-local address is an identity as well" wait_for 5 idents_are 4

rg_agent_stop
rm -rf "${RAILGATE_PIN_DIR:?}"/* "${RAILGATE_RUN_DIR:?}"/*
ip link del eth9
ip link del rb
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
