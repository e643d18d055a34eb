#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# railctl show, policy, watch and explain against the real agent: what they say agrees with what
# happened, in text and in JSON, with and without an agent.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

GOOD=172.16.0.2
BAD=10.9.9.9

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
mac=$(cat /sys/class/net/rail0/address)
for ip in $GOOD $BAD; do
	ip neigh add "$ip" lladdr 02:00:00:00:00:02 nud permanent dev rail0
done
ip route add "$BAD/32" dev rail0

config() { # config POLICY-MEMBERS
	cat >"$RAILGATE_CONFIG" <<-END
		{"rdmaCidrs": ["172.16.0.0/16"], "policy": {$1},
		 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}},
		           {"name": "rail1", "match": {"netdev": "rail1"}}]}
	END
}
config '"mode": "enforce"'

# json EXPRESSION: evaluate it over the document d on standard input
json() {
	python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}
code() { # code COMMAND...: its exit status
	local rc=0

	"$@" >"$RG_TMP/out" 2>"$RG_TMP/err" || rc=$?
	echo "$rc"
}

tap_is "without a policy, show says so" "$(code railctl show)" 3
tap_match "and names the remedy" "$(cat "$RG_TMP/out")" "not loaded.*start railgated"
tap_is "without a policy, policy fails" "$(code railctl policy)" 1
tap_is "without a policy, watch fails" "$(code railctl watch)" 1
tap_is "an unknown command is wrong usage" "$(code railctl sow)" 2
tap_is "an unknown option is wrong usage" "$(code railctl show --nonsense)" 2
tap_is "an unknown table is wrong usage" "$(code railctl show pods)" 2
tap_is "no interval is wrong usage" "$(code railctl show -i -1)" 2
for command in show watch policy explain doctor gc cleanup; do
	tap_match "$command --help has an example" "$(railctl "$command" --help)" "Examples:"
done

rg_agent_start
"$RG_BUILD/tools/udpflood" "$GOOD" 9 300 0 "$BAD" >/dev/null

out=$(railctl show --interval 0.2)
tap_match "rail0 is up and guarded" "$out" "^rail0 +rail0 +up .*enforce/standard +1 +first +first +172.16.0.1/24"
tap_match "rail1 is absent" "$out" "^rail1 +- +absent"
tap_match "drops are explained" "$out" "^rail0 +host +dst_cidr +300 "
doc=$(railctl show --json --interval 0.2)
host='[e for e in d["endpoints"] if e["rail"] == "rail0"][0]'
tap_is "JSON: packets that passed" "$(json "$host"'["tx"]["ip_packets"]' <<<"$doc")" 300
tap_is "JSON: packets that were dropped" "$(json "$host"'["dropped_packets"]' <<<"$doc")" 300
tap_is "JSON: hooks" \
	"$(json 'd["rails"][0]["tx_hook"]["attached"], d["rails"][0]["rx_hook"]["position"]' <<<"$doc")" \
	"(True, 0)"
tap_is "JSON: an absent rail has no netdev" "$(json 'd["rails"][1]["netdev"]' <<<"$doc")" None

