#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Builds a kernel of dev/check/kernels in build/NAME and all files that its guests need, and
# checks the result.
# usage: kernel.sh NAME
#
# From the environment, as in the table: ARCH BASE FRAGMENTS VARIABLES TARGETS SELFTESTS TOOLS
# PROOFS.

. "$(dirname "$0")/tap.sh"
check_arch
set +e

kernel=$1
out=$BUILD/$kernel
root=$BUILD/check/$kernel.root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build: builds the kernel, and the guest's file system if there are guests. A kernel that was
# built with a warning is rebuilt from scratch, until there is none.
build() {
	[ ! -s "$out/.warnings" ] || rm -rf "$out"
	: >"$work/fragment"
	for fragment in ${FRAGMENTS:-}; do
		cat "$TOP/dev/config/$fragment" >>"$work/fragment"
	done
	fragment=
	if [ -s "$work/fragment" ]; then
		fragment=$BUILD/check/$kernel.config
		cmp -s "$work/fragment" "$fragment" || cp "$work/fragment" "$fragment"
	fi
	# shellcheck disable=SC2086 # words
	env ${VARIABLES:-} ARCH="$arch" O="$out" FRAGMENT="$fragment" "$TOP/dev/build.sh" &&
		{ [ -z "${SELFTESTS:-}" ] || ARCH=$arch "$TOP/dev/image.sh" "$out"; }
}

# uapi DIRECTORY NAME: copies a header for programs
uapi() {
	mkdir -p "$1/linux" && cp "$BUILD/linux/include/uapi/linux/$2" "$1/linux"
}

