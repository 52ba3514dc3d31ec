#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Modules that are loaded and unloaded while they are traced.
# shellcheck source=functions.sh

. "$(dirname "$0")/functions.sh"

TARGETS='ftest_one ftest_two ftest_three ftest_caller'

module_functions()
{
	grep '\[ftest_target\]' available_filter_functions | cut -d ' ' -f 1
}

listed()
{
	total=$(cut -d ' ' -f 1 dyn_ftrace_total_info)
	need_module ftest_target
	for name in $TARGETS; do
		expect_true "$name is there" grep -qx "$name \[ftest_target\]" \
			    available_filter_functions
	done
	expect_true "the functions of init are removed" sh -c \
		    "! grep -qw ftest_target_init available_filter_functions"
	expect "$(cut -d ' ' -f 1 dyn_ftrace_total_info)" \
	       $((total + $(module_functions | wc -l))) "number of functions"
	drop_module ftest_target
	expect "$(module_functions)" '' "functions of an unloaded module"
	expect "$(cut -d ' ' -f 1 dyn_ftrace_total_info)" "$total" "number of functions"
}

# The overridden weak function has a call site, but no name, so that a list of names would not
# show it.
weak()
{
	total=$(cut -d ' ' -f 1 dyn_ftrace_total_info)
	need_module ftest_weak
	expect "$(grep '\[ftest_weak\]' available_filter_functions)" 'ftest_weak [ftest_weak]' \
	       "functions of the module"
	expect "$(cut -d ' ' -f 1 dyn_ftrace_total_info)" $((total + 1)) "number of functions"
	drop_module ftest_weak
}

filtered()
{
	need_module ftest_target
	put 'ftest_*' set_ftrace_filter
	# shellcheck disable=SC2046
	expect "$(cut -d ' ' -f 1 set_ftrace_filter | sort | tr '\n' ' ')" \
	       "$(echo $(echo "$TARGETS" | tr ' ' '\n' | sort)) " "functions of the module"
	put function current_tracer
	call_targets 3
	put 0 tracing_on
	expect_targets 3
}

by_module()
{
	need_module ftest_target
	put ':mod:ftest_target' set_ftrace_filter
	expect "$(cut -d ' ' -f 1 set_ftrace_filter | sort)" "$(module_functions | sort)" \
	       "functions of the module"
	put 'ftest_*:mod:ftest_target' set_ftrace_filter
	expect "$(wc -l < set_ftrace_filter)" 4 "some functions of the module"
	put_more '!*_one:mod:ftest_target' set_ftrace_filter
	expect "$(wc -l < set_ftrace_filter)" 3 "less one"
}

by_source()
{
	need_module ftest_target
	source=$(grep ' ftest_one \[ftest_target\]$' available_filter_functions_sources |
		 cut -d ' ' -f 1)
	expect_true "source of ftest_one: $source" [ "${source%/ftest_target.o}" != "$source" ]
	put ':src:*/ftest_target.c' set_ftrace_filter
	expect "$(cut -d ' ' -f 1 set_ftrace_filter | sort)" "$(module_functions | sort)" \
	       "functions of the source"
	put "ftest_one:src:$source" set_ftrace_filter
	expect_file set_ftrace_filter 'ftest_one [ftest_target]'
	expect_write EINVAL w set_ftrace_filter 'ftest_one:mod:!*:src:*/ftest_target.c\n'
}

# A pattern for a module that is not loaded is pending, and matches no function.
word_waits()
{
	put 'ftest_*:mod:ftest_target' set_ftrace_filter
	expect_file set_ftrace_filter 'ftest_*:mod:ftest_target'
	put function current_tracer
	expect_file enabled_functions ''
	put_more vfs_open set_ftrace_filter
	expect_lines set_ftrace_filter vfs_open 'ftest_*:mod:ftest_target'
	put_more '!vfs_open' set_ftrace_filter
	expect_file set_ftrace_filter 'ftest_*:mod:ftest_target'
	expect_file enabled_functions ''
	put_more '!ftest_*:mod:ftest_target' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put ':mod:ftest_target' set_ftrace_filter
	expect_true "a pattern without a name is pending: $(cat set_ftrace_filter)" \
		    grep -Eqx '[*]?:mod:ftest_target' set_ftrace_filter
	put '' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put nop current_tracer
}

