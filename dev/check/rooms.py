#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the size and the dependencies of the directories of kernel/trace, and architectures.

usage: rooms.py TOP TREE rooms|circles|paths|arch|index
       rooms.py TOP OBJECTS calls [NM]

Prints a line for each fault of TOP/kernel/trace. TREE is a tree with the series, for its headers,
and OBJECTS a built one, for the undefined symbols of its objects. A room is a directory. noun.c and
noun.h count as one file.
"""

import collections
import os
import re
import subprocess
import sys

# Directories; each may use the directories before it.
GENERIC = '''
	lib patch ftrace/entry ftrace/fgraph ftrace/ops ftrace/sites filter ring
	instance/core instance/record instance/snapshot instance/tracer
	event/core event/filter event/record event/control output tracefs
'''.split()

# Two independent stacks: neither uses the other.
LEG = GENERIC[1:GENERIC.index('ring')]

# Other features that each feature may use in addition.
FEATURES = {
	'probe/arg': '',
	'probe/core': 'probe/arg',
	'probe/kind': 'probe/arg probe/core',
	'synth': 'probe/arg probe/core',
	'user': 'probe/arg probe/core',
	'hist/core': 'synth',
	'hist/file': 'hist/core',
	'bpf/helper': '',
	'bpf/prog': 'bpf/helper probe/core probe/kind',
	'tracefs/event': 'probe/core probe/kind synth user hist/core hist/file',
	'tracer/selftest': '',
	'tracer/function': 'tracer/selftest',
	'tracer/graph': 'tracer/selftest tracer/function',
	'tracer/profile': 'tracer/graph',
	'tracer/latency': 'tracer/selftest tracer/graph',
	'tracer/osnoise': 'tracer/selftest',
	'tracer/blk': '',
	'tracer/branch': '',
	'tracer/mmiotrace': '',
	'tracer/stack': '',
	'tracefs/function': 'tracer/graph tracer/stack',
	'rv': '',
	'root': 'tracefs/event tracefs/function tracer/branch tracer/graph tracer/profile tracer/osnoise '
		'tracer/stack rv',
	'boot': 'probe/core probe/kind synth tracer/branch',
}

# Contains tracepoints, which any code calls.
EXEMPT = 'points'

# A room with more sources is hard to survey; KUnit tests do not count.
MOST_SOURCES = 15

# A tracepoint is in the object that has CREATE_TRACE_POINTS, and may be called anywhere.
TRACEPOINT = re.compile(r'__(tracepoint|traceiter|SC[KT]__tp_func)_')

# Instructions, registers and entries of one architecture.
WORDS = re.compile(r'\b(x86\w*|arm64\w*|aarch64\w*|int3\w*|nop5|endbr\w*|retpolines?|'
		   r'config_x86\w*|config_arm64\w*|paravirt\w*|'
		   r'text_poke\w*|call_insn\w*|jmp\d*|bl_insn\w*|__fentry__|adrp|'
		   r'pt_regs->\w+|[re]([abcd]x|[sb]p|ip))\b', re.I)


def sources(top):
	for folder, _, names in os.walk(top):
		for name in sorted(names):
			if name.endswith(('.c', '.h', '.S')):
				path = os.path.join(folder, name)
				with open(path, errors='replace') as f:
					yield os.path.relpath(path, top), f.read()


def includes(top):
	"""Yields pairs of our files; the first one includes the second."""
	for path, text in sources(top):
		for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
			beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
			for found in (beside, name):
				if os.path.exists(os.path.join(top, found)):
					yield path, found
					break


def may_know(room, other):
	if room == other or EXEMPT in (room, other):
		return True
	if room in FEATURES:
		return other in GENERIC or other in FEATURES[room].split()
	if room == 'ring':
		return other == 'lib'
	return (room in GENERIC and other in GENERIC[:GENERIC.index(room)] and
		not (room in LEG and other == 'ring'))


def is_forbidden(path, other):
	"""Must path, which is not a test, not use other? Files outside all rooms are the base's."""
	a, b = os.path.dirname(path), os.path.dirname(other)
	return a and b and '_kunit' not in path and 'ftrace/test' != a and not may_know(a, b)


