#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the time of calls grows with their work: runs the program and lists what grows faster than index_add does.

    growth.py --program PATH [--results FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import pools

Rows = dict[tuple[str, bool, bool], dict[int, float]]


def by_row(points: list[dict[str, Any]]) -> Rows:
    rows: Rows = defaultdict(dict)
    for point in points:
        rows[point["row"], point["in_place"], point["workspace"]][point["n"]] = point["ns"]
    return rows


def largest_step(times: dict[int, float]) -> int:
    """The n from which to 10 n an update's time grows most, from 10^4 on; before all work is that of the call itself."""
    steps = [n for n in times if 10 * n in times and n >= 10_000] or [n for n in times if 10 * n in times]
    return max(steps, key=lambda n: times[10 * n] / times[n])


def faster_than_index_add(rows: Rows) -> list[tuple[tuple[str, bool, bool], int, float, float]]:
    """Rows whose largest step is half as much again as that of index_add, in the same circumstances, from the same n."""
    found = []
    for key, times in rows.items():
        of_sums = rows["index_add, sum", key[1], key[2]]
        if len(times) < 2:
            continue
        n = largest_step(times)
        ours, sums = times[10 * n] / times[n], of_sums[10 * n] / of_sums[n]
        if ours > 1.5 * sums:
            found.append((key, n, ours, sums))
    return sorted(found, key=lambda each: -each[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--results", type=Path)
    options = parser.parse_args()
    ran = subprocess.run([options.program], stdout=subprocess.PIPE, text=True, check=True)
    points = [json.loads(each) for each in ran.stdout.splitlines()]
    if options.results is not None:
        about = {"commit": pools.commit(), "processor": pools.processor()}
        options.results.write_text(json.dumps({"about": about, "points": points}, indent=0) + "\n")
    rows = by_row(points)
    for (name, in_place, workspace), times in rows.items():
        where = ("in place" if in_place else "") + (", workspace" if workspace else "")
        print(f"{name:<48} {where:<20}", *(f"{ns:8.2f}" for _, ns in sorted(times.items())))
    for (name, in_place, workspace), n, ours, sums in faster_than_index_add(rows):
        where = ("in place" if in_place else "to an output") + (", with a workspace" if workspace else "")
        print(f"grows faster than index_add: {name}, {where}: {ours:.2f} times from n = {n} to {10 * n}, {sums:.2f} there")


if __name__ == "__main__":
    main()
