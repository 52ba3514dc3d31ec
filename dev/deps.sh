#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Installs the missing Debian packages of dev/deps: of one group and of the target architecture,
# or all except "pages" and "archs".
# usage: deps.sh run|check|series|pages|archs|all

. "$(dirname "$0")/lib.sh"

group=${1:-all}
wanted=$(awk -v g="$group" -v a="$arch" '!/^#/ && ((g == "all" && $1 !~ /^(pages|archs)$/) || $1 == g || $1 == a) {
	for (i = 2; i <= NF; i++) print $i }' "$TOP/dev/deps")

missing=
for p in $wanted; do
	case $(dpkg-query -W -f '${Status}' "$p" 2>/dev/null || :) in
	'install ok installed') ;;
	*) missing="$missing $p" ;;
	esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	as_root=
elif sudo -n true 2>/dev/null || { [ -t 0 ] && command -v sudo >/dev/null; }; then
	as_root=sudo
else
	echo "packages are missing; install them with:" >&2
	echo "apt-get install --no-install-recommends$missing" >&2
	exit 2
fi

stage "installing$missing"
apt_get="$as_root env DEBIAN_FRONTEND=noninteractive apt-get"
log=$BUILD/log/deps
mkdir -p "$BUILD/log"
# shellcheck disable=SC2086 # words on purpose
if ! { $apt_get update &&
       $apt_get install -y --no-install-recommends $missing; } \
     >"$log" 2>&1 </dev/null; then
	tail -n 15 "$log" >&2
	echo "apt-get failed, all of its output is in $log; by hand:" >&2
	echo "apt-get install --no-install-recommends$missing" >&2
	exit 2
fi
