#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every header compiles alone. The layout shared with BPF compiles in both modes, and clang for
# the host, clang for BPF and gcc agree on the size of every structure and the place of every field.
# Environment: CC, CLANG, LINT_USER_FLAGS, LINT_BPF_FLAGS.

. selftests/lint/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra user_flags <<<"${LINT_USER_FLAGS//\'/}"
read -ra bpf_flags <<<"$LINT_BPF_FLAGS"
user_flags+=(-Wno-unused-function -Wno-unused-const-variable)

alone() { # alone HEADER COMPILER FLAG...
	local header=$1
	shift
	echo "#include \"$PWD/$header\"" >"$work/alone.c"
	"$@" -fsyntax-only "$work/alone.c" || found "$header" "does not compile alone with $1"
}

mapfile -t headers < <(sources '*.h')
for header in "${headers[@]}"; do
	case $header in
	bpf/*) alone "$header" "$CLANG" "${bpf_flags[@]}" -Wno-unused-function ;;
	vmlinux/*) alone "$header" "$CLANG" "${bpf_flags[@]}" ;;
	headers/*)
		alone "$header" "$CC" "${user_flags[@]}"
		alone "$header" "$CLANG" "${bpf_flags[@]}"
		;;
	*) alone "$header" "$CC" "${user_flags[@]}" -Iselftests -Icni -I"$(dirname "$header")" ;;
	esac
done

mapfile -t shared < <(sources '*.h' | grep '^headers/')
mapfile -t structs < <(sed -nE 's/^struct (rg_[a-z0-9_]+) \{.*/\1/p' "${shared[@]}" | sort -u)
[ "${#structs[@]}" -gt 0 ] || found headers "no structure found"
for header in "${shared[@]}"; do
	echo "#include \"$PWD/$header\""
done >"$work/both.c"
cp "$work/both.c" "$work/gcc.c"
for name in "${structs[@]}"; do
	echo "_Static_assert(sizeof(struct $name) > 0, \"lays it out\");" >>"$work/both.c"
done
layout() { # layout FLAG...: offsets and sizes of the shared structures
	"$CLANG" "$@" -std=gnu11 -Iheaders -fsyntax-only -Xclang -fdump-record-layouts \
		"$work/both.c"
}
layout >"$work/host.txt"
layout -target bpf "-I/usr/include/$(uname -m)-linux-gnu" >"$work/bpf.txt"
diff -u "$work/host.txt" "$work/bpf.txt" >&2 ||
	found headers "host and BPF lay structures out differently"

for name in "${structs[@]}"; do
	size=$(awk -v name="$name" '
		/^ *0 \| struct [a-z0-9_]+$/ { ours = ($4 == name) }
		ours && match($0, /sizeof=[0-9]+/) {
			print substr($0, RSTART + 7, RLENGTH - 7)
			exit
		}
	' "$work/bpf.txt")
	[ -n "$size" ] || { found headers "clang gives no size for struct $name"; continue; }
	echo "_Static_assert(sizeof(struct $name) == $size, \"size of $name differs from BPF's\");"
done >>"$work/gcc.c"
"$CC" "${user_flags[@]}" -fsyntax-only "$work/gcc.c" ||
	found headers "$CC and BPF disagree on sizes"
verdict
