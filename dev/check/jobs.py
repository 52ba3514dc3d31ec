# SPDX-License-Identifier: GPL-2.0
"""Jobs: the rows of the tables dev/check/tests and dev/check/kernels."""

import configparser
import fnmatch
import hashlib
import os
import re
import shlex
import subprocess
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(TOP, 'build')
CHECK = os.path.join(TOP, 'dev/check')
LOGS = os.path.join(BUILD, 'log/check')
KEPT = os.path.join(BUILD, 'check')
SELFTESTS = os.path.join(TOP, 'tools/testing/selftests/ftrace')
EMULATORS = {'x86_64': 'qemu-system-x86_64', 'arm64': 'qemu-system-aarch64'}
COMPILERS = {'x86_64': 'gcc', 'arm64': 'aarch64-linux-gnu-gcc'}

# A job is ended after PATIENCE times its expected duration, plus THEN_SOME seconds.
PATIENCE, THEN_SOME = 20, 600


def read(path):
	try:
		with open(path, errors='replace') as f:
			return f.read()
	except OSError:
		return ''


def version(program):
	return subprocess.run([program, '--version'], capture_output=True).stdout


# Dependencies of every script
SCRIPTS_READ = 'dev/base dev/check/tap.sh dev/edits dev/lib.sh dev/removed'


def packages():
	"""The versions of the packages that dev/deps lists."""
	lines = [line.split()[1:] for line in read(os.path.join(TOP, 'dev/deps')).splitlines()
		 if line[:1] not in ('', '#')]
	names = [name for line in lines for name in line]
	return subprocess.run(['dpkg-query', '-W', *names], capture_output=True).stdout


class Sources:
	"""The current contents of the files of the project, and the state of dependencies that
	are not part of it: the base, and packages."""

	def __init__(self):
		# -c: also if they belong to another user
		names = subprocess.run(['git', '-c', 'safe.directory=*', 'ls-files', '-coz',
					'--exclude-standard'], cwd=TOP, check=True,
				       capture_output=True, text=True).stdout.split('\0')
		self.others = packages()
		for name in 'base.stamp', 'stock.stamp':
			self.others += read(os.path.join(BUILD, name)).encode()
		self.files = []
		for name in sorted(set(names)):
			try:
				with open(os.path.join(TOP, name), 'rb') as f:
					self.files.append((name, hashlib.sha256(f.read()).hexdigest()))
			except OSError:
				pass  # removed, but not from git's index

	def sum(self, words):
		"""A checksum of the files in the paths "words"; "." is all. A leading - excludes a
		path. If several paths match a file, the longest one counts."""
		paths = {w.lstrip('-'): w[0] != '-' for w in words}
		digest = hashlib.sha256(self.others)
		for name, content in self.files:
			fitting = [p for p in paths if p == '.' or f'{name}/'.startswith(f'{p}/')]
			if fitting and paths[max(fitting, key=lambda p: (p != '.', len(p)))]:
				digest.update(f'{name} {content}\n'.encode())
		return digest.hexdigest()


class Job:
	"""A row of the table: its command, its dependencies, and its results."""

	sources = None

	def __init__(self, name, row, only=()):
		self.name, self.row = name, row
		self.only = only  # patterns for a part of it, none for all
		self.after = []
		self.state = 'waiting'
		self.replayed = False
		self.usable = False  # by the jobs that come after it
		self.cases = []
		self.broken = False  # it did not come to its end, or the kernel warned
		self.reasons = []  # the last lines that tell why it failed
		self.began = 0
		self.at = ''  # the last case that ended
		self.seconds = 0
		self.process = None
		self.log = os.path.join(LOGS, name.replace('/', '-'))
		self.kept_seconds = os.path.join(KEPT, 'seconds', name.replace('/', '-'))

	def again(self, part, nr):
		"""A job that runs only a part, for the nr-th time."""
		job = self.copy([part] if part else ())
		job.log = f'{self.log}.again{nr}'
		return job

	def copy(self, only):
		return Job(self.name, self.row, only)

	def left(self):
		"""Its expected duration in seconds: the last one, or else the one in the table."""
		try:
			whole = float(read(self.kept_seconds))
		except ValueError:
			whole = float(self.row.get('seconds', '60'))
		if self.state == 'running':
			return max(whole - (time.time() - self.began), 1)
		return whole if self.state == 'waiting' else 0

	def limit(self):
		"""The time limit in seconds."""
		return PATIENCE * float(self.row.get('seconds', '60')) + THEN_SOME

	def prepare(self):
		"""Returns the environment of its script."""
		return {'ARCH': self.row.get('arch')}

	def command(self):
		script, *words = self.row['script'].split()
		if self.only and 'picks' in self.row:
			words = [w for w in words if '=' in w] + picked_by(self.row, self.only)
		return [os.path.join(CHECK, script), *words]

	def counts(self, case):
		"""Is the result of a case, ROW:NAME, requested?"""
		name = case.name.partition(':')[2]
		names = [name, name.partition('/')[0]] if 'picks' in self.row else [name]
		return not self.only or any(fnmatch.filter(names, o) for o in self.only)

	def part(self, case):
		"""The pattern that selects a case of this job, or '' for the whole job."""
		name, sentence, _ = case.name.partition(':')[2].partition(':')
		return name + '*' * bool(sentence)

	def pattern(self, case):
		"""The value of ONLY that runs a case."""
		part = self.part(case).replace(' ', '?')
		return f'{self.name}:{part}' if part else self.name

	def reads(self):
		"""The files of the project that its results depend on."""
		return self.row.get('reads', '.').split() + SCRIPTS_READ.split()

	def sum(self):
		"""A checksum of all its dependencies, or None if they are not known."""
		digest = hashlib.sha256(Job.sources.sum(self.reads()).encode())
		for key in sorted(self.row):
			digest.update(f'{key}={self.row[key]}\n'.encode())
		for kernel in self.after:
			digest.update((kernel.sum() or '').encode())
		return digest.hexdigest()


