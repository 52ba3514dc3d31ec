#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series on the oldest Linux of its version that Debian offers: make apply, make series and
# the mails have the same result.

. "$(dirname "$0")/tap.sh"
. "$TOP/dev/lay.sh"
. "$TOP/dev/check/bare.sh"

export BRANCH=oldest GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# The archive is kept until another one is the oldest.
version=$(apt-cache madison "$PACKAGE" | awk '{ print $3 }' | sort -V | head -n 1)
[ -n "$version" ] || die "apt knows no $PACKAGE"
dir=$BUILD/check/oldest
if [ "$version" != "$(cat "$dir/version" 2>/dev/null)" ]; then
	rm -rf "$dir"
	mkdir -p "$dir/deb"
	(cd "$dir/deb" && apt-get download -qq "$PACKAGE=$version" >&2)
	dpkg-deb --fsys-tarfile "$dir"/deb/*.deb | tar -xO "./${TARBALL#/}" \
		>"$dir/$(basename "$TARBALL")"
	rm -r "$dir/deb"
	echo "$version" >"$dir/version"
fi

unpack "$dir/$(basename "$TARBALL")" "$dir/bare"
fresh_git laid
fresh_git mailed

set +e
tap_plan 2
echo "# Linux $version"

make -C "$TOP" apply TREE="$work/laid" >"$work/said" 2>&1
status=$?
sed 's/^/# /' "$work/said" | tail -n 3
tap $status oldest.apply

said() {
	"$@" >"$work/said" 2>&1
}
# The first patch is not mailed.
said make -C "$TOP" series TREE="$work/mailed" &&
	said git -C "$work/mailed" checkout --detach \
		"$(git -C "$work/mailed" rev-list --reverse HEAD..oldest | head -n 1)" &&
	find "$BUILD/series/mails" -name '*.patch' ! -name '0000-*' | sort |
		said xargs git -C "$work/mailed" am -q
status=$?
sed 's/^/# /' "$work/said" | tail -n 10
git -C "$work/laid" add -A .
laid=$(git -C "$work/laid" write-tree)
[ $status = 0 ] && [ "$laid" = "$(git -C "$work/mailed" rev-parse 'HEAD^{tree}')" ] &&
	[ "$laid" = "$(git -C "$work/mailed" rev-parse 'oldest^{tree}')" ]
tap $? oldest.mails
