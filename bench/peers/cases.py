# SPDX-License-Identifier: Apache-2.0
"""The cases: one operator along one axis of float32 data, with int64 indices, half of the rows or elements replaced; and
reductions, with half as many updates as rows, elements or slices, at random places, so that many meet."""

import dataclasses
import math

import numpy as np

KIB, MIB = 1024, 1024 * 1024
SIZES = {"256 KiB": 256 * KIB, "32 MiB": 32 * MIB, "256 MiB": 256 * MIB}

FILL = -1  # an extent that is as large as the size of data asks for


@dataclasses.dataclass(frozen=True)
class Case:
    """`part` is what a slice covers of its axis, or the order of indices. `tuple_size` numbers name a slice; `count`
    updates are made, where that is not half of the places."""

    name: str
    operator: str  # slice, rows or elements
    shape: tuple
    axis: int
    part: str
    step: int = 1
    tuple_size: int = 0
    count: int = 0


SIZED = (
    Case("slice axis0 half", "slice", (FILL, 1024), 0, "middle half"),
    Case("slice inner half", "slice", (FILL, 1024), 1, "middle half"),
    Case("slice inner step2", "slice", (FILL, 1024), 1, "all", 2),
    Case("slice inner step3", "slice", (FILL, 1024), 1, "all", 3),
    Case("slice inner step-1", "slice", (FILL, 1024), 1, "all", -1),
    Case("slice 64B blocks", "slice", (FILL, 2, 16), 1, "all", 2),
    Case("update rows inner1", "rows", (FILL,), 0, "random"),
    Case("update rows inner16", "rows", (FILL, 16), 0, "random"),
    Case("update rows inner64", "rows", (FILL, 64), 0, "random"),
    Case("update rows inner1024", "rows", (FILL, 1024), 0, "random"),
    Case("update last axis", "rows", (FILL, 1024), 1, "random"),
)
FIXED = (
    Case("elements last axis 1024x1024", "elements", (1024, 1024), 1, "random"),
    Case("elements axis0 1024x1024", "elements", (1024, 1024), 0, "random"),
    Case("elements last axis 8192x1024", "elements", (8192, 1024), 1, "random"),
    Case("elements axis0 8192x1024", "elements", (8192, 1024), 0, "random"),
    Case("elements 1d 64K random", "elements", (64 * 1024,), 0, "random"),
    Case("elements 1d 4M random", "elements", (4 * 1024 * 1024,), 0, "random"),
    Case("elements 1d 4M sequential", "elements", (4 * 1024 * 1024,), 0, "sequential"),
)
ROWS_32_MIB = {1: 8 * MIB, 4: 2 * MIB, 16: MIB // 2, 64: MIB // 8, 80: 104857, 1024: 8192}
REDUCED = (
    *(Case(f"sum rows of {n}", "row_sums", (rows, n) if n > 1 else (rows,), 0, "random")
      for n, rows in ROWS_32_MIB.items()),
    Case("sum rows of 64, sorted", "row_sums", (MIB // 8, 64), 0, "sorted"),
    Case("sum rows of 64, to one row", "row_sums", (MIB // 8, 64), 0, "one"),
    Case("sum rows of 64", "row_sums", (1024, 64), 0, "random"),
    Case("sum rows of 80, 481385 to 556416", "row_sums", (556416, 80), 0, "random", count=481385),
    Case("sum elements, last axis", "element_sums", (1024, 1024), 1, "random", count=1024),
    Case("sum elements, axis 0", "element_sums", (1024, 1024), 0, "random", count=1024),
    Case("max elements, last axis", "element_maxima", (1024, 1024), 1, "random", count=1024),
    Case("max elements, axis 0", "element_maxima", (1024, 1024), 0, "random", count=1024),
    Case("tuples of 2, slices of 1", "tuples", (2896, 2896), 0, "random", tuple_size=2),
    Case("tuples of 2, slices of 64", "tuples", (362, 362, 64), 0, "random", tuple_size=2),
    Case("tuples of 3, slices of 16", "tuples", (80, 80, 80, 16), 0, "random", tuple_size=3),
    Case("sum by tuples of 2, slices of 64", "tuple_sums", (362, 362, 64), 0, "random", tuple_size=2),
    Case("histogram, 256 bins", "row_sums", (256,), 0, "random", count=16 * MIB),
    Case("histogram, 64K bins", "row_sums", (64 * KIB,), 0, "random", count=16 * MIB),
    Case("histogram, 16M bins", "row_sums", (16 * MIB,), 0, "random", count=16 * MIB),
)  # fmt: skip
REDUCTIONS = {"row_sums", "element_sums", "element_maxima", "tuple_sums"}


def sized_cases():
    """Every row of the comparison: a case and the name of its size."""
    for case in SIZED:
        for size, nbytes in SIZES.items():
            known = math.prod(extent for extent in case.shape if extent != FILL)
            filled = tuple(nbytes // (4 * known) if extent == FILL else extent for extent in case.shape)
            yield dataclasses.replace(case, shape=filled), size
    for case in FIXED + REDUCED:
        nbytes = 4 * max(math.prod(case.shape), case.count if len(case.shape) == 1 else 0)
        yield case, f"{nbytes // MIB} MiB" if nbytes >= MIB else f"{nbytes // KIB} KiB"


def aligned(shape, dtype):
    """An empty array that begins where a cache line does."""
    nbytes = math.prod(shape) * np.dtype(dtype).itemsize
    block = np.empty(nbytes + 64, np.uint8)
    offset = -block.ctypes.data % 64
    return block[offset : offset + nbytes].view(dtype).reshape(shape)


def aligned_copy(values, dtype):
    copy = aligned(np.shape(values), dtype)
    copy[...] = values
    return copy


class Problem:
    """A case with its tensors: data, updates, indices (None for slices), and the output that all peers write to."""

    def __init__(self, case):
        self.operator, self.axis, self.step = case.operator, case.axis, case.step
        self.tuple_size = case.tuple_size
        if case.operator in ("row_sums", "element_sums", "element_maxima", "tuples", "tuple_sums"):
            self.make_meeting(case)
            return
        extent = case.shape[case.axis]
        first, last = (extent // 4, extent - extent // 4 - 1) if case.part == "middle half" else (0, extent - 1)
        self.start = first if case.step > 0 else last
        self.stop = last + 1 if case.step > 0 else first - 1 - extent  # from the end, so never taken for -1

        r = np.random.default_rng(1)
        self.indices = None
        if case.operator == "rows":
            self.indices = aligned_copy(r.permutation(extent)[: extent // 2], np.int64)
        elif case.operator == "elements":
            lines = r.random(case.shape).argsort(case.axis) if case.part == "random" else np.arange(extent)
            self.indices = aligned_copy(lines[self.at(slice(extent // 2))], np.int64)

        count = len(range(*self.slice.indices(extent))) if case.operator == "slice" else extent // 2
        updates = case.shape[: case.axis] + (count,) + case.shape[case.axis + 1 :]
        self.data = aligned_copy(np.arange(math.prod(case.shape), dtype=np.float32).reshape(case.shape), np.float32)
        self.updates = aligned_copy(-1 - np.arange(math.prod(updates), dtype=np.float32).reshape(updates), np.float32)
        self.output = aligned(case.shape, np.float32)

    def make_meeting(self, case):
        """Small integers, of which sums are exact in any order."""
        r = np.random.default_rng(1)
        size = case.tuple_size
        places = math.prod(case.shape[:size]) if size else case.shape[case.axis]
        count = case.count or places // 2
        if size:
            numbers = r.integers(0, places, count) if case.operator == "tuple_sums" else r.permutation(places)[:count]
            indices = np.stack(np.unravel_index(numbers, case.shape[:size]), axis=-1)
            updates = (count, *case.shape[size:])
        elif case.operator == "row_sums":
            indices = np.full(count, 7) if case.part == "one" else r.integers(0, places, count)
            indices = np.sort(indices) if case.part == "sorted" else indices
            updates = (count, *case.shape[1:])
        else:
            updates = tuple(count if k == case.axis else n for k, n in enumerate(case.shape))
            indices = r.integers(0, places, updates)
        self.indices = aligned_copy(indices, np.int64)
        self.data = aligned_copy(r.integers(0, 64, case.shape), np.float32)
        self.updates = aligned_copy(r.integers(1, 16, updates), np.float32)
        self.output = aligned(case.shape, np.float32)

    @property
    def measured(self):
        """What memcpy copies: data, or the updates where they are more."""
        return self.updates if self.updates.nbytes > 2 * self.data.nbytes else self.data

    @property
    def places(self):
        """NumPy's index of the places of updates."""
        if self.tuple_size:
            return tuple(self.indices[..., j] for j in range(self.tuple_size))
        if self.operator == "row_sums":
            return (self.indices,)
        others = np.ogrid[tuple(slice(n) for n in self.indices.shape)]
        return tuple(self.indices if k == self.axis else other for k, other in enumerate(others))

    @property
    def slice(self):
        return slice(self.start, self.stop, self.step)

    def at(self, of_axis):
        """NumPy's index of what lies at `of_axis` on the axis: a slice or indices."""
        return (slice(None),) * self.axis + (of_axis,)

    def expected(self):
        result = self.data.copy()
        if self.operator in REDUCTIONS:
            (np.maximum if self.operator == "element_maxima" else np.add).at(result, self.places, self.updates)
        elif self.operator == "tuples":
            result[self.places] = self.updates
        elif self.operator == "slice":
            result[self.at(self.slice)] = self.updates
        elif self.operator == "rows":
            result[self.at(self.indices)] = self.updates
        else:
            np.put_along_axis(result, self.indices, self.updates, self.axis)
        return result
