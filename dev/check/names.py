#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the names of static functions, structures and files of kernel/trace.

usage: names.py TOP TREE CACHE

Prints a line for each fault of TOP/kernel/trace. TREE is a tree with the series; the names of its
functions outside tracing are kept in CACHE. Tests are left out.

The names of a source begin with one prefix: the name of the file, its last words, or the directory.
"""

import os
import re
import subprocess
import sys

# Sources with other prefixes, and why.
PREFIXES = {
	# A tracer has functions with its name
	'tracer/latency/irqsoff.c': ['irqsoff', 'preemptoff', 'preemptirqsoff'],
	# the structure that it creates
	'instance/tracer/instance_create.c': ['trace_array'],
	# The trace shows tracing_mark_write as the place where a marker was written
	'tracefs/trace_marker.c': ['trace_marker', 'tracing_mark'],
}

# Directories that are parts of the one above them, and have no name of their own.
PARTS = 'core', 'file'

# Structures that several files use have the name of the subsystem.
SHARED = re.compile(r'(trace|tracefs|ftrace|hist|buffer)_|(events|states)_w')


def ctags(folder, files, kinds):
	"""Yields name, file, kind, and whether it is static."""
	said = subprocess.run(['ctags', '--languages=C', '--langmap=C:.c.h', f'--kinds-C={kinds}',
			       # a list of these has no semicolons
			       '-I', 'BTF_ID+,BTF_ID_FLAGS+,BTF_SET_START+,BTF_SET_END+,'
			       'BTF_KFUNCS_START+,BTF_KFUNCS_END+',
			       '--fields=kSf', '--extras=+F', '-f', '-', '-L', '-'], cwd=folder,
			      input='\n'.join(files), check=True, stdout=subprocess.PIPE,
			      stderr=subprocess.DEVNULL, text=True).stdout
	for line in said.splitlines():
		name, path, rest = line.split('\t', 2)
		kind = re.search(r';"\t(\w)', rest)
		if kind and not name.startswith('__anon'):
			yield name, path, kind.group(1), '\tfile:' in rest


def sources(top, left_out=()):
	for folder, folders, names in os.walk(top):
		folders[:] = [f for f in folders if os.path.relpath(os.path.join(folder, f), top)
			      not in left_out]
		for name in names:
			if name.endswith(('.c', '.h')):
				yield os.path.relpath(os.path.join(folder, name), top)


def base_functions(tree, cache):
	"""Names of functions in the tree except functions of tracing and of programs."""
	if not os.path.exists(cache):
		left_out = ('kernel/trace', 'tools', 'samples', 'Documentation', 'scripts')
		names = {name for name, *_ in ctags(tree, sources(tree, left_out), 'f')}
		with open(cache, 'w') as f:
			f.write('\n'.join(sorted(names)))
	with open(cache) as f:
		return set(f.read().split())


def prefixes(path):
	if path in PREFIXES:
		return PREFIXES[path]
	*folders, name = path[:-len('.c')].split('/')
	words = name.split('_')
	folder = folders[-2 if folders[-1] in PARTS else -1]
	return (['_'.join(words[i:]) for i in range(len(words))] + [folder, f'{folders[0]}_{name}'])


def begins(name, prefix):
	return name == prefix or name.startswith(prefix + '_')


def faults(top, base):
	functions, structures, where = {}, {}, {}
	paths = [p for p in sources(top) if '/' in p and '_kunit' not in p and
		 not p.startswith('ftrace/test/')]
	for name, path, kind, static in ctags(top, paths, 'fsu'):
		if not path.endswith('.c'):
			continue
		if kind != 'f':
			structures.setdefault(path, set()).add(name)
		elif static:
			functions.setdefault(path, set()).add(name)
			where.setdefault(name, set()).add(path)

	for path in sorted(paths):
		names = functions.get(path, set())
		allowed = prefixes(path)
		if path in PREFIXES:
			wrong = {n for n in names if not any(begins(n, p) for p in allowed)}
		else:
			wrong = min(({n for n in names if not begins(n, p)} for p in allowed),
				    key=len)
		wrong |= {n for n in structures.get(path, set())
			  if not SHARED.match(n) and not any(begins(n, p) for p in allowed)}
		for name in sorted(wrong):
			yield f'{path}: {name} does not begin with {" or ".join(allowed)}'
		for name in sorted(names):
			if '_' not in name:
				yield f'{path}: {name}() is a single word'
			if name in base:
				yield f'{path}: {name}() is the name of a function elsewhere'
	for name in sorted(where):
		if len(where[name]) > 1:
			yield f'{name}() is in {" and ".join(sorted(where[name]))}'

	files = {}
	for path in paths:
		files.setdefault(os.path.basename(path), []).append(path)
	for name in sorted(files):
		# env.h has the dependencies of a directory.
		if len(files[name]) > 1 and name != 'env.h':
			yield f'{" and ".join(sorted(files[name]))} have one name'


if __name__ == '__main__':
	room = os.path.join(sys.argv[1], 'kernel/trace')
	for fault in faults(room, base_functions(sys.argv[2], sys.argv[3])):
		print(fault)
