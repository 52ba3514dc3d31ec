# SPDX-License-Identifier: GPL-2.0
# What the scripts of dev/check share: TAP from shell.
# shellcheck shell=sh

. "$(dirname "$0")/../lib.sh"

mkdir -p "$BUILD/check"
tap_nr=0
tap_plan() {
	echo "TAP version 13"
	echo "1..$1"
}

# tap STATUS NAME: one result
tap() {
	tap_nr=$((tap_nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_nr $2"
	else
		echo "not ok $tap_nr $2"
	fi
}

# nested: indents the TAP of a test that has tests of its own
nested() {
	sed 's/^/  /'
}
