#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The demonstration, run by `make demo` inside the virtual machine: two pods on two rails exchange
# real RoCEv2 while their leaks are dropped and their bytes are counted.
set -eu
. "$(dirname "$0")/../lib/test.sh"

A=172.16.0.10 B=172.16.0.11
pod_a='' pod_b=''

step() {
	printf '\n\033[1m== %s\033[0m\n' "$*"
}

# show COMMAND...: print the command as a user would type it, then run it
show() {
	printf '\033[32m$ %s\033[0m\n' "$*"
	"$@" 2>&1
}

# die TEXT: the demonstration ends as a failure
die() {
	echo "demo: $*" >&2
	exit 1
}

main() {
	step "A host with two rails, the two ends of one wire, and railgate's agent"
	vm_prepare rdma_rxe ib_uverbs rdma_ucm macvlan veth
	rg_env
	rails_as_wire
	rails_config
	residue_snapshot
	show cat "$RAILGATE_CONFIG"
	rg_agent_start || die "the agent did not start"
	show railctl show rails

	step "Two pods, attached by CNI ADD as kubelet and Multus would do it"
	ns_new pod_a train
	ns_new pod_b train
	add train-0 "$pod_a" rail0 "$A"
	add train-1 "$pod_b" rail1 "$B"
	rxe_add "$pod_a" rxe0 || die "no soft-RoCE"
	rxe_add "$pod_b" rxe1 || die "no soft-RoCE"
	show in_ns "$pod_a" ip -brief address show net1
	show in_ns "$pod_a" rdma link

	step "RoCEv2 between them: a connection by RDMA-CM, then RDMA writes"
	echo "\$ rping -c -a $B -I $A -C 5"
	rxe_rping "$pod_a" "$A" "$pod_b" "$B" 5 || die "rping failed"
	echo "\$ ib_write_bw -d rxe0 -n 500 -s 4096 $B"
	rxe_perf ib_write_bw "$pod_a" rxe0 "$pod_b" rxe1 "$B" "$A" -n 500 -s 4096 |
		grep -E -A1 'BW peak' || die "ib_write_bw failed"

	step "A leak: pod train-0 opens a TCP connection to 8.8.8.8, outside the RDMA CIDRs"
	railctl watch -n 1 >"$RG_TMP/watch" 2>&1 &
	watcher=$!
	wait_for 5 watching
	in_ns "$pod_a" ip route add 8.8.8.8 dev net1
	in_ns "$pod_a" ip neigh add 8.8.8.8 lladdr 02:00:00:00:00:99 dev net1
	echo "\$ timeout 3 bash -c 'echo >/dev/tcp/8.8.8.8/53'   # in train-0"
	if in_ns "$pod_a" timeout 3 bash -c 'echo >/dev/tcp/8.8.8.8/53' 2>/dev/null; then
		die "the leak got out"
	fi
	wait_exit 5 "$watcher" || die "no drop was reported"
	echo "\$ railctl watch -n 1"
	cat "$RG_TMP/watch"

	step "Who sends what, while RDMA writes go on"
	rxe_perf ib_write_bw "$pod_a" rxe0 "$pod_b" rxe1 "$B" "$A" -D 8 -s 4096 >/dev/null &
	wait_for 10 rxe_tcp_listens "$pod_b" 18515
	hold 2
	show railctl show endpoints --interval 2
	show railctl show drops
	wait "$!"

	step "The same for Prometheus"
	echo "\$ curl http://$(rg_listen)/metrics | grep train-0"
	rg_get /metrics | grep 'train-0' | head -n 16

	step "The same for people with bpftool"
	show bpftool map dump pinned "$RAILGATE_PIN_DIR/v1/maps/rg_endpoints" |
		awk '/"key"/ { entry = "" } { entry = entry $0 "\n" } /train-0/ { wanted = 1 }
			/^    }/ { if (wanted) { printf "%s", entry; exit } }'

	step "DEL, and nothing is left"
	del train-0 "$pod_a" rail0 "$A"
	del train-1 "$pod_b" rail1 "$B"
	ip netns del "$pod_a"
	ip netns del "$pod_b"
	show railctl show endpoints --interval 0
	rg_agent_stop
	show railctl cleanup --yes
	rm -rf "$RAILGATE_RUN_DIR" "$RAILGATE_STATE_DIR"
	wait_for 10 residue_is_clean || die "something is left: $(residue_list)"
	echo "nothing is left"
}

# add POD NETNS RAIL ADDRESS
add() {
	local result

	echo "\$ CNI_COMMAND=ADD CNI_NETNS=/run/netns/$2 CNI_IFNAME=net1 railgate < $3.json"
	result=$(rg_cni ADD "c-$1" "$2" net1 "$(rg_netconf "$3" "$4/24")" "$(rg_pod_args ml "$1")") ||
		die "ADD failed: $result"
	echo "$result"
}

# del POD NETNS RAIL ADDRESS
del() {
	echo "\$ CNI_COMMAND=DEL CNI_NETNS=/run/netns/$2 CNI_IFNAME=net1 railgate < $3.json"
	rg_cni DEL "c-$1" "$2" net1 "$(rg_netconf "$3" "$4/24")" || die "DEL failed"
}

watching() {
	[ -S "$RAILGATE_RUN_DIR/events.sock" ] && ss -x -H state connected | grep -q events.sock
}

trap - EXIT ERR # the demonstration is no test: it prints no TAP
set +e
main
rc=$?
rg_agent_stop
exit "$rc"
