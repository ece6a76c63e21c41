#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build with clang's -fsanitize=integer,implicit-conversion and explains what it reports.

usage: integer.py <build folder>

Overflow of unsigned numbers is defined; files where it is meant, and why, are listed in unsigned_overflow.txt. Every
other report is an error: a conversion that changes a value, a shift that loses bits, an unsigned overflow in a file
that is not listed. So is a file that is listed for nothing. In the tests themselves, which draw numbers and hash them,
unsigned numbers may overflow.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REPORT = re.compile(r"^(\S+?):(\d+):\d+: runtime error: (.*)$", re.MULTILINE)


def explained():
    lines = (HERE / "unsigned_overflow.txt").read_text().splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, UBSAN_OPTIONS=f"log_path={folder}/report")
        done = subprocess.run(["ctest", "--test-dir", sys.argv[1], "--parallel", str(os.cpu_count()), "--no-tests=error",
                               "--output-on-failure"], env=environment, stdout=subprocess.PIPE, text=True)
        reports = collections.Counter()
        for path in pathlib.Path(folder).iterdir():
            for name, line, message in REPORT.findall(path.read_text()):
                source = pathlib.Path(name).resolve()
                if source.is_relative_to(ROOT):
                    kind = re.sub(r"-?\d+(\.\d+)?(e[+-]?\d+)?", "N", message)
                    reports[str(source.relative_to(ROOT)), int(line), kind] += 1
    print(done.stdout[-600:] if done.returncode else "\n".join(done.stdout.splitlines()[-3:]))
    known, seen, faults = explained(), set(), 0
    for (name, line, kind), count in sorted(reports.items()):
        is_unsigned = kind.startswith(("unsigned integer overflow", "left shift"))
        if is_unsigned and name.startswith("tests/"):
            continue
        if is_unsigned and name in known:
            seen.add(name)
        else:
            faults += 1
            print(f"{name}:{line}: {kind} ({count} programs)")
    for name in sorted(known.keys() - seen):
        faults += 1
        print(f"{name}: listed in unsigned_overflow.txt, and nothing overflows there")
    print(f"{len(reports)} places, {faults} of them not explained")
    return 1 if faults or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
