# SPDX-License-Identifier: Apache-2.0
"""The cases: one operator along one axis of float32 data, with int64 indices, half of the rows or elements replaced."""

import dataclasses
import math

import numpy as np

KIB, MIB = 1024, 1024 * 1024
SIZES = {"256 KiB": 256 * KIB, "32 MiB": 32 * MIB, "256 MiB": 256 * MIB}

FILL = -1  # an extent that is as large as the size of data asks for


@dataclasses.dataclass(frozen=True)
class Case:
    """`part` is what a slice covers of its axis, or the order of indices."""

    name: str
    operator: str  # slice, rows or elements
    shape: tuple
    axis: int
    part: str
    step: int = 1


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


def sized_cases():
    """Every row of the comparison: a case and the name of its size."""
    for case in SIZED:
        for size, nbytes in SIZES.items():
            known = math.prod(extent for extent in case.shape if extent != FILL)
            filled = tuple(nbytes // (4 * known) if extent == FILL else extent for extent in case.shape)
            yield dataclasses.replace(case, shape=filled), size
    for case in FIXED:
        nbytes = 4 * math.prod(case.shape)
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

    @property
    def slice(self):
        return slice(self.start, self.stop, self.step)

    def at(self, of_axis):
        """NumPy's index of what lies at `of_axis` on the axis: a slice or indices."""
        return (slice(None),) * self.axis + (of_axis,)

    def expected(self):
        result = self.data.copy()
        if self.operator == "slice":
            result[self.at(self.slice)] = self.updates
        elif self.operator == "rows":
            result[self.at(self.indices)] = self.updates
        else:
            np.put_along_axis(result, self.indices, self.updates, self.axis)
        return result
