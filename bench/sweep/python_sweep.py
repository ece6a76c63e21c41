#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls drawn at random, through the package for Python, beside NumPy, PyTorch and JAX.

    python_sweep.py [--calls 600] [--seed S]... [--threads 1 2] [--results FILE] [--case S:K] [--shown 20] [--jax]

A ratio is the time of the fastest other library divided by that of strew; calls count from 3 us of that library on, others on a
line of their own. The seeds are those of the commit, three of them, unless some are given. Every call is compared once with the
other libraries: the exit code is 1 where one gives something else or refuses a call.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import numpy as np

import drawn_calls
import pools

sys.path.append(str(pools.ROOT / "bench"))

from optional_modules import optional

LEAST = 3e-6
SAMPLE = 1e-4
ROUNDS = 7


def seconds(run: drawn_calls.Run, times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - begin) / times


@dataclass
class Tally:
    compared: int = 0
    faults: int = 0
    refusals: Counter[str] = field(default_factory=Counter)


def agree(name: str, call: drawn_calls.Call, result: np.ndarray, expected: np.ndarray) -> bool | None:
    """None where they need not: of equal indices NumPy keeps the last update, as strew does, but the first one where it
    turns operands of negative strides around; the others keep any."""
    keeps_last = name.startswith("NumPy") and "negative strides" not in call.text
    if call.reduction == "none" and not call.is_unique and not keeps_last:
        return None
    if call.reduction in ("none", "min", "max") or result.dtype.kind in "iu":
        return bool(np.array_equal(result, expected))
    if result.dtype == np.float16:  # rounded after each update or once
        with np.errstate(all="ignore"):
            largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=1))
        return bool(np.allclose(result, expected, rtol=0.1, atol=0.1 * largest))
    return bool(np.allclose(result, expected, rtol=1e-4, atol=1e-4))


def compare(call: drawn_calls.Call, tally: Tally) -> str:
    """Where a library gives something else than strew; what it refuses is not timed."""
    before = None if call.output is None else call.output.copy()
    expected = None
    for name in [*call.runs]:
        try:
            with np.errstate(all="ignore"):
                result = np.array(np.asarray(call.runs[name]()))
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError) as error:
            if name == "strew":
                return f"strew: {error}"
            tally.refusals[f"{name}, {call.operator}: {str(error).splitlines()[0]}"] += 1
            del call.runs[name]
            continue
        finally:
            if before is not None and call.output is not None:
                call.output[...] = before
        if expected is None:
            expected = result
            continue
        same = agree(name, call, result, expected)
        if same is not None:
            tally.compared += 1
        if same is False:
            return f"{name} gives something else"
    return ""


def measure(call: drawn_calls.Call, threads: int) -> dict[str, float]:
    times: dict[str, int] = {}
    for name, run in call.runs.items():
        seconds(run, 1)
        times[name] = max(1, min(10_000, int(SAMPLE / max(seconds(run, 1), 1e-7))))
    samples: dict[str, list[float]] = defaultdict(list)
    shuffled = random.Random(1)
    names = [*call.runs]
    last = ""
    for _ in range(ROUNDS):
        shuffled.shuffle(names)
        for name in names:
            if threads > 1 and last == "PyTorch" and name != last:
                # PyTorch's threads go on waiting for work, at full load, for milliseconds.
                time.sleep(0.01)
                call.runs[name]()
            samples[name].append(seconds(call.runs[name], times[name]))
            last = name
    return {name: statistics.median(samples[name]) for name in call.runs}


def run_case(seed: int, number: int, threads: int, modules: tuple[Any, Any], tally: Tally) -> dict[str, Any] | None:
    torch = modules[0]
    if torch is not None and torch.get_num_threads() != threads:
        torch.set_num_threads(threads)
    call = drawn_calls.draw_call(seed, number, threads, *modules)
    if fault := compare(call, tally):
        tally.faults += 1
        print(f"{seed}:{number} {call.text}: {fault}")
        return None
    if len(call.runs) < 2:
        return None
    with np.errstate(all="ignore"):
        times = measure(call, threads)
    best = min(time for name, time in times.items() if name != "strew")
    return {
        "seed": seed, "number": number, "threads": threads, "operator": call.operator, "text": call.text,
        "beside": "with PyTorch" if "PyTorch" in times else "without PyTorch",
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

    tally = Tally()
    if options.case:
        seed, number = map(int, options.case.split(":"))
        for threads in options.threads:
            print(json.dumps(run_case(seed, number, threads, modules, tally), indent=1))
        return 1 if tally.faults else 0
    rows, short = [], []
    for threads in options.threads:
        for seed in options.seed or pools.seeds(3):
            for number in range(options.calls):
                row = run_case(seed, number, threads, modules, tally)
                if row is not None:
                    (rows if row["best"] * 1e-6 >= LEAST else short).append(row)
        print(pools.line(f"threads: {threads}", pools.of_threads(rows, threads)))
        print(pools.line(f"  below {LEAST * 1e6:g} us", pools.of_threads(short, threads)))
        print(*pools.lines_of_groups([row for row in rows if row["threads"] == threads], "beside"), sep="\n")
    print(*pools.lines_of_groups(rows, "operator"), sep="\n")
    rows.sort(key=lambda row: row["ratio"])
    for row in rows[: options.shown]:
        print(f"{row['ratio']:6.3f}  --case {row['seed']}:{row['number']} --threads {row['threads']}  {row['times']}")
        print(f"        {row['text']}")
    if options.results is not None:
        options.results.write_text(json.dumps({"about": pools.about(short), "calls": rows}, indent=0) + "\n")
    print(f"{tally.compared} results compared, {tally.faults} faults")
    for refusal, count in tally.refusals.most_common():
        print(f"refused {count:4} times: {refusal}")
    return 1 if tally.faults or tally.refusals else 0


if __name__ == "__main__":
    sys.exit(main())
