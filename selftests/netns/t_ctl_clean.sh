#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# railctl gc and cleanup: what is left is found with its reason and removed, what is needed or not
# ours stays. Cleanup refuses while the agent runs or pods are attached.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
mkdir "$RAILGATE_STATE_DIR/attachments"
residue_snapshot
tcxprog=$RG_BUILD/tools/tcxprog
maps=$RAILGATE_PIN_DIR/v1/maps
links=$RAILGATE_PIN_DIR/v1/links

ns_new fabric fab
rail_pair rail0 "$fabric"
rail_pair rail1 "$fabric"
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"],
	 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}},
	           {"name": "rail1", "match": {"netdev": "rail1"}}]}
END

code() { # code COMMAND...: its exit status
	local rc=0

	"$@" >"$RG_TMP/out" 2>"$RG_TMP/err" || rc=$?
	echo "$rc"
}
# json EXPRESSION: evaluate it over the document d on standard input
json() {
	python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}
found() { # found KIND: how many of a kind gc finds
	railctl gc --dry-run --json | json "sum(i['kind'] == '$1' for i in d['items'])"
}
pods() {
	railctl show endpoints -i 0 --json | json 'sum(e["kind"] == "macvlan" for e in d["endpoints"])'
}
idents() { # idents: identities of pods
	bpftool -j map dump pinned "$maps/rg_idents" |
		json 'sum(e["formatted"]["value"]["slot"] >= 32 for e in d)'
}

tap_is "nothing is there to collect" "$(code railctl gc)" 0
rg_agent_start
tap_match "gc finds nothing on a node that is well" "$(railctl gc)" "nothing is left"

# endpoints without a record, as after a kill at the wrong moment; the agent would tidy up itself
rg_agent_stop
"$RG_BUILD/tools/endpoints" "$RAILGATE_PIN_DIR" 6 2
tap_is "endpoints are shown" "$(pods)" 6
tap_is "those without a record are found" "$(found endpoint)" 6
tap_match "with their names" "$(railctl gc --dry-run)" "training/llama-worker-0 net1 on rail1"
tap_is "a dry run removes nothing" "$(pods)" 6
mv "$RAILGATE_STATE_DIR" "$RG_TMP/elsewhere"
tap_match "without a state directory nothing is taken for left" "$(railctl gc)" "not looked at"
tap_is "and nothing is removed" "$(pods)" 6
mv "$RG_TMP/elsewhere" "$RAILGATE_STATE_DIR"
bpftool map delete pinned "$maps/rg_endpoints" key hex 21 00 00 00
tap_is "identities of a slot that nobody has are found" "$(found identity)" 2
tap_is "gc removes all of it" "$(code railctl gc)" 0
tap_is "no endpoint is left" "$(pods)" 0
tap_is "no identity is left" "$(idents)" 0
tap_match "the host's own stay" "$(railctl show endpoints -i 0.1)" "^rail0 +host"

# attachments: records of pods that live and of pods that are gone in every way
record() { # record ID NETNS-PATH INODE [BOOT [PHASE [CREATED]]]
	local dir=$RAILGATE_STATE_DIR/attachments/$1

	mkdir -p "$dir"
	cat >"$dir/net1.json" <<-END
		{"schema": 1, "bootId": "${4:-$(cat /proc/sys/kernel/random/boot_id)}", "phase": ${5:-1},
		 "containerId": "$1", "ifname": "net1", "group": "net1", "network": "rails",
		 "netns": "$2", "netnsDev": $(stat -L -c %d "/run/netns/$pod"),
		 "netnsIno": $3, "mode": "macvlan", "rail": "rail0", "railNumber": 0,
		 "podNamespace": "tenant", "podName": "pod-$1", "podUid": "", "slot": 0, "hasSlot": false,
		 "mac": "02:00:00:00:00:01", "tempName": "", "ifindex": 0, "rdmaDevice": "",
		 "gidIndex": -1, "createdSeconds": ${6:-$(date +%s)}, "config": "{\"marker\":\"$1\"}",
		 "cniArgs": "K8S_POD_NAME=pod-$1", "cniPath": "$RG_TMP/cni", "addresses": []}
	END
}
left() { # left: ids of the attachments that gc takes for left
	railctl gc --dry-run --json | python3 -c '
import json, re, sys
print(*sorted(re.search("container (\\S+)", i["name"]).group(1)
              for i in json.load(sys.stdin)["items"] if i["kind"] == "attachment"))'
}
ns_new pod pod
ns_new empty pod
ip link add net1 netns "$pod" type veth peer name other netns "$pod"
ino=$(stat -L -c %i "/run/netns/$pod")
old=$(($(date +%s) - 3600))
record live "/run/netns/$pod" "$ino"
record adding "/run/netns/$empty" "$(stat -L -c %i "/run/netns/$empty")" "" 0
tap_is "living pods and ADDs under way are kept" "$(left)" ""
record killed "/run/netns/$empty" "$(stat -L -c %i "/run/netns/$empty")" "" 0 "$old"
record unplugged "/run/netns/$empty" "$(stat -L -c %i "/run/netns/$empty")"
record gone /run/netns/no-such "$ino"
record reused "/run/netns/$pod" "$((ino + 1))"
record rebooted "/run/netns/$pod" "$ino" 00000000-0000-0000-0000-000000000000
tap_is "the others are found" "$(left)" "gone killed rebooted reused unplugged"
out=$(railctl gc --dry-run)
tap_match "namespace gone" "$out" "pod-gone .*network namespace is gone"
tap_match "namespace reused" "$out" "pod-reused .*another pod"
tap_match "interface gone" "$out" "pod-unplugged .*net1 is gone"
tap_match "ADD interrupted" "$out" "pod-killed .*interrupted"
tap_match "rebooted" "$out" "pod-rebooted .*booted"

