#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kernel: rxe
# timeout: 500
#
# Everything that soft-RoCE can send passes profile strict: connections by RDMA-CM, RC, UC and UD,
# sends, writes, reads and atomics, over IPv4 and IPv6, without one false drop, and the opcode
# classes that the maps count are those that tshark finds in a capture of the same traffic.
set -eu
. "$(dirname "$0")/../lib/test.sh"

export RXE_HOST=172.16.0.11
A4=172.16.0.10 B4=172.16.0.11 A6=fd00:16::10 B6=fd00:16::11
pod_a='' pod_b=''

# netconf RAIL ADDRESS4 ADDRESS6
netconf() {
	printf '{"cniVersion":"1.0.0","name":"rails","type":"railgate","mode":"macvlan","rail":"%s",' "$1"
	printf '"ipam":{"type":"static","addresses":[{"address":"%s/24"},{"address":"%s/64"}]}}\n' "$2" "$3"
}

perf() {
	local name=$1

	shift
	tap_run "$name over IPv4" rxe_perf "$1" "$pod_a" rxea "$pod_b" rxeb "$B4" "$A4" -n 50 "${@:2}"
	tap_run "$name over IPv6" rxe_perf "$1" "$pod_a" rxea "$pod_b" rxeb "$B6" "$A6" -n 50 "${@:2}"
}

# opcodes CAPTURE: number of packets by BTH opcode, as tshark dissects them
opcodes() {
	tshark -r "$1" -Y infiniband.bth -T fields -e infiniband.bth.opcode 2>/dev/null | sort -n | uniq -c
}

# class_of OPCODE...: packets of these opcodes in the capture
packets_of() {
	awk -v list=" $* " 'index(list, " " $2 " ") { n += $1 } END { print n + 0 }' "$RG_TMP/opcodes"
}

# counted OP: packets of an opcode class that rail0 sent
counted() {
	rg_metric "railgate_tc_roce_opcode_packets_total{rail=\"rail0\",direction=\"egress\",op=\"$1\"}" || echo 0
}

vm_prepare rdma_rxe ib_uverbs rdma_ucm macvlan veth
rg_env
rails_as_wire
# perftest's two sides find each other over TCP, which strict refuses unless it is listed
rails_config '{"profile": "strict", "allow": [{"proto": "tcp", "port": 18515, "from": "pods"}]}'
residue_snapshot
rg_agent_start
ns_new pod_a
ns_new pod_b
tap_run "ADD pod a" rg_cni ADD ca "$pod_a" net1 "$(netconf rail0 "$A4" "$A6")" "$(rg_pod_args ml a)"
tap_run "ADD pod b" rg_cni ADD cb "$pod_b" net1 "$(netconf rail1 "$B4" "$B6")" "$(rg_pod_args ml b)"
rxe_add "$pod_a" rxea
rxe_add "$pod_b" rxeb
tcpdump -i rail0 -Q out -s 128 -w "$RG_TMP/rail0.pcap" udp port 4791 2>"$RG_TMP/tcpdump.log" &
capture=$!
wait_for 20 grep -q listening "$RG_TMP/tcpdump.log"

tap_run "rping over IPv4" rxe_rping "$pod_a" "$A4" "$pod_b" "$B4" 10
tap_run "rping over IPv6" rxe_rping "$pod_a" "$A6" "$pod_b" "$B6" 10
perf "RC write" ib_write_bw -s 2048
perf "RC send" ib_send_bw -s 2048
perf "RC read" ib_read_bw -s 2048
perf "RC atomic" ib_atomic_bw -A FETCH_AND_ADD
perf "UC write" ib_write_bw -c UC -s 2048
perf "UC send" ib_send_bw -c UC -s 2048
perf "UD send" ib_send_bw -c UD -s 512

# proto_denied cannot be RoCE: it is the last TCP segment of perftest's two sides, which resets
# without ACK
tap_is "not one RoCE packet was dropped on the way" \
	"$(rg_get /metrics | grep dropped_packets | grep 'pod="[ab]"' | grep -v proto_denied || true)" ""
hold 1
kill -INT "$capture"
wait "$capture" || true
opcodes "$RG_TMP/rail0.pcap" >"$RG_TMP/opcodes"
tap_diag "opcodes in the capture:" "$(cat "$RG_TMP/opcodes")"
tap_is "sends: maps and tshark agree" "$(counted send)" "$(packets_of 0 1 2 3 4 5 22 23 32 33 34 35 36 37)"
tap_is "writes: maps and tshark agree" "$(counted write)" "$(packets_of 6 7 8 9 10 11 38 39 40 41 42 43)"
tap_is "read requests: maps and tshark agree" "$(counted read)" "$(packets_of 12)"
tap_is "acknowledgements: maps and tshark agree" "$(counted ack)" "$(packets_of 17)"
tap_is "atomics: maps and tshark agree" "$(counted atomic)" "$(packets_of 18 19 20)"
tap_is "datagrams: maps and tshark agree" "$(counted ud)" "$(packets_of 100 101)"

rg_cni DEL ca "$pod_a" net1 "$(netconf rail0 "$A4" "$A6")"
rg_cni DEL cb "$pod_b" net1 "$(netconf rail1 "$B4" "$B6")"
ip netns del "$pod_a"
ip netns del "$pod_b"
rg_agent_stop
railctl cleanup --yes >/dev/null
rm -rf "$RAILGATE_RUN_DIR" "$RAILGATE_STATE_DIR"
residue_check "nothing is left"
tap_done
