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


def growth(times: dict[int, float]) -> float:
    """How many times as long an update takes at the largest n as at the smallest, for each factor of ten between."""
    first, last = min(times), max(times)
    steps = len(str(last)) - len(str(first))
    return (times[last] / times[first]) ** (1 / steps) if steps else 1.0


def faster_than_index_add(rows: Rows) -> list[tuple[tuple[str, bool, bool], float, float]]:
    """Rows that grow half as much again, a factor of ten, as index_add in the same circumstances over the same n."""
    found = []
    for key, times in rows.items():
        of_sums = {n: ns for n, ns in rows["index_add, sum", key[1], key[2]].items() if n in times}
        ours, sums = growth(times), growth(of_sums)
        if ours > 1.5 * sums:
            found.append((key, ours, sums))
    return sorted(found, key=lambda each: -each[1])


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
    for (name, in_place, workspace), ours, sums in faster_than_index_add(rows):
        where = ("in place" if in_place else "to an output") + (", with a workspace" if workspace else "")
        print(f"grows faster than index_add: {name}, {where}: {ours:.2f} for each factor of ten, {sums:.2f} there")


if __name__ == "__main__":
    main()
