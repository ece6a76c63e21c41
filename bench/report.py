#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports what the benchmarks measured: ratios to their twins beside the goals, as tables, as JSON and as a plot."""

import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import statistics

import goals
import plot

Key = collections.namedtuple("Key", "case type size")  # the first parts of a benchmark's name; the last is its side
# What is compared: `side` with `twin` by a clock; value(time, time of the twin) is held against the goals. `beside` is
# one more column.
Comparison = collections.namedtuple("Comparison", "name title unit beside side twin clock value goals at_most")
COMPARISONS = (
    Comparison(
        "one_thread", "One thread: processor time, x memcpy of data to the output (in place: of the updates)",
        "x memcpy", "GB/s", "strew", "memcpy", "cpu_time", lambda time, twin: time / twin, goals.RATIO, at_most=True,
    ),
    Comparison(
        "two_threads", "Two threads: time on the clock, times as fast as one thread; and what two threads of memcpy gain",
        "speedup", "memcpy", "two_threads", "strew", "real_time", lambda time, twin: twin / time, goals.SPEEDUP,
        at_most=False,
    ),
    Comparison(
        "workspace", "With a workspace: processor time, x memcpy",
        "x memcpy", "GB/s", "workspace", "memcpy", "cpu_time", lambda time, twin: time / twin, goals.WORKSPACE,
        at_most=True,
    ),
    Comparison(
        "two_with_workspace", "With a workspace on two threads: time on the clock, x one memcpy",
        "x memcpy", "GB/s", "two_workspace", "memcpy", "real_time", lambda time, twin: time / twin,
        goals.TWO_WITH_WORKSPACE, at_most=True,
    ),
    Comparison(
        "small_tensors", "Small tensors: nanoseconds a call, and those of loops that check nothing",
        "ns", "loops", "strew", "loop", "cpu_time", lambda time, twin: time, goals.NANOSECONDS, at_most=True,
    ),
    Comparison(
        "small_prepared", "Small tensors, prepared: nanoseconds a run, and those of loops that check nothing",
        "ns", "loops", "prepared", "loop", "cpu_time", lambda time, twin: time, goals.PREPARED_NANOSECONDS,
        at_most=True,
    ),
    Comparison(
        "small_made_anew", "Small tensors, views made by each call: nanoseconds a call, and those of loops that check nothing",
        "ns", "loops", "made_anew", "loop", "cpu_time", lambda time, twin: time, goals.MADE_ANEW_NANOSECONDS,
        at_most=True,
    ),
    Comparison(
        "small_containers", "Small containers: nanoseconds a call, and those of loops that check nothing",
        "ns", "loops", "containers", "loop", "cpu_time", lambda time, twin: time, goals.MADE_ANEW_NANOSECONDS,
        at_most=True,
    ),
)  # fmt: skip

NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def read(files):
    """The context of the first file, and the entries of all: by file, then in the order the program adds its cases."""
    contents = [json.loads(text) for text in (file.read_text() for file in files) if text]
    in_order = [sorted(content["benchmarks"], key=lambda entry: entry["family_index"]) for content in contents]
    return contents[0]["context"], list(itertools.chain(*in_order))


def repetitions_by_case(benchmarks):
    """{Key: {side: [the entry of each repetition]}}, the sizes of a case side by side."""
    cases, place = {}, {}
    for entry in benchmarks:
        if entry["run_type"] == "iteration":
            operator, name, kind, size, side = entry["name"].split("/")[:5]
            key = Key(f"{operator}/{name}", kind, size)
            place.setdefault((key.case, kind), len(place))
            cases.setdefault(key, {}).setdefault(side, []).append(entry)
    return dict(sorted(cases.items(), key=lambda item: (place[item[0][:2]], in_bytes(item[0].size))))


