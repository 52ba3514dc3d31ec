#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# recordmcount on objects of several compilers, and on input that it must reject.
#
# The expected sites are taken from the disassembly of the unprocessed object: each call
# instruction whose relocation names the profiling function. $O is the directory where
# recordmcount, recordmcount_san (with sanitizers) and the helpers were built. Compilers that
# are not installed are skipped.

# shellcheck source=/dev/null
. "$(dirname "$0")/../selftests/kselftest/ktap_helpers.sh" || exit 1

O=$(cd "${O:-../../../build/trace}" && pwd) || exit 1
dir=$(mktemp -d "${TMPDIR:-/tmp}/recordmcount.XXXXXX") || exit 1
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1

rmc=$O/recordmcount_san
TAB=$(printf '\t')

# --- report -----------------------------------------------------------------

ktap_print_header

# check NAME COMMAND... : one result; the output of a command that fails is shown
check()
{
	name=$1
	shift
	if "$@" >log 2>&1; then
		ktap_test_pass "$name"
	else
		sed 's/^/# /' log | head -30
		ktap_test_fail "$name"
	fi
}

# skip NAME REASON : one skipped result
skip()
{
	echo "# $2"
	ktap_test_skip "$1"
}

# finish: prints the plan at the end, since it depends on the compilers
finish()
{
	ktap_set_plan $((KTAP_TESTNO - 1))
	ktap_finished
}

# --- sources ----------------------------------------------------------------

cat >funcs.c <<'END'
#define sec(name) __attribute__((section(name)))
extern int other(int a);
extern void use(int (*f)(int));

int global_func(int a)				{ return other(a) + 1; }
static int static_func(int a)			{ return other(a) + 2; }
__attribute__((weak)) int weak_func(int a)	{ return other(a) + 3; }
__attribute__((cold)) int cold_func(int a)	{ return other(a) + 4; }
sec(".init.text") int init_func(int a)		{ return other(a) + 5; }
sec(".ref.text") int ref_func(int a)		{ return other(a) + 7; }
sec(".sched.text") int sched_func(int a)	{ return other(a) + 8; }
sec(".spinlock.text") int lock_func(int a)	{ return other(a) + 9; }
sec(".kprobes.text") int kprobes_func(int a)	{ return other(a) + 10; }
sec(".irqentry.text") int irqentry_func(int a)	{ return other(a) + 11; }
sec(".softirqentry.text") int softirq_func(int a) { return other(a) + 12; }
sec(".text.weak_alone") __attribute__((weak)) int alone_func(int a) { return other(a) + 13; }

sec(".exit.text") int exit_func(int a)		{ return other(a) + 6; }
sec(".noinstr.text") int noinstr_func(int a)	{ return other(a) + 14; }
sec(".cpuidle.text") int cpuidle_func(int a)	{ return other(a) + 15; }
sec(".entry.text") int entry_func(int a)	{ return other(a) + 16; }
sec(".head.text") int head_func(int a)		{ return other(a) + 17; }
sec(".discard.text") int discard_func(int a)	{ return other(a) + 18; }
sec(".textual") int textual_func(int a)		{ return other(a) + 19; }

__attribute__((no_instrument_function)) int untraced_func(int a) { return other(a) + 20; }

int table_func(int a)
{
	use(static_func);
	switch (a) {
	case 0: return other(11);
	case 1: return other(7);
	case 2: return global_func(13);
	case 3: return weak_func(17);
	case 4: return other(19) + 1;
	case 5: return other(23) + 5;
	}
	return 0;
}
END

# taken, not called: nothing to record, nothing to change
cat >taken.c <<'END'
extern void __fentry__(void);
void *volatile taken = __fentry__;
__attribute__((no_instrument_function)) void *take(void) { return __fentry__; }
END

# a program that counts the entries of its own table
cat >main.c <<'END'
extern unsigned long __start___mcount_loc[], __stop___mcount_loc[];
int other(int a) { return a; }
void use(int (*f)(int)) { f(1); }
int start(void) { return __stop___mcount_loc - __start___mcount_loc; }
END

# another object, linked with the first
cat >other.c <<'END'
extern int other(int a);
int f_two(int a) { return other(a) + 40; }
__attribute__((section(".init.text"))) int g_two(int a) { return other(a) + 41; }
END

# the strong counterpart of weak_func
cat >strong.c <<'END'
int weak_func(int a) { return a; }
END

# --- what objects and programs contain ---------------------------------------

traced='^[.](text|init[.]text|ref[.]text|sched[.]text|spinlock[.]text|'
traced=$traced'kprobes[.]text|irqentry[.]text|softirqentry[.]text)[. ]'

