#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Makes the series: a branch of the git repository TREE, or of one in build/series that has the
# base of the package; and mails with a cover letter in build/series/mails.
#
# From the environment: BRANCH, the name of the branch; AUTHOR, "Name <mail>" for the sign-off
# of the patches, by default from git's config.

. "$(dirname "$0")/lib.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/history.sh"

"$TOP/dev/deps.sh" series
history
[ "$(git -C "$repo" symbolic-ref -q HEAD)" != "refs/heads/$NAME" ] ||
	die "the branch $NAME is checked out in $repo: say another one by BRANCH=name"
! has kernel/trace/ring || ! has kernel/trace/ftrace || die "the series is in $repo already"
has kernel/trace/trace.c || die "$repo is not a clean Linux $MAJOR: it lacks kernel/trace/trace.c"

stage "committing the series"
python3 "$TOP/dev/series.py" branch "$repo" "$base" "$NAME"
stage "writing mails"
python3 "$TOP/dev/series.py" mails "$repo" "$base" "$NAME" "$BUILD/series/mails"
echo "the branch $NAME of $repo has $(git -C "$repo" rev-list --count "$base..$NAME") patches;" \
	"the first is too large to mail, the others are in $BUILD/series/mails"
