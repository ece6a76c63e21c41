#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests with each mutant until one fails: run.py <mutants.json> <folder of strew_*_test> <result.json>.

A mutant is run by the programs that reach it, those that take the least time first, and killed by one that fails,
crashes or takes five times as long as without mutants. If the result exists, only mutants that survived before are run,
with the programs of another build. Those of equivalent.json, of which no test can tell, are not run. Writes the result,
the survivors, those that no program reaches and the share that was killed.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(program, mutant, seconds, **more):
    environment = dict(os.environ, STREW_MUTANT=str(mutant), ASAN_OPTIONS="detect_leaks=0", **more)
    try:
        done = subprocess.run([program, "--abort"], env=environment, timeout=seconds, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mutants", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    mutants = json.loads(options.mutants.read_text())
    killed = json.loads(options.result.read_text()) if options.result.exists() else {}
    known = {(one["file"], one["was"], one["is"]) for one in json.loads((HERE / "equivalent.json").read_text())}
    equivalent = [number for number, one in mutants.items() if (one["file"], one["was"], one["is"]) in known]
    left = [number for number in mutants if killed.get(number) is None and number not in equivalent]

    limits = {}
    reached = {}
    for path in sorted(options.folder.glob("strew_*_test")):
        began = time.monotonic()
        with tempfile.NamedTemporaryFile("r") as numbers:
            if not run(path, 0, 600, STREW_MUTANTS_REACHED=numbers.name):
                sys.exit(f"{path.name} fails without a mutant")
            reached[path.name] = set(numbers.read().split())
        limits[path.name] = 5 * (time.monotonic() - began) + 10
    programs = sorted(limits, key=limits.get)

    def kill(number):
        for name in programs:
            if number in reached[name] and not run(options.folder / name, number, limits[name]):
                return number, name
        return number, None

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, name in pool.map(kill, left):
            killed[number] = name
            options.result.write_text(json.dumps(killed, indent=1) + "\n")
    for number in left:
        if killed[number] is None:
            seen = "survives" if any(number in numbers for numbers in reached.values()) else "not reached"
            print(f"{seen}: {number} {mutants[number]}")
    count = len(mutants) - len(equivalent)
    dead = sum(killed.get(number) is not None for number in mutants if number not in equivalent)
    print(f"{len(mutants)} mutants, {len(equivalent)} of them equivalent; {dead} of {count} killed ({dead / count:.1%})")


main()
