#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Includes go one way: what each folder may include of ours, and who may see a third party's
# headers. What is not listed here is an error.

. selftests/lint/lib.sh

# may_use FOLDER: the folders whose headers a folder may include besides its own.
may_use() {
	case $1 in
	user/lib/base) ;;
	user/lib/topo) echo headers user/lib/base user/lib/net user/lib/rdma user/lib/conf ;;
	user/lib/metrics) echo headers user/lib/base user/lib/bpf ;;
	user/lib/*) echo headers user/lib/base ;;
	user/daemon | user/ctl | cni)
		echo headers
		find user/lib -mindepth 1 -maxdepth 1 -type d
		;;
	bpf | bpf/lib) echo headers vmlinux bpf/lib ;;
	esac
}

# third_party HEADER: extended regular expression of the files that may include it.
third_party() {
	case $1 in
	bpf/*) echo '^(user/lib/bpf|bpf|selftests)/.*\.(c|h)$' ;;
	*.skel.h) echo '^(user/lib/bpf|selftests)/.*\.c$' ;;
	netlink/*) echo '^user/lib/(net|rdma)/.*\.c$|^selftests/' ;;
	json-c/*) echo '^(user/lib/(conf|state|ipc)|cni)/.*\.c$|^user/ctl/out\.c$|^selftests/' ;;
	pcap/*) echo '^user/ctl/frames\.c$' ;;
	microhttpd.h) echo '^user/daemon/http\.c$' ;;
	sys/capability.h) echo '^user/daemon/caps\.c$' ;;
	infiniband/* | rdma/*) echo '^user/lib/rdma/.*\.c$|^selftests/' ;;
	cmocka.h | setjmp.h) echo '^selftests/' ;;
	esac
}

# resolve FILE NAME: the file of ours that an include means, empty if it is none of ours.
resolve() {
	local dir
	for dir in "${1%/*}" user/lib bpf bpf/lib headers vmlinux cni selftests; do
		[ -f "$dir/$2" ] || continue
		case $2 in
		*../*) realpath --relative-to=. "$dir/$2" ;;
		*) echo "$dir/$2" ;;
		esac
		return
	done
}

check() { # check WHERE FILE NAME
	local where=$1 file=$2 name=$3 folder target target_folder pattern
	folder=${file%/*}
	target=$(resolve "$file" "$name")
	if [ -z "$target" ]; then
		pattern=$(third_party "$name")
		if [ -n "$pattern" ] && ! [[ $file =~ $pattern ]]; then
			found "$where" "<$name> may be included only by files matching $pattern"
		fi
		case $folder in
		headers/*) [ "$name" = linux/types.h ] ||
			found "$where" "headers/ includes nothing but <linux/types.h>" ;;
		vmlinux) found "$where" "vmlinux/ includes nothing" ;;
		bpf | bpf/*) [[ $name =~ ^(linux/|bpf/|std(def|bool|int)\.h$) ]] ||
			found "$where" "BPF includes the kernel's and libbpf's headers only" ;;
		esac
		return
	fi
	[ "$target" = "$file" ] || echo "$file $target" >>"$edges"
	target_folder=${target%/*}
	case $target in headers/*) target_folder=headers ;; esac
	case $folder in headers/*) folder=headers ;; esac
	case $folder in selftests/*) return ;; esac
	[ "$folder" = "$target_folder" ] && return
	case " $(may_use "$folder" | tr '\n' ' ') " in
	*" $target_folder "*) ;;
	*) found "$where" "$folder must not include $target" ;;
	esac
	if [ "$file" = bpf/lib/policy.h ] && [ "$target" = bpf/lib/verdict.h ]; then
		found "$where" "the decision must not know how it is carried out"
	fi
}

edges=$(mktemp)
trap 'rm -f "$edges"' EXIT
mapfile -t files < <(sources '*.c' '*.h')
while IFS=: read -r file line text; do
	[[ ! $text =~ [\<\"]([^\>\"]+)[\>\"] ]] ||
		check "$file:$line" "$file" "${BASH_REMATCH[1]}"
done < <(grep -nHE '^[[:space:]]*#[[:space:]]*include' "${files[@]}")

if ! loops=$(tsort "$edges" 2>&1 >/dev/null); then
	found "headers" "includes go in a circle: $(tr '\n' ' ' <<<"$loops")"
fi
verdict
