# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# A private world for a test: namespaces of its own for network, mounts and processes, a bpffs
# and a /run/netns that nobody else sees. When the test's first process ends, the kernel removes
# all of it, so that not even a killed test leaves anything on the machine.
#
# Source this first and call `netns_enter "$0" "$@"` before anything else is done.

NETNS_SHARED_MOUNTS="/sys/fs/cgroup /sys/kernel/tracing /sys/kernel/debug"

# netns_enter SCRIPT ARGS...: re-execute the script inside; returns at once when already there
netns_enter() {
	if [ -n "${RG_NETNS_INSIDE-}" ]; then
		netns_prepare
		return
	fi
	if [ "$(id -u)" -ne 0 ]; then
		echo "1..0 # SKIP needs root to make namespaces"
		exit 0
	fi
	RG_NETNS_INSIDE=1 exec unshare --net --mount --propagation private \
		--pid --fork --kill-child=KILL --mount-proc bash "$@"
}

netns_prepare() {
	local keep=/run/keep mnt

	# /run of our own: /run/netns, lock files and default run directories are nobody else's.
	mount -t tmpfs -o mode=755 rgtest /run
	RG_TMP=/run/rgtest
	mkdir -p "$RG_TMP" "$keep"
	# A new sysfs shows this network namespace; what was mounted inside the old one is kept.
	for mnt in $NETNS_SHARED_MOUNTS; do
		if mountpoint -q "$mnt"; then
			mkdir -p "$keep$mnt"
			mount --rbind "$mnt" "$keep$mnt"
		fi
	done
	mount -t sysfs sysfs /sys
	for mnt in $NETNS_SHARED_MOUNTS; do
		if [ -d "$keep$mnt" ]; then
			mount --rbind "$keep$mnt" "$mnt"
			umount -R -l "$keep$mnt"
		fi
	done
	rm -rf "$keep"
	mount -t bpf -o mode=700 bpf /sys/fs/bpf
	ip link set lo up
}

# netns_list: names of the network namespaces that the test made
netns_list() {
	ip netns list | cut -d' ' -f1
}

# rand_name PREFIX: a name that fits an interface and that nobody else has
rand_name() {
	printf '%s%04x%02x\n' "$1" "$((SRANDOM & 0xffff))" "$((SRANDOM & 0xff))"
}

# ns_new VAR [PREFIX]: make a network namespace of random name, lo up, and put its name into VAR
ns_new() {
	local -n ns_new_ret=$1
	local name

	name=$(rand_name "${2:-ns}")
	ip netns add "$name"
	ip -n "$name" link set lo up
	# shellcheck disable=SC2034 # a reference to the caller's variable
	ns_new_ret=$name
}

# in_ns NAME COMMAND...: only the network namespace changes; the mounts stay, bpffs included
in_ns() {
	local name=$1

	shift
	nsenter --net="/run/netns/$name" -- "$@"
}

# rail_pair NAME FABRIC_NS [MTU]: a rail of this namespace as one end of a veth pair whose other
# end, of the same name, is in FABRIC_NS. Both are up and without an address of any kind.
rail_pair() {
	local rail=$1 ns=$2 mtu=${3:-4200}

	ip link add "$rail" mtu "$mtu" type veth peer name "$rail" mtu "$mtu" netns "$ns"
	ip link set "$rail" addrgenmode none
	ip -n "$ns" link set "$rail" addrgenmode none
	ip link set "$rail" up
	ip -n "$ns" link set "$rail" up
}
