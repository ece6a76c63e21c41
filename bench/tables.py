#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what several builds measured as one document, docs/goals.md: their results.json side by side.

    bench/tables.py build/bench/results.json build/bench-o2/results.json .. > docs/goals.md
"""

import argparse
import json
import pathlib

import goals
import report

TITLES = {
    "one_thread": "One thread: processor time, x `memcpy` of data to the output",
    "workspace": "One thread with a workspace: processor time, x `memcpy`",
    "two_threads": "Two threads: how many times as fast as one, and what two threads of `memcpy` gain",
    "two_with_workspace": "Two threads with a workspace: time on the clock, x one `memcpy`",
    "small_tensors": "Small tensors: nanoseconds a call, and those of loops that check nothing",
    "small_prepared": "Small tensors, prepared: nanoseconds a run, and those of loops that check nothing",
}
BESIDE = {"two_threads": "`memcpy` gains", "small_tensors": "plain loops", "small_prepared": "plain loops"}


def name_of(results):
    compiler, flags = results["machine"]["compiler"].split(" ", 2)[::2]
    return f"{'g++' if compiler == 'GNU' else 'clang'}, `{flags.removesuffix(' -DNDEBUG')}`"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def shown(row, goal, at_most):
    """A value, in bold where it misses its goal."""
    text = f"{row['value']:.2f}" if row["value"] < 100 else f"{row['value']:.0f}"
    return f"**{text}**" if report.verdict(row["value"], goal, at_most).startswith("missed") else text


def table(comparison, builds):
    """The rows that all builds have: float32 by int64, small tensors too; in place where there is a goal."""
    rows = [
        {(row["case"], row["size"]): row for row in results[comparison.name] if row["type"] == "float32"}
        for results in builds
    ]
    beside = BESIDE.get(comparison.name)
    yield line(["case", "size", "goal", *(name_of(results) for results in builds), *([beside] if beside else [])])
    yield "|---" * (3 + len(builds) + bool(beside)) + "|"
    for key, first in rows[0].items():
        case, size = key
        goal = goals.goal(comparison.goals, case, "float32", size)
        if (case.endswith("_in_place") and goal is None) or any(key not in of_build for of_build in rows):
            continue
        cells = [case.replace("_", " ").replace("/", ": "), size, "" if goal is None else f"{goal:g}"]
        cells += [shown(of_build[key], goal, comparison.at_most) for of_build in rows]
        if beside:
            value = first["memcpy"] if comparison.name == "two_threads" else first["loops"]
            cells.append(f"{value:.2f}" if comparison.name == "two_threads" else f"{value:.0f}")
        yield line(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    builds = [json.loads(file.read_text()) for file in parser.parse_args().results]
    print("# Goals, and what is reached\n")
    print("Made by `bench/tables.py` of runs of the presets named bench. Bold: a goal is missed; why stands in")
    print("[performance.md](performance.md). float32, int64 indices, validation included.\n")
    for results in builds:
        machine = results["machine"]
        memcpy = ", ".join(f"{size} {rate:.1f}" for size, rate in results["memcpy_gigabytes_per_second"].items())
        print(f"- {name_of(results)}: {machine['processor']}; {machine['caches']}; huge pages: {machine['huge pages']};")
        print(f"  other programs {machine['other programs']}; `memcpy`, GB/s: {memcpy}")
    for comparison in report.COMPARISONS:
        print(f"\n## {TITLES[comparison.name]}\n")
        print("\n".join(table(comparison, builds)))


if __name__ == "__main__":
    main()
