#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs the tests that dev/check/tests lists, on the kernels of dev/check/kernels.

usage: check.py LENGTH [PATTERN...]

LENGTH is check, full, configs or stress, and selects the rows whose "length" includes it. A PATTERN
selects rows by name instead: one row, or the rows of this length that match it as a shell pattern
("debug/*", "style"). The part after a colon selects jobs, or files or cases of selftests, in these
rows: "debug/*:pid", "x86_64/load:stress"; "debug/files:kunit/ftrace_ops.*gone*" selects suites or
cases of KUnit, "x86_64/files:rtla/rtla.hist*" cases of another job, "style:style.rooms" a case of a
script, and "build/x86_64:contract" one of a kernel: such a job, script or kernel runs as a whole,
and the cases that are not selected do not count. Scripts with the key "picks", like
"user:map_test", run only the tests that are selected. A pattern without a slash that is not the
name of a row is such a part for all guests: "pid". The kernel that a guest boots is always built
first, and all of its cases count.

As many jobs run at once as there are CPUs. The jobs with the longest chain of dependent jobs are
started first. Each result is shown when it is known, and on a terminal a line below shows the
running jobs. All output is in build/log/check. A job that passed is not run again until one of its
dependencies has changed, so an interrupted run continues where it ended.

Only at the length check, a case that fails is run twice more when all other jobs have ended. If it
passes both times, it is shown as unsteady, and does not fail the run.
"""

import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'check'))
import jobs as rows  # noqa: E402
import ktap  # noqa: E402
from jobs import CHECK, KEPT, LOGS, TOP, read  # noqa: E402

AGAIN = any(os.environ.get(v, '') not in ('', '0', 'false') for v in ('AGAIN', 'CI'))
START = int(os.environ.get('DRIVER_START', time.time()))

# Number of times that failed cases run again, unless there are too many to fail by chance.
MORE_RUNS, BY_CHANCE = 2, 5


class Screen:
	"""Standard output: permanent lines, and on a terminal a last line that changes."""

	def __init__(self):
		self.live = sys.stdout.isatty()
		self.lock = threading.Lock()

	def show(self, text):
		self.print('\r\033[K' * self.live + text + '\n')

	def status(self, text):
		if self.live:
			width = shutil.get_terminal_size().columns - 1
			self.print('\r\033[K' + text[:width])

	def print(self, text):
		"""Ignores a closed output: the jobs continue, and the status has the result."""
		with self.lock:
			try:
				print(text, end='', flush=True)
			except OSError:
				pass


screen = Screen()


def stamp():
	return f'[{int(time.time() - START):4d}s]'


def say(text):
	screen.show(f'{stamp()} {text}')


def write(path, text):
	"""Writes a file completely or not at all."""
	os.makedirs(os.path.dirname(path), exist_ok=True)
	with open(path + '.new', 'w') as f:
		f.write(text)
	os.replace(path + '.new', path)


def remove(path):
	if os.path.exists(path):
		os.remove(path)


def end(process, sig):
	"""Sends a signal to a process and all its descendants."""
	try:
		os.killpg(process.pid, sig)
	except ProcessLookupError:
		pass


def minutes(seconds):
	return f'{seconds:.0f} s' if seconds < 90 else f'{seconds / 60:.0f} min'


def reasons(text, errors):
	"""The lines of a job's output with the reason of its failure: the lines before the
	first few results that are not ok, and the last lines of standard error. A script that
	failed only because its cases failed has no such lines."""
	lines = [l for l in text.splitlines() if l.strip()]
	bad = [i for i, l in enumerate(lines) if l.lstrip().startswith('not ok') and
	       not re.match(r'\s*# Totals:.* fail:[1-9]', lines[i - 1])]
	found, after = [], 0
	for i in bad[:3]:
		found += lines[max(after, i - 12):i + 1]
		after = i + 1
	return found + errors.splitlines()[-20:]


class Clock:
	"""Times the results of a running job, and shows the results of the upper two levels."""

	def __init__(self, job):
		self.job = job
		self.cases = []  # how many seconds each one took, and its name
		self.depth = 0
		self.last = self.last_shown = time.time()

	def result(self, depth, word, name):
		now = time.time()
		job = self.job
		# A result that follows deeper results is their sum.
		if depth >= self.depth:
			self.cases.append((now - self.last, f'{job.name}:{name}'))
			job.at = name.partition(':')[0]
		if depth <= 2:
			if depth == 2 or not isinstance(job, rows.Guest):
				say(f'{word} {job.name}:{name} ({now - self.last_shown:.0f} s)')
			self.last_shown = now
		elif word == 'not ok' and '# SKIP' not in name:
			say(f'{word} {job.name}:{name}')
		self.depth, self.last = depth, now


class Runner:
	def __init__(self, jobs, length, whole):
		self.jobs = jobs
		self.length = length
		self.whole = whole  # all of this length run
		self.slots = int(os.environ.get('JOBS') or os.cpu_count())
		self.lock = threading.Condition()
		self.running = set()
		self.stopped = False
		self.slowest = []
		lines = read(os.path.join(CHECK, 'skips')).splitlines()
		# for each (NAME, WHY) that allows a skip: has a skipped test matched it?
		self.allowed = {re.match(r'(\S+)\s*(?:"(.*?)")?', line).groups('*'): False
				for line in lines if line.strip() and not line.startswith('#')}

	def chain(self, job):
		"""Seconds of the longest chain of jobs that begins with this one."""
		return job.left() + max(
			[self.chain(j) for j in self.jobs if job in j.after], default=0)

	def left(self):
		"""The approximate remaining time, or '' if no job is left."""
		jobs = [j for j in self.jobs if j.state != 'done']
		if not jobs:
			return ''
		return minutes(max(sum(j.left() for j in jobs) / self.slots,
				   max(self.chain(j) for j in jobs)))

	def run(self):
		waiting = sorted(self.jobs, key=self.chain, reverse=True)
		with self.lock:
			while waiting or self.running:
				ready = [j for j in waiting
					 if all(a.state == 'done' for a in j.after)]
				while ready and len(self.running) < self.slots:
					job = ready.pop(0)
					waiting.remove(job)
					self.running.add(job)
					threading.Thread(target=self.go, args=(job,), daemon=True).start()
				now = ', '.join(f'{j.name} {j.at}'.strip() for j in self.running)
				screen.status(f'{stamp()} {len(waiting)} jobs wait, about '
					      f'{self.left()} left; {now}')
				self.lock.wait(1)

	def stop(self):
		"""Ends all jobs, and prevents new ones from starting."""
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
		finally:
			with self.lock:
				job.state = 'done'
				self.running.discard(job)
				self.lock.notify_all()

	def fails(self, job, why):
		"""Fails a job that has not printed any results."""
		job.cases.append(ktap.Case(job.name, 'failed', why))
		say(f'FAILED {job.name}: {why}')

	def job(self, job):
		for other in job.after:
			if not other.usable:
				self.fails(job, f'{other.name} failed')
				return
		kept = os.path.join(KEPT, 'passed', job.name.replace('/', '-'))
		now = job.sum()
		if now and not AGAIN and read(kept + '.sum') == now:
			job.replayed = True
			self.judge(job, read(kept), 0, '')
			if not job.broken:
				return
			job.replayed = False  # the file is damaged
		if not job.only:
			remove(kept + '.sum')
		say(f'begins {job.name}')
		text, status, errors = self.execute(job)
		if self.stopped:
			return
		self.judge(job, text, status, errors)
		if job.only or any(c.status == 'failed' for c in job.cases):
			return
		write(job.kept_seconds, f'{job.seconds:.1f}\n')
		if isinstance(job, rows.Kernel):
			now = job.sum()  # with what has been built
		# The sources may have been edited while the job ran.
		if now and rows.Sources().sum(job.reads()) == job.sources.sum(job.reads()):
			write(kept, text)
			write(kept + '.sum', now)

	def execute(self, job):
		"""Runs a job's command. Shows the results of the upper two levels immediately."""
		env = dict(os.environ)
		env.update({k: v for k, v in job.prepare().items() if v is not None})
		job.state, job.began = 'running', time.time()
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
			clock = Clock(job)
			for line in job.process.stdout:
				log.write(line)
				log.flush()
				text.append(line)
				m = ktap.RESULT.match(line)
				if m:
					clock.result(len(m.group(1)), m.group(2), m.group(3))
			status = job.process.wait()
			late.cancel()
		self.slowest += clock.cases
		write(job.log + '.times', ''.join(f'{s:7.1f} {name}\n' for s, name in clock.cases))
		job.seconds = time.time() - job.began
		errors = read(job.log + '.err')
		if job.seconds >= job.limit():
			errors += f'ended after {job.limit():.0f} s\n'
		return ''.join(text), status, errors

	def allow(self, case):
		"""Fails a case that is skipped although dev/check/skips does not allow that."""
		if case.status != 'skipped':
			return
		# a single case selected by ONLY, under the name that it has in its whole file
		full = re.sub(r'(:kselftest/[^/.]+)\.[^/]*/', r'\1/', case.name)
		fitting = [(name, why) for name, why in self.allowed
			   if fnmatch.fnmatch(full, name) and fnmatch.fnmatch(case.why, why)]
		self.allowed.update((p, True) for p in fitting)
		if not fitting:
			case.status = 'failed'
			case.why = f'skipped, which dev/check/skips does not allow: {case.why}'

	def check_skips(self):
		"""Fails for each pattern of dev/check/skips that matched no skipped test, if all
		rows of this length that it applies to ran as a whole, or if it applies to no row of
		any length. A pattern for all rows is for tests that are skipped by chance."""
		whole = {j.name for j in self.jobs if j.cases and not j.only and
			 all(c.status != 'failed' for c in j.cases)}
		tests = rows.table('tests')
		kernels = {name: rows.Kernel(name, row)
			   for name, row in rows.table('kernels').items()}
		job = rows.Job('skips', {})
		for pattern, why in (p for p, matched in self.allowed.items() if not matched):
			of_row, _, part = pattern.partition(':')
			if of_row == '*':
				continue
			names = [name for name in fnmatch.filter(tests, of_row)
				 if rows.has_part(tests[name], part)]
			ours = {name for name in names if rows.of_length(tests[name], self.length) and
				rows.here(tests[name], kernels)}
			if not names:
				self.fails(job, f'dev/check/skips allows {pattern}, '
					   'but no row runs such a test')
			elif ours and ours <= whole:
				self.fails(job, f'dev/check/skips allows {pattern}, '
					   'but no such test is skipped' +
					   (f' with the reason {why}' if why != '*' else ''))
		if job.cases:
			self.jobs.append(job)

	def judge(self, job, text, status, errors):
		"""Makes the cases of a job from its output and status. The output of a guest in
		several boots is one document."""
		if 'reboots' in job.row:
			text = ktap.BOOTED.sub('', text)
		with self.lock:
			job.cases, wrong = ktap.parse(text, f'{job.name}:')
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
		job.broken = bool(wrong or status and not failed or
				  re.search('^qemu: ', errors, re.M))
		if wrong:
			# a truncated document misses the same result many times
			job.cases.append(ktap.Case(job.name, 'failed', '; '.join(dict.fromkeys(wrong))))
		elif status and not failed:
			job.cases.append(ktap.Case(job.name, 'failed', f'ended with status {status}'))
		bad = {c.name for c in job.cases if c.status == 'failed'}
		good = {c.name for c in job.cases if c.status == 'passed'}
		job.usable = f'{job.name}:kernel' in good and f'{job.name}:guest' not in bad
		job.reasons = reasons(text, errors) if bad else []
		job.state = 'done'
		counts = ', '.join(f'{n} {s}' for s in ('passed', 'failed', 'skipped')
				   if (n := sum(c.status == s for c in job.cases)))
		how = 'as when it passed' if job.replayed else f'{job.seconds:.0f} s'
		left = self.left()
		say('\n'.join([f'{"FAILED" if bad else "done"} {job.name}: {counts} ({how})' +
			       f', about {left} left' * bool(left)] +
			      (self.failure(job) if bad else [])))

	def failure(self, job):
		"""The lines about failed cases of a job: reasons, and how to run them again."""
		failed = [c for c in job.cases if c.status == 'failed']
		lines = ['    | ' + line for line in job.reasons]
		if os.path.exists(job.log):
			lines.append(f'    all of its output is in {os.path.relpath(job.log, TOP)}*')
		for case in failed[:20]:
			lines.append(f'    {case.name}{": " + case.why if case.why else ""}')
			if job.row:
				lines.append(f"      make check ONLY='{job.pattern(case)}'")
		if len(failed) > 20:
			lines.append(f'    and {len(failed) - 20} more')
		return lines

	def run_more(self):
		"""Runs the cases that failed more times, each alone. One that passes each time is
		unsteady, unless its job did not end well: a kernel that warns once has failed."""
		failed = [(j, c) for j in self.jobs for c in j.cases if c.status == 'failed']
		if self.length != 'check' or not self.whole or len(failed) > BY_CHANCE:
			return
		for job, case in failed:
			part = job.part(case)
			if job.broken or not job.began or not part or isinstance(job, rows.Kernel):
				continue
			if all(self.passes(job.again(part, nr)) for nr in range(MORE_RUNS)):
				case.status = 'unsteady'

	def passes(self, job):
		say(f'runs {job.name} again, {" ".join(job.only)}')
		self.running.add(job)
		self.judge(job, *self.execute(job))
		self.running.discard(job)
		return all(c.status != 'failed' for c in job.cases)

	def show_unsteady(self):
		unsteady = [(j, c) for j in self.jobs for c in j.cases if c.status == 'unsteady']
		if unsteady:
			print(f'unsteady, failed once and then passed {MORE_RUNS} times:')
		for job, case in unsteady:
			print(f'    {case.name}, see {os.path.relpath(job.log, TOP)}*')
			case.status = 'passed'

	def end(self):
		"""Prints the skipped, replayed, slow and failed tests; returns the status."""
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
		say(f'{len(self.jobs)} jobs')
		self.show_unsteady()
		count = {s: sum(c.status == s for c in cases) for s in ('passed', 'failed', 'skipped')}
		if count['failed']:
			# last, with the reasons, because the end of the output is often all
			# that is visible
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
	jobs, unused = rows.choose(length, patterns)
	if unused or not jobs:
		sys.exit(f'no test fits {" ".join(unused) or length}: they are in dev/check/tests')
	rows.Job.sources = rows.Sources()
	runner = Runner(jobs, length, not patterns)
	# nohup sets SIGHUP to ignored
	signals = [s for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
		   if signal.getsignal(s) != signal.SIG_IGN]
	for sig in signals:
		signal.signal(sig, signal.default_int_handler)
	try:
		runner.run()
		runner.run_more()
	except BaseException as e:
		for sig in signals:
			signal.signal(sig, signal.SIG_IGN)
		runner.stop()
		say('interrupted' if isinstance(e, KeyboardInterrupt) else repr(e))
		os._exit(130)
	screen.status('')
	sys.exit(runner.end())


if __name__ == '__main__':
	main()
