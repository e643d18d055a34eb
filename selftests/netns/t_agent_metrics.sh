#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The metrics: as Prometheus wants them, quick and small with 8 rails and 1,000 pods, and counters
# that never go back.

set -eu
. "$(dirname "$0")/../lib/test.sh"
netns_enter "$0" "$@"
rg_env
residue_snapshot

RAILS=8
PODS=1000
ns_new fabric fab
rails=
for ((i = 0; i < RAILS; i++)); do
	rail_pair "r$i" "$fabric"
	ip addr add "172.16.$i.1/24" dev "r$i"
	ip neigh add "172.16.$i.2" lladdr 02:00:00:00:00:02 nud permanent dev "r$i"
	rails+="${rails:+, }{\"name\": \"rail$i\", \"match\": {\"netdev\": \"r$i\"}}"
done
cat >"$RAILGATE_CONFIG" <<-END
	{"rdmaCidrs": ["172.16.0.0/16"], "rails": [$rails], "maxEndpoints": 2048}
END
rg_agent_start

# Something of everything: allowed, dropped for several reasons, RoCE or what claims to be.
for ((i = 0; i < RAILS; i++)); do
	"$RG_BUILD/tools/udpflood" "172.16.$i.2" 9 20 0 >/dev/null
	"$RG_BUILD/tools/udpflood" "172.16.$i.2" 4791 20 0 >/dev/null
done
tap_run "makes $PODS pods" "$RG_BUILD/tools/endpoints" "$RAILGATE_PIN_DIR" "$PODS" "$RAILS"

rg_get /metrics >"$RG_TMP/page"
tap_num "every pod has its series" \
	"$(grep -c '^railgate_tc_roce_bytes_total{namespace="training"' "$RG_TMP/page")" -eq \
	$((2 * PODS))
tap_is "series are unique" "$(grep -v '^#' "$RG_TMP/page" | sed 's/ [^ ]*$//' | sort | uniq -d)" ""
if [ -x "$RG_BUILD/cache/promtool" ]; then
	tap_is "promtool has no complaint" \
		"$("$RG_BUILD/cache/promtool" check metrics <"$RG_TMP/page" 2>&1)" ""
else
	tap_skip "promtool has no complaint" "Debian's package prometheus cannot be had"
fi

# The best of several: others may use the machine.
best=1000000
for _ in 1 2 3 4 5 6 7 8 9 10; do
	us=$(curl -sS -o /dev/null -w '%{time_total}' http://127.0.0.1:9917/metrics | tr -d .)
	[ "$((10#$us))" -ge "$best" ] || best=$((10#$us))
done
tap_num "a scrape takes less than 100 ms ($best us)" "$best" -lt 100000
rss=$(sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$RG_AGENT_PID/status")
tap_num "the agent needs less than 40 MiB ($rss KiB)" "$rss" -lt $((40 * 1024))

pin_dirs() {
	find "$RAILGATE_PIN_DIR" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | tr '\n' ' '
}
# counters FILE: counter series and their values
counters() {
	grep '^railgate_tc_\|^railgate_egress_' "$1" | sort
}
went_back() { # went_back BEFORE AFTER: series whose value is smaller, or that are gone
	join -t'|' -a1 <(counters "$1" | sed 's/ \([0-9]*\)$/|\1/') \
		<(counters "$2" | sed 's/ \([0-9]*\)$/|\1/') |
		awk -F'|' 'NF < 3 || $3 + 0 < $2 + 0'
}
rg_get /metrics >"$RG_TMP/page"
rg_agent_kill
rg_agent_start
rg_get /metrics >"$RG_TMP/page2"
tap_is "no counter goes back when the agent restarts" "$(went_back "$RG_TMP/page" "$RG_TMP/page2")" ""
sed -i 's/2048/4096/' "$RAILGATE_CONFIG"
rg_agent_kill
rg_agent_start
rg_get /metrics >"$RG_TMP/page3"
tap_is "nor when the maps are replaced" "$(went_back "$RG_TMP/page2" "$RG_TMP/page3")" ""
rg_agent_stop
# As an older or newer version would have pinned: the maps are carried over field by field.
mv "$RAILGATE_PIN_DIR/v1" "$RAILGATE_PIN_DIR/v7"
rg_agent_start
rg_get /metrics >"$RG_TMP/page4"
tap_is "nor when pins of another version are taken over" \
	"$(went_back "$RG_TMP/page3" "$RG_TMP/page4")" ""
tap_match "the log says so" "$(cat "$RG_TMP/agent.log")" "moved to another size or layout"
tap_is "the other version's pins are gone" "$(pin_dirs)" "agent v1 "
tap_is "its hooks are used on" "$(find "$RAILGATE_PIN_DIR/v1/links" -type f | wc -l)" $((2 * RAILS))
"$RG_BUILD/tools/udpflood" 172.16.0.2 9 20 0 >/dev/null
tap_is "and count" \
	"$(rg_metric 'railgate_tc_ip_packets_total{pod="(host)",rail="rail0",direction="egress"}')" 40

rg_agent_stop
rm -rf "${RAILGATE_PIN_DIR:?}"/* "${RAILGATE_RUN_DIR:?}"/*
for ((i = 0; i < RAILS; i++)); do
	ip link del "r$i"
done
ip netns del "$fabric"
residue_check "nothing is left"
tap_done