class Kernel(Job):
	"""Builds a kernel and the file system of its guests."""

	READS = '. dev/check/kernel.sh dev/check/tap.sh -.ci -README.md -Documentation -dev/check -dev/bench ' \
		'-dev/series -tools/testing/trace'

	def __init__(self, name, row):
		super().__init__(f'build/{name}', row)
		self.kernel = name
		self.arch = row.get('arch', 'x86_64')
		self.files = None

	def has(self, case):
		"""Does a pattern match one of its cases? See kernel.sh."""
		guest = ['guest'] if self.row.get('selftests') else []
		cases = ['kernel', 'quiet', *guest, *self.row.get('proofs', '').split()]
		return bool(fnmatch.filter(cases, case))

	def command(self):
		return [os.path.join(CHECK, 'kernel.sh'), self.kernel]

	def prepare(self):
		self.files = None  # they change
		return {key.upper(): self.row.get(key, '') for key in
			('arch', 'base', 'fragments', 'variables', 'targets',
			 'selftests', 'tools', 'proofs')}

	def reads(self):
		return Kernel.READS.split()

	def sum_of_files(self):
		if self.files is None:
			out = os.path.join(BUILD, self.kernel)
			digest = hashlib.sha256()
			for name in ('kernel.image', 'guest.cpio', 'tests.cpio'):
				with open(os.path.join(out, name), 'rb') as f:
					digest.update(hashlib.file_digest(f, 'sha256').digest())
			self.files = digest.hexdigest()
		return self.files

	def sum(self):
		"""None if a file that a guest needs is missing."""
		try:
			files = self.sum_of_files()
		except OSError:
			return None
		return f'{super().sum()} {files} {version(COMPILERS.get(self.arch, "gcc"))}'


