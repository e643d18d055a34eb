# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What railgate could leave behind, listed. A test takes the list before and compares after.
# Lines are stable text, so that a difference names the thing that was left.

# residue_list: everything of the kinds that railgate makes, seen from this namespace
residue_list() {
	local dir ns

	ip -o link show | sed -n 's/^[0-9]*: \([^:@]*\).*/link \1/p'
	for ns in $(ip netns list | cut -d' ' -f1); do
		echo "netns $ns"
		ip -n "$ns" -o link show | sed -n "s/^[0-9]*: \([^:@]*\).*/link $ns\/\1/p"
	done
	residue_tc
	for dir in "${RAILGATE_PIN_DIR:-/sys/fs/bpf/railgate}" \
		"${RAILGATE_STATE_DIR:-/var/lib/railgate}" "${RAILGATE_RUN_DIR:-/run/railgate}"; do
		# Directories that hold nothing are not worth a line.
		[ ! -d "$dir" ] || find "$dir" -mindepth 1 ! -type d | sed 's/^/file /'
	done
	[ ! -d /var/lib/cni/networks ] ||
		find /var/lib/cni/networks -type f ! -name lock ! -name 'last_reserved_ip*' |
		sed 's/^/address /'
	residue_processes
	! command -v rdma >/dev/null || rdma link 2>/dev/null | sed 's/^link \([^ ]*\).*/rdma \1/'
}

# residue_tc: filters and TCX programs on the links here
residue_tc() {
	bpftool net show 2>/dev/null | sed -n '/^tc:/,/^[a-z_]*:$/p' |
		sed -e '/^[a-z_]*:$/d' -e '/^[[:space:]]*$/d' -e 's/([0-9]*)//; s/ id [0-9]*//' \
			-e 's/ link_id [0-9]*//; s/ prog_id [0-9]*//' -e 's/^/tc /'
}

# residue_processes: our programs that run in this process namespace
residue_processes() {
	local comm name

	for comm in /proc/[0-9]*/comm; do
		name=$(cat "$comm" 2>/dev/null) || continue
		case $name in
		railgate | railgated | railctl) echo "process $name" ;;
		esac
	done
}

# residue_bpf: our programs and maps that the kernel still holds, on the whole machine
residue_bpf() {
	local kind

	for kind in prog map; do
		bpftool "$kind" show 2>/dev/null |
			sed -n "s/^\([0-9]*\): .* name \(rg_[a-z0-9_]*\).*/$kind \1 \2/p"
	done
}

# residue_snapshot: remember what is here now
residue_snapshot() {
	RESIDUE_BEFORE=$(residue_list | sort)
}

residue_is_clean() {
	[ "$(residue_list | sort)" = "$RESIDUE_BEFORE" ]
}

# residue_check NAME: one test result; waits, since namespaces die asynchronously
residue_check() {
	if wait_for 10 residue_is_clean 2>/dev/null; then
		tap_ok "$1"
	else
		tap_fail "$1" "$(diff <(printf '%s\n' "$RESIDUE_BEFORE") <(residue_list | sort) |
			sed -n 's/^> /left over: /p; s/^< /missing:   /p')"
	fi
}
