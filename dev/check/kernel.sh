# SPDX-License-Identifier: GPL-2.0
# A kernel built and tested in QEMU, for the scripts that say which.
# shellcheck shell=sh

. "$(dirname "$0")/tap.sh"

# Kselftests that a slow kernel has in a guest of their own
LOAD="sysctl modules ops stress ring"
# How many milliseconds each storm on the ring buffer takes: 60000 is a minute
export STORM_MS="${STORM_MS:-100}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel NAME: the tests that follow are of the kernel in build/NAME
kernel() {
	kernel=$1
	out=$BUILD/$1
	tests=$out/kselftest
}

# kernel_build [FRAGMENT]: the kernel and its guest; none are left if it fails
kernel_build() {
	rm -f "$out/tested"
	O=$out FRAGMENT=${1:-} "$TOP/dev/build.sh" && "$TOP/dev/image.sh" "$out" &&
		touch "$out/tested"
	tap $? "$kernel: the kernel builds"
}

# Nothing of ours is to be traced by itself; modules with tests may be.
kernel_untraced() {
	find "$out/kernel/trace" -name '*.o' | grep -v -e '_test\.o$' -e kunit -e selftest \
		-e '/\(fprobe\|rethook\|.*-traces\|built-in\)\.' |
	while read -r o; do
		objdump -h "$o" | grep -q __mcount_loc && echo "# $o"
	done >"$work/traced"
	cat "$work/traced"
	[ ! -s "$work/traced" ]
	tap $? "$kernel: no call site in our own objects"
}

# kernel_contract: what others take from function tracing is there, see dev/contract.
kernel_contract() {
	{
		nm "$out/vmlinux" | awk '{ print "has", $3 }'
		awk '{ print "exports", $2, $4 == "EXPORT_SYMBOL" ? "all" : "GPL" }' \
			"$out/Module.symvers"
		sed -e '/^#/d' -e 's/^/wants /' "$TOP/dev/contract"
	} | awk '
		$1 == "has" { has[$2] = "-" }
		$1 == "exports" { has[$2] = $3 }
		$1 == "wants" && (!($2 in has) || ($3 != "-" && has[$2] != $3)) {
			print "# " $2 ": " ($2 in has ? has[$2] : "missing") ", not " $3
			bad = 1
		}
		END { exit bad }'
	tap $? "$kernel: all that others refer to is there"
}

# kernel_selftests [TARGET]: the way a kernel tree installs its kselftests, into
# the folder $tests
kernel_selftests() {
	target=${1:-ftrace}
	selftests=$BUILD/linux/tools/testing/selftests
	rm -rf "$tests"
	mkdir -p "$tests/root"
	make -C "$selftests/$target" KDIR="$out" clean >"$tests/log" 2>&1
	make -C "$selftests" TARGETS="$target" KDIR="$out" \
		INSTALL_PATH="$tests/root/selftests" FORCE_TARGETS=1 \
		install >>"$tests/log" 2>&1
	status=$?
	[ $status = 0 ] || tail -n 20 "$tests/log" | sed 's/^/# /'
	tap $status "$kernel: selftests of $target build"
}

# guest_sum [APPEND]: a sum over all that a guest's outcome depends on
guest_sum() {
	{
		echo "${1:-}/${SMP:-}/${MEM:-}/${CPU:-}/${EXPECT:-}/${FINE:-}"
		qemu-system-x86_64 --version
		cat "$work/job" "$out/arch/x86/boot/bzImage" "$out/guest.cpio" \
			"$TOP/dev/qemu.sh" "$TOP/dev/splats"
		[ ! -d "$tests/root" ] ||
			tar -c --sort=name --mtime=@0 --owner=0 --group=0 -C "$tests" root
	} | sha256sum
}

# guest_run NAME TIMEOUT [APPEND]: boots the kernel for the job; its time is
# doubled, since guests run side by side
guest_run() {
	LOG=$BUILD/log/guest-$kernel-$1 TIMEOUT=$(($2 * 2)) APPEND=${3:-} EXTRA=$tests/root \
		"$TOP/dev/qemu.sh" "$out" "$work/job" >"$work/out" 2>"$work/err"
}

