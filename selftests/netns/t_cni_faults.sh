#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Bad input and bad circumstances: each gives its error with code, place and remedy, and changes
# nothing.

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/../lib/cni.sh"
netns_enter "$0" "$@"
rg_env
cni_rail 4200
cni_ipam_install
cni_ipam_gives 172.16.0.40/24
ns_new pod

# refused NAME CODE REGEX CONF [NETNS [IFNAME [CONTAINER]]]: ADD must fail like that
refused() {
	local out rc=0

	out=$(rg_cni ADD "${7-f1}" "${5-$pod}" "${6-net1}" "$4" 2>/dev/null) || rc=$?
	if [ "$rc" -eq 1 ] && [ "$(cni_get "$out" 'd["code"]')" = "$2" ] &&
		grep -Eq -e "$3" <<<"$(cni_get "$out" 'd["msg"]')"; then
		tap_ok "$1"
	else
		tap_fail "$1" "exit status $rc, wanted code $2 and /$3/"$'\n'"$out"
	fi
}

good=$(cni_conf 1.0.0)
refused "empty input" 6 'not whole JSON' ""
refused "truncated input" 6 'not whole JSON' "${good:0:40}"
refused "not an object" 6 'not a JSON object' '[1,2]'
refused "deep nesting" 6 'deep' "$(printf '{"a":%.0s' $(seq 200))"
head -c 1100000 /dev/zero | tr '\0' ' ' >"$RG_TMP/large"
refused "more than 1 MiB" 6 'larger than' "$(cat "$RG_TMP/large")$good x"
refused "no version" 1 'gives none' '{"name":"n","type":"railgate"}'
refused "version of tomorrow" 1 '9\.0\.0.*set one of' "${good/1.0.0/9.0.0}"
refused "no name" 7 'name: missing' '{"cniVersion":"1.0.0","mode":"macvlan","rail":"rail0"}'
refused "bad name" 7 'not a network name' "${good/\"rails\"/\"a b\"}"
refused "no mode" 7 'mode: missing' "${good/\"mode\":\"macvlan\",/}"
refused "unknown mode" 7 'mode: "ipvlan" is not' "${good/\"macvlan\"/\"ipvlan\"}"
refused "no rail" 7 'rail: missing' "${good/\"rail\":\"rail0\",/}"
refused "unknown rail, and the known are named" 7 '"rail7" is not a rail.*rail0' \
	"${good/rail0/rail7}"
refused "mtu of the wrong type" 7 'mtu: "9000" is not' "$(cni_conf 1.0.0 '"mtu":"9000",')"
refused "mtu above the rail's, with both numbers" 7 '9000 .* 4200' \
	"$(cni_conf 1.0.0 '"mtu":9000,')"
refused "multicast MAC" 7 'runtimeConfig.mac: ' \
	"$(cni_conf 1.0.0 '"runtimeConfig":{"mac":"03:00:00:00:00:01"},')"
refused "IP address that is none" 7 'runtimeConfig.ips\[1\]: ' \
	"$(cni_conf 1.0.0 '"runtimeConfig":{"ips":["10.0.0.1/8","x"]},')"
refused "unknown key in our own policy" 7 'policy.mod: unknown key' \
	"$(cni_conf 1.0.0 '"policy":{"mod":"off"},')"
refused "linkInContainer" 2 'linkInContainer' "$(cni_conf 1.0.0 '"linkInContainer":true,')"
refused "IPAM plugin that is not installed" 7 "no plugin 'nowhere' in CNI_PATH" \
	"${good/fakeipam/nowhere}"
refused "IPAM plugin by a path" 7 'ipam.type: .* is a path' "${good/fakeipam/..\/fakeipam}"
refused "namespace that is missing" 8 'nowhere' "$good" /run/netns/nowhere
refused "namespace that is a file" 8 'not a namespace' "$good" /etc/passwd
refused "namespace of another kind" 8 'not a network namespace' "$good" /proc/self/ns/mnt
refused "namespace of the host" 8 "host's own" "$good" /proc/self/ns/net
refused "interface name too long" 4 'CNI_IFNAME' "$good" "$pod" a-name-of-16-char
refused "interface name with a slash" 4 'CNI_IFNAME' "$good" "$pod" a/b
refused "container id with a slash" 4 'CNI_CONTAINERID' "$good" "$pod" net1 ../x
refused "no container id" 4 'CNI_CONTAINERID.* missing' "$good" "$pod" net1 ""
tap_match "unknown command" "$(CNI_COMMAND=FROB railgate <<<"$good" || true)" \
	"CNI_COMMAND 'FROB' is unknown"
