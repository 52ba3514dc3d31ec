#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The default kernel on CPUs that need retpolines, return thunks and call depth
# accounting: code that the tracer generates has to have them too.

. "$(dirname "$0")/kernel.sh"
set +e

# mitigated NAME CPU APPEND WORDS: the kernel says WORDS of its return thunks
mitigated() {
	CPU=$2 kernel_kselftest "$1" 300 "
		grep -r -e '$4' /sys/devices/system/cpu/vulnerabilities/retbleed &&
		grep Retpolines /sys/devices/system/cpu/vulnerabilities/spectre_v2 &&
		cat /sys/kernel/debug/kunit/ftrace_*/results &&
		sh run.sh ops" "spectre_v2=retpoline kunit.enable=1 $3"
}

tap_plan 2
kernel x86_64
mitigated thunks EPYC "retbleed=unret spec_rstack_overflow=off" "untrained return thunk"
mitigated depth Skylake-Server "retbleed=stuff" "Stuffing"
