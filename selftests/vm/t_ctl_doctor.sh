#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# kernel: rxe
# timeout: 300
#
# railctl doctor on rails with real (soft) RDMA devices: what it says about device, GUID, port, GIDs
# and user access is what the kernel has, and changes with it. Explain judges a long RDMA frame.
set -eu
. "$(dirname "$0")/../lib/test.sh"

# level CHECK SUBJECT: level of a finding
level() {
	railctl doctor --json | python3 -c '
import json, sys
print(*[f["level"] for f in json.load(sys.stdin)["findings"]
        if f["check"] == sys.argv[1] and f["subject"] == sys.argv[2]])' "$1" "$2"
}
found() {
	railctl doctor | grep -E "^[a-z]+ +$1 .*$2: "
}

vm_prepare rdma_rxe ib_uverbs veth
rg_env
residue_snapshot
rails_as_wire
ip addr add 172.16.0.10/24 dev rail0
rails_config
rg_agent_start

tap_is "a rail without an RDMA device" "$(level rdma.device rail0)" warning
rdma link add rxe0 type rxe netdev rail0
tap_run "soft-RoCE on the rail" wait_for 10 sh -c 'rdma link show rxe0/1 | grep -q "state ACTIVE"'
tap_is "its device is found" "$(level rdma.device rail0)" ok
tap_match "by its name" "$(found rdma.device rail0)" "rxe0 serves rail0"
tap_is "the other rail's is still missing" "$(level rdma.device rail1)" warning
tap_is "its GUID is not 0" "$(level rdma.guid rail0)" ok
tap_match "and is the kernel's" "$(found rdma.guid rail0)" \
	"$(cat /sys/class/infiniband/rxe0/node_guid)"
tap_match "its port is active" "$(found rdma.port rail0)" "^ok .*port 1 is active, Ethernet"
tap_match "it has RoCEv2 GIDs" "$(found rdma.gid rail0)" "^ok .*rxe0 has [1-9][0-9]* RoCEv2 GIDs"
tap_match "pods can open it" "$(found rdma.verbs rail0)" "^ok .*/dev/infiniband/uverbs"
tap_match "its MTU is enough" "$(found rdma.mtu rail0)" "^ok .*4096"
tap_match "devices are shared" "$(railctl doctor | grep rdma.namespaces)" "shared"
tap_match "railctl show names it" "$(railctl show rails)" "^rail0 +rail0 +up +rxe0 "
ip link set rail0 mtu 1500
tap_match "a small MTU is a warning" "$(found rdma.mtu rail0)" "^warning .*1024 bytes"
ip link set rail0 mtu 4200
ip link set rail0 down
tap_match "a rail that is down has no active port" "$(found rdma.port rail0)" "^problem"
ip link set rail0 up

mac=$(cat /sys/class/net/rail0/address)
frame=$(
	python3 - "$mac" <<-'END'
		import socket, struct, sys
		bth = bytes([0x07, 0, 0xff, 0xff, 0, 0, 0, 0xd2, 0, 0, 0, 1])
		data = bth + bytes(4096) + b"icrc"
		udp = struct.pack("!HHHH", 49152, 4791, 8 + len(data), 0) + data
		ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0,
		                 socket.inet_aton("172.16.0.10"), socket.inet_aton("172.16.0.11"))
		print("020000000002" + sys.argv[1].replace(":", "") + "0800" + (ip + udp).hex())
	END
)
echo "$frame" >"$RG_TMP/frame"
tap_run "explain judges an RDMA frame of 4 KiB" railctl explain --rail rail0 "$RG_TMP/frame"
tap_match "as RoCE" "$TAP_OUT" "profile standard: well-formed RoCEv2"

rg_agent_stop
rdma link del rxe0
tap_run "cleanup" railctl cleanup --yes
ip link del rail0
residue_check "nothing is left"
tap_done