# calls_of FILE : "section offset" of every call of the profiling function
calls_of()
{
	${cross}objdump -dr "$1" | awk '
		/^Disassembly of section / { sec = $4; sub(/:$/, "", sec) }
		/^ +[0-9a-f]+:\t/ {
			at = $1; sub(/:$/, "", at)
			call = $0 ~ /\t(call|callq|bl)[ \t]/
		}
		/^\t\t\t[0-9a-f]+: R_/ {
			target = $3; sub(/[-+]0x[0-9a-f]+$/, "", target)
			if (call && target ~ /^(__fentry__|_?mcount)$/)
				print sec, at
		}'
}

# entries_of FILE : "section offset" of every entry of __mcount_loc
entries_of()
{
	${cross}readelf -rW "$1" | awk '
		/^Relocation section/ { on = $3 == "\047.rela__mcount_loc\047" }
		on && /^[0-9a-f]+ / { print $5, $7 }'
}

# relocs_of FILE : its relocations by name, except for these calls
relocs_of()
{
	${cross}readelf -rW "$1" | awk '
		/^Relocation section/ { sec = $3 }
		/^[0-9a-f]+ / && sec !~ /__mcount_(loc|src)/ && $3 !~ /NONE/ &&
			!($3 ~ /PC32|PLT32|GOTPC|CALL26/ && $5 ~ /^(__fentry__|_?mcount)$/) {
			$2 = ""
			print sec, $0
		}'
}

# symbols_of FILE : its symbols, except section symbols
symbols_of()
{
	${cross}readelf -sW "$1" | awk '/^ +[0-9]+:/ && $4 != "SECTION" { $1 = ""; print }'
}

same()
{
	diff "$1" "$2" >diff.out && return
	echo "$1 and $2 differ:"
	cat diff.out
	return 1
}

# nops_at FILE LIST : there is a NOP at each "section offset" of LIST
nops_at()
{
	${cross}objdump -d "$1" | awk '
		NR == FNR { want[$1 " " $2]; next }
		/^Disassembly of section / { sec = $4; sub(/:$/, "", sec) }
		/^ +[0-9a-f]+:\t/ {
			at = $1; sub(/:$/, "", at)
			if (!((sec " " at) in want))
				next
			delete want[sec " " at]
			if ($0 !~ /\t0f 1f 44 00 00 +\tnopl / && $0 !~ /\td503201f +\tnop/) {
				print "no NOP at " sec " " at ": " $0; bad = 1
			}
		}
		END {
			for (w in want) { print "no instruction at " w; bad = 1 }
			exit bad
		}' "$2" -
}

# table_of FILE : the addresses in the table of a linked program
table_of()
{
	${cross}objcopy -O binary -j __mcount_loc "$1" table.bin
	od -An -v -tx8 -w8 --endian=$endian table.bin | sed 's/^ *0*//'
}

# for awk: the number that a string of hexadecimal digits is
dec='
	function dec(hex,  i, n) {
		for (i = 1; i <= length(hex); i++)
			n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}'

# functions_of FILE : names of the functions that contain the table's entries
functions_of()
{
	table_of "$1" >table
	${cross}nm -nS --defined-only "$1" | awk "$dec"'
		NR == FNR { at[NR] = dec($1); num = NR; next }
		NF == 4 && $3 ~ /[tTwW]/ {
			for (i = 1; i <= num; i++)
				if (at[i] >= dec($1) && at[i] < dec($1) + dec($2))
					print $4
		}' table -
}

# --- good objects -----------------------------------------------------------

treated_right()
{
	calls_of before.o >calls
	grep -E "$traced" calls | sort >expected
	[ -s expected ] || { echo "the compiler made no calls"; return 1; }
	cp before.o after.o
	"$rmc" after.o || return 1
	entries_of after.o | sort >entries
	same expected entries || return 1
	nops_at after.o calls || return 1
	calls_of after.o >left
	same /dev/null left || return 1
	relocs_of before.o >relocs.before
	relocs_of after.o >relocs.after
	same relocs.before relocs.after || return 1
	symbols_of before.o >symbols.before
	symbols_of after.o >symbols.after
	same symbols.before symbols.after || return 1
	${cross}readelf -aW after.o >/dev/null 2>readelf.err
	same /dev/null readelf.err
}

