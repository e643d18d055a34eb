#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Several rails by one call: an interface on each, in order of preference, all or none, and one DEL
# for them all.

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/../lib/cni.sh"
netns_enter "$0" "$@"
rg_env
ns_new fabric fab
for i in 0 1 2; do
	rail_pair "rail$i" "$fabric"
done
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"],
	 "rails": [{"name": "rail0", "match": {"netdev": "rail0"}},
	           {"name": "rail1", "match": {"netdev": "rail1"}},
	           {"name": "rail2", "match": {"netdev": "rail2"}}],
	 "metrics": {"listen": "127.0.0.1:9917"}}
END
rg_agent_start
cni_ipam_install
cni_ipam_gives 172.16.0.60/24
ns_new pod
conf=$(cni_conf 1.1.0)
conf=${conf/\"rail\":\"rail0\"/\"rails\":[\"rail2\",\"rail0\"]}

tap_run "ADD on two rails" rg_cni ADD r1 "$pod" net1 "$conf"
res=$TAP_OUT
tap_is "two interfaces" "$(cni_get "$res" '[i["name"] for i in d["interfaces"]]')" "['net1', 'net2']"
tap_is "each with its address" "$(cni_get "$res" '[i["interface"] for i in d["ips"]]')" "[0, 1]"
tap_is "IPAM was asked for each" "$(cut -d' ' -f1-3 "$RG_TMP/ipam.log")" \
	"$(printf 'ADD r1 net1\nADD r1 net2')"
tap_match "the lower rail is preferred" "$(ip -n "$pod" route get 172.16.9.9)" 'dev net2'
tap_is "two endpoints" "$(cni_pods)" 2
tap_run "CHECK" rg_cni CHECK r1 "$pod" net1 "${conf/\"rails\":/\"prevResult\":$res,\"rails\":}"
ip -n "$pod" link del net2
tap_refuse "CHECK when the second is gone" \
	rg_cni CHECK r1 "$pod" net1 "${conf/\"rails\":/\"prevResult\":$res,\"rails\":}"
tap_match "... names it" "$TAP_OUT" "'net2' is missing"
tap_run "DEL of all" rg_cni DEL r1 "$pod" net1 "$conf"
cni_nothing_left "after DEL" "$pod"

: >"$RG_TMP/ipam.log"
ip -n "$pod" link add net2 type veth peer name other
tap_refuse "ADD where the second fails" rg_cni ADD r2 "$pod" net1 "$conf"
ip -n "$pod" link del net2
cni_nothing_left "the first went with it" "$pod"
tap_is "both addresses were given back" "$(grep -c '^DEL r2' "$RG_TMP/ipam.log")" 2
tap_done
