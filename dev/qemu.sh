#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boots the kernel in OBJECTS in QEMU, runs the script JOB there, and exits
# with its status; its output is standard output.  Without JOB it leaves a
# shell on the terminal.
# usage: qemu.sh OBJECTS [JOB]
#
# From the environment: TIMEOUT (seconds a job may take), APPEND (more of the
# kernel's command line), SMP, MEM, CPU (a model that QEMU knows), EXTRA (a folder
# put into the guest's root), LOG (where the kernel log goes), EXPECT (an extended
# regular expression: the log has to have such a line, and a WARNING is fine then,
# and so is what FINE, another one, matches).
#
# Whatever the job says, the run fails when the guest ends without a status,
# or when the kernel log has a line that dev/splats knows.

. "$(dirname "$0")/lib.sh"

out=$1
job=${2:-}
log=${LOG:-$BUILD/log/guest-$(basename "$out")}
mkdir -p "$(dirname "$log")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is to run goes into a small archive after the one that stays the same.
mkdir "$work/root"
if [ -n "$job" ]; then
	cp "$job" "$work/root/job"
else
	# shellcheck disable=SC2046 # two words
	set -- $(stty size)
	printf 'stty rows %s cols %s\n. /demo\ncd /root\n' "$1" "$2" >"$work/root/shell"
fi
(cd "$work/root" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/job.cpio"
if [ -n "${EXTRA:-}" ]; then
	(cd "$EXTRA" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/extra.cpio"
	cat "$out/guest.cpio" "$work/extra.cpio" "$work/job.cpio" >"$work/initrd"
else
	cat "$out/guest.cpio" "$work/job.cpio" >"$work/initrd"
fi
: >"$work/status"

if [ -n "$job" ]; then
	terminal=null,id=tty
	limit="timeout --foreground -k 5 ${TIMEOUT:-300}"
else
	terminal=stdio,id=tty,mux=on,signal=off
	limit=
fi

# TCG always, and one thread for all CPUs: the same everywhere, and they
# interleave. The tables of a q35 tell interrupts without a program to run: that
# of the older machine takes half a minute where KASAN looks on. Whether the timer
# ticks is not to be checked: where this machine is busy, it seems not to.
# shellcheck disable=SC2086 # $limit is words
run() {
	$limit qemu-system-x86_64 -M q35 -accel tcg,thread=single -smp "${SMP:-2}" \
		-m "${MEM:-1G}" -cpu "${CPU:-qemu64}" -nodefaults -display none -no-reboot \
		-kernel "$out/arch/x86/boot/bzImage" -initrd "$work/initrd" \
		-append "console=ttyS0 panic=-1 no_timer_check ${APPEND:-}" \
		-serial "file:$log" -device virtio-rng-pci \
		-device virtio-serial-pci \
		-chardev "$terminal" -device virtconsole,chardev=tty \
		-chardev file,id=out,path=/dev/fdset/1,append=on \
		-device virtserialport,chardev=out,name=out \
		-chardev "file,id=status,path=$work/status" \
		-device virtserialport,chardev=status,name=status \
		-add-fd fd=3,set=1 "$@"
}

ended=0
if [ -n "$job" ]; then
	run 3>&1 </dev/null >"$work/qemu" 2>&1 || ended=$?
else
	run -mon chardev=tty 3>/dev/null || ended=$?
	echo 0 >"$work/status"
fi

# failed TEXT: shows the kernel log from the first trouble on, or its end.
failed() {
	first=$(grep -n -a -E -f "$TOP/dev/splats" "$log" | head -n 1 | cut -d : -f 1)
	if [ -n "$first" ]; then
		tail -n "+$first" "$log" | head -n 60 >&2
	else
		tail -n 30 "$log" >&2
	fi
	cat "$work/qemu" >&2 2>/dev/null || :
	die "$1, the kernel log is $log"
}

case $ended in
0) ;;
124 | 137) failed "the guest did not end in ${TIMEOUT:-300} s" ;;
*) failed "QEMU ended with $ended" ;;
esac
if [ -n "${EXPECT:-}" ]; then
	grep -q -a -E "$EXPECT" "$log" || failed "the kernel did not say '$EXPECT'"
	fine="WARNING:|cut here${FINE:+|$FINE}"
else
	fine='^$'
fi
! grep -a -E -f "$TOP/dev/splats" "$log" | grep -q -v -E "$fine" || failed "the kernel warned"
status=$(cat "$work/status")
[ -n "$status" ] || failed "the guest ended before the command did"
exit "$status"
