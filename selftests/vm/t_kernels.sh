#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kernel: 6.1 6.12 rxe
# timeout: 400
#
# On each kernel: the verifier accepts every program, the agent attaches by TCX or, before 6.6, by
# clsact, the policy holds for a pod, and a killed agent leaves it in force.
set -eu
. "$(dirname "$0")/../lib/test.sh"

pod=''

# sees COMMAND...: packets that reach the other end of the rail while the command runs
sees() {
	local before after

	before=$(cat /sys/class/net/wire0/statistics/rx_packets)
	"$@" >/dev/null 2>&1 || true
	after=$(cat /sys/class/net/wire0/statistics/rx_packets)
	echo $((after - before))
}

send_udp() {
	in_ns "$pod" bash -c "echo x >/dev/udp/$1/9000"
}

vm_prepare macvlan veth sch_ingress cls_bpf
rg_env
ip link add rail0 mtu 4200 type veth peer name wire0 mtu 4200
ip link set wire0 addrgenmode none up
ip link set rail0 addrgenmode none up
cat >"$RAILGATE_CONFIG" <<-EOF
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
EOF
residue_snapshot

tap_run "the verifier accepts every program" "$RG_BUILD/selftests/bpf/load_all"
tap_diag "$(grep instructions <<<"$TAP_OUT" || true)"
rg_agent_start
tap_ok "the agent comes up"
case $(uname -r) in
6.1.*) want=clsact ;;
*) want=tcx ;;
esac
tap_match "attached by $want" "$(rg_get /metrics | grep build_info)" "attach=\"$want\""

ns_new pod
tap_run "ADD" rg_cni ADD c "$pod" net1 "$(rg_netconf rail0 172.16.0.10/24)" "$(rg_pod_args ml a)"
for address in 172.16.0.20 8.8.8.8; do
	in_ns "$pod" ip route replace "$address" dev net1
	in_ns "$pod" ip neigh replace "$address" lladdr 02:00:00:00:00:99 dev net1
done
tap_is "a packet into the RDMA CIDR passes" "$(sees send_udp 172.16.0.20)" 1
tap_is "one beyond is dropped" "$(sees send_udp 8.8.8.8)" 0
tap_match "and counted with its reason" "$(rg_get /metrics | grep dropped_packets)" \
	'pod="a",rail="rail0",reason="dst_cidr"} 1'
rg_agent_kill
tap_is "without an agent: a packet into the RDMA CIDR passes" "$(sees send_udp 172.16.0.20)" 1
tap_is "without an agent: one beyond is dropped" "$(sees send_udp 8.8.8.8)" 0
rg_agent_start
tap_ok "a new agent takes over"
tap_match "with the counters as they were" "$(rg_get /metrics | grep dropped_packets)" \
	'pod="a",rail="rail0",reason="dst_cidr"} 2'
tap_run "DEL" rg_cni DEL c "$pod" net1 "$(rg_netconf rail0 172.16.0.10/24)"
ip netns del "$pod"
rg_agent_stop
tap_run "cleanup" railctl cleanup --yes
rm -rf "$RAILGATE_RUN_DIR" "$RAILGATE_STATE_DIR"
residue_check "nothing is left"
tap_done
