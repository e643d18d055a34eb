# SPDX-License-Identifier: Apache-2.0
#
# Print C sources as "file:line:text" without comments and without the contents of string and
# character literals, so that a search finds code only. Preprocessor lines are kept as they are.

FNR == 1 {
	in_comment = 0
}

{
	out = ""
	n = length($0)
	for (i = 1; i <= n; i++) {
		two = substr($0, i, 2)
		c = substr($0, i, 1)
		if (in_comment) {
			if (two == "*/") {
				in_comment = 0
				i++
			}
		} else if (two == "/*") {
			in_comment = 1
			i++
		} else if (two == "//") {
			break
		} else if ((c == "\"" || c == "'") && $0 !~ /^#[ \t]*include/) {
			out = out c
			for (i++; i <= n && substr($0, i, 1) != c; i++)
				if (substr($0, i, 1) == "\\")
					i++
			out = out c
		} else {
			out = out c
		}
	}
	print FILENAME ":" FNR ":" out
}
