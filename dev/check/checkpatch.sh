#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Prints what checkpatch says of files, or of patches, but for what dev/check/excused lists, which
# is wrong.
# usage: checkpatch.sh PASSED [OPTION...] <NAMES
#
# NAMES end with a NUL each and are relative to the laid tree. A file that passed leaves a mark in
# the directory PASSED, and is not checked again until it or the rules change; in CI it is.
# Checkpatch reads many files, as it takes long to start, and does not ask whether they are
# maintained, which takes as long as all else.

. "$(dirname "$0")/../lib.sh"

passed=$1
shift
mkdir -p "$passed"
cd "$BUILD/linux" || exit
rules=$(cat scripts/checkpatch.pl "$TOP/dev/check/excused" | sha1sum)
options="--no-tree --root=. --strict --terse --show-types --showfile --no-summary $*"
excused=$TOP/dev/check/excused
export passed rules options excused
# A mail is the same whenever it was made, and whatever its number is.
xargs -0 -n 12 -P "$JOBS" sh -c '
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
	said=$(scripts/checkpatch.pl $options "$@" 2>&1 | awk "
		FNR == NR { excused[\$1 \" \" \$2]; next }
		{
			file = \$1
			sub(/:.*/, \"\", file)
			type = \$2
			gsub(/^[A-Z]*:|:\$/, \"\", type)
		}
		!((file \" \" type) in excused)" "$excused" -)
	if [ -z "$said" ]; then : | tee $marks; else echo "$said"; fi' sh