# -w reports untraced calls, one line each, and nothing else
warned_right()
{
	grep -Ev "$traced" calls >untraced
	cp before.o warned.o
	"$rmc" -w warned.o 2>warnings || return 1
	sed 's/.* warning: \([^ +]*\)+0x\([0-9a-f]*\) .*/\1 \2/' warnings >warned
	same untraced warned && cmp after.o warned.o
	grep -q ' (noinstr_func) ' warnings
}

unchanged_by_second_run()
{
	cp -p after.o twice.o
	touch -d '2001-02-03 04:05:06' twice.o
	stat -c '%i %Y %a' twice.o >stat.before
	"$rmc" twice.o || return 1
	stat -c '%i %Y %a' twice.o >stat.after
	same stat.before stat.after && cmp after.o twice.o
}

# the functions whose entries a program with this object should have
all_functions()
{
	awk '/ [a-z]+_func\(int a\)/ {
		match($0, / [a-z]+_func\(int a\)/)
		name = substr($0, RSTART + 1, RLENGTH - 8)
		if (name !~ /^(exit|noinstr|cpuidle|entry|head|discard|textual|untraced)_/)
			print name
	}' funcs.c | sort
}

linked_right()
{
	all_functions >expected
	# in one step, and after ld -r
	for step in direct relocatable; do
		in=after.o
		if [ $step = relocatable ]; then
			$ld -r -o r.o after.o || return 1
			in=r.o
		fi
		$ld $gc -e start -o prog main.o $in || return 1
		functions_of prog | sort >functions
		same expected functions || return 1
		table_of prog | sort | uniq -d >twice
		same /dev/null twice || return 1
	done
}

# if another object's function wins, the entry of this one still refers to its own code
weak_right()
{
	$ld -e start -o prog strong.o main.o after.o || return 1
	table_of prog | wc -l >n1
	all_functions | wc -l >n2
	same n2 n1 || return 1
	table_of prog | sort | uniq -d >twice
	same /dev/null twice || return 1
	functions_of prog | grep -v weak_func | sort >functions
	all_functions | grep -v weak_func >expected
	same expected functions
}

