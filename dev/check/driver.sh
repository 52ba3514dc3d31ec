#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The driver itself: the series applied to trees of all kinds, and invalid input.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/check/bare.sh"

state() {
	(cd "$work/$1" && find . -path ./.git -prune -o -type f -print0 |
		sort -z | xargs -0 sha1sum)
}

lay() {
	make -C "$TOP" apply TREE="$work/$1" >"$work/said" 2>&1
}

# result ID: of the previous command
result() {
	tap $? "$1"
}

# refused TREE TEXT ID: apply fails with TEXT, and changes nothing
refused() {
	before=$(state "$1")
	ok=0
	if lay "$1"; then ok=1; fi
	grep -q "$2" "$work/said" || ok=1
	[ "$before" = "$(state "$1")" ] || ok=1
	[ $ok = 0 ] || sed 's/^/# /' "$work/said"
	tap $ok "$3"
}

# fails TEXT ID TARGET ARGUMENT...: make fails, with one line that contains TEXT
fails() {
	words=$1 said=$2
	shift 2
	ok=0
	if make -C "$TOP" "$@" >"$work/said" 2>&1; then ok=1; fi
	grep -v '^make[:[]' "$work/said" >"$work/line" || :
	[ "$(wc -l <"$work/line")" = 1 ] && grep -q "$words" "$work/line" || ok=1
	[ $ok = 0 ] || sed 's/^/# /' "$work/said"
	tap $ok "$said"
}

set +e
tap_plan 32

fresh a
lay a
result apply.without-git
(cd "$work/a" && our_files | while read -r f; do cmp -s "$TOP/$f" "$f" || exit 1; done)
result apply.all-files
ours=$(our_files)
while read -r f; do
	echo "$ours" | grep -q "^$f" || [ ! -e "$work/a/$f" ] || echo "$f"
done <"$TOP/dev/removed" >"$work/left"
[ ! -s "$work/left" ]
result apply.removed-files
edited_files | while read -r f; do
	cmp -s "$work/a/$f" "$BUILD/linux/$f" || exit 1
done
result apply.edits
find "$work/a" -name '*.orig' -o -name '*.rej' | grep . >/dev/null
[ $? = 1 ]
result apply.nothing-else
refused a "already" apply.refuses-laid

fresh_git g
lay g
result apply.with-git
# Both lists are not empty, and are the same.
(cd "$work/a" && find . -type f | sort) >"$work/files.a"
(cd "$work/g" && find . -path ./.git -prune -o -type f -print | sort) >"$work/files.g"
[ -s "$work/files.a" ] && cmp -s "$work/files.a" "$work/files.g"
result apply.git-makes-no-difference
cd "$work/g" && git add -A . && git -c user.name=t -c user.email=t@l commit -q -m laid
cd "$TOP" || exit
refused g "already" apply.refuses-laid-git

fresh_git h
echo >>"$work/h/$(edited_files | head -n 1)"
refused h "$(edited_files | head -n 1)" apply.refuses-changes
export GIT_TEST_ASSUME_DIFFERENT_OWNER=1
refused h "$(edited_files | head -n 1)" apply.refuses-changes-of-others
unset GIT_TEST_ASSUME_DIFFERENT_OWNER

fresh v
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 11/' "$work/v/Makefile"
refused v "6.11" apply.refuses-version
sed -i 's/^PATCHLEVEL = .*/PATCHLEVEL = 12/; s/^SUBLEVEL = .*/SUBLEVEL = 1/' "$work/v/Makefile"
lay v
result apply.sublevel

# An edit fails if its context has changed, in the middle of the last file that is edited.
last=$(edited_files | tail -n 1)
edit_of_last=$(basename "$(grep -l "^+++ b/$last" "$TOP"/dev/edits/*.patch | head -n 1)")
context=$(sed -n "\|^+++ b/$last|,\$s/^ \(.*[a-z].*\)/\1/p" "$TOP/dev/edits/$edit_of_last" | head -n 1)
fresh e
grep -vxF -e "$context" "$bare/$last" >"$work/e/$last"
refused e "$edit_of_last" apply.refuses-bad-edit
fresh m
rm "$work/m/$last"
refused m "$last" apply.refuses-missing-file

