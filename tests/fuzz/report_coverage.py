#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the line coverage of headers by an lcov file, and the lines that were never reached.

report_coverage.py <lcov file> <folder of headers>: first the headers of which no line was reached, then for each other
one the lines that were not, as ranges.
"""

import pathlib
import sys


def ranges_of(lines):
    """Consecutive numbers as text: 3-5, 9."""
    ranges = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


def main(lcov, folder):
    counts = {}
    header = None
    for line in pathlib.Path(lcov).read_text().splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            header = pathlib.Path(value)
        elif key == "DA" and header.is_relative_to(folder):
            number, count = value.split(",")[:2]
            lines = counts.setdefault(header.relative_to(folder), {})
            lines[int(number)] = lines.get(int(number), 0) + int(count)
    instrumented = reached = 0
    missed = {}
    for name, lines in sorted(counts.items()):
        missed[name] = [number for number, count in lines.items() if count == 0]
        instrumented += len(lines)
        reached += len(lines) - len(missed[name])
    print("headers with no line reached:")
    for name, lines in missed.items():
        if len(lines) == len(counts[name]):
            print(f"  {name}")
    print("lines never reached:")
    for name, lines in missed.items():
        if lines and len(lines) < len(counts[name]):
            print(f"  {name}: {len(lines)} of {len(counts[name])}: {ranges_of(lines)}")
    print(f"lines reached: {reached} of {instrumented} ({100 * reached / max(instrumented, 1):.1f} %)")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve())
