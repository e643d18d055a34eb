#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The agent as a service: command line, notification of the service manager, capabilities, locks,
# drop events for several watchers, and addresses that are taken.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

ns_new fabric fab
rail_pair rail0 "$fabric"
ip addr add 172.16.0.1/24 dev rail0
for ip in 172.16.0.2 10.9.9.9; do
	ip neigh add "$ip" lladdr 02:00:00:00:00:02 nud permanent dev rail0
done
ip route add 10.9.9.9/32 dev rail0
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [{"name": "rail0", "match": {"netdev": "rail0"}}]}
END

tap_run "--check-config takes a good file" railgated --check-config
echo '{' >"$RG_TMP/bad.json"
tap_refuse "and refuses a bad one" railgated --check-config --config "$RG_TMP/bad.json"
tap_match "with its name" "$TAP_OUT" "bad.json"
tap_refuse "does not start with a bad file" railgated --config "$RG_TMP/bad.json"
tap_refuse "nor with a pin directory outside a bpffs" railgated --pin-dir "$RG_TMP/pins"
tap_match "and says what to do" "$TAP_OUT" "mount -t bpf"
tap_refuse "nor with an argument it does not know" railgated --colour
tap_match "--version" "$(railgated --version)" "^railgated [0-9]"
tap_match "--help names the options" "$(railgated --help)" "--pin-dir"

# notified: what the service manager has been told
cat >"$RG_TMP/manager.py" <<-'END'
	import socket, sys
	s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
	s.bind(sys.argv[1])
	while True:
	    sys.stdout.write(s.recv(4096).decode() + "\n")
	    sys.stdout.flush()
END
python3 "$RG_TMP/manager.py" "$RG_TMP/notify.sock" >"$RG_TMP/notified" &
manager=$!
tap_cleanup "kill $manager 2>/dev/null || :"
wait_for 5 test -S "$RG_TMP/notify.sock"
notified() {
	grep -q "$1" "$RG_TMP/notified"
}
export NOTIFY_SOCKET=$RG_TMP/notify.sock
rg_agent_start
unset NOTIFY_SOCKET
tap_run "the service manager learns that it is ready" wait_for 5 notified "^READY=1"
kill -HUP "$RG_AGENT_PID"
tap_run "and that it reloads" wait_for 5 notified "^RELOADING=1"

cap() {
	sed -n "s/^$1:[[:space:]]*//p" "/proc/$RG_AGENT_PID/status"
}
# CAP_DAC_READ_SEARCH 2, CAP_NET_ADMIN 12, CAP_PERFMON 38, CAP_BPF 39
tap_is "only the needed capabilities are left" "$(cap CapEff)" 000000c000001004
tap_is "and no others can be had" "$(cap CapPrm) $(cap NoNewPrivs)" "000000c000001004 1"

mkdir "$RG_TMP/run2"
tap_refuse "a second agent on the same pins gives way" railgated --run-dir "$RG_TMP/run2"
tap_match "and names them" "$TAP_OUT" "$RAILGATE_PIN_DIR"
tap_run "the first one goes on" rg_get /healthz

cat >"$RG_TMP/watcher.py" <<-'END'
	import socket, sys
	s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
	s.connect(sys.argv[1])
	print("connected", flush=True)
	n = int(sys.argv[2])
	for _ in range(n):
	    r = s.recv(4096)
	    # reason, hook and rail stand behind addresses and ports
	    print(len(r), r[64], r[65], r[66], flush=True)
	sys.stdin.read()
END
events=$RAILGATE_RUN_DIR/events.sock
tap_is "only root may watch" "$(stat -c %a "$events")" 600
for i in 1 2; do
	python3 "$RG_TMP/watcher.py" "$events" 1 >"$RG_TMP/watch$i" </dev/null &
done
# This one connects and never reads.
mkfifo "$RG_TMP/never"
python3 "$RG_TMP/watcher.py" "$events" 0 >"$RG_TMP/watch3" <"$RG_TMP/never" &
exec 9>"$RG_TMP/never"
for i in 1 2 3; do
	wait_for 5 grep -q connected "$RG_TMP/watch$i"
done
"$RG_BUILD/tools/udpflood" 10.9.9.9 9 1 0 >/dev/null
for i in 1 2; do
	# 136 bytes, reason dst_cidr, hook rail egress, rail 0
	tap_run "watcher $i gets the drop" wait_for 5 grep -q "^136 14 0 0" "$RG_TMP/watch$i"
done
tap_is "nobody missed anything" "$(rg_metric railgate_events_unread_total)" 0
missed() {
	[ "$(rg_metric railgate_events_unread_total)" -gt 0 ]
}
# Ten a second of each reason pass the rate limit, and a socket holds a few hundred.
cat >"$RG_TMP/reasons.py" <<-'END'
	import socket, struct, time
	s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
	s.bind(("rail0", 0))
	own = s.getsockname()[4]
	other = bytes.fromhex("020000000002")
	kinds = [other + own + struct.pack("!H", t) + bytes(60)
	         for t in (0x1234, 0x8915, 0x8100, 0x0040, 0x0806, 0x0800, 0x86dd)]
	kinds.append(other + other + b"\x08\x00" + bytes(60))
	while True:
	    for k in kinds:
	        try:
	            s.send(k)
	        except OSError:
	            pass # dropped, as it should be
	    time.sleep(0.01)
END
python3 "$RG_TMP/reasons.py" &
flood=$!
tap_cleanup "kill $flood 2>/dev/null || :"
tap_run "one that does not read misses events, which is counted" wait_for 60 missed
kill "$flood" 2>/dev/null || :
tap_run "the agent waits for nobody" rg_get /healthz
exec 9>&-

rg_agent_stop
tap_run "the service manager learns that it stops" notified "^STOPPING=1"
tap_refuse "the socket is gone" test -e "$events"

python3 -m http.server --bind 127.0.0.1 9917 >/dev/null 2>&1 &
other=$!
tap_cleanup "kill $other 2>/dev/null || :"
wait_for 10 curl -sS -f -o /dev/null http://127.0.0.1:9917/
rg_agent_spawn
tap_cleanup rg_agent_stop
said() {
	grep -q "$1" "$RG_TMP/agent.log"
}
tap_run "a port that is taken is reported" wait_for 10 said "no metrics are served"
before=$(cat /sys/class/net/rail0/statistics/tx_packets)
"$RG_BUILD/tools/udpflood" 172.16.0.2 9 10 0 10.9.9.9 >/dev/null
tap_is "the policy does not depend on it" \
	"$(($(cat /sys/class/net/rail0/statistics/tx_packets) - before))" 10
kill "$other"
tap_run "and metrics are served once it is free" wait_for 10 rg_get /healthz

rg_agent_stop
rm -rf "${RAILGATE_PIN_DIR:?}"/* "${RAILGATE_RUN_DIR:?}"/*
ip link del rail0
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
