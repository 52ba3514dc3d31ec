#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds one of the two kernels that the benchmark compares, and the modules that measure it, in
# build/bench/SIDE/CONFIG.
# usage: build.sh stock|ours CONFIG
#
# The stock kernel is the unmodified base of the package; it is unpacked and built once.

. "$(dirname "$0")/../lib.sh"

check_arch
side=$1
config=$2
out=$bench/$side/$config
log=$BUILD/log/$(basename "$bench")-$side-$config

# config_of: prints the options that are merged over tinyconfig.
config_of() {
	cat "$TOP/dev/config/bench"
	[ "$arch" = x86_64 ] || cat "$TOP/dev/config/bench-$arch"
	[ "$config" = bench ] || cat "$TOP/dev/config/$config"
}

build_stock() {
	linux=$BUILD/stock
	new=$(stat -c '%s %Y' "$TARBALL"; config_of)
	"$TOP/dev/tree.sh" stock
	[ "$new" != "$(cat "$out/.bench.stamp" 2>/dev/null)" ] || return 0
	stage "building the stock kernel, $config (log in $log)"
	mkdir -p "$out"
	rm -f "$out/.bench.stamp"
	logged "$log" kernel_make "$out" tinyconfig
	config_of >>"$out/.config"
	logged "$log" kernel_make "$out" olddefconfig
	logged "$log" kernel_make "$out" all
	echo "$new" >"$out/.bench.stamp"
}

build_ours() {
	linux=$BUILD/linux
	config_of >"$bench/$config.config"
	ARCH=$arch BASE=tiny FRAGMENT=$bench/$config.config O=$out "$TOP/dev/build.sh"
}

# The same source for both kernels.
build_modules() {
	modules=$out/modules
	mkdir -p "$modules"
	cmp -s "$TOP/dev/bench/bench.c" "$modules/bench.c" ||
		cp "$TOP/dev/bench/bench.c" "$modules"
	cp "$TOP/dev/bench/many.c" "$TOP/dev/bench/clone.c" "$TOP"/dev/bench/*.h "$modules"
	cp "$TOP/dev/bench/Kbuild" "$modules"
	logged "$log.modules" kernel_make "$out" M="$modules" modules
}

mkdir -p "$bench"
locked "$(basename "$bench")-$side-$config"
"build_$side"
build_modules
