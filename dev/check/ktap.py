# SPDX-License-Identifier: GPL-2.0
"""Reads the results of tests: nested KTAP documents."""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

sys.path.insert(0, os.path.join(TOP, 'build/linux/tools/testing/kunit'))
import kunit_parser  # noqa: E402

RESULT = re.compile(r'^(\s*)(ok|not ok) \d+ (?:- )?(.*?)\s*$')
HEADER = re.compile(r'^(\s*)K?TAP version \d+\s*$')
PLAN = re.compile(r'^(\s*)1\.\.\d+')
# lines that a guest prints at each boot, except the first one
BOOTED = re.compile(r'(?<=\n)K?TAP version \d+\n1\.\.\d+\n')


class Errors:
	"""Replaces the printer of kunit_parser, and keeps only the errors."""

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
	"""Moves each plan before the results, where kunit_parser expects it.

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
	"""Returns the reasons of skipped tests, by their names: the text after SKIP, or else the
	last comment before that result, except the duration of a selftest."""
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
	"""Returns the cases of a KTAP document, and the errors of the document."""
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
