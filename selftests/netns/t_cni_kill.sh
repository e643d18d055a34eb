#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# ADD is killed at a random moment, 200 times; a DEL that follows leaves nothing: no state, netdev,
# map entry, lock or address. So do 50 DELs that are killed and then repeated.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env

KILLS=200
DEL_KILLS=50

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
cat >"$RAILGATE_CONFIG" <<END
{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END
ns_new pod
rg_agent_start
mkdir "$RG_TMP/ipam"

netconf() {
	printf '{"cniVersion":"1.0.0","name":"rail0","type":"railgate","mode":"macvlan",'
	printf '"rail":"rail0","ipam":{"type":"host-local","dataDir":"%s/ipam",' "$RG_TMP"
	printf '"ranges":[[{"subnet":"172.16.0.0/24","rangeStart":"172.16.0.10"}]]}}\n'
}
conf=$(netconf)
call() { # call COMMAND
	rg_cni "$1" killed "$pod" net1 "$conf" >"$RG_TMP/out"
}
killed_call() { # killed_call COMMAND MICROSECONDS
	CNI_COMMAND=$1 CNI_CONTAINERID=killed CNI_NETNS=/run/netns/$pod CNI_IFNAME=net1 CNI_ARGS='' \
		"$RG_BUILD/tools/killat" "$2" railgate <<<"$conf" >"$RG_TMP/out" 2>&1
}
microseconds() {
	echo "${EPOCHREALTIME/./}"
}
map_entries() { # map_entries MAP
	bpftool -j map dump pinned "$RAILGATE_PIN_DIR/v1/maps/$1" | grep -o '"formatted"' | wc -l
}
# left: everything that one attachment may leave, in one cheap list
left() {
	ip -o link show | sed 's/: <.*//'
	ip -n "$pod" -o link show | sed 's/: <.*//'
	find "$RG_TMP/ipam" -type f -name '172.*'
	find "$RAILGATE_STATE_DIR" ! -type d
	find "$RAILGATE_STATE_DIR/attachments" -mindepth 1
	map_entries rg_endpoints
	map_entries rg_idents
}

call ADD
call DEL
residue_snapshot
# Interface numbers grow, names and the rest may not.
clean() {
	left | sed 's/^[0-9]*: //'
}
before=$(clean)
start=$(microseconds)
for _ in 1 2 3 4 5; do
	call ADD
	call DEL
done
usual=$((($(microseconds) - start) / 10))
tap_is "without a kill nothing is left" "$(clean)" "$before"

# kill_and_delete COMMAND TIMES: kill it as often, prints what went wrong. A call takes longer or
# shorter with what else the machine does: the time within which it is killed follows.
kill_and_delete() {
	local command=$1 hits=0 late=0 within=$usual at rc

	while [ "$hits" -lt "$2" ] && [ "$late" -lt $((4 * $2)) ]; do
		[ "$command" != DEL ] || call ADD
		at=$((SRANDOM % within))
		rc=0
		killed_call "$command" "$at" || rc=$?
		case $rc in
		0)
			hits=$((hits + 1))
			within=$((within + within / 16))
			;;
		10)
			late=$((late + 1))
			within=$((within - within / 8 + 10))
			;;
		*) echo "$command failed by itself: $(cat "$RG_TMP/out")" ;;
		esac
		call DEL || echo "DEL after a kill at $at us failed: $(cat "$RG_TMP/out")"
		if ! wait_for 5 is_clean; then
			echo "left after a kill at $at us:" "$(diff <(echo "$before") <(clean))"
			break
		fi
	done
	echo "$hits" >"$RG_TMP/hits"
	tap_diag "$command: $hits killed, $late had ended before" >&2
}
is_clean() {
	[ "$(clean)" = "$before" ]
}

tap_is "a DEL after a killed ADD leaves nothing" "$(kill_and_delete ADD "$KILLS")" ""
tap_is "ADD was killed $KILLS times" "$(cat "$RG_TMP/hits")" "$KILLS"
residue_check "nothing is left after killed ADDs"
tap_is "a DEL after a killed DEL leaves nothing" "$(kill_and_delete DEL "$DEL_KILLS")" ""
tap_is "DEL was killed $DEL_KILLS times" "$(cat "$RG_TMP/hits")" "$DEL_KILLS"
residue_check "nothing is left after killed DELs"
# An IPAM plugin that waits at a gate, to stop an ADD in the one place where it holds no lock.
mkdir "$RG_TMP/bin"
cat >"$RG_TMP/bin/gated-ipam" <<END
#!/bin/bash
. "$RG_LIB/wait.sh"
[ "\$CNI_COMMAND" != ADD ] || { touch "$RG_TMP/at-gate"; wait_for 30 test -e "$RG_TMP/gate"; }
exec "${RG_CNI_PATH:-/usr/lib/cni}/host-local"
END
chmod +x "$RG_TMP/bin/gated-ipam"
export CNI_PATH=$RG_TMP/bin:$CNI_PATH
plain=$conf
conf=${conf/host-local/gated-ipam}

add_to_gate() { # starts an ADD and waits until its IPAM plugin is at the gate; $add is its pid
	rm -f "$RG_TMP/gate" "$RG_TMP/at-gate"
	CNI_COMMAND=ADD CNI_CONTAINERID=killed CNI_NETNS=/run/netns/$pod CNI_IFNAME=net1 \
		railgate <<<"$conf" >"$RG_TMP/add" 2>&1 &
	add=$!
	wait_for 10 test -e "$RG_TMP/at-gate"
}
delete_and_open() { # DEL while the IPAM plugin is still at the gate, which then opens
	local del rc=0

	call DEL &
	del=$!
	wait_for 5 grep -q '"phase":2' "$RAILGATE_STATE_DIR/attachments/killed/net1.json" || rc=1
	touch "$RG_TMP/gate"
	wait_exit 20 "$del" || rc=1
	return "$rc"
}

add_to_gate
kill -KILL "$add"
wait "$add" 2>/dev/null || true
tap_run "DEL waits for the IPAM plugin of an ADD that was killed" delete_and_open
tap_is "and leaves no address" "$(clean)" "$before"
add_to_gate
tap_run "DEL overtakes an ADD that waits for its IPAM plugin" delete_and_open
rc=0
wait_exit 20 "$add" || rc=$?
tap_num "the ADD gives up" "$rc" -ne 0
tap_match "and says to try again" "$(cat "$RG_TMP/add")" '"code":11'
tap_match "because of the DEL" "$(cat "$RG_TMP/add")" 'was deleted while it was being added'
tap_is "and leaves nothing" "$(clean)" "$before"
residue_check "nothing is left of both"
conf=$plain

tap_run "the next ADD works" call ADD
tap_run "and its DEL" call DEL
residue_check "nothing is left at the end"
rg_agent_stop
tap_done
