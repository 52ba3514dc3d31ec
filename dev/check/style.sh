#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks of the sources that need no build.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$TOP"
tap_plan 12

# shown ID [OFFENDERS]: a result that passes if all lines of the file "found" are in OFFENDERS;
# it shows the others
shown() {
	if [ $# = 2 ]; then
		grep -v '^#' "$TOP/dev/check/$2" | sort >"$work/known"
		sort "$work/found" | comm -13 - "$work/known" |
			sed "s|^|# dev/check/$2 has this no more: |"
		sort "$work/found" | comm -23 - "$work/known" >"$work/new"
		mv "$work/new" "$work/found"
	fi
	[ ! -s "$work/found" ]
	status=$?
	sed 's/^/# /' "$work/found"
	tap $status "$1"
}

# scripts: all shell scripts of the driver and of the tests
scripts() {
	ls dev/*.sh dev/[bc]*/*.sh dev/guest/* tools/testing/*/*.sh tools/testing/selftests/*/*.sh .ci/run
}

set +e
{ our_files; ls Makefile dev/*.sh dev/*.py dev/check/*; } |
	grep -E '(\.[chS]|\.sh|\.py|Makefile|Kconfig|\.rst)$' |
	while read -r f; do
		head -n 2 "$f" | grep -q SPDX-License-Identifier || echo "$f"
	done >"$work/found"
shown style.spdx

# The rooms of kernel/trace, see rooms.py: a room includes only rooms before it, files do not
# include each other in a circle, paths are relative to kernel/trace, no file names headers
# or instructions of an architecture, and the design page lists all files.
for rule in rooms circles paths arch index; do
	"$TOP/dev/check/rooms.py" "$TOP" "$BUILD/linux" $rule | sed '/^$/d' >"$work/found"
	shown "style.$rule" offenders
done

# The figures of README are those of the table.
grep '^| .* | [0-9].* |$' README.md | while IFS= read -r row; do
	grep -qF -e "$row" dev/bench/table.md || echo "$row"
done >"$work/found"
shown style.figures

# The table has all rows of the benchmark.
awk -F '\t' '/^[a-z]/ { print $3 }' dev/bench/rows | while IFS= read -r title; do
	grep -qF -e "| $title |" dev/bench/table.md || echo "dev/bench/table.md lacks: $title"
done >"$work/found"
shown style.rows

# A tree that the series is laid on has no files of the driver, so our files do not name them.
our_files | xargs grep -E -o 'make (check|bench)\>|\<dev/(bench|check|edits)' /dev/null |
	sort -u >"$work/found"
shown style.driver-unnamed offenders

# Each file that is laid, each option, each edit and each removal is in one patch of dev/series.
dev/series.py check | sed '/^$/d' >"$work/found"
shown style.series

# Files that others source have variables that they do not use themselves (SC2034).
scripts | xargs shellcheck -s sh -x -P SCRIPTDIR -e SC1091,SC2034 -S warning -f gcc 2>&1 |
	sed 's/^\([^:]*\):[0-9]*:[0-9]*:/\1:/' | sort -u >"$work/found"
shown style.shellcheck offenders

# A file that passed is not checked again until it or the rules change. dev/check/excused lists
# complaints of checkpatch that are wrong.
passed=$BUILD/check/checkpatch
mkdir -p "$passed"
export passed
rules=$(sha1sum <"$BUILD/linux/scripts/checkpatch.pl" | cut -c 1-8)
excused=$TOP/dev/check/excused
export rules excused
cd "$BUILD/linux" || exit
our_files | grep -E '\.([chS]|sh)$|Kconfig$|Makefile$' | tr '\n' '\0' |
	xargs -0 -n 1 -P "$JOBS" sh -c '
	ignore=$(sed -n "s#^$0 \([A-Z_]*\) .*#--ignore \1#p" "$excused")
	mark=$passed/$(echo "$rules $0 $ignore" | cat - "$0" | sha1sum | cut -c 1-40)
	[ ! -e "$mark" ] || [ -n "${CI:-}" ] || exit 0
	said=$(scripts/checkpatch.pl --strict --terse --show-types --no-summary \
		$ignore -f "$0" 2>&1)
	if [ -z "$said" ]; then : >"$mark"; else echo "$said"; fi' >"$work/found"
shown style.checkpatch
