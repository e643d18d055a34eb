#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# 50 pods added and deleted by 10 callers at once: everyone gets a slot, a MAC and an address of
# its own, and nothing is left: no state, netdev, map entry, lock or address.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env

PODS=50
CALLERS=10

ns_new fabric fab
for i in 0 1; do
	rail_pair "rail$i" "$fabric"
	ip addr add "172.16.$i.1/24" dev "rail$i"
done
cat >"$RAILGATE_CONFIG" <<END
{"rdmaCidrs": ["172.16.0.0/16"],
 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}},
	   {"name": "rail1", "match": {"netdev": "rail1"}}]}
END
for ((i = 0; i < PODS; i++)); do
	ip netns add "pod$i"
done
rg_agent_start

netconf() { # netconf RAIL-NUMBER
	printf '{"cniVersion":"1.0.0","name":"rail%d","type":"railgate","mode":"macvlan",' "$1"
	printf '"rail":"rail%d","ipam":{"type":"host-local","dataDir":"%s/ipam",' "$1" "$RG_TMP"
	printf '"ranges":[[{"subnet":"172.16.%d.0/24","rangeStart":"172.16.%d.10"}]]}}\n' "$1" "$1"
}
pod_call() { # pod_call COMMAND NUMBER: output in $RG_TMP/COMMAND.NUMBER, failures are lines
	rg_cni "$1" "container$2" "pod$2" net1 "$(netconf $(($2 % 2)))" \
		"$(rg_pod_args default "pod$2")" >"$RG_TMP/$1.$2" || echo "pod $2: $1 failed"
}
pod_cycle() { # pod_cycle NUMBER: a pod that comes and goes at once
	pod_call ADD "$1"
	pod_call DEL "$1"
}
# by_callers FUNCTION [ARGUMENT]: the function for every pod, CALLERS at a time
by_callers() {
	export -f "${1?}" pod_call rg_cni netconf rg_pod_args
	export RG_TMP
	seq 0 $((PODS - 1)) | xargs -P "$CALLERS" -n 1 bash -c "$* \$0"
}
map_entries() { # map_entries MAP
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/$1" | grep -o '"formatted"' | wc -l
}
left() {
	printf 'endpoints %s identities %s\n' "$(map_entries rg_endpoints)" "$(map_entries rg_idents)"
	find "$RG_TMP/ipam" -type f -name '172.*' 2>/dev/null | sed 's/^/address /'
}

mkdir "$RG_TMP/ipam"
residue_snapshot
before=$(left)
endpoints=$(map_entries rg_endpoints)

tap_is "$PODS ADDs by $CALLERS callers" "$(by_callers pod_call ADD)" ""
tap_is "each pod has its slot" "$(map_entries rg_endpoints)" "$((endpoints + PODS))"
tap_is "each pod has its record" \
	"$(find "$RAILGATE_STATE_DIR/attachments" -name '*.json' | wc -l)" "$PODS"
tap_is "no address was given twice" \
	"$(cat "$RG_TMP"/ADD.* | grep -o '"address": *"[^"]*"' | sort -u | wc -l)" "$PODS"
tap_is "no MAC was given twice" \
	"$(cat "$RG_TMP"/ADD.* | grep -o '"mac": *"[^"]*"' | sort -u | wc -l)" "$PODS"

tap_is "$PODS DELs by $CALLERS callers" "$(by_callers pod_call DEL)" ""
tap_is "no map entry and no address is left" "$(left)" "$before"
residue_check "no state, netdev or file is left"

tap_is "$PODS pods that come and go, $CALLERS at a time" "$(by_callers pod_cycle)" ""
tap_is "no map entry and no address is left after them" "$(left)" "$before"
residue_check "no state, netdev or file is left after them"

# Every caller wants the same container and interface: one wins, the others are told.
same() {
	rg_cni ADD same pod0 net1 "$(netconf 0)" >"$RG_TMP/same.$1" && echo added
	return 0
}
tap_is "of $CALLERS ADDs of one attachment one succeeds" "$(by_callers same)" added
tap_is "and one slot is taken" "$(map_entries rg_endpoints)" "$((endpoints + 1))"
tap_run "DEL" rg_cni DEL same pod0 net1 "$(netconf 0)"
tap_is "no map entry and no address is left by the losers" "$(left)" "$before"
residue_check "no state, netdev or file is left by the losers"
rg_agent_stop
tap_done
