#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The measured figures in the text of documents, each computed from the results of a bench run that are committed.

    figures.py --check    compares the figures of all documents with the results
    figures.py --write    writes them
    figures.py --list     prints them

In a document a figure precedes the comment that names it: 1.80<!-- figure: sweep.python.one_thread -->. The pages for users have
no other gains: what no run here has measured is described in words there. A page that a bench writes as a whole needs no marks.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "bench" / folder) for folder in ("reuse", "sweep")]
import pools  # noqa: E402
import results as reuse  # noqa: E402

THREADS = {"one_thread": 1, "two_threads": 2}


# ---- The results


@functools.cache
def stored(path: str) -> Any:
    return json.loads((ROOT / "bench" / path).read_text())


def ratios_of_sweep(beside: str, threads: int) -> list[float]:
    return [ratio for each in stored("sweep/results.json")[beside]["ratios"].values() for ratio in each.get(str(threads), [])]


def reuse_row(pattern: str, threads: int) -> Any:
    """The samples of a pattern of indices, as bench/reuse/compare.py has stored them."""
    return next(row for row in stored("reuse/results.json")["rows"] if (row["pattern"], row["threads"]) == (pattern, threads))


def reuse_time(pattern: str, threads: int, names: tuple[str, ...]) -> float:
    """The time of the fastest of these forms."""
    row = reuse_row(pattern, threads)
    return reuse.median(row, reuse.fastest(row, names))


def job_time(job: str, threads: int) -> float:
    run = next(run for run in stored("jobs/results.json") if run["threads"] == threads)
    return statistics.median(next(row for row in run["rows"] if row["job"] == job)["seconds"]["strew"])


@functools.cache
def peers() -> dict[str, list[float]]:
    """The times of strew by that of memcpy on one thread, -O2, by case: bench/peers keeps its results in the page's tables."""
    table = (ROOT / "docs/benchmarks.md").read_text().split("\n## One thread, `-O2 -DNDEBUG`\n")[1].split("\n## ")[0]
    times: dict[str, list[float]] = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) > 3 and re.fullmatch(r"[\d.]+", cells[2]):
            times.setdefault(cells[0], []).append(float(cells[2]))
    return times


# ---- The figures

PATTERNS = {
    "elements_16_mib": ("sum_4m_4m", "sum_4m_8m", "elements_4m_4m"),
    "elements_256_mib": ("sum_64m_64m", "sum_64m_128m"),
    "rows_4_8": ("rows_4_half", "rows_4_all", "rows_8_half", "rows_8_all"),
    "rows_16_64": ("rows_16_half", "rows_16_all", "rows_32_half", "rows_32_all", "rows_64_half", "rows_64_all"),
    "mesh": ("mesh",),
    "mesh_3": ("mesh_3",),
    "graphs": ("graph_uniform", "graph_power"),
    "embedding": ("embedding",),
    "multi_indices": ("grid",),
    "assigned_16_mib": ("assign_4m",),
    "assigned_256_mib": ("assign_64m",),
}
WITH_WORKSPACE = ("elements_256_mib", "multi_indices", "assigned_256_mib")
JOBS = ("histogram", "embedding_gradient", "kv_cache", "table_rows", "splat", "strided_slice", "random_elements")
# Cases of docs/benchmarks.md.
COSTS = {
    "slice": ("slice: middle half of the first axis",),
    "inner_slice": ("slice: middle half of the last axis",),
    "step": ("slice: every 2nd element of the last axis", "slice: every 3rd element of the last axis", "slice: last axis, reversed"),
    "rows_1": ("update rows of 1 element", "elements, 1-D of 64K, random order", "elements, 1-D of 4M, random order"),
    "rows_16": ("update rows of 16 elements",),
    "rows_64": ("update rows of 64 elements", "update rows of 1024 elements"),
    "last_axis": ("elements, last axis of 1024 x 1024", "elements, last axis of 8192 x 1024"),
    "first_axis": ("elements, first axis of 1024 x 1024", "elements, first axis of 8192 x 1024"),
    "summed_rows_4": ("sum rows of 4 elements",),
    "summed_rows_64": ("sum rows of 64 elements", "sum rows of 80 elements", "sum rows of 1024 elements"),
    "summed_elements": ("sum elements, last axis of 1024 x 1024", "sum elements, first axis of 1024 x 1024"),
    "multi_indices": ("tuples of 2 components, slices of 1 element",),
    "histogram": ("histogram of 16M values, 256 bins", "histogram of 16M values, 64K bins"),
}


def span(values: Iterable[float]) -> str:
    """The least and the greatest, once if they look alike."""
    ends = [f"{end:.2f}" if end < 9.95 else f"{end:.1f}" for end in (lambda each: (min(each), max(each)))(list(values))]
    return " to ".join(dict.fromkeys(ends))