mkdir "$work/empty"
refused empty "not a kernel" apply.refuses-folder
fails "say which" apply.tree-unset apply
fails "not a directory" apply.tree-missing apply TREE="$work/none"
fails "unknown ARCH" build.arch-unknown build ARCH=vax
fails "unknown ARCH" run.arch-unknown run ARCH=vax
fails "FRAGMENT" build.fragment-missing build FRAGMENT="$work/none"
fails "not a directory" build.o-is-file build O="$work/said"
make -C "$TOP" help >"$work/said" 2>&1 && grep -q 'make run' "$work/said"
result help.targets

# A machine without the packages, and a user who is not root.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/sudo"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
chmod +x "$work/bin"/*
PATH=$work/bin:$PATH "$TOP/dev/deps.sh" run >"$work/said" 2>&1 </dev/null
[ $? = 2 ] && [ "$(grep -c '^apt-get install .*gcc.*linux-source' "$work/said")" = 1 ]
result deps.no-root
PATH=$work/bin:$PATH make -C "$TOP" run >"$work/said" 2>&1 </dev/null
[ $? = 2 ] && grep -q '^apt-get install ' "$work/said"
result run.no-root
PATH=$work/bin:$PATH make -C "$TOP" check >"$work/said" 2>&1 </dev/null
[ $? = 2 ] && grep -q '^apt-get install ' "$work/said"
result check.no-root

# clean removes only what was built.
mkdir "$work/copy"
cp -r "$TOP/Makefile" "$TOP/dev" "$work/copy"
mkdir -p "$work/copy/build/x86_64"
make -C "$work/copy" clean >"$work/said" 2>&1 && [ ! -e "$work/copy/build" ] &&
	diff -r "$TOP/dev" "$work/copy/dev" >"$work/said"
result clean.build-alone

# A fragment takes effect only in the kernel that is built with it.
echo CONFIG_LOCALVERSION='"-fragment"' >"$work/fragment"
TARGETS=include/config/auto.conf make -C "$TOP" build O="$work/objects" \
	FRAGMENT="$work/fragment" >"$work/said" 2>&1
grep -q '^CONFIG_LOCALVERSION="-fragment"' "$work/objects/.config"
result build.fragment
TARGETS=include/config/auto.conf make -C "$TOP" build O="$work/objects" >"$work/said" 2>&1
grep -q '^CONFIG_LOCALVERSION="-ftrace"' "$work/objects/.config"
result build.fragment-gone

fails "no test fits" check.only-nothing check ONLY=no-such-test

# The table of the benchmark shows waiting separately from instructions, in sections that wait.
printf 'bench\t%s\t%s\t%s\t%s\t\n' stock plain 34 0 ours plain 30 0 \
	stock unregister 5000 70000 ours unregister 2000 60000 >"$work/result"
"$TOP/dev/bench/table.pl" markdown "$work/result" >"$work/said"
grep -q '^| unregister .* | 5,000 | 2,000 | 0.40 | 30,000 | 70,000 / 60,000 |$' "$work/said" &&
	grep -q '^| Switching, .* | waits: stock / ours |$' "$work/said" &&
	grep -q '^| one plain ops | 34 | 30 | 0.88 | 30 |$' "$work/said"
result bench.waits

# ccache may be installed between two builds: objects of the same compiler are kept.
ln -s /usr/bin/* /usr/sbin/* "$work/bin" 2>"$work/said"
rm -f "$work/bin"/ccache "$work/bin"/sudo "$work/bin"/dpkg-query "$work/bin"/id
ln -s /usr/bin/dpkg-query /usr/bin/id "$work/bin"
mkdir "$work/more"
printf '#!/bin/sh\nexec "$@"\n' >"$work/more/ccache"
chmod +x "$work/more/ccache"
# objects PATH: prints how many objects a build of a part compiles
objects() {
	PATH=$1 TARGETS=prepare0 make -C "$TOP" build O="$work/objects" >"$work/said" 2>&1 &&
		grep -c -E '^ +(CC|HOSTCC) ' "$BUILD/log/build-objects"
}
first=$(objects "$work/bin")
[ "${first:-0}" -gt 0 ] && [ "$(objects "$work/more:$work/bin")" = 0 ]
result build.ccache-comes
