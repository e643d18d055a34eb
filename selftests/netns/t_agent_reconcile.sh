#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Pods that go without a DEL: the agent removes what they left in maps and pins, tells why, and
# leaves live pods, records and addresses alone.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END
rg_agent_start

pods_in_maps() {
	rg_get /metrics | sed -n 's/^railgate_attachment_info{.*pod="\([^"]*\)".*/\1/p' | sort |
		tr '\n' ' '
}
pods_are() {
	[ "$(pods_in_maps)" = "$1" ]
}
pod_pins() {
	find "$RAILGATE_PIN_DIR/v1/links" -name 'pod*' | wc -l
}
idents() {
	rg_metric 'railgate_map_entries{map="rg_idents"}'
}
said() {
	grep -q "$1" "$RG_TMP/agent.log"
}
add() { # add NAME ADDRESS: netns and container are called like the pod
	ip netns add "$1"
	rg_cni ADD "$1" "$1" net1 "$(rg_netconf rail0 "$2/24")" "$(rg_pod_args team "$1")" >/dev/null
}

before=$(idents)
add alive 172.16.0.10
add lost 172.16.0.11
add nameless 172.16.0.12
tap_is "three pods are there" "$(pods_in_maps)" "alive lost nameless "
pins=$(pod_pins)

rg_agent_kill
rg_agent_start
tap_is "a restart takes nothing from live pods" "$(pods_in_maps)" "alive lost nameless "
tap_is "nor their hooks" "$(pod_pins)" "$pins"

ip netns del lost
rm "$RAILGATE_STATE_DIR/attachments/nameless/net1.json"
tap_run "the timer finds pods that are gone" wait_for 45 pods_are "alive "
tap_run "it says that the namespace is gone" said "namespace is gone and no DEL came.*pod=lost"
tap_run "and that there is no record" said "no record of its attachment.*pod=nameless"
tap_is "each is counted" "$(rg_metric railgate_repairs_total)" 2
tap_is "their identities are gone" "$(($(idents) - before))" 2
tap_is "and their hooks" "$(pod_pins)" $((pins / 3))
tap_run "the record of the lost pod is left to DEL" \
	test -f "$RAILGATE_STATE_DIR/attachments/lost/net1.json"
tap_run "which succeeds" rg_cni DEL lost "" net1 "$(rg_netconf rail0 172.16.0.11/24)" ""
tap_run "also for the other" \
	rg_cni DEL nameless nameless net1 "$(rg_netconf rail0 172.16.0.12/24)" ""

ip netns del alive
rg_agent_kill
rg_agent_start
tap_is "a starting agent looks as well" "$(pods_in_maps)" ""
rg_cni DEL alive "" net1 "$(rg_netconf rail0 172.16.0.10/24)" ""

add damaged 172.16.0.13
printf '{"schema": 1, "cont' >"$RAILGATE_STATE_DIR/attachments/damaged/net1.json"
ip netns del damaged
rg_agent_stop
rg_agent_start
tap_is "a damaged record proves nothing" "$(pods_in_maps)" "damaged "
rg_cni DEL damaged "" net1 "$(rg_netconf rail0 172.16.0.13/24)" ""
tap_is "DEL removes the pod" "$(pods_in_maps)" ""

rg_agent_stop
export RAILGATE_FORCE_CLSACT=1
rg_agent_start
add guarded 172.16.0.14
filters() {
	in_ns guarded tc filter show dev net1 egress | grep -c rg_on_pod_tx
}
tap_is "on a kernel without TCX a pod has a filter" "$(filters)" 1
in_ns guarded tc qdisc del dev net1 clsact
tap_run "which comes back when the pod deletes it" wait_for 45 filters
tap_run "and is reported" said "the pod's hook had been deleted.*pod=guarded"
rg_cni DEL guarded guarded net1 "$(rg_netconf rail0 172.16.0.14/24)" ""
ip netns del guarded

rg_agent_stop
ip netns del nameless
railctl cleanup --yes >/dev/null
tap_is "railctl cleanup leaves no pin" "$(find "$RAILGATE_PIN_DIR" 2>/dev/null | wc -l)" 0
rm -rf "${RAILGATE_RUN_DIR:?}"/*
ip link del rail0
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
