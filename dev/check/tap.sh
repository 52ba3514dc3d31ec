# SPDX-License-Identifier: GPL-2.0
# Functions that the scripts of dev/check share: KTAP, by the helpers of the base's kselftests.
# shellcheck shell=sh

. "$(dirname "$0")/../lib.sh"
# shellcheck source=/dev/null
. "$BUILD/linux/tools/testing/selftests/kselftest/ktap_helpers.sh"

mkdir -p "$BUILD/check"

# A signal ends a script as an error does, so that it removes its temporary files.
trap 'exit 1' INT TERM

# tap_plan NUMBER [STRING]: the number of results; plus one if STRING is not empty
tap_plan() {
	ktap_print_header
	ktap_set_plan $(($1 + ${2:+1} + 0))
}

# tap STATUS ID: one result; an ID is stable, and a comment explains it
tap() {
	if [ "$1" = 0 ]; then
		ktap_test_pass "$2"
	else
		ktap_test_fail "$2"
	fi
}