class Guest(Job):
	"""Boots a kernel in QEMU for some jobs."""

	def __init__(self, name, row, kernel, only):
		super().__init__(name, row, only)
		self.kernel = kernel
		self.after = [kernel]
		self.jobs = jobs_of(row, only)
		self.suites = suites_of(only)

	def copy(self, only):
		return Guest(self.name, self.row, self.kernel, only)

	def script(self):
		"""The script that the guest runs, see dev/guest/all."""
		limit = int(self.row.get('seconds', '300')) * 4
		text = f'LIMIT={limit}\n'
		# Guests do the same each time, except the rounds of a storm.
		variables = {'FTEST_SEED': os.environ.get('SEED', '12345678'),
			     'SEED': os.environ.get('SEED'), 'MINUTES': os.environ.get('MINUTES')}
		for name, value in variables.items():
			if value is not None:
				text += f'export {name}={shlex.quote(value)}\n'
		text += '. /jobs/all\n'
		text += f'begin {len(self.jobs)}\n'
		for name, args in self.jobs:
			text += ' '.join(['job', name] + [shlex.quote(a) for a in args]) + '\n'
		return text + 'end\n'

	def prepare(self):
		job = self.log + '.job'
		with open(job, 'w') as f:
			f.write(self.script())
		with open(self.log + '.warns', 'w') as f:
			f.write(self.row.get('warns', '').strip() + '\n')
		out = os.path.join(BUILD, self.kernel.kernel)
		env = {'LOG': self.log + '.kernel', 'EXTRA': os.path.join(out, 'tests.cpio'),
		       'APPEND': ' '.join(self.row.get('append', '').split() + self.suites),
		       'WARNS': self.log + '.warns', 'ARCH': self.kernel.row.get('arch'),
		       'TIMEOUT': str(int(self.row.get('seconds', '300')) * 10), 'VIRTUAL': '1'}
		# also if it is empty, so that the value of the environment is not used
		for key in ('smp', 'mem', 'cpu', 'shift', 'reboots'):
			env[key.upper()] = self.row.get(key, '')
		config = self.row.get('bootconfig')
		env['BOOTCONFIG'] = os.path.join(CHECK, config) if config else ''
		return env

	def counts(self, case):
		"""As for other jobs. Only the requested cases of kselftest and KUnit are run."""
		name = case.name.partition(':')[2]
		return (not self.only or name.partition('/')[0] in ('kselftest', 'kunit') or
			any('/' not in o or fnmatch.fnmatch(name, o) for o in self.only))

	def part(self, case):
		"""In the format of jobs_of() and suites_of()."""
		job, _, rest = case.name.partition(':')[2].partition('/')
		first, _, second = rest.partition('/')
		if job == 'kselftest' and second:
			file = first.partition('.')[0]
			return f'{file}.{second.partition(":")[0].partition(".")[2]}'
		if job == 'kselftest':
			return first or job
		if job == 'kunit' and first:
			return f'{job}/{first}' + (f'.{second.partition("/")[0]}' if second else '')
		name, sentence, _ = rest.partition(':')
		return job + (f'/{name}' + '*' * bool(sentence) if rest else '')

	def command(self):
		return [os.path.join(TOP, 'dev/qemu.sh'),
			os.path.join(BUILD, self.kernel.kernel), self.log + '.job']

	def sum(self):
		digest = hashlib.sha256()
		digest.update(self.kernel.sum_of_files().encode())
		digest.update(self.script().encode())
		for key in sorted(self.row):
			digest.update(f'{key}={self.row[key]}\n'.encode())
		digest.update(' '.join([os.environ.get('ACCEL', '')] + self.suites).encode())
		if 'bootconfig' in self.row:
			digest.update(read(os.path.join(CHECK, self.row['bootconfig'])).encode())
		for path in ('dev/qemu.sh', 'tools/testing/selftests/ftrace/log_errors', 'dev/lib.sh'):
			digest.update(read(os.path.join(TOP, path)).encode())
		digest.update(version(EMULATORS[self.kernel.arch]))
		return digest.hexdigest()


def selftest_names():
	"""The files that the selftests run by default, in the order of their Makefile."""
	text = read(os.path.join(SELFTESTS, 'Makefile')).replace('\\\n', ' ')
	names = re.search(r'^TEST_PROGS\s*:=(.*)$', text, re.M).group(1).split()
	return [n.removesuffix('.sh') for n in names]


def suites_of(only):
	"""Returns the kernel parameters for the patterns "kunit/SUITE.CASE".

	KUnit takes only one pattern. If there are several, all suites run."""
	suites = [o.partition('/')[2] for o in only if o.partition('/')[0] == 'kunit']
	return [f'kunit.filter_glob={suites[0]}'] if len(suites) == 1 and suites[0] else []


def selftests_of(words, only):
	"""Returns the arguments of the job "kselftest": settings, and the files and cases that a
	pattern in "only" matches, or all that the arguments in the table select."""
	settings = [w for w in words if '=' in w]
	files = [w for w in words if '=' not in w and w[0] != '-']
	without = [w[1:] for w in words if w[0] == '-']
	files = [g for f in files for g in (selftest_names() if f == '*' else [f])]
	files = [f for f in files if f not in without]
	if only:
		files = [picked for f in files for o in only if (picked := pick_selftest(f, o))]
	return settings + list(dict.fromkeys(files)) if files else []


def pick_selftest(word, pattern):
	"""Returns the part of a file or case of the table that a pattern selects: FILE or
	FILE.CASE, or None."""
	file, dot, case = word.partition('.')
	file_pattern, _, case_pattern = pattern.partition('.')
	if not fnmatch.fnmatch(file, file_pattern):
		return None
	if not dot:
		return f'{file}.{case_pattern}' if case_pattern else word
	return word if fnmatch.fnmatch(case, case_pattern or '*') else None


def picked_by(row, only):
	"""Returns the tests of a script with the key "picks" that patterns select."""
	names = [w for w in row['script'].split()[1:] if '=' not in w] or row['wants'].split()
	return [n for n in names if any(fnmatch.fnmatch(n, o.partition('/')[0]) for o in only)]


