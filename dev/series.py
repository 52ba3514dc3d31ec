#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The series, patch by patch: the claims of dev/series, and the state of the tree after each.

usage: series.py check                       print the errors of dev/series, a line each
       series.py list                        print number, name and subject of each patch
       series.py branch REPO BASE BRANCH     commit the series to a branch of a git repo
       series.py mails REPO BASE BRANCH DIR  write mails and a cover letter for it

dev/series/README describes the files that this reads.
"""

import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import textwrap

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SERIES = os.path.join(TOP, 'dev/series')
EDITS = os.path.join(TOP, 'dev/edits')
COVERED = os.path.join(TOP, 'build/covered')
COVER = '0000-cover'
WIDTH = 75


def run(*command, **options):
	return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


def read(path):
	with open(path, 'rb') as f:
		return f.read()


def lines_of(path):
	return read(path).decode().splitlines()


def our_files():
	"""The files of this project that belong in a kernel tree, as the driver sees it."""
	said = run('sh', '-c', 'TOP=$1; . "$TOP/dev/lay.sh"; our_files', 'sh', TOP)
	return sorted(said.decode().split())


def removed_files():
	return [f.rstrip('/') for f in lines_of(os.path.join(TOP, 'dev/removed'))]


def edits():
	return sorted(f[:-len('.patch')] for f in os.listdir(EDITS) if f.endswith('.patch'))


def edit_path(name):
	return os.path.join(EDITS, name + '.patch')


def message_of(text):
	"""Splits the text before the line "---" into subject and body."""
	subject, _, body = text.partition('\n')
	return subject.strip(), body.strip('\n')


class Patch:
	"""A file of dev/series.

	claims has a list of patterns for each kind of claim: "path", "config", "edit" and
	"remove". milestones are the names of configs that the tree must build with after this
	patch, in addition to the smallest one.
	"""

	def __init__(self, name):
		self.name = name
		head, _, tail = read(os.path.join(SERIES, name)).decode().partition('---\n')
		self.subject, self.body = message_of(head)
		self.claims = {'path': [], 'config': [], 'edit': [], 'remove': []}
		self.milestones = []
		for line in tail.splitlines():
			words = line.split()
			if not words or words[0].startswith('#'):
				continue
			if words[0] in ('config', 'edit', 'remove'):
				self.claims[words[0]] += words[1:]
			elif words[0] == 'builds':
				self.milestones += words[1:]
			else:
				self.claims['path'] += words
		# A patch without a message has the message of its edit.
		if not self.subject and self.claims['edit']:
			path = edit_path(self.claims['edit'][0])
			if os.path.exists(path):
				self.subject, self.body = message_of(
					read(path).decode().partition('---\n')[0])

	def message(self):
		return f'{self.subject}\n\n{self.body}\n'


def symbols(kconfig):
	return re.findall(r'^(?:menu)?config (\w+)$', kconfig, re.M)


class Series:
	def __init__(self):
		self.patches = [Patch(n) for n in sorted(os.listdir(SERIES))
				if re.match(r'\d{4}-', n) and n != COVER]
		self.files = our_files()
		self.all = {
			'path': self.files,
			'config': sorted({s for f in self.files
					  if os.path.basename(f) == 'Kconfig'
					  for s in symbols(self.ours(f).decode())}),
			'edit': edits(),
			'remove': removed_files(),
		}
		# the things that each patch adds, and the patch that adds each thing
		self.brings = [{kind: [] for kind in self.all} for _ in self.patches]
		self.when = {kind: {} for kind in self.all}
		self.faults = []
		self.resolve()

	@staticmethod
	def ours(path):
		return read(os.path.join(TOP, path))

	def resolve(self):
		"""Assigns things to the patches that claim them. Each must be claimed once."""
		for n, patch in enumerate(self.patches):
			for kind, patterns in patch.claims.items():
				for pattern in patterns:
					found = fnmatch.filter(self.all[kind], pattern.rstrip('/'))
					if not found:
						self.faults.append(
							f'dev/series/{patch.name}: no {kind} is {pattern}')
					for thing in found:
						self.claim(n, kind, thing)
		for kind, things in self.all.items():
			for thing in things:
				if thing not in self.when[kind]:
					self.faults.append(
						f'no patch of dev/series claims the {kind} {thing}')

	def claim(self, n, kind, thing):
		before = self.when[kind].setdefault(thing, n)
		if before == n and thing not in self.brings[n][kind]:
			self.brings[n][kind].append(thing)
		else:
			self.faults.append(f'dev/series/{self.patches[n].name}: the {kind} {thing}'
					   f' is claimed by {self.patches[before].name} already')

	# Errors beyond claims.

	def check(self):
		yield from self.faults
		for n, patch in enumerate(self.patches):
			yield from self.check_message(patch)
			if not any(self.brings[n].values()):
				yield f'dev/series/{patch.name} brings nothing'
		yield from self.check_replaced()
		yield from self.check_includes()

	@staticmethod
	def check_message(patch):
		where = f'dev/series/{patch.name}'
		if not re.match(r'[\w/ ,.+-]+: [A-Za-z]', patch.subject):
			yield f'{where}: the subject does not begin with what the patch is about'
		if len(patch.subject) > WIDTH:
			yield f'{where}: the subject is longer than {WIDTH} characters'
		if patch.subject.endswith('.'):
			yield f'{where}: the subject ends with a full stop'
		if not patch.body:
			yield f'{where} does not say why'
		for line in patch.body.splitlines():
			if len(line) > WIDTH and ' ' in line.strip():
				yield f'{where}: a line is longer than {WIDTH} characters: {line}'

	def check_replaced(self):
		"""A replacement must not be added before the base file is removed."""
		for path, n in self.when['path'].items():
			for gone, at in self.when['remove'].items():
				if (path == gone or path.startswith(gone + '/')) and n < at:
					yield (f'dev/series/{self.patches[n].name} brings {path}'
					       f' before {gone} is removed')

	def check_includes(self):
		"""A file must not be added before the headers of this project that it includes."""
		for path, n in self.when['path'].items():
			if not path.endswith(('.c', '.h', '.S')):
				continue
			text = self.ours(path).decode(errors='replace')
			for kind, header in re.findall(
					r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', text, re.M):
				found = self.header(path, kind, header)
				if found and self.when['path'].get(found, n) > n:
					late = self.patches[self.when['path'][found]].name
					yield (f'dev/series/{self.patches[n].name}: {path}'
					       f' includes {found}, which {late} brings')

	def header(self, path, kind, header):
		near = [os.path.dirname(path)] if kind == '"' else []
		if path.startswith('kernel/trace/'):
			near.append('kernel/trace')
		if path.startswith('tools/testing/trace/'):
			near += ['tools/testing/trace/include', 'tools/testing/trace', 'kernel/trace']
		elif path.startswith('arch/'):
			near.append('/'.join(path.split('/')[:2]) + '/include')
		for folder in near + ['include']:
			found = os.path.normpath(os.path.join(folder, header))
			if found in self.when['path']:
				break
		else:
			return None
		# Until ours is added, the base may have one.
		in_base = kind == '<' and os.path.exists(os.path.join(COVERED, found))
		return None if in_base else found

	# The state of our files after a patch.

	def there(self, n):
		"""Our files that exist after patch n."""
		return {path for path, at in self.when['path'].items() if at <= n}

	def content(self, path, n, there):
		"""One of our files after patch n: Makefiles and Kconfigs grow with the series."""
		text = self.ours(path)
		name = os.path.basename(path)
		if name == 'Kconfig':
			known = {s for s, at in self.when['config'].items() if at <= n}
			return grown_kconfig(text.decode(), known).encode()
		if name == 'Makefile':
			folder = os.path.dirname(path)
			return grown_makefile(text.decode(), lambda word: held_back(
				folder, word, self.when['path'], there)).encode()
		return text


def held_back(folder, word, files, there):
	"""Is a word of a Makefile the name of one of our files that is added later?"""
	word = word.rstrip('/')
	stem = word[:-2] if word.endswith('.o') else word
	names = [f'{folder}/{word}'] + [f'{folder}/{stem}{end}' for end in ('.c', '.S', '.sh')]
	known = [name for name in names if name in files]
	return bool(known) and not any(name in there for name in known)


def grown_kconfig(text, known):
	"""Leaves out the symbols that are added later, each with the comment above it."""
	text = re.sub(r'^choice\n.*?^endchoice\n',
		      lambda choice: choice[0] if set(symbols(choice[0])) & set(known) else '',
		      text, flags=re.M | re.S)
	kept, comment, dropping = [], [], False
	for line in text.splitlines(keepends=True):
		if line.startswith('#'):
			dropping = False
			comment.append(line)
			continue
		symbol = re.match(r'(?:menu)?config (\w+)$', line)
		if symbol:
			dropping = symbol.group(1) not in known
		elif line.strip() and not line[0].isspace():
			dropping = False
		if dropping:
			comment = []
		else:
			kept += comment + [line]
			comment = []
	return re.sub(r'\n{3,}', '\n\n', ''.join(kept + comment)).rstrip('\n') + '\n'


def statements(paragraph):
	"""The statements of a Makefile, each a list of its lines."""
	joined = []
	for line in paragraph.split('\n'):
		if joined and joined[-1][-1].endswith('\\'):
			joined[-1].append(line)
		else:
			joined.append([line])
	return joined


def grown_statement(lines, absent):
	"""Leaves out absent words; returns the rest of an assignment, or an empty list."""
	assignment = re.match(r'((?:\$\([^=]*?\)|[^\s:=+?])+)\s*(:=|\+=|\?=|=)', lines[0])
	if not assignment or lines[0].startswith('#'):
		return lines
	name = assignment.group(1)
	for word in re.split(r'-', name) + [re.sub(r'^[A-Z]+(_[A-Z]+)*_', '', name)]:
		if absent(word):
			return []
	end = assignment.end()
	head, lines = lines[0][:end], [lines[0][end:]] + lines[1:]
	kept = []
	for line in lines:
		words = re.findall(r'\S+', line)
		gone = [w for w in words if w != '\\' and absent(w)]
		for word in gone:
			line = re.sub(r'(^|\s+)' + re.escape(word) + r'(?=\s|$)', '', line, count=1)
		if not gone or line.strip(' \t\\'):
			kept.append(line)
	if not kept:
		return []
	kept[-1] = kept[-1].rstrip(' \t\\')
	return [head + (kept[0] if kept[0][:1].isspace() else ' ' + kept[0].strip())] + kept[1:]


def grown_makefile(text, absent):
	"""Leaves out references to absent files, and statements that are then empty."""
	kept = []
	for paragraph in text.rstrip('\n').split('\n\n'):
		result, comment, dropped = [], [], False
		for lines in statements(paragraph):
			if lines[0].startswith('#'):
				comment += lines
				continue
			left = grown_statement(lines, absent)
			if not left:
				# A comment at the beginning applies to the whole paragraph.
				dropped = True
				comment = comment if not result else []
				continue
			result += comment + left
			comment = []
		result += comment
		while True:
			empty = re.sub(r'^if(n?def|n?eq)\b.*\n(else\n)?endif$\n?', '', '\n'.join(result),
				       flags=re.M)
			if empty == '\n'.join(result):
				break
			result = empty.rstrip('\n').split('\n')
		if dropped and all(not line or line.startswith('#') for line in result):
			continue
		kept.append('\n'.join(result))
	return '\n\n'.join(kept) + '\n'


class Base:
	"""The base kernel of the series: a commit of a git repository."""

	def __init__(self, repo, commit):
		self.repo, self.commit = repo, commit

	def git(self, *words, **options):
		return run('git', '-c', 'safe.directory=*', '-C', self.repo, *words, **options)

	def file(self, path):
		"""Mode and content of a file, or None."""
		entry = self.git('ls-tree', self.commit, '--', path).decode().split()
		if not entry:
			return None
		return entry[0], self.git('cat-file', 'blob', entry[2])


def edited_by(name):
	return re.findall(r'^\+\+\+ b/([^\t\n]+)', read(edit_path(name)).decode(), re.M)


def apply_edit(name, folder, text=None):
	"""Applies an edit, or the file @text that has a part of it."""
	said = subprocess.run(
		['patch', '-d', folder, '-p1', '-F0', '-s', '-f', '-r', '-',
		 '--no-backup-if-mismatch', '-i', text or edit_path(name)],
		stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
	if said.returncode:
		sys.exit(f'series: the edit {name} does not apply:\n{said.stdout}')


def states(series, base):
	"""Yields for each patch the removed paths, and the mode and content of changed files."""
	last, modes = {}, {}
	with tempfile.TemporaryDirectory() as stage:
		for name in series.all['edit']:
			for path in edited_by(name):
				mode, text = base.file(path) or sys.exit(
					f'series: an edit would not apply: the base has no {path}')
				os.makedirs(os.path.dirname(f'{stage}/{path}'), exist_ok=True)
				with open(f'{stage}/{path}', 'wb') as f:
					f.write(text)
				modes[path] = mode
		for n in range(len(series.patches)):
			changed = {}
			there = series.there(n)
			for path in sorted(there):
				text = series.content(path, n, there)
				if last.get(path) != text:
					can_run = os.access(os.path.join(TOP, path), os.X_OK)
					changed[path] = '100755' if can_run else '100644', text
					last[path] = text
			for name in series.brings[n]['edit']:
				apply_edit(name, stage)
				for path in edited_by(name):
					changed[path] = modes[path], read(f'{stage}/{path}')
			yield n, series.brings[n]['remove'], changed


def identity(repo):
	"""Name and mail of the author, and whether they are not a placeholder."""
	said = os.environ.get('AUTHOR')
	if said:
		return said, True
	values = [subprocess.run(['git', '-C', repo, 'config', f'user.{key}'], text=True,
				 stdout=subprocess.PIPE).stdout.strip()
		  for key in ('name', 'email')]
	if all(values):
		return f'{values[0]} <{values[1]}>', True
	return 'Author <author@localhost>', False


def branch(series, repo, commit, name):
	"""Commits the series. Does not change the working tree and the index of the repository."""
	base = Base(repo, commit)
	author, known = identity(repo)
	date = run('git', '-c', 'safe.directory=*', '-C', TOP, 'log', '-1', '--date=raw',
		   '--format=%cd').decode().strip()
	importer = subprocess.Popen(['git', '-c', 'safe.directory=*', '-C', repo, 'fast-import',
				     '--quiet', '--force'], stdin=subprocess.PIPE)
	out = importer.stdin

	def data(text):
		out.write(b'data %d\n%s\n' % (len(text), text))

	for n, removes, changed in states(series, base):
		message = series.patches[n].message()
		if known:
			message += f'\nSigned-off-by: {author}\n'
		out.write(f'commit refs/heads/{name}\nauthor {author} {date}\n'
			  f'committer {author} {date}\n'.encode())
		data(message.encode())
		if n == 0:
			out.write(f'from {commit}\n'.encode())
		for path in removes:
			out.write(f'D {path}\n'.encode())
		for path, (mode, text) in changed.items():
			out.write(f'M {mode} inline {path}\n'.encode())
			data(text)
	out.close()
	if importer.wait():
		sys.exit('series: git fast-import failed')


def cover_text(series, repo, first, name):
	"""The cover letter, with figures, missing features, the patches and the diffstat."""
	git = Base(repo, name).git
	subject, body = message_of(read(os.path.join(SERIES, COVER)).decode())
	readme = read(os.path.join(TOP, 'README.md')).decode()

	def section(title):
		return re.search(rf'^## {re.escape(title)}\n\n(.*?)(?=^## |\Z)', readme,
				 re.M | re.S).group(1)

	rows = [[cell.strip() for cell in line.replace('`', '').strip('|').split('|')]
		for line in section('What it costs').splitlines()
		if line.startswith('|') and not line.startswith('|---')]
	widths = [max(len(row[i]) for row in rows) for i in range(4)]
	table = '\n'.join(
		('  ' + row[0].ljust(widths[0]) + ''.join(
			'  ' + row[i].rjust(widths[i]) for i in (1, 2, 3))).rstrip()
		for row in rows)
	body = body.replace('@costs@', table)
	missing = [textwrap.fill(' '.join(item.split()), WIDTH, subsequent_indent='  ')
		   for item in re.split(r'^(?=- )', section('What is not').replace('`', ''),
					flags=re.M) if item.strip()]
	body = body.replace('@missing@', '\n'.join(missing))
	patches = '\n'.join(f'  {n + 1:3d}  {p.subject}' for n, p in enumerate(series.patches))
	stat = git('diff', '--shortstat', f'{first}^', first).decode().strip()
	rest = git('-c', 'core.quotepath=off', 'diff', '--stat=78', '--no-renames', first,
		   name).decode()
	return subject, (f'{body}\n\n{patches}\n\nThe first patch, which is not among the mails:\n'
			 f' {stat}\n\nThe others:\n{rest}')


def mails(series, repo, commit, name, folder):
	git = Base(repo, name).git
	first = git('rev-list', '--reverse', f'{commit}..{name}').decode().split()[0]
	os.makedirs(folder, exist_ok=True)
	for old in os.listdir(folder):
		if old.endswith('.patch'):
			os.remove(os.path.join(folder, old))
	git('format-patch', '-q', '-o', os.path.abspath(folder), '--start-number=2', '--numbered',
	    '--no-renames', '--diff-algorithm=histogram', '--no-signature', '--zero-commit',
	    f'{first}..{name}')
	subject, text = cover_text(series, repo, first, name)
	author, _ = identity(repo)
	date = git('log', '-1', '--format=%cD', name).decode().strip()
	count = len(series.patches)
	zero = '0'.zfill(len(str(count)))
	with open(os.path.join(folder, '0000-cover-letter.patch'), 'w') as f:
		f.write(f'From {"0" * 40} Mon Sep 17 00:00:00 2001\nFrom: {author}\nDate: {date}\n'
			f'Subject: [PATCH {zero}/{count}] {subject}\n\n{text}')


def main():
	if len(sys.argv) < 2:
		sys.exit(__doc__)
	series, what, words = Series(), sys.argv[1], sys.argv[2:]
	if what == 'check':
		print('\n'.join(series.check()))
		return
	if series.faults:
		sys.exit('\n'.join(series.faults))
	if what == 'list':
		for n, patch in enumerate(series.patches):
			print(n + 1, patch.name, ','.join(patch.milestones) or '-', patch.subject)
	elif what == 'branch':
		branch(series, *words)
	elif what == 'mails':
		mails(series, *words)
	else:
		sys.exit(__doc__)


if __name__ == '__main__':
	main()
