#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# CHECK finds each kind of damage and names it; GC removes what the runtime does not know; STATUS
# says what is missing.

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/../lib/cni.sh"
netns_enter "$0" "$@"
rg_env
cni_rail 4200
cni_ipam_install
cni_ipam_gives 172.16.0.50/24 fd00:16::50/64
ns_new pod
maps=$RAILGATE_PIN_DIR/v1/maps

# with_prev RESULT [EXTRA]: network configuration with the result of ADD
with_prev() {
	cni_conf 1.1.0 "\"prevResult\":$1,${2-}"
}

# damage NAME REGEX COMMAND...: after the command CHECK must fail and say that; a new pod each time
damage() {
	local name=$1 want=$2 res out

	shift 2
	res=$(rg_cni ADD d1 "$pod" net1 "$(cni_conf 1.1.0)")
	if ! out=$(rg_cni CHECK d1 "$pod" net1 "$(with_prev "$res")" 2>&1); then
		tap_fail "CHECK of a sound pod before: $name" "$out"
	fi
	"$@" >/dev/null 2>&1
	out=$(rg_cni CHECK d1 "$pod" net1 "$(with_prev "$res")" 2>/dev/null || true)
	tap_match "CHECK finds: $name" "$(cni_get "$out" 'd["msg"]')" "$want"
	rg_cni DEL d1 "$pod" net1 "$(cni_conf 1.1.0)"
}

