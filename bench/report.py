#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports what the benchmarks measured: each case beside its twin and its limit, as tables, as JSON and as a plot."""

import argparse
import collections
import itertools
import json
import math
import pathlib
import re
import statistics

import plot

Key = collections.namedtuple("Key", "case type size")  # the first parts of a benchmark's name; the last is its side
NOT_MEASURED = math.nan


def loops_to_memcpy(sides):
    """What loops that a user would write take, without checks, x memcpy."""
    if not {"bare_loop", "memcpy"} <= sides.keys():
        return NOT_MEASURED
    return median(sides["bare_loop"], "cpu_time") / median(sides["memcpy"], "cpu_time")


def two_memcpy_speedup(sides):
    """How many times as fast two threads of memcpy are as one."""
    if not {"memcpy", "two_memcpy"} <= sides.keys():
        return NOT_MEASURED
    return median(sides["memcpy"], "real_time") / median(sides["two_memcpy"], "real_time")


def loops(sides):
    return median(sides["loop"], "cpu_time")


# What is compared: `side` with `twin` by a clock; value(time, time of the twin) is shown. limit(the sides of a case) is what
# was measured beside it, if anything.
Comparison = collections.namedtuple("Comparison", "name title unit side twin clock value limit")
COMPARISONS = (
    Comparison(
        "one_thread",
        "One thread: processor time, x memcpy of data to the output (in place: of the updates); limit: loops without checks",
        "x memcpy", "strew", "memcpy", "cpu_time", lambda time, twin: time / twin, loops_to_memcpy,
    ),
    Comparison(
        "two_threads",
        "Two threads: time on the clock, times as fast as one thread; limit: what two threads of memcpy gain",
        "speedup", "two_threads", "strew", "real_time", lambda time, twin: twin / time, two_memcpy_speedup,
    ),
    Comparison(
        "workspace", "With a workspace: processor time, x memcpy",
        "x memcpy", "workspace", "memcpy", "cpu_time", lambda time, twin: time / twin, None,
    ),
    Comparison(
        "two_with_workspace", "With a workspace on two threads: time on the clock, x one memcpy",
        "x memcpy", "two_workspace", "memcpy", "real_time", lambda time, twin: time / twin, None,
    ),
    Comparison(
        "small_tensors", "Small tensors: nanoseconds a call; limit: loops without checks",
        "ns", "strew", "loop", "cpu_time", lambda time, twin: time, loops,
    ),
    Comparison(
        "small_prepared", "Small tensors, prepared: nanoseconds a run; limit: loops without checks",
        "ns", "prepared", "loop", "cpu_time", lambda time, twin: time, loops,
    ),
    Comparison(
        "small_made_anew", "Small tensors, views made by each call: nanoseconds a call; limit: loops without checks",
        "ns", "made_anew", "loop", "cpu_time", lambda time, twin: time, loops,
    ),
    Comparison(
        "small_containers", "Small containers: nanoseconds a call; limit: loops without checks",
        "ns", "containers", "loop", "cpu_time", lambda time, twin: time, loops,
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


def compare(cases, comparison):
    """A row for each case that has both sides."""
    rows = []
    for key, sides in cases.items():
        if not {comparison.side, comparison.twin} <= sides.keys():
            continue
        measured, twin = sides[comparison.side], sides[comparison.twin]
        rows.append({
            **key._asdict(),
            "value": comparison.value(median(measured, comparison.clock), median(twin, comparison.clock)),
            "spread": spread(measured, comparison.clock) + spread(twin, comparison.clock),
            "limit": comparison.limit(sides) if comparison.limit else NOT_MEASURED,
            "nanoseconds": median(measured, comparison.clock),
            "GB/s": statistics.median(entry["bytes_per_second"] for entry in measured) / 1e9,
        })  # fmt: skip
    return rows


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
    """A table with columns as wide as they need to be; the first is aligned to the left."""
    table = [("", "type", "size", comparison.unit, "+-", "limit", "GB/s")]
    for row in rows:
        table.append((
            row["case"], row["type"], row["size"], f"{row['value']:.2f}", f"{row['spread']:.0%}",
            "" if math.isnan(row["limit"]) else f"{row['limit']:.2f}", f"{row['GB/s']:.1f}",
        ))  # fmt: skip
    widths = [max(len(cells[k]) for cells in table) for k in range(len(table[0]))]
    print(f"\n{comparison.title}")
    for case, *numbers in table:
        print("  ".join([case.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(numbers, widths[1:]))]))


def print_report(results):
    for name, value in results["machine"].items():
        print(f"{name:<16}{value}")
    memcpy = ", ".join(f"{size} {rate:.1f}" for size, rate in results["memcpy_gigabytes_per_second"].items())
    print(f"{'memcpy, GB/s':<16}{memcpy}")
    for comparison in COMPARISONS:
        if results[comparison.name]:
            print_rows(comparison, results[comparison.name])


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