# sources_of FILE : path, first and last address of each span in a linked program
sources_of()
{
	at=$(${cross}readelf -SW "$1" | awk '$2 == "__mcount_src" { print $4; exit }
		$3 == "__mcount_src" { print $5; exit }')
	${cross}objcopy -O binary -j __mcount_src "$1" src.bin
	od -An -v -tu4 -w4 --endian=$endian src.bin >src.words
	od -An -v -tu1 -w4 src.bin >src.bytes
	awk -v at="$at" "$dec"'
		NR == FNR { word[NR - 1] = $1; num = NR; next }
		{ bytes[FNR - 1] = $0 }
		END {
			at = dec(at)
			for (i = 0; i < num;) {
				spans = word[i++]
				for (s = 0; s < spans; s++) {
					off = word[i]
					first[s] = at + 4 * i + (off < 2 ^ 31 ? off : off - 2 ^ 32)
					last[s] = first[s] + word[i + 1]
					i += 2
				}
				path = ""
				for (more = 1; more && i < num; i++) {
					split(bytes[i], b, " ")
					for (k = 1; k <= 4 && more; k++) {
						if (b[k] == 0)
							more = 0
						else
							path = path sprintf("%c", b[k])
					}
				}
				for (s = 0; s < spans; s++)
					print path, first[s], last[s]
			}
		}' src.words src.bytes
}

# With -s each site is in one span of the object that contains it, however it is linked
sourced_right()
{
	mkdir -p in/a in/b
	cp before.o in/a/one.o
	cp other.o in/b/two.o
	"$rmc" -s ./in//a/../b/two.o in/a/./one.o || return 1
	entries_of in/a/one.o | sort >entries
	same expected entries || return 1
	relocs_of before.o >relocs.before
	relocs_of in/a/one.o >relocs.after
	same relocs.before relocs.after || return 1
	${cross}readelf -aW in/a/one.o >/dev/null 2>readelf.err
	same /dev/null readelf.err || return 1
	for step in direct relocatable; do
		objects='in/a/one.o in/b/two.o'
		if [ $step = relocatable ]; then
			$ld -r -o r.o $objects || return 1
			objects=r.o
		fi
		$ld -e start -o prog main.o $objects || return 1
		sources_of prog >spans
		table_of prog >table
		${cross}nm -S prog >names
		awk "$dec"'
			FILENAME == "spans" {
				path[++num] = $1
				first[num] = $2
				last[num] = $3
				next
			}
			FILENAME == "names" {
				if ($4 ~ /_two$/) {
					two[++names] = dec($1)
					end[names] = dec($1) + dec($2)
				}
				next
			}
			{
				at = dec($1); found = ""; hits = 0
				for (i = 1; i <= num; i++)
					if (at >= first[i] && at <= last[i]) {
						found = path[i]
						hits++
					}
				want = "in/a/one.o"
				for (i = 1; i <= names; i++)
					if (at >= two[i] && at < end[i])
						want = "in/b/two.o"
				sites[found]++
				if (hits != 1 || found != want) {
					print $1 " is in " hits " spans, " found ", not " want
					bad = 1
				}
			}
			END {
				if (!sites["in/a/one.o"] || sites["in/b/two.o"] != 2) {
					print "too few sites"; bad = 1
				}
				exit bad
			}' spans names table || return 1
	done
}

# good LABEL COMPILER FLAGS : runs all of the above for one way to compile
good()
{
	label=$1
	if ! $2 $3 -O2 -c -o before.o funcs.c 2>log; then
		skip "$label" "does not compile: $(head -1 log)"
		return
	fi
	# without -pg: these must not be in the table
	$2 -O2 -c -o main.o main.c
	$2 -O2 -c -o strong.o strong.c
	$2 $3 -O2 -c -o other.o other.c
	check "$label: calls become NOPs and entries" treated_right
	check "$label: sites are in spans of their object" sourced_right
	check "$label: calls that are not traced are told" warned_right
	check "$label: a second run changes nothing" unchanged_by_second_run
	check "$label: entries are linked" linked_right
	check "$label: an entry stays with a weak function that lost" weak_right
	gc=--gc-sections
	check "$label: entries are linked with --gc-sections" linked_right
	gc=
}

# If the compiler lists the sites, only the path is added, and each site, which is after the
# address in the list, is in one span of its object
listed_right()
{
	mkdir -p in/a in/b
	cp before.o in/a/one.o
	cp other.o in/b/two.o
	"$rmc" -s in/a/one.o in/b/two.o || return 1
	${cross}readelf -SW in/a/one.o >sections
	! grep __mcount_loc sections || return 1
	cp in/a/one.o again.o
	"$rmc" -s again.o && cmp in/a/one.o again.o || return 1
	$ld -e start --defsym=__start___mcount_loc=0 --defsym=__stop___mcount_loc=0 \
		-o prog main.o in/a/one.o in/b/two.o || return 1
	sources_of prog >spans
	${cross}objcopy -O binary -j __patchable_function_entries prog table.bin
	od -An -v -tu8 -w8 --endian=$endian table.bin >table
	${cross}readelf -rW before.o | awk '/ABS64/ { print $5 " " }' |
		grep -c -E "$traced" >want
	awk -v want="$(cat want)" '
		FILENAME == "spans" { path[++num] = $1; first[num] = $2; last[num] = $3; next }
		{
			hits = 0
			for (i = 1; i <= num; i++)
				if ($1 + 4 >= first[i] && $1 + 4 <= last[i]) {
					sites[path[i]]++
					hits++
				}
			if (hits > 1) {
				print $1 " is in " hits " spans"; bad = 1
			}
		}
		END {
			if (!want || sites["in/a/one.o"] != want || sites["in/b/two.o"] != 2) {
				print sites["in/a/one.o"] " sites, not " want; bad = 1
			}
			exit bad
		}' spans table
}

# listed LABEL COMPILER FLAGS : runs these checks for a compiler that lists the sites
listed()
{
	label=$1
	$2 $3 -O2 -c -o before.o funcs.c
	$2 $3 -O2 -c -o other.o other.c
	$2 -O2 -c -o main.o main.c
	check "$label: sites that the compiler lists are in spans of their object" listed_right
}

kernel='-fno-pic -fno-asynchronous-unwind-tables -fno-stack-protector'
gc=

have()
{
	command -v "${1%% *}" >/dev/null
}

x86_64_objects()
{
	cross=
	[ "$(uname -m)" = x86_64 ] || cross=x86_64-linux-gnu-
	endian=little
	ld=${cross}ld
	have "${cross}gcc" || { skip x86_64 "no compiler"; return; }
	gcc="${cross}gcc -m64 $kernel"

	good "x86_64" "$gcc" "-pg -mfentry -fcf-protection=none"
	good "x86_64 IBT" "$gcc" "-pg -mfentry -fcf-protection=branch"
	good "x86_64 function sections" "$gcc" "-pg -mfentry -ffunction-sections"
	good "x86_64 padded functions" "$gcc" "-pg -mfentry -fpatchable-function-entry=16,16"
	good "x86_64 debug info" "$gcc -g" "-pg -mfentry"
	good "x86_64 kernel model" "$gcc -mcmodel=kernel -mno-red-zone -Wl,-Ttext=0" "-pg -mfentry"
	good "x86_64 mcount" "$gcc" "-pg -mno-fentry"
	good "x86_64 call through GOT" "$gcc -fpic" "-pg -mfentry"
	good "x86_64 mcount through GOT" "$gcc -fpic" "-pg -mno-fentry"
	if have clang; then
		good "x86_64 clang" "clang --target=x86_64-linux-gnu $kernel" "-pg -mfentry"
		good "x86_64 clang function sections" "clang --target=x86_64-linux-gnu $kernel" \
			"-pg -mfentry -ffunction-sections"
	else
		skip "x86_64 clang" "not installed"
	fi
}

aarch64_objects()
{
	cross=aarch64-linux-gnu-
	[ "$(uname -m)" = aarch64 ] && cross=
	have "${cross}gcc" || { skip aarch64 "no compiler"; return; }
	gcc="${cross}gcc $kernel"

	endian=little
	ld=${cross}ld
	good "aarch64" "$gcc" "-pg"
	good "aarch64 branch protection" "$gcc" "-pg -mbranch-protection=standard"
	good "aarch64 function sections" "$gcc" "-pg -ffunction-sections"
	listed "aarch64 patchable" "$gcc" "-fpatchable-function-entry=2"
	listed "aarch64 patchable function sections" "$gcc" \
	       "-fpatchable-function-entry=2 -ffunction-sections"
	endian=big
	ld="${cross}ld -EB"
	good "aarch64 big endian" "$gcc -mbig-endian" "-pg"
	good "aarch64 big endian function sections" "$gcc -mbig-endian" "-pg -ffunction-sections"
	listed "aarch64 big endian patchable" "$gcc -mbig-endian" "-fpatchable-function-entry=2"
}

x86_64_objects
aarch64_objects

# --- special objects ----------------------------------------------------------

cross=
[ "$(uname -m)" = x86_64 ] || cross=x86_64-linux-gnu-
gcc="${cross}gcc -m64 $kernel"
if ! have "$gcc"; then
	skip "special and broken objects" "no x86_64 compiler"
	finish
fi
$gcc -O2 -pg -mfentry -c -o good.o funcs.c
$gcc -O2 -c -o strong.o strong.c
cp good.o good.treated.o
"$O/recordmcount" good.treated.o

# is not changed, silently
left_alone()
{
	cp -p "$1" alone.o
	touch -d '2001-02-03 04:05:06' alone.o
	stat -c '%i %Y %a' alone.o >stat.before
	"$rmc" -w alone.o >said 2>&1 || return 1
	stat -c '%i %Y %a' alone.o >stat.after
	same /dev/null said && same stat.before stat.after && cmp "$1" alone.o
}

$gcc -O2 -c -o plain.o funcs.c
check "an object without calls is left alone" left_alone plain.o
$gcc -O2 -c -o taken.o taken.c
check "an address taken is no call" left_alone taken.o
$gcc -O2 -fpic -c -o taken.o taken.c
check "an address taken through the GOT is no call" left_alone taken.o
: | $gcc -x c -c -o empty.o -
check "an empty object is left alone" left_alone empty.o

only_untraced()
{
	echo '__attribute__((section(".noinstr.text"))) int f(int a) { return a; }' |
		$gcc -O2 -pg -mfentry -x c -c -o before.o -
	calls_of before.o >calls
	cp before.o after.o
	"$rmc" after.o && nops_at after.o calls || return 1
	! ${cross}readelf -SW after.o | grep __mcount_loc || return 1
	cp after.o twice.o
	"$rmc" twice.o && cmp after.o twice.o
}
check "an object with untraced calls only gets no table" only_untraced

# gas puts a function in a group that the linker may drop
grouped()
{
	cat >group.s <<'END'
	.section .text.grouped,"axG",@progbits,grouped,comdat
	.weak grouped
	.type grouped,@function
grouped:
	call __fentry__
	ret
	.size grouped,.-grouped
	.text
	.globl alone
alone:
	call __fentry__
	call grouped
	ret
END
	$gcc -c -o before.o group.s
	cp before.o group_sample.o
	cp before.o after.o
	"$rmc" after.o || return 1
	echo ".text 0" >expected
	entries_of after.o >entries
	same expected entries || return 1
	calls_of before.o >calls
	nops_at after.o calls || return 1
	# The group is named by a global symbol, which a new section symbol moved up
	${cross}readelf -gW before.o >groups.before
	${cross}readelf -gW after.o >groups.after
	same groups.before groups.after && grep -q '\[grouped\]' groups.after || return 1
	cp after.o other.o
	${cross}objcopy --redefine-sym alone=other other.o
	${cross}ld -r -o r.o after.o other.o
}
check "a group that may be dropped has no entries" grouped

# new section symbols move the global ones up
local_symbols()
{
	cat >locals.s <<'END'
	.section .text.a,"ax",@progbits
	.globl a
a:	call __fentry__
	call b
	ret
	.section .text.b,"ax",@progbits
	.weak b
b:	call __fentry__
	call c
	ret
	.section .init.text,"ax",@progbits
c:	call __fentry__
	call a
	ret
	.data
	.quad a, b, c, d
END
	$gcc -c -o before.o locals.s
	cp before.o locals_sample.o
	${cross}readelf -sW before.o | grep -c ' SECTION ' >n.before
	calls_of before.o | sort >expected
	relocs_of before.o >relocs.before
	cp before.o after.o
	"$rmc" after.o || return 1
	entries_of after.o | sort >entries
	relocs_of after.o >relocs.after
	${cross}readelf -sW after.o | grep -c ' SECTION ' >n.after
	same expected entries && same relocs.before relocs.after &&
		[ "$(cat n.after)" -gt "$(cat n.before)" ] &&
		${cross}ld -r -o r.o after.o && ${cross}ld -r -o r2.o r.o strong.o
}
check "section symbols are made where none are" local_symbols

# a list of symbols by number that linkers may use; it must be invalidated
addrsig()
{
	clang --target=x86_64-linux-gnu $kernel -O2 -pg -mfentry -ffunction-sections -faddrsig \
		-c -o before.o funcs.c || return 1
	cp before.o after.o
	"$rmc" after.o || return 1
	llvm-readelf -SW before.o | sed 's/^ *\[ *//; s/\]//' >sections.before
	llvm-readelf -SW after.o >sections.after
	symbols=$(awk '$2 == ".symtab" { print $1 }' sections.before)
	# The link is the third column from the end
	link=$(awk '/LLVM_ADDRSIG/ { print $(NF - 2) }' sections.before)
	[ "$link" = "$symbols" ] || { echo "linked to $link, not $symbols"; return 1; }
	link=$(awk '/LLVM_ADDRSIG/ { print $(NF - 2) }' sections.after)
	[ "$link" = 0 ] || { echo "still linked to $link"; return 1; }
}
if have clang && have llvm-readelf; then
	check "a list of symbols is disowned" addrsig
else
	skip "a list of symbols is disowned" "no clang"
fi

# many_sections NUM : an object with NUM sections; the last ones are functions
many_sections()
{
	# .text, .data, .bss, 3 tables and the null section also exist, and a table of section
	# indices if these do not fit in a symbol
	awk -v num=$(($1 - 7 - ($1 >= 65280))) 'BEGIN {
		for (i = 0; i < num - 20; i++)
			print "\t.section .data.d" i ",\"aw\",@progbits\n\t.long 1"
		for (i = 0; i < 10; i++) {
			print "\t.section .text.f" i ",\"ax\",@progbits"
			print "\t.globl f" i "\nf" i ":\n\tcall __fentry__\n\tret"
		}
	}' >many.s
	$gcc -c -o before.o many.s || return 1
	${cross}readelf -hW before.o
	${cross}readelf -hW before.o | grep -q "Number of section headers: .*\<$1\>" || return 1
	cp before.o after.o
	"$rmc" after.o || return 1
	for i in 0 1 2 3 4 5 6 7 8 9; do
		echo ".text.f$i 0"
	done >expected
	entries_of after.o >entries
	same expected entries || return 1
	symbols_of before.o >symbols.before
	symbols_of after.o >symbols.after
	same symbols.before symbols.after || return 1
	${cross}readelf -SW after.o | grep -c __mcount_loc >n
	echo 2 >expected
	same expected n || return 1
	cp after.o twice.o
	"$rmc" twice.o && cmp after.o twice.o
}
check "an object that gets 0xfeff sections" many_sections 65277
check "an object that gets too many sections for the ELF header" many_sections 65278
check "an object with sections that symbols cannot name directly" many_sections 65290
check "an object with very many sections" many_sections 70000