# `!' with patterns that are not pending, and with functions that do not exist
nothing_to_take_away()
{
	for bytes in '!:mod:ftest_target\n' '!*:mod:ftest_target\n' '!ftest_one:mod:ftest_*\n' \
		     '!ftest_one:mod:ftest_target:src:*\n'; do
		expect_write EINVAL w set_ftrace_filter "$bytes"
		expect_write EINVAL wa set_ftrace_notrace "$bytes"
	done
	put 'ftest_one:mod:ftest_other' set_ftrace_filter
	expect_write EINVAL wa set_ftrace_filter '!:mod:ftest_target\n'
	expect_file set_ftrace_filter 'ftest_one:mod:ftest_other'
}

# A glob applies to all patterns whose module matches.
taken_away_by_glob()
{
	put 'ftest_one:mod:ftest_other' set_ftrace_filter
	expect_write EINVAL wa set_ftrace_filter 'vfs_read !:mod:ftest_target\n'
	expect_file set_ftrace_filter 'ftest_one:mod:ftest_other'
	expect_write 17 wa set_ftrace_filter '!:mod:ftest_oth*\n'
	expect_file set_ftrace_filter "$EMPTY_FILTER"
	put ':mod:ftest_target' set_ftrace_filter
	expect_file set_ftrace_filter '*:mod:ftest_target'
	put_more '!:mod:ftest_*' set_ftrace_filter
	expect_file set_ftrace_filter "$EMPTY_FILTER"
}

# A name was written while the module was loaded; before the file is closed, the module is
# unloaded and loaded again: the named function no longer exists.
goes_before_close()
{
	need_module ftest_target
	exec 3> set_ftrace_filter
	echo 'ftest_one ftest_two' >&3 || fail "cannot write the names"
	drop_module ftest_target
	need_module ftest_target
	exec 3>&-
	expect_file set_ftrace_filter ''
	put function current_tracer
	expect_file enabled_functions ''
	put nop current_tracer
}

# A filter of an instance without a tracer: functions that are later loaded at the same
# addresses do not match it.
goes_from_instance()
{
	[ -d instances ] || skip "no instances here"
	in_instance
	for file in set_ftrace_filter set_ftrace_notrace; do
		need_module ftest_target
		put ':mod:ftest_target' $file
		expect_true "functions" grep -q '^ftest_one \[ftest_target\]$' $file
		drop_module ftest_target
		expect_file $file ''
		need_module ftest_target
		expect_file $file ''
		drop_module ftest_target
		need_module ftest_same
		expect_file $file ''
		drop_module ftest_same
	done
}

# The name of each call site is the name of the closest symbol below it.
names_by_address()
{
	need_module ftest_target
	{
		sed -n 's/^\([0-9a-f]*\) . \([^\t]*\)\t\[ftest_target\]$/\1 symbol \2/p' \
		    /proc/kallsyms
		sed -n 's/^\([0-9a-f]*\) \(.*\) \[ftest_target\]$/\1 ~site \2/p' \
		    available_filter_functions_addrs
	} | LC_ALL=C sort | awk '
		$2 == "symbol" && $1 != at { at = $1; name = "" }
		$2 == "symbol" { name = name " " $3 " " }
		$2 == "~site" { sites++ }
		$2 == "~site" && !index(name, " " $3 " ") { print "site of " $3 ":" name }
		END { print sites + 0 }' > "$SCRATCH/named"
	expect_file "$SCRATCH/named" "$(module_functions | wc -l)"
}

# A pending pattern takes effect before the first function of the module runs.
word_takes_effect()
{
	put '*:mod:ftest_target' set_ftrace_filter
	put function current_tracer
	need_module ftest_target
	expect_false "a pattern is still pending" grep -q :mod: set_ftrace_filter
	call_targets 2
	expect_true "the init function is traced" grep -q ': ftest_target_init <-' trace
	expect_true "ftest_one is traced" grep -q ': ftest_one <-ftest_caller' trace
	put nop current_tracer
}

