#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kernel: rxe
# timeout: 400
#
# Two pods, made by the plugin on two rails, speak real RoCEv2. What the maps counted must agree
# with what the RDMA devices counted themselves, leaks must not get out, and DEL leaves nothing.
set -eu
. "$(dirname "$0")/../lib/test.sh"

A=172.16.0.10 B=172.16.0.11

# counters POD DIRECTION: RoCE packets, bytes and CNPs of a pod, by railctl
counters() {
	railctl --json show endpoints --interval 0 | python3 -c '
import json, sys
pod, direction = sys.argv[1:]
for e in json.load(sys.stdin)["endpoints"]:
    if e["pod"] == pod:
        d = e[direction]
        print(d["roce_packets"], d["roce_bytes"], d["cnp_packets"])' "$1" "$2"
}

dropped() {
	local labels="namespace=\"ml\",pod=\"$1\",rail=\"$2\",reason=\"$3\""

	rg_metric "railgate_egress_dropped_packets_total{$labels}" || echo 0
}

vm_prepare rdma_rxe ib_uverbs rdma_ucm macvlan veth
rg_env
rails_as_wire
rails_config
residue_snapshot
rg_agent_start

pod_a='' pod_b=''
ns_new pod_a poda
ns_new pod_b podb
tap_run "ADD pod a on rail0" rg_cni ADD ca "$pod_a" net1 "$(rg_netconf rail0 "$A"/24)" "$(rg_pod_args ml a)"
tap_run "ADD pod b on rail1" rg_cni ADD cb "$pod_b" net1 "$(rg_netconf rail1 "$B"/24)" "$(rg_pod_args ml b)"
tap_run "soft-RoCE on the pods' macvlans" rxe_add "$pod_a" rxea
rxe_add "$pod_b" rxeb

tap_run "rping by RDMA-CM" rxe_rping "$pod_a" "$A" "$pod_b" "$B" 20
tap_run "ib_write_bw" rxe_perf ib_write_bw "$pod_a" rxea "$pod_b" rxeb "$B" "$A" -n 200 -s 4096

# Packets agree to one: both count a packet once. Bytes differ by 14 a packet: rxe counts from the
# IP header to the ICRC, the hooks count frames, which have an Ethernet header in front of that.
wait_same 10 counters a tx >/dev/null
read -r tx_packets tx_bytes _ <<<"$(counters a tx)"
read -r rx_packets rx_bytes _ <<<"$(counters b rx)"
sent=$(rxe_counter "$pod_a" rxea sent_pkts)
sent_bytes=$(rxe_counter "$pod_a" rxea sent_bytes)
received=$(rxe_counter "$pod_b" rxeb rcvd_pkts)
tap_diag "pod a sent: maps $tx_packets packets $tx_bytes bytes, rxe $sent packets $sent_bytes bytes"
tap_diag "pod b received: maps $rx_packets packets $rx_bytes bytes, rxe $received packets"
tap_num "the pod sent something" "$sent" -gt 200
tap_is "packets sent by pod a: maps and rxe agree" "$tx_packets" "$sent"
tap_is "packets received by pod b: maps and rxe agree" "$rx_packets" "$received"
tap_is "bytes sent by pod a: 14 a packet beyond rxe's" "$((tx_bytes - sent_bytes))" "$((14 * tx_packets))"
tap_is "what a sent b received" "$rx_packets $rx_bytes" "$tx_packets $tx_bytes"

in_ns "$pod_a" ip route add 8.8.8.8/32 dev net1 || true
in_ns "$pod_a" ip neigh add 8.8.8.8 lladdr 02:00:00:00:00:99 dev net1 nud permanent || true
leaks() {
	in_ns "$pod_a" timeout 3 bash -c 'echo >/dev/tcp/8.8.8.8/53'
}
if leaks 2>/dev/null; then
	tap_fail "a TCP connection out of the RDMA CIDR does not come about"
else
	tap_ok "a TCP connection out of the RDMA CIDR does not come about"
fi
tap_num "is dropped and counted with its reason" "$(dropped a rail0 dst_cidr)" -ge 1
tap_is "no RoCE was dropped" "$(rg_get /metrics | grep dropped_packets | grep -c roce || true)" 0

tap_run "DEL pod a" rg_cni DEL ca "$pod_a" net1 "$(rg_netconf rail0 "$A"/24)"
tap_run "DEL pod b" rg_cni DEL cb "$pod_b" net1 "$(rg_netconf rail1 "$B"/24)"
ip netns del "$pod_a"
ip netns del "$pod_b"
rg_agent_stop
tap_run "cleanup removes what the agent left on purpose" railctl cleanup --yes
rm -rf "$RAILGATE_RUN_DIR" "$RAILGATE_STATE_DIR"
residue_check "nothing is left"
tap_done
