#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The tool with real pods: it names them, explains their frames at the hook that judges them, and
# gc takes away what a pod that died without DEL left, addresses included.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
export RG_CNI_PATH=/usr/lib/cni
residue_snapshot

GATEWAY=172.16.0.1
BAD=10.9.9.9

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.10/24 dev rail0
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"],
	 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}, "gateways": ["$GATEWAY"]}]}
END
ranges=$RG_TMP/addresses
netconf=$(
	cat <<-END
		{"cniVersion": "1.0.0", "name": "rails", "type": "railgate", "mode": "macvlan", "rail": "rail0",
		 "ipam": {"type": "host-local", "dataDir": "$ranges",
		          "ranges": [[{"subnet": "172.16.0.0/24", "rangeStart": "172.16.0.64"}]]}}
	END
)
json() {
	python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}
code() {
	local rc=0

	"$@" >"$RG_TMP/out" 2>"$RG_TMP/err" || rc=$?
	echo "$rc"
}
addresses() {
	find "$ranges" -name '172.*' | wc -l
}

rg_agent_start
ns_new a pod
ns_new b pod
tap_run "ADD of one pod" rg_cni ADD c-one "$a" net1 "$netconf" "$(rg_pod_args team one)"
tap_run "ADD of another" rg_cni ADD c-two "$b" net1 "$netconf" "$(rg_pod_args team two)"
tap_match "both are shown" "$(railctl show endpoints -i 0)" "^rail0 +team/two net1 +macvlan"
mac=$(ip -n "$a" -j link show net1 |
	json 'd[0]["address"]')

# a leak of one pod, seen by name
in_ns "$a" ip neigh add "$GATEWAY" lladdr 02:00:00:00:00:02 dev net1
in_ns "$a" ip route add "$BAD" via "$GATEWAY" dev net1
timeout 20 railctl watch -n 1 --pod team/one --reason dst_cidr >"$RG_TMP/watch" 2>/dev/null &
watcher=$!
while kill -0 "$watcher" 2>/dev/null; do
	in_ns "$a" "$RG_BUILD/tools/udpflood" "$BAD" 9 1 0 >/dev/null
	hold 0.1
done
tap_match "watch names the pod" "$(cat "$RG_TMP/watch")" \
	"rail0 team/one net1 dst_cidr: udp 172.16.0.64:[0-9]+ > $BAD:9"
tap_num "its drops are counted" "$(railctl show drops --json |
	json 'sum(x["packets"] for x in d["drops"] if x["pod"] == "one" and x["reason"] == "dst_cidr")')" \
	-ge 1
tap_nomatch "the other's are not" "$(railctl show drops)" "team/two net1 +dst_cidr"

frame() { # frame SOURCE-MAC SOURCE
	python3 - "$1" "$2" <<-'END'
		import socket, struct, sys
		mac, src = sys.argv[1:]
		udp = struct.pack("!HHHH", 49152, 53, 8, 0)
		ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 0, 0x4000, 64, 17, 0,
		                 socket.inet_aton(src), socket.inet_aton("172.16.3.3"))
		print("020000000002" + mac.replace(":", "") + "0800" + (ip + udp).hex())
	END
}
tap_is "a frame of the pod passes" "$(code railctl explain --pod team/one "$(frame "$mac" 172.16.0.64)")" 0
tap_match "as the pod's" "$(cat "$RG_TMP/out")" "sender +team/one net1"
tap_match "at the rail's hook" "$(cat "$RG_TMP/out")" "rail0 rail-tx"
tap_is "with the other pod's address it does not" \
	"$(code railctl explain "$(frame "$mac" 172.16.0.65)")" 3
tap_match "which explain says" "$(cat "$RG_TMP/out")" "172.16.0.65 is not an address of the endpoint"
tap_is "nor from a MAC that nobody has" "$(code railctl explain "$(frame 02:00:00:00:00:77 172.16.0.64)")" 3
tap_match "which explain says too" "$(cat "$RG_TMP/out")" "MAC 02:00:00:00:00:77 belongs to no endpoint"
tap_is "a pod that is not there" "$(code railctl explain --pod team/three 00)" 1
tap_match "doctor has nothing against the pods" "$(railctl doctor || true)" "ok +guard.hooks"

# a pod that dies without DEL
rg_agent_stop
tap_is "both addresses are taken" "$(addresses)" 2
tap_is "gc leaves living pods alone" "$(railctl gc --json | json 'd["items"]')" "[]"
ip netns del "$a"
tap_match "gc finds the dead one" "$(railctl gc --dry-run)" "attachment +team/one net1 on rail0"
tap_is "and takes it away" "$(code railctl gc)" 0
tap_nomatch "it is shown no more" "$(railctl show endpoints -i 0)" "team/one"
tap_is "its address is free again" "$(addresses)" 1
tap_match "the other stays" "$(railctl show endpoints -i 0)" "team/two"
tap_is "nothing more is left to collect" "$(railctl gc --json | json 'd["items"]')" "[]"
tap_is "cleanup refuses for its sake" "$(code railctl cleanup --yes)" 1

rg_agent_start
tap_run "DEL of the other" rg_cni DEL c-two "$b" net1 "$netconf"
rg_agent_stop
tap_is "cleanup has no reason left" "$(code railctl cleanup --yes)" 0
ip netns del "$b"
ip link del rail0
ip netns del "$fabric"
rm -rf "$ranges"
residue_check "nothing is left"
tap_done