# the plugin's DEL takes them away; here it is a script that writes down what it is asked
tap_is "without the plugin that is a failure" "$(code railctl gc)" 3
tap_match "which names the remedy" "$(cat "$RG_TMP/out")" "--plugin"
mkdir "$RG_TMP/cni"
cat >"$RG_TMP/cni/railgate" <<-'END'
	#!/bin/sh
	input=$(cat)
	echo "$CNI_COMMAND $CNI_CONTAINERID $CNI_IFNAME $CNI_ARGS $input" >>"${0%/*}/log"
	[ "$CNI_CONTAINERID" != reused ] || { echo '{"code": 11, "msg": "try again"}'; exit 1; }
	rm -r "$RAILGATE_STATE_DIR/attachments/$CNI_CONTAINERID"
END
chmod +x "$RG_TMP/cni/railgate"
tap_is "a DEL that fails is one too" "$(code railctl gc)" 3
tap_match "with the plugin's words" "$(cat "$RG_TMP/out")" "try again"
tap_match "DEL gets what ADD got" "$(cat "$RG_TMP/cni/log")" \
	'^DEL gone net1 K8S_POD_NAME=pod-gone \{"marker":"gone"\}$'
tap_is "only that one is still there" "$(left)" reused
tap_is "living pods were left alone" "$(cd "$RAILGATE_STATE_DIR/attachments" && echo *)" \
	"adding live reused"
tap_is "cleanup refuses while pods are attached" "$(code railctl cleanup --yes)" 1
tap_match "and counts them" "$(cat "$RG_TMP/err")" "3 attachments exist"
tap_is "a list is free" "$(code railctl cleanup)" 0
tap_match "and has the records" "$(cat "$RG_TMP/out")" "record +live net1 +would be removed"
rm -r "$RAILGATE_STATE_DIR"/attachments/*
ip netns del "$pod"
ip netns del "$empty"

# a hook whose device has gone
ip link del rail1
tap_is "hooks without a device are found" "$(found hook)" 2
tap_is "and removed" "$(code railctl gc)" 0
tap_is "no more are left" "$(found hook)" 0
tap_run "hooks with a device stay" test -e "$links/rail0_tx"

# cleanup
rg_agent_start
mkdir /sys/fs/bpf/foreign
"$tcxprog" attach rail0 egress tail -1 /sys/fs/bpf/foreign/behind
echo theirs >"$RAILGATE_STATE_DIR/theirs"
tap_is "cleanup lists by default" "$(code railctl cleanup)" 0
tap_match "and says how to go on" "$(cat "$RG_TMP/out")" "--yes"
tap_run "nothing is removed by it" test -e "$links/rail0_tx"
tap_is "both at once is wrong usage" "$(code railctl cleanup --yes --dry-run)" 2
tap_is "cleanup refuses while the agent runs" "$(code railctl cleanup --yes)" 1
tap_match "and says what to do" "$(cat "$RG_TMP/err")" "stop it first"
tap_run "the rail is still guarded" test -e "$links/rail0_tx"
rg_agent_stop
tap_is "without an agent it removes" "$(code railctl cleanup --yes)" 0
tap_nomatch "no failure is reported" "$(cat "$RG_TMP/out" "$RG_TMP/err")" "failed"
tap_run "no pin is left" test ! -e "$RAILGATE_PIN_DIR"
tap_is "none of our programs is on the rail" "$("$tcxprog" list rail0 egress)" foreign
tap_run "a foreign file stays" test -e "$RAILGATE_STATE_DIR/theirs"
rm "$RAILGATE_STATE_DIR/theirs"
tap_is "a second run finds only the folder" "$(code railctl cleanup --yes)" 0
tap_is "a third finds nothing" "$(railctl cleanup --json | tr -d ' \n')" '{"dry_run":true,"items":[]}'

# the same with clsact filters
mkdir -p "$RAILGATE_STATE_DIR"
RAILGATE_FORCE_CLSACT=1 rg_agent_start
tc filter add dev rail0 egress prio 9 protocol all u32 match u32 0 0 flowid 1:1
rg_agent_stop
tap_is "clsact filters are removed" "$(code railctl cleanup --yes)" 0
tap_nomatch "ours are gone" "$(tc filter show dev rail0 egress)" "rg_on"
tap_match "a foreign filter stays" "$(tc filter show dev rail0 egress)" "u32"

rm -r /sys/fs/bpf/foreign
ip link del rail0
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
