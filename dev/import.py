#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Imports changes that were made in a tree with the series into the project.

usage: import.py TREE REPO COMMIT

TREE is compared with the base of the series: COMMIT of the git repository REPO, or, if TREE is
that repository and COMMIT has the series, the commit before it.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import series as patches  # noqa: E402
from series import TOP, Base, apply_edit, edit_path, edited_by, read  # noqa: E402

CONTEXT = 3


def write(path, text):
	os.makedirs(os.path.dirname(path), exist_ok=True)
	with open(path, 'wb') as f:
		f.write(text)


def base_of(repo, commit, subject):
	"""The base commit of the series, if the series is committed."""
	base = Base(repo, commit)
	found = base.git('log', '--format=%H %s', '-n', '1000', commit).decode().splitlines()
	for line in found:
		name, _, said = line.partition(' ')
		if said == subject:
			return base.git('rev-parse', f'{name}^').decode().strip()
	return commit


def changed_files(tree, base):
	"""The files that are added, changed or removed in TREE, compared with the base."""
	with tempfile.TemporaryDirectory() as work:
		env = dict(os.environ, GIT_INDEX_FILE=os.path.join(work, 'index'),
			   GIT_DIR=base.git('rev-parse', '--absolute-git-dir').decode().strip(),
			   GIT_WORK_TREE=os.path.abspath(tree))
		config = ['git', '-c', 'safe.directory=*', '-c', 'core.quotepath=off',
			  '-c', 'core.bare=false', '-c', 'core.filemode=false']

		def git(*words):
			return subprocess.run(config + list(words), check=True, env=env, cwd=tree,
					      stdout=subprocess.PIPE).stdout.decode()

		git('read-tree', base.commit)
		subprocess.run(config + ['update-index', '-q', '--refresh'], env=env, cwd=tree,
			       stdout=subprocess.DEVNULL)
		changed = git('diff-files', '--name-only', '-z').split('\0')
		added = git('ls-files', '-o', '--exclude-standard', '-z').split('\0')
	return sorted(f for f in changed if f), sorted(f for f in added if f)


class Edited:
	"""The states of a base file after each of the edits that touch it."""

	def __init__(self, base, path, names):
		self.path, self.names = path, names
		self.states = [base.file(path)[1]]
		with tempfile.TemporaryDirectory() as stage:
			write(os.path.join(stage, path), self.states[0])
			for name in names:
				self.apply(name, stage)
				self.states.append(read(os.path.join(stage, path)))

	def apply(self, name, stage):
		"""Applies an edit's changes of this file."""
		section = os.path.join(stage, 'section')
		write(section, (sections(name)[self.path]).encode())
		apply_edit(name, stage, section)

	def change(self, wanted):
		"""Makes the last state the wanted one.

		Each changed piece is added to the edit that last changed adjacent lines, or
		else to the last edit of this file.
		"""
		old = self.states[-1].splitlines(keepends=True)
		new = wanted.splitlines(keepends=True)
		for tag, i, j, k, m in reversed(
				difflib.SequenceMatcher(None, old, new, False).get_opcodes()):
			if tag != 'equal':
				self.change_piece(i, j, new[k:m])
		if self.states[-1] != wanted:
			self.states[-1] = wanted

	def change_piece(self, i, j, lines):
		last = self.states[-1].splitlines(keepends=True)
		theirs = b''.join(last[:i] + lines + last[j:])
		for n in self.candidates(i, j):
			merged = [self.merge(state, theirs) for state in self.states[n:-1]]
			if None not in merged:
				self.states[n:] = merged + [theirs]
				return
		self.states[-1] = theirs

	def candidates(self, i, j):
		"""Edits that changed lines adjacent to i..j of the last state, latest first."""
		last = self.states[-1].splitlines(keepends=True)
		for n in range(len(self.names), 0, -1):
			# the lines of the last state that edit n added
			before = self.states[n - 1].splitlines(keepends=True)
			after = self.states[n].splitlines(keepends=True)
			kept = {}
			for a, b, size in difflib.SequenceMatcher(
					None, after, last, False).get_matching_blocks():
				kept.update((a + x, b + x) for x in range(size))
			for tag, _, _, k, m in difflib.SequenceMatcher(
					None, before, after, False).get_opcodes():
				if tag == 'equal':
					continue
				places = [kept[x] for x in range(k - 1, m + 1) if x in kept]
				if any(i - CONTEXT <= p <= j + CONTEXT for p in places):
					yield n
					break

	def merge(self, state, theirs):
		"""Makes the change from the last state to @theirs in another state, or None."""
		with tempfile.TemporaryDirectory() as work:
			names = [os.path.join(work, x) for x in ('ours', 'base', 'theirs')]
			for name, text in zip(names, (state, self.states[-1], theirs)):
				write(name, text)
			said = subprocess.run(['git', 'merge-file', '-p', '-q', *names],
					      stdout=subprocess.PIPE)
		return said.stdout if said.returncode == 0 else None

	def diff(self, n):
		"""The changes of edit n in this file, as text."""
		with tempfile.TemporaryDirectory() as work:
			names = [os.path.join(work, x) for x in 'ab']
			for name, text in zip(names, self.states[n:n + 2]):
				write(name, text)
			said = subprocess.run(
				['diff', f'-U{CONTEXT}', '--label', f'a/{self.path}',
				 '--label', f'b/{self.path}', *names],
				stdout=subprocess.PIPE).stdout.decode()
		return said


