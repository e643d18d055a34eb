#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs as first process on the guest's root: finishes the set-up, runs the script that the host
# asked for with its output on the second serial port, leaves its exit status in /mnt/out/status
# and powers the machine off.

power_off() {
	sync
	echo 1 >/proc/sys/kernel/sysrq
	echo o >/proc/sysrq-trigger
	while :; do read -r -t 3600 <>/dev/console; done
}

setup() {
	set -e
	local version
	version=$(uname -r)

	mount -t tmpfs -o mode=755 tmpfs /run
	mount -t tmpfs -o mode=1777 tmpfs /tmp
	mkdir -p /dev/pts /dev/shm
	mount -t devpts devpts /dev/pts
	mount -t tmpfs tmpfs /dev/shm
	mount -t bpf bpf /sys/fs/bpf
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	mkdir -p "/lib/modules/$version"
	mount --bind "$(cat /mnt/out/kernel)/lib/modules/$version" "/lib/modules/$version"
	ip link set lo up
	hostname railgate-vm
	stty -F /dev/ttyS1 raw -echo
}

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
unset BASH_ENV
if ! (setup) >/mnt/out/setup.log 2>&1; then
	echo 125 >/mnt/out/status
	power_off
fi
mapfile -d '' -t command </mnt/out/command
cd "$(cat /mnt/out/directory)" || power_off
# shellcheck source=/dev/null # the host's choice of environment
. /mnt/out/environment
"${command[@]}" >/dev/ttyS1 2>&1 </dev/null
status=$?
# Stalls and lockups are left out: they are what a busy host does to an emulated guest.
dmesg | grep -A 30 -E 'BUG: [^s]|kernel BUG at|WARNING: |Oops|general protection|refcount_t' \
	>/mnt/out/oops
echo "$status" >/mnt/out/status
power_off
