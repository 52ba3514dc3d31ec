#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Imports changes that were made in TREE, a tree with the series: files of the series are
# copied, and the edits of base files are regenerated if these files differ. Nothing is changed
# if a base file has changed that has no edit.
#
# If TREE is a git repository, it is compared with the base commit of the series, or with HEAD;
# otherwise with the base of the package.

. "$(dirname "$0")/lib.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/history.sh"

"$TOP/dev/deps.sh" series
[ -n "$tree" ] || die "say which tree: make import TREE=dir"
[ -d "$tree" ] || die "$tree is not a directory"
is_laid "$tree" || die "the series is not laid on $tree"
laid=$(absolute "$tree")
[ -e "$tree/.git" ] || tree=
history
exec python3 "$TOP/dev/import.py" "$laid" "$repo" "$base"