# It takes effect each time; and negated patterns can also be pending.
words_stay()
{
	put '*:mod:ftest_target' set_ftrace_filter
	put_more '!*_two:mod:ftest_target' set_ftrace_filter
	put function current_tracer
	for _ in 1 2; do
		: > trace
		need_module ftest_target
		expect_false "a pattern is still pending" grep -q :mod: set_ftrace_filter
		call_targets 2
		expect_true "the init function is traced" grep -q ': ftest_target_init <-' trace
		expect_true "ftest_one is traced" grep -q ': ftest_one <-ftest_caller' trace
		expect "$(events | grep -c ': ftest_two <-')" 0 "calls of ftest_two"
		expect "$(grep -c ftest_two set_ftrace_filter)" 0 "ftest_two in the filter"
		drop_module ftest_target
		expect "$(cat set_ftrace_filter)" \
		       "$(printf '*:mod:ftest_target\n!*_two:mod:ftest_target')" \
		       "pending patterns after the module is unloaded"
		expect_file enabled_functions ''
	done
	put nop current_tracer
}

# notrace_waits PATTERN [SHOWN]: a pattern for set_ftrace_notrace, and how it is shown
notrace_waits()
{
	put "$1" set_ftrace_notrace
	expect_true "the pattern is pending" grep -qxF "${2:-$1}" set_ftrace_notrace
	put 'ftest_*:mod:ftest_target' set_ftrace_filter
	put function current_tracer
	need_module ftest_target
	call_targets 2
	expect "$(cut -d ' ' -f 1 enabled_functions | sort | tr '\n' ' ')" \
	       'ftest_caller ftest_one ' "functions enabled"
	expect_false "the init function is traced" grep -q ': ftest_target_init <-' trace
	put nop current_tracer
	put '' set_ftrace_notrace
	expect_file set_ftrace_notrace "$EMPTY_NOTRACE"
}

words_of_notrace()
{
	notrace_waits 'ftest_t*:mod:ftest_target'
}

words_with_globs()
{
	notrace_waits 'ftest_t*:mod:ftest_*:src:*/ftest_target.c' \
		      'ftest_t*:mod:ftest_*:src:*/ftest_target.o'
	# A negated module name is not a module to wait for
	expect_write EINVAL w set_ftrace_filter 'no_such:mod:!ftest_target\n'
}

# Each instance has its own set of functions.
beside_many()
{
	[ -d instances ] || skip "no instances here"
	at_end 'rmdir instances/many*'
	for i in $(seq 30); do
		mkdir "instances/many$i"
		put 'ftest_two:mod:ftest_target' "instances/many$i/set_ftrace_filter"
		put function "instances/many$i/current_tracer"
	done
	need_module ftest_target
	expect "$(sed 's/).*/)/' enabled_functions)" 'ftest_two [ftest_target] (30)' \
		"functions and users"
	call_targets 1
	expect "$(grep -l ': ftest_two <-' instances/many*/trace | wc -l)" 30 \
	       "instances that trace a call"
}

words_race()
{
	put function current_tracer
	in_background sh -c 'while :; do
		echo "ftest_*:mod:ftest_target !ftest_two:mod:ftest_*"
		echo ":mod:ftest_t*:src:*" >> set_ftrace_notrace
		echo > set_ftrace_notrace
	done > set_ftrace_filter 2> /dev/null'
	in_background sh -c 'while :; do
		echo "*:mod:ftest_target" > set_ftrace_filter
		cat set_ftrace_filter available_filter_functions_sources
		echo "!*:mod:ftest_target" >> set_ftrace_filter
	done > /dev/null 2>&1'
	for _ in 1 2 3; do
		need_module ftest_target
		call_targets 1
		drop_module ftest_target
	done
	end_all_background
	put '' set_ftrace_notrace
	put 'ftest_one:mod:ftest_target' set_ftrace_filter
	need_module ftest_target
	expect "$(cut -d ' ' -f 1 enabled_functions)" ftest_one "functions enabled"
	put nop current_tracer
}

