# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests in a virtual machine: it is theirs alone, so they need no namespaces of their own.

# vm_prepare: a directory for the test, and the modules it names
vm_prepare() {
	local module

	RG_TMP=/run/rgtest
	mkdir -p "$RG_TMP"
	for module in "$@"; do
		modprobe "$module" || {
			tap_fail "kernel $(uname -r) has module $module"
			tap_done
		}
	done
}

# rails_as_wire: rail0 and rail1, the two ends of one wire, as two rails of this host
rails_as_wire() {
	ip link add rail0 mtu 4200 type veth peer name rail1 mtu 4200
	ip link set rail0 addrgenmode none up
	ip link set rail1 addrgenmode none up
}

# rails_config [POLICY]: configuration with both rails
rails_config() {
	cat >"$RAILGATE_CONFIG" <<-EOF
		{
		  "rdmaCidrs": ["172.16.0.0/16", "fd00:16::/48"],
		  "policy": ${1:-{\"mode\": \"enforce\", \"profile\": \"standard\"\}},
		  "rails": [
		    {"name": "rail0", "match": {"netdev": "rail0"}},
		    {"name": "rail1", "match": {"netdev": "rail1"}}
		  ],
		  "metrics": {"listen": "127.0.0.1:9917"}
		}
	EOF
}
