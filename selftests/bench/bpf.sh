#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What the BPF programs cost a packet, and what that means to a sender beside other guards with
# the same policy.
# Environment: BENCH_ROUNDS (30), BENCH_MS (40): how often and how long each netdev has its turn.

set -eu
. "$(dirname "$0")/../lib/test.sh"
. "$(dirname "$0")/lib.sh"
netns_enter "$0" "$@"
rounds=${BENCH_ROUNDS:-30}
turn_ms=${BENCH_MS:-40}
endpoints_per_rail=512
mac=02:00:00:00:09:01 # of the frames, see selftests/bpf/frame.h

# cost_row NAME TEXT KIND [TARGET]: a line of the last output of cost, as ns over the empty program
cost_row() {
	local value base

	read -r value base < <(awk -v kind="$3" '$1 == kind { print $2 - $3, $3 }' <<<"$out")
	bench_row "$1" "$2" "$value" ns "$base" "${4-}"
}

bench_title "BPF: over an empty program (reference), 4,096 endpoints, 64 CIDRs, 8 rails"
out=$("$RG_BUILD/bench/cost" 4096 64)
cost_row bpf_roce4 "RoCEv2 over IPv4" roce4 "value 20"
cost_row bpf_roce6 "RoCEv2 over IPv6" roce6 "value 20"
cost_row bpf_roce4_strict "RoCEv2 over IPv4, strict" roce4_strict "value 20"
cost_row bpf_roce6_strict "RoCEv2 over IPv6, strict" roce6_strict "value 20"
cost_row bpf_cnp4 "CNP" cnp4 "value 20"
cost_row bpf_ack4 "RoCEv2 ACK" ack4 "value 20"
cost_row bpf_tcp4 "TCP into the CIDRs" tcp4
cost_row bpf_ext6 "IPv6, 4 extension headers, TCP" ext6 "value 60"
cost_row bpf_rx_roce4 "received RoCEv2 over IPv4" rx_roce4
cost_row bpf_rx_roce6 "received RoCEv2 over IPv6" rx_roce6
cost_row bpf_rx_tcp4 "received TCP" rx_tcp4
out=$("$RG_BUILD/bench/cost" 4096 64 forget)
cost_row bpf_roce4_new "RoCEv2 of a new flow" roce4_strict
cost_row bpf_ext6_new "IPv6 with extension headers, new flow" ext6

bench_title "BPF: RoCEv2 over IPv4, strict, by number of endpoints (64 CIDRs)"
for n in 8 64 1024 16384; do
	out=$("$RG_BUILD/bench/cost" "$n" 64)
	cost_row "bpf_roce4_endpoints_$n" "$n endpoints" roce4_strict "value 20"
	out=$("$RG_BUILD/bench/cost" "$n" 64 forget)
	cost_row "bpf_roce4_new_endpoints_$n" "$n endpoints, new flow" roce4_strict
done
bench_title "BPF: RoCEv2 over IPv4, strict, by number of CIDRs (4,096 endpoints)"
for n in 2 16 64; do
	out=$("$RG_BUILD/bench/cost" 4096 "$n")
	cost_row "bpf_roce4_cidrs_$n" "$n CIDRs" roce4_strict "value 20"
	out=$("$RG_BUILD/bench/cost" 4096 "$n" forget)
	cost_row "bpf_roce4_new_cidrs_$n" "$n CIDRs, new flow" roce4_strict
done

# The CIDRs are those of selftests/bench/crowd.c.
cidr4() { # cidr4 NUMBER
	echo "10.$(((9 + $1 / 2 * 37) % 256)).0.0/16"
}
cidr6() {
	printf 'fd%02x::/64\n' $(((9 + $1 / 2 * 37) % 256))
}
middle() { # middle CIDRS: a destination in one of them that is neither first nor last
	local i=$(($1 / 2 / 2 * 2)) net

	net=$(cidr4 "$i")
	echo "${net%.0.0/16}.0.2"
}

nft_list() { # nft_list NUMBER FUNCTION: elements of a set
	local i sep=

	for ((i = 0; i < $1; i += 2)); do
		printf '%s%s' "$sep" "$("$2" "$i")"
		sep=", "
	done
}