def jobs_of(row, only):
	"""Returns the jobs of a guest as (name, arguments): the jobs that a pattern in "only"
	matches, or all if it is empty.

	A line of the table is the name of a file in dev/guest, and its arguments. In the
	arguments of the job "kselftest", "*" is all files that run by default, and "-NAME"
	removes one."""
	jobs = []
	lines = row['jobs'].strip().replace('\\\n', ' ').splitlines()
	for name, *words in map(shlex.split, lines):
		whole = not only or any(fnmatch.fnmatch(name, o.partition('/')[0]) for o in only)
		if name == 'kselftest':
			words = selftests_of(words, [] if whole else only)
			if words:
				jobs.append((name, words))
		elif whole:
			jobs.append((name, words))
	return jobs


def table(name):
	rows = configparser.ConfigParser(interpolation=None, delimiters=('=',))
	rows.optionxform = str
	with open(os.path.join(CHECK, name)) as f:
		rows.read_file(f)
	found = {}
	for section in rows.sections():
		row = dict(rows[section])
		found[section] = {**found.get(row.get('like'), {}), **row}
	return found


def arches():
	return os.environ.get('ARCHES', ' '.join(EMULATORS)).split()


def here(row, kernels):
	"""Is the architecture of a row among the selected ones?"""
	arch = kernels[row['kernel']].arch if 'kernel' in row else row.get('arch')
	return not arch or arch in arches()


def of_length(row, length):
	return length in row.get('length', 'check full').split()


def has_part(row, part):
	"""Does a row run the job, and the file of selftests, of a line of dev/check/skips?"""
	if 'jobs' not in row:
		return part.partition('/')[0] not in ('kselftest', 'kunit')
	name, _, case = part.partition('/')
	file = case.partition('/')[0]
	return any(fnmatch.fnmatch(job, name) and
		   (job != 'kselftest' or not file or fnmatch.filter(words, file))
		   for job, words in jobs_of(row, []))


class Choice:
	"""The jobs that patterns select, or all of one length, with the kernels that they need."""

	def __init__(self, length):
		self.length = length
		self.tests = table('tests')
		self.kernels = {name: Kernel(name, row) for name, row in table('kernels').items()}
		self.rows = {f'build/{name}': k.row for name, k in self.kernels.items()
			     if k.arch in arches()}
		self.rows.update({name: row for name, row in self.tests.items()
				  if here(row, self.kernels)})
		self.picked = {}  # parts by the names of rows; no parts are the whole row

	def rows_of(self, pattern):
		"""The rows that a pattern without a colon selects: the row of that name, or the
		matching rows of this length; if there are none, the matching rows of any length."""
		if pattern in self.rows:
			return [pattern]
		fitting = [name for name in self.rows if fnmatch.fnmatch(name, pattern) or
			   fnmatch.fnmatch(name, pattern + '/*')]
		ours = [name for name in fitting if of_length(self.rows[name], self.length)]
		return ours if ours or pattern == '*' else fitting

	def has(self, name, part, by_name):
		"""Does a row have a part? The parts of most scripts are not known before they run."""
		row = self.rows[name]
		if name.startswith('build/'):
			return self.kernels[name.removeprefix('build/')].has(part)
		if 'picks' in row:
			return bool(picked_by(row, [part]))
		return bool(jobs_of(row, [part])) if 'jobs' in row else by_name

	def pick(self, pattern):
		"""Selects the rows that match a pattern, and returns whether there are any."""
		of_row, colon, part = pattern.partition(':')
		names = self.rows_of(of_row)
		if not names and not colon and '/' not in pattern:
			part = pattern
			names = [n for n in self.rows_of('*') if 'jobs' in self.rows[n]]
		found = False
		for name in names:
			if not part:
				self.picked[name] = None
			elif not self.has(name, part, name == of_row):
				continue
			elif self.picked.get(name, []) is not None:
				self.picked.setdefault(name, []).append(part)
			found = True
		return found

	def jobs(self):
		chosen = {}

		def want(kernel, only=()):
			kernel.only = only
			chosen[f'build/{kernel.kernel}'] = kernel
			return kernel

		for name, parts in sorted(self.picked.items(),
					  key=lambda p: not p[0].startswith('build/')):
			row = self.rows[name]
			if name.startswith('build/'):
				want(self.kernels[name.removeprefix('build/')], parts or ())
			elif 'script' in row:
				chosen[name] = Job(name, row, parts or ())
				chosen[name].after = [want(self.kernels[k])
						      for k in row.get('after', '').split()]
			else:
				kernel = want(self.kernels[row['kernel']])
				chosen[name] = Guest(name, row, kernel, parts or ())
		return list(chosen.values())


def choose(length, patterns):
	"""Returns the jobs that the patterns select, or all of this length, with the kernels that
	they need, and the patterns that select nothing.

	A pattern without a slash that matches no row is a part of all guests of this length."""
	choice = Choice(length)
	unused = [p for p in patterns or ['*'] if not choice.pick(p)]
	return choice.jobs(), unused if patterns else []
