#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# ADD and DEL of macvlan pods: both address families, every CNI version, real and other IPAM
# plugins; what the pod finds, and that nothing of it stays.

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/../lib/cni.sh"
netns_enter "$0" "$@"
rg_env

tap_refuse "without the agent's programs ADD is refused" \
	rg_cni ADD c0 /proc/self/ns/net net1 "$(rg_netconf rail0 172.16.0.20/24)"
ns_new pod
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END
ip link add rail0 type veth peer name other
out=$(rg_cni ADD c0 "$pod" net1 "$(rg_netconf rail0 172.16.0.20/24)" || true)
tap_is "... with code 11 when the programs are missing" "$(cni_get "$out" 'd["code"]')" 11
tap_is "... and nothing is written" "$(find "$RAILGATE_STATE_DIR" -mindepth 1 | wc -l)" 0
ip link del rail0

cni_rail 4200
cni_ipam_install
residue_snapshot

# IPv4 with Debian's static plugin
conf=$(rg_netconf rail0 172.16.0.20/24)
tap_run "ADD with IPAM static" rg_cni ADD c1 "$pod" net1 "$conf" "$(rg_pod_args ml worker-0)"
res=$TAP_OUT
tap_is "the result's version" "$(cni_get "$res" 'd["cniVersion"]')" 1.0.0
tap_is "the interface is in the pod's namespace" \
	"$(cni_get "$res" '[(i["name"], i["sandbox"]) for i in d["interfaces"]]')" \
	"[('net1', '/run/netns/$pod')]"
tap_is "its MAC is the real one" "$(cni_get "$res" 'd["interfaces"][0]["mac"]')" \
	"$(ip netns exec "$pod" cat /sys/class/net/net1/address)"
tap_is "its address refers to it" "$(cni_get "$res" 'd["ips"]')" \
	"[{'interface': 0, 'address': '172.16.0.20/24'}]"
tap_is "the RDMA CIDR goes by the rail's gateway" "$(cni_get "$res" 'd["routes"]')" \
	"[{'dst': '172.16.0.0/16', 'gw': '172.16.0.1'}]"
tap_match "the pod has the route, with the rail's metric" "$(ip -n "$pod" route)" \
	'172.16.0.0/16 via 172.16.0.1 dev net1 proto 166 metric 101'
tap_match "it is a macvlan in bridge mode" "$(ip -n "$pod" -d link show net1)" 'macvlan mode bridge'
for kv in arp_ignore=1 arp_announce=2 rp_filter=2; do
	tap_is "sysctl $kv" "$(in_ns "$pod" sysctl -n "net.ipv4.conf.net1.${kv%=*}")" "${kv#*=}"
done
tap_is "router advertisements are not heard" \
	"$(in_ns "$pod" sysctl -n net.ipv6.conf.net1.accept_ra)" 0
tap_is "the host's own settings are untouched" "$(sysctl -n net.ipv4.conf.rail0.arp_announce)" 0
tap_match "the endpoint bears the pod's name" \
	"$(bpftool map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_endpoints")" '"pod_name": "worker-0"'
tap_is "its MAC and its address are identities" "$(cni_idents)" 2
tap_run "a second DEL and the first succeed" rg_cni DEL c1 "$pod" net1 "$conf"
tap_is "DEL prints nothing" "$TAP_OUT" ""
tap_run "... and again" rg_cni DEL c1 "$pod" net1 "$conf"
cni_nothing_left "after DEL" "$pod"

# both families and all versions
cni_ipam_gives 172.16.0.30/24 fd00:16::30/64
for version in 0.3.0 0.3.1 0.4.0 1.0.0 1.1.0; do
	tap_run "ADD, version $version, both families" \
		rg_cni ADD c2 "$pod" net1 "$(cni_conf "$version")"
	res=$TAP_OUT
	tap_is "version $version is answered" "$(cni_get "$res" 'd["cniVersion"]')" "$version"
	want=False
	case $version in 0.*) want=True ;; esac
	tap_is "$version: \"version\" in ips" "$(cni_get "$res" '"version" in d["ips"][0]')" "$want"
	want=False
	case $version in 1.1.*) want=True ;; esac
	tap_is "$version: mtu in interfaces, metric in routes" \
		"$(cni_get "$res" '("mtu" in d["interfaces"][0], "priority" in d["routes"][0])')" \
		"($want, $want)"
	rg_cni DEL c2 "$pod" net1 "$(cni_conf "$version")"
