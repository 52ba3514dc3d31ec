#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Makes build/linux: unpacks the base and applies the series to it. Files that are up to date
# are not touched. build/covered keeps the files of the base that our files and the edits
# replace, so that an edit can be changed or removed without unpacking the base again.
# usage: tree.sh [stock]
#
# With "stock" it makes build/stock instead, which is only the base.

. "$(dirname "$0")/lib.sh"
. "$TOP/dev/lay.sh"

linux=$BUILD/linux
covered=$BUILD/covered
list=$BUILD/covered.list

unpack() {
	[ -f "$TARBALL" ] || die "$TARBALL is missing: make deps"
	stage "unpacking $(basename "$TARBALL")"
	rm -rf "$linux" "$covered" "$list" "$BUILD/base.stamp" "$BUILD/laid.stamp"
	mkdir -p "$linux" "$covered"
	logged "$BUILD/log/unpack" tar -C "$linux" --strip-components=1 -xf "$TARBALL"
	(cd "$linux" && xargs rm -rf <"$TOP/dev/removed")
	: >"$list"
}

# cover: keeps the base's version of files that are replaced for the first time, and restores
# files that are no longer replaced.
cover() {
	{ our_files; edited_files; } | sort -u >"$list.new"
	sort -u "$list" | comm -13 - "$list.new" | while read -r f; do
		if [ -f "$linux/$f" ]; then
			mkdir -p "$covered/$(dirname "$f")"
			cp -p "$linux/$f" "$covered/$f"
		fi
		echo "$f" >>"$list"
	done
	sort -u "$list" | comm -23 - "$list.new" | while read -r f; do
		if [ -f "$covered/$f" ]; then
			echo "$f" | put "$covered" "$linux"
			rm "$covered/$f"
		else
			rm -f "$linux/$f"
		fi
	done
	mv "$list.new" "$list"
}

# The two stamps record the state of the base and of the series when they were last applied.
base_stamp() {
	stat -c '%s %Y' "$TARBALL" 2>/dev/null
	cat "$TOP/dev/base" "$TOP/dev/removed"
}

laid_stamp() {
	cat "$BUILD/base.stamp"
	(cd "$TOP" && { our_files; echo dev/lay.sh; ls dev/edits/*.patch; } |
		tr '\n' '\0' | xargs -0 stat -c '%n %s %y')
}

if [ "${1:-}" = stock ]; then
	locked stock
	new=$(stat -c '%s %Y' "$TARBALL")
	[ "$new" != "$(cat "$BUILD/stock.stamp" 2>/dev/null)" ] || exit 0
	stage "unpacking the stock kernel"
	rm -rf "$BUILD/stock" "$BUILD/stock.stamp"
	mkdir -p "$BUILD/stock"
	logged "$BUILD/log/unpack-stock" tar -C "$BUILD/stock" --strip-components=1 -xf "$TARBALL"
	echo "$new" >"$BUILD/stock.stamp"
	exit 0
fi

locked tree
[ "$(base_stamp)" = "$(cat "$BUILD/base.stamp" 2>/dev/null)" ] || {
	unpack
	base_stamp >"$BUILD/base.stamp"
}
new=$(laid_stamp)
[ "$new" != "$(cat "$BUILD/laid.stamp" 2>/dev/null)" ] || exit 0

stage "laying the series on build/linux"
cover
staged=$(mktemp -d)
trap 'rm -rf "$staged" "$staged.log"' EXIT
edit "$covered" "$staged"
our_files | put "$TOP" "$linux"
edited_files | put "$staged" "$linux"
echo "$new" >"$BUILD/laid.stamp"
