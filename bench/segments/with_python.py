# SPDX-License-Identifier: Apache-2.0
"""Segment sums of float32 in Python, on one thread, beside NumPy, SciPy and, if it is installed, PyTorch:

    python with_python.py

All of them make a new array. strew adds to zeros, which are made outside of the time; so does a CSR matrix of ones, made
outside too, times the updates. numpy.add.reduceat and torch.segment_reduce write the sums alone. Segments have all the
same length, since numpy.add.reduceat has no empty ones. ns for each update, a row of elements.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import scipy.sparse

import strew

try:
    import torch
except ImportError:
    torch = None


def best(call: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def main() -> None:
    if torch is not None:
        torch.set_num_threads(1)
    print("bytes, row, segment:    strew   SciPy   NumPy  PyTorch")
    for size in (128 << 10, 48 << 20):
        for lanes in (1, 4, 16, 64, 256):
            for length in (2, 8, 32, 1000):
                rows = max(size // 4 // lanes // length, 1)
                count = rows * length
                offsets = np.arange(rows + 1, dtype=np.int64) * length
                updates = np.random.default_rng(1).random((count, lanes), dtype=np.float32)
                if lanes == 1:
                    updates = updates[:, 0]
                zeros = np.zeros((rows, *updates.shape[1:]), np.float32)
                segments = strew.segments(offsets)
                matrix = scipy.sparse.csr_matrix(
                    (np.ones(count, np.float32), np.arange(count, dtype=np.int32), offsets.astype(np.int32)), (rows, count)
                )
                calls: list[Callable[[], object]] = [
                    lambda: strew.index_add(zeros, 0, segments, updates),
                    lambda: matrix @ updates,
                    lambda: np.add.reduceat(updates, offsets[:-1]),
                ]
                if torch is not None:
                    values, cuts = torch.from_numpy(updates), torch.from_numpy(offsets)
                    calls.append(lambda: torch.segment_reduce(values, "sum", offsets=cuts, axis=0))
                repeats = 200 if size < 1 << 20 else 5
                times = [best(call, repeats) * 1e9 / count for call in calls]
                print(f"{size:9}, {lanes:4}, {length:4}: " + " ".join(f"{each:8.2f}" for each in times))


if __name__ == "__main__":
    main()