# map_delete MAP PYTHON-CONDITION: delete the entries whose value "v" fulfils the condition
map_delete() {
	bpftool -j map dump pinned "$maps/$1" | python3 -c 'import json, sys
for e in json.load(sys.stdin):
    v = e["formatted"]["value"]
    if eval(sys.argv[1]):
        print(" ".join(e["key"]))' "$2" | while read -r key; do
		# shellcheck disable=SC2086 # bytes as words
		bpftool map delete pinned "$maps/$1" key hex ${key//0x/}
	done
}

in_pod() {
	ip -n "$pod" "$@"
}

damage "interface deleted" "'net1' is missing in the pod" in_pod link del net1
damage "interface renamed" "'net1' is missing in the pod" \
	in_ns "$pod" sh -c 'ip link set net1 down; ip link set net1 name x'
damage "interface of another kind" 'is a veth instead of a macvlan' \
	in_ns "$pod" sh -c 'ip link del net1; ip link add net1 type veth peer name y'
ip -n "$pod" link del net1
damage "MAC changed" 'has MAC 02:00:00:00:00:77 instead of' \
	in_pod link set net1 address 02:00:00:00:00:77
damage "MTU changed" 'has MTU 1400 instead of 4200' in_pod link set net1 mtu 1400
damage "interface down" "'net1' is down" in_pod link set net1 down
damage "IPv4 address gone" 'lacks address 172.16.0.50/24' in_pod addr del 172.16.0.50/24 dev net1
damage "IPv6 address gone" 'lacks address fd00:16::50/64' in_pod addr del fd00:16::50/64 dev net1
damage "route gone" 'route to RDMA CIDR 172.16.0.0/16 .* is missing' \
	in_pod route del 172.16.0.0/16
damage "endpoint gone" 'endpoint slot [0-9]+ is missing' \
	map_delete rg_endpoints 'v["kind"] > 1'
damage "identity gone" 'identity MAC .* is missing' map_delete rg_idents 'v["slot"] >= 32'
damage "pod's hook gone" "pin .* of the pod's own hook is missing" \
	find "$RAILGATE_PIN_DIR" -name 'pod*' -delete
damage "record gone" 'net1.*No such file' rm -r "$RAILGATE_STATE_DIR/attachments/d1"
cni_nothing_left "after all damages" "$pod"

res=$(rg_cni ADD d2 "$pod" net1 "$(cni_conf 1.1.0)")
tap_run "CHECK delegates to IPAM" rg_cni CHECK d2 "$pod" net1 "$(with_prev "$res")"
tap_match "... which was called" "$(tail -n1 "$RG_TMP/ipam.log")" '^CHECK d2 net1'
echo fail >"$RG_TMP/ipam.mode"
tap_refuse "IPAM's failure is CHECK's" rg_cni CHECK d2 "$pod" net1 "$(with_prev "$res")"
echo ok >"$RG_TMP/ipam.mode"
tap_refuse "CHECK without prevResult" rg_cni CHECK d2 "$pod" net1 "$(cni_conf 1.1.0)"
tap_refuse "CHECK in version 0.3.1" rg_cni CHECK d2 "$pod" net1 "$(cni_conf 0.3.1)"
tap_is "... says that it came later" "$(cni_get "$TAP_OUT" 'd["code"]')" 1

# GC: d2 stays, the others go
ns_new pod2
cni_ipam_gives 172.16.0.51/24
rg_cni ADD g1 "$pod2" net1 "$(cni_conf 1.1.0)" >/dev/null
cni_ipam_gives 172.16.0.52/24
rg_cni ADD g1 "$pod2" net2 "$(cni_conf 1.1.0)" >/dev/null
other=$(cni_conf 1.1.0)
other=${other/\"rails\"/\"elsewhere\"}
cni_ipam_gives 172.16.0.53/24
rg_cni ADD g2 "$pod2" net3 "$other" >/dev/null
tap_is "four attachments" "$(cni_pods)" 4
tap_refuse "GC without a list" rg_cni GC "" "" "" "$(cni_conf 1.1.0)"
tap_refuse "GC with a list that cannot be read" rg_cni GC "" "" "" \
	"$(cni_conf 1.1.0 '"cni.dev/valid-attachments":[{"containerID":1}],')"
tap_is "... removes nothing" "$(cni_pods)" 4
: >"$RG_TMP/ipam.log"
tap_run "GC" rg_cni GC "" "" "" "$(cni_conf 1.1.0 \
	'"cni.dev/valid-attachments":[{"containerID":"d2","ifname":"net1"}],')"
tap_is "the valid one and the other network's stay" "$(cni_pods)" 2
tap_run "the valid interface stays" ip -n "$pod" link show net1
tap_is "the stale interfaces are gone" "$(ip -n "$pod2" -o link | grep -c 'net[12]@')" 0
tap_is "IPAM freed both and was told of the GC" "$(cut -d' ' -f1-3 "$RG_TMP/ipam.log" | sort)" \
	"$(printf 'DEL g1 net1\nDEL g1 net2\nGC  ')"
rg_cni DEL g2 "$pod2" net3 "$other"
tap_run "GC with null for none" rg_cni GC "" "" "" \
	"$(cni_conf 1.1.0 '"cni.dev/valid-attachments":null,')"
cni_nothing_left "after GC" "$pod"

# STATUS
tap_run "STATUS of a node that is ready" rg_cni STATUS "" "" "" "$(cni_conf 1.1.0)"
status() {
	local out

	out=$(rg_cni STATUS "" "" "" "${3-$(cni_conf 1.1.0)}" 2>/dev/null || true)
	tap_match "STATUS: $1" "$(cni_get "$out" 'str(d["code"]) + " " + d["msg"]')" "^50 .*$2"
}
ip link set rail0 down
status "rail down" "rail 'rail0' .* is down"
ip link set rail0 up
conf=$(cni_conf 1.1.0)
status "unknown rail" 'rail5' "${conf/rail0/rail5}"
rg_agent_stop
mv "$RAILGATE_PIN_DIR/v1" "$RAILGATE_PIN_DIR/v1-away"
status "programs not loaded" 'start railgated'
mv "$RAILGATE_PIN_DIR/v1-away" "$RAILGATE_PIN_DIR/v1"
mv "$RAILGATE_CONFIG" "$RAILGATE_CONFIG.away"
status "no configuration" 'railgate.json'
tap_done
