# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What the tests of the plugin share: a rail with its agent, an IPAM plugin of the test's own, and
# questions to a result and to the maps.

# cni_rail MTU: rail0 with the host's addresses, a configuration for it, and the agent on it
cni_rail() {
	ns_new RG_FABRIC fab
	rail_pair rail0 "$RG_FABRIC" "$1"
	ip addr add 172.16.0.10/24 dev rail0
	ip addr add fd00:16::10/64 dev rail0 nodad
	cat >"$RAILGATE_CONFIG" <<-END
		{"rdmaCidrs": ["172.16.0.0/16", "fd00:16::/48"],
		 "rails": [{"name": "rail0", "match": {"netdev": "rail0"},
		            "gateways": ["172.16.0.1", "fd00:16::1"]}],
		 "metrics": {"listen": "127.0.0.1:9917"}}
	END
	rg_agent_start
}

# cni_ipam_install: an IPAM plugin "fakeipam" that speaks CNI 1.1.0. It answers ADD with
# $RG_TMP/ipam.json, logs its calls to $RG_TMP/ipam.log, and does what $RG_TMP/ipam.mode says:
# ok, fail, hang, crash, garbage.
cni_ipam_install() {
	mkdir -p "$RG_TMP/bin"
	cat >"$RG_TMP/bin/fakeipam" <<-END
		#!/bin/bash
		mode=\$(cat "$RG_TMP/ipam.mode" 2>/dev/null)
		echo "\$CNI_COMMAND \$CNI_CONTAINERID \$CNI_IFNAME \$CNI_NETNS" >>"$RG_TMP/ipam.log"
		cat >"$RG_TMP/ipam.stdin"
		case \$mode:\$CNI_COMMAND in
		hang:ADD) exec sleep 1000 ;;
		crash:*) kill -SEGV \$\$ ;;
		garbage:ADD) echo "not json"; exit 0 ;;
		fail:*) echo '{"cniVersion":"1.1.0","code":123,"msg":"pool is empty","details":"d"}'; exit 1 ;;
		*:ADD) cat "$RG_TMP/ipam.json" ;;
		esac
	END
	chmod +x "$RG_TMP/bin/fakeipam"
	CNI_PATH=$RG_TMP/bin:$CNI_PATH
	echo ok >"$RG_TMP/ipam.mode"
	: >"$RG_TMP/ipam.log"
}

# cni_ipam_gives CIDR...: addresses that fakeipam answers with
cni_ipam_gives() {
	local cidr list=

	for cidr; do
		list+="${list:+,}{\"address\":\"$cidr\"}"
	done
	echo "{\"cniVersion\":\"1.1.0\",\"ips\":[$list]}" >"$RG_TMP/ipam.json"
}

# cni_conf VERSION [EXTRA]: a network with fakeipam; EXTRA is more members, each with its comma
cni_conf() {
	printf '{"cniVersion":"%s","name":"rails","type":"railgate","mode":"macvlan",' "$1"
	printf '"rail":"rail0",%s"ipam":{"type":"fakeipam"}}\n' "${2-}"
}

# cni_get JSON PYTHON-EXPRESSION: ask a document, which is "d" in the expression
cni_get() {
	python3 -c 'import json, sys
d = json.loads(sys.argv[1])
print(eval(sys.argv[2]))' "$1" "$2" 2>&1
}

# cni_pods: number of pods' endpoints in the maps
cni_pods() {
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_endpoints" |
		python3 -c 'import json, sys
print(sum(e["formatted"]["value"]["kind"] > 1 for e in json.load(sys.stdin)))'
}

# cni_idents: number of pods' identities in the maps
cni_idents() {
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_idents" |
		python3 -c 'import json, sys
print(sum(e["formatted"]["value"]["slot"] >= 32 for e in json.load(sys.stdin)))'
}

# cni_nothing_left NAME NETNS: no interface, record, endpoint, identity or pin of a pod
cni_nothing_left() {
	local left

	left=$(ip -n "$2" -o link show | grep -vc ' lo:' || true)
	left+=" $(find "$RAILGATE_STATE_DIR" -mindepth 2 | wc -l)"
	left+=" $(cni_pods) $(cni_idents)"
	left+=" $(find "$RAILGATE_PIN_DIR" -name 'pod*' | wc -l)"
	tap_is "$1: nothing is left" "$left" "0 0 0 0 0"
}