# --- files ----------------------------------------------------------------------

nothing_left_over()
{
	for left_over in .tmp*; do
		[ ! -e "$left_over" ] || return 1
	done
}

links_and_modes()
{
	for mode in 640 444 600; do
		rm -f f.o link.o sym.o
		cp good.o f.o
		ln f.o link.o
		ln -s f.o sym.o
		chmod $mode f.o
		"$rmc" sym.o || return 1
		cmp link.o good.o && cmp f.o good.treated.o || return 1
		[ -L sym.o ] && [ "$(stat -c %a f.o)" = $mode ] || return 1
	done
	rm -f f.o link.o sym.o
}
check "hard links keep the old object, mode and symbolic link stay" links_and_modes

several()
{
	cp good.o f1.o
	echo "no object" >f2.o
	cp good.o f3.o
	"$rmc" f1.o f2.o f3.o 2>said
	[ $? -eq 1 ] || return 1
	grep -q '^recordmcount: f2.o: ' said && cmp f1.o good.treated.o &&
		cmp f3.o good.treated.o && echo "no object" | cmp - f2.o
}
check "one bad file of several does not stop the others" several

usage()
{
	"$rmc" 2>said
	[ $? -eq 1 ] && grep -q '^usage:' said || return 1
	"$rmc" -x good.o 2>said
	[ $? -eq 1 ] && grep -q '^usage:' said
}
check "wrong usage is told" usage

