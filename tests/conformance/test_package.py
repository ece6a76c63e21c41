# SPDX-License-Identifier: Apache-2.0
"""The Python package itself with NumPy's arrays: every dtype and index dtype, strides, what it copies (nothing), what
it refuses and how."""

import concurrent.futures
import sys

import numpy as np
import pytest
import strew

import cases

# Beside those of the random cases.
MORE_DTYPES = ("S1", "S3", "S16", "U1", "U3", "U8", "S100", "V3", "clongdouble", ">f4", "timedelta64[us]", "i1,f8", "T")


@pytest.mark.parametrize("dtype", cases.DTYPES + MORE_DTYPES)
def test_every_dtype_is_served(dtype):
    target = cases.numpy_dtype(dtype)
    data = np.array([0, 1, 0, 1, 0]).astype(target)
    updates = np.array([1, 0]).astype(target)
    given, expected = data.copy(), data.copy()
    expected[1:3] = updates
    output = np.zeros_like(data)
    assert strew.slice_scatter(data, updates, start=1, stop=3, out=output) is output
    made = strew.slice_scatter(data, updates, start=1, stop=3)
    assert output.tolist() == made.tolist() == expected.tolist()
    assert made.dtype == target and data.tolist() == given.tolist()
    assert strew.slice_scatter(data, updates, start=1, stop=3, out=data) is data
    assert data.tolist() == expected.tolist()
    expected[[4, 0]] = updates
    strew.scatter_update(data, np.array([4, 0]), updates, 0, out=data)
    assert data.tolist() == expected.tolist()


@pytest.mark.parametrize("of_indices", cases.INDEX_DTYPES)
@pytest.mark.parametrize("of_parameters", cases.INDEX_DTYPES)
def test_every_index_dtype_is_served(of_indices, of_parameters):
    indices, axis = np.array([[2], [0]], of_indices), np.array(1, of_parameters)
    for operator in (strew.scatter_elements_update, strew.onnx.scatter):
        assert operator(np.zeros((2, 3), "f4"), indices, np.array([[5], [7]], "f4"), axis).tolist() == [
            [0, 0, 5],
            [7, 0, 0],
        ]
    assert strew.scatter_update(np.zeros((1, 3), "f4"), indices, np.array([[[5], [7]]], "f4"), axis).tolist() == [
        [7, 0, 5]
    ]
    bounds = {
        "start": np.array([0], of_indices),
        "stop": np.array([3], of_parameters),
        "step": np.array([2], of_indices),
        "axes": np.array([0], of_parameters),
    }
    assert strew.slice_scatter(np.zeros(4, "f4"), np.array([5, 7], "f4"), **bounds).tolist() == [5, 0, 7, 0]


def test_every_stride_is_served_without_a_copy():
    block = np.arange(48).reshape(6, 8)
    data = block[::-2, 1::3].T  # transposed, backwards, with gaps
    updates = np.broadcast_to(np.array([[-1], [-2], [-3]]), (3, 2))  # stride 0
    expected = block.copy()
    expected[::-2, 1::3].T[:, 1:] = updates
    strew.slice_scatter(data, updates, start=1, stop=3, axes=1, out=data)
    assert block.tolist() == expected.tolist()


def test_unaligned_elements_are_served():
    data = np.frombuffer(bytearray(4 * 4 + 1), "f4", 4, offset=1)
    strew.slice_scatter(data, np.array([5, 7], "f4"), start=1, stop=3, out=data)
    assert data.tolist() == [0, 5, 7, 0]


@pytest.mark.parametrize("dtype", ("f4", "O"))
def test_unaligned_indices_are_served(dtype):
    indices = np.ndarray((2,), "i8", bytearray(17), 1)
    indices[:] = [3, 1]
    for operator in (strew.scatter_update, strew.scatter_elements_update, strew.onnx.scatter):
        assert operator(np.zeros(4, dtype), indices, np.array([5, 7], dtype), 0).tolist() == [0, 7, 0, 5]
    bound = np.ndarray((1,), "i8", bytearray(9), 1)
    bound[:] = 2
    made = strew.slice_scatter(np.zeros(4, dtype), np.array([5, 7], dtype), start=bound)
    assert made.tolist() == [0, 0, 5, 7]


def test_objects_are_counted():
    old, new = object(), object()
    data = np.array([old, old, None], object)
    counts = sys.getrefcount(old), sys.getrefcount(new)
    strew.scatter_update(data, np.array([0, 0, 2]), np.array([new, new, new], object), 0, out=data)
    assert data[0] is new and data[1] is old and data[2] is new
    assert (sys.getrefcount(old), sys.getrefcount(new)) == (counts[0] - 1, counts[1] + 2)


def test_read_only_arrays_are_inputs_but_no_outputs():
    data, updates = np.zeros(3), np.ones(1)
    output = np.zeros(3)
    data.flags.writeable = updates.flags.writeable = False
    strew.slice_scatter(data, updates, start=0, stop=1, out=output)
    assert output.tolist() == strew.slice_scatter(data, updates, start=0, stop=1).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="slice_scatter: data is read-only"):
        strew.slice_scatter(data, updates, start=0, stop=1, out=data)
    output.flags.writeable = False
    with pytest.raises(ValueError, match="slice_scatter: out is read-only"):
        strew.slice_scatter(np.zeros(3), updates, start=0, stop=1, out=output)


