# SPDX-License-Identifier: Apache-2.0
"""Seeds of a commit, and what is said of the ratios of a pool of calls."""

from __future__ import annotations

import math
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def commit() -> str:
    run = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def seeds(count: int) -> list[int]:
    """Others for each commit: nobody can tune to them."""
    whole = commit()
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
