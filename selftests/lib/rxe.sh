# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Soft-RoCE inside pods: devices, their own counters, and traffic between two of them.

# rxe_add NETNS DEVICE: soft-RoCE on net1 of a pod
rxe_add() {
	in_ns "$1" rdma link add "$2" type rxe netdev net1
	wait_for 10 rxe_active "$1" "$2"
}

rxe_active() {
	in_ns "$1" rdma link show "$2/1" | grep -q 'state ACTIVE'
}

# rxe_counter NETNS DEVICE COUNTER: value of one of the device's own counters
rxe_counter() {
	in_ns "$1" rdma statistic show link "$2/1" |
		awk -v name="$3" '{ for (i = 1; i < NF; i++) if ($i == name) print $(i + 1) }'
}

# rxe_gid NETNS DEVICE ADDRESS: index of the RoCEv2 GID of an address
rxe_gid() {
	local dir=/sys/class/infiniband/$2/ports/1 want index

	want=$(python3 -c 'import ipaddress, sys
a = ipaddress.ip_address(sys.argv[1])
b = a.packed if a.version == 6 else bytes(10) + b"\xff\xff" + a.packed
print(":".join(b[i:i + 2].hex() for i in range(0, 16, 2)))' "$3")
	# sysfs shows RDMA devices by the namespace that it was mounted in
	nsenter --net="/run/netns/$1" unshare --mount bash -c "
		mount -t sysfs sysfs /sys
		grep -l -x $want $dir/gids/*" | while read -r index; do
		index=${index##*/}
		echo "$index"
		break
	done
}

# rxe_listen NETNS PROGRAM [ARG...]: start the server side in the background
rxe_listen() {
	local ns=$1

	shift
	in_ns "$ns" timeout 60 "$@" >"$RG_TMP/server.log" 2>&1 </dev/null &
	RXE_SERVER=$!
}

# rxe_tcp_listens NETNS PORT
rxe_tcp_listens() {
	in_ns "$1" ss -H -l -n -t "sport = :$2" | grep -q .
}

# rxe_rping CLIENT_NS CLIENT_ADDRESS SERVER_NS SERVER_ADDRESS COUNT: connection by RDMA-CM
rxe_rping() {
	rxe_listen "$3" rping -s -a "$4" -C "$5"
	wait_for 10 rxe_cm_listens "$3" || return 1
	in_ns "$1" timeout 60 rping -c -a "$4" -I "$2" -C "$5" || return 1
	wait "$RXE_SERVER" || true
}

rxe_cm_listens() {
	in_ns "$1" rdma resource show cm_id | grep -q 'state LISTEN'
}

# rxe_perf TEST CLIENT_NS CLIENT_DEVICE SERVER_NS SERVER_DEVICE SERVER_ADDRESS CLIENT_ADDRESS
#	[OPTION...]: one perftest run; both sides must succeed. The addresses choose the GIDs; the two
#	sides find each other at RXE_HOST, an IPv4 address, if that is set
rxe_perf() {
	local test=$1 cns=$2 cdev=$3 sns=$4 sdev=$5 saddr=$6 caddr=$7

	shift 7
	rxe_listen "$sns" "$test" -d "$sdev" -x "$(rxe_gid "$sns" "$sdev" "$saddr")" "$@"
	wait_for 10 rxe_tcp_listens "$sns" 18515 || return 1
	in_ns "$cns" timeout 60 "$test" -d "$cdev" -x "$(rxe_gid "$cns" "$cdev" "$caddr")" "$@" \
		"${RXE_HOST:-$saddr}" || return 1
	wait "$RXE_SERVER"
}
