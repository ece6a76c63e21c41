# SPDX-License-Identifier: Apache-2.0
"""What calls hold, and for how long: references, buffers, memory."""

from __future__ import annotations

import gc
import os
import resource
import sys
import weakref

import numpy as np
import pytest

import strew


def calls():
    """Calls of each path by which operands are read, with an error each."""
    data, index, source = np.zeros((8, 2)), np.array([1, 2, 1]), np.ones((3, 2))
    objects = np.array([object() for _ in range(8)], object)
    buffer = memoryview(bytearray(8))
    yield lambda: strew.index_add(data, 0, index, source)
    yield lambda: strew.index_add(data, 0, index, source, out=data)
    yield lambda: strew.index_add(data, 0, [1, 2, 1], 2.5, alpha=0.5, threads=2)
    yield lambda: strew.slice_scatter(data, 1.0, start=[1], stop=np.array([5]), axes=0)
    yield lambda: strew.index_put(data, ([0, 1], np.array([1, 1])), np.float64(3), "sum")
    yield lambda: strew.scatter_update(objects, [0, 2], objects[:2], 0)
    yield lambda: strew.scatter_update(buffer, [1], 3, 0)
    yield lambda: strew.scatter_update(buffer, [1], buffer[:1], 0)
    yield lambda: strew.masked_scatter(data, data == 0, data)
    yield lambda: strew.onnx.tensor_scatter(data[None], source[None], [4])
    yield lambda: strew.prepare(strew.index_add, data, 0, index, source).bind(index).run(data, source)
    yield lambda: strew.prepare(strew.index_put, data, ([0], [1]), data[0, :1]).bind(([0], [1])).run(data, data[0, :1])
    for bad in (
        lambda: strew.index_add(data, 0, [9], source[:1]),
        lambda: strew.index_add(data, 3, index, source),
        lambda: strew.index_add(data, 0, ["a"], source),
        lambda: strew.index_add(data, 0, index, source.astype("f4")),
        lambda: strew.scatter_update(buffer, [1], "x", 0),
        lambda: strew.scatter_update(b"12345678", [1], 0, 0, out=b"12345678"),
        lambda: strew.scatter_update(data, [0], 1, 0, mode="\ud800"),
        lambda: strew.prepare(strew.index_add, data, 0, index, source).bind([9]),
    ):

        def run(bad=bad):
            with pytest.raises((strew.Error, UnicodeEncodeError)):
                bad()

        yield run


# Fewer in builds with sanitizers, which keep freed memory for a while.
CALLS = int(os.environ.get("STREW_CALLS", "1000000"))