def all_figures() -> dict[str, str]:
    found = {}
    for words, threads in THREADS.items():
        beside = ratios_of_sweep("python", threads)
        found[f"sweep.python.{words}"] = f"{pools.geometric_mean(beside):.2f}"
        found[f"sweep.python.{words}.slow"] = f"{100 * pools.summary(beside)['below_0.5'] / len(beside):.1f}"
        short = stored("sweep/results.json")["python"]["about"]["short"][str(threads)]
        found[f"sweep.python.{words}.short.mean"] = f"{short['geometric_mean']:.2f}"
        found[f"sweep.loops.{words}"] = f"{pools.geometric_mean(ratios_of_sweep('loops', threads)):.2f}"
        for group, patterns in PATTERNS.items():
            found[f"reuse.bound.{group}.{words}"] = span(
                reuse_time(each, threads, ("plain",)) / reuse_time(each, threads, reuse.BOUND) for each in patterns
            )
        for group in WITH_WORKSPACE:
            found[f"reuse.workspace.{group}.{words}"] = span(
                reuse_time(each, threads, ("plain",)) / reuse_time(each, threads, ("plain_with_workspace",))
                for each in PATTERNS[group]
            )
    found["sweep.python.calls"] = str(len(ratios_of_sweep("python", 1)))
    found["sweep.python.short"] = str(stored("sweep/results.json")["python"]["about"]["short"]["1"]["calls"])
    rows = [row for row in stored("reuse/results.json")["rows"] if row["threads"] == 1]
    gains = [reuse.median(row, "plain") / reuse.median(row, "prepared") for row in rows]
    found["reuse.prepared"] = f"{statistics.geometric_mean(gains):.2f}"
    for group, patterns in PATTERNS.items():
        found[f"reuse.threads.{group}"] = span(
            reuse_time(each, 1, reuse.BOUND) / reuse_time(each, 2, reuse.BOUND) for each in patterns
        )
    for job in JOBS:
        found[f"jobs.threads.{job}"] = span([job_time(job, 1) / job_time(job, 2)])
    for group, cases in COSTS.items():
        found[f"peers.cost.{group}"] = span(time for case in cases for time in peers()[case])
    for call in ("prepared_small", "scatter_update_small", "prepared_few_in_place", "scatter_update_few_in_place"):
        found[f"instructions.{call}"] = str(stored("instructions/counts.json")[call])
    return found


# ---- The documents

FOR_USERS = ("README.md", "CHANGELOG.md", "docs/performance.md", "docs/operators.md", "bindings/python/README.md")
MARKED = re.compile(r"(?P<value>\d[\d.,]*(?: to \d[\d.,]*)?)?<!-- figure: (?P<name>[\w.]+) -->")
COUNT = r"(?:\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|ten|twenty|\w+ty|a hundred)"
PART = r"(?:half|(?:a|one|two|three|\d)[ -](?:third|quarter|fifth|tenth)s?)"
# What looks like a measured gain: "1.5 to 2 times", "1.1 to 1.7", "twice as fast", "half the time", "0.85 of the time".
GAIN = re.compile("|".join((
    r"\b(?:\d[\d.]* to )?\d+(?:\.\d+)? times\b",
    rf"\b{COUNT} times (?:as|faster|slower|longer|the (?:time|speed))\b",
    r"\btwice (?:as|the (?:time|speed))\b",
    rf"\b{PART} to {PART}\b",
    rf"\b(?:{PART}|\d\.\d+) (?:of )?(?:the|that|its|one's|one) (?:time|speed)\b",
    r"\b\d+\.\d+ to \d+(?:\.\d+)?\b",
    r"\b\d\.\d+ of (?:one|that)\b",
)).replace(" ", r"\s+"))  # fmt: skip


def documents() -> Iterator[tuple[str, bool]]:
    """Every document that may have figures, and whether it is for users."""
    for path in [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/site/pages/**/*.md")),
                 ROOT / "bindings/python/README.md"]:  # fmt: skip
        name = path.relative_to(ROOT).as_posix()
        yield name, name in FOR_USERS or name.startswith("docs/site/pages/")


def wrong_figures(text: str, figures: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Where a figure is not that of the results, and what to say of it."""
    for found in MARKED.finditer(text):
        value, name = found["value"], found["name"]
        if name not in figures:
            yield found.start(), f"there is no figure {name}"
        elif value != figures[name]:
            yield found.start(), f"{name} is {figures[name]}, not {value}; bench/figures.py --write writes it"


def unmarked_gains(text: str) -> Iterator[tuple[int, str]]:
    def blank(found: re.Match[str]) -> str:
        return re.sub(r"[^\n]", "_", found[0])

    for found in GAIN.finditer(re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", blank, MARKED.sub(blank, text))):
        yield found.start(), f'"{found[0]}" looks like a gain without the name of its figure'


def check(figures: dict[str, str]) -> int:
    faults, names = [], set()
    for name, for_users in documents():
        text = (ROOT / name).read_text()
        names |= {found["name"] for found in MARKED.finditer(text)}
        found = [*wrong_figures(text, figures), *(unmarked_gains(text) if for_users else ())]
        faults += [f"{name}:{text.count(chr(10), 0, at) + 1}: {fault}" for at, fault in sorted(found)]
    faults += [f"bench/figures.py: no document has {name}" for name in sorted(figures.keys() - names)]
    for fault in faults:
        print(fault)
    print(f"{len(figures)} figures from results, {len(faults)} faults")
    return 1 if faults or not figures else 0


def write(figures: dict[str, str]) -> int:
    for name, _ in documents():
        text = (ROOT / name).read_text()
        renewed = MARKED.sub(lambda found: figures.get(found["name"], found["value"] or "") + found[0][len(found["value"] or ""):],
                             text)  # fmt: skip
        if renewed != text:
            (ROOT / name).write_text(renewed)
            print(f"{name}: written")
    return 0


def show(figures: dict[str, str]) -> int:
    for name, value in figures.items():
        print(f"{name:<44} {value}")
    return 0


def main() -> int:
    ways: dict[str, Callable[[dict[str, str]], int]] = {"check": check, "write": write, "list": show}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    group = parser.add_mutually_exclusive_group(required=True)
    for way in ways:
        group.add_argument(f"--{way}", dest="way", action="store_const", const=way)
    return ways[parser.parse_args().way](all_figures())


if __name__ == "__main__":
    sys.exit(main())