# fault FAULT STATUS : the old object is still complete, and no temporary files are left
fault()
{
	cp good.o f.o
	LD_PRELOAD=$O/recordmcount_faults.so FAULT=$1 "$O/recordmcount" f.o 2>said
	[ $? -eq "$2" ] || { echo "status is not $2"; return 1; }
	[ "$2" -ne 1 ] || grep -q '^recordmcount: f.o: .' said || return 1
	cmp f.o good.o
}

check "write() that writes less than asked" eval 'cp good.o f.o &&
	LD_PRELOAD=$O/recordmcount_faults.so "$O/recordmcount" f.o && cmp f.o good.treated.o'
check "killed before the new object has its name" fault killed 137
rm -f .tmp_mcount.*
for size in 0 100 3000; do
	check "disk full after $size bytes" fault full:$size 1
done
check "no file can be created" fault readonly 1
check "the new object's data is lost" fault lost 1
check "nothing is left over" nothing_left_over

ended_by_signal()
{
	cp good.o f.o
	LD_PRELOAD=$O/recordmcount_faults.so FAULT=stopped "$O/recordmcount" f.o
	[ $? -eq 143 ] && cmp f.o good.treated.o && nothing_left_over
}
check "a signal waits for the rename" ended_by_signal

file_size_limit()
{
	cp good.o f.o
	(ulimit -f 1 && "$O/recordmcount" f.o 2>said)
	[ $? -eq 1 ] && grep -q 'File too large' said && cmp f.o good.o && nothing_left_over
}
check "file size limit" file_size_limit

