# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Driving the real programs from a test: directories of the test's own, the agent's life, and
# the plugin called as a container runtime calls it.

RG_SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RG_BUILD=${RG_BUILD:-$RG_SRC/build}
RG_AGENT_PID=

# rg_env: put configuration, state, pins and run directory below $RG_TMP and a private bpffs
rg_env() {
	export RAILGATE_CONFIG=$RG_TMP/railgate.json
	export RAILGATE_STATE_DIR=$RG_TMP/state
	export RAILGATE_RUN_DIR=$RG_TMP/run
	export RAILGATE_PIN_DIR=/sys/fs/bpf/railgate
	export CNI_PATH=$RG_BUILD:${RG_CNI_PATH:-/usr/lib/cni}
	export PATH=$RG_BUILD:$PATH
	mkdir -p "$RAILGATE_STATE_DIR" "$RAILGATE_RUN_DIR"
}

# rg_agent_spawn [OPTION...]: start the agent, do not wait for it; its log is $RG_TMP/agent.log
rg_agent_spawn() {
	railgated "$@" >>"$RG_TMP/agent.log" 2>&1 </dev/null &
	RG_AGENT_PID=$!
}

# rg_agent_start [OPTION...]: start the agent and wait until it is healthy
rg_agent_start() {
	rg_agent_spawn "$@"
	tap_cleanup rg_agent_stop
	wait_for 60 rg_agent_ready_or_dead || true
	rg_agent_ready || {
		tap_diag "the agent did not become healthy:"
		tap_diag "$(tail -n 20 "$RG_TMP/agent.log")"
		return 1
	}
}

rg_agent_ready() {
	rg_get /healthz >/dev/null 2>&1
}

rg_agent_ready_or_dead() {
	rg_agent_ready || pid_gone "$RG_AGENT_PID"
}

# rg_get PATH: fetch from the agent's HTTP server
rg_get() {
	curl -sS -f --max-time 5 "http://$(rg_listen)$1"
}

# rg_listen: address and port of the agent's HTTP server, from the configuration
rg_listen() {
	local listen

	listen=$(sed -n 's/.*"listen"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' "$RAILGATE_CONFIG")
	printf '%s\n' "${listen:-127.0.0.1:9917}"
}

# rg_metric SERIES: value of one series, given exactly as in the exposition (labels included)
rg_metric() {
	rg_get /metrics | awk -v want="$1" 'substr($0, 1, length(want) + 1) == want " " {
		print substr($0, length(want) + 2); found = 1 } END { exit !found }'
}

# rg_agent_stop: end the agent as systemd would; succeeds when none runs
rg_agent_stop() {
	[ -n "$RG_AGENT_PID" ] || return 0
	kill -TERM "$RG_AGENT_PID" 2>/dev/null || true
	if ! wait_for 10 pid_gone "$RG_AGENT_PID"; then
		kill -KILL "$RG_AGENT_PID"
		tap_diag "the agent ignored SIGTERM for 10 s"
	fi
	wait "$RG_AGENT_PID" 2>/dev/null || true
	RG_AGENT_PID=
}

# rg_agent_kill: end the agent without a chance to tidy up
rg_agent_kill() {
	kill -KILL "$RG_AGENT_PID"
	wait "$RG_AGENT_PID" 2>/dev/null || true
	RG_AGENT_PID=
}

# rg_cni COMMAND CONTAINER NETNS IFNAME NETCONF [ARGS]: one call of the plugin. NETNS is a name
# below /run/netns, a path, or empty. The result is on stdout, as is the error object.
rg_cni() {
	local netns=$3

	case $netns in
	'' | /*) ;;
	*) netns=/run/netns/$netns ;;
	esac
	CNI_COMMAND=$1 CNI_CONTAINERID=$2 CNI_NETNS=$netns CNI_IFNAME=$4 CNI_ARGS=${6-} \
		railgate <<<"$5"
}

# rg_netconf RAIL ADDRESS/LEN [EXTRA]: network configuration of a macvlan pod with one static
# address; EXTRA is more JSON members, each with its trailing comma
rg_netconf() {
	printf '{"cniVersion":"1.0.0","name":"rails","type":"railgate","mode":"macvlan",'
	printf '"rail":"%s",%s"ipam":{"type":"static","addresses":[{"address":"%s"}]}}\n' \
		"$1" "${3-}" "$2"
}

# rg_pod_args NAMESPACE NAME: CNI_ARGS as Multus passes them
rg_pod_args() {
	printf 'IgnoreUnknown=1;K8S_POD_NAMESPACE=%s;K8S_POD_NAME=%s\n' "$1" "$2"
}