# selftests TARGET...: installs kselftests as a kernel tree does. A kernel without modules gets
# only the scripts and their programs.
selftests() {
	dir=$BUILD/linux/tools/testing/selftests
	if ! grep -q '^CONFIG_MODULES=y' "$out/.config"; then
		mkdir -p "$root/selftests/ftrace" "$root/selftests/kselftest" &&
			cp "$dir"/ftrace/*.sh "$dir/ftrace/log_errors" "$root/selftests/ftrace" &&
			cp "$dir"/kselftest/*.sh "$root/selftests/kselftest" &&
			"${cross}gcc" -D_GNU_SOURCE -static -O2 -o "$root/selftests/ftrace/fileop" \
				"$dir/ftrace/fileop.c"
		return
	fi
	# Modules and programs of another kernel may be left
	for target; do
		make -C "$dir/$target" KDIR="$out" ARCH="$arch" clean >/dev/null 2>&1
	done
	# Programs of the base need newer headers than this machine has, and are not linked to
	# the guest's libraries.
	uapi "$work/include" user_events.h || return
	make -C "$dir" TARGETS="$*" KDIR="$out" ARCH="$arch" CROSS_COMPILE="$cross" \
		KHDR_INCLUDES="-isystem $work/include" LDFLAGS=-static \
		INSTALL_PATH="$root/selftests" FORCE_TARGETS=1 install
}

# libraries FILE: lists the libraries of a program, recursively, and its interpreter, as paths
# below $from; nothing for a script
libraries() {
	"${cross}readelf" -l "$1" 2>/dev/null | sed -n 's/.*interpreter: \(.*\)]$/\1/p'
	"${cross}objdump" -p "$1" 2>/dev/null | awk '$1 == "NEEDED" { print $2 }' | while read -r lib; do
		for folder in "lib/$uname-linux-gnu" "usr/lib/$uname-linux-gnu" lib lib64; do
			[ -e "$from/$folder/$lib" ] || continue
			echo "/$folder/$lib"
			libraries "$from/$folder/$lib"
			break
		done
	done
}

# tools NAME...: copies programs of Debian and their libraries into /tools/bin of the guest.
# map_test is a selftest of the base, and needs a newer header than this machine has.
tools() {
	mkdir -p "$root/tools/bin"
	for name; do
		if [ "$name" = map_test ]; then
			uapi "$work/include" trace_mmap.h || return
			"${cross}gcc" -static -O2 -D_GNU_SOURCE -I "$work/include" \
				-o "$root/tools/bin/map_test" \
				"$BUILD/linux/tools/testing/selftests/ring-buffer/map_test.c" || return
			continue
		fi
		file=$(ARCH=$arch "$TOP/dev/programs.sh" "$name") || return
		from=${file%/*bin/"$name"} from=${from%/usr}
		cp -L "$file" "$root/tools/bin/$name"
		for lib in $(libraries "$file" | sort -u); do
			mkdir -p "$root$(dirname "$lib")"
			cp -L "$from$lib" "$root$lib"
		done
	done
}

# guest: makes the archive of selftests and tools for the guest's root
guest() {
	rm -rf "$root"
	mkdir -p "$root"
	exec 8>"$BUILD/.lock-selftests"
	flock 8
	# shellcheck disable=SC2086 # words
	selftests $SELFTESTS && tools ${TOOLS:-} && archive "$root" >"$out/tests.cpio"
	status=$?
	exec 8>&-
	return $status
}

# quiet: the compiler, objtool and modpost gave no warnings
quiet() {
	cat "$out/.warnings"
	[ ! -s "$out/.warnings" ]
}

# taken: the config has each option as in the last fragment
taken() {
	sed -n -e '/^CONFIG_/p' -e 's/^# \(CONFIG_[A-Z0-9_]*\) is not set$/\1=n/p' \
		"$TOP/dev/config/${FRAGMENTS##* }" | while IFS= read -r option; do
		case $option in
		*=n) ! grep "^${option%n}" "$out/.config" ;;
		*) grep -qxF -e "$option" "$out/.config" || echo "not $option" ;;
		esac
	done >"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# image: the compressed kernel in the image is the one that was built last
image() {
	packed=$out/arch/x86/boot/compressed
	"${cross}objcopy" -O binary -j .rodata..compressed "$packed/piggy.o" "$work/packed" &&
		cmp "$work/packed" "$packed/vmlinux.bin.gz"
}

# relocations of calls that the compiler emitted
calls_mark='(R_X86_64_(PC32|PLT32|GOTPCRELX?)|R_AARCH64_(CALL|JUMP)26).*\<(__fentry__|_?mcount)\>'

# untraced: our objects have no call sites, listed or not, except the objects of tests
untraced() {
	find "$out/kernel/trace" -name '*.o' | grep -v -e '_test\.o$' -e kunit -e selftest -e graph_target \
		-e '/\(fprobe\|rethook\|.*-traces\|built-in\)\.' |
	while read -r o; do
		! "${cross}objdump" -hr "$o" | grep -Eq "__mcount_loc|$calls_mark" ||
			echo "$o has call sites"
	done >"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# shadowed: no function of ours, which cannot be traced, has the same name as another function:
# some users reject a name of two functions, and others may find ours. btf_id_cmp_func() is an inline
# function of a header, by its address.
shadowed() {
	{
		find "$out/kernel/trace" -name '*.o' |
			grep -v '/\(fprobe\|rethook\|.*-traces\|built-in\)\.' >"$work/ours"
		grep -v kunit "$work/ours" | xargs "${cross}nm" | sed 's/$/ ours/'
		grep kunit "$work/ours" | xargs -r "${cross}nm" | sed 's/$/ test/'
		"${cross}nm" "$out/vmlinux"
		find "$out" -name '*.ko' -exec "${cross}nm" {} +
	} | awk '
		$2 !~ /^[tT]$/ || $3 ~ /^([$]|(init_module|cleanup_module|btf_id_cmp_func)$)/ { next }
		$4 == "ours" { ours[$3]++; next }
		$3 in ours { all[$3] += $4 == "test" ? -1 : 1 }
		END { for (name in all) if (all[name] > ours[name]) print name }' >"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# calls: our objects use no symbols of directories that they must not use, see rooms.py
calls() {
	"$TOP/dev/check/rooms.py" "$TOP" "$out" calls "${cross}nm" >"$work/found" ||
		echo "rooms.py failed" >>"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# watched: KCSAN instruments exactly our objects, except those that the Makefile excludes
watched() {
	(cd "$out" && find kernel -name '*.o' ! -name 'built-in*' ! -path 'kernel/kcsan/*') |
	while read -r o; do
		"${cross}nm" "$out/$o" | grep -q ' U __tsan_func_entry' && echo "$o"
	done | sort >"$work/watched"
	grep -q '^kernel/trace/ring/write.o$' "$work/watched" &&
		! grep -v '^kernel/trace/' "$work/watched" &&
		! grep 'patch/patch.o' "$work/watched"
}

# unreached: nothing calls the function that the compiler emitted calls of
unreached() {
	"${cross}objdump" -d "$out/vmlinux" >"$work/text"
	find "$out" -name '*.ko' | while read -r module; do
		"${cross}objdump" -d -r "$module"
	done >>"$work/text"
	{
		grep -Eq '<_?mcount>:' "$work/text" || echo "mcount is not there"
		grep -E "\<(bl|call)\>.*<_?mcount>|$calls_mark" "$work/text"
	} >"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# unlisted: neither the kernel nor a module has a list of call sites
unlisted() {
	find "$out" -name '*.ko' -o -name vmlinux | while read -r o; do
		! "${cross}objdump" -ht "$o" | grep -q '_mcount_loc' ||
			echo "$o has a list of call sites"
	done >"$work/found"
	cat "$work/found"
	[ ! -s "$work/found" ]
}

# protected: functions sign their return addresses and keep them on the shadow call stack, both
# after the call site if that is at the entry
protected() {
	entry=
	! grep -q '^CONFIG_ARM64_FTRACE_PATCHABLE=y' "$out/.config" || entry='nop nop '
	"${cross}objdump" -d --no-show-raw-insn --disassemble=vfs_read "$out/vmlinux" |
		sed -n 's/^[0-9a-f]*:[[:space:]]*//p' | head -n 4 | tr -s '[:space:]' ' ' >"$work/found"
	cat "$work/found"
	case $(cat "$work/found") in
	"${entry}paciasp str x30, [x18], #8 "*) ;;
	*) return 1 ;;
	esac
}

