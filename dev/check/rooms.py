#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the rooms of kernel/trace may know of each other, and of architectures.

usage: rooms.py TOP TREE rooms|circles|paths|arch|index

Prints a line for each fault of TOP/kernel/trace. TREE is a laid tree, for its headers. noun.c
and noun.h count as one file.
"""

import os
import re
import sys

# The rooms that each room may include. ring and the other rooms below instance are two legs that
# do not include each other, and neither do event and tracer.
BEFORE = {
	'lib': '',
	'patch': 'lib',
	'hook': 'lib patch',
	'filter': 'lib patch hook',
	'ring': 'lib',
	'instance': 'lib patch hook filter ring',
	'event': 'lib patch hook filter ring instance',
	'probe': 'lib patch hook filter ring instance event',
	'hist': 'lib patch hook filter ring instance event probe',
	'bpf': 'lib patch hook filter ring instance event probe',
	'tracer': 'lib patch hook filter ring instance',
	'rv': 'lib',
	'output': 'lib patch hook filter ring instance event tracer',
	'tracefs': 'lib patch hook filter ring instance event probe hist tracer output rv',
}

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
	"""Yields pairs of our files, the first of which includes the second."""
	for path, text in sources(top):
		for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M):
			beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
			for found in (beside, name):
				if os.path.exists(os.path.join(top, found)):
					yield path, found
					break


def rooms(top):
	for path, included in includes(top):
		a, b = path.split('/')[0], included.split('/')[0]
		if a != b and '/' in path and b not in BEFORE.get(a, '').split():
			yield f'{path} includes {included}'


def circles(top):
	"""Arrows between nouns that are part of a circle, whatever its length."""
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
		"""Whether a header <asm/...> is there on each architecture."""
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
	"""Nouns that the index of ftrace-design.rst lacks, and those that are no more."""
	with open(os.path.join(top, '../../Documentation/trace/ftrace-design.rst')) as f:
		text = f.read().split('Index of files')[1]
	width = len(re.search(r'^=+ ', text, re.M).group())
	room, listed = None, set()
	for line in re.split(r'^=+ +=+$', text, maxsplit=2, flags=re.M)[1].splitlines():
		for word in re.findall(r'[\w/]+', line[:width]):
			slash = word.rpartition('/')
			room = slash[0] or room
			listed.add(f'{room}/{slash[2]}')
	there = {os.path.splitext(path)[0] for path, _ in sources(top)
		 if '/' in path and not re.search(r'_kunit\.c$|/kunit_', path)}
	for noun in sorted(there - listed):
		yield f'the index of ftrace-design.rst lacks {noun}'
	for noun in sorted(listed - there):
		yield f'the index of ftrace-design.rst has {noun}, which is no file'


if __name__ == '__main__':
	room = os.path.join(sys.argv[1], 'kernel/trace')
	rule = sys.argv[3]
	found = arch(room, sys.argv[2]) if rule == 'arch' else globals()[rule](room)
	print('\n'.join(found))
