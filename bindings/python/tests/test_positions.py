# SPDX-License-Identifier: Apache-2.0
"""Which update won: return_positions of all operators that take it, against naive loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import strew


def won(data: np.ndarray, targets: list[tuple[tuple[int, ...], int, Any]], reduction: str) -> tuple[Any, Any]:
    """The result and the numbers; `targets` are a coordinate, the number of an update, and the update."""
    output = data.copy()
    numbers = np.full(data.shape, -1)
    for at, number, update in targets:
        current = output[at]
        wins = reduction == "none"
        if reduction != "none" and current == current:
            wins = update != update or (update > current if reduction == "max" else update < current)
        if wins:
            output[at] = update
            numbers[at] = number
    return output, numbers


def same(found: tuple[Any, Any], expected: tuple[Any, Any]) -> None:
    assert isinstance(found, tuple)
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])
    assert found[1].dtype == np.int64


def draw(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    if dtype == "bool":
        return random.integers(0, 2, shape).astype(bool)
    values = random.integers(-3, 4, shape).astype(dtype)
    if dtype.startswith("float"):
        values = np.where(random.integers(0, 9, shape) == 0, np.nan, values).astype(dtype)
    return values


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "uint64", "bool"])
@pytest.mark.parametrize("reduction", ["none", "min", "max"])
@pytest.mark.parametrize("threads", [1, 3])
def test_elements(dtype: str, reduction: str, threads: int) -> None:
    random = np.random.default_rng(1)
    data = draw(random, (4, 3), dtype)
    index = random.integers(0, 4, (7, 3))
    source = draw(random, (7, 3), dtype)
    pairs = [((int(index[j, k]), k), j, source[j, k]) for j in range(7) for k in range(3)]
    expected = won(data, pairs, reduction)
    options: dict[str, Any] = {"threads": threads, "return_positions": True}
    same(strew.scatter_reduce(data, 0, index, source, reduction, **options), expected)
    same(strew.v12.scatter_elements_update(data, index, source, 0, reduction, **options), expected)
    same(strew.onnx.scatter_elements(data, index, source, 0, reduction, **options), expected)
    out = np.zeros_like(data)
    found = strew.scatter_reduce(data, 0, index, source, reduction, out=out, **options)
    assert found[0] is out
    same(found, expected)
    changed = data.copy()
    found = strew.scatter_reduce_(changed, 0, index, source, reduction, **options)
    assert found[0] is changed
    same(found, expected)
    if reduction == "none":
        same(strew.scatter(data, 0, index, source, **options), expected)
        same(strew.put_along_axis(data, index, source, 0, **options), expected)
        same(strew.onnx.scatter(data, index, source, 0, **options), expected)
        same(strew.scatter_elements_update(data, index[:4], source[:4], 0, **options), won(data, pairs[:12], "none"))


@pytest.mark.parametrize("reduction", ["none", "min", "max"])
def test_rows(reduction: str) -> None:
    random = np.random.default_rng(2)
    data = draw(random, (2, 5, 3), "float32")
    index = random.integers(0, 5, 6)
    source = draw(random, (2, 6, 3), "float32")
    pairs = [((i, int(index[j]), k), j, source[i, j, k]) for j in range(6) for i in range(2) for k in range(3)]
    expected = won(data, pairs, reduction)
    same(strew.index_reduce(data, 1, index, source, reduction, return_positions=True), expected)
    if reduction == "none":
        same(strew.scatter_update(data, index, source, 1, return_positions=True), expected)
        same(strew.index_copy(data, 1, index, source, return_positions=True), expected)
        changed = data.copy()
        same(strew.index_copy_(changed, 1, index, source, return_positions=True), expected)
        np.testing.assert_array_equal(changed, expected[0])


@pytest.mark.parametrize("reduction", ["none", "min", "max"])
def test_multi_indices(reduction: str) -> None:
    random = np.random.default_rng(3)
    data = draw(random, (3, 4), "int32")
    at = np.stack([random.integers(0, 3, 9), random.integers(0, 4, 9)], axis=-1)
    updates = draw(random, (9,), "int32")
    expected = won(data, [((int(at[j, 0]), int(at[j, 1])), j, updates[j]) for j in range(9)], reduction)
    same(strew.v15.scatter_nd_update(data, at, updates, reduction, return_positions=True), expected)
    same(strew.onnx.scatter_nd(data, at, updates, reduction, return_positions=True), expected)
    if reduction == "none":
        same(strew.v3.scatter_nd_update(data, at, updates, return_positions=True), expected)
        same(strew.index_put(data, (at[:, 0], at[:, 1]), updates, return_positions=True), expected)
        same(strew.put(data, at[:, 0] * 4 + at[:, 1], updates, return_positions=True), expected)


@pytest.mark.parametrize("reduction", ["none", "min", "max"])
@pytest.mark.parametrize("count", [9, 5000])
@pytest.mark.parametrize("threads", [1, 2])
def test_prepared_and_bound_calls(reduction: str, count: int, threads: int) -> None:
    random = np.random.default_rng(4)
    data = draw(random, (100, 3), "float64")
    index = random.integers(-100, 200, count)
    source = draw(random, (count, 3), "float64")
    kept = [(j, int(index[j])) for j in range(count) if 0 <= index[j] < 100]
    expected = won(data, [((at, k), j, source[j, k]) for j, at in kept for k in range(3)], reduction)
    options: dict[str, Any] = {"threads": threads, "mode": "drop", "return_positions": True}
    prepared = strew.prepare(strew.index_reduce, data, 0, index, source, reduction, **options)
    same(prepared.run(data, index, source), expected)
    bound = prepared.bind(index)
    for _ in range(2):
        same(bound.run(data, source), expected)
    out = np.zeros_like(data)
    found = bound.run(data, source, out=out)
    assert found[0] is out
    same(found, expected)
    tensors = (np.arange(4), np.arange(4) // 2, np.arange(4) * 10)
    numbers = strew.prepare(strew.put, *tensors, return_positions=True).bind(tensors[1]).run(tensors[0], tensors[2])
    same(numbers, (np.array([10, 30, 2, 3]), np.array([1, 3, -1, -1])))
    tuples = strew.prepare(strew.index_put, tensors[0], (tensors[1],), tensors[2], return_positions=True)
    same(tuples.bind((tensors[1],)).run(tensors[0], tensors[2]), (np.array([10, 30, 2, 3]), np.array([1, 3, -1, -1])))


def test_policies_and_references() -> None:
    found = strew.index_copy(np.zeros(3), 0, [7, 1, -1], np.ones(3), mode="drop", return_positions=True)
    same(found, (np.array([0.0, 1.0, 0.0]), np.array([-1, 1, -1])))
    objects = np.array(["a", "b", None], dtype=object)
    output, numbers = strew.index_copy(objects, 0, [2, 2], np.array(["x", "y"], dtype=object), return_positions=True)
    assert list(output) == ["a", "b", "y"]
    assert list(numbers) == [-1, -1, 1]


def test_without_positions_the_result_is_the_array() -> None:
    assert isinstance(strew.index_copy(np.zeros(3), 0, [1], np.ones(1), return_positions=False), np.ndarray)


def test_errors() -> None:
    data = np.zeros(3)
    with pytest.raises(ValueError, match="store which update won"):
        strew.index_reduce(data, 0, [1], np.ones(1), "sum", return_positions=True)
    with pytest.raises(ValueError, match="store which update won"):
        strew.index_reduce(data, 0, [1], np.ones(1), "max", include_init=False, return_positions=True)
    with pytest.raises(TypeError, match="return_positions"):
        strew.index_reduce(data, 0, [1], np.ones(1), "max", return_positions=1)
    with pytest.raises(TypeError, match="return_positions"):
        strew.index_add(data, 0, [1], np.ones(1), return_positions=True)
    with pytest.raises(ValueError, match="store which update won"):
        strew.prepare(strew.index_reduce, data, 0, [1], np.ones(1), "sum", return_positions=True)
    assert data.tolist() == [0, 0, 0]