# contract: the kernel has all symbols of function tracing that other code uses, see
# dev/contract
contract() {
	{
		"${cross}nm" "$out/vmlinux" | awk '{ print "has", $3 }'
		awk '{ print "exports", $2, $4 == "EXPORT_SYMBOL" ? "all" : "GPL" }' \
			"$out/Module.symvers"
		sed -e '/^#/d' -e 's/^/wants /' "$TOP/dev/contract"
	} | awk '
		$1 == "has" { has[$2] = "-" }
		$1 == "exports" { has[$2] = $3 }
		$1 == "wants" && (!($2 in has) || ($3 != "-" && has[$2] != $3)) {
			print $2 ": " ($2 in has ? has[$2] : "missing") ", not " $3
			bad = 1
		}
		END { exit bad }'
}

# ours: lists our objects in the kernel
ours() {
	find "$out/kernel/trace" "$out"/arch/*/kernel \
		\( -path '*/kernel/trace/*.o' -o -name 'ftrace*.o' \) \
		! -name built-in.a -printf '%P\n' 2>/dev/null |
		grep -v -e 'traces\.o$' -e rethook -e fprobe | sort | tr '\n' ' '
}

# none: a kernel without FTRACE has none of our objects except those that other options select:
# lockdep selects the tracking of interrupts, and RCU the clock
none() {
	found=$(ours)
	case $found in
	'' | 'lib/clock.o ' | 'points/irqflags.o ' | 'lib/clock.o points/irqflags.o ') ;;
	*) echo "$found"; return 1 ;;
	esac
}

# hooked: the kernel has the function tracer
hooked() {
	case $(ours) in
	*ftrace/ops/*) ;;
	*) return 1 ;;
	esac
}

# unhooked: the kernel has tracers, but not the function tracer
unhooked() {
	case $(ours) in
	*ftrace/ops/*) return 1 ;;
	*/wakeup*) ;;
	*) return 1 ;;
	esac
}

# checked NAME COMMAND...: one result, with the output of the command if it fails
checked() {
	checked_id=$1
	shift
	"$@" >"$work/said" 2>&1
	status=$?
	[ $status = 0 ] || tail -n 30 "$work/said" | sed 's/^/# /'
	tap $status "$checked_id"
	return $status
}

# shellcheck disable=SC2086 # words
set -- ${PROOFS:-}
tap_plan $((2 + $#)) "${SELFTESTS:+guest}"
checked kernel build || exit
checked quiet quiet
[ -z "${SELFTESTS:-}" ] || checked guest guest
for proof; do
	checked "$proof" "$proof"
done
ktap_finished
