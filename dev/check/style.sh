#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Checks of the sources that need no build.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$TOP"
tap_plan 14

# shown ID [KNOWN]: a result that passes if all lines of the file "found" are in KNOWN; it shows
# the other lines
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

# The directories of kernel/trace, see rooms.py: a directory includes only directories before
# it, includes have no cycles, paths are relative to kernel/trace, no file names headers or
# instructions of an architecture, and the design page lists all files.
for rule in rooms circles paths arch index; do
	"$TOP/dev/check/rooms.py" "$TOP" "$BUILD/linux" $rule >"$work/found" ||
		echo "rooms.py failed" >>"$work/found"
	shown "style.$rule" style_known
done

# Static functions and structures have names that begin with the name of their file, and others
# do not, see names.py.
"$TOP/dev/check/names.py" "$TOP" "$BUILD/linux" "$BUILD/functions" >"$work/found" ||
	echo "names.py failed" >>"$work/found"
shown style.names style_known

# The section of the design page about adding an architecture covers exactly the functions of
# the contract.
page=Documentation/trace/ftrace-design.rst
contract=include/linux/ftrace_arch.h
awk '/^=+$/ { inside = last == "What an architecture supplies" } inside { print } { last = $0 }' "$page" |
	grep -o '``[a-z0-9_]*()``' | tr -d '`()' | sort -u >"$work/named"
sed -n -e 's/^ \*   \([a-z0-9_]*\)().*/\1/p' -e 's/^[a-z][^()]*[ *]\([a-z0-9_]*\)(.*/\1/p' \
	-e 's/^\([a-z0-9_]*\)(.*/\1/p' "$contract" | sort -u >"$work/declared"
{
	comm -13 "$work/named" "$work/declared" | sed "s|\$|() is in $contract and not in $page|"
	while read -r name; do
		grep -q "\<$name(" "$contract" || echo "$name() is in $page and not in $contract"
	done <"$work/named"
	[ -s "$work/named" ] || echo "$page names no functions"
} >"$work/found"
shown style.contract

# The figures of README are the figures of the table.
grep '^| .* | [0-9].* |$' README.md | while IFS= read -r row; do
	grep -qF -e "$row" dev/bench/table.md || echo "$row"
done >"$work/found"
shown style.figures

# The table has all rows of the benchmark.
awk -F '\t' '/^[a-z]/ { print $3 }' dev/bench/rows | while IFS= read -r title; do
	grep -qF -e "| $title |" dev/bench/table.md || echo "dev/bench/table.md lacks: $title"
done >"$work/found"
shown style.rows

# A tree with the series does not contain the driver, so our files must not refer to it.
our_files | xargs grep -E -o 'make (check|bench)\>|\<dev/(bench|check|edits)' /dev/null |
	sort -u >"$work/found"
shown style.driver-unnamed style_known

# Each file, option, edit and removal is in exactly one patch of dev/series.
dev/series.py check | sed '/^$/d' >"$work/found"
shown style.series

# Files that are sourced have variables that they do not use themselves (SC2034).
scripts | xargs shellcheck -s sh -x -P SCRIPTDIR -e SC1091,SC2034 -S warning -f gcc 2>&1 |
	sed 's/^\([^:]*\):[0-9]*:[0-9]*:/\1:/' | sort -u >"$work/found"
shown style.shellcheck style_known

our_files | grep -E '\.([chS]|sh)$|Kconfig$|Makefile$' | tr '\n' '\0' |
	dev/check/checkpatch.sh "$BUILD/check/checkpatch" -f >"$work/found" ||
	echo "checkpatch.sh failed" >>"$work/found"
shown style.checkpatch
