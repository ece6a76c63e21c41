#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what several builds measured as one document, docs/goals.md: their results.json side by side.

    bench/tables.py build/bench/results.json build/bench-o2/results.json .. > docs/goals.md
"""

import argparse
import json
import math
import pathlib

import goals
import labels
import report

HOW_TO_READ = """\
The goals are in [bench/goals.py](../bench/goals.py). [performance.md](performance.md#goals-and-what-is-missed) explains
each one that is missed.

**How to read the tables.** Elements are float32, indices int64; times include all checks. In the first tables a figure
is the time of a call divided by the time of `memcpy` of data to the output in the same run; for calls in place, of
`memcpy` of the updates. A goal of 1.30 is met by 1.30 and less; of speedups and nanoseconds the heading says what is
better. **Bold**: the goal is missed. A row without a goal is measured for information. For histograms `memcpy` copies
the updates, not data.

**loops** are those that a user would write: they copy data and then apply one update after the other, without any check
and without prefetching, in the same run. A figure with a ° misses its goal, and is no worse than these loops; of two threads, than
what two threads of `memcpy` gain.
"""

KINDS = {
    "one_thread": "one thread",
    "two_threads": "two threads",
    "workspace": "one thread with a workspace",
    "two_with_workspace": "two threads with a workspace",
    "small_tensors": "small tensors",
    "small_prepared": "small tensors, prepared calls",
    "small_made_anew": "small tensors, views made by each call",
    "small_containers": "small containers",
}
TITLES = {
    "one_thread": "One thread: processor time / time of `memcpy`",
    "two_threads": "Two threads: speedup over one thread, and that of `memcpy`; more is better",
    "workspace": "One thread with a workspace: processor time / time of `memcpy`",
    "two_with_workspace": "Two threads with a workspace: elapsed time / time of `memcpy` on one thread",
    "small_tensors": "Small tensors: nanoseconds of a call, and of loops without checks; less is better",
    "small_prepared": "Small tensors, prepared: nanoseconds of a run, and of loops without checks; less is better",
    "small_made_anew": "Small tensors, views made by each call: nanoseconds of a call, and of loops without checks; less is "
    "better",
    "small_containers": "Small containers: nanoseconds of a call, and of loops without checks; less is better",
}
BESIDE = {"two_threads": "`memcpy`"} | dict.fromkeys(
    ("small_tensors", "small_prepared", "small_made_anew", "small_containers"), "loops"
)


def name_of(results):
    compiler, flags = results["machine"]["compiler"].split(" ", 2)[::2]
    return f"{'g++' if compiler == 'GNU' else 'clang'}, `{flags.removesuffix(' -DNDEBUG')}`"


def version_of(results):
    compiler, version, flags = results["machine"]["compiler"].split(" ", 2)
    return f"{'g++' if compiler == 'GNU' else 'clang'} {version}, `{flags.removesuffix(' -DNDEBUG')}`"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def is_missed(row, goal, at_most):
    return report.verdict(row["value"], goal, at_most).startswith("missed")


def is_at_limit(row, goal, at_most):
    """Whether a value that misses its goal is no worse than what loops, or two threads of memcpy, do in the same run."""
    if not is_missed(row, goal, at_most) or math.isnan(row["limit"]):
        return False
    return row["value"] <= row["limit"] if at_most else row["value"] >= row["limit"]


def shown(row, goal, at_most):
    """A value, in bold where it misses its goal."""
    text = f"{row['value']:.2f}" if row["value"] < 100 else f"{row['value']:.0f}"
    if is_at_limit(row, goal, at_most):
        text += "\N{DEGREE SIGN}"
    return f"**{text}**" if is_missed(row, goal, at_most) else text


def rows_of(comparison, builds):
    """(case, size), goal and row of each build, where all builds have one: float32 by int64, small tensors too; calls
    in place where they have a goal."""
    rows = [
        {(row["case"], row["size"]): row for row in results[comparison.name] if row["type"] == "float32"}
        for results in builds
    ]
    for case, size in rows[0]:
        goal = goals.goal(comparison.goals, case, "float32", size)
        if (case.endswith("_in_place") and goal is None) or any((case, size) not in of_build for of_build in rows):
            continue
        yield (case, size), goal, [of_build[case, size] for of_build in rows]


def table(comparison, builds):
    beside = BESIDE.get(comparison.name)
    has_loops = comparison.name == "one_thread"
    columns = [beside] if beside else [f"loops, {name_of(results)}" for results in builds] if has_loops else []
    yield line(["case", "size", "goal", *(name_of(results) for results in builds), *columns])
    yield "|---" * (3 + len(builds) + len(columns)) + "|"
    for (case, size), goal, rows in rows_of(comparison, builds):
        operator, label = labels.operator_and_case(case)
        cells = [f"`{operator}`: {label}", size, "" if goal is None else f"{goal:g}"]
        cells += [shown(row, goal, comparison.at_most) for row in rows]
        if has_loops:
            cells += ["" if math.isnan(row["limit"]) else f"{row['limit']:.2f}" for row in rows]
        if beside:
            value = rows[0]["memcpy"] if comparison.name == "two_threads" else rows[0]["loops"]
            cells.append(f"{value:.2f}" if comparison.name == "two_threads" else f"{value:.0f}")
        yield line(cells)


def summary(builds):
    """How many goals each build meets, or misses no worse than loops without checks: all, then by kind of call."""
    counts = []
    for comparison in report.COMPARISONS:
        with_goal = [(goal, rows) for _, goal, rows in rows_of(comparison, builds) if goal is not None]
        of_kind = [len(with_goal)]
        for k in range(len(builds)):
            of_kind.append(sum(not is_missed(rows[k], goal, comparison.at_most) for goal, rows in with_goal))
            of_kind.append(sum(is_at_limit(rows[k], goal, comparison.at_most) for goal, rows in with_goal))
        counts.append(of_kind)
    every, *sums = (sum(column) for column in zip(*counts))
    names = [name_of(results) for results in builds]
    of_builds = " and ".join(
        f"{met} with {name} ({at_limit} more are no worse than loops without checks)"
        for name, met, at_limit in zip(names, sums[::2], sums[1::2])
    )
    yield f"Of {every} goals are met: {of_builds}. By kind of call:\n"
    yield line(["kind of call", "goals", *(head for name in names for head in (f"met, {name}", "as loops, or `memcpy`"))])
    yield "|---" * (2 + 2 * len(builds)) + "|"
    for comparison, of_kind in zip(report.COMPARISONS, counts):
        yield line([KINDS[comparison.name], *map(str, of_kind)])


def machines(builds):
    """The conditions of each build, one a column."""
    facts = {
        "processor": [results["machine"]["processor"] for results in builds],
        "compiler": [version_of(results) for results in builds],
        "caches": [results["machine"]["caches"] for results in builds],
        "huge pages": [results["machine"]["huge pages"] for results in builds],
        "other programs": [results["machine"]["other programs"] for results in builds],
    }
    rates = [results["memcpy_gigabytes_per_second"] for results in builds]
    facts |= {f"`memcpy` of {size}, GB/s": [f"{of_build.get(size, 0):.1f}" for of_build in rates] for size in rates[0]}
    yield line(["", *(name_of(results) for results in builds)])
    yield "|---" * (1 + len(builds)) + "|"
    for name, values in facts.items():
        yield line([name, *values])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    builds = [json.loads(file.read_text()) for file in parser.parse_args().results]
    print("# Goals and results\n")
    print("\n".join(summary(builds)) + "\n")
    print(HOW_TO_READ)
    for comparison in report.COMPARISONS:
        print(f"## {TITLES[comparison.name]}\n")
        print("\n".join(table(comparison, builds)) + "\n")
    print("## Machine\n")
    print("`bench/tables.py` writes this page from the results of `scripts/bench tables`.\n")
    print("\n".join(machines(builds)))


if __name__ == "__main__":
    main()
