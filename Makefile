# SPDX-License-Identifier: GPL-2.0
#
# The driver of the project; never part of a kernel tree. Each target is a
# script in dev/.

# Text for the guest's shell, not for make.
ifdef CMD
override CMD := $(value CMD)
export CMD

# make run CMD=... ends with the status of CMD, where make can be told so. Several may run.
status := build/status.$(shell echo $$PPID)
-load build/status.so
$(status-from $(status))

build/status.so: dev/status.c
	@mkdir -p build
	-@gcc -shared -fPIC -O -o $@ $< 2>/dev/null
endif

MAKEFLAGS += --no-print-directory

help:
	@sed -n 's/^#: //p' $(MAKEFILE_LIST)

#: make run                      build what is out of date, boot it in QEMU, show tracing
#: make run CMD='...'            run a command line in the guest, print its output
#: make check [ONLY=pattern]     quick tests of everything; the last line says how many passed
#:                               ONLY=debug, 'x86_64/load:stress', '*:pid', style: a row
#:                               of dev/check/tests, and behind a colon a job, a selftest's
#:                               file or case (pid.fork*), KUnit's (kunit/ftrace_ops), or a
#:                               case of another job (rtla/rtla.*) or script (style.rooms)
#: make check-full               all tests; goes on where it ended
#: make check-configs            kernels of other configs, and our selftests on the stock one
#: make stress MINUTES=n         storms with random seeds, which SEED=n gives back, and KCSAN
#: make build [FRAGMENT=file] [O=dir]
#:                               kernel and modules: tree in build/linux, objects in
#:                               build/x86_64 or O; FRAGMENT is merged over the config
#: make apply TREE=dir           lay the series on a clean Linux 6.12.y tree
#: make series [TREE=dir]        the series as a git branch and as mails, in build/series or
#:                               on HEAD of the git tree dir
#: make import TREE=dir          take edits made in a laid tree back into the project
#: make check-series [MINUTES=n] build the tree after each patch; goes on where it ended
#: make deps                     install the Debian packages that are missing
#: make clean                    remove all that was built
#: make bench [ROWS=pattern]     what everything costs, beside the stock kernel
#: make help                     this text
#:
#: ARCH=arm64 builds and boots that, and has make check run the tests of it alone
#: JOBS=n builds with n jobs, and has n guests of make check at once
#: TIMEOUT=n is the seconds a CMD may take
#: AGAIN=1 has make check run what passed, though all it depends on is the same; CI=true does
#:   likewise
#: ACCEL=tcg,thread=multi has the CPUs of guests run in parallel, which they do not
#:   otherwise, and in real time

run:
	@mkdir -p build; dev/run.sh || { s=$$?; $(if $(.LOADED),echo $$s >$(status);) exit $$s; }

build check apply bench series import check-series:
	@dev/$@.sh

check-full check-configs:
	@LENGTH=$(@:check-%=%) dev/check.sh

stress:
	@LENGTH=stress dev/check.sh

deps:
	@dev/deps.sh all

clean:
	rm -rf build

.PHONY: help run build check check-full check-configs check-series stress apply deps clean bench series import