def test_a_million_calls_leave_no_memory_behind() -> None:
    """The peak of the resident memory after the first twentieth of the calls is that after all of them."""
    every = list(calls())
    rounds = CALLS // len(every)
    for _ in range(rounds // 20):
        for call in every:
            call()
    gc.collect()
    blocks, before = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(rounds - rounds // 20):
        for call in every:
            call()
    gc.collect()
    assert sys.getallocatedblocks() - blocks < 1000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # KiB
    assert grown < 4096 or CALLS < 1_000_000


class Array(np.ndarray):
    """An array that can be watched."""


def watched(values: np.ndarray) -> tuple[Array, weakref.ref]:
    array = values.copy().view(Array)
    return array, weakref.ref(array)


@pytest.mark.parametrize("fails", [False, True])
def test_operands_are_not_kept(fails: bool) -> None:
    data, of_data = watched(np.zeros(4))
    index, of_index = watched(np.array([9 if fails else 1]))
    source, of_source = watched(np.ones(1))
    counts = [sys.getrefcount(each) for each in (data, index, source)]
    if fails:
        with pytest.raises(IndexError):
            strew.index_add(data, 0, index, source, out=data)
    else:
        assert strew.index_add(data, 0, index, source, out=data) is data
    assert [sys.getrefcount(each) for each in (data, index, source)] == counts
    del data, index, source
    gc.collect()
    assert of_data() is of_index() is of_source() is None


def test_prepared_and_bound_calls_keep_no_operand() -> None:
    data, of_data = watched(np.zeros(4000))
    index, of_index = watched(np.arange(4000))
    source, of_source = watched(np.ones(4000))
    prepared = strew.prepare(strew.index_add, data, 0, index, source)
    bound = prepared.bind(index)
    del data, index, source
    gc.collect()
    assert of_data() is of_index() is of_source() is None
    assert bound.run(np.zeros(4000), np.ones(4000)).sum() == 4000
    assert prepared.run(np.zeros(4000), np.zeros(4000, int), np.ones(4000))[0] == 4000


def test_a_bound_call_outlives_its_prepared_call_and_indices() -> None:
    bound = strew.prepare(strew.scatter_update, np.zeros(9), [1], np.ones(1), 0).bind([8])
    gc.collect()
    assert bound.run(np.zeros(9), np.ones(1)).tolist() == [0] * 8 + [1]


def test_references_that_are_moved_are_counted() -> None:
    class Thing:
        pass

    old, new = Thing(), Thing()
    data, updates = np.array([old, old, None], object), np.array([new, new], object)
    counts = sys.getrefcount(old), sys.getrefcount(new)
    output = strew.scatter_update(data, [0, 2], updates, 0)
    assert (sys.getrefcount(old), sys.getrefcount(new)) == (counts[0] + 1, counts[1] + 2)
    del output
    assert (sys.getrefcount(old), sys.getrefcount(new)) == counts
    strew.scatter_update(data, [0, 1], updates, 0, out=data)
    assert (sys.getrefcount(old), sys.getrefcount(new)) == (counts[0] - 2, counts[1] + 2)


def test_a_buffer_can_be_resized_after_a_call_and_not_during_it() -> None:
    memory = bytearray(8)
    strew.scatter_update(memory, [1], 3, 0, out=memory)
    with pytest.raises(strew.Error):
        strew.scatter_update(memory, [9], 3, 0, out=memory)
    memory.extend(b"more")  # a buffer that is still exported could not be

    errors: list[BufferError] = []
    source = np.array([3], np.uint8)

    class Resizes:
        """Updates that are asked for while the buffer is held."""

        @property
        def __array_struct__(self) -> object:
            try:
                memory.extend(b"even more")
            except BufferError as error:
                errors.append(error)
            return source.__array_struct__

    strew.scatter_update(memory, [1], Resizes(), 0, out=memory)
    assert errors and memory[1] == 3
    memory.extend(b"more")


def test_an_array_is_not_resized_while_it_is_an_operand() -> None:
    array = np.zeros(8)

    class Resizes:
        def __index__(self) -> int:
            array.resize(100_000)
            return 0

    with pytest.raises(ValueError, match="resize"):
        strew.scatter_update(array, [1], 3.0, Resizes(), out=array)
    assert array.shape == (8,)


def test_scratch_memory_is_limited() -> None:
    random = np.random.default_rng(3)
    data, index, source = np.zeros((2000, 1000), "f4"), random.integers(0, 2000, (2000, 1000)), np.ones((2000, 1000), "f4")
    expected = strew.scatter_add(data, 0, index, source)
    try:
        for limit in (0, 1, 4096, 1 << 20, 1 << 62):
            strew.set_workspace_limit(limit)
            assert strew.scatter_add(data, 0, index, source, threads=2).tobytes() == expected.tobytes()
    finally:
        strew.set_workspace_limit(None)
    for bad in (1.5, "x"):
        with pytest.raises(TypeError, match="^set_workspace_limit: bytes is a .*, expected None or an integer$"):
            strew.set_workspace_limit(bad)
    for bad in (-1, 1 << 70):
        with pytest.raises(ValueError, match="^set_workspace_limit: bytes = .* is outside"):
            strew.set_workspace_limit(bad)
