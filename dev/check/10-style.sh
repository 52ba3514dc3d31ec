#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What can be said of the sources without building them: SPDX lines, which room
# includes which, and checkpatch.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"

"$TOP/dev/tree.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$TOP"
tap_plan 5

# shown NAME: passes where the file "found" is empty, shows it where not
shown() {
	[ ! -s "$work/found" ]
	status=$?
	sed 's/^/# /' "$work/found"
	tap $status "$1"
}

set +e
{ our_files; ls Makefile dev/*.sh dev/check/*.sh; } |
	grep -E '(\.[chS]|\.sh|Makefile|Kconfig|\.rst)$' |
	while read -r f; do
		head -n 2 "$f" | grep -q SPDX-License-Identifier || echo "$f"
	done >"$work/found"
shown "each file has an SPDX line"

# includes: "FILE INCLUDED" for our own headers, both relative to kernel/trace
(cd kernel/trace && find . -name '*.[chS]' | sed 's|^\./||' | while read -r f; do
	sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$f" |
	while read -r i; do
		[ -f "$(dirname "$f")/$i" ] && i=$(dirname "$f")/$i
		[ -f "$i" ] && echo "$f $(realpath -m --relative-to=. "$i")"
	done
done) >"$work/includes"

# The rooms in their order; of two in the same place, each knows nothing of the
# other.
awk '
BEGIN {
	level["lib"] = 1; level["patch"] = 2; level["hook"] = 3; level["ring"] = 3
	level["instance"] = 4; level["event"] = 5; level["tracer"] = 5
	level["output"] = 6; level["tracefs"] = 7
}
{
	split($1, from, "/"); split($2, to, "/")
	a = from[1]; b = to[1]
	if (a == b)
		next
	if (!(a in level) || !(b in level) || level[b] >= level[a] ||
	    (a == "ring" && b == "patch"))
		print $1 " includes " $2
}' "$work/includes" >"$work/found"
shown "a room includes only rooms before it"

tsort "$work/includes" 2>&1 >/dev/null | grep -v 'input contains' >"$work/found"
shown "no header includes itself over others"

(cd kernel/trace && find . -name '*.[chS]' | xargs grep -n '#[[:space:]]*include[[:space:]]*"\.\./' /dev/null) >"$work/found"
shown "includes are relative to kernel/trace"

# A file that passed is not looked at again until it, or the rules, change.
# dev/check/excused has what checkpatch cannot know to be right.
passed=$BUILD/check/checkpatch
mkdir -p "$passed"
export passed
rules=$(sha1sum <"$BUILD/linux/scripts/checkpatch.pl" | cut -c 1-8)
excused=$TOP/dev/check/excused
export rules excused
cd "$BUILD/linux" || exit
our_files | grep -E '\.([chS]|sh)$|Kconfig$|Makefile$' | tr '\n' '\0' |
	xargs -0 -n 1 -P "$JOBS" sh -c '
	ignore=$(sed -n "s#^\(all\|$0\) \([A-Z_]*\) .*#--ignore \2#p" "$excused")
	mark=$passed/$(echo "$rules $0 $ignore" | cat - "$0" | sha1sum | cut -c 1-40)
	[ ! -e "$mark" ] || exit 0
	said=$(scripts/checkpatch.pl --strict --terse --show-types --no-summary \
		$ignore -f "$0" 2>&1)
	if [ -z "$said" ]; then : >"$mark"; else echo "$said"; fi' >"$work/found"
shown "checkpatch --strict"
