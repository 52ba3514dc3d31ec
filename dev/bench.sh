#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Measures the cost of everything, compared with the stock kernel: builds both with the same
# config, boots each in QEMU where one instruction is one tick, runs the same program and the
# same module in both, and prints the table. It is kept in build/bench, or build/bench-arm64, as
# table (as printed), table.md, table.tsv and ratios.svg.
#
# From the environment: ROWS, patterns of the keys in dev/bench/rows, separated by commas;
# CONFIGS, a subset of bench and bench-hard, or bench-static or bench-discover alone; ARCH.

. "$(dirname "$0")/lib.sh"

wanted=${ROWS:-*}
check_arch
# The harder config has jump labels and mitigations of x86.
case $arch in
x86_64) configs=${CONFIGS:-bench bench-hard} ;;
*) configs=${CONFIGS:-bench} ;;
esac
unset ROWS CONFIGS
dir=$bench
result=$dir/result
srcarch=${arch%_64}

# parts: the parts of the guest program that have the requested rows.
parts=$(set -f
	awk -F '\t' '/^[a-z]/ { print $1, $2 }' "$TOP/dev/bench/rows" |
	while read -r key part; do
		for pattern in $(echo "$wanted" | tr , ' '); do
			# shellcheck disable=SC2254 # a pattern on purpose
			case $key in $pattern) echo "$part"; continue 2 ;; esac
			# shellcheck disable=SC2254
			case $part in $pattern) echo "$part"; continue 2 ;; esac
		done
	done | awk '!seen[$0]++')
# A device that only a PC has makes the turns of CPUs short.
[ "$arch" = x86_64 ] || parts=$(echo "$parts" | grep -vx stall || :)
[ -n "$parts" ] || die "no row fits ROWS=$wanted: they are in dev/bench/rows"

has() {
	echo "$parts" | grep -qx "$1"
}

# Rows measured in the one long run; the other rows have separate runs.
common=$(echo "$parts" | grep -vx -e boot -e stall -e size | paste -sd, -)

# size_rows SIDE CONFIG: text, data and bss of tracing, from its objects.
size_rows() {
	out=$dir/$1/$2
	size -t "$out/kernel/trace/built-in.a" "$out/arch/$srcarch"/kernel/*ftrace*.o |
		awk -v OFS='\t' -v at="$2	$1" '/TOTALS/ {
			print at, "text", $1, 0, ""
			print at, "data", $2, 0, ""
			print at, "bss", $3, 0, "" }'
}

# boot_rows SIDE CONFIG: from the times in the log of a boot. A microsecond is a thousand
# instructions there.
boot_rows() {
	out=$dir/$1/$2
	log=$result.$1.$2.boot-$2-$1
	names=$log.names
	nm "$out/kernel/trace/built-in.a" "$out/arch/$srcarch"/kernel/*ftrace*.o 2>/dev/null |
		awk '$2 ~ /[tT]/ { print $3 }' | sort -u >"$names"
	awk -v OFS='\t' -v at="$2	$1" -v names="$names" '
	function time() { match($0, /\[ *[0-9.]+\]/)
		return substr($0, RSTART + 1, RLENGTH - 2) * 1e9 }
	BEGIN { while ((getline n <names) > 0) ours[n] = 1 }
	/SLUB:/ { from = time() }
	/rcu: .*RCU implementation/ && !to { to = time() }
	/Run \/init/ { all = time() }
	$3 == "idle" { idle = $4 }
	/initcall .* returned/ {
		for (i = 1; i < NF; i++)
			if ($i == "initcall")
				name = $(i + 1)
		sub(/\+.*/, "", name)
		if (name in ours) {
			n++
			match($0, /after [0-9]+ usecs/)
			sum += substr($0, RSTART + 6, RLENGTH - 12) * 1000
		}
	}
	END {
		if (from && to)
			print at, "boot_init", to - from, 0, ""
		if (n)
			print at, "boot_calls", sum, 0, n " initcalls"
		if (all)
			print at, "boot_all", all - idle, idle, ""
	}' "$log"
	rm "$log" "$names"
}

# measure SIDE CONFIG: measures all requested rows of one kernel.
measure() {
	run=$TOP/dev/bench/run.sh
	mine=$result.$1.$2
	: >"$mine"
	export ARCH="$arch"
	[ -z "$common" ] || "$run" "$1" "$2" "$common" "$mine"
	! has size || size_rows "$1" "$2" >>"$mine"
	if has boot; then
		"$run" "$1" "$2" boot "$mine" boot
		boot_rows "$1" "$2" >>"$mine"
	fi
	if has stall; then
		"$run" "$1" "$2" stall "$mine" stall
		[ "$1" = stock ] || for mode in stop live; do
			APPEND="mode=_$mode ftrace_patch=$mode" \
				"$run" "$1" "$2" stall "$mine" stall
		done
	fi
}

print() {
	"$TOP/dev/bench/table.pl" "$1" "$result" "$wanted"
}

ARCH=$arch "$TOP/dev/deps.sh" run
mkdir -p "$dir"
: >"$result.new"
for config in $configs; do
	ARCH=$arch "$TOP/dev/bench/build.sh" stock "$config"
	ARCH=$arch "$TOP/dev/bench/build.sh" ours "$config"
done
for config in $configs; do
	measure stock "$config" &
	measure ours "$config"
	wait $! || exit 1
	cat "$result.stock.$config" "$result.ours.$config" >>"$result.new"
	rm "$result.stock.$config" "$result.ours.$config"
done
mv "$result.new" "$result"
print markdown >"$dir/table.md"
print tsv >"$dir/table.tsv"
print svg >"$dir/ratios.svg"
print terminal >"$dir/table"
stage "done"
cat "$dir/table"