# guest NAME TIMEOUT [APPEND]: a guest for the job on standard input, whose TAP
# becomes that of a test. It does not run again where it passed and all that it
# depends on is still the same, but with AGAIN=1.
guest() {
	cat >"$work/job"
	[ -e "$out/tested" ] || {
		tap 1 "$kernel: $1: there is no kernel"
		return
	}
	passed=$out/passed/$1
	sum=$(guest_sum "${3:-}")
	if [ -z "${AGAIN:-}" ] && [ "$sum" = "$(cat "$passed.sum" 2>/dev/null)" ]; then
		echo "# $kernel: $1: as it was when it passed"
		sed 's/^/  /' "$passed"
		tap 0 "$kernel: $1"
		return
	fi
	rm -f "$passed.sum"
	guest_run "$@"
	status=$?
	sed 's/^/  /' "$work/out"
	if [ $status = 0 ]; then
		mkdir -p "$out/passed"
		cp "$work/out" "$passed" && echo "$sum" >"$passed.sum"
	else
		sed 's/^/# /' "$work/err"
	fi
	tap $status "$kernel: $1"
}

# guest_tool NAME...: programs of this machine and their libraries, into the
# guest, where they come before BusyBox's
guest_tool() {
	mkdir -p "$tests/root/bin"
	for name; do
		file=$(PATH=$PATH:/usr/sbin:/sbin command -v "$name")
		cp -L "$file" "$tests/root/bin/$name"
		for lib in $(ldd "$file" | grep -o '/[^ ]*'); do
			mkdir -p "$tests/root$(dirname "$lib")"
			cp -L "$lib" "$tests/root$lib"
		done
	done
}

# What is built as modules runs when it is loaded, the rest has run at boot.
kernel_kunit() {
	guest kunit "$1" kunit.enable=1 <<-'EOF'
	for m in $(find /lib/modules -name '*kunit*.ko' -o -name '*_test.ko' | grep -v '/kunit\.ko$'); do
		insmod "$m" || exit 1
	done
	cat /sys/kernel/debug/kunit/*/results
	ls -d /sys/kernel/debug/kunit/*/ >/dev/null
	EOF
}

# kernel_kselftest NAME TIMEOUT COMMAND [APPEND]: kselftests in the guest, see
# their README
kernel_kselftest() {
	guest "$1" "$2" "${4:-}" <<-EOF
	cd /selftests/ftrace && $3
	EOF
}

# A call site that does not hold what it should: the one warning is expected. Before
# that, in the same boot, those that want boot parameters, warnings and an oops.
kernel_corrupt() {
	EXPECT='ftrace: .*call site' FINE='NULL pointer|null-ptr-deref|Oops|protection fault' \
		kernel_kselftest corrupt "$1" 'sh run.sh boot dump corrupt' "ftrace=function
		ftrace_filter=vfs_open,vfs_read trace_clock=global
		trace_options=sym-addr,noirq-info trace_buf_size=300k ftrace_boot_snapshot
		ftrace_dump_on_oops=orig_cpu traceoff_on_warning tp_printk"
	words='do_one_initcall,no_such_function,vfs_o*,,:src:fs/read_write.c,!vfs_write,'
	words=${words}'ftest_*:mod:ftest_target,vfs_read:traceoff'
	EXPECT='ftrace: .*call site' \
		kernel_kselftest corrupt-calling "$1" \
		'FTEST_CALLING=y sh run.sh boot_filter corrupt' "ftrace=function
		ftrace_filter=$words ftrace_notrace=vfs_writev,no_such_either
		sysctl.kernel.ftrace_enabled=0 trace_buf_size=1E"
}

# The base's own samples: users of the interface that the series provides.
kernel_samples() {
	guest samples "$1" <"$TOP/dev/guest/samples"
}
