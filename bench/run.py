#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs benchmark programs, each with its cases interleaved at random, and writes what they measure as JSON files."""

import argparse
import pathlib
import subprocess
import sys
import time


def run(program, output, options):
    """Runs one program. Its own report is not shown, since the ratios that matter are not in it."""
    print(f"{program.name} ...", end=" ", flush=True)
    start = time.monotonic()
    command = [program.resolve(), f"--benchmark_out={output}", "--benchmark_out_format=json", *options]
    outcome = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    print(f"{time.monotonic() - start:.0f} s", flush=True)
    if outcome.returncode != 0:
        sys.exit(outcome.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--directory", type=pathlib.Path, required=True, help="where the JSON files go")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--filter", default=".", help="a regular expression: the benchmarks to run")
    arguments = parser.parse_args()

    options = [
        "--benchmark_enable_random_interleaving=true",
        f"--benchmark_repetitions={arguments.repetitions}",
        f"--benchmark_filter={arguments.filter}",
    ]
    arguments.directory.mkdir(parents=True, exist_ok=True)
    for program in arguments.programs:
        run(program, arguments.directory / f"{program.name}.json", options)


if __name__ == "__main__":
    main()
