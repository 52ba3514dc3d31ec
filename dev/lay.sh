# SPDX-License-Identifier: GPL-2.0
# Functions that apply the series to a kernel tree.
#
# The series removes files of the base (dev/removed), edits a few others (dev/edits), and adds
# the files of this project, which mirror the kernel tree.
# shellcheck shell=sh

# our_files: lists the files of this project that belong in a kernel tree
our_files() {
	git -c safe.directory='*' -C "$TOP" ls-files -co --exclude-standard |
		grep -v -e '^Makefile$' -e '^README\.md$' -e '^\.gitignore$' \
			-e '^dev/' -e '^\.ci/' |
		while read -r f; do
			[ ! -f "$TOP/$f" ] || echo "$f"
		done
}

edited_files() {
	sed -n 's|^+++ b/\([^	]*\).*|\1|p' "$TOP"/dev/edits/*.patch | sort -u
}

# kernel_version TREE: prints "6.12" or the like, or nothing if TREE is not a kernel tree
kernel_version() {
	[ -f "$1/Kbuild" ] && [ -f "$1/Kconfig" ] && [ -f "$1/Makefile" ] || return 0
	awk '$1 == "VERSION" { v = $3 } $1 == "PATCHLEVEL" { p = $3 }
	     v != "" && p != "" { print v "." p; exit }' "$1/Makefile"
}

is_laid() {
	[ -d "$1/kernel/trace/ftrace" ] || [ -d "$1/kernel/trace/ring" ]
}

# edit FROM STAGE: puts the edited versions of files in FROM into the directory STAGE
edit() {
	edited_files | while read -r f; do
		[ -f "$1/$f" ] || die "an edit would not apply: $1 has no $f"
		mkdir -p "$2/$(dirname "$f")"
		cp "$1/$f" "$2/$f"
	done
	for e in "$TOP"/dev/edits/*.patch; do
		patch -d "$2" -p1 -F0 -s -f -r - --no-backup-if-mismatch \
			<"$e" >"$2.log" 2>&1 && continue
		cat "$2.log" >&2
		die "the edit dev/edits/$(basename "$e") would not apply"
	done
}

# put FROM TREE: copies the files named on standard input that differ, so that a build detects
# only real changes
put() {
	while read -r f; do
		cmp -s "$1/$f" "$2/$f" && continue
		mkdir -p "$2/$(dirname "$f")"
		rm -f "$2/$f"
		cp -p "$1/$f" "$2/$f"
		touch "$2/$f"
	done
}
