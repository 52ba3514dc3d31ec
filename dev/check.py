#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the tests that dev/check/tests lists, on the kernels of dev/check/kernels.

usage: check.py LENGTH [PATTERN...]

LENGTH is check, configs or stress, and picks the rows whose "length" has that word. A
PATTERN picks rows by name instead, as a shell matches names ("debug/*", "style"). The part
after a colon picks jobs, or files or cases of selftests, in these rows: "debug/*:pid",
"x86_64/load:stress"; "debug/files:kunit/ftrace_ops.*gone*" picks suites or cases of KUnit,
"x86_64/files:rtla/rtla.hist*" cases of another job, "style:style.rooms" a case of a script, and
"build/x86_64:contract" one of a kernel: such a job, script or kernel runs as a whole, and the
cases that are not picked do not count. A pattern without a slash that is not the name of a row
is such a part for all guests: "pid". The kernel that a guest boots is always built first, and
all of its cases count.

As many jobs run at once as there are CPUs. Those with the longest chain of jobs waiting
for them begin first. Each result is shown when it comes. All output is in build/log/check.
"""

import configparser
import fnmatch
import hashlib
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(TOP, 'build')
CHECK = os.path.join(TOP, 'dev/check')
LOGS = os.path.join(BUILD, 'log/check')
KEPT = os.path.join(BUILD, 'check')
SELFTESTS = os.path.join(TOP, 'tools/testing/selftests/ftrace')
EMULATORS = {'x86_64': 'qemu-system-x86_64', 'arm64': 'qemu-system-aarch64'}
AGAIN = any(os.environ.get(v, '') not in ('', '0', 'false') for v in ('AGAIN', 'CI'))
START = int(os.environ.get('DRIVER_START', time.time()))

sys.path.insert(0, os.path.join(BUILD, 'linux/tools/testing/kunit'))
import kunit_parser  # noqa: E402

# A job is ended when it has taken so many times as long as expected, and then some.
PATIENCE, THEN_SOME = 20, 600

RESULT = re.compile(r'^(\s*)(ok|not ok) \d+ (?:- )?(.*?)\s*$')
HEADER = re.compile(r'^(\s*)K?TAP version \d+\s*$')
PLAN = re.compile(r'^(\s*)1\.\.\d+')
# what a guest prints each time that it boots, but not the first one
BOOTED = re.compile(r'(?<=\n)K?TAP version \d+\n1\.\.\d+\n')


def say(text):
	print(f'[{int(time.time() - START):4d}s] {text}', flush=True)


def read(path):
	try:
		with open(path, errors='replace') as f:
			return f.read()
	except OSError:
		return ''


def write(path, text):
	os.makedirs(os.path.dirname(path), exist_ok=True)
	with open(path, 'w') as f:
		f.write(text)


def end(process, sig):
	"""Sends a signal to a process and all that it started."""
	try:
		os.killpg(process.pid, sig)
	except ProcessLookupError:
		pass


class Errors:
	"""Stands in for the printer of kunit_parser, and keeps only the errors."""

	def __init__(self):
		self.found = []

	def print_with_timestamp(self, text):
		if text.startswith('[ERROR]'):
			self.found.append(text[len('[ERROR] Test: '):])

	def plain(self, text):
		return text

	red = green = yellow = plain

	def color_len(self):
		return 0


def plan_of(lines, start, depth):
	"""Finds the plan of the document at this depth whose header is before start.

	Returns its index, or None, and whether results came before it."""
	late = False
	for i in range(start, len(lines)):
		at = len(lines[i]) - len(lines[i].lstrip())
		if PLAN.match(lines[i]) and at == depth:
			return i, late
		result = RESULT.match(lines[i])
		late |= bool(result)
		if (HEADER.match(lines[i]) and at <= depth) or (result and at < depth):
			break
	return None, late


def plans_first(lines):
	"""Moves each plan before the results, where kunit_parser wants it.

	A document without a plan gets one that its results cannot match."""
	lines = list(lines)
	out, moved = [], set()
	for i, line in enumerate(lines):
		if i in moved:
			continue
		out.append(line)
		header = HEADER.match(line)
		if not header:
			continue
		depth = len(header.group(1))
		plan, late = plan_of(lines, i + 1, depth)
		if plan is None:
			out.append(' ' * depth + '1..9999')
		elif late:
			out.append(lines[plan])
			moved.add(plan)
	return out


class Case:
	"""A result: "passed", "failed" or "skipped"."""

	def __init__(self, name, status, why=''):
		self.name, self.status, self.why = name, status, why


def skip_reasons(lines):
	"""Returns why tests were skipped, by their names: what stands behind SKIP, or else the
	last comment before that result, apart from the time that a selftest took."""
	why, comment = {}, ''
	for line in lines:
		skipped = re.match(r'^\s*ok \d+ (?:- )?(.*?) # SKIP\s*(.*)$', line)
		if skipped:
			why[skipped.group(1).strip()] = skipped.group(2) or comment
		if not line.lstrip().startswith('#'):
			comment = ''
		elif not re.match(r'^\s*# \w+: \d+ s$', line):
			comment = line.lstrip(' \t#')
	return why


def parse(text, prefix):
	"""Returns the cases of a KTAP document, and what is wrong with the document."""
	errors = Errors()
	kunit_parser.stdout = errors
	lines = plans_first(text.splitlines())
	skip_why = skip_reasons(lines)
	try:
		main = kunit_parser.parse_run_tests(lines)
	except ValueError as e:  # the parser ran past the end
		return [], errors.found + [str(e)]
	cases = []
	status_of = kunit_parser.TestStatus

	def walk(test, path):
		"""Adds the cases of a test; returns whether one of them failed."""
		if not test.name.strip():
			return False  # a missing result, which is an error already
		name = f'{path}{test.name.strip()}'
		below = [walk(t, f'{name}/' if path != prefix or test is not main else path)
			 for t in test.subtests]
		if any(below):
			return True
		if test.status == status_of.SKIPPED and not test.subtests:
			cases.append(Case(name, 'skipped', skip_why.get(test.name.strip(), '')))
			return False
		bad = not test.ok_status()
		if bad or not test.subtests:
			cases.append(Case(name, 'failed' if bad else 'passed'))
		return bad

	for test in main.subtests:
		walk(test, prefix)
	if not main.subtests:
		errors.found.append('there are no results')
	return cases, errors.found


class Job:
	"""A row of the table: what it runs, what has to run before it, and its results."""

	def __init__(self, name, row, only=()):
		self.name, self.row = name, row
		self.only = only  # patterns for a part of it, none for all
		self.after = []
		self.state = 'waiting'
		self.replayed = False
		self.usable = False  # by the jobs that come after it
		self.cases = []
		self.reasons = []  # the last lines that tell why it failed
		self.seconds = 0
		self.process = None
		self.log = os.path.join(LOGS, name.replace('/', '-'))

	def estimate(self):
		"""The seconds that it took the last time, or else those in the table."""
		last = read(os.path.join(KEPT, 'seconds', self.name.replace('/', '-'))).strip()
		return float(last or self.row.get('seconds', '60'))

	def limit(self):
		"""The seconds after which it is ended."""
		return PATIENCE * float(self.row.get('seconds', '60')) + THEN_SOME

	def prepare(self):
		"""Returns the environment of its script."""
		return {'ARCH': self.row.get('arch')}

	def command(self):
		script, *words = self.row['script'].split()
		return [os.path.join(CHECK, script), *words]

	def counts(self, case):
		"""Whether the result of a case, ROW:NAME, is one of those that are wanted."""
		name = case.name.partition(':')[2]
		return not self.only or any(fnmatch.fnmatch(name, o) for o in self.only)

	def sum(self):
		"""A checksum of all that its results depend on, or None if that is not known."""
		return None


class Kernel(Job):
	"""Builds a kernel and the file system of its guests."""

	def __init__(self, name, row):
		super().__init__(f'build/{name}', row)
		self.kernel = name
		self.arch = row.get('arch', 'x86_64')
		self.files = None

	def has(self, case):
		"""Whether a pattern fits one of its cases, see kernel.sh."""
		guest = ['guest'] if self.row.get('selftests') else []
		cases = ['kernel', 'quiet', *guest, *self.row.get('proofs', '').split()]
		return bool(fnmatch.filter(cases, case))

	def command(self):
		return [os.path.join(CHECK, 'kernel.sh'), self.kernel]

	def prepare(self):
		return {key.upper(): self.row.get(key, '') for key in
			('arch', 'base', 'fragments', 'variables', 'targets',
			 'selftests', 'tools', 'proofs')}

	def sum_of_files(self):
		if self.files is None:
			out = os.path.join(BUILD, self.kernel)
			digest = hashlib.sha256()
			for name in ('kernel.image', 'guest.cpio', 'tests.cpio'):
				with open(os.path.join(out, name), 'rb') as f:
					digest.update(hashlib.file_digest(f, 'sha256').digest())
			self.files = digest.hexdigest()
		return self.files


class Guest(Job):
	"""Boots a kernel in QEMU for some jobs."""

	def __init__(self, name, row, kernel, only):
		super().__init__(name, row, only)
		self.kernel = kernel
		self.after = [kernel]
		self.jobs = jobs_of(row, only)
		self.suites = suites_of(only)

	def script(self):
		"""What the guest runs, see dev/guest/all."""
		limit = int(self.row.get('seconds', '300')) * 4
		text = f'LIMIT={limit}\n'
		# Guests do the same each time, but for the rounds of a storm.
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
		if 'bootconfig' in self.row:
			env['BOOTCONFIG'] = os.path.join(CHECK, self.row['bootconfig'])
		for key in ('smp', 'mem', 'cpu', 'shift', 'reboots'):
			if key in self.row:
				env[key.upper()] = self.row[key]
		return env

	def counts(self, case):
		"""As for other jobs. Of kselftest and KUnit, none runs but those that are wanted."""
		name = case.name.partition(':')[2]
		return (not self.only or name.partition('/')[0] in ('kselftest', 'kunit') or
			any('/' not in o or fnmatch.fnmatch(name, o) for o in self.only))

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
		for path in ('dev/qemu.sh', 'tools/testing/selftests/ftrace/splats', 'dev/lib.sh'):
			digest.update(read(os.path.join(TOP, path)).encode())
		qemu = EMULATORS[self.kernel.row.get('arch', 'x86_64')]
		digest.update(subprocess.run([qemu, '--version'], capture_output=True).stdout)
		return digest.hexdigest()


def selftest_names():
	"""The files that the selftests run by default, in the order of their Makefile."""
	text = read(os.path.join(SELFTESTS, 'Makefile')).replace('\\\n', ' ')
	names = re.search(r'^TEST_PROGS\s*:=(.*)$', text, re.M).group(1).split()
	return [n.removesuffix('.sh') for n in names]


def suites_of(only):
	"""Returns what the kernel's command line needs for the patterns "kunit/SUITE.CASE".

	KUnit takes only one pattern. If there are several, all suites run."""
	suites = [o.partition('/')[2] for o in only if o.partition('/')[0] == 'kunit']
	return [f'kunit.filter_glob={suites[0]}'] if len(suites) == 1 and suites[0] else []


def jobs_of(row, only):
	"""Returns the jobs of a guest as (name, words): those that a pattern in "only" fits,
	or all if it is empty.

	A line of the table is the name of a file in dev/guest, and its words. In the words of
	the job "kselftest", "*" is all files that run by default, and "-NAME" removes one."""
	jobs = []
	for line in row['jobs'].strip().splitlines():
		name, *args = shlex.split(line)
		whole = not only or any(fnmatch.fnmatch(name, o.partition('/')[0]) for o in only)
		if name == 'kselftest':
			settings = [a for a in args if '=' in a]
			files = [a for a in args if '=' not in a]
			without = [f[1:] for f in files if f[0] == '-']
			files = [g for f in files if f[0] != '-'
				 for g in (selftest_names() if f == '*' else [f])]
			files = [f for f in files if f not in without]
			if not whole:
				files = [f + dot + case for f in files
					 for pattern, dot, case in (o.partition('.') for o in only)
					 if fnmatch.fnmatch(f, pattern)]
			if files:
				jobs.append((name, settings + files))
		elif whole:
			jobs.append((name, args))
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
	"""Whether the architecture of a row is one of those that run."""
	arch = kernels[row['kernel']].arch if 'kernel' in row else row.get('arch')
	return not arch or arch in arches()


def of_length(row, length):
	return length in row.get('length', 'check').split()


def has_part(row, part):
	"""Whether a row runs the job, and the file of selftests, of a line of dev/check/skips."""
	if 'jobs' not in row:
		return True
	name, _, case = part.partition('/')
	file = case.partition('/')[0]
	return any(fnmatch.fnmatch(job, name) and
		   (job != 'kselftest' or not file or fnmatch.filter(words, file))
		   for job, words in jobs_of(row, []))


def choose(length, patterns):
	"""Returns the jobs that the patterns pick, with the kernels that they need, and the
	patterns that pick nothing."""
	tests = table('tests')
	kernels = {name: Kernel(name, row) for name, row in table('kernels').items()}
	chosen = {}
	used = set()

	def fits(name, row):
		"""What the patterns pick of a row: None is nothing, [] all of it."""
		kernel = row.get('kernel')
		if not here(row, kernels):
			return None
		ours = of_length(row, length)
		if not patterns:
			return [] if ours else None
		picked = []
		for pattern in patterns:
			of_row, colon, of_job = pattern.partition(':')
			if of_row == '*' and not ours:
				continue
			if fnmatch.fnmatch(name, of_row) or fnmatch.fnmatch(name, of_row + '/*'):
				if not colon:
					used.add(pattern)
					return []
			elif kernel and ours and not colon and '/' not in pattern:
				of_job = pattern
			else:
				continue
			if jobs_of(row, [of_job]) if kernel else name == of_row:
				used.add(pattern)
				picked.append(of_job)
		return picked or None

	def of_kernel(kernel):
		"""The same of a kernel."""
		ours = of_length(kernel.row, length)
		if not patterns:
			return [] if ours else None
		picked = []
		for pattern in patterns:
			of_row, colon, of_job = pattern.partition(':')
			if not fnmatch.fnmatch(kernel.name, of_row) or of_row == '*' and not ours:
				continue
			if not colon:
				used.add(pattern)
				return []
			if kernel.has(of_job):
				used.add(pattern)
				picked.append(of_job)
		return picked or None

	def want(kernel, only=()):
		kernel.only = only
		chosen[kernel.name] = kernel
		return kernel

	for kernel in kernels.values():
		only = of_kernel(kernel) if kernel.arch in arches() else None
		if only is not None:
			want(kernel, only)
	for name, row in tests.items():
		only = fits(name, row)
		if only is None:
			continue
		if 'script' in row:
			chosen[name] = Job(name, row, only)
			chosen[name].after = [want(kernels[k]) for k in row.get('after', '').split()]
		else:
			chosen[name] = Guest(name, row, want(kernels[row['kernel']]), only)
	return list(chosen.values()), [p for p in patterns if p not in used]


def reasons(text, errors):
	"""The lines of a job's output that tell why it failed: those before the first few
	results that are not ok, and the last that it wrote to standard error. A script that
	failed only because cases of it failed has nothing to tell."""
	lines = [l for l in text.splitlines() if l.strip()]
	bad = [i for i, l in enumerate(lines) if l.lstrip().startswith('not ok') and
	       not re.match(r'\s*# Totals:.* fail:[1-9]', lines[i - 1])]
	found, after = [], 0
	for i in bad[:3]:
		found += lines[max(after, i - 12):i + 1]
		after = i + 1
	return found + errors.splitlines()[-20:]


class Runner:
	def __init__(self, jobs, length):
		self.jobs = jobs
		self.length = length
		self.lock = threading.Condition()
		self.running = set()
		self.stopped = False
		self.slowest = []
		lines = read(os.path.join(CHECK, 'skips')).splitlines()
		# whether a skipped test matched each (NAME, WHY) that allows it
		self.allowed = {re.match(r'(\S+)\s*(?:"(.*?)")?', line).groups('*'): False
				for line in lines if line.strip() and not line.startswith('#')}

	def chain(self, job):
		"""The seconds of the longest chain of jobs that begins with this one."""
		return job.estimate() + max(
			[self.chain(j) for j in self.jobs if job in j.after], default=0)

	def run(self):
		slots = int(os.environ.get('JOBS') or os.cpu_count())
		waiting = sorted(self.jobs, key=self.chain, reverse=True)
		with self.lock:
			while waiting or self.running:
				ready = [j for j in waiting
					 if all(a.state == 'done' for a in j.after)]
				while ready and len(self.running) < slots:
					job = ready.pop(0)
					waiting.remove(job)
					self.running.add(job)
					threading.Thread(target=self.go, args=(job,), daemon=True).start()
				self.lock.wait(1)

	def stop(self):
		"""Ends all jobs, and lets no other begin."""
		with self.lock:
			self.stopped = True
			left = [j.process for j in self.running if j.process]
		for sig in (signal.SIGTERM, signal.SIGKILL):
			for process in left:
				end(process, sig)
			for _ in range(20):
				left = [p for p in left if p.poll() is None]
				if not left:
					return
				time.sleep(0.1)

	def go(self, job):
		try:
			self.job(job)
		except Exception as e:  # a fault of this program fails the job
			self.fails(job, repr(e))
		with self.lock:
			job.state = 'done'
			self.running.discard(job)
			self.lock.notify_all()

	def fails(self, job, why):
		"""Fails a job that has no results of its own."""
		job.cases.append(Case(job.name, 'failed', why))
		say(f'FAILED {job.name}: {why}')

	def job(self, job):
		for other in job.after:
			if not other.usable:
				self.fails(job, f'{other.name} failed')
				return
		kept = os.path.join(KEPT, 'passed', job.name.replace('/', '-'))
		new = job.sum()
		if new and not AGAIN and read(kept + '.sum') == new:
			job.replayed = True
			text, status, errors = read(kept), 0, ''
		else:
			say(f'begins {job.name}')
			text, status, errors = self.execute(job)
		if self.stopped:
			return
		self.judge(job, text, status, errors)
		if job.replayed or job.only:
			return
		if any(c.status == 'failed' for c in job.cases):
			if os.path.exists(kept + '.sum'):
				os.remove(kept + '.sum')
			return
		seconds = os.path.join(KEPT, 'seconds', job.name.replace('/', '-'))
		write(seconds, f'{job.seconds:.1f}\n')
		if new:
			write(kept, text)
			write(kept + '.sum', new)

	def execute(self, job):
		"""Runs a job's command. Shows the results of the upper two levels as they come."""
		env = dict(os.environ)
		env.update({k: v for k, v in job.prepare().items() if v is not None})
		began = last = time.time()
		text = []
		with open(job.log, 'w') as log, open(job.log + '.err', 'w') as err:
			with self.lock:
				if self.stopped:
					return '', 1, ''
				job.process = subprocess.Popen(
					job.command(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
					stderr=err, env=env, start_new_session=True,
					text=True, errors='replace')
			late = threading.Timer(job.limit(), end, (job.process, signal.SIGKILL))
			late.daemon = True
			late.start()
			for line in job.process.stdout:
				log.write(line)
				log.flush()
				text.append(line)
				m = RESULT.match(line)
				if not m:
					continue
				depth, word, name = len(m.group(1)), m.group(2), m.group(3)
				now = time.time()
				if depth <= 2:
					self.slowest.append((now - last, f'{job.name}:{name}'))
					if depth == 2 or not isinstance(job, Guest):
						say(f'{word} {job.name}:{name} ({now - last:.0f} s)')
					last = now
				elif word == 'not ok' and '# SKIP' not in name:
					say(f'{word} {job.name}:{name}')
			status = job.process.wait()
			late.cancel()
		job.seconds = time.time() - began
		errors = read(job.log + '.err')
		if job.seconds >= job.limit():
			errors += f'ended after {job.limit():.0f} s\n'
		return ''.join(text), status, errors

	def allow(self, case):
		"""Fails a case that is skipped although dev/check/skips does not allow that."""
		if case.status != 'skipped':
			return
		# a single case that ONLY picks, as its whole file has it
		full = re.sub(r'(:kselftest/[^/.]+)\.[^/]*/', r'\1/', case.name)
		fitting = [(name, why) for name, why in self.allowed
			   if fnmatch.fnmatch(full, name) and fnmatch.fnmatch(case.why, why)]
		self.allowed.update((p, True) for p in fitting)
		if not fitting:
			case.status = 'failed'
			case.why = f'skipped, which dev/check/skips does not allow: {case.why}'

	def check_skips(self):
		"""Fails for each pattern of dev/check/skips that matched no skipped test, if all
		rows of this length that it is about ran as a whole, and if it is about no row of
		any length. A pattern for all rows is about tests that are skipped by chance."""
		whole = {j.name for j in self.jobs if j.cases and not j.only and
			 all(c.status != 'failed' for c in j.cases)}
		tests = table('tests')
		kernels = {name: Kernel(name, row) for name, row in table('kernels').items()}
		job = Job('skips', {})
		for pattern, why in (p for p, matched in self.allowed.items() if not matched):
			of_row, _, part = pattern.partition(':')
			if of_row == '*':
				continue
			rows = [name for name in fnmatch.filter(tests, of_row)
				if has_part(tests[name], part)]
			ours = {name for name in rows if of_length(tests[name], self.length) and
				here(tests[name], kernels)}
			if not rows:
				self.fails(job, f'dev/check/skips allows {pattern}, '
					   'but no row runs such a test')
			elif ours and ours <= whole:
				self.fails(job, f'dev/check/skips allows {pattern}, '
					   'but no such test is skipped' +
					   (f' with the reason {why}' if why != '*' else ''))
		if job.cases:
			self.jobs.append(job)

	def judge(self, job, text, status, errors):
		"""Makes the cases of a job from its output and status. What a guest prints in
		several boots is one document."""
		if 'reboots' in job.row:
			text = BOOTED.sub('', text)
		with self.lock:
			job.cases, wrong = parse(text, f'{job.name}:')
		ran = [c.name for c in job.cases if c.status != 'skipped']
		for want in job.row.get('wants', '').split():
			if not job.only and not any(re.search(f'[:/]{want}(/|$)', n) for n in ran):
				wrong.append(f'{want} did not run')
		failed = any(c.status == 'failed' for c in job.cases)
		job.cases = [c for c in job.cases if job.counts(c)]
		if job.only and not job.cases:
			wrong.insert(0, f'there is no {" ".join(job.only)}')
		for case in job.cases:
			self.allow(case)
		if wrong:
			# a document that breaks off misses the same thing many times
			job.cases.append(Case(job.name, 'failed', '; '.join(dict.fromkeys(wrong))))
		elif status and not failed:
			job.cases.append(Case(job.name, 'failed', f'ended with status {status}'))
		bad = {c.name for c in job.cases if c.status == 'failed'}
		good = {c.name for c in job.cases if c.status == 'passed'}
		job.usable = f'{job.name}:kernel' in good and f'{job.name}:guest' not in bad
		job.reasons = reasons(text, errors) if bad else []
		counts = ', '.join(f'{n} {s}' for s in ('passed', 'failed', 'skipped')
				   if (n := sum(c.status == s for c in job.cases)))
		how = 'as when it passed' if job.replayed else f'{job.seconds:.0f} s'
		say('\n'.join([f'{"FAILED" if bad else "done"} {job.name}: {counts} ({how})'] +
			      (self.failure(job) if bad else [])))

	def failure(self, job):
		"""The lines that tell what failed in a job, and why."""
		failed = [c for c in job.cases if c.status == 'failed']
		lines = ['    | ' + line for line in job.reasons]
		if os.path.exists(job.log):
			lines.append(f'    all of its output is in {os.path.relpath(job.log, TOP)}*')
		lines += [f'    {c.name}{": " + c.why if c.why else ""}' for c in failed[:20]]
		if len(failed) > 20:
			lines.append(f'    and {len(failed) - 20} more')
		return lines

	def end(self):
		"""Says what was skipped, replayed, slow, and what failed; returns the status."""
		self.check_skips()
		cases = [c for j in self.jobs for c in j.cases]
		skipped = [c for c in cases if c.status == 'skipped']
		if skipped:
			print('skipped:')
			for case in skipped:
				print(f'    {case.name}{": " + case.why if case.why else ""}')
		replayed = [j for j in self.jobs if j.replayed]
		if replayed:
			number = sum(len(j.cases) for j in replayed)
			print(f'replayed, {number} results, since nothing they depend on has changed '
			      '(AGAIN=1 runs them):')
			print('    ' + ' '.join(j.name for j in replayed))
		slowest = sorted(self.slowest, reverse=True)[:10]
		if slowest:
			print('slowest:')
			for seconds, name in slowest:
				print(f'    {seconds:5.0f} s  {name}')
		count = {s: sum(c.status == s for c in cases) for s in ('passed', 'failed', 'skipped')}
		say(f'{len(self.jobs)} jobs')
		if count['failed']:
			# last, with the reasons, for those who see only the end of the output
			print('failed:')
			for job in self.jobs:
				if any(c.status == 'failed' for c in job.cases):
					print('\n'.join(self.failure(job)))
		print('{passed} passed, {failed} failed, {skipped} skipped'.format(**count))
		return 1 if count['failed'] or not count['passed'] else 0


def main():
	if len(sys.argv) < 2:
		sys.exit(__doc__)
	length, *patterns = sys.argv[1:]
	os.makedirs(LOGS, exist_ok=True)
	jobs, unused = choose(length, patterns)
	if unused or not jobs:
		sys.exit(f'no test fits {" ".join(unused) or length}: they are in dev/check/tests')
	runner = Runner(jobs, length)
	for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
		signal.signal(sig, signal.default_int_handler)
	try:
		runner.run()
	except KeyboardInterrupt:
		for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
			signal.signal(sig, signal.SIG_IGN)
		say('interrupted')
		runner.stop()
		os._exit(130)
	sys.exit(runner.end())


if __name__ == '__main__':
	main()
