# SPDX-License-Identifier: Apache-2.0
"""Calls from Python beside NumPy, numba, numpy-groupies, PyTorch and JAX: writes results.json.

    python measure.py [--seconds 1] [--cases TEXT]

Every library solves the same problem on the same arrays, is checked once, and is then timed in turn with the others; the
figures are medians. What is left out is printed with a reason.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Read when these are imported. Indices of JAX are 32 bits otherwise.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

import numpy as np

import strew

sys.path.append(str(Path(__file__).resolve().parents[1]))

from optional_modules import optional

HERE = Path(__file__).parent
SAMPLE = 2e-3  # seconds of calls at least
RUNS = 50  # for the share with equal bits
Run = Callable[[], Any]


numba, groupies, torch, jax = (optional(name) for name in ("numba", "numpy_groupies", "torch", "jax"))

if numba is not None:
    # As its users write it; without a check of the indices.
    @numba.njit
    def numba_add_rows(data, index, source):
        for i in range(index.shape[0]):
            for j in range(source.shape[1]):
                data[index[i], j] += source[i, j]

    @numba.njit
    def numba_add(data, index, source):
        for i in range(index.shape[0]):
            data[index[i]] += source[i]

    @numba.njit
    def numba_add_pairs(data, first, second, source):
        for i in range(first.shape[0]):
            data[first[i], second[i]] += source[i]

    @numba.njit
    def numba_max_rows(data, index, source):
        for i in range(index.shape[0]):
            for j in range(source.shape[1]):
                if source[i, j] > data[index[i], j]:
                    data[index[i], j] = source[i, j]


class Case:
    """A problem, and how each library solves it: in place on `data`, or returning the output."""

    def __init__(self, name: str, data: np.ndarray, runs: dict[str, Run], *, exact: bool = True) -> None:
        self.name, self.data, self.runs, self.exact = name, data, runs, exact


def with_threads(name: str, run: Callable[[int], Any]) -> dict[str, Run]:
    return {f"{name}, 1": lambda: run(1), f"{name}, 2": lambda: run(2)}


def torch_run(threads: int, run: Run) -> Any:
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)
    return run()


def rows(length: int, dtype: str = "f4") -> Case:
    random = np.random.default_rng(length)
    count = max(1_000, 4_000_000 // length)
    data = np.zeros((max(count // 4, 100), length), dtype)
    index = random.integers(0, len(data), count)
    source = random.integers(-50, 50, (count, length)).astype(dtype)
    runs: dict[str, Run] = {
        **with_threads("strew", lambda threads: strew.index_add(data, 0, index, source, out=data, threads=threads)),
        "strew.numpy, 1": lambda: strew.numpy.add_at(data, index, source),
        "NumPy, 1": lambda: np.add.at(data, index, source),
    }
    bound = strew.prepare(strew.index_add, data, 0, index, source, out=data).bind(index)
    runs["strew bound, 1"] = lambda: bound.run(data, source, out=data)
    if numba is not None:
        runs["numba, 1"] = lambda: numba_add_rows(data, index, source)
    if torch is not None:
        tensors = [torch.from_numpy(array) for array in (data, index, source)]
        runs |= with_threads(
            "PyTorch", lambda n: torch_run(n, lambda: tensors[0].index_add_(0, tensors[1], tensors[2]))
        )
    if jax is not None:
        arrays = [jax.numpy.asarray(array) for array in (source, index)]
        segment = jax.jit(jax.ops.segment_sum, static_argnums=2)
        runs["JAX, all"] = lambda: np.asarray(segment(*arrays, len(data)).block_until_ready())
    return Case(f"sums of rows of {length}", data, runs)


def max_rows(length: int) -> Case:
    random = np.random.default_rng(length)
    count = max(1_000, 2_000_000 // length)
    data = np.zeros((count // 4, length), "f4")
    index = random.integers(0, len(data), count)
    source = random.random((count, length)).astype("f4")
    runs: dict[str, Run] = {
        **with_threads(
            "strew", lambda threads: strew.index_reduce(data, 0, index, source, "max", out=data, threads=threads)
        ),
        "strew.numpy, 1": lambda: strew.numpy.maximum_at(data, index, source),
        "NumPy, 1": lambda: np.maximum.at(data, index, source),
    }
    if numba is not None:
        runs["numba, 1"] = lambda: numba_max_rows(data, index, source)
    if torch is not None:
        tensors = [torch.from_numpy(array) for array in (data, index, source)]
        runs |= with_threads(
            "PyTorch", lambda n: torch_run(n, lambda: tensors[0].index_reduce_(0, tensors[1], tensors[2], "amax"))
        )
    return Case(f"maxima of rows of {length}", data, runs)


def assigned_rows(length: int) -> Case:
    random = np.random.default_rng(length)
    count = max(1_000, 4_000_000 // length)
    data = np.zeros((count * 2, length), "f4")
    index = random.permutation(len(data))[:count]
    source = random.random((count, length)).astype("f4")

    def assign() -> None:
        data[index] = source

    runs: dict[str, Run] = {
        **with_threads("strew", lambda threads: strew.scatter_update(data, index, source, 0, out=data, threads=threads)),
        "NumPy, 1": assign,
    }
    if torch is not None:
        tensors = [torch.from_numpy(array) for array in (data, index, source)]
        runs |= with_threads(
            "PyTorch", lambda n: torch_run(n, lambda: tensors[0].index_copy_(0, tensors[1], tensors[2]))
        )
    return Case(f"assigned rows of {length}", data, runs)


def pairs() -> Case:
    random = np.random.default_rng(2)
    data, count = np.zeros((1000, 1000)), 1_000_000
    first, second = random.integers(0, 1000, (2, count))
    source = random.integers(-50, 50, count).astype("f8")
    runs: dict[str, Run] = {
        **with_threads(
            "strew", lambda n: strew.index_put(data, (first, second), source, "sum", out=data, threads=n)
        ),
        "strew.numpy, 1": lambda: strew.numpy.add_at(data, (first, second), source),
        "NumPy, 1": lambda: np.add.at(data, (first, second), source),
    }
    if numba is not None:
        runs["numba, 1"] = lambda: numba_add_pairs(data, first, second, source)
    if torch is not None:
        at, by = torch.from_numpy(data), torch.from_numpy(source)
        places = (torch.from_numpy(first), torch.from_numpy(second))
        runs |= with_threads("PyTorch", lambda n: torch_run(n, lambda: at.index_put_(places, by, accumulate=True)))
    return Case("sums by two arrays of indices", data, runs)


def mixed() -> Case:
    random = np.random.default_rng(3)
    data, index = np.zeros(100_000), random.integers(0, 100_000, 1_000_000)
    source = random.integers(-50, 50, 1_000_000).astype("f4")
    runs: dict[str, Run] = {
        "strew.numpy, 1": lambda: strew.numpy.add_at(data, index, source),
        "NumPy, 1": lambda: np.add.at(data, index, source),
    }
    if numba is not None:
        runs["numba, 1"] = lambda: numba_add(data, index, source)
    return Case("sums of float32 into float64", data, runs)


def counts(bins: int) -> Case:
    random = np.random.default_rng(bins)
    values = random.integers(0, bins, 4_000_000)
    data = np.zeros(bins, np.int64)
    runs: dict[str, Run] = {
        **with_threads("strew", lambda n: strew.numpy.bincount(values, minlength=bins, threads=n)),
        "NumPy, 1": lambda: np.bincount(values, minlength=bins),
    }
    if torch is not None:
        tensor = torch.from_numpy(values)
        runs |= with_threads("PyTorch", lambda n: torch_run(n, lambda: torch.bincount(tensor, minlength=bins).numpy()))
    if groupies is not None:
        runs["numpy-groupies, 1"] = lambda: groupies.aggregate(values, 1, func="sum", size=bins)
    return Case(f"counts in {bins} bins", data, runs)


def weights(bins: int) -> Case:
    random = np.random.default_rng(bins)
    values, of = random.integers(0, bins, 1_000_000), random.integers(-50, 50, 1_000_000).astype("f8")
    data = np.zeros(bins)
    runs: dict[str, Run] = {
        **with_threads("strew", lambda n: strew.numpy.bincount(values, of, bins, threads=n)),
        "NumPy, 1": lambda: np.bincount(values, of, bins),
    }
    if groupies is not None:
        runs["numpy-groupies, 1"] = lambda: groupies.aggregate(values, of, func="sum", size=bins)
    if torch is not None:
        tensors = [torch.from_numpy(array) for array in (values, of)]
        runs |= with_threads(
            "PyTorch", lambda n: torch_run(n, lambda: torch.bincount(tensors[0], tensors[1], minlength=bins).numpy())
        )
    return Case(f"sums of weights in {bins} bins", data, runs)


def small(kind: str) -> Case:
    index = np.arange(10)
    if kind == "elements":
        data, source = np.zeros(10), np.arange(10.0)
    else:
        data, source = np.zeros((10, 4)), np.arange(40.0).reshape(10, 4)
    second = index % 4

    def assign() -> None:
        data[index] = source

    def assign_pairs() -> None:
        data[index, second] = source[:, 0]

    if kind == "pairs":
        column = source[:, 0].copy()
        runs: dict[str, Run] = {
            "strew, 1": lambda: strew.index_put_(data, (index, second), column),
            "NumPy, 1": assign_pairs,
        }
    elif kind == "sums":
        data, source = np.zeros(10), np.arange(10.0)
        runs = {
            "strew, 1": lambda: strew.index_add_(data, 0, index, source),
            "strew.numpy, 1": lambda: strew.numpy.add_at(data, index, source),
            "NumPy, 1": lambda: np.add.at(data, index, source),
        }
    elif kind == "along an axis":
        column = index[:, None] % 4
        values = source[:, :1].copy()
        runs = {
            "strew, 1": lambda: strew.put_along_axis_(data, column, values, 1),
            "strew.numpy, 1": lambda: strew.numpy.put_along_axis(data, column, values, 1),
            "NumPy, 1": lambda: np.put_along_axis(data, column, values, 1),
        }
    else:
        runs = {"strew, 1": lambda: strew.index_copy_(data, 0, index, source), "NumPy, 1": assign}
        if torch is not None:
            tensors = [torch.from_numpy(array) for array in (data, index, source)]
            runs["PyTorch, 1"] = lambda: tensors[0].index_copy_(0, tensors[1], tensors[2])
    return Case(f"10 {kind}", data, runs)


def equal_bits() -> dict[str, float]:
    """The share of runs on two threads that give the bits of one thread: sums of rows, duplicates among the indices."""
    random = np.random.default_rng(9)
    data, index = np.zeros((5_000, 16), "f4"), random.integers(0, 5_000, 200_000)
    source = random.standard_normal((200_000, 16)).astype("f4")
    shares: dict[str, float] = {}

    def share(name: str, run: Callable[[int], np.ndarray]) -> None:
        one = run(1).tobytes()
        shares[name] = sum(run(2).tobytes() == one for _ in range(RUNS)) / RUNS

    share("strew.index_add", lambda n: strew.index_add(data, 0, index, source, threads=n))
    share("strew.index_put, the last wins", lambda n: strew.index_put(data, (index,), source, threads=n))
    if torch is not None:
        tensors = [torch.from_numpy(array) for array in (data, index, source)]
        share(
            "PyTorch's index_add",
            lambda n: torch_run(n, lambda: tensors[0].index_add(0, tensors[1], tensors[2]).numpy()),
        )
        share(
            "PyTorch's index_put, accumulate",
            lambda n: torch_run(n, lambda: tensors[0].index_put((tensors[1],), tensors[2], accumulate=True).numpy()),
        )
        share(
            "PyTorch's index_put",
            lambda n: torch_run(n, lambda: tensors[0].index_put((tensors[1],), tensors[2]).numpy()),
        )
    return shares


def check(case: Case) -> None:
    """Each library's output from zeros is NumPy's."""
    outputs = {}
    for name, run in list(case.runs.items()):
        case.data[...] = 0
        returned = run()
        is_returned = isinstance(returned, np.ndarray) and returned is not case.data
        outputs[name] = (returned if is_returned else case.data).copy()
    for name, output in outputs.items():
        if not np.array_equal(output, outputs["NumPy, 1"]):
            print(f"{case.name}: {name} is wrong, and is left out")
            del case.runs[name]
    case.data[...] = 0


def seconds_of(run: Run, calls: int) -> float:
    began = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - began) / calls


def medians(case: Case, seconds: float) -> dict[str, float]:
    once = {name: min(seconds_of(run, 1) for _ in range(3)) for name, run in case.runs.items()}
    calls = {name: max(1, round(SAMPLE / took)) for name, took in once.items()}
    samples: dict[str, list[float]] = {name: [] for name in case.runs}
    rounds = max(5, round(seconds / sum(calls[name] * took for name, took in once.items())))
    for _ in range(min(rounds, 60)):
        for name, run in case.runs.items():
            run()  # brings its code and its threads back
            samples[name].append(seconds_of(run, calls[name]))
    return {name: statistics.median(taken) for name, taken in samples.items()}


CASES: list[Callable[[], Case]] = [
    *(lambda length=length: rows(length) for length in (1, 4, 16, 64, 256, 1024)),
    *(lambda length=length: max_rows(length) for length in (1, 16)),
    *(lambda length=length: assigned_rows(length) for length in (1, 4, 16, 64, 256, 1024)),
    pairs,
    mixed,
    *(lambda bins=bins: counts(bins) for bins in (256, 100_000)),
    lambda: weights(10_000),
    *(lambda kind=kind: small(kind) for kind in ("elements", "rows", "pairs", "along an axis", "sums")),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each case")
    parser.add_argument("--cases", default="", help="those whose name has this text")
    parser.add_argument("--output", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    for make in CASES:
        case = make()
        if options.cases not in case.name:
            continue
        check(case)
        found[case.name] = medians(case, options.seconds)
        numpy = found[case.name]["NumPy, 1"]
        print(f"{case.name}: NumPy {numpy * 1e6:.2f} us", {n: round(t / numpy, 3) for n, t in found[case.name].items()})
    versions = {
        module.__name__: module.__version__ for module in (np, numba, groupies, torch, jax) if module is not None
    }
    shares = equal_bits() if not options.cases else {}
    processor = next(
        (line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown"
    )
    options.output.write_text(
        json.dumps(
            {"seconds": found, "equal_bits": shares, "versions": versions, "processor": processor,
             "processors": os.cpu_count()}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
