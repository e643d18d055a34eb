#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every file descriptor is made close-on-exec: the plugin runs other plugins.

. selftests/lint/lib.sh

mapfile -t files < <(sources '*.c' '*.h' | grep -E '^(user|cni|selftests)/')
# Statements are joined, so that a flag on the next line counts.
found_lines 'make it close-on-exec' < <(code "${files[@]}" | awk '
	BEGIN {
		need["open"] = need["openat"] = need["open64"] = need["openat2"] = "O_CLOEXEC"
		need["socket"] = need["socketpair"] = need["accept4"] = "SOCK_CLOEXEC"
		need["epoll_create1"] = "EPOLL_CLOEXEC"
		need["eventfd"] = "EFD_CLOEXEC"
		need["timerfd_create"] = "TFD_CLOEXEC"
		need["signalfd"] = "SFD_CLOEXEC"
		need["inotify_init1"] = "IN_CLOEXEC"
		need["memfd_create"] = "MFD_CLOEXEC"
		need["pipe2"] = need["dup3"] = "O_CLOEXEC"
		need["pipe"] = need["dup"] = need["accept"] = "a call with flags"
		need["epoll_create"] = need["inotify_init"] = need["creat"] = "a call with flags"
	}
	{
		match($0, /^[^:]+:[0-9]+:/)
		where = substr($0, 1, RLENGTH)
		rest = substr($0, RLENGTH + 1)
		if (statement == "")
			first = where
		statement = statement rest
		if (rest !~ /[;{}]/ && rest !~ /^#/)
			next
		s = statement
		while (match(s, /(^|[^A-Za-z0-9_.>])[a-z0-9_]+\(/)) {
			name = substr(s, RSTART, RLENGTH - 1)
			sub(/^[^a-z0-9_]/, "", name)
			s = substr(s, RSTART + RLENGTH)
			if (name in need && index(statement, need[name]) == 0)
				print first " " name "() without " need[name]
		}
		statement = ""
	}')
# stdio opens files too; "e" is its close-on-exec.
found_lines 'open it with "e"' < <(grep -nE '[^a-z_]f(d|re)?open\(.*"[^"e]*"\)' "${files[@]}" |
	grep -vE 'fdopen' | grep -vE '"[rwa+]+e[^"]*"')
verdict