# nft_rules NETDEV CIDRS: the policy as far as nftables can say it: who sends (counted by sender),
# no options and fragments, RoCE by transport version, opcode and queue pair, destination
nft_rules() {
	local i ops="0-20, 22-23, 28-29, 32-43, 100-101, 129, 160-180, 182-183"

	echo "table netdev guard_$1 {"
	echo "set to4 { type ipv4_addr; flags interval; elements = { $(nft_list "$2" cidr4) }; }"
	echo "set to6 { type ipv6_addr; flags interval; elements = { $(nft_list "$2" cidr6) }; }"
	echo "set who4 { typeof ether saddr . ip saddr; counter; elements = { $mac . 10.9.0.1"
	for ((i = 1; i < endpoints_per_rail; i++)); do
		printf ', 02:00:00:01:%02x:%02x . 10.9.%d.%d' $((i >> 8)) $((i & 255)) \
			$((16 + (i >> 8))) $((i & 255))
	done
	printf ' }\n}\n'
	echo "set who6 { typeof ether saddr . ip6 saddr; counter; elements = { $mac . fd09::1"
	for ((i = 1; i < endpoints_per_rail; i++)); do
		printf ', 02:00:00:01:%02x:%02x . fd09::1:%x' $((i >> 8)) $((i & 255)) "$i"
	done
	printf ' }\n}\n'
	echo "chain egress {"
	echo "type filter hook egress device \"$1\" priority 0; policy drop;"
	echo "ip version 4 ip hdrlength 5 ip frag-off & 0x3fff == 0 ether saddr . ip saddr @who4 \
		udp dport 4791 @th,76,4 0 @th,64,8 { $ops } @th,104,24 != 0 ip daddr @to4 accept"
	echo "ip6 version 6 ip6 nexthdr udp ether saddr . ip6 saddr @who6 \
		udp dport 4791 @th,76,4 0 @th,64,8 { $ops } @th,104,24 != 0 ip6 daddr @to6 accept"
	printf '}\n}\n'
}

# u32_rules NETDEV CIDRS: one sender, one filter for each CIDR, no opcodes and no counters. Where
# the kernel has no actions, what matches is accepted all the same; only nothing can be dropped.
u32_rules() {
	local i pass="action pass"

	[ -n "$tc_actions" ] || pass="classid 1:1"

	echo "qdisc add dev $1 clsact"
	for ((i = 0; i < $2; i += 2)); do
		echo "filter add dev $1 egress prio 1 protocol ip u32 match ip src 10.9.0.1/32 \
			match ip dst $(cidr4 "$i") match ip ihl 5 0xf match ip protocol 17 0xff \
			match u16 0 0x3fff at 6 match ip dport 4791 0xffff match u8 0 0xf at 29 \
			match ether src $mac $pass"
	done
	for ((i = 1; i < $2; i += 2)); do
		echo "filter add dev $1 egress prio 2 protocol ipv6 u32 match ip6 src fd09::1/128 \
			match ip6 dst $(cidr6 "$i") match ip6 protocol 17 0xff match ether src $mac \
			$pass"
	done
	[ -z "$tc_actions" ] ||
		echo "filter add dev $1 egress prio 3 protocol all u32 match u32 0 0 action drop"
}

ns_new fabric fab
tc qdisc add dev lo clsact
tc_actions=yes
tc filter add dev lo egress prio 9 protocol all u32 match u32 0 0 action pass 2>/dev/null ||
	tc_actions=
[ -n "$tc_actions" ] || echo "  (this kernel has no tc actions: u32 matches but drops nothing)"
lanes=()
for n in 1 16 64; do
	for guard in none railgate nft u32; do
		dev=$guard$n
		ip link add "$dev" type veth peer name "peer$dev" netns "$fabric"
		ip -n "$fabric" link set "peer$dev" up
		sysctl -q -w "net.ipv6.conf.$dev.disable_ipv6=1" 2>/dev/null || true
		ip link set "$dev" up
		case $guard in
		railgate) lanes+=("$n:$dev=$(middle "$n")") ;;
		*) lanes+=("$dev=$(middle "$n")") ;;
		esac
	done
	nft_rules "nft$n" "$n" >"$RG_TMP/nft$n"
	nft -f "$RG_TMP/nft$n"
	u32_rules "u32$n" "$n" >"$RG_TMP/u32$n"
	tc -batch "$RG_TMP/u32$n"
done

out=$("$RG_BUILD/bench/pps" "$turn_ms" "$rounds" "${lanes[@]}")
pps() { # pps NETDEV
	awk -v dev="$1" '$1 == dev { print $2 }' <<<"$out"
}
# A guard that lets everything pass is fast, and no guard.
if grep -E '^(railgate|nft)[0-9]+ .* leaks' <<<"$out" >&2; then
	exit 1
fi
# The reference is nftables: a ratio above 1 is more packets than through that.
bench_title "Packets a second of one sender through veth, strict policy (reference: nftables)"
for n in 1 16 64; do
	for guard in none railgate nft u32; do
		target=
		[ "$guard" != railgate ] || target="least 1"
		bench_row "pps_${guard}_cidrs_$n" "$guard, $n CIDRs" "$(pps "$guard$n")" pps \
			"$(pps "nft$n")" "$target"
	done
done
tap_end
