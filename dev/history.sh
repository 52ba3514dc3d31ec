# SPDX-License-Identifier: GPL-2.0
# The base as a commit of a git repository, on which patches are made and with which trees are
# compared.
# shellcheck shell=sh

NAME=${BRANCH:-function-tracing}

# history: sets $repo and $base. They are TREE and its HEAD, or a repository in build/series
# that has only the base; that one is made from the package if it is missing.
history() {
	if [ -n "$tree" ]; then
		[ -d "$tree" ] || die "$tree is not a directory"
		[ -e "$tree/.git" ] || die "$tree is not a git repository"
		repo=$tree
		base=$(git -C "$repo" rev-parse --verify -q HEAD) || die "$tree has no commits"
		return
	fi
	repo=$BUILD/series/linux.git
	mkdir -p "$BUILD/series"
	stamp=$(stat -c '%s %Y' "$TARBALL" 2>/dev/null) || die "$TARBALL is missing: make deps"
	if [ "$stamp" != "$(cat "$repo/base.stamp" 2>/dev/null)" ]; then
		stage "committing the base (a minute or two)"
		rm -rf "$repo" "$BUILD/series/tree"
		git init -q --bare "$repo"
		python3 "$TOP/dev/history.py" "$TARBALL" |
			git -C "$repo" -c core.compression=1 -c pack.compression=1 \
				fast-import --quiet --depth=0
		git -C "$repo" rev-parse --verify -q refs/heads/base >/dev/null ||
			die "$TARBALL did not become a commit"
		echo "$stamp" >"$repo/base.stamp"
	fi
	base=$(git -C "$repo" rev-parse --verify -q refs/heads/base) || die "$repo has no base"
}

# has FILE: succeeds if the base has it
has() {
	git -C "$repo" cat-file -e "$base:$1" 2>/dev/null
}
