#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Finds programs for the guest: prints the path of each. Programs of another architecture than
# this machine's are taken from Debian's packages, which are fetched once, with all
# dependencies, and unpacked in build/programs-ARCH.
# usage: programs.sh NAME...

. "$(dirname "$0")/lib.sh"

check_arch
packages='busybox-static bash coreutils procps util-linux kmod diffutils libc-bin trace-cmd
	rtla'
root=$BUILD/programs-$arch

# fetch: apt verifies the packages that it fetches. It has separate lists and a separate state
# for that, in which no package is installed, and does not change this machine's state.
fetch() {
	rm -rf "$root" "$root.apt"
	mkdir -p "$root" "$root.apt/lists/partial" "$root.apt/archives/partial"
	: >"$root.apt/status"
	cat >"$root.apt/conf" <<-END
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "";
		Dir::State "$root.apt";
		Dir::State::status "$root.apt/status";
		Dir::Cache "$root.apt";
		Dir::Log "$root.apt";
	END
	export APT_CONFIG=$root.apt/conf
	# shellcheck disable=SC2086 # words
	{ apt-get update && apt-get install --download-only -y $packages; } || return
	for package in "$root.apt"/archives/*.deb; do
		dpkg-deb -x "$package" "$root" || return
	done
	find "$root" -lname '/*' | while read -r link; do
		ln -sfn "$root$(readlink "$link")" "$link"
	done
	rm -rf "$root.apt"
}

if [ "$(uname -m)" = "$uname" ]; then
	root=
else
	locked "programs-$arch"
	if [ "$packages" != "$(cat "$root.stamp" 2>/dev/null)" ]; then
		stage "fetching programs for $arch"
		logged "$BUILD/log/programs-$arch" fetch
		echo "$packages" >"$root.stamp"
	fi
fi
for name; do
	for folder in bin usr/bin sbin usr/sbin; do
		if [ -x "$root/$folder/$name" ]; then
			echo "$root/$folder/$name"
			continue 2
		fi
	done
	die "there is no program $name for $arch"
done