def rooms(top):
	for path, included in includes(top):
		if is_forbidden(path, included):
			yield f'{path} includes {included}'
	count = collections.Counter(os.path.dirname(path) for path, _ in sources(top)
				    if path.endswith('.c') and '_kunit' not in path)
	for room, number in count.items():
		if number > MOST_SOURCES:
			yield f'{room} has {number} sources, more than {MOST_SOURCES}'


def calls(top, objects, nm):
	"""Symbols that objects use from other objects. There may be objects of removed sources."""
	defined, undefined = {}, []
	for path, _ in sources(top):
		noun, suffix = os.path.splitext(path)
		built = os.path.join(objects, noun + '.o')
		if suffix != '.c' or not os.path.exists(built):
			continue
		said = subprocess.run([nm, built], check=True, stdout=subprocess.PIPE,
				      text=True).stdout
		for kind, symbol in re.findall(r'(\S) (\S+)$', said, re.M):
			if kind in 'Uw':
				undefined.append((path, symbol))
			elif kind.isupper():
				defined[symbol] = path
	for path, symbol in undefined:
		other = defined.get(symbol)
		if other and is_forbidden(path, other) and not TRACEPOINT.match(symbol):
			yield f'{path} needs {symbol} of {other}'
	if not undefined:
		yield f'{objects} has no objects'


def circles(top):
	"""Includes between nouns that are part of a cycle, whatever its length."""
	arrows = {}
	for pair in includes(top):
		a, b = (os.path.splitext(p)[0] for p in pair)
		if a != b:
			arrows.setdefault(a, set()).add(b)

	def reached(start):
		seen, todo = set(), [start]
		while todo:
			for b in arrows.get(todo.pop(), ()):
				if b not in seen:
					seen.add(b)
					todo.append(b)
		return seen

	reach = {a: reached(a) for a in arrows}
	for a in sorted(arrows):
		for b in sorted(arrows[a]):
			if a in reach.get(b, ()):
				yield f'{a} -> {b}'


def paths(top):
	for path, text in sources(top):
		if re.search(r'^\s*#\s*include\s*"\.\./', text, re.M):
			yield f'{path} includes by ../'


def arch(top, tree):
	def everywhere(header):
		"""Does a header <asm/...> exist on each architecture?"""
		return os.path.exists(f'{tree}/include/asm-generic/{header}') or all(
			os.path.exists(f'{tree}/arch/{a}/include/asm/{header}') or
			os.path.exists(f'{tree}/arch/{a}/include/uapi/asm/{header}')
			for a in ('x86', 'arm64'))

	for path, text in sources(top):
		if path in ('rethook.c', 'fprobe.c'):
			continue
		for header in re.findall(r'^\s*#\s*include\s*<asm/([^>]+)>', text, re.M):
			if not everywhere(header):
				yield f'{path} includes <asm/{header}>'
		for word in sorted({m.group(1).lower() for m in WORDS.finditer(text)}):
			yield f'{path} says {word}'


def index(top):
	"""Nouns that the index of ftrace-design.rst lacks, and nouns that no longer exist."""
	with open(os.path.join(top, '../../Documentation/trace/ftrace-design.rst')) as f:
		text = re.split(r'\n\S+\n={3,}\n', f.read().split('Index of files\n===')[1])[0]
	room, listed = None, set()
	for line in text.splitlines():
		said = re.match(r'``([\w/]+)/``: ', line)
		if said:
			room, inside = said.group(1), False
		elif re.match(r'=+ +=+$', line):
			inside, width = not inside, line.index(' ')
		elif room and inside:
			listed.update(f'{room}/{noun}' for noun in re.findall(r'\w+', line[:width]))
	there = {os.path.splitext(path)[0] for path, _ in sources(top)
		 if '/' in path and not re.search(r'_kunit\.c$|/kunit_', path)}
	for noun in sorted(there - listed):
		yield f'the index of ftrace-design.rst lacks {noun}'
	for noun in sorted(listed - there):
		yield f'the index of ftrace-design.rst has {noun}, which is no file'


if __name__ == '__main__':
	room = os.path.join(sys.argv[1], 'kernel/trace')
	rule = sys.argv[3]
	if rule == 'arch':
		found = arch(room, sys.argv[2])
	elif rule == 'calls':
		found = calls(room, os.path.join(sys.argv[2], 'kernel/trace'), (sys.argv + ['nm'])[4])
	else:
		found = globals()[rule](room)
	for fault in found:
		print(fault)
