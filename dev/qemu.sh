#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Boots the kernel in OBJECTS in QEMU, and runs the script JOB there. Its output and its exit
# status are those of JOB. Without JOB there is a shell on the terminal.
# usage: qemu.sh OBJECTS [JOB]
#
# From the environment:
#   TIMEOUT   maximum duration of a job in seconds
#   APPEND    added to the kernel's command line
#   SMP MEM CPU   CPUs, memory, and a CPU model of QEMU
#   EXTRA     a cpio archive or a directory that is added to the guest's root
#   BOOTCONFIG   a boot config for the kernel, which requires "bootconfig" on its command line
#   LOG       file for the kernel's log
#   WARNS     a file of warnings that must be logged. Each of its lines is a shell pattern for
#             one whole line of the log, without the time, repeated once for each time that
#             line is expected.
#   VIRTUAL   if set, sleeping in the guest takes no real time
#   SHIFT     an instruction takes 1 << SHIFT ns of the guest's time
#   REBOOTS   if set, the guest may reset itself and reboot; the run ends with the first
#             job that ends
#   ACCEL     QEMU's accelerator: with tcg,thread=multi CPUs run in parallel, and in real time
#
# The run also fails if the guest ends without a status, and if a line of the kernel's log
# matches tools/testing/selftests/ftrace/log_errors and is not in WARNS.

. "$(dirname "$0")/lib.sh"

check_arch
out=$1
job=${2:-}
log=${LOG:-$BUILD/log/guest-$(basename "$out")}
mkdir -p "$(dirname "$log")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# tsc_khz: prints the frequency of this machine's clock, which a guest in real time also has
tsc_khz() {
	gcc -O -o "$work/tsc" "$TOP/dev/tsc.c" && "$work/tsc"
}

# The job is in a small archive after the archives that do not change.
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
if [ -n "${BOOTCONFIG:-}" ]; then
	make -s -C "$BUILD/linux/tools/bootconfig" OUTPUT="$work/" "$work/bootconfig" >&2
	"$work/bootconfig" -a "$BOOTCONFIG" "$work/initrd" >&2
fi
: >"$work/status"

if [ -n "$job" ]; then
	terminal=null,id=tty
	limit="timeout --foreground -k 5 ${TIMEOUT:-300}"
else
	terminal=stdio,id=tty,mux=on,signal=off
	limit=
fi

# Always TCG. By default time is counted in instructions, and one thread runs all CPUs. So a
# guest does the same on every machine, however busy that is, and CPUs take turns instead of
# running in parallel.
if [ -n "${ACCEL:-}" ]; then
	accel="-accel $ACCEL"
	[ "$arch" != x86_64 ] || khz=$(tsc_khz)
else
	accel="-accel tcg,thread=single -icount shift=${SHIFT:-3}${VIRTUAL:+,sleep=off}"
	khz=1000000
fi

# The smallest machine that boots. The command line gives the kernel the devices, and the
# frequency of the clock, which it cannot measure. A kernel with PCI gets a machine with PCI.
case $arch in
x86_64)
	machine="-M microvm,acpi=off,rtc=on -cpu ${CPU:-qemu64}" serial=virtio-serial-device
	append="console=ttyS0 reboot=t no_timer_check tsc=reliable tsc_early_khz=$khz"
	if ! grep -q '^CONFIG_VIRTIO_MMIO=y' "$out/.config"; then
		machine="-M q35 -cpu ${CPU:-qemu64}" serial=virtio-serial-pci
	fi
	;;
arm64)
	# Without a seed, addresses are the same at each boot
	machine="-M virt,dtb-randomness=off -cpu ${CPU:-cortex-a57}"
	serial=virtio-serial-device
	append="console=ttyAMA0"
	;;
esac

# shellcheck disable=SC2086 # words
run() {
	$limit "$qemu" $machine $accel -smp "${SMP:-2}" \
		-m "${MEM:-1G}" -nodefaults -display none ${REBOOTS:--no-reboot} \
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

# A guest that may reset itself would never end.
if [ -n "${REBOOTS:-}" ]; then
	REBOOTS="-pidfile $work/pid"
	(
		until [ -s "$work/status" ]; do
			[ -d "$work" ] || exit 0
			sleep 1
		done
		kill "$(cat "$work/pid")"
	) &
fi

ended=0
if [ -n "$job" ]; then
	run 3>&1 </dev/null >"$work/qemu" 2>&1 || ended=$?
else
	run -mon chardev=tty 3>/dev/null || ended=$?
	echo 0 >"$work/status"
fi

# splats: prints the lines of the log that report trouble, without time and task, except
# expected lines; and the expected lines that are missing
splats() {
	sed -e 's/\r$//' -e 's/^\(\[ *[0-9.]*\]\(\[ *[CT][0-9]*\]\)\? \)//' "$log" >"$work/left"
	[ ! -s "${WARNS:-/dev/null}" ] || while read -r pattern; do
		[ -n "$pattern" ] || continue
		without "$pattern" <"$work/left" >"$work/rest" ||
			echo "the kernel did not say '$pattern'"
		mv "$work/rest" "$work/left"
	done <"$WARNS" >"$work/missing"
	grep -a -E -f "$TOP/tools/testing/selftests/ftrace/log_errors" "$work/left" || :
	cat "$work/missing" 2>/dev/null || :
}

# without PATTERN: copies all lines except the first that matches; fails if there is none
without() {
	while IFS= read -r line || [ -n "$line" ]; do
		# shellcheck disable=SC2254 # a pattern on purpose
		case $line in
		$1)
			cat
			return
			;;
		esac
		printf '%s\n' "$line"
	done
	return 1
}

# failed TEXT: shows the kernel's log from the first trouble on, or its end. The lines that
# report trouble are repeated after it, because the end of the output is often all that is
# visible.
failed() {
	first=$(head -n 1 "$work/splats" 2>/dev/null)
	[ -z "$first" ] || first=$(grep -n -a -F -e "$first" "$log" | head -n 1 | cut -d : -f 1)
	tail -n "${first:+"+"}${first:-30}" "$log" | head -n 60 >&2
	cat "$work/qemu" >&2 2>/dev/null || :
	head -n 5 "$work/splats" >&2 2>/dev/null || :
	die "$1, the kernel log is $log"
}

splats >"$work/splats"
case $ended in
0) ;;
124 | 137) failed "the guest did not end in ${TIMEOUT:-300} s" ;;
*) failed "QEMU ended with $ended" ;;
esac
if [ -s "$work/splats" ]; then
	failed "the kernel warned, or did not where it should have"
fi
status=$(cat "$work/status")
[ -n "$status" ] || failed "the guest ended before the command did"
exit "$status"
