#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# railctl doctor on a living system: a node that is well, then one fault after another, each found
# with its level, and the exit code that goes with it. Nothing is changed by looking.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot
tcxprog=$RG_BUILD/tools/tcxprog

ns_new fabric fab
for i in 0 1; do
	rail_pair "rail$i" "$fabric"
	ip addr add "172.16.$i.1/24" dev "rail$i"
	echo 1 >"/proc/sys/net/ipv4/conf/rail$i/arp_ignore"
	echo 2 >"/proc/sys/net/ipv4/conf/rail$i/arp_announce"
done
config() { # config MEMBERS-OF-RAIL0
	cat >"$RAILGATE_CONFIG" <<-END
		{"rdmaCidrs": ["172.16.0.0/16"],
		 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}, "addresses": ["172.16.0.1/24"]$1},
		           {"name": "rail1", "match": {"netdev": "rail1"}}]}
	END
}
config ""

# level CHECK [SUBJECT]: worst level of a check's findings
level() {
	railctl doctor --json | python3 -c '
import json, sys
order = ["ok", "info", "skipped", "warning", "problem"]
found = [f for f in json.load(sys.stdin)["findings"]
         if f["check"] == sys.argv[1] and (len(sys.argv) < 3 or f["subject"] == sys.argv[2])]
for f in found:
    assert f["why"], f
    assert f["remedy"] or f["level"] in order[:3], f
print(max((f["level"] for f in found), key=order.index) if found else "absent")' "$@"
}
code() {
	local rc=0

	railctl doctor >"$RG_TMP/out" || rc=$?
	echo "$rc"
}
state() {
	ip -j addr && ip -j rule && ip -j route && bpftool -j net && find "$RAILGATE_PIN_DIR"
}

tap_is "before the agent runs, doctor reports problems" "$(code)" 4
tap_is "the policy is not loaded" "$(level guard.pins)" problem
tap_is "the agent does not answer" "$(level guard.agent)" problem
tap_is "the rails are not guarded" "$(level guard.hooks rail0)" problem

rg_agent_start
before=$(state)
for check in kernel.bpffs kernel.btf guard.config guard.pins guard.agent guard.hooks guard.policy \
	kernel.jit rail.netdev rail.up rail.mtu rail.arp rail.rp_filter routes.rules routes.tables foreign.tc; do
	tap_is "$check is well" "$(level "$check")" ok
done
tap_is "a look changes nothing" "$(state)" "$before"
tap_is "a machine without RDMA is worth a warning" "$(code)" 3

config ', "mtu": 9000, "manage": false'
kill -HUP "$RG_AGENT_PID"
tap_is "an MTU other than declared" "$(level rail.mtu rail0)" problem
tap_is "the other rail's is well" "$(level rail.mtu rail1)" ok
tap_is "makes the exit code 4" "$(code)" 4
config ""
kill -HUP "$RG_AGENT_PID"

echo '{"rdmaCidrs": 5}' >"$RAILGATE_CONFIG"
tap_is "a file with an error" "$(level guard.config)" problem
tap_match "is named with its path" "$(railctl doctor --brief || true)" "rdmaCidrs"
config ""

ip link set rail1 down
tap_is "a rail that is down" "$(level rail.up rail1)" problem
ip link set rail1 up
ip -n "$fabric" link set rail1 down
tap_is "a rail without carrier" "$(level rail.up rail1)" problem
ip -n "$fabric" link set rail1 up

echo 1 >/proc/sys/net/ipv4/conf/rail0/rp_filter
tap_is "strict rp_filter" "$(level rail.rp_filter rail0)" problem
echo 0 >/proc/sys/net/ipv4/conf/rail0/rp_filter
echo 0 >/proc/sys/net/ipv4/conf/rail1/arp_announce
tap_is "ARP for the other rail's address" "$(level rail.arp rail1)" warning
echo 2 >/proc/sys/net/ipv4/conf/rail1/arp_announce

# what scripts leave: a rule by source with its table, and the rule for everything else
ip rule add from 172.16.0.1 table 151
tap_is "a rule by a rail's source" "$(level routes.rules rail0)" warning
ip rule del from 172.16.0.1 table 151
ip rule add not to 172.16.0.0/16 table main priority 2000
tap_is "a rule for what is not of the fabric" "$(level routes.rules)" warning
tap_match "is printed as ip rule does" "$(railctl doctor --brief || true)" \
	"2000: not from all to 172.16.0.0/16 lookup 254"
ip rule del priority 2000
ip rule add from 192.0.2.1 table 151
tap_is "a rule of someone else is none of ours" "$(level routes.rules)" ok
ip rule del from 192.0.2.1 table 151
ip route add 172.16.0.0/16 dev rail0 table 151
tap_is "a table of its own for a rail" "$(level routes.tables rail0)" warning
ip route del 172.16.0.0/16 dev rail0 table 151

mkdir /sys/fs/bpf/foreign
"$tcxprog" attach rail0 egress tail -1 /sys/fs/bpf/foreign/behind
tap_is "a foreign program behind ours" "$(level foreign.tc rail0)" info
rm /sys/fs/bpf/foreign/behind
rg_agent_stop
"$tcxprog" attach rail0 egress head -1 /sys/fs/bpf/foreign/front
tap_is "a foreign program in front of ours" "$(level foreign.tc rail0)" warning
tap_is "is seen by our hook too" "$(level guard.hooks rail0)" warning
rm /sys/fs/bpf/foreign/front
tap_is "an agent that has ended" "$(level guard.agent)" problem

if command -v nft >/dev/null; then
	nft add table inet t
	nft add chain inet t c
	nft add rule inet t c udp dport 4791 drop
	tap_is "a firewall rule for RoCE" "$(level foreign.firewall)" warning
	nft delete table inet t
	nft add table inet t
	nft add chain inet t c
	nft add rule inet t c udp dport 14791 drop
	tap_is "a rule for another port is none" "$(level foreign.firewall)" ok
	nft delete table inet t
else
	tap_skip "a firewall rule for RoCE" "nft is not installed"
fi

rm "$RAILGATE_PIN_DIR/v1/maps/rg_drops"
tap_is "a pin that is missing" "$(level guard.pins)" problem

railctl cleanup --yes >/dev/null
rm -r /sys/fs/bpf/foreign
ip link del rail0
ip link del rail1
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
