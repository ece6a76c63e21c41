# SPDX-License-Identifier: Apache-2.0
"""NumPy's arrays go through nanobind's ndarray into operators."""

import numpy as np
import strew_nanobind as strew


def test_typed_arrays_are_operands():
    data = np.zeros((4, 6), np.float32)
    part = data[:, ::-2]  # a negative stride
    index = np.array([3, 0, 3], np.int64)
    source = np.arange(9, dtype=np.float32).reshape(3, 3)
    expected = np.zeros((4, 3), np.float32)
    np.add.at(expected, index, source)
    strew.index_add(part, index, source)
    np.testing.assert_array_equal(data[:, ::-2], expected)
    assert not data[:, ::2].any()


def test_types_known_at_run_time():
    for dtype in (np.uint8, np.int16, np.float16, np.float64, np.complex64, np.bool_):
        data = np.zeros((3, 2), dtype)
        strew.scatter_update(data, np.array([1], np.int16), np.ones((1, 2), dtype))
        np.testing.assert_array_equal(data, np.array([[0, 0], [1, 1], [0, 0]], dtype))


def test_errors_are_named():
    data = np.zeros((3, 2), np.float32)
    for call in (
        lambda: strew.scatter_update(data, np.array([3], np.int32), np.ones((1, 2), np.float32)),
        lambda: strew.index_add(data, np.array([-4]), np.ones((1, 2), np.float32)),
        lambda: strew.scatter_update(data, np.array([1.0]), np.ones((1, 2), np.float32)),
    ):
        try:
            call()
        except ValueError as error:  # from std::invalid_argument
            assert "indices[0]" in str(error) or "no integers" in str(error), error
        else:
            raise AssertionError("not refused")
        assert not data.any()
    assert strew.why_not_floats(np.zeros(3)) == (
        "as_view: tensor has floating-point elements of 8 bytes, expected floating-point ones of 4"
    )
    assert strew.why_not_floats(np.zeros(3, np.float32)) == ""


def test_views_of_arrays():
    data = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert strew.sum_of_view(data) == data.sum()
    assert strew.sum_of_view(data[::-1, ::2]) == data[:, ::2].sum()
