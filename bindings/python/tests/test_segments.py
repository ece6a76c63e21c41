# SPDX-License-Identifier: Apache-2.0
"""Segments in the place of indices: results beside loops over NumPy arrays, and what is refused with which words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strew

rng = np.random.default_rng(1)
OFFSETS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)


def summed(data: np.ndarray, axis: int, offsets: list[int], source: np.ndarray) -> np.ndarray:
    result = np.moveaxis(data.copy(), axis, 0)
    rows = np.moveaxis(source, axis, 0)
    for s in range(len(offsets) - 1):
        for i in range(offsets[s], offsets[s + 1]):
            result[s] += rows[i]
    return np.moveaxis(result, 0, axis)


def copied(data: np.ndarray, axis: int, offsets: list[int], source: np.ndarray) -> np.ndarray:
    result = np.moveaxis(data.copy(), axis, 0)
    rows = np.moveaxis(source, axis, 0)
    for s in range(len(offsets) - 1):
        if offsets[s + 1] > offsets[s]:
            result[s] = rows[offsets[s + 1] - 1]
    return np.moveaxis(result, 0, axis)


@pytest.mark.parametrize("case", range(60))
def test_results_are_those_of_loops(case: int) -> None:
    shape = tuple(int(n) for n in rng.integers(1, 7, size=rng.integers(1, 4)))
    axis = int(rng.integers(-len(shape), len(shape)))
    lengths = rng.integers(0, 5, size=shape[axis])
    offsets = [0, *np.cumsum(lengths).tolist()]
    shape_of_source = list(shape)
    shape_of_source[axis] = offsets[-1]
    data = rng.standard_normal(shape).astype(np.float32)
    source = rng.standard_normal(shape_of_source).astype(np.float32)
    if case % 3 == 0:
        source = np.asfortranarray(source)
    given: Any = offsets if case % 4 == 0 else np.array(offsets, OFFSETS[case % len(OFFSETS)])
    segments = strew.segments(given)
    threads = 1 + case % 3
    before = data.copy()
    assert np.array_equal(strew.index_add(data, axis, segments, source, threads=threads), summed(data, axis, offsets, source))
    assert np.array_equal(strew.index_copy(data, axis, segments, source), copied(data, axis, offsets, source))
    assert np.array_equal(strew.scatter_update(data, segments, source, axis), copied(data, axis, offsets, source))
    doubled = summed(data, axis, offsets, 2 * source)
    assert np.array_equal(strew.index_add(data, axis, segments, source, alpha=2), doubled)
    assert np.array_equal(strew.index_reduce(data, axis, segments, source, "sum"), summed(data, axis, offsets, source))
    assert np.array_equal(data, before)
    expected = summed(data, axis, offsets, source)
    assert strew.index_add_(data, axis, segments, source) is data
    assert np.array_equal(data, expected)


@pytest.mark.parametrize("offsets", [[0, 2, 2, 5], np.array([0, 2, 2, 5], np.uint8)])
@pytest.mark.parametrize("threads", [1, 2])
def test_prepared_and_bound(offsets: Any, threads: int) -> None:
    data, source = rng.standard_normal((2, 3)), rng.standard_normal((2, 5))
    expected = summed(data, 1, list(offsets), source)
    prepared = strew.prepare(strew.index_add, data, 1, strew.segments(offsets), source, threads=threads)
    assert np.array_equal(prepared.run(data, strew.segments(offsets), source), expected)
    bound = prepared.bind(strew.segments(offsets))
    before = offsets[1]
    offsets[1] = 1  # bound calls keep a copy
    assert np.array_equal(bound.run(data, source), expected)
    out = np.zeros_like(data)
    assert bound.run(data, source, out=out) is out
    assert np.array_equal(out, expected)
    offsets[1] = before
    with pytest.raises(strew.OperandValueError, match="the indices were bound for"):
        bound.run(data, source[:, :4])
    mean = strew.prepare(strew.index_reduce, data, 1, strew.segments(offsets), source, "mean").bind(strew.segments(offsets))
    plain = strew.index_reduce(data, 1, strew.segments(offsets), source, "mean")
    assert np.array_equal(mean.run(data, source), plain)
    with pytest.raises(strew.Error, match="mode must be raise"):
        strew.prepare(strew.index_add, data, 1, strew.segments(offsets), source, mode="drop")


def test_its_offsets_and_what_it_looks_like() -> None:
    offsets = [0, 2, 3]
    segments = strew.segments(offsets)
    assert segments.offsets is offsets
    assert repr(segments) == "segments([0, 2, 3])"
    assert strew.index_copy(np.array(["a", "b"], object), 0, segments, np.array(["x", "y", "z"], object)).tolist() == ["y", "z"]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: strew.index_add(np.zeros(3), 0, strew.segments([0, 2, 1, 3]), np.ones(3)), strew.OutOfBoundsError,
         "index_add: offsets[2] = 1 is outside [2, 3] (from the offset before it to the number of updates on axis 0)"),
        (lambda: strew.index_add(np.zeros(3), 0, strew.segments([0, 2, 10**30, 3]), np.ones(3)), strew.OutOfBoundsError,
         "index_add: offsets[2] = 1000000000000000000000000000000 is outside [2, 3] (from the offset before it to the "
         "number of updates on axis 0)"),
        (lambda: strew.index_copy(np.zeros(3), 0, strew.segments([0, 3]), np.ones(3)), strew.OperandValueError,
         "index_copy: offsets has extent 2 on axis 0, expected one more than the 3 of data on axis 0"),
        (lambda: strew.index_copy(np.zeros(1), 0, strew.segments([[0, 3]]), np.ones(3)), strew.OperandValueError,
         "index_copy: offsets has rank 2, expected 1"),
        (lambda: strew.scatter_update(np.zeros(1), strew.segments([0, 2.5]), np.ones(3), 0), strew.OperandTypeError,
         "scatter_update: offsets holds a float, expected integers"),
        (lambda: strew.index_add(np.zeros(1), 0, strew.segments([0, 2]), 1), strew.OperandValueError,
         "index_add: source is one value, but segments need an array"),
        (lambda: strew.index_add(np.zeros(1), 0, strew.segments([0, 2]), np.ones(2), mode="drop"), strew.OperandValueError,
         "index_add: mode must be raise for segments, whose offsets are legal"),
        (lambda: strew.scatter_add(np.zeros(1), 0, strew.segments([0, 2]), np.ones(2)), strew.OperandTypeError,
         "scatter_add: index is segments, which index_add, index_copy, index_reduce and scatter_update take"),
        (lambda: strew.prepare(strew.scatter_add, np.zeros(1), 0, strew.segments([0, 2]), np.ones(2)), strew.OperandTypeError,
         "scatter_add: index is segments, which index_add, index_copy, index_reduce and scatter_update take"),
        (lambda: strew.prepare(strew.index_add, np.zeros(1), 0, strew.segments([0, 2, 2]), np.ones(2)), strew.OperandValueError,
         "index_add: offsets has extent 3 on axis 0, expected one more than the 1 of data on axis 0"),
        (lambda: strew.prepare(strew.index_add, np.zeros(1), 0, strew.segments([0, 2]), 1), strew.OperandValueError,
         "index_add: source is one value, but segments need an array"),
        (lambda: strew.prepare(strew.index_add, np.zeros(1), 0, strew.segments([0, 2]), np.ones(2)).bind(strew.segments([1, 2])),
         strew.OutOfBoundsError, "index_add: offsets[0] = 1 is outside [0, 0] (segments begin with the first update)"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as raised:
        call()
    assert str(raised.value) == text
