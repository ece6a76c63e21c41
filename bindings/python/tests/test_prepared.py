# SPDX-License-Identifier: Apache-2.0
"""Prepared and bound calls: their arguments, and that nothing beyond the operands is touched however they are used."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import strew
from strew._strew import Binding, Layout

RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize("count", [3, 30_000])
@pytest.mark.parametrize("alpha", [1, 2.5])
@pytest.mark.parametrize("mode", ["raise", "drop", "clip", "wrap"])
def test_every_option(count: int, alpha: float, mode: str) -> None:
    data, index, source = RANDOM.random((500, 4)), RANDOM.integers(0, 500, count), RANDOM.random((count, 4))
    expected = strew.index_add(data, 0, index, source, alpha=alpha, mode=mode)
    for threads in (1, 2):
        prepared = strew.prepare(strew.index_add, data, 0, index, source, alpha=alpha, mode=mode, threads=threads)
        assert prepared.run(data, index, source).tobytes() == expected.tobytes()
        assert prepared.bind(index).run(data, source).tobytes() == expected.tobytes()


def test_arguments_by_name_and_left_out() -> None:
    data, index, updates = np.zeros((4, 3)), np.array([[1, 2, 0]]), np.ones((1, 3))
    expected = strew.onnx.scatter_elements(data, index, updates, reduction="sum")
    prepared = strew.prepare(strew.onnx.scatter_elements, data, index, updates, reduction="sum")
    assert prepared.run(data, index, updates).tobytes() == expected.tobytes()
    prepared = strew.prepare(strew.index_add, index=[1], dim=0, src=np.float64(2), input=np.zeros(3))
    assert prepared.run(np.zeros(3), [1]).tolist() == [0, 2, 0]
    prepared = strew.prepare(strew.index_add, index=[1], axis=0, source=np.array(2.0), data=np.zeros(3))
    assert prepared.run(np.zeros(3), [1], np.array(2.0)).tolist() == [0, 2, 0]
    prepared = strew.prepare(strew.index_add, index=[1], axis=0, source=2.0, data=np.zeros(3))
    assert prepared.run(np.zeros(3), [1]).tolist() == [0, 2, 0]
    assert prepared.bind([2]).run(np.zeros(3)).tolist() == [0, 0, 2]


def test_lists_and_arrays_of_rank_0_are_updates() -> None:
    data = np.zeros(3)
    for updates, expected in (([1, 2.5], [1, 0, 2.5]), ((1.0, 2.5), [1, 0, 2.5]), (np.array(2), [2, 0, 2]),
                              (np.array(2.0), [2, 0, 2]), (np.ones(2), [1, 0, 1])):
        prepared = strew.prepare(strew.index_add, data, 0, [0, 2], updates)
        assert prepared.run(data, [0, 2], updates).tolist() == expected
        assert prepared.bind([0, 2]).run(data, updates).tolist() == expected
    for updates, words in (([1, 2, 3], "source has extent 3 on axis 0, expected 2"), ([[1], [2]], "source has rank 2"),
                           ("a", "source is a str"), ([[1], [2, 3]], "source is a list of lists of different lengths")):
        with pytest.raises(strew.Error, match=words):
            strew.prepare(strew.index_add, data, 0, [0, 2], updates)
    with pytest.raises(strew.Error, match="data is a list, expected an array"):
        strew.prepare(strew.index_add, [0.0], 0, [0], 1.0)
    with pytest.raises(strew.Error, match="source is a date"):
        strew.prepare(strew.index_add, data, 0, [0, 2], [1, 2]).run(data, [0, 2], __import__("datetime").date(1, 1, 1))


def test_wrong_arguments() -> None:
    data = np.zeros(4)
    for arguments in ((strew.index_add, data, 0, [1]), (strew.index_add, data), (strew.slice_scatter, data, 1.0),
                      (strew.select_scatter, data, 1.0, 0, 0), (len, data), (strew.index_add, data, 0, [1], 1.0, 5)):
        with pytest.raises(TypeError):
            strew.prepare(*arguments)
    for indices in (np.zeros((2, 3), int), 3, None):
        with pytest.raises(strew.OperandTypeError):
            strew.prepare(strew.index_put, np.zeros((3, 3)), indices, 1.0)
    with pytest.raises(TypeError, match=r"prepare\(\) takes an operator of strew and its arguments, as strew.index_add, not builtins.len"):
        strew.prepare(len, data)
    with pytest.raises(TypeError, match=r"index_add\(\) has no argument 'dims' \(the nearest is 'dim'\): index_add\("):
        strew.prepare(strew.index_add, data, dims=0, index=[1], source=1.0)
    with pytest.raises(TypeError, match="2 tensors"):
        strew.prepare(strew.index_add, data, 0, [1], np.ones(1)).bind([1]).run(data)


@pytest.mark.parametrize("rows, count", [(3, 2), (3, 3), (3000, 9000)])  # without a schedule and with one
def test_runs_with_other_operands(rows: int, count: int) -> None:
    data, index, source = np.zeros((rows, 4)), RANDOM.integers(0, rows, count), RANDOM.random((count, 4))
    bound = strew.prepare(strew.index_add, data, 0, index, source).bind(index)
    before = data.copy()
    for other, words in (
        ((data[1:], source), f"data has the extents ({rows - 1}, 4), the indices were bound for ({rows}, 4)"),
        ((np.zeros((rows + 1, 4)), source), f"data has the extents ({rows + 1}, 4), the indices were bound for"),
        ((data.T, source), "source has extent 4 on axis 1, expected" if rows > 4 or rows == 3 else ""),
        ((data, source[1:]), f"source has extent {count - 1} on axis 0, expected {count}" if count < 9 else "source has"),
        ((data, np.ones((count, 5))), "source has"),
        ((data.astype("f4"), source.astype("f4")), "data has elements of another type than the indices were bound for"),
        ((data.astype("i8"), source.astype("i8")), "data has elements of another type than the indices were bound for"),
        ((data.astype("M8[s]"), source), "source holds float64, expected datetime64[s]"),
        ((data, source.astype("f4")), "source holds float32, expected float64"),
        ((data[0], source), "source has rank 2"),
    ):
        with pytest.raises(strew.Error) as caught:
            bound.run(*other)
        assert words in str(caught.value) or "the indices were bound for" in str(caught.value)
    assert (data == before).all()
    if rows > 3:  # the schedule addresses row-major memory
        for other in ((data, source[::-1]), (np.asfortranarray(data), source)):
            with pytest.raises(strew.Error, match="not dense"):
                bound.run(*other)
        with pytest.raises(strew.Error):
            bound.run(data, source, out=data[:, ::-1])


def test_bound_indices_of_several_axes_and_values() -> None:
    data = np.zeros((3, 4))
    bound = strew.prepare(strew.index_put, data, ([0, 1], [1, 2]), np.ones(2), "sum").bind(([0, 1], [1, 2]))
    assert bound.run(data, np.ones(2)).sum() == 2
    for other in ((np.zeros((4, 4)), np.ones(2)), (np.zeros((3, 5)), np.ones(2)), (np.zeros((3, 4), int), np.ones(2, int))):
        with pytest.raises(strew.Error, match="the indices were bound for"):
            bound.run(*other)
    fill = strew.prepare(strew.index_fill_, data, 1, [0], 7.0).bind([0])
    assert fill.run(data) is data and data[:, 0].tolist() == [7, 7, 7]
    with pytest.raises(strew.Error, match="the indices were bound for"):
        fill.run(np.zeros((4, 4)))


def test_a_schedule_is_of_one_operator() -> None:
    data, index, source = np.zeros((5000, 32)), RANDOM.integers(0, 5000, 3000), RANDOM.random((3000, 32))
    operators = [lambda b: strew.index_add(data, 0, b, source), lambda b: strew.index_copy(data, 0, b, source)]
    for first, second in (operators, operators[::-1]):
        binding = Binding(index, False, True)
        first(binding)
        with pytest.raises(strew.Error, match="operator differs"):
            second(binding)


def test_prepared_calls_say_what_they_are() -> None:
    prepared = strew.prepare(strew.index_add_, np.zeros(3), 0, [0], np.ones(1))
    bound = prepared.bind([0])
    assert repr(prepared) == "<strew.index_add_, prepared: call run(data, index, source)>"
    assert repr(bound) == "<strew.index_add_, bound: call run(data, source)>"
    for each in (prepared, bound):
        for attempt in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="not pickled or copied"):
                attempt(each)
    with pytest.raises(TypeError, match="as strew.index_add, not ndarray$"):
        strew.prepare(np.zeros((50, 50)), 0)


def test_misused_parts() -> None:
    data, mask = np.zeros(100_000), np.zeros(100_000, bool)
    for call in (lambda: strew.masked_fill(data, Layout(mask), 1.0), lambda: strew.masked_scatter(data, Layout(mask), data),
                 lambda: strew.index_add(Layout(data), 0, [1], 1.0), lambda: strew.index_add(data, 0, Layout(mask), 1.0),
                 lambda: strew.scatter_update(data, [1], Layout(data[:1]), 0), lambda: Binding(7, True, True),
                 lambda: Binding(Binding([1], False, True), False, True), lambda: Binding((Binding([1], False, True),), True, True),
                 lambda: strew.index_put(data, (Binding([1], False, True),), 1.0)):
        with pytest.raises(strew.Error):
            call()


def test_indices_too_many_to_be_copied() -> None:
    big = np.broadcast_to(np.int8(0), (2**62 + 8,))
    prepared = strew.prepare(strew.index_put, np.zeros((3,) * 4, "i1"), (big,) * 4, 1)
    with pytest.raises((strew.Error, MemoryError)):
        prepared.bind((big,) * 4)
    with pytest.raises((strew.Error, MemoryError)):
        strew.index_add(np.zeros((1, 1), "i1"), 0, np.broadcast_to(np.int8(0), (2**60,)),
                        np.broadcast_to(np.int8(1), (2**60, 1)), alpha=2)


def test_references() -> None:
    data, updates = np.array(list("abcd"), object), np.array(["x", "y"], object)
    prepared = strew.prepare(strew.scatter_update, data, [1, 1], updates, 0)
    assert prepared.run(data, [1, 1], updates).tolist() == list("aycd")
    assert prepared.bind([3, 0]).run(data, updates, out=data) is data
    assert data.tolist() == list("ybcx")


def test_copies() -> None:
    for operator in (strew.index_add, strew.v12.scatter_elements_update, strew.onnx.scatter_nd):
        assert pickle.loads(pickle.dumps(operator)) is operator
        assert copy.copy(operator) is operator
