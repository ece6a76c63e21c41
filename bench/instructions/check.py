# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of the calls of calls.cpp under valgrind, whose processor is always the same, and compares
them with counts.json. A call that takes more than 3 % more fails. Nothing is timed.

    python check.py --program PROGRAM            # built as CMakeLists.txt says
    python check.py --program PROGRAM --store    # keeps what was counted as the new counts.json
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).with_name("counts.json")
PREFIX = "strew_call_"
MOST_GROWTH = 0.03
SKIPPED = 77  # what CTest is told


def count_instructions(program, valgrind):
    """The instructions of each function strew_call_.., with all that it calls."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        subprocess.run([valgrind, "--tool=callgrind", f"--callgrind-out-file={profile}", program],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = profile.read_text()
    # "cfn=(4) name", later "cfn=(4)" alone; "calls=1 .."; then the line of the call and what it took.
    names = dict(re.findall(rf"^c?fn=\((\d+)\) ({PREFIX}\w+)", text, re.MULTILINE))
    counts = {}
    for number, cost in re.findall(r"^cfn=\((\d+)\).*\ncalls=.*\n\S+ (\d+)$", text, re.MULTILINE):
        if number in names:
            counts[names[number].removeprefix(PREFIX)] = int(cost)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--valgrind", default="valgrind")
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()

    if " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
        print("Not counted: valgrind shows programs the processor that is stored only where there is AVX2")
        return SKIPPED
    counts = count_instructions(options.program, options.valgrind)
    if options.store:
        STORED.write_text(json.dumps(counts, indent=2) + "\n")
        print(f"{len(counts)} calls stored")
        return 0
    stored = json.loads(STORED.read_text())
    failed = counts.keys() != stored.keys()
    for name in sorted(counts.keys() ^ stored.keys()):
        print(f"{name}: only {'counted' if name in counts else 'stored'}")
    for name in sorted(counts.keys() & stored.keys()):
        growth = counts[name] / stored[name] - 1
        verdict = "MORE" if growth > MOST_GROWTH else "less: store it" if growth < -MOST_GROWTH else ""
        print(f"{name:40} {counts[name]:>12,} instructions, stored {stored[name]:>12,} {100 * growth:+6.1f} % {verdict}")
        failed |= growth > MOST_GROWTH
    return 1 if failed or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