def in_bytes(size):
    digits, unit = re.fullmatch(r"(\d+)(\D+)", size).groups()
    return int(digits) * {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[unit]


def median(entries, clock):
    return statistics.median(entry[clock] * NANOSECONDS[entry["time_unit"]] for entry in entries)


def spread(entries, clock):
    """How far the repetitions lie apart: half the distance of their quartiles, in terms of their median."""
    if len(entries) < 2:
        return 0
    first, middle, third = statistics.quantiles((entry[clock] for entry in entries), n=4, method="inclusive")
    return (third - first) / middle / 2


def verdict(value, goal, at_most):
    """Whether a value, rounded as it is shown, meets its goal, and by what factor it does not."""
    if goal is None:
        return ""
    factor = round(value, 2) / goal if at_most else goal / max(round(value, 2), 0.01)
    return "met" if factor <= 1 else f"missed by {factor:.2f}x"


def compare(cases, comparison):
    """A row for each case that has both sides."""
    rows = []
    for key, sides in cases.items():
        if not {comparison.side, comparison.twin} <= sides.keys():
            continue
        measured, twin = sides[comparison.side], sides[comparison.twin]
        value = comparison.value(median(measured, comparison.clock), median(twin, comparison.clock))
        goal = goals.goal(comparison.goals, *key)
        limit = math.nan
        if comparison.name == "two_threads":
            limit = two_memcpy_speedup(sides)
        elif comparison.name == "one_thread" and "bare_loop" in sides:
            limit = median(sides["bare_loop"], comparison.clock) / median(twin, comparison.clock)
        rows.append({
            **key._asdict(),
            "value": value,
            "spread": spread(measured, comparison.clock) + spread(twin, comparison.clock),
            "goal": goal,
            "limit": limit,  # what loops without checks take, or two threads of memcpy gain
            "result": verdict(value, goal, comparison.at_most),
            "nanoseconds": median(measured, comparison.clock),
            "loops": median(twin, comparison.clock),
            "GB/s": statistics.median(entry["bytes_per_second"] for entry in measured) / 1e9,
            "memcpy": two_memcpy_speedup(sides),
        })  # fmt: skip
    return rows


def two_memcpy_speedup(sides):
    """How many times as fast two threads of memcpy are as one; not a number where that was not measured."""
    if not {"memcpy", "two_memcpy"} <= sides.keys():
        return math.nan
    return median(sides["memcpy"], "real_time") / median(sides["two_memcpy"], "real_time")


def memcpy_gigabytes(cases):
    """{size: what memcpy gives}, over the cases that copy all of data."""
    times = collections.defaultdict(list)
    for key, sides in cases.items():
        if not key.case.endswith("_in_place"):
            times[key.size] += [entry["bytes_per_second"] / 1e9 for entry in sides.get("memcpy", [])]
    return {size: statistics.median(times[size]) for size in sorted(times, key=in_bytes) if times[size]}


def found(file, pattern):
    """What a pattern finds in a file of Linux."""
    path = pathlib.Path(file)
    match = re.search(pattern, path.read_text(), re.MULTILINE) if path.exists() else None
    return match.group(1) if match else "unknown"


def waiting(benchmarks):
    """The part of their time that the one-thread benchmarks waited for a processor, other programs being at work."""
    return statistics.median(
        max(0, 1 - entry["cpu_time"] / entry["real_time"])
        for entry in benchmarks
        if entry["run_type"] == "iteration" and "/two_" not in entry["name"]
    )


def machine(context, benchmarks):
    caches = (
        f"{'' if cache['type'] == 'Unified' else cache['type'] + ' '}L{cache['level']} {cache['size'] >> 10} KiB"
        for cache in context["caches"]
        if cache["type"] != "Instruction"
    )
    return {
        "processor": f"{found('/proc/cpuinfo', '^model name.*: (.*)$')}, {context['num_cpus']} cores",
        "caches": ", ".join(caches),
        "huge pages": found("/sys/kernel/mm/transparent_hugepage/enabled", r"\[(.*)\]"),
        "other programs": f"made the benchmarks wait {waiting(benchmarks):.0%} of the time",
        "compiler": f"{context['compiler']} {context['flags']}",
    }


def print_rows(comparison, rows):
    """A table with columns as wide as they need to be; the first and the last are aligned to the left."""
    table = [("", "type", "size", comparison.unit, "+-", "goal", comparison.beside, "")]
    for row in rows:
        table.append((
            row["case"], row["type"], row["size"], f"{row['value']:.2f}", f"{row['spread']:.0%}",
            "" if row["goal"] is None else f"{row['goal']:g}", f"{row[comparison.beside]:.{2 if comparison.beside == 'memcpy' else 1}f}", row["result"],
        ))  # fmt: skip
    widths = [max(len(cells[k]) for cells in table) for k in range(len(table[0]))]
    print(f"\n{comparison.title}")
    for case, *numbers, result in table:
        middle = (cell.rjust(width) for cell, width in zip(numbers, widths[1:]))
        print("  ".join([case.ljust(widths[0]), *middle, result]).rstrip())


def print_report(results):
    for name, value in results["machine"].items():
        print(f"{name:<16}{value}")
    memcpy = ", ".join(f"{size} {rate:.1f}" for size, rate in results["memcpy_gigabytes_per_second"].items())
    print(f"{'memcpy, GB/s':<16}{memcpy}")
    outcomes = []
    for comparison in COMPARISONS:
        rows = results[comparison.name]
        outcomes += [row["result"] for row in rows if row["result"]]
        if rows:
            print_rows(comparison, rows)
    print(f"\n{outcomes.count('met')} of {len(outcomes)} goals met")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="JSON files of Google Benchmark")
    parser.add_argument("--results", type=pathlib.Path, help="the file to write all results to, as JSON")
    parser.add_argument("--plot", type=pathlib.Path, help="the picture to draw")
    arguments = parser.parse_args()

    context, benchmarks = read(arguments.files)
    cases = repetitions_by_case(benchmarks)
    results = {
        "machine": machine(context, benchmarks),
        "memcpy_gigabytes_per_second": memcpy_gigabytes(cases),
        **{comparison.name: compare(cases, comparison) for comparison in COMPARISONS},
        "benchmarks": benchmarks,
    }
    print_report(results)
    if arguments.results:
        arguments.results.write_text(json.dumps(results, indent=1))
    if arguments.plot:
        plot.draw(results, arguments.plot)


if __name__ == "__main__":
    main()
