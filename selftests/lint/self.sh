#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Do the lints find what they look for? In a copy of the sources every rule is broken once, and
# every break must be named.

. selftests/lint/lib.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/t"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$work/t"
cd "$work/t"

declare -A want
# breaks SCRIPT FILE LINE EXPECTED: append LINE to FILE; SCRIPT must then print EXPECTED
breaks() {
	mkdir -p "$(dirname "$2")"
	printf '%s\n' "$3" >>"$2"
	want[$1]+="$4"$'\n'
}

spdx='// SPDX-License-Identifier: Apache-2.0'
breaks layers user/lib/base/bad.c '#include "conf/conf.h"' 'user/lib/base must not include user/lib/conf/'
breaks layers user/ctl/bad.c '#include <json-c/json.h>' '<json-c/json.h> may be included only'
breaks layers user/lib/net/bad.c '#include <bpf/bpf.h>' '<bpf/bpf.h> may be included only'
breaks layers user/lib/conf/bad.c '#include <netlink/netlink.h>' '<netlink/netlink.h> may be'
breaks layers headers/railgate/bad.h '#include <stdint.h>' 'headers/ includes nothing but'
breaks layers user/lib/base/c1.h '#include "base/c2.h"' 'includes go in a circle'
breaks layers user/lib/base/c2.h '#include "base/c1.h"' 'c1.h'
breaks layers bpf/bad.h '#include "base/err.h"' 'bpf must not include user/lib/base/err.h'
long=$(printf 'void f(void)\n{\n'; printf '\tx;\n%.0s' {1..61}; printf '}\n')
breaks size user/lib/base/long.c "$long" 'user/lib/base/long.c:f: 61 lines'
long=$(printf 'SEC("tc")\nint e(void)\n{\n'; printf '\tx;\n%.0s' {1..41}; printf '}\n')
breaks size bpf/long.c "$long" 'bpf/long.c:e: 41 lines'
breaks size cni/long.h "$(printf '//\n%.0s' {1..401})" 'cni/long.h: 401 lines'
breaks size selftests/lint/size.allow 'user/lib/base/err.c 500 not true' 'err.c is not needed any more'
breaks names user/lib/base/words.c "$spdx"$'\n\tsprintf(buf, "x");' 'words.c:2:'
breaks names user/lib/base/words.c $'\tprintf("x");' 'words.c:3:'
breaks names user/lib/base/words.c $'\texit(1);' 'words.c:4:'
breaks names user/lib/base/words.c $'\tgoto out;' 'words.c:5:'
breaks names user/lib/base/words.c $'\tx = atoi(s) + system(s); ' 'words.c:6:'
breaks names user/lib/base/words.c "/* TO""DO */" 'words.c:7:'
breaks names user/lib/base/words.c "$(printf '/* %0100d */' 0)" 'over 100 columns'
breaks names user/lib/base/none.c 'int x;' 'none.c: no SPDX line'
breaks names bpf/wrong.c "$spdx" 'bpf/wrong.c: no SPDX line'
breaks names bpf/wrong.c '} rg_sixteen_chars SEC(".maps");' 'bpf/wrong.c:2:'
breaks names selftests/netns/t_bad.sh 'if x; then sle''ep 1; fi' 't_bad.sh:1:'
breaks names Makefile 'VERSION := 9.9.9' 'deploy/NEWS.md: no entry'
breaks cloexec user/lib/base/fd.c $'\tint a = open(path,\n\t\tO_RDONLY);' 'fd.c:1: open() without O_CLOEXEC'
breaks cloexec user/lib/base/fd.c $'\tb = socket(AF_INET, SOCK_DGRAM, 0);' 'fd.c:3: socket()'
breaks cloexec user/lib/base/fd.c $'\tc = dup(a);' 'fd.c:4: dup()'
breaks cloexec user/lib/base/fd.c $'\tf = fopen(path, "r");' 'fd.c:5:'
breaks reasons .clang-tidy '  -some-check' '.clang-tidy: -some-check has no reason'
breaks reasons .clang-tidy '# -other-check: it is not so' '-other-check is explained but not'
breaks reasons user/lib/base/no.c $'\n\tx(); /* NO'$'LINT */' 'no.c:2:'
breaks reasons selftests/lint/cppcheck.suppress $'\nsomeCheck' 'cppcheck.suppress:'

for script in "${!want[@]}"; do
	if said=$("selftests/lint/$script.sh" 2>&1); then
		found "selftests/lint/$script.sh" "finds nothing although everything is wrong"
	fi
	while IFS= read -r expected; do
		[ -z "$expected" ] || grep -qF -e "$expected" <<<"$said" ||
			found "selftests/lint/$script.sh" "does not say: $expected"
	done <<<"${want[$script]}"
	[ "$findings" -eq 0 ] || printf '%s said:\n%s\n' "$script" "$said" >&2
done
verdict