done
tap_run "ADD again" rg_cni ADD c2 "$pod" net1 "$(cni_conf 1.1.0)"
tap_match "IPv6 address without waiting for DAD" "$(ip -n "$pod" addr show net1)" \
	'fd00:16::30/64 .*nodad'
tap_match "IPv6 route to the RDMA CIDR" "$(ip -n "$pod" -6 route)" \
	'fd00:16::/48 via fd00:16::1 dev net1 proto 166 metric 101'
tap_is "three identities: MAC and two addresses" "$(cni_idents)" 3
tap_refuse "a second ADD is refused" rg_cni ADD c2 "$pod" net1 "$(cni_conf 1.1.0)"
tap_is "... as a conflict" "$(cni_get "$TAP_OUT" 'd["code"]')" 102
tap_is "... and harms nothing" "$(cni_idents)" 3
rg_cni DEL c2 "$pod" net1 "$(cni_conf 1.1.0)"
cni_nothing_left "after all versions" "$pod"

# what the runtime asks for
extra='"mtu":1500,"mac":"02:00:00:00:00:01","args":{"cni":{"mac":"02:00:00:00:00:02"}},
	"runtimeConfig":{"mac":"02:00:00:00:00:03","ips":["172.16.0.30/24"]},'
tap_run "ADD with mac and mtu" rg_cni ADD c3 "$pod" net1 "$(cni_conf 1.1.0 "$extra")"
tap_is "runtimeConfig.mac wins" "$(cni_get "$TAP_OUT" 'd["interfaces"][0]["mac"]')" \
	02:00:00:00:00:03
tap_is "mtu is set and told" "$(cni_get "$TAP_OUT" 'd["interfaces"][0]["mtu"]')" \
	"$(ip netns exec "$pod" cat /sys/class/net/net1/mtu)"
tap_match "IPAM sees runtimeConfig" "$(cat "$RG_TMP/ipam.stdin")" '"ips":\["172.16.0.30/24"\]'
ns_new pod2
tap_refuse "another pod cannot have the same MAC" \
	rg_cni ADD c4 "$pod2" net1 "$(cni_conf 1.1.0 "$extra")"
rg_cni DEL c3 "$pod" net1 "$(cni_conf 1.1.0)"
cni_nothing_left "after the refused one" "$pod2"

# a name that the host has too, and one that the pod has already
ip link add net1 type veth peer name net1b
tap_run "ADD where the host has a net1" rg_cni ADD c5 "$pod" net1 "$(cni_conf 1.1.0)"
tap_run "DEL" rg_cni DEL c5 "$pod" net1 "$(cni_conf 1.1.0)"
tap_run "the host's net1 is still there" ip link show net1
ip link del net1
ip -n "$pod" link add net1 type veth peer name netx
tap_refuse "ADD where the pod has a net1" rg_cni ADD c5 "$pod" net1 "$(cni_conf 1.1.0)"
tap_match "... says so" "$TAP_OUT" "already has an interface 'net1'"
tap_run "the pod's net1 is still there" ip -n "$pod" link show net1
ip -n "$pod" link del net1
cni_nothing_left "after the name conflicts" "$pod"

# prevResult
prev='"prevResult":{"cniVersion":"1.0.0","interfaces":[{"name":"eth0","sandbox":"/x"}],
	"ips":[{"address":"10.0.0.1/24","interface":0}],"dns":{"nameservers":["10.0.0.53"]}},'
