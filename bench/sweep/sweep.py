#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls drawn at random beside loops: runs pools of them and shows the worst first.

    sweep.py --program PATH [--kernels PATH] [--results FILE] [--calls 600] [--seed S]... [--repeat 1] [--least-us 3]
             [--shown 25] [--most-ratio R [--above-us U] [--slow-calls N]] [--beside one-thread]

A ratio is the time of the faster loops divided by that of strew: of those that check the indices first, and beside a bound
call, whose indices have been checked before, of those that do not. Calls below --least-us of the loops are counted on a
line of their own. The seeds are those of the commit, three of them, unless some are given. A call is a loss if its ratio is
below 0.8 in all repetitions. With --most-ratio the program fails where more than N calls, of those that take longer than U
microseconds, take more than R times as long as the loops in all of them. With --beside one-thread each call is made on two
threads, beside the same call on one in the place of loops, and those that take more than 1.1 times as long in all repetitions
are listed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import pools


def run(program: Path, seed: int, calls: int, beside: list[str]) -> list[dict[str, Any]]:
    command = [program, "--seed", str(seed), "--calls", str(calls), "--least-us", "0", *beside]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    for each in ran.stdout.splitlines():
        if not each.startswith("{"):
            print(each)
    if ran.returncode != 0:
        sys.exit(f"{program} --seed {seed} failed: {ran.stderr or 'see above'}")
    return [json.loads(each) for each in ran.stdout.splitlines() if each.startswith("{")]


def fastest_loops(row: dict[str, Any]) -> float:
    if "one_thread" in row:
        return row["one_thread"]
    checks = "unchecked" if row["form"] == "bound" else "checked"
    return min(row[checks], row[checks + "_by_output"])


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Each call once, with its ratios in all repetitions."""
    rows: dict[tuple[int, int], dict[str, Any]] = {}
    for repetition in range(options.repeat):
        for seed in options.seed or pools.seeds(3):
            for row in run(options.program, seed, options.calls, options.beside and ["--beside", options.beside] or []):
                key = row["seed"], row["number"]
                if repetition == 0:
                    rows[key] = {**row, "loops": fastest_loops(row), "ratios": []}
                if key in rows:
                    rows[key]["ratios"].append(fastest_loops(row) / row["strew"])
    for row in rows.values():
        row["ratio"] = sorted(row["ratios"])[len(row["ratios"]) // 2]
    return sorted(rows.values(), key=lambda row: row["ratio"])


def kernels(program: Path | None, row: dict[str, Any]) -> str:
    if program is None:
        return ""
    command = [program, "--case", f"{row['seed']}:{row['number']}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1].strip()


def show(rows: list[dict[str, Any]], short: list[dict[str, Any]], options: argparse.Namespace) -> None:
    for threads in (1, 2):
        print(pools.line(f"threads: {threads}", pools.of_threads(rows, threads)))
        print(pools.line(f"  below {options.least_us:g} us", pools.of_threads(short, threads)))
    print(*pools.lines_of_groups(rows, "form"), *pools.lines_of_groups(rows, "operator"), sep="\n")
    for row in rows[: options.shown]:
        row["kernels"] = kernels(options.kernels, row)
        times = f"strew {row['strew']:10.1f} us, loops {row['loops']:10.1f}"
        print(f"{row['ratio']:6.3f}  {times}  --case {row['seed']}:{row['number']}")
        print(f"        {row['text']}")
        if row["kernels"]:
            print(f"        kernels: {row['kernels']}")


def show_slower_on_threads(rows: list[dict[str, Any]]) -> None:
    print("Two threads / one, the median of each operator:")
    for name in sorted({row["operator"] for row in rows}):
        of = [1 / row["ratio"] for row in rows if row["operator"] == name]
        print(f"  {name:<32} {len(of):5} calls {statistics.median(of):6.2f}")
    slower = [row for row in rows if max(row["ratios"]) < 1 / 1.1]
    print(f"{len(slower)} of {len(rows)} calls take more than 1.1 times as long on two threads in all repetitions:")
    for row in slower:
        print(f"  {1 / max(row['ratios']):5.2f}  {row['strew']:10.1f} us  --case {row['seed']}:{row['number']} {row['text']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--kernels", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--least-us", type=float, default=3)
    parser.add_argument("--shown", type=int, default=25)
    parser.add_argument("--beside", choices=["one-thread"])
    parser.add_argument("--most-ratio", type=float)
    parser.add_argument("--above-us", type=float, default=20)
    parser.add_argument("--slow-calls", type=int, default=0)
    options = parser.parse_args()

    measured = measure(options)
    rows = [row for row in measured if row["loops"] >= options.least_us]
    short = [row for row in measured if row["loops"] < options.least_us]
    show(rows, short, options)
    if options.results is not None:
        options.results.write_text(json.dumps({"about": pools.about(short), "calls": rows}, indent=0) + "\n")
    if options.beside is not None:
        show_slower_on_threads(rows)
    if options.most_ratio is None:
        return 0
    slow = [row for row in rows if max(row["ratios"]) < 1 / options.most_ratio and row["strew"] > options.above_us]
    for row in slow:
        print(f"{1 / row['ratio']:.1f} times as long as loops: --case {row['seed']}:{row['number']} {row['text']}")
    print(f"{len(slow)} calls take more than {options.most_ratio:g} times as long as loops and {options.above_us:g} us,"
          f" allowed are {options.slow_calls}")  # fmt: skip
    return 1 if len(slow) > options.slow_calls else 0


if __name__ == "__main__":
    sys.exit(main())
