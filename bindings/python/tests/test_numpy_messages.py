# SPDX-License-Identifier: Apache-2.0
"""The texts that users of strew.numpy read: each has the function that they called and its own arguments."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import strew
import strew.numpy as sn
from hypothesis import given
from hypothesis import strategies as st
from test_numpy import index_expressions

A = np.array
OUT_OF_BOUNDS = strew.OutOfBoundsError
Call = Callable[[], object]
# A call, the class of its exception, the coordinate where it is one of strew's, and the text.
Rows = list[tuple[Call, type[Exception], Any, str]]


def zeros(*extents: int, dtype: Any = float) -> Any:
    return np.zeros(extents, dtype)


def fixed() -> Any:
    a = zeros(3)
    a.flags.writeable = False
    return a


def generator() -> Any:
    return (number for number in (0, 1))


class Index:
    """An integer to Python, an object to NumPy."""

    def __index__(self) -> int:
        return 1


A_INDEX: Rows = [
    (lambda: sn.add_at(zeros(3), A([0, 3]), A([1.0, 2.0])), OUT_OF_BOUNDS, (1,),
     "add_at: indices[1] = 3 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3), [0, -4], 1), OUT_OF_BOUNDS, (1,),
     "add_at: indices[1] = -4 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3), A([[0, 1], [2, 9]]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1, 1] = 9 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3), A([0, 2**64 - 9], "u8"), 1.0), OUT_OF_BOUNDS, (1,),
     "add_at: indices[1] = 18446744073709551607 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(0), A([0]), A([1.0])), OUT_OF_BOUNDS, (0,),
     "add_at: indices[0] = 0 selects no element (axis 0 of a has extent 0)"),
    (lambda: sn.subtract_at(zeros(3), A([0, 3]), A([1.0, 2.0])), OUT_OF_BOUNDS, (1,),
     "subtract_at: indices[1] = 3 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.multiply_at(zeros(3), A([0, 3]), A([1.0, 2.0])), OUT_OF_BOUNDS, (1,),
     "multiply_at: indices[1] = 3 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.maximum_at(zeros(3), [0, 3], 1), OUT_OF_BOUNDS, (1,),
     "maximum_at: indices[1] = 3 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.minimum_at(zeros(3, 4), [0, 3], 1), OUT_OF_BOUNDS, (1,),
     "minimum_at: indices[1] = 3 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3, 4), 5, 1.0), IndexError, None,
     "add_at: indices = 5 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3), 2**70, 1.0), IndexError, None,
     "add_at: indices = 1180591620717411303424 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3), [0, 2**70], 1.0), IndexError, None,
     "add_at: indices[1] = 1180591620717411303424 is outside [-3, 2] (axis 0 of a has extent 3)"),
    # Indices for some axes: what is at fault is written as Python selects it.
    (lambda: sn.add_at(zeros(3, 4), (A([0, 1]), A([0, 9])), A([1.0, 2.0])), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1][1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.add_at(zeros(3, 4), (slice(None), [0, 9]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1][1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.add_at(zeros(2, 3, 4), (..., A([0, 9])), 1.0), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1][1] = 9 is outside [-4, 3] (axis 2 of a has extent 4)"),
    (lambda: sn.add_at(zeros(2, 3, 4), (0, slice(None), [0, 9]), 1.0), OUT_OF_BOUNDS, (2, 1),
     "add_at: indices[2][1] = 9 is outside [-4, 3] (axis 2 of a has extent 4)"),
    (lambda: sn.add_at(zeros(2, 3, 4), (None, [0, 9]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1][1] = 9 is outside [-2, 1] (axis 0 of a has extent 2)"),
    (lambda: sn.add_at(zeros(2, 3, 4), (np.ones((2, 3), bool), [0, 1, 2, 3, 4, 0]), 1.0), OUT_OF_BOUNDS, (1, 4),
     "add_at: indices[1][4] = 4 is outside [-4, 3] (axis 2 of a has extent 4)"),
    (lambda: sn.add_at(zeros(3, 4), ([[0], [9]], [0, 1]), 1.0), OUT_OF_BOUNDS, (0, 1, 0),
     "add_at: indices[0][1, 0] = 9 is outside [-3, 2] (axis 0 of a has extent 3)"),
    (lambda: sn.add_at(zeros(3, 4), (Index(), [0, 9]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "add_at: indices[1][1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.add_at(zeros(3, 4), ([0, 1], 9), 1.0), IndexError, None,
     "add_at: indices[1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.subtract_at(zeros(3, 4), ([[0], [1]], [0, 9]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "subtract_at: indices[1][1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.maximum_at(zeros(3, 4), (slice(None), [0, 9]), 1.0), OUT_OF_BOUNDS, (1, 1),
     "maximum_at: indices[1][1] = 9 is outside [-4, 3] (axis 1 of a has extent 4)"),
    (lambda: sn.put(zeros(3), [0, 3], 1), OUT_OF_BOUNDS, (1,), "put: ind[1] = 3 is outside [-3, 2] (a has 3 elements)"),
    (lambda: sn.put(zeros(3), A([0, -4]), A([1.0, 2.0])), OUT_OF_BOUNDS, (1,),
     "put: ind[1] = -4 is outside [-3, 2] (a has 3 elements)"),
    (lambda: sn.put(zeros(2, 3), A([[0, 1], [2, 9]]), 1), OUT_OF_BOUNDS, (1, 1),
     "put: ind[1, 1] = 9 is outside [-6, 5] (a has 6 elements)"),
    (lambda: sn.put(zeros(3), 3, 1), OUT_OF_BOUNDS, (), "put: ind = 3 is outside [-3, 2] (a has 3 elements)"),
    (lambda: sn.put(zeros(3), [0, 2**70], 1), OverflowError, None,
     "put: ind[1] = 1180591620717411303424 is outside [-3, 2] (a has 3 elements)"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [3]]), 1, 1), OUT_OF_BOUNDS, (1, 0),
     "put_along_axis: indices[1, 0] = 3 is outside [-3, 2] (axis 1 of arr has extent 3)"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[9]]), 1, -1), OUT_OF_BOUNDS, (0, 0),
     "put_along_axis: indices[0, 0] = 9 is outside [-3, 2] (axis 1 of arr has extent 3)"),
    (lambda: sn.put_along_axis(zeros(2, 1, 3), A([[[0], [9]]]), 1, 2), OUT_OF_BOUNDS, (0, 1, 0),
     "put_along_axis: indices[0, 1, 0] = 9 is outside [-3, 2] (axis 2 of arr has extent 3)"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([0, 6]), 1, None), OUT_OF_BOUNDS, (1,),
     "put_along_axis: indices[1] = 6 is outside [-6, 5] (arr has 6 elements)"),
    (lambda: sn.bincount([0, 1, 2, -1]), ValueError, None,
     "bincount: x[3] = -1 is negative: leave it out, x[x >= 0], or use segment_sum, which drops ids outside "
     "[0, num_segments - 1]"),
    (lambda: sn.bincount(A([[0, 1], [2, -1]]), axis=1), ValueError, None,
     "bincount: x[1, 1] = -1 is negative: leave it out, x[x >= 0], or use segment_sum, which drops ids outside "
     "[0, num_segments - 1]"),
]  # fmt: skip


NOT_INTEGERS: Rows = [
    (lambda: sn.add_at(zeros(3), A([0.0, 1.0]), A([1.0, 2.0])), IndexError, None,
     "add_at: indices holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.add_at(zeros(3), [0.0, 1.0], 1), IndexError, None,
     "add_at: indices holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.add_at(zeros(3), A([0.0, np.nan]), 1), IndexError, None,
     "add_at: indices[1] is NaN, expected integers"),
    (lambda: sn.add_at(zeros(3, 3), ([0, 1], [0, np.nan]), 1), IndexError, None,
     "add_at: indices[1][1] is NaN, expected integers"),
    (lambda: sn.add_at(zeros(3), 1.0, 1), IndexError, None, "add_at: indices is a float, expected integers"),
    (lambda: sn.add_at(zeros(3), "ab", 1), IndexError, None, "add_at: indices is a str, expected integers"),
    (lambda: sn.add_at(zeros(3), {0: 1}, 1), IndexError, None, "add_at: indices is a dict, expected integers"),
    (lambda: sn.multiply_at(zeros(3), generator(), 1), IndexError, None,
     "multiply_at: indices is a generator, expected integers"),
    (lambda: sn.add_at(zeros(3), [0, None], 1), IndexError, None, "add_at: indices[1] is None, expected integers"),
    (lambda: sn.add_at(zeros(3), ["a", "b"], 1), IndexError, None,
     "add_at: indices holds strings, expected integers: np.unique(indices, return_inverse=True)[1] numbers them"),
    (lambda: sn.put(zeros(3), A([0.0, 1.0]), 1), TypeError, None,
     "put: ind holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.put(zeros(3), A([0, 1], "u8"), 1), TypeError, None,
     "put: ind holds uint64, expected int64: pass .astype('int64')"),
    (lambda: sn.put(zeros(3), [0, np.nan], 1), ValueError, None, "put: ind[1] is NaN, expected integers"),
    (lambda: sn.put(zeros(3), [0, np.inf], 1), OverflowError, None, "put: ind[1] is inf, expected integers"),
    (lambda: sn.put(zeros(3), "ab", 1), ValueError, None, "put: ind is a str, expected integers"),
    (lambda: sn.put(zeros(3), None, 1), TypeError, None,  # type: ignore[arg-type]
     "put: ind is None, expected integers"),
    (lambda: sn.put(zeros(3), slice(None), 1), TypeError, None,  # type: ignore[arg-type]
     "put: ind is a slice, expected integers"),
    (lambda: sn.put(zeros(3), generator(), 1), TypeError, None, "put: ind is a generator, expected integers"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0.0], [1.0]]), 1, 1), IndexError, None,
     "put_along_axis: indices holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0.0], [np.nan]]), 1, 1), IndexError, None,
     "put_along_axis: indices[1, 0] is NaN, expected integers"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[True], [False]]), 1, 1), IndexError, None,
     "put_along_axis: indices holds bool, expected integers: pass .astype('int64')"),
    (lambda: sn.bincount(A([0.0, 1.0])), TypeError, None,
     "bincount: x holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.bincount([0.0, 1.0], axis=0), TypeError, None,
     "bincount: x holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.bincount([0.0, np.nan]), TypeError, None, "bincount: x[1] is NaN, expected integers"),
    (lambda: sn.bincount([0.0, 1.0]), TypeError, None,
     "bincount: x holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.bincount(["a", "b"]), ValueError, None,
     "bincount: x holds strings, expected integers: np.unique(x, return_inverse=True)[1] numbers them"),
    (lambda: sn.bincount(None), ValueError, None,  # type: ignore[arg-type]
     "bincount: x is None, expected integers"),
    (lambda: sn.bincount({0: 1}), ValueError, None,  # type: ignore[arg-type]
     "bincount: x is a dict, expected integers"),
    (lambda: sn.bincount(generator()), ValueError, None, "bincount: x is a generator, expected integers"),
    (lambda: sn.segment_sum(zeros(3), [0.0, 1.0, np.nan]), strew.OperandTypeError, (2,),
     "segment_sum: segment_ids[2] is NaN, expected integers"),
    (lambda: sn.segment_max(zeros(3), [0.0, 1.0, np.nan], 2), strew.OperandTypeError, (2,),
     "segment_max: segment_ids[2] is NaN, expected integers"),
    (lambda: sn.segment_mean(zeros(3), [0.0, 1.0, 2.0]), strew.OperandTypeError, (),
     "segment_mean: segment_ids holds float64, expected integers: pass .astype('int64')"),
    (lambda: sn.segment_sum(zeros(3), [True, False, True]), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds bool, expected integers: pass .astype('int64')"),
    (lambda: sn.segment_sum(zeros(3), A([0, 1, 2], ">i8"), 3), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds >i8, expected int64: pass .astype('int64')"),
    (lambda: sn.segment_sum(zeros(3), ["a", "b", "a"]), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds strings, expected integers: "
     "np.unique(segment_ids, return_inverse=True)[1] numbers them"),
    (lambda: sn.segment_sum(zeros(3), A(["a", "b", "a"], object)), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds strings, expected integers: "
     "np.unique(segment_ids, return_inverse=True)[1] numbers them"),
    (lambda: sn.segment_sum(zeros(3), A([0, 1, 0], object)), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds object, expected integers: pass .astype('int64')"),
    (lambda: sn.segment_sum(zeros(3), [0, None, 1]), strew.OperandTypeError, (1,),  # type: ignore[arg-type]
     "segment_sum: segment_ids[1] is None, expected integers"),
    (lambda: sn.segment_sum(zeros(3), None), strew.OperandTypeError, (),  # type: ignore[arg-type]
     "segment_sum: segment_ids is None, expected integers"),
    (lambda: sn.segment_sum(zeros(3), A([0, 1, 2], "M8[s]")), strew.OperandTypeError, (),
     "segment_sum: segment_ids holds datetime64[s], expected integers"),
]  # fmt: skip


SHAPES: Rows = [
    (lambda: sn.add_at(zeros(3), A([0, 1]), A([1.0, 2.0, 3.0])), ValueError, None,
     "add_at: b has shape (3,), which does not broadcast to (2,), the shape of a[indices]"),
    (lambda: sn.subtract_at(zeros(3, 2), [0, 1], np.ones((3, 2))), ValueError, None,
     "subtract_at: b has shape (3, 2), which does not broadcast to (2, 2), the shape of a[indices]"),
    (lambda: sn.add_at(zeros(3), A([True, True, False]), [1.0, 2.0, 3.0]), ValueError, None,
     "add_at: b has shape (3,), which does not broadcast to (2,), the shape of a[indices]"),
    (lambda: sn.add_at(zeros(3), slice(1, None), [1.0, 2.0, 3.0]), ValueError, None,
     "add_at: b has shape (3,), which does not broadcast to (2,), the shape of a[indices]"),
    (lambda: sn.add_at(zeros(3), (0, 1), 1), IndexError, None,
     "add_at: indices is a tuple for 2 axes, but a has rank 1: pass a list or an array for indices on axis 0"),
    (lambda: sn.add_at(zeros(), [0], 1), IndexError, None, "add_at: indices selects on 1 axis, but a has rank 0"),
    (lambda: sn.add_at(zeros(3, 3), ([0, 1], [0, 1, 2]), 1.0), IndexError, None,
     "add_at: indices has arrays of the shapes (2,) and (3,), which do not broadcast"),
    (lambda: sn.add_at(zeros(3), [True, False], 1), IndexError, None,
     "add_at: indices is a mask of shape (2,), expected (3,) as a has"),
    (lambda: sn.add_at(zeros(2, 3), (slice(None), A([True, False])), 1), IndexError, None,
     "add_at: indices[1] is a mask of shape (2,), expected (3,) as a has on axis 1"),
    (lambda: sn.add_at(zeros(3), (..., 0, ...), 1), IndexError, None,
     "add_at: indices: an index can only have a single ellipsis ('...')"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([0, 1]), 1, 1), ValueError, None,
     "put_along_axis: indices has rank 1, expected 2 as arr has: pass np.expand_dims(indices, axis)"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[[0]]]), 1, 1), ValueError, None,
     "put_along_axis: indices has rank 3, expected 2 as arr has"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1], [2]]), 1, 1), IndexError, None,
     "put_along_axis: indices has shape (3, 1), which does not broadcast with (2, 1), the shape of arr with 1 on "
     "axis 1"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1]]), [1, 2, 3], 1), ValueError, None,
     "put_along_axis: values has shape (3,), which does not broadcast to (2, 1), the shape of indices"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0]]), [1, 2, 3], 1), ValueError, None,
     "put_along_axis: values has shape (3,), which does not broadcast to (2, 1), the shape of indices broadcast with "
     "arr"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0, 5]]), 1, None), ValueError, None,
     "put_along_axis: indices must have a single dimension with axis=None, and has rank 2"),
    (lambda: sn.bincount([[0, 1]]), ValueError, None,
     "bincount: x has rank 2, expected 1 without axis: pass axis, or x.ravel()"),
    (lambda: sn.bincount(3), ValueError, None, "bincount: x has rank 0, expected 1"),
    (lambda: sn.bincount([0, 1], [1.0]), ValueError, None, "bincount: weights has 1 row, x has 2"),
    (lambda: sn.bincount([0, 1], [1.0], axis=0), ValueError, None, "bincount: weights has 1 row, x has 2"),
    (lambda: sn.bincount([[0, 1], [1, 0]], [1.0, 2.0], axis=0), ValueError, None,
     "bincount: weights has shape (2,), which does not begin with (2, 2), the shape of x"),
    (lambda: sn.segment_sum(zeros(3, 2), [0, 1, 2, 3]), strew.OperandValueError, (),
     "segment_sum: data has 3 rows, segment_ids has 4"),
    (lambda: sn.segment_max([1.0, 2.0, 3.0], A([0, 1])), strew.OperandValueError, (),
     "segment_max: data has 3 rows, segment_ids has 2"),
    (lambda: sn.segment_mean(zeros(3, 2), [[0, 1, 2], [0, 1, 2]]), strew.OperandValueError, (),
     "segment_mean: data has shape (3, 2), which does not begin with (2, 3), the shape of segment_ids"),
    (lambda: sn.segment_max(5, [[0, 1]], 9), strew.OperandValueError, (),
     "segment_max: data has shape (), which does not begin with (1, 2), the shape of segment_ids"),
    (lambda: sn.segment_sum(5.0, [0, 1]), strew.OperandValueError, (),
     "segment_sum: data has shape (), which does not begin with (2,), the shape of segment_ids"),
]  # fmt: skip


OTHERS: Rows = [
    (lambda: sn.add_at([0, 0], [0], 1), TypeError, None,  # type: ignore[arg-type]
     "add_at: a is a list, expected an array of NumPy, which is changed in place"),
    (lambda: sn.maximum_at(0, [0], 1), TypeError, None,  # type: ignore[arg-type]
     "maximum_at: a is an int, expected an array of NumPy, which is changed in place"),
    (lambda: sn.add_at(fixed(), A([0]), A([1.0])), ValueError, None,
     "add_at: a is read-only, and would be changed in place: pass a copy"),
    (lambda: sn.add_at(zeros(3), [0, 1], None), TypeError, None,  # type: ignore[arg-type]
     "add_at: b is None, expected numbers"),
    (lambda: sn.add_at(zeros(3), [0, 1], {0: 1}), TypeError, None,  # type: ignore[arg-type]
     "add_at: b is a dict, expected numbers"),
    (lambda: sn.add_at(zeros(3), [0, 1], [[1], [2, 3]]), ValueError, None,
     "add_at: b: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
     "dimensions. The detected shape was (2,) + inhomogeneous part."),
    (lambda: sn.add_at(zeros(3), [[0], [1, 2]], 1), ValueError, None,
     "add_at: indices: setting an array element with a sequence. The requested array has an inhomogeneous shape after "
     "1 dimensions. The detected shape was (2,) + inhomogeneous part."),
    (lambda: sn.add_at(zeros(3), A([0]), A([1.0]), threads=-1), strew.OperandValueError, (),
     "add_at: threads = -1 is outside [0, 1024]"),
    (lambda: sn.subtract_at(zeros(3), [0], 1, threads="2"), strew.OperandTypeError, (),  # type: ignore[arg-type]
     "subtract_at: threads is a str, expected an integer: 0 takes as many as the machine has"),
    (lambda: sn.put([1, 2, 3], [0], 1), TypeError, None,  # type: ignore[arg-type]
     "put: a is a list, expected an array of NumPy, which is changed in place"),
    (lambda: sn.put(fixed(), [0], 1), ValueError, None,
     "put: a is read-only, and would be changed in place: pass a copy"),
    (lambda: sn.put(zeros(0), [0], 1), IndexError, None, "put: a is empty: cannot replace elements of an empty array"),
    (lambda: sn.put(zeros(3), [0, 1], "ab"), ValueError, None, "put: v: could not convert string to float: 'ab'"),
    (lambda: sn.put(zeros(3, dtype=int), [0, 1], None), TypeError, None,  # type: ignore[arg-type]
     "put: v: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'"),
    (lambda: sn.put(zeros(3), [0], 1, "drop"), ValueError, None,  # type: ignore[arg-type]
     "put: mode is 'drop', expected 'raise', 'wrap' or 'clip'"),
    (lambda: sn.put(zeros(3), [0], 1, threads=-1), strew.OperandValueError, (),
     "put: threads = -1 is outside [0, 1024]"),
    (lambda: sn.put_along_axis([[1, 2]], A([[0]]), 1, 1), AttributeError, None,  # type: ignore[arg-type]
     "put_along_axis: arr is a list, expected an array of NumPy, which is changed in place"),
    (lambda: sn.put_along_axis(zeros(2, 3), [[0], [1]], 1, 1), AttributeError, None,  # type: ignore[arg-type]
     "put_along_axis: indices is a list, expected an array of integers: pass np.array(indices)"),
    (lambda: sn.put_along_axis(fixed(), A([0]), 1, 0), ValueError, None,
     "put_along_axis: arr is read-only, and would be changed in place: pass a copy"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1]]), "ab", 1), ValueError, None,
     "put_along_axis: values: could not convert string to float: 'ab'"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1]]), 1, 2), np.exceptions.AxisError, None,
     "put_along_axis: axis 2 is out of bounds for array of dimension 2"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1]]), 1, "x"), TypeError, None,  # type: ignore[arg-type]
     "put_along_axis: axis: 'str' object cannot be interpreted as an integer"),
    (lambda: sn.put_along_axis(zeros(2, 3), A([[0], [1]]), 1, 1, threads=-1), strew.OperandValueError, (),
     "put_along_axis: threads = -1 is outside [0, 1024]"),
    (lambda: sn.bincount([0, 1], [1j, 2]), TypeError, None,
     "bincount: weights holds complex128, expected real numbers"),
    (lambda: sn.bincount([0, 1], [1j, 2], axis=0), TypeError, None,
     "bincount: weights holds complex128, expected real numbers"),
    (lambda: sn.bincount([0, 1], ["a", "b"]), ValueError, None, "bincount: weights holds <U1, expected real numbers"),
    (lambda: sn.bincount([0, 1], minlength=-1), ValueError, None, "bincount: minlength = -1 must not be negative"),
    (lambda: sn.bincount([0, 1], minlength=-1, axis=0), ValueError, None,
     "bincount: minlength = -1 must not be negative"),
    (lambda: sn.bincount([0, 1], minlength=2.0), TypeError, None,  # type: ignore[arg-type]
     "bincount: minlength: 'float' object cannot be interpreted as an integer"),
    (lambda: sn.bincount([0, 2**62]), ValueError, None,
     "bincount: x[1] = 4611686018427387904 needs more bins than an array has"),
    (lambda: sn.bincount([0, 2**70]), OverflowError, None,
     "bincount: x[1] = 1180591620717411303424 needs more bins than an array has"),
    (lambda: sn.bincount([0, 1], minlength=2**70), ValueError, None,
     "bincount: minlength = 1180591620717411303424 is more bins than an array has"),
    (lambda: sn.bincount([0, 1], axis=1), np.exceptions.AxisError, None,
     "bincount: axis 1 is out of bounds for array of dimension 1"),
    (lambda: sn.bincount([0, 1], axis="x"), TypeError, None,  # type: ignore[arg-type]
     "bincount: axis: 'str' object cannot be interpreted as an integer"),
    (lambda: sn.bincount([0, 1], threads=-1), strew.OperandValueError, (),
     "bincount: threads = -1 is outside [0, 1024]"),
    (lambda: sn.bincount([[0], [1, 2]]), ValueError, None,
     "bincount: x: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 "
     "dimensions. The detected shape was (2,) + inhomogeneous part."),
    (lambda: sn.segment_sum(zeros(3), [0, 1, 2], -1), strew.OperandValueError, (),
     "segment_sum: num_segments = -1 is negative"),
    (lambda: sn.segment_sum(zeros(3), [0, 1, 2], 2.0), strew.OperandTypeError, (),  # type: ignore[arg-type]
     "segment_sum: num_segments: 'float' object cannot be interpreted as an integer"),
    (lambda: sn.segment_max(zeros(3), [0, 1, 2], "3"), strew.OperandTypeError, (),  # type: ignore[arg-type]
     "segment_max: num_segments: 'str' object cannot be interpreted as an integer"),
    (lambda: sn.segment_sum(zeros(3), [0, 1, 2**62]), strew.OperandValueError, (2,),
     "segment_sum: segment_ids[2] = 4611686018427387904 needs more segments than an array has"),
    (lambda: sn.segment_sum(zeros(3), [0, 1, 2], 2**62), strew.OperandValueError, (),
     "segment_sum: num_segments = 4611686018427387904 is more segments than an array has"),
    (lambda: sn.segment_sum(["a", "b"], [0, 1]), strew.OperandValueError, (),
     "segment_sum: data holds <U1, of which sums are not computed"),
    (lambda: sn.segment_max(zeros(2, dtype=complex), [0, 1]), strew.OperandValueError, (),
     "segment_max: data holds complex128, of which maxima are not computed"),
    (lambda: sn.segment_max(zeros(2, dtype="M8[s]"), [0, 1]), strew.OperandValueError, (),
     "segment_max: data holds datetime64[s], of which maxima are not computed"),
    (lambda: sn.segment_mean(zeros(2, dtype=">f8"), [0, 1]), strew.OperandValueError, (),
     "segment_mean: data holds >f8, of which means are not computed: pass .astype('float64')"),
    (lambda: sn.segment_sum(None, [0, 1]), strew.OperandValueError, (),  # type: ignore[arg-type]
     "segment_sum: data is None, expected numbers"),
    (lambda: sn.segment_sum(generator(), [0, 1]), strew.OperandValueError, (),
     "segment_sum: data is a generator, expected numbers"),
    (lambda: sn.segment_sum(zeros(3), [0, 1, 2], threads=-1), strew.OperandValueError, (),
     "segment_sum: threads = -1 is outside [0, 1024]"),
    # Python's own text of a name that a function does not have.
    (lambda: sn.segment_sum(data=zeros(3), ids=[0, 1, 2]), TypeError, None,  # type: ignore[call-arg]
     "segment_sum() got an unexpected keyword argument 'ids'"),
    # The texts of NumPy that have the operation.
    (lambda: sn.add_at(zeros(3), [0, 1], "ab"), TypeError, None,
     "ufunc 'add' did not contain a loop with signature matching types (dtype('float64'), dtype('<U2')) -> None"),
    (lambda: sn.subtract_at(zeros(3, dtype=bool), [0, 1], True), TypeError, None,
     "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
     "logical_xor function instead."),
]  # fmt: skip


MESSAGES = [*A_INDEX, *NOT_INTEGERS, *SHAPES, *OTHERS]


def check(call: Call, kind: type[Exception], coordinate: Any, text: str) -> None:
    with warnings.catch_warnings():
        # NumPy's, of calls that NumPy deprecates or casts before it refuses them.
        warnings.simplefilter("ignore", DeprecationWarning)
        with pytest.raises(kind) as caught:
            call()
    assert str(caught.value) == text
    error = caught.value
    assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)
    if coordinate is None:
        return
    assert type(error) is kind and isinstance(error, strew.Error)
    # The attributes are those of the text.
    function, operand = re.match(r"(\w+): (\w+)", text).groups()  # type: ignore[union-attr]
    assert (error.operation, error.operand, error.coordinate) == (function, operand, coordinate)
    place = re.match(r"\w+: \w+((\[[\d, ]+\])*)", text)
    assert tuple(map(int, re.findall(r"\d+", place[1] if place else ""))) == coordinate
    assert error.code
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (str(twin), twin.code, twin.operand) == (text, error.code, operand)


@pytest.mark.parametrize(("call", "kind", "coordinate", "text"), MESSAGES, ids=[row[3][:60] for row in MESSAGES])
def test_messages(call: Call, kind: type[Exception], coordinate: Any, text: str) -> None:
    check(call, kind, coordinate, text)


REASONS: list[tuple[Call, str]] = [
    (lambda: sn.maximum_at(zeros(3, dtype=complex), [0, 1], 2),
     "maximum_at is computed by NumPy: reduction max is not offered for the element type of a"),
    (lambda: sn.add_at(zeros(3, dtype="g"), A([0]), A([1], "g")),
     "add_at is computed by NumPy: reduction sum is not offered for the element type of a"),
    (lambda: sn.put(zeros(3), [0], 1, None), "put is computed by NumPy: mode = None"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), REASONS, ids=[text[:40] for _, text in REASONS])
def test_reasons_of_a_call_passed_to_numpy(call: Call, text: str) -> None:
    with pytest.warns(sn.FallbackWarning) as record:
        call()
    assert [str(entry.message) for entry in record] == [text]


def test_nothing_warns_of_numpy_before_an_error_about_b() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="b is None"):
            sn.add_at(zeros(3), [0], None)  # type: ignore[arg-type]


def test_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"k": [0, 1, 0], "v": [1.0, 2.0, 3.0], "name": ["a", "b", "a"]})
    missing = pd.Series([0, 1, None])  # NumPy's floats, with NaN
    strings = "holds strings, expected integers: np.unique({0}, return_inverse=True)[1] numbers them"
    rows: Rows = [
        (lambda: sn.segment_sum(frame.v, missing), strew.OperandTypeError, (2,),
         "segment_sum: segment_ids[2] is NaN, expected integers"),
        (lambda: sn.segment_mean(frame.v, frame["name"]), strew.OperandTypeError, (),
         "segment_mean: segment_ids " + strings.format("segment_ids")),
        (lambda: sn.segment_sum(frame.v, A([0, pd.NA, 1], object)), strew.OperandTypeError, (1,),
         "segment_sum: segment_ids[1] is <NA>, expected integers"),
        (lambda: sn.segment_sum(frame.v, frame["name"].astype("category")), strew.OperandTypeError, (),
         "segment_sum: segment_ids " + strings.format("segment_ids")),
        (lambda: sn.segment_sum(frame.v[:2], frame.k), strew.OperandValueError, (),
         "segment_sum: data has 2 rows, segment_ids has 3"),
        (lambda: sn.segment_sum(frame["name"], frame.k), strew.OperandValueError, (),
         "segment_sum: data holds object, of which sums are not computed"),
        (lambda: sn.segment_sum(frame.v, pd.Series([0, 1, None], dtype="Int64")), strew.OperandTypeError, (),
         "segment_sum: segment_ids is a Series with missing values, which would be lost: pass to_numpy(na_value=..)"),
        (lambda: sn.bincount(missing), TypeError, None, "bincount: x[2] is NaN, expected integers"),
        (lambda: sn.bincount(frame["name"]), ValueError, None, "bincount: x " + strings.format("x")),
        (lambda: sn.bincount(frame.k, frame.v[:2]), ValueError, None, "bincount: weights has 2 rows, x has 3"),
        (lambda: sn.add_at(zeros(3), missing, 1), IndexError, None, "add_at: indices[2] is NaN, expected integers"),
        (lambda: sn.add_at(zeros(1), frame.k, 1), OUT_OF_BOUNDS, (1,),
         "add_at: indices[1] = 1 is outside [-1, 0] (axis 0 of a has extent 1)"),
        (lambda: sn.put(frame.v, [0], 1), TypeError, None,
         "put: a is a Series, expected an array of NumPy, which is changed in place"),
        (lambda: sn.put(zeros(1), frame.k, 1), OUT_OF_BOUNDS, (1,),
         "put: ind[1] = 1 is outside [-1, 0] (a has 1 element)"),
    ]  # fmt: skip
    for row in rows:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of NaN cast to integers
            check(*row)
    reasons: list[tuple[Call, str]] = [
        (lambda: sn.add_at(zeros(3), frame.k, frame.v),
         "add_at is computed by NumPy: b is a Series, which has its own __array_ufunc__: pass .to_numpy()"),
        (lambda: sn.add_at(frame.v, [0], 1.0),
         "add_at is computed by NumPy: a is a Series, which has its own __array_ufunc__"),
    ]  # fmt: skip
    for call, text in reasons:
        with pytest.warns(sn.FallbackWarning) as record:
            call()
        assert str(record[0].message) == text


def test_exceptions_of_arguments_remain() -> None:
    class Array:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise ValueError("of its own") from KeyError("its cause")

    class Unreadable(IndexError):
        def __init__(self) -> None:
            super().__init__("of another class")

    class Failing:
        def __index__(self) -> int:
            raise Unreadable

    for call in (lambda: sn.add_at(zeros(3), Failing(), 1), lambda: sn.segment_sum(zeros(1), [0], Failing())):
        with pytest.raises(Unreadable, match="^of another class$"):
            call()
    with pytest.raises(ValueError, match="^bincount: x: of its own$"):
        sn.bincount(Array())


def test_of_units() -> None:
    unit = pytest.importorskip("astropy.units").m
    lost = "is a Quantity in m, a unit that would be lost: pass its value"
    for call, text in [
        (lambda: sn.put(zeros(3), [0], [1.0] * unit), f"put: v {lost}, in the unit of a"),
        (lambda: sn.put_along_axis(zeros(3), A([0]), [1.0] * unit, 0),
         f"put_along_axis: values {lost}, in the unit of arr"),
        (lambda: sn.bincount([0], [1.0] * unit), f"bincount: weights {lost}"),
        (lambda: sn.segment_sum([1.0] * unit, [0]), f"segment_sum: data {lost}"),
        (lambda: sn.segment_sum([1.0], [0] * unit), f"segment_sum: segment_ids {lost}"),
    ]:  # fmt: skip
        check(call, strew.OperandTypeError, (), text)


# ---- Places are those of what was passed


@given(st.data(), st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 2**32))
def test_what_is_said_to_be_outside_is_there_and_outside(data: Any, shape: list[int], seed: int) -> None:
    a = zeros(*shape)
    indices = data.draw(index_expressions(a.shape, seed))
    for function in (sn.add_at, sn.subtract_at, sn.maximum_at):
        try:
            function(a, indices, 1.0)
        except IndexError as error:
            text = str(error)
            place, number, axis = r"indices([\[\], \d]*)", r"(-?\d+)", r"\(axis (\d+) of a has extent (\d+)\)"
            found = re.match(rf"\w+: {place} = {number} .* {axis}$", text)
            assert text.startswith(f"{function.__name__}: indices")
            if found is None:
                assert "outside" not in text
                continue
            coordinate = tuple(map(int, re.findall(r"\d+", found[1])))
            assert not isinstance(error, strew.Error) or coordinate == error.coordinate
            item = indices
            if isinstance(indices, tuple):
                item, coordinate = indices[coordinate[0]], coordinate[1:]
            index, extent = np.asarray(item)[coordinate], int(found[4])
            assert int(index) == int(found[2]) and not -extent <= index.astype(np.intp) < extent
            assert a.shape[int(found[3])] == extent


# ---- The words of an operator, as they are and as they may be


WORDS = list(itertools.product(("index", "indices"), ("source", "updates", "values"), ("data", "output", "out")))


@pytest.mark.parametrize("words", WORDS)
def test_words_of_operators_become_those_of_the_function(words: tuple[str, str, str], monkeypatch: Any) -> None:
    indices, values, array = words

    def fails(*_: Any, **__: Any) -> None:
        text = f"op: {values} has extent 3 on axis 0, expected 2 as {indices} has on axis 0 of {array}: index_put"
        raise strew.OperandValueError(text, "extent_mismatch", "op", values)

    sums = ("index_put", "index_reduce", "scatter_add", "scatter_nd_update")
    for name in (*sums, "_put", "_put_along_axis"):
        monkeypatch.setattr(sn, name, fails)
    calls: list[tuple[Call, str, tuple[str, str, str]]] = [
        (lambda: sn.add_at(zeros(3), [0, 1], 1), "add_at", ("indices", "b", "a")),
        (lambda: sn.subtract_at(zeros(3), A([0, 1]), A([1.0])), "subtract_at", ("indices", "b", "a")),
        (lambda: sn.put(zeros(3), [0], 1), "put", ("ind", "v", "a")),
        (lambda: sn.put_along_axis(zeros(3), A([0]), 1, 0), "put_along_axis", ("indices", "values", "arr")),
        (lambda: sn.bincount([0], [1.0]), "bincount", ("x", "weights", "result")),
        (lambda: sn.segment_sum([1.0], [0]), "segment_sum", ("segment_ids", "data", "result")),
    ]
    for call, function, own in calls:
        with pytest.raises(strew.OperandValueError) as caught:
            call()
        assert str(caught.value) == (
            f"{function}: {own[1]} has extent 3 on axis 0, expected 2 as {own[0]} has on axis 0 of {own[2]}: index_put"
        )
        assert (caught.value.operation, caught.value.operand) == (function, own[1])


# ---- No text is of another function


def test_no_error_of_random_calls_is_of_an_operator() -> None:
    odd: list[Any] = [
        None, "ab", {0: 1}, {0, 1}, 1.5, 1j, -1, 0, 7, 2**70, [], [0, 1], [0, 9], [-9, 1], [0.0, 1.0], [0.0, np.nan],
        [None, 1], ["a", "b"], [[0], [1, 2]], [[0, 1], [1, 0]], [[0, 9]], (0, 1), ([0, 1], [1, 9]), slice(None), ...,
        np.zeros(2), np.zeros((2, 2)), np.zeros(0), np.ones(2, bool), A([0, 1]), A([0, 9], "u8"), A([0, 1], ">i4"),
        A([1, 2], object), A(["x", "y"]), A([0, 1], "M8[s]"), zeros(2, dtype=complex), A(3), object(), range(2),
    ]  # fmt: skip
    names = r"index_add|index_put|index_reduce|scatter_nd_update|scatter_add|updates|\bsource\b|\btensor_view\b"
    functions: list[Any] = [sn.add_at, sn.subtract_at, sn.maximum_at, sn.put, sn.bincount]
    functions += [lambda arr, indices, values: sn.put_along_axis(arr, indices, values, 0)]
    functions += [lambda x, weights, axis: sn.bincount(x, weights, axis=axis)]
    functions += [sn.segment_sum, sn.segment_max, sn.segment_mean]
    calls = 0
    for function in functions:
        for arguments in itertools.product(odd, odd, odd[::8]):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    function(*copy.deepcopy(arguments))
            except MemoryError:
                pass
            except Exception as error:
                calls += 1
                assert not re.search(names, str(error)), (function, arguments, error)
                if isinstance(error, strew.Error):
                    assert str(error).startswith(f"{error.operation}: {error.operand}"), (arguments, error)
    assert calls > 8000