out_of_memory()
{
	i=0
	while cp good.o f.o; do
		LD_PRELOAD=$O/recordmcount_faults.so FAULT=alloc:$i "$O/recordmcount" f.o 2>said &&
			break
		[ $? -eq 1 ] || { echo "allocation $i: bad status"; return 1; }
		grep -q '^recordmcount: f.o: Cannot allocate memory' said && cmp f.o good.o || {
			echo "allocation $i:"; cat said
			return 1
		}
		i=$((i + 1))
	done
	[ $i -ge 5 ] && cmp f.o good.treated.o && nothing_left_over
}
check "each allocation fails in turn" out_of_memory

read_only_dir()
{
	mkdir -p ro
	cp good.o ro/f.o
	chmod 777 . ro/f.o
	chmod 555 ro
	$as_user "$O/recordmcount" ro/f.o 2>said
	ret=$?
	chmod 755 ro
	[ $ret -eq 1 ] && grep -q '^recordmcount: ro/f.o: no file' said && cmp ro/f.o good.o
}
as_user=
[ "$(id -u)" -ne 0 ] || as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $as_user test -x "$O/recordmcount" 2>/dev/null; then
	check "a directory that cannot be written" read_only_dir
else
	skip "a directory that cannot be written" "no other user can run it"
fi

# --- broken objects -----------------------------------------------------------------

# refused FILE TEXT : FILE is not changed, and the message contains TEXT
refused()
{
	cp -p "$1" f.o
	"$rmc" f.o 2>said
	[ $? -eq 1 ] || { echo "status is not 1"; return 1; }
	cat said
	grep -q "^recordmcount: f.o: .*$2" said && [ "$(wc -l <said)" -eq 1 ] && cmp "$1" f.o
}

