#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs a compiler through ccache, if that is installed. In its depend mode a miss does not run
# the preprocessor, but ccache does not notice that a file includes another one by .incbin, as
# the compressed kernel and its config do: such files are always compiled.
# usage: cc.sh COMPILER ARGUMENT... [SOURCE]

for source; do :; done
case ${source:-} in
*.S | */configs.c | */kheaders.c) exec "$@" ;;
esac
command -v ccache >/dev/null || exec "$@"
export CCACHE_DEPEND=1
exec ccache "$@"
