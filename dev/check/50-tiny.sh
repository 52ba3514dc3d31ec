#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Configs at the edges, each over tinyconfig; and what is in them of ours.

. "$(dirname "$0")/kernel.sh"
set +e

# linked NAME: our objects in that kernel
linked() {
	find "$BUILD/tiny-$1/kernel/trace" "$BUILD/tiny-$1/arch/x86/kernel" \
		\( -path '*/kernel/trace/*.o' -o -name 'ftrace*.o' \) \
		! -name built-in.a -printf '%P\n' 2>/dev/null |
		grep -v -e 'traces\.o$' -e rethook -e fprobe | sort | tr '\n' ' '
}

for config in off up i386; do
	TINY=1 O=$BUILD/tiny-$config FRAGMENT=$TOP/dev/config/tiny/$config \
		"$TOP/dev/build.sh" >"$BUILD/check/tiny" 2>&1
	status=$?
	[ $status = 0 ] || sed 's/^/# /' "$BUILD/check/tiny"
	tap $status "tinyconfig with dev/config/tiny/$config builds"
	[ $status = 0 ] || rm -f "$BUILD/tiny-$config/vmlinux"
done

# Under lockdep others select the tracking of interrupts, and RCU the clock.
found=$(linked off)
case $found in
'' | 'lib/clock.o ' | 'lib/irqflags.o ' | 'lib/clock.o lib/irqflags.o ') status=0 ;;
*) echo "# $found"; status=1 ;;
esac
[ -f "$BUILD/tiny-off/vmlinux" ] || status=1
tap $status "without FTRACE the kernel has nothing of ours but what others select"
case $(linked up) in
*hook/*) ;;
*) false ;;
esac
tap $? "one CPU: the function tracer is there"

# It boots, and then does not let anybody look into it, from some moment or from the
# beginning. What is wrong on the command line does no harm.
kernel tiny-up
tests=$out/kselftest
selftests=$BUILD/linux/tools/testing/selftests/ftrace
rm -rf "$tests"
mkdir -p "$tests/root/selftests/ftrace"
cp "$selftests"/*.sh "$tests/root/selftests/ftrace" &&
	gcc -D_GNU_SOURCE -static -O2 -o "$tests/root/selftests/ftrace/fileop" "$selftests/fileop.c" &&
	[ -f "$out/vmlinux" ] && "$TOP/dev/image.sh" "$out" && touch "$out/tested"
tap $? "one CPU: the guest"
kernel_kselftest filter 120 'sh run.sh filter options && sh run.sh lockdown' \
	'ftrace=no_such ftrace_filter=,!,a:b:c,:mod:,:src: trace_options=x'
kernel_kselftest locked 60 'sh run.sh lockdown' 'lockdown=confidentiality ftrace=function'
echo "1..$tap_nr"
