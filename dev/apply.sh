#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Applies the series to the clean Linux tree TREE, with or without git. All errors are found
# before the first change.

. "$(dirname "$0")/lib.sh"
. "$TOP/dev/lay.sh"

command -v patch >/dev/null || die "the program 'patch' is missing: make deps"
[ -n "$tree" ] || die "say which tree: make apply TREE=dir"
[ -d "$tree" ] || die "$tree is not a directory"
version=$(kernel_version "$tree")
[ -n "$version" ] || die "$tree is not a kernel tree"
[ "$version" = "$MAJOR" ] || die "$tree is Linux $version, this is for $MAJOR.y"
! is_laid "$tree" || die "the series is laid on $tree already"

# If the tree is a git repository, no work of its owner may be lost.
if [ -e "$tree/.git" ]; then
	changed=$(mktemp)
	{ our_files; edited_files; cat "$TOP/dev/removed"; } | sort -u | tr '\n' '\0' |
		xargs -0 git -c safe.directory='*' -C "$tree" status --porcelain -- >"$changed" ||
		die "git cannot tell whether $tree is clean"
	first=$(head -n 1 "$changed" | cut -c 4-)
	rm -f "$changed"
	[ -z "$first" ] || die "$tree is not clean: $first has changes"
fi
[ -f "$tree/kernel/trace/trace.c" ] ||
	die "$tree is not a clean Linux $MAJOR: it lacks kernel/trace/trace.c"
[ -w "$tree" ] || die "$tree cannot be written to"

stage=$(mktemp -d)
trap 'rm -rf "$stage" "$stage.log"' EXIT
edit "$tree" "$stage"

(cd "$tree" && xargs rm -rf <"$TOP/dev/removed")
our_files | put "$TOP" "$tree"
edited_files | put "$stage" "$tree"
echo "the series is laid on $tree ($(our_files | wc -l) files," \
	"$(edited_files | wc -l) base files edited)"