tap_match "CNI_ARGS that is no list" "$(rg_cni ADD f1 "$pod" net1 "$good" 'x;y=z' || true)" \
	'is not KEY=VALUE'
cp "$RAILGATE_CONFIG" "$RG_TMP/saved"
echo '{"rails": 1}' >"$RAILGATE_CONFIG"
refused "node configuration that is wrong" 7 'rdmaCidrs: missing' "$good"
rm "$RAILGATE_CONFIG"
refused "node configuration that is missing" 7 'railgate.json' "$good"
cp "$RG_TMP/saved" "$RAILGATE_CONFIG"

# IPAM
echo fail >"$RG_TMP/ipam.mode"
refused "IPAM that fails: its own code and words" 123 "'fakeipam' ADD: pool is empty" "$good"
echo crash >"$RG_TMP/ipam.mode"
refused "IPAM that crashes" 105 'signal 11' "$good"
echo garbage >"$RG_TMP/ipam.mode"
refused "IPAM that answers no JSON" 105 'not JSON' "$good"
echo hang >"$RG_TMP/ipam.mode"
start=$SECONDS
refused "IPAM that hangs" 11 'did not end within 1 s and was killed' \
	"$(cni_conf 1.0.0 '"ipamTimeout":1,')"
tap_num "... is not waited for" $((SECONDS - start)) -le 5
tap_is "... and is dead" "$(pgrep -fc 'sleep 1000' || true)" 0
echo ok >"$RG_TMP/ipam.mode"
echo '{"cniVersion":"1.0.0","ips":[]}' >"$RG_TMP/ipam.json"
refused "IPAM without an address" 105 'gave no address' "$good"
echo '{"cniVersion":"1.0.0","ips":[{"address":"1.2.3"}]}' >"$RG_TMP/ipam.json"
refused "IPAM with half an address" 105 'result.ips\[0\].address' "$good"
cni_nothing_left "after IPAM's failures" "$pod"

# a step late in the ADD fails: everything before it is undone
cat >"$RG_TMP/ipam.json" <<-END
	{"cniVersion":"1.0.0","ips":[{"address":"172.16.0.40/24"}],
	 "routes":[{"dst":"172.17.0.0/16","gw":"172.16.0.1"},
	           {"dst":"172.18.0.0/16","gw":"224.0.0.1"}]}
END
: >"$RG_TMP/ipam.log"
refused "a route that the kernel refuses" 100 'cannot add route to 172.18.0.0/16' "$good"
tap_is "the address was given back" "$(grep -c '^DEL f1 net1' "$RG_TMP/ipam.log")" 1
cni_nothing_left "after the failed route" "$pod"
cni_ipam_gives 172.16.0.40/24

# capabilities
out=$(capsh --drop=cap_net_admin,cap_sys_admin -- -c \
	"CNI_COMMAND=ADD CNI_CONTAINERID=f2 CNI_NETNS=/run/netns/$pod CNI_IFNAME=net1 \
	railgate <<<'$good'" 2>/dev/null || true)
tap_match "without capabilities" "$(cni_get "$out" 'str(d["code"]) + d["msg"]')" \
	'^103.*(CAP_|permitted)'
cni_nothing_left "after the missing capability" "$pod"

# VERSION and a person
tap_is "VERSION lists the versions" \
	"$(cni_get "$(CNI_COMMAND=VERSION railgate <<<'{"cniVersion":"0.4.0"}')" 'd')" \
	"{'cniVersion': '0.4.0', 'supportedVersions': ['0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0']}"
tap_run "called by a person" railgate
tap_match "... it says what it is" "$TAP_OUT" 'CNI plugin'
tap_done