def sections(name):
	"""The changes of an edit in each file, and under the key "" the text before them."""
	text = read(edit_path(name)).decode()
	parts = re.split(r'^(?=--- a/)', text, flags=re.M)
	found = {'': parts[0]}
	for part in parts[1:]:
		found[re.match(r'--- a/([^\t\n]+)', part).group(1)] = part
	return found


def main():
	tree, repo, commit = sys.argv[1:]
	said = patches.Series()
	base = Base(repo, commit)
	if said.patches:
		base.commit = base_of(repo, commit, said.patches[0].subject)

	ours, removed = set(said.files), said.all['remove']
	edits = {}
	for n in range(len(said.patches)):
		for name in said.brings[n]['edit']:
			for path in edited_by(name):
				edits.setdefault(path, []).append(name)

	changed, added = changed_files(tree, base)
	folders = {os.path.dirname(f) for f in ours}
	take, drop, regenerate, strange = [], [], [], []
	for path in changed + added:
		full = os.path.join(tree, path)
		if path in ours:
			if not os.path.exists(full):
				drop.append(path)
			elif read(full) != read(os.path.join(TOP, path)):
				take.append(path)
		elif any(path == r or path.startswith(r + '/') for r in removed):
			if os.path.exists(full):
				strange.append(f'{path}, which the series removes, is there')
		elif path in edits:
			if os.path.exists(full):
				regenerate.append(path)
			else:
				strange.append(f'{path} is missing')
		elif path in added and os.path.dirname(path) in folders:
			take.append(path)
		elif path in added:
			strange.append(f'{path} is new, in a folder that has no file of the series')
		else:
			strange.append(f'{path} has changed, and no edit is about it')
	drop += [path for path in ours
		 if not os.path.exists(os.path.join(tree, path)) and path not in drop]
	# An edit whose file is the same as in the base.
	regenerate += [path for path in edits if path not in changed]
	if strange:
		sys.exit('import: ' + '\nimport: '.join(strange[:20]) +
			 (f'\nand {len(strange) - 20} more' if len(strange) > 20 else ''))

	remade = {}
	for path in regenerate:
		wanted = read(os.path.join(tree, path))
		edited = Edited(base, path, edits[path])
		if edited.states[-1] == wanted:
			continue
		before = list(edited.states)
		edited.change(wanted)
		for n, name in enumerate(edited.names):
			if before[n:n + 2] != edited.states[n:n + 2]:
				remade.setdefault(name, {})[path] = edited.diff(n)

	for path in take:
		os.makedirs(os.path.dirname(os.path.join(TOP, path)), exist_ok=True)
		shutil.copy(os.path.join(tree, path), os.path.join(TOP, path))
		print(path)
	for path in drop:
		os.remove(os.path.join(TOP, path))
		print(f'{path} is gone')
	for name, new in remade.items():
		parts = {**sections(name), **new}
		write(edit_path(name), ''.join(parts.values()).encode())
		print(f'dev/edits/{name}.patch' + (
			'' if any(text for path, text in parts.items() if path) else
			' does nothing any more'))
	if not take and not drop and not remade:
		print('nothing has changed')


if __name__ == '__main__':
	main()
