#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Programs of others that read the buffer: trace-cmd as Debian has it, and the
# base's own test of mapping it.

. "$(dirname "$0")/kernel.sh"
set +e

tap_plan 3
kernel x86_64
tests=$work/tools
guest_tool trace-cmd
guest trace-cmd 120 <"$TOP/dev/guest/trace-cmd"

# It needs one header that is newer than this machine's.
mkdir -p "$work/include/linux"
cp "$BUILD/linux/include/uapi/linux/trace_mmap.h" "$work/include/linux"
gcc -static -O2 -D_GNU_SOURCE -I "$work/include" -o "$tests/root/map_test" \
	"$BUILD/linux/tools/testing/selftests/ring-buffer/map_test.c" >"$work/cc" 2>&1
status=$?
sed 's/^/# /' "$work/cc"
tap $status "the base's map_test builds"
# Its other tests need triggers of trace events.
guest map 60 <<-'EOF'
/map_test -f map
EOF
