#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls drawn at random, through the package for Python, beside NumPy, PyTorch and JAX.

    python_sweep.py [--calls 600] [--seed S]... [--threads 1 2] [--results FILE] [--case S:K] [--shown 20] [--jax]

A ratio is the time of the fastest other library divided by that of strew; calls count from 3 us of that library on. The
seeds are those of the commit, three of them, unless some are given. Every call is compared once with the other libraries.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import numpy as np

import drawn_calls
import pools

LEAST = 3e-6
SAMPLE = 1e-4
ROUNDS = 7


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name} is left out: {error}")
        return None


def seconds(run: drawn_calls.Run, times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - begin) / times


def disagreement(call: drawn_calls.Call) -> str:
    """Where a library gives something else; what it refuses is not timed.

    Of equal indices NumPy keeps the last update, PyTorch any. Small floats are rounded at other places.
    """
    before = None if call.output is None else call.output.copy()
    expected = None
    for name in [*call.runs]:
        try:
            with np.errstate(all="ignore"):
                result = np.array(np.asarray(call.runs[name]()))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            if name == "strew":
                return f"strew: {error}"
            del call.runs[name]
            continue
        if before is not None and call.output is not None:
            call.output[...] = before
        if expected is None:
            expected = result
        elif call.reduction == "none":
            if name == "NumPy" and not np.array_equal(result, expected):
                return f"{name} gives something else"
        elif result.dtype.itemsize > 2 and not np.allclose(result, expected, rtol=1e-2, atol=1e-2):
            return f"{name} gives something else"
    return ""


def measure(call: drawn_calls.Call) -> dict[str, float]:
    times: dict[str, int] = {}
    for name, run in call.runs.items():
        seconds(run, 1)
        times[name] = max(1, min(10_000, int(SAMPLE / max(seconds(run, 1), 1e-7))))
    samples: dict[str, list[float]] = defaultdict(list)
    names = [*call.runs]
    for k in range(ROUNDS):
        for name in names[k % len(names) :] + names[: k % len(names)]:
            samples[name].append(seconds(call.runs[name], times[name]))
    return {name: statistics.median(each) for name, each in samples.items()}


def run_case(seed: int, number: int, threads: int, modules: tuple[Any, Any]) -> dict[str, Any] | None:
    call = drawn_calls.draw_call(seed, number, threads, *modules)
    if fault := disagreement(call):
        print(f"{seed}:{number} {call.text}: {fault}")
        return None
    if len(call.runs) < 2:
        return None
    with np.errstate(all="ignore"):
        times = measure(call)
    best = min(time for name, time in times.items() if name != "strew")
    return {
        "seed": seed, "number": number, "threads": threads, "operator": call.operator, "text": call.text,
        "ratio": best / times["strew"], "best": best * 1e6,
        "times": {name: float(f"{each * 1e6:.4g}") for name, each in times.items()},
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--results", type=Path)
    parser.add_argument("--case")
    parser.add_argument("--shown", type=int, default=20)
    parser.add_argument("--jax", action="store_true")
    options = parser.parse_args()
    modules = optional("torch"), optional("jax") if options.jax else None
    # Of indices expanded by stride 0, which nobody writes, and of a call that may change.
    for message in ("The given NumPy array is not writable", "index_reduce"):
        warnings.filterwarnings("ignore", message=message)

    if options.case:
        seed, number = map(int, options.case.split(":"))
        for threads in options.threads:
            print(json.dumps(run_case(seed, number, threads, modules), indent=1))
        return 0
    rows = []
    for threads in options.threads:
        for seed in options.seed or pools.seeds(3):
            for number in range(options.calls):
                row = run_case(seed, number, threads, modules)
                if row is not None and row["best"] * 1e-6 >= LEAST:
                    rows.append(row)
        ratios = [row["ratio"] for row in rows if row["threads"] == threads]
        print(pools.line(f"threads: {threads}", ratios))
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row["operator"]].append(row["ratio"])
    for name, ratios in sorted(groups.items(), key=lambda item: pools.geometric_mean(item[1])):
        print(pools.line(f"  {name}", ratios))
    rows.sort(key=lambda row: row["ratio"])
    for row in rows[: options.shown]:
        print(f"{row['ratio']:6.3f}  --case {row['seed']}:{row['number']} --threads {row['threads']}  {row['times']}")
        print(f"        {row['text']}")
    if options.results is not None:
        about = {"commit": pools.commit(), "processor": pools.processor()}
        options.results.write_text(json.dumps({"about": about, "calls": rows}, indent=0) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