load_traced()
{
	put 8000 buffer_size_kb
	put '*lock* *rcu*' set_ftrace_notrace
	put function current_tracer
	need_module ftest_target
	call_targets 2
	put 0 tracing_on
	cat trace > "$SCRATCH/trace"
	put nop current_tracer
	expect_true "init was traced" grep -q ': ftest_target_init <-' "$SCRATCH/trace"
	expect "$(grep -c ': ftest_one <-ftest_caller' "$SCRATCH/trace")" 3 "calls of ftest_one"
	expect_file enabled_functions ''
}

unload_traced()
{
	need_module ftest_target
	put function current_tracer
	call_targets 2
	expect_true "rmmod" rmmod ftest_target
	expect "$(grep -c '\[ftest_target\]' enabled_functions)" 0 "its functions enabled"
	need_module ftest_target
	expect "$(grep -c '\[ftest_target\]' enabled_functions)" "$(module_functions | wc -l)" \
	       "functions enabled after it is loaded again"
	put nop current_tracer
	expect_file enabled_functions ''
}

# A filter that becomes empty because a module is unloaded must not match all functions.
unload_filtered()
{
	need_module ftest_target
	put 'ftest_one ftest_two' set_ftrace_filter
	put function current_tracer
	put 2 "$(param ftest_target threads)"
	expect_true "rmmod" rmmod ftest_target
	expect_file enabled_functions ''
	expect "$(grep -c '\[ftest' set_ftrace_filter)" 0 "names of an unloaded module"
	: > trace
	read_something
	put 0 tracing_on
	expect "$(nr_events)" 0 "entries with nothing left to trace"
	put 1 tracing_on
	put_more vfs_open set_ftrace_filter
	expect "$(cut -d ' ' -f 1 enabled_functions)" vfs_open "enabled"
}

# Functions of an unloaded module are shown as numbers.
read_after_unload()
{
	need_module ftest_target
	put 'ftest_*' set_ftrace_filter
	put function current_tracer
	call_targets 3
	put 0 tracing_on
	before=$(nr_events)
	drop_module ftest_target
	expect "$(nr_events)" "$before" "entries after the module was unloaded"
}

again_and_again()
{
	load_start
	put function current_tracer
	for _ in 1 2 3; do
		need_module ftest_target threads=2
		sleep 0.1
		drop_module ftest_target
	done
	put nop current_tracer
	load_stop
	expect_false "the module is loaded" module_loaded ftest_target
	expect_file enabled_functions ''
}

slowcase listed "functions of a module are available while it is loaded"
testcase weak "an overridden weak function is left out"
testcase filtered "functions of a module can be in a filter"
testcase by_module "a pattern with :mod: selects functions of a module"
testcase by_source "a pattern with :src: selects functions of a module"
testcase word_waits "a pattern for a module that is not loaded is pending"
testcase nothing_to_take_away "a negated pattern without a matching pending pattern is rejected"
testcase taken_away_by_glob "a negated glob removes pending patterns"
testcase word_takes_effect "a pending pattern takes effect when the module is loaded"
testcase words_stay "pending patterns take effect each time that the module is loaded"
testcase words_of_notrace "patterns in set_ftrace_notrace can also be pending"
testcase words_with_globs "patterns with a module glob, or with a source, can also be pending"
slowcase beside_many "a module that is loaded while there are many users is traced by each"
slowcase words_race "patterns can change while their module is loaded and unloaded"
slowcase load_traced "a module loaded while everything is traced is traced with its init function"
slowcase unload_traced "a module can be unloaded while all functions are traced"
testcase unload_filtered "unloading the only module in the filter leaves nothing traced"
testcase read_after_unload "a trace of unloaded functions can be read"
testcase goes_before_close "functions that are unloaded before the filter takes effect are left out"
testcase goes_from_instance "functions of an unloaded module leave the filter of an instance"
testcase names_by_address "functions of a module have the names of their symbols"
slowcase again_and_again "a module can be loaded and unloaded under load"
finish