"$RG_BUILD/tools/udpflood" "$GOOD" 9 40000 10000 >/dev/null &
flood=$!
doc=$(railctl show endpoints --json --interval 1)
wait "$flood"
tap_num "a rate is measured" "$(json "int($host"'["tx"]["ip_bytes_per_second"])' <<<"$doc")" -gt 500000

# watch: through the agent, two at a time, and from the ring buffer once it is gone
drops() {
	"$RG_BUILD/tools/udpflood" "$GOOD" 9 1 0 "$BAD" >/dev/null
}
watch_one() { # watch_one OPTION...: first event that passes the filter, while drops happen
	timeout 20 railctl watch -n 1 "$@" >"$RG_TMP/watch" 2>"$RG_TMP/watch.err" &
	local pid=$!

	while kill -0 "$pid" 2>/dev/null; do
		drops
		hold 0.1
	done
	wait "$pid"
}
tap_run "watch ends after one event" watch_one
tap_match "its line" "$(cat "$RG_TMP/watch")" \
	"^[0-9:.]+ rail0 host dst_cidr: udp 172.16.0.1:[0-9]+ > $BAD:9, [0-9]+ bytes, rail-tx"
tap_match "it reads from the agent" "$(cat "$RG_TMP/watch.err")" "from the agent"
tap_run "watch --json" watch_one --json --reason dst_cidr --rail rail0
tap_is "its object" "$(json 'd["dst"], d["reason_number"], d["audit"]' <"$RG_TMP/watch")" \
	"('$BAD', 14, False)"
tap_is "its header" "$(json 'd["header"][:12]' <"$RG_TMP/watch")" 020000000002
drops
tap_is "what is filtered out does not count" \
	"$(code timeout 1 railctl watch -n 1 --reason src_ip)" 124
tap_is "a signal ends it in order" \
	"$(code timeout --preserve-status 1 railctl watch --rail rail9)" 0
tap_is "an unknown reason is wrong usage" "$(code railctl watch --reason nonsense)" 2

# policy
tap_is "what is in force is what the file says" "$(code railctl policy)" 0
config '"mode": "audit", "allow": ["bgp"]'
cat >"$RG_TMP/other.json" <<-END
	{"rdmaCidrs": ["172.16.0.0/16", "172.17.0.0/16"], "policy": {"profile": "strict"},
	 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END
tap_is "another file differs" "$(code railctl policy --config "$RG_TMP/other.json")" 3
tap_match "in its CIDRs" "$(cat "$RG_TMP/out")" "rdmaCidrs: in force 172.16.0.0/16; file .*172.17"
tap_match "in its profile" "$(cat "$RG_TMP/out")" "rail0.policy.profile: in force standard; file strict"
tap_match "in its rails" "$(cat "$RG_TMP/out")" "rail1.rails: in force loaded; file not declared"
is_audit() {
	railctl policy --json | json 'd["rails"][0]["mode"] == "audit" or 1 / 0'
}
tap_run "audit comes into force" wait_for 10 is_audit
tap_run "watch in mode audit" watch_one
tap_match "says that it passed" "$(cat "$RG_TMP/watch")" "audit: passed"
config '"mode": "enforce"'
is_enforce() {
	railctl policy --json | json 'd["rails"][0]["mode"] == "enforce" or 1 / 0'
}
tap_run "enforce comes back" wait_for 10 is_enforce

# explain: what it says is what happens, and no counter moves
frame() { # frame SOURCE DESTINATION PORT: a UDP frame in hexadecimal
	python3 - "$mac" "$@" <<-'END'
		import socket, struct, sys
		mac, src, dst, port = sys.argv[1:]
		udp = struct.pack("!HHHH", 49152, int(port), 8, 0)
		ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28, 0, 0x4000, 64, 17, 0,
		                 socket.inet_aton(src), socket.inet_aton(dst))
		print("020000000002" + mac.replace(":", "") + "0800" + (ip + udp).hex())
	END
}
counters() {
	railctl show drops --json | json 'sorted((x["reason"], x["packets"]) for x in d["drops"])'
	bpftool map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_counters" | md5sum
}
before=$(counters)
tap_is "an allowed frame" "$(code railctl explain "$(frame 172.16.0.1 "$GOOD" 53)")" 0
tap_match "passes by its CIDR" "$(cat "$RG_TMP/out")" "rdmaCidrs\[0\] 172.16.0.0/16"
tap_is "a leak" "$(code railctl explain "$(frame 172.16.0.1 "$BAD" 53)")" 3
tap_match "is dropped for its destination" "$(cat "$RG_TMP/out")" "dst_cidr"
tap_is "a foreign source" "$(code railctl explain --json "$(frame 172.16.0.9 "$GOOD" 53)")" 3
tap_is "is dropped for it" "$(json 'd["frames"][0]["reason"]' <"$RG_TMP/out")" src_ip
tap_is "by the very program in force" "$(json 'd["same_program"]' <"$RG_TMP/out")" True
tap_is "no counter has moved" "$(counters)" "$before"
{
	frame 172.16.0.1 "$GOOD" 53
	echo "# a comment"
	frame 172.16.0.1 "$BAD" 53
} >"$RG_TMP/frames"
tap_is "a file of frames" "$(code railctl explain --json "$RG_TMP/frames")" 3
tap_is "each is judged" "$(json '[f["passed"] for f in d["frames"]]' <"$RG_TMP/out")" "[True, False]"
tap_is "standard input" "$(code railctl explain - <"$RG_TMP/frames")" 3
tcpdump -i rail0 -c 1 -w "$RG_TMP/one.pcap" -Q out udp 2>"$RG_TMP/tcpdump.err" &
tcpdump=$!
wait_for 10 grep -q listening "$RG_TMP/tcpdump.err"
"$RG_BUILD/tools/udpflood" "$GOOD" 9 1 0 >/dev/null
wait "$tcpdump"
tap_is "a capture" "$(code railctl explain "$RG_TMP/one.pcap")" 0
tap_is "a rail that is not there" "$(code railctl explain --rail rail9 "$RG_TMP/one.pcap")" 1
tap_is "no frame" "$(code railctl explain nonsense)" 1
tap_is "nothing at all" "$(code railctl explain)" 2

mv "$RAILGATE_CONFIG" "$RG_TMP/away"
tap_is "without a configuration, show says so" "$(code railctl show -i 0)" 3
tap_match "and shows what is in the maps" "$(cat "$RG_TMP/out")" "^rail0 +host +dst_cidr"
tap_is "rails alone cannot be shown" "$(code railctl show rails)" 1
mv "$RG_TMP/away" "$RAILGATE_CONFIG"

# a command that cannot print says so, and one whose reader has gone ends
tap_is "a full disk is a failure" "$(code sh -c 'railctl policy >/dev/full')" 1
tap_run "a reader that goes ends it" sh -c 'railctl show --help | head -n 1'

rg_agent_stop
tap_run "watch without an agent" watch_one
tap_match "reads the ring buffer" "$(cat "$RG_TMP/watch.err")" "ring buffer"

railctl cleanup --yes >/dev/null
ip link del rail0
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
