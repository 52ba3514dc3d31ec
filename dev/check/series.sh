#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series as patches: the claims of dev/series, the branch and the mails, and changes of a
# tree with the series that are imported.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/check/bare.sh"

export BRANCH=series GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# result ID: of the previous command
result() {
	status=$?
	[ $status = 0 ] || sed 's/^/# /' "$work/said" | head -n 40
	tap $status "$1"
}

# tree_of REPO [COMMIT]: prints the id of the content of a commit, or of the directory
tree_of() {
	if [ $# = 2 ]; then
		git -C "$work/$1" rev-parse "$2^{tree}"
	else
		git -C "$work/$1" add -A . && git -C "$work/$1" write-tree
	fi
}

# A copy of the project, whose files the tests may change.
mkdir "$work/copy"
(cd "$TOP" && git ls-files -co --exclude-standard | while read -r f; do
	[ ! -f "$f" ] || echo "$f"
done | cpio -pdm --quiet "$work/copy")
git -C "$work/copy" init -q
git -C "$work/copy" add -A .
git -C "$work/copy" commit -q -m copy
mkdir "$work/copy/build"
ln -s "$BUILD/covered" "$work/copy/build/covered"
copy_is() {
	[ -z "$(git -C "$work/copy" status --porcelain)" ] && [ "$1" = clean ]
}
copy_again() {
	git -C "$work/copy" reset -q --hard
	git -C "$work/copy" clean -q -d -f -e build
}

make_in() {
	make -C "$work/copy" "$@" >"$work/said" 2>&1
}

# finds TEXT ID: the check of the claims of dev/series reports TEXT
finds() {
	"$work/copy/dev/series.py" check >"$work/said"
	grep -q "$1" "$work/said"
	result "$2"
	copy_again
}

set +e
tap_plan 18

# Errors that the check of claims finds.
first=$(grep -l '^kernel/trace/lib/clock.c' "$work"/copy/dev/series/*)
echo >"$work/copy/kernel/trace/lib/new.c"
finds "no patch .* claims the path kernel/trace/lib/new.c" series.unclaimed
echo kernel/trace/ring/iter.c >>"$first"
finds "kernel/trace/ring/iter.c is claimed by .* already" series.claimed-twice
sed -i 's|^kernel/trace/lib/clock.c|kernel/trace/lib/clok.c|' "$first"
finds "no path is kernel/trace/lib/clok.c" series.claims-nothing
printf '\nconfig NO_SUCH\n\tbool\n' >>"$work/copy/kernel/trace/Kconfig"
finds "claims the config NO_SUCH" series.option-unclaimed
echo '#include "tracefs/files.h"' >>"$work/copy/kernel/trace/lib/clock.c"
finds "lib/clock.c includes .*tracefs/files.h, which .* brings" series.header-late
sed -i '1s/.*/Clocks/' "$first"
finds "subject does not begin" series.subject

# The branch has the result of apply, and the mails make the same of the first patch.
fresh_git laid
make_in apply TREE="$work/laid"
laid=$(tree_of laid)
fresh_git branch
before=$(git -C "$work/branch" rev-parse HEAD)
make_in series TREE="$work/branch"
[ "$(tree_of branch series)" = "$laid" ] ||
	! git -C "$work/branch" diff --stat series "$laid" >>"$work/said" 2>&1
result series.branch
[ "$(git -C "$work/branch" rev-parse HEAD)" = "$before" ] &&
	[ -z "$(git -C "$work/branch" status --porcelain)" ]
result series.leaves-tree
mails=$work/copy/build/series/mails
count=$(git -C "$work/branch" rev-list --count HEAD..series)
[ "$(find "$mails" -name '*.patch' | wc -l)" = "$count" ]
result series.mails
git -C "$work/branch" checkout -q --detach "series~$((count - 1))"
find "$mails" -name '*.patch' ! -name '0000-*' | sort |
	xargs git -C "$work/branch" am -q >"$work/said" 2>&1
[ "$(tree_of branch HEAD)" = "$laid" ]
result series.mails-apply
git -C "$work/branch" checkout -q series
make_in series TREE="$work/branch"
[ $? != 0 ] && grep -q 'checked out' "$work/said"
result series.checked-out
BRANCH=other make_in series TREE="$work/branch"
[ $? != 0 ] && grep -q 'already' "$work/said"
result series.refuses-laid
fresh none
make_in series TREE="$work/none"
[ $? != 0 ] && grep -q 'not a git repository' "$work/said"
result series.without-git

# Messages and patches must pass checkpatch. New files are expected, and only a known author can
# sign patches off. Only the first line of a new file is checked here: style.checkpatch checks
# all of it.
mkdir -p "$work/short"
for mail in "$mails"/*.patch; do
	awk '/^@@ -0,0 [+]1/ { print "@@ -0,0 +1 @@"; getline; print; new = 1; next }
		/^[^+\\]/ { new = 0 }
		!new' "$mail" >"$work/short/${mail##*/}"
done
find "$work/short" -name '*.patch' ! -name '0000-*' -print0 | sort -z |
	"$TOP/dev/check/checkpatch.sh" "$BUILD/check/mails" \
		--ignore FILE_PATH_CHANGES,MISSING_SIGN_OFF >"$work/said" ||
	echo "checkpatch.sh failed" >>"$work/said"
[ ! -s "$work/said" ]
result series.checkpatch

# Changes of a tree with the series are imported.
git -C "$work/laid" commit -q -m laid
import() {
	make_in import TREE="$work/laid"
}
again() {
	git -C "$work/laid" reset -q --hard
	git -C "$work/laid" clean -q -d -f
	copy_again
}
# Here HEAD has the series, and is not its base commit.
git -C "$work/laid" reset -q --soft HEAD^
git -C "$work/laid" reset -q
import && grep -q 'nothing has changed' "$work/said" && copy_is clean
result import.round-trip

echo '/* changed */' >>"$work/laid/kernel/trace/lib/clock.c"
echo '/* new */' >"$work/laid/kernel/trace/lib/new.c"
sed -i 's/^#define KALLSYMS_MARKER_STEP.*/&	\/\* changed \*\//' \
	"$work/laid/kernel/kallsyms_internal.h"
sed -i 's/^void kallsyms_cursor_name(.*{*$/\/* changed *\/\n&/' "$work/laid/kernel/kallsyms.c"
import && tail -n 1 "$work/copy/kernel/trace/lib/clock.c" | grep -q changed &&
	[ -f "$work/copy/kernel/trace/lib/new.c" ] &&
	grep -q '^+.*changed' "$work/copy/dev/edits/kallsyms_markers.patch" &&
	grep -q '^+.*changed' "$work/copy/dev/edits/kallsyms_cursor.patch"
result import.edits
# Applying the result makes the same tree.
fresh_git twice
rm "$work/laid/kernel/trace/lib/new.c" "$work/copy/kernel/trace/lib/new.c"
make_in apply TREE="$work/twice"
[ "$(tree_of twice)" = "$(tree_of laid)" ]
result import.laid-again

copy_again
echo >>"$work/laid/scripts/Makefile"
import
[ $? != 0 ] && grep -q 'scripts/Makefile has changed' "$work/said" && copy_is clean
result import.names-other-files
