#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cppcheck 2.17 or later over every header and explains what it reports.

usage: cppcheck.py

cppcheck does not read all forms of `requires`, so it gets copies of the headers whose concepts are `true`, on the same
lines. What is reported and why it is no error is listed in cppcheck.txt by file and kind; every other report is an
error, and so is an entry of the list for which nothing is reported.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OPENING, CLOSING = "([{", ")]}"


def end_of_concept(text, position):
    """The semicolon that ends the expression which begins at the position: none within brackets does."""
    depth = 0
    while depth > 0 or text[position] != ";":
        depth += (text[position] in OPENING) - (text[position] in CLOSING)
        position += 1
    return position


def without_concepts(text):
    pieces, position = [], 0
    for found in re.finditer(r"\bconcept\s+\w+\s*=", text):
        end = end_of_concept(text, found.end())
        pieces += [text[position:found.end()], " true", "\n" * text.count("\n", found.end(), end)]
        position = end
    return "".join(pieces) + text[position:]


def main():
    with tempfile.TemporaryDirectory() as folder:
        copies = pathlib.Path(folder)
        headers = [path.relative_to(ROOT) for path in sorted((ROOT / "include").rglob("*.hpp"))]
        for header in headers:
            (copies / header).parent.mkdir(parents=True, exist_ok=True)
            (copies / header).write_text(without_concepts((ROOT / header).read_text()))
        every = copies / "every.cpp"
        every.write_text("".join(f"#include <{header.relative_to('include')}>\n" for header in headers))
        done = subprocess.run(
            ["cppcheck", "--std=c++20", "--language=c++", "--enable=warning,performance,portability", "--quiet",
             "--check-level=exhaustive", "--max-configs=1", "--suppress=toomanyconfigs", "--error-exitcode=0",
             "--template={file}:{line}: {id}: {message}", "--template-location=", "-I", "include", every.name],
            cwd=copies, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        return 1
    lines = (HERE / "cppcheck.txt").read_text().splitlines()
    known = {tuple(line.split(": ", 2)[:2]) for line in lines if line and not line.startswith("#")}
    seen, faults = set(), 0
    reports = sorted(set(re.findall(r"^(\S+?):(\d+): (\w+): (.*)$", done.stderr, re.MULTILINE)))
    for name, line, kind, message in reports:
        if (name, kind) in known:
            seen.add((name, kind))
        else:
            faults += 1
            print(f"{name}:{line}: {kind}: {message}")
    for name, kind in sorted(known - seen):
        faults += 1
        print(f"{name}: {kind}: listed in cppcheck.txt, and nothing is reported there")
    print(f"{len(headers)} headers, {len(reports)} reports, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
