#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints an archive as one commit, the branch "base", for git fast-import.

usage: history.py ARCHIVE
"""

import os
import sys
import tarfile


def main():
	archive = sys.argv[1]
	out = sys.stdout.buffer
	who = f'base <base@localhost> {int(os.stat(archive).st_mtime)} +0000'
	name = os.path.basename(archive)
	out.write(f'commit refs/heads/base\ncommitter {who}\n'
		  f'data {len(name) + 1}\n{name}\n\n'.encode())
	with tarfile.open(archive, 'r|*') as tar:
		for member in tar:
			path = member.name.partition('/')[2]
			if member.isfile():
				mode = '100755' if member.mode & 0o111 else '100644'
				text = tar.extractfile(member).read()
			elif member.issym():
				mode, text = '120000', member.linkname.encode()
			else:
				continue
			out.write(f'M {mode} inline {path}\ndata {len(text)}\n'.encode())
			out.write(text + b'\n')


if __name__ == '__main__':
	main()
