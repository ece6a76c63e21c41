# SPDX-License-Identifier: Apache-2.0
"""The Python door itself: every dtype and index dtype, strides, what it copies (nothing), what it refuses and how."""

import numpy as np
import pytest
import strew_python

import cases


@pytest.mark.parametrize("dtype", cases.DTYPES + ("S1", "S3", "S16", "U1", "U3", "U8", "S100", "V3", "clongdouble", ">f4", "O"))
def test_every_dtype_is_served(dtype):
    target = cases.numpy_dtype(dtype)
    data = np.array([0, 1, 0, 1, 0]).astype(target)
    updates = np.array([1, 0]).astype(target)
    expected = data.copy()
    expected[1:3] = updates
    strew_python.slice_scatter(data, updates, 1, 3, 1)
    assert data.tolist() == expected.tolist()
    expected[[4, 0]] = updates
    strew_python.scatter_update(data, np.array([4, 0]), updates, 0)
    assert data.tolist() == expected.tolist()


@pytest.mark.parametrize("of_indices", cases.INDEX_DTYPES)
@pytest.mark.parametrize("of_parameters", cases.INDEX_DTYPES)
def test_every_index_dtype_is_served(of_indices, of_parameters):
    indices, axis = np.array([[2], [0]], of_indices), np.array(1, of_parameters)
    for operator in (strew_python.scatter_elements_update, strew_python.onnx_scatter):
        data = np.zeros((2, 3), "f4")
        operator(data, indices, np.array([[5], [7]], "f4"), axis)
        assert data.tolist() == [[0, 0, 5], [7, 0, 0]]
    data = np.zeros((1, 3), "f4")
    strew_python.scatter_update(data, indices, np.array([[[5], [7]]], "f4"), axis)
    assert data.tolist() == [[7, 0, 5]]
    data = np.zeros(4, "f4")
    strew_python.slice_scatter(
        data,
        np.array([5, 7], "f4"),
        np.array([0], of_indices),
        np.array([3], of_parameters),
        np.array([2], of_indices),
        np.array([0], of_parameters),
    )
    assert data.tolist() == [5, 0, 7, 0]


def test_every_stride_is_served_without_a_copy():
    block = np.arange(48).reshape(6, 8)
    data = block[::-2, 1::3].T  # transposed, backwards, with gaps
    updates = np.broadcast_to(np.array([[-1], [-2], [-3]]), (3, 2))  # stride 0
    expected = block.copy()
    expected[::-2, 1::3].T[:, 1:] = updates
    strew_python.slice_scatter(data, updates, 1, 3, 1, 1)
    assert block.tolist() == expected.tolist()


def test_unaligned_elements_are_served():
    data = np.frombuffer(bytearray(4 * 4 + 1), "f4", 4, offset=1)
    strew_python.slice_scatter(data, np.array([5, 7], "f4"), 1, 3, 1)
    assert data.tolist() == [0, 5, 7, 0]


def test_unaligned_indices_are_served():
    indices = np.ndarray((2,), "i8", bytearray(17), 1)
    indices[:] = [3, 1]
    for operator in (strew_python.scatter_update, strew_python.scatter_elements_update, strew_python.onnx_scatter):
        data = np.zeros(4, "f4")
        operator(data, indices, np.array([5, 7], "f4"), 0)
        assert data.tolist() == [0, 7, 0, 5]
    axis = np.ndarray((1,), "i8", bytearray(9), 1)
    strew_python.scatter_update(data, indices, np.array([9, 9], "f4"), axis)
    assert data.tolist() == [0, 9, 0, 9]


def test_objects_are_counted():
    import sys

    old, new = object(), object()
    data = np.array([old, old, None], object)
    counts = sys.getrefcount(old), sys.getrefcount(new)
    strew_python.scatter_update(data, np.array([0, 0, 2]), np.array([new, new, new], object), 0)
    assert data[0] is new and data[1] is old and data[2] is new
    assert (sys.getrefcount(old), sys.getrefcount(new)) == (counts[0] - 1, counts[1] + 2)


