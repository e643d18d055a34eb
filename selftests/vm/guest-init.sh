#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# First process of the virtual machine, run by busybox from the initramfs. Mounts the host's file
# system read-only over 9p, lays a tmpfs over it, and hands over to guest-run.sh.
set -e

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
while read -r module; do
	insmod "/modules/$module.ko"
done </modules/order

mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro root /lower
mount -t tmpfs -o size=75% tmpfs /upper
mkdir /upper/data /upper/work
mount -t overlay -o lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work overlay /root
mkdir -p /root/mnt
mount -t tmpfs tmpfs /root/mnt
mkdir /root/mnt/out
mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 out /root/mnt/out
mount -o move /dev /root/dev
mount -o move /proc /root/proc
mount -o move /sys /root/sys
exec switch_root /root /bin/bash "$(cat /root/mnt/out/guest-run)"
