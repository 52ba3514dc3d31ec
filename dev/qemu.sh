#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boots the kernel in OBJECTS in QEMU, runs the script JOB there, and exits
# with its status; its output is standard output.  Without JOB it leaves a
# shell on the terminal.
# usage: qemu.sh OBJECTS [JOB]
#
# From the environment:
#   TIMEOUT   seconds that a job may take
#   APPEND    more of the kernel's command line
#   SMP MEM CPU   CPUs, memory, and the model of a CPU that QEMU knows
#   EXTRA     an archive (cpio) or a folder that is put into the guest's root
#   LOG       where the kernel's log goes
#   WARNS     a file of warnings that have to come, one a line, each the whole line of
#             the log behind its time, as a pattern of the shell
#   VIRTUAL   if set, a CPU that sleeps costs no time of the machine's
#   SHIFT     an instruction takes 1 << SHIFT ns of the guest's time
#   ACCEL     QEMU's accelerator: tcg,thread=multi for CPUs that run in parallel, which
#             they do not by default, and in the machine's own time
#
# Whatever the job says, the run fails when the guest ends without a status, and
# when the kernel's log has a line that dev/splats knows and WARNS does not name.

. "$(dirname "$0")/lib.sh"

check_arch
out=$1
job=${2:-}
log=${LOG:-$BUILD/log/guest-$(basename "$out")}
mkdir -p "$(dirname "$log")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# tsc_khz: how fast this machine's clock is, which is that of a guest in real time
tsc_khz() {
	gcc -O -o "$work/tsc" "$TOP/dev/tsc.c" && "$work/tsc"
}

# What is to run goes into a small archive after the one that stays the same.
mkdir "$work/root"
if [ -n "$job" ]; then
	cp "$job" "$work/root/job"
else
	# shellcheck disable=SC2046 # two words
	set -- $(stty size)
	printf 'stty rows %s cols %s\n. /demo\ncd /root\n' "$1" "$2" >"$work/root/shell"
fi
archive "$work/root" >"$work/job.cpio"
if [ -d "${EXTRA:-}" ]; then
	(cd "$EXTRA" && find . | cpio -o -H newc -R 0:0 --quiet) >"$work/extra.cpio"
	EXTRA=$work/extra.cpio
fi
cat "$out/guest.cpio" ${EXTRA:+"$EXTRA"} "$work/job.cpio" >"$work/initrd"
: >"$work/status"

if [ -n "$job" ]; then
	terminal=null,id=tty
	limit="timeout --foreground -k 5 ${TIMEOUT:-300}"
else
	terminal=stdio,id=tty,mux=on,signal=off
	limit=
fi

# TCG always. By default time is counted in instructions, with one thread for all CPUs:
# the same on every machine however busy it is. CPUs then interleave, but never run in
# parallel.
if [ -n "${ACCEL:-}" ]; then
	accel="-accel $ACCEL"
	khz=$(tsc_khz)
else
	accel="-accel tcg,thread=single -icount shift=${SHIFT:-3}${VIRTUAL:+,sleep=off}"
	khz=1000000
fi

# The machine: the least that boots. The kernel hears of its devices on the command line,
# and how fast clocks are, which it could not measure there. One that has PCI instead
# gets a machine that has it, too.
case $arch in
x86_64)
	machine="-M microvm,acpi=off,rtc=on -cpu ${CPU:-qemu64}" serial=virtio-serial-device
	append="console=ttyS0 reboot=t no_timer_check tsc=reliable tsc_early_khz=$khz"
	if ! grep -q '^CONFIG_VIRTIO_MMIO=y' "$out/.config"; then
		machine="-M q35 -cpu ${CPU:-qemu64}" serial=virtio-serial-pci
	fi
	;;
esac

# shellcheck disable=SC2086 # words
run() {
	$limit "$qemu" $machine $accel -smp "${SMP:-2}" \
		-m "${MEM:-1G}" -nodefaults -display none -no-reboot \
		-kernel "$out/$image" -initrd "$work/initrd" \
		-append "$append panic=-1 ${APPEND:-}" \
		-serial "file:$log" -device "$serial" \
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

# splats: the lines of the log that tell of trouble, without time and task, but for
# those that are expected; each of these has to be there
splats() {
	sed -e 's/\r$//' -e 's/^\(\[ *[0-9.]*\]\(\[ *[CT][0-9]*\]\)\? \)//' "$log" >"$work/log"
	grep -a -E -f "$TOP/dev/splats" "$work/log" >"$work/splats" || :
	[ ! -s "${WARNS:-/dev/null}" ] || while read -r pattern; do
		[ -n "$pattern" ] || continue
		without "$pattern" <"$work/splats" >"$work/left" || :
		mv "$work/left" "$work/splats"
		! without "$pattern" <"$work/log" >/dev/null ||
			echo "the kernel did not say '$pattern'"
	done <"$WARNS"
	cat "$work/splats"
}

# without PATTERN: the lines that are not like it; fails if there was one
without() {
	came=0
	while read -r line; do
		# shellcheck disable=SC2254 # a pattern on purpose
		case $line in
		$1) came=1 ;;
		*) printf '%s\n' "$line" ;;
		esac
	done
	return $came
}

# failed TEXT: shows the kernel's log from the first trouble on, or its end
failed() {
	first=$(head -n 1 "$work/splats" 2>/dev/null)
	[ -z "$first" ] || first=$(grep -n -a -F -e "$first" "$log" | head -n 1 | cut -d : -f 1)
	tail -n "${first:+"+"}${first:-30}" "$log" | head -n 60 >&2
	cat "$work/qemu" >&2 2>/dev/null || :
	die "$1, the kernel log is $log"
}

trouble=$(splats)
case $ended in
0) ;;
124 | 137) failed "the guest did not end in ${TIMEOUT:-300} s" ;;
*) failed "QEMU ended with $ended" ;;
esac
if [ -n "$trouble" ]; then
	printf '%s\n' "$trouble" | head -n 20 >&2
	failed "the kernel warned, or did not where it should have"
fi
status=$(cat "$work/status")
[ -n "$status" ] || failed "the guest ended before the command did"
exit "$status"
