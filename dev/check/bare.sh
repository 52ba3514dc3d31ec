# SPDX-License-Identifier: GPL-2.0
# Small trees for tests of the driver: the parts of the base that the series touches, and a few
# more.
# shellcheck shell=sh

"$TOP/dev/tree.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack TARBALL DIR: unpacks these parts once
unpack() {
	bare=$2
	name=$(basename "$1" .tar.xz)
	stamp=$(stat -c '%n %s %Y' "$1"; edited_files; our_files)
	[ "$stamp" != "$(cat "$bare.stamp" 2>/dev/null)" ] || return 0
	rm -rf "$bare" "$bare.stamp"
	mkdir -p "$bare"
	{
		printf '%s\n' Makefile Kbuild Kconfig kernel/trace scripts
		our_files
		edited_files
		cat "$TOP/dev/removed"
	} | sed "s|^|$name/|; s|/\$||" >"$work/want"
	# wanted files, and files in a wanted directory
	tar -tf "$1" | awk 'NR == FNR { want[$0]; next }
		/\/$/ { next }
		{ for (p = $0; p; ) { if (p in want) { print; next }
			if (!sub(/\/[^\/]*$/, "", p)) next } }' "$work/want" - >"$work/members"
	tar -C "$bare" --strip-components=1 -xf "$1" -T "$work/members"
	echo "$stamp" >"$bare.stamp"
}

unpack "$TARBALL" "$BUILD/check/bare"

# fresh NAME: makes a clean tree with that name
fresh() {
	rm -rf "${work:?}/$1"
	cp -a "$bare" "$work/$1"
}

git_in() {
	git -C "$1" -c user.name=test -c user.email=test@localhost "$2" "$3" \
		${4:+"$4"} ${5:+"$5"} >/dev/null 2>&1
}

fresh_git() {
	fresh "$1"
	git_in "$work/$1" init -q && git_in "$work/$1" add -A . &&
		git_in "$work/$1" commit -q -m base
}
