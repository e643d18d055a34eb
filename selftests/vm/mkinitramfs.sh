#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Make the initramfs that mounts the host's file system: a static busybox, the modules for 9p and
# overlay in the order in which they must be loaded, and guest-init.sh as init.
#
#   mkinitramfs.sh KERNEL_DIR OUTPUT
set -eu

[ $# -eq 2 ] || {
	echo "usage: mkinitramfs.sh KERNEL_DIR OUTPUT" >&2
	exit 2
}
kernel=$1
output=$2
here=$(cd "$(dirname "$0")" && pwd)
version=$(cat "$kernel/version")
work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work" "$work.gz"' EXIT

# unpack_module FILE: modules may be compressed, busybox loads plain ones
unpack_module() {
	case $1 in
	*.ko) cat "$1" ;;
	*.ko.xz) xz -dc "$1" ;;
	*.ko.zst) zstd -dc "$1" ;;
	*)
		echo "mkinitramfs: cannot unpack $1" >&2
		exit 1
		;;
	esac
}

mkdir -p "$work"/{bin,dev,proc,sys,modules,lower,upper,root}
cp "$(command -v busybox)" "$work/bin/busybox"
for applet in sh mount mkdir insmod switch_root cat echo; do
	ln -s busybox "$work/bin/$applet"
done
cp "$here/guest-init.sh" "$work/init"
chmod 755 "$work/init"

for module in virtio_pci 9pnet_virtio 9p overlay; do
	modprobe -d "$kernel" -S "$version" --show-depends "$module" || {
		echo "mkinitramfs: kernel $version has no module $module" >&2
		exit 1
	}
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$work/order"
while read -r file; do
	name=$(basename "$file" | sed 's/\.ko.*$//')
	unpack_module "$file" >"$work/modules/$name.ko"
	echo "$name" >>"$work/modules/order"
done <"$work/order"
rm "$work/order"

(cd "$work" && find . | cpio --quiet -o -H newc | gzip -1) >"$work.gz"
# Other machines may be starting from the old one, or making the same.
mv "$work.gz" "$output"