tap_run "ADD behind another plugin" rg_cni ADD c6 "$pod" net1 "$(cni_conf 1.0.0 "$prev")"
tap_is "its result is passed on, ours appended" \
	"$(cni_get "$TAP_OUT" '[[i["name"] for i in d["interfaces"]], [i["interface"] for i in d["ips"]], d["dns"]]')" \
	"[['eth0', 'net1'], [0, 1, 1], {'nameservers': ['10.0.0.53']}]"

# DEL in bad circumstances
ip netns del "$pod"
: >"$RG_TMP/ipam.log"
tap_run "DEL after the namespace is gone" rg_cni DEL c6 "$pod" net1 "$(cni_conf 1.0.0)"
tap_match "... still frees the address" "$(cat "$RG_TMP/ipam.log")" '^DEL c6 net1'
cni_nothing_left "after that" "$pod2"
tap_run "DEL without a namespace" rg_cni DEL c6 "" net1 "$(cni_conf 1.0.0)"
touch "$RG_TMP/file"
tap_run "DEL with a path that is no namespace" \
	rg_cni DEL c6 "$RG_TMP/file" net1 "$(cni_conf 1.0.0)"
tap_run "ADD for the next" rg_cni ADD c7 "$pod2" net1 "$(cni_conf 1.0.0)"
: >"$RG_TMP/ipam.log"
tap_run "DEL with type and name alone" \
	rg_cni DEL c7 "$pod2" net1 '{"cniVersion":"1.0.0","name":"rails","type":"railgate"}'
tap_match "... frees the address by the record" "$(cat "$RG_TMP/ipam.log")" '^DEL c7 net1'
cni_nothing_left "after that too" "$pod2"

rg_cni ADD c8 "$pod2" net1 "$(cni_conf 1.0.0)" >/dev/null
printf '{"schema":1,"bo' >"$RAILGATE_STATE_DIR/attachments/c8/net1.json"
tap_run "DEL with a truncated record" rg_cni DEL c8 "$pod2" net1 "$(cni_conf 1.0.0)"
cni_nothing_left "after the truncated record" "$pod2"

rg_cni ADD c9 "$pod2" net1 "$(cni_conf 1.0.0)" >/dev/null
rm -r "$RAILGATE_STATE_DIR"/attachments
tap_run "DEL without any record" rg_cni DEL c9 "$pod2" net1 "$(cni_conf 1.0.0)"
cni_nothing_left "after the lost record" "$pod2"

rg_cni ADD c10 "$pod2" net1 "$(cni_conf 1.0.0)" >/dev/null
in_ns "$pod2" ip link set net1 name other address 02:00:00:00:00:99
tap_run "DEL after the pod renamed it and changed its MAC" \
	rg_cni DEL c10 "$pod2" net1 "$(cni_conf 1.0.0)"
cni_nothing_left "after that as well" "$pod2"

rg_cni ADD c11 "$pod2" net1 "$(cni_conf 1.0.0)" >/dev/null
sed -i 's/"bootId":"[^"]*"/"bootId":"before"/' "$RAILGATE_STATE_DIR/attachments/c11/net1.json"
ip -n "$pod2" link del net1
tap_run "ADD after a reboot, over the old record" rg_cni ADD c11 "$pod2" net1 "$(cni_conf 1.0.0)"
tap_is "one endpoint" "$(cni_pods)" 1
rg_cni DEL c11 "$pod2" net1 "$(cni_conf 1.0.0)"
rg_agent_stop
rg_cni ADD c12 "$pod2" net1 "$(cni_conf 1.0.0)" >/dev/null
rm -r "$RAILGATE_PIN_DIR"/v1
tap_run "DEL without pins" rg_cni DEL c12 "$pod2" net1 "$(cni_conf 1.0.0)"
tap_is "no interface is left" "$(ip -n "$pod2" -o link | wc -l)" 1
tap_is "no record is left" "$(find "$RAILGATE_STATE_DIR" -mindepth 2 | wc -l)" 0
tap_done
