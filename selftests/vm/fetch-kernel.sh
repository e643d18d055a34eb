#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Fetch a Debian kernel for the virtual machine and unpack it; nothing is installed.
#
#   fetch-kernel.sh KIND CACHE_DIR      prints the directory with vmlinuz, lib/modules and version
#
# The newest version of a suite is taken when the cache is empty. apt verifies the packages with
# the Debian keyring, through lists of its own: the machine's sources are only asked for the
# address of the mirror.
set -eu

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

usage() {
	echo "usage: fetch-kernel.sh 6.1|6.12|rxe CACHE_DIR" >&2
	exit 2
}

# mirror CODENAME: address from which this machine takes that suite
mirror() {
	local url

	# shellcheck disable=SC2016 # apt expands it
	url=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $1" |
		head -n 1)
	if [ -z "$url" ]; then
		echo "fetch-kernel: apt has no source for $1; is this Debian 12, and was apt-get update run?" >&2
		exit 1
	fi
	echo "$url"
}

# source_line URL SUITE
source_line() {
	printf 'deb [signed-by=%s] %s %s main\n' "$KEYRING" "$1" "$2"
}

# write_sources KIND: what to ask for which kernel; sets META
write_sources() {
	case $1 in
	6.1) # the oldest supported: no TCX
		META=linux-image-amd64
		source_line "$(mirror bookworm)" bookworm
		source_line "$(mirror bookworm-security)" bookworm-security
		;;
	6.12)
		META=linux-image-6.12-amd64
		source_line "$(mirror bookworm-security)" bookworm-security
		;;
	rxe) # the newest: soft-RoCE works inside pod namespaces
		META=linux-image-amd64
		source_line "$(mirror bookworm)" trixie-backports
		;;
	*) usage ;;
	esac >"$work/sources.list"
}

apt_options() {
	printf '%s\n' -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root \
		-o Acquire::Retries=5
}

# packages: the packages behind the meta package that hold the kernel itself
packages() {
	apt-cache "${apt[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts \
		--no-breaks --no-replaces --no-enhances "$META" |
		grep -E '^linux-(image|binary|modules|base)-[0-9.]+[+-][^ ]*amd64$' || return 0
}

[ $# -eq 2 ] || usage
kind=$1
dir=$2/kernel-$kind
if [ -e "$dir/version" ]; then
	echo "$dir"
	exit 0
fi

# Whoever comes first fetches, the others wait for it.
mkdir -p "$2"
exec 9>"$2/lock"
flock 9
if [ -e "$dir/version" ]; then
	echo "$dir"
	exit 0
fi

# apt takes a relative path as relative to /
work=$(mktemp -d "$(realpath "$2")/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
write_sources "$kind"
mapfile -t apt < <(apt_options)
apt-get "${apt[@]}" -qq --error-on=any update >&2
mapfile -t names < <(packages)
if [ "${#names[@]}" -eq 0 ]; then
	echo "fetch-kernel: $META leads to no kernel package" >&2
	exit 1
fi
echo "fetching ${names[*]}" >&2
(cd "$work/debs" && apt-get "${apt[@]}" -qq download "${names[@]}" >&2)
for deb in "$work"/debs/*.deb; do
	dpkg-deb -x "$deb" "$work/root"
done

# Newer packages keep modules below /usr/lib, and the kernel with them.
if [ -d "$work/root/usr/lib/modules" ]; then
	mkdir -p "$work/root/lib"
	mv "$work/root/usr/lib/modules" "$work/root/lib/modules"
fi
version=$(ls "$work/root/lib/modules")
for image in "$work/root/boot/vmlinuz-$version" "$work/root/lib/modules/$version/vmlinuz"; do
	[ ! -e "$image" ] || mv "$image" "$work/root/vmlinuz"
done
if [ ! -e "$work/root/vmlinuz" ]; then
	echo "fetch-kernel: no kernel image in ${names[*]}" >&2
	exit 1
fi
depmod -b "$work/root" "$version"
printf '%s\n' "$version" >"$work/root/version"
rm -rf "$dir"
mv "$work/root" "$dir"
echo "$dir"
