#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Prints the output of checkpatch for files, or for patches, except false complaints that
# dev/check/excused lists.
# usage: checkpatch.sh PASSED [OPTION...] <NAMES
#
# NAMES are each terminated by a NUL and are relative to the tree with the series. A file that
# passed leaves a mark in the directory PASSED, and is not checked again until it or the rules
# change; in CI it is. Checkpatch gets several files at once, because it starts slowly. With
# --no-tree it checks neither whether each file is maintained, which takes as long as everything
# else, nor whether a header <asm/...> should be replaced by one in <linux/>. It reports a camel
# case name only for the first file, so files in which these are excused are checked one by one.

. "$(dirname "$0")/../lib.sh"

passed=$1
shift
mkdir -p "$passed"
cd "$BUILD/linux" || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rules=$(cat scripts/checkpatch.pl scripts/spelling.txt "$TOP/dev/check/excused" \
	"$TOP/dev/check/checkpatch.sh" | sha1sum)
options="--no-tree --root=. --strict --terse --show-types --showfile --no-summary $*"
excused=$TOP/dev/check/excused
export passed rules options excused

# checked NUMBER: checks the files on its standard input, NUMBER at a time. The check of a mail
# does not depend on its date and its number.
checked() {
	xargs -n "$1" -P "$JOBS" sh -c '
	marks=
	for f; do
		mark=$passed/$({
			echo "$rules $options"
			case $f in
			*.patch) sed -e 1,4d -e "s/^Subject: .PATCH [0-9/]*./Subject:/" "$f" ;;
			*) echo "$f"; cat "$f" ;;
			esac
		} | sha1sum | cut -c 1-40)
		shift
		[ ! -e "$mark" ] || [ -n "${CI:-}" ] || continue
		set -- "$@" "$f"
		marks="$marks $mark"
	done
	[ $# != 0 ] || exit 0
	said=$(scripts/checkpatch.pl $options "$@" 2>&1 | awk -v list="$excused" "
		FILENAME == list { excused[\$1 \" \" \$2]; next }
		{
			file = \$1
			sub(/:.*/, \"\", file)
			type = \$2
			gsub(/^[A-Z]*:|:\$/, \"\", type)
		}
		!((file \" \" type) in excused)" "$excused" - || echo "awk failed")
	if [ -z "$said" ]; then
		: | tee $marks
	else
		echo "in $*:"
		echo "$said"
	fi' sh
}

tr '\0' '\n' >"$work/names"
sed -n 's/ CAMELCASE .*//p' "$excused" >"$work/camels"
grep -vxFf "$work/camels" "$work/names" | checked 12
grep -xFf "$work/camels" "$work/names" | checked 1
