#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# promtool.sh FILE: put Prometheus' promtool at FILE, out of Debian's package, which is unpacked
# and not installed: its service has no business on a machine that only runs tests. Without access
# to the packages there is no file, and tests that want it skip.

set -eu

file=$1
mkdir -p "$(dirname "$file")"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir" # apt downloads as a user of its own

if ! (cd "$dir" && apt-get download -q prometheus >log 2>&1); then
	echo "promtool: apt-get download prometheus failed: $(tail -n 1 "$dir/log")" >&2
	exit 0
fi
dpkg -x "$dir"/prometheus_*.deb "$dir/root"
mv "$dir/root/usr/bin/promtool" "$file"