def test_read_only_arrays_are_inputs_but_no_outputs():
    data, updates = np.zeros(3), np.ones(1)
    output = np.zeros(3)
    data.flags.writeable = updates.flags.writeable = False
    strew_python.slice_scatter(data, updates, 0, 1, 1, output=output)
    assert output.tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="slice_scatter: data is read-only"):
        strew_python.slice_scatter(data, updates, 0, 1, 1)
    output.flags.writeable = False
    with pytest.raises(ValueError, match="slice_scatter: output is read-only"):
        strew_python.slice_scatter(np.zeros(3), updates, 0, 1, 1, output=output)


DATA, ROW = np.zeros((2, 3)), np.zeros((1, 3))
REFUSED = [
    # The C++ message, word for word.
    (ValueError, "scatter_update: indices[0] = 2 is outside [0, 1] (axis 0 has extent 2)",
     (DATA, np.array([2]), ROW, 0)),
    (ValueError, "scatter_update: axis = 2 is outside [-2, 1] (data has rank 2)", (DATA, np.array([0]), ROW, 2)),
    # What has no place in a tensor.
    (TypeError, "scatter_update: updates holds float32, expected float64 as data does",
     (DATA, np.array([0]), np.zeros((1, 3), "f4"), 0)),
    (TypeError, "scatter_update: indices holds float64, expected integers in native byte order",
     (DATA, np.array([0.0]), ROW, 0)),
    (TypeError, "scatter_update: indices holds >i8, expected", (DATA, np.array([0], ">i8"), ROW, 0)),
    (TypeError, "scatter_update: indices holds bool, expected", (DATA, np.array([True]), ROW, 0)),
    (TypeError, "scatter_update: indices are unaligned, which scatters of objects do not take",
     (np.array([None]), np.frombuffer(bytearray(9), "i8", 1, offset=1), np.array([None]), 0)),
    (TypeError, "scatter_update: axis holds float64, expected", (DATA, np.array([0]), ROW, 0.0)),
    (ValueError, "scatter_update: axis has rank 2, expected a scalar or a list", (DATA, np.array([0]), ROW, [[0]])),
    (ValueError, "scatter_update: data has a stride of 12 bytes on axis 0, expected a multiple of 8",
     (np.ndarray((2,), "f8", bytearray(40), 0, (12,)), np.array([0]), np.zeros(1), 0)),
    (TypeError, "scatter_update: data holds [], expected objects or plain elements of",
     (np.zeros(2, []), np.array([0]), np.zeros(1, []), 0)),
    (TypeError, "scatter_update: data holds StringDType(), expected objects or plain elements of",
     (np.array(["a"], "T"), np.array([0]), np.array(["b"], "T"), 0)),
    (TypeError, "scatter_update(): incompatible function arguments", ([0.0], np.array([0]), ROW, 0)),
]  # fmt: skip


@pytest.mark.parametrize("kind, message, arguments", REFUSED, ids=[message for _, message, _ in REFUSED])
def test_what_is_refused_and_how(kind, message, arguments):
    with pytest.raises(kind) as error:
        strew_python.scatter_update(*arguments)
    assert str(error.value).startswith(message)


def test_outputs_that_share_memory_are_refused():
    data = np.zeros(4)
    with pytest.raises(ValueError, match="output shares memory with data"):
        strew_python.slice_scatter(data[:3], np.ones(1), 0, 1, 1, output=data[1:])
    with pytest.raises(ValueError, match="output shares memory with updates"):
        strew_python.slice_scatter(data, data[:1], 0, 1, 1)
    with pytest.raises(ValueError, match="output holds some element twice"):
        strew_python.slice_scatter(np.lib.stride_tricks.as_strided(data, (4,), (0,)), np.ones(1), 0, 1, 1)


def test_the_dtype_of_stop_is_kept():
    # The largest int32 means 'to the end'; of an axis that long, so only the door is tested here.
    for dtype in ("int32", "int64"):
        data = np.zeros(3)
        strew_python.slice_scatter(data, np.ones(3), 0, np.array(np.iinfo(dtype).max, dtype), 1)
        assert data.tolist() == [1, 1, 1]
