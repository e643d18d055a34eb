# SPDX-License-Identifier: Apache-2.0
#
# Judges what one test program printed, TAP or KTAP.
#
#	awk -v rc=EXIT_STATUS -v killed=SECONDS_OR_0 -f merge.awk LOG
#
# The first line it prints is "PASSED FAILED SKIPPED", after it come failures and skips as people
# should read them. A line that closes a KTAP subtest repeats the verdicts below it and is not
# counted again. Also a failure: no result at all, another number of results than planned, a skip
# without a reason, and an exit status that no result explains.

function say(text) {
	text_lines[++n_lines] = text
}

function fail(text) {
	failed++
	say(text)
}

# reason LINE: what stands behind "# SKIP"
function reason(line) {
	if (!match(line, /#[ \t]*[Ss][Kk][Ii][Pp][A-Za-z]*[ \t:]*/))
		return ""
	return substr(line, RSTART + RLENGTH)
}

{
	sub(/\r$/, "") # a console's
}

/^1\.\.0[ \t]*#[ \t]*[Ss][Kk][Ii][Pp]/ {
	planned = 1
	if (reason($0) == "") {
		fail("skipped without a reason: " $0)
	} else {
		skipped++
		say($0)
	}
	next
}

/^1\.\.[0-9]+/ {
	planned = 1
	plan = substr($1, 4) + 0
	next
}

/^[ \t]*(not )?ok([ \t]|$)/ {
	match($0, /^[ \t]*/)
	depth = RLENGTH
	line = substr($0, depth + 1)
	bad = line ~ /^not /
	skip = line ~ /#[ \t]*[Ss][Kk][Ii][Pp]/
	closes = deepest > depth
	deepest = depth
	explaining = 0
	before = notes
	notes = ""
	if (depth == 0)
		top++
	if (closes && !(bad && !below_failed)) {
		below_failed = depth > 0 && bad
		next
	}
	# cmocka's skip() cannot give a reason; it prints "not ok N # SKIP name".
	if (bad || (skip && reason(line) == "")) {
		below_failed = depth > 0
		explaining = 1
		fail(line before)
	} else if (skip) {
		skipped++
		say(line)
	} else {
		passed++
	}
	next
}

# Some programs explain a failure before its line, some after it.
/^[ \t]*#/ {
	if (++n_notes > 200)
		next
	if (explaining)
		say($0)
	else
		notes = notes "\n" $0
}

END {
	if (killed)
		fail("killed after its time limit of " killed " s")
	else if (rc != 0 && !failed)
		fail("exit status " rc " without a failed result")
	else if (!planned)
		fail("printed no plan")
	else if (plan != top)
		fail("planned " plan " results, printed " top)
	printf "%d %d %d\n", passed, failed, skipped
	for (i = 1; i <= n_lines; i++)
		print text_lines[i]
}
