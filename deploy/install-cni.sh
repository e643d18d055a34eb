#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Put the CNI plugin where the container runtime looks for it, while the runtime may be starting
# the present one: the new file is complete and on the disk before it takes the old one's name, so
# that whoever executes that name gets one or the other, whole. A plugin that is running keeps the
# file it was started from.
#
# Usage: install-cni.sh PLUGIN DIRECTORY
# Needs nothing but a POSIX shell with coreutils or busybox, for use in images.

set -eu

if [ $# -ne 2 ]; then
	echo "usage: $0 PLUGIN DIRECTORY" >&2
	exit 2
fi
plugin=$1
dir=$2
name=$(basename "$plugin")
new=

cleanup() {
	[ -z "$new" ] || rm -f "$new"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -s "$plugin" ]; then
	echo "$0: $plugin is missing or empty" >&2
	exit 1
fi
mkdir -p "$dir"
# What an earlier run left when it was killed.
find "$dir" -name ".$name.new.*" -type f -mmin +10 -exec rm -f {} +

if cmp -s "$plugin" "$dir/$name" && [ -x "$dir/$name" ] && [ ! -L "$dir/$name" ]; then
	exit 0
fi
new=$(mktemp "$dir/.$name.new.XXXXXX")
dd if="$plugin" of="$new" bs=1M conv=fsync 2>/dev/null
cmp "$plugin" "$new"
chmod 755 "$new"
mv -f "$new" "$dir/$name"
new=
# The directory's entry too must survive a power cut.
sync "$dir"
