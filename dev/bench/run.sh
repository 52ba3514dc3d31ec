#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boots one kernel of build/bench and lets the guest measure; appends the rows that it prints to
# RESULT, preceded by their column, and reports its progress on stderr.
# usage: run.sh SIDE CONFIG ROWS RESULT [MODE]
#
# ROWS are patterns of keys, separated by commas. MODE is one, boot or stall. APPEND is added to
# the kernel's command line, PLUGIN is a plugin of QEMU.

. "$(dirname "$0")/../lib.sh"

side=$1
config=$2
rows=$3
result=$4
mode=${5:-one}
check_arch
out=$bench/$side/$config
work=$(mktemp -d)
log=$BUILD/log/$(basename "$bench")-run-$side-$config-$mode
guest=
trap '[ -z "$guest" ] || kill "$guest" 2>/dev/null || :; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

mkdir -p "$work/root/dev" "$BUILD/log"
logged "$log.cc" "${cross}gcc" -O2 -Wall -static -o "$work/root/init" "$TOP/dev/bench/guest.c"
cp "$out/modules/bench.ko" "$out/modules/many.ko" "$out/modules/clone.ko" "$work/root"
(cd "$work/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/initrd"

# One instruction is one tick of the counter, and an idle CPU sleeps no real time. Clock
# frequencies are given on the command line, because the kernel would measure them with loops
# that are slow in QEMU.
case $arch in
x86_64)
	machine="-M pc" console=ttyS0
	clocks="tsc_early_khz=1000000 tsc=reliable lpj=4000000 nolapic_timer no_timer_check"
	;;
arm64)
	machine="-M virt -cpu cortex-a57,cntfrq=1000000000" console=ttyAMA0
	clocks="lpj=4000000"
	;;
esac
cpus=1 more=
case $mode in
boot) more="initcall_debug log_buf_len=2M" ;;
stall) cpus=2 ;;
esac
: >"$log"
# shellcheck disable=SC2086 # words
"$qemu" $machine -accel tcg,thread=single -icount shift=0,sleep=off \
	-rtc clock=vm,base=2000-01-01 -smp "$cpus" -m 512M -nodefaults -display none -no-reboot \
	-kernel "$out/$image" -initrd "$work/initrd" \
	-append "console=$console panic=-1 loglevel=5 printk.time=1 $clocks \
		rows=$rows $more ${APPEND:-}" \
	${PLUGIN:+-plugin "$PLUGIN"} -serial "file:$log" >"$log.qemu" 2>&1 </dev/null &
guest=$!

# Prints each row when the guest reports it, until the guest ends or hangs.
waited=0 shown=
while kill -0 "$guest" 2>/dev/null; do
	now=$(sed -n 's/^@now\t//p' "$log" | tr -d '\r' | tail -n 1)
	if [ "$now" != "$shown" ]; then
		stage "$side, $config: $now"
		shown=$now waited=0
	fi
	sleep 1
	waited=$((waited + 1))
	[ $waited -lt "${TIMEOUT:-300}" ] || break
done
tr -d '\r' <"$log" | sed -n "s/^@row\t/$config\t$side\t/p" >>"$result"
[ "$mode" != boot ] || tr -d '\r' <"$log" |
	sed -n "s/^@log\t/$config\t$side\t/p" >"$result.boot-$config-$side"
grep -q '^@done' "$log" || {
	tail -n 25 "$log" >&2
	die "$side, $config stopped at '$shown', the log is $log"
}
! grep -n -a -E -f "$TOP/tools/testing/selftests/ftrace/log_errors" "$log" >&2 ||
	die "$side, $config: the kernel warned, the log is $log"
