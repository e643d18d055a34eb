#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Run a command inside a virtual machine with another kernel.
#
#   run.sh [--kernel 6.1|6.12|rxe] [--timeout SECONDS] [--memory SIZE] [--cpus N]
#          [--qemu PROGRAM] [--device QEMU_ARGUMENTS] COMMAND [ARG...]
#
# The guest sees this machine's own files (changes stay in the guest), so whatever is built here
# runs there. The command's output is this script's, its exit status too: 124 after the time
# limit, 125 if the guest did not come up, 126 if its kernel reported a fault. The messages of the
# guest's kernel are kept in build/vm/<command>-<kernel>.console.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
source_dir=$(cd "$here/../.." && pwd)
build=${RG_BUILD:-$source_dir/build}
cache=${RG_CACHE:-$build/cache}
kernel=rxe
limit=300
memory=2G
# One: under software emulation a kernel that patches its own code while another CPU runs it may
# crash, which says nothing about what is tested.
cpus=1
qemu="qemu-system-x86_64"
devices=()

usage() {
	sed -n '4,16s/^# \{0,1\}//p' "$0" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=$2 && shift 2 ;;
	--timeout) limit=$2 && shift 2 ;;
	--memory) memory=$2 && shift 2 ;;
	--cpus) cpus=$2 && shift 2 ;;
	--qemu) qemu=$2 && shift 2 ;;
	--device) read -r -a more <<<"$2" && devices+=("${more[@]}") && shift 2 ;;
	--) shift && break ;;
	-*) usage ;;
	*) break ;;
	esac
done
[ $# -gt 0 ] || usage

mkdir -p "$cache" "$build/vm"
kernel_dir=$("$here/fetch-kernel.sh" "$kernel" "$cache")
initramfs=$kernel_dir/initramfs.gz
if [ ! "$initramfs" -nt "$here/guest-init.sh" ] || [ ! "$initramfs" -nt "$here/mkinitramfs.sh" ]; then
	"$here/mkinitramfs.sh" "$kernel_dir" "$initramfs"
fi

# What the guest needs to know stands in files of the one directory that it may write to.
out=$(mktemp -d "$build/vm/run.XXXXXX")
console=$build/vm/$(basename "$1" .sh)-$kernel.console
qemu_pid=
# shellcheck disable=SC2317 # called by the traps
cleanup() {
	[ -z "$qemu_pid" ] || kill -KILL "$qemu_pid" 2>/dev/null || true
	rm -rf "$out"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
printf '%s\0' "$@" >"$out/command"
printf '%s\n' "$kernel_dir" >"$out/kernel"
printf '%s\n' "$PWD" >"$out/directory"
printf '%s\n' "$here/guest-run.sh" >"$out/guest-run"
printf 'export RG_VM_KERNEL=%q RG_BUILD=%q RG_WAIT_SCALE=%q\n' "$kernel" "$build" \
	"${RG_WAIT_SCALE:-6}" >"$out/environment"

# Software emulation unless asked: a /dev/kvm inside another virtual machine may be there and not
# work, and the guest boots in a few seconds without it.
accel=(-accel "tcg,thread=multi")
[ -z "${RG_VM_KVM-}" ] || accel=(-accel kvm)

# The machine dies with timeout, timeout with this script, whatever kills it.
setpriv --pdeathsig KILL timeout --kill-after=5 "$limit" \
	setpriv --pdeathsig KILL "$qemu" "${accel[@]}" -cpu max -smp "$cpus" -m "$memory" \
	-nic none -display none -monitor none -no-reboot -rtc clock=host \
	-kernel "$kernel_dir/vmlinuz" -initrd "$initramfs" \
	-append "console=ttyS0 quiet panic=-1 sysrq_always_enabled=1 random.trust_cpu=on" \
	-serial "file:$console" -serial stdio \
	-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap" \
	-device "virtio-9p-pci,fsdev=root,mount_tag=root" \
	-fsdev "local,id=out,path=$out,security_model=none" \
	-device "virtio-9p-pci,fsdev=out,mount_tag=out" \
	"${devices[@]}" </dev/null &
qemu_pid=$!
rc=0
wait "$qemu_pid" || rc=$?
qemu_pid=

if [ "$rc" -eq 124 ] || [ "$rc" -eq 137 ]; then
	echo "run.sh: stopped after $limit s; the guest's last messages:" >&2
	tail -n 20 "$console" >&2
	exit 124
fi
if [ ! -s "$out/status" ]; then
	echo "run.sh: the guest ended without a status (qemu: $rc); its last messages:" >&2
	tail -n 20 "$console" >&2
	exit 125
fi
status=$(cat "$out/status")
if [ -s "$out/oops" ]; then
	echo "run.sh: the guest's kernel complained:" >&2
	cat "$out/oops" >&2
	[ "$status" -ne 0 ] || status=126
fi
if [ "$status" -eq 125 ] && [ -s "$out/setup.log" ]; then
	cat "$out/setup.log" >&2
fi
exit "$status"
