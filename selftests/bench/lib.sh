# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# How measurements are shown and kept: a line of a table for people, and an object a line in
# $RG_BENCH_JSON (build/bench.json) with name, value, unit, reference and ratio.

RG_BENCH_JSON=${RG_BENCH_JSON:-${RG_BUILD:-build}/bench.json}

# bench_title TEXT
bench_title() {
	printf '\n%s\n' "$1"
	printf '  %-44s %10s %-6s %10s %7s  %s\n' what value unit reference ratio target
}

# bench_row NAME TEXT VALUE UNIT REFERENCE [TARGET]: REFERENCE is what VALUE is compared with, or
# "-". TARGET is "ratio MAX", "value MAX" or "least MIN" (of the ratio); the row says whether it is
# met.
bench_row() {
	local name=$1 text=$2 value=$3 unit=$4 reference=$5 target=${6-} ratio=- verdict=

	if [ "$reference" != - ]; then
		ratio=$(awk -v a="$value" -v b="$reference" 'BEGIN { printf "%.3f", a / b }')
	fi
	if [ "${target% *}" = least ]; then
		verdict=$(awk -v got="$ratio" -v min="${target#* }" \
			'BEGIN { print (got >= min) ? "met" : "MISSED" }')
		verdict=">= ${target#* }: $verdict"
	elif [ -n "$target" ]; then
		verdict=$(awk -v got="$([ "${target% *}" = ratio ] && echo "$ratio" || echo "$value")" \
			-v max="${target#* }" 'BEGIN { print got <= max ? "met" : "MISSED" }')
		verdict="<= ${target#* }: $verdict"
	fi
	printf '  %-44s %10s %-6s %10s %7s  %s\n' \
		"$text" "$value" "$unit" "$reference" "$ratio" "$verdict"
	printf '{"name":"%s","value":%s,"unit":"%s","reference":%s,"ratio":%s}\n' "$name" "$value" \
		"$unit" "${reference/#-/null}" "${ratio/#-/null}" >>"$RG_BENCH_JSON"
}
