#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Compiles the files of the base that define tracepoints, about 300, with all options on: our
# headers must expand each event of the tree without a warning.

. "$(dirname "$0")/tap.sh"

export linux=$BUILD/linux
out=$BUILD/tracepoints
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Files that x86_64 does not compile, or not as they are: ext.c is part of another file.
cat >"$work/elsewhere" <<'END'
drivers/base/arch_topology.o
drivers/gpu/drm/amd/display/amdgpu_dm/amdgpu_dm.o
drivers/misc/cxl/trace.o
drivers/misc/ocxl/trace.o
drivers/net/ethernet/sun/sunvnet_common.o
drivers/net/wireless/intel/iwlwifi/mei/trace.o
drivers/tee/optee/smc_abi.o
kernel/sched/ext.o
sound/soc/intel/common/sst-dsp.o
END

# objects: prints the objects of those files
objects() {
	(cd "$linux" && grep -rl --include='*.c' '^#[[:space:]]*define CREATE_TRACE_POINTS' \
		arch/x86 block crypto drivers fs include init io_uring ipc kernel lib mm net \
		security sound virt) |
		sed 's/\.c$/.o/' | grep -v '^drivers/s390/' | grep -vxF -f "$work/elsewhere" | sort
}

# configured: no kernel is linked, so debug information and instrumentation are left out
configured() {
	kernel_make "$out" allyesconfig &&
		"$linux/scripts/config" --file "$out/.config" -d WERROR -d KASAN -d KCSAN \
			-d UBSAN -d GCOV_KERNEL -d DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT \
			-e DEBUG_INFO_NONE &&
		kernel_make "$out" olddefconfig && kernel_make "$out" modules_prepare
}

check_arch
mkdir -p "$out"
set +e
tap_plan 2
configured >"$work/said" 2>&1 </dev/null
status=$?
[ $status = 0 ] || tail -n 20 "$work/said" | sed 's/^/# /'
tap $status "configured"

objects >"$work/objects"
echo "# $(wc -l <"$work/objects") files"
# Files that are up to date do not warn again
(cd "$out" && xargs rm -f) <"$work/objects"
# shellcheck disable=SC2046 # words
kernel_make "$out" -k $(cat "$work/objects") >"$work/said" 2>&1 </dev/null &&
	! grep 'warning:' "$work/said" >"$work/found" && [ "$(wc -l <"$work/objects")" -gt 250 ]
status=$?
[ $status = 0 ] || grep -E 'error:|warning:|\*\*\*' "$work/said" | head -n 20 | sed 's/^/# /'
tap $status "compiled"
ktap_finished
