#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Formats of trace events, which tools parse: the same as in the stock kernel, byte for byte,
# except the numbers of events, and the numbers that the compiler gives to variables of macros.

. "$(dirname "$0")/tap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set +e

# Events of only one kernel (<: stock, >: ours): of tracers and a self test that this series
# does not have, and of the option funcgraph-retaddr, which was added by Linux 6.13.
cat >"$work/known" <<'END'
< events/ftrace/branch/format
< events/test/ftrace_test_filter/format
> events/ftrace/fgraph_retaddr_entry/format
END

# formats KERNEL: prints a line for each file, with its name and a tab before its text. Omits
# the field args[] of function and funcgraph_entry, which was added by Linux 6.15.
formats() {
	LOG="$BUILD/log/check/formats-$1.kernel" TIMEOUT=300 VIRTUAL=1 \
		"$TOP/dev/qemu.sh" "$BUILD/$1" "$TOP/dev/guest/formats" >"$work/$1.packed" &&
		base64 -d "$work/$1.packed" | gzip -d |
			sed -e 's/__UNIQUE_ID_\([a-z]*\)_[0-9]*/\1/g' \
			    -e '/field:unsigned long args\[\];/d' |
			awk '/^== / { printf "%s%s\t", (NR > 1 ? "\n" : ""), $2; next }
			     { gsub(/\t/, "<tab>"); printf "%s;", $0 }
			     END { print "" }' | sort >"$work/$1"
	[ "$(wc -l <"$work/$1")" -gt 500 ]
}

tap_plan 3
formats stock-x86_64 && formats x86_64
tap $? packed

for kernel in stock-x86_64 x86_64; do
	cut -f 1 "$work/$kernel" >"$work/$kernel.names"
done
diff "$work/stock-x86_64.names" "$work/x86_64.names" | grep '^[<>]' | sort >"$work/alone"
diff "$work/known" "$work/alone" >"$work/why"
status=$?
sed 's/^/# /' "$work/why"
tap $status names

join -t "$(printf '\t')" "$work/stock-x86_64" "$work/x86_64" |
	awk -F '\t' '$2 != $3 { print "# " $1; print "#   stock: " $2; print "#   ours:  " $3 }
		     END { exit NR < 500 }' >"$work/why" && [ ! -s "$work/why" ]
status=$?
cat "$work/why"
tap $status formats
ktap_finished