DATA, ROW = np.zeros((2, 3)), np.zeros((1, 3))
REFUSED = [
    # The C++ message, with the names of the call's arguments.
    (IndexError, "scatter_update: indices[0] = 2 is outside [0, 1] (axis 0 has extent 2)",
     (DATA, np.array([2]), ROW, 0)),
    (ValueError, "scatter_update: axis = 2 is outside [-2, 1] (data has rank 2)", (DATA, np.array([0]), ROW, 2)),
    (IndexError, "scatter_update: axis = 2 is outside [-2, 1] (data has rank 2)", (DATA, np.array([0]), ROW, 2)),
    (ValueError, "scatter_update: updates has extent 2 on axis 1, expected 3 as data has",
     (DATA, np.array([0]), ROW[:, :2], 0)),
    # What has no place in a tensor.
    (TypeError, "scatter_update: updates holds float32, expected float64 as data does",
     (DATA, np.array([0]), np.zeros((1, 3), "f4"), 0)),
    (TypeError, "scatter_update: indices holds float64, expected integers of 8 to 64 bits in native byte order",
     (DATA, np.array([0.0]), ROW, 0)),
    (TypeError, "scatter_update: indices holds >i8, expected", (DATA, np.array([0], ">i8"), ROW, 0)),
    (TypeError, "scatter_update: indices holds bool, expected", (DATA, np.array([True]), ROW, 0)),
    (TypeError, "scatter_update: axis is a float, expected an integer", (DATA, np.array([0]), ROW, 0.0)),
    (TypeError, "scatter_update: axis is a list, expected an integer", (DATA, np.array([0]), ROW, [[0]])),
    (TypeError, "scatter_update: axis is a ndarray, expected an integer", (DATA, np.array([0]), ROW, np.array([0]))),
    (ValueError, "scatter_update: data has a stride of 12 bytes on axis 0, no multiple of the element size, 8 bytes",
     (np.ndarray((2,), "f8", bytearray(40), 0, (12,)), np.array([0]), np.zeros(1), 0)),
    (TypeError, "scatter_update: data holds [], expected elements of at least one byte",
     (np.zeros(2, []), np.array([0]), np.zeros(1, []), 0)),
    (TypeError, "scatter_update: data is a list, expected an array", ([0.0], np.array([0]), ROW, 0)),
    # Of elements that are moved as bytes, or by number, the types are equal too.
    (TypeError, "scatter_update: updates holds datetime64[ms], expected datetime64[s] as data does",
     (np.zeros(2, "M8[s]"), np.array([0]), np.zeros(1, "M8[ms]"), 0)),
    (TypeError, "scatter_update: updates holds float32, expected >f4 as data does",
     (np.zeros(2, ">f4"), np.array([0]), np.zeros(1, "f4"), 0)),
    (TypeError, "scatter_update: updates holds int64, expected object as data does",
     (np.zeros(2, "O"), np.array([0]), np.zeros(1, "i8"), 0)),
]  # fmt: skip


@pytest.mark.parametrize("kind, message, arguments", REFUSED, ids=[message for _, message, _ in REFUSED])
def test_what_is_refused_and_how(kind, message, arguments):
    with pytest.raises(kind) as error:
        strew.scatter_update(*arguments)
    assert isinstance(error.value, strew.Error)
    assert str(error.value).startswith(message)


def test_outputs_that_share_memory_are_refused():
    data = np.zeros(4)
    with pytest.raises(ValueError, match="out shares memory with data"):
        strew.slice_scatter(data[:3], np.ones(1), start=0, stop=1, out=data[1:])
    with pytest.raises(ValueError, match="out shares memory with updates"):
        strew.slice_scatter(data, data[:1], start=0, stop=1, out=data)
    repeated = np.lib.stride_tricks.as_strided(data, (4,), (0,))
    with pytest.raises(ValueError, match="out holds some element twice"):
        strew.slice_scatter(repeated, np.ones(1), start=0, stop=1, out=repeated)


def test_the_dtype_of_stop_is_kept():
    # The largest int32 means 'to the end'; of an axis that long, so only the conversion is tested here.
    for dtype in ("int32", "int64"):
        stop = np.array([np.iinfo(dtype).max], dtype)
        assert strew.slice_scatter(np.zeros(3), np.ones(3), start=0, stop=stop).tolist() == [1, 1, 1]


def test_threads_of_python_make_calls_at_once():
    r = np.random.default_rng(1)
    data, updates = r.standard_normal((100, 64)), r.standard_normal((5000, 64))
    indices = r.integers(0, 100, 5000)
    expected = strew.index_add(data, 0, indices, updates)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(strew.index_add, data, 0, indices, updates, threads=1 + n % 3) for n in range(60)]
        assert all(np.array_equal(call.result(), expected) for call in calls)
