#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests with each mutant until one fails: run.py <mutants.json> <folder of strew_*_test> [--output F] [--only N,N..].

A mutant is killed by a program that fails, crashes or takes five times as long as without mutants. Writes the survivors
and the share that was killed; equivalent.json beside this file says of which survivors no test can tell, and why.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(program, mutant, seconds):
    environment = dict(os.environ, STREW_MUTANT=str(mutant))
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
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("mutation.json"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", help="numbers of mutants, 1 for the first")
    options = parser.parse_args()
    mutants = json.loads(options.mutants.read_text())
    if options.only:
        mutants = {number: mutants[number] for number in options.only.split(",")}
    limits = {}
    for name in sorted(path.name for path in options.folder.glob("strew_*_test")):
        began = time.monotonic()
        if not run(options.folder / name, 0, 600):
            sys.exit(f"{name} fails without a mutant")
        limits[name] = 5 * (time.monotonic() - began) + 10
    programs = sorted(limits, key=limits.get)

    def kill(number):
        for name in programs:
            if not run(options.folder / name, number, limits[name]):
                return number, name
        return number, None

    killed = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, name in pool.map(kill, mutants):
            killed[number] = name
            if name is None:
                print(f"survives: {number} {mutants[number]}", flush=True)
    known = {(one["file"], one["was"], one["is"]) for one in json.loads((HERE / "equivalent.json").read_text())}
    survivors = [dict(mutants[number], number=number) for number, name in killed.items() if name is None]
    unknown = [one for one in survivors if (one["file"], one["was"], one["is"]) not in known]
    total, dead = len(mutants), len(mutants) - len(survivors)
    print(f"{dead} of {total} mutants killed ({dead / total:.1%}), {len(survivors) - len(unknown)} equivalent, "
          f"{len(unknown)} survive")
    options.output.write_text(json.dumps({"killed": killed, "survivors": survivors}, indent=1) + "\n")


main()
