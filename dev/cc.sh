#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs a compiler behind ccache, if that is there. In its depend mode a miss costs no run of
# the preprocessor, but it does not see that a file includes another one by .incbin, as the
# compressed kernel and its config are: what may do so is always compiled.
# usage: cc.sh COMPILER ARGUMENT... [SOURCE]

for source; do :; done
case ${source:-} in
*.S | */configs.c | */kheaders.c) exec "$@" ;;
esac
command -v ccache >/dev/null || exec "$@"
export CCACHE_DEPEND=1
exec ccache "$@"
