# SPDX-License-Identifier: Apache-2.0
"""Seeds of a commit, and what is said of the ratios of a pool of calls."""

from __future__ import annotations

import math
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def commit() -> str:
    """With a + where the files are not those of the commit."""
    return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def seeds(count: int) -> list[int]:
    """Others for each commit: nobody can tune to them."""
    whole = git("rev-parse", "HEAD")
    return [int(whole[8 * k : 8 * k + 8], 16) for k in range(count)]


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else "an unknown processor"


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def summary(ratios: list[float]) -> dict[str, Any]:
    below = {f"below_{bound}": sum(ratio < bound for ratio in ratios) for bound in (0.8, 0.5)}
    return {"calls": len(ratios), "geometric_mean": geometric_mean(ratios), "worst": min(ratios, default=math.nan), **below}


def line(what: str, ratios: list[float]) -> str:
    of = summary(ratios)
    if not ratios:
        return f"{what:<32} no calls"
    share = 100 / len(ratios)
    return (
        f"{what:<32} {of['calls']:5} calls, geometric mean {of['geometric_mean']:5.2f}, below 0.8: {of['below_0.8']:4}"
        f" ({of['below_0.8'] * share:4.1f} %), below 0.5: {of['below_0.5']:4} ({of['below_0.5'] * share:4.1f} %),"
        f" worst {of['worst']:.3f}"
    )


def lines_of_groups(rows: list[dict[str, Any]], key: str) -> list[str]:
    """A line for each value of `key`, the smallest mean first."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row[key]].append(row["ratio"])
    return [line(f"  {name}", each) for name, each in sorted(groups.items(), key=lambda item: geometric_mean(item[1]))]


def of_threads(rows: list[dict[str, Any]], threads: int) -> list[float]:
    return [row["ratio"] for row in rows if row["threads"] == threads]


def about(short: list[dict[str, Any]]) -> dict[str, Any]:
    """What a file of results says of itself, with the calls that are too short to count."""
    of_short = {str(threads): summary(of_threads(short, threads)) for threads in (1, 2)}
    return {"commit": commit(), "processor": processor(), "short": of_short}