# patched OFFSET BYTES [FILE] : good.o with other bytes at OFFSET, as bad.o
patched()
{
	cp "${3:-good.o}" bad.o
	printf "$2" | dd of=bad.o bs=1 seek=$(($1)) conv=notrunc 2>/dev/null
}

# spoilt NAME TEXT OFFSET BYTES [FILE] : such an object is rejected with TEXT
spoilt()
{
	patched "$3" "$4" $5
	check "$1" refused bad.o "$2"
}

# header_of NAME [FILE] : offset of the header of good.o's section NAME
header_of()
{
	${cross}readelf -hSW "${2:-good.o}" | awk -v name="$1" '
		/Start of section headers:/ { off = $5 }
		{ sub(/^ *\[ */, ""); sub(/\]/, "") }
		$2 == name { print off + 64 * $1; exit }'
}

echo 'int start(void) { return 0; }' >f.c
: >f.empty
check "an empty file" refused f.empty "not an ELF file"
check "a text" refused funcs.c "not an ELF file"
${cross}ld -e weak_func -o f.exec strong.o
check "a program" refused f.exec "not a relocatable object"
if $gcc -m32 -c -o f32.o f.c 2>/dev/null; then
	check "an object of another machine" refused f32.o "unknown machine 3"
fi
if $gcc -mx32 -c -o fx32.o f.c 2>/dev/null; then
	check "a 32-bit object" refused fx32.o "not a 64-bit"
fi
spoilt "bad class" "not a 64-bit" \
	4 '\001'
spoilt "bad byte order" "unknown byte order 3" \
	5 '\003'
spoilt "bad version" "unknown ELF version 2" \
	6 '\002'
spoilt "bad machine" "unknown machine 65535" \
	18 '\377\377'
spoilt "bad section headers" "section headers" \
	40 '\377\377\377\377\377\377\377\377'
spoilt "section headers that wrap" "truncated" \
	40 '\370\377\377\377\377\377\377\377'
spoilt "bad size of section headers" "section headers" \
	58 '\001'
spoilt "program headers" "program headers" \
	56 '\001'
spoilt "too many section headers" "truncated" \
	60 '\377\376'
spoilt "bad section of names" "section names" \
	62 '\377\376'
text=$(header_of .text)
symtab=$(header_of .symtab)
rela=$(header_of .rela.text)
spoilt "bad section name" "has no name" \
	$((text + 3)) '\177'
spoilt "section beyond the file" "ends beyond the file" \
	$((text + 31)) '\177'
spoilt "section that wraps" "ends beyond the file" \
	$((text + 32)) '\377\377\377\377\377\377\377\377'
spoilt "section over the ELF header" "overlap" \
	$((text + 24)) '\000\000'
spoilt "bad section of symbol names" "symbol names" \
	$((symtab + 40)) '\377\177'
spoilt "bad number of local symbols" "local" \
	$((symtab + 44)) '\377\377'
spoilt "bad size of symbols" "symbol table" \
	$((symtab + 56)) '\027'
spoilt "relocations of no section" "relocations in section" \
	$((rela + 44)) '\377\177'
spoilt "relocations without symbols" "relocations in section" \
	$((rela + 40)) '\001'
relas=$(header_of .rela__mcount_loc good.treated.o)
spoilt "two symbol tables" "symbol table" \
	$((relas + 4)) '\002' good.treated.o

truncated()
{
	size=$(stat -c %s good.o)
	at=0
	while [ $at -lt $size ]; do
		head -c $at good.o >cut.o
		cp cut.o f.o
		"$O/recordmcount" f.o 2>said
		[ $? -eq 1 ] && grep -q '^recordmcount: f.o: ' said && cmp cut.o f.o || {
			echo "cut at $at of $size:"; cat said
			return 1
		}
		at=$((at + 37))
	done
}
check "cut at any length" truncated

# The table of the compiler and the one of recordmcount would each have every site
if $gcc -O2 -pg -mfentry -mrecord-mcount -c -o bad.o funcs.c 2>/dev/null; then
	check "an object with the compiler's own table" refused bad.o "__mcount_loc"
fi

# random damage: the same each time, for $FUZZ_ROUNDS rounds
$gcc -O2 -pg -mfentry -ffunction-sections -c -o sample1.o funcs.c
$gcc -O2 -fpic -pg -c -o sample2.o funcs.c
! have aarch64-linux-gnu-gcc ||
	aarch64-linux-gnu-gcc -O2 -mbig-endian -pg -c -o sample3.o funcs.c
check "damaged at random" "$O/recordmcount_fuzz" -n "${FUZZ_ROUNDS:-100000}" \
	good.o locals_sample.o group_sample.o sample*.o

finish
