# SPDX-License-Identifier: Apache-2.0
"""Calls as a new user writes them, by the habits of NumPy, PyTorch and pandas, with the result or the text that they get."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

import strew

# What a call is, the exception, and its text; or None and the elements of the result. d and t are of float64, f of float32.
CALLS: list[tuple[str, str | None, Any]] = [
    ("strew.index_add(d, [0,1], [1.,2.])", "TypeError",
     "index_add() was not given 'source': index_add(data, axis, index, source, *, alpha=1, out=None, threads=1, "
     "mode='raise', cast=False)"),
    ("strew.index_add(d, [0,1], [1.,2.], 0)", "TypeError",
     "index_add: axis is a list, expected an integer: the order is index_add(data, axis, index, source)"),
    ("strew.index_add(d, 0, [0,1], [1.,2.], 0)", "TypeError",
     "index_add() takes 4 arguments without a name, 5 were given: index_add(data, axis, index, source, *, "
     "alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.index_add([0,0,0], 0, [0,1], [1.,2.])", "TypeError",
     "index_add: data is a list, expected an array (of NumPy, or with DLPack or the buffer protocol): pass "
     "numpy.array(data)"),
    ("strew.index_add(d, 0, [0.0,1.0], [1.,2.])", "TypeError", "index_add: index holds a float, expected integers"),
    ("strew.index_add(d, 0, np.array([0.0,1.0]), [1.,2.])", "TypeError",
     "index_add: index holds float64, expected integers of 8 to 64 bits in native byte order: pass "
     "index.astype('int64')"),
    ("strew.index_add(d, 0, np.array([True,False,True,False,False]), 1.)", "TypeError",
     "index_add: index holds bool, expected integers of 8 to 64 bits in native byte order: pass "
     "numpy.nonzero(index)[0], or call an operator with a mask"),
    ("strew.index_add(d, 0, [True,False,True,False,False], 1.)", "TypeError",
     "index_add: index holds a bool, expected integers"),
    ("strew.index_add(d, None, [0], 1.)", "TypeError",
     "index_add: axis is None, expected an integer: the order is index_add(data, axis, index, source)"),
    ('strew.index_add(d, "0", [0], 1.)', "TypeError",
     "index_add: axis is a str, expected an integer: the order is index_add(data, axis, index, source)"),
    ('strew.index_add(d, 0, "0", 1.)', "TypeError",
     "index_add: index is a str, expected an array of integers, a list, a range or an integer"),
    ('strew.index_add(d, 0, [0], "1")', "TypeError",
     "index_add: source is a str, expected an array, a list of numbers or a number"),
    ("strew.index_add(d, 0, [0], None)", "TypeError",
     "index_add: source is None, expected an array, a list of numbers or a number"),
    ("strew.index_add(d, 0, pd.Series([0,1]), 1.)", "TypeError",
     "index_add: index is a Series, expected an array of integers, a list, a range or an integer: pass "
     "index.to_numpy()"),
    ("strew.index_add(d, 0, pd.array([0,1]), 1.)", "TypeError",
     "index_add: index is an IntegerArray, expected an array of integers, a list, a range or an integer: pass "
     "index.to_numpy()"),
    ('strew.index_add(d, 0, pd.array([0,None],dtype="Int64"), 1.)', "TypeError",
     "index_add: index is an IntegerArray with missing values, which would be lost: pass to_numpy(na_value=..)"),
    ("strew.index_add(pd.Series(d), 0, [0], 1.)", "TypeError",
     "index_add: data is a Series, expected an array (of NumPy, or with DLPack or the buffer protocol): pass "
     "data.to_numpy()"),
    ("strew.index_add(d, 0, [0,1], pd.Series([1.,2.]))", "TypeError",
     "index_add: source is a Series, expected an array, a list of numbers or a number: pass source.to_numpy()"),
    ("strew.index_add(d, 0, [0,1], np.ones((2,1)))", "ValueError",
     "index_add: source has rank 2, expected 1 (rank of data + rank of index - 1)"),
    ("strew.index_add(t, 0, [0,1], np.ones(3))", "ValueError",
     "index_add: source has rank 1, expected 2 (rank of data + rank of index - 1)"),
    ("strew.index_add(t, 2, [0,1], np.ones(3))", "AxisError",
     "index_add: axis = 2 is outside [-2, 1] (data has rank 2)"),
    ("strew.index_add(d, 0, [5], 1.)", "IndexError", "index_add: index[0] = 5 is outside [0, 4] (axis 0 has extent 5)"),
    ("strew.index_add(d, 0, [-1], 1.)", "IndexError",
     "index_add: index[0] = -1 is outside [0, 4] (axis 0 has extent 5): mode='wrap' takes indices modulo 5, "
     "mode='drop' leaves them out"),
    ("strew.index_add(d, 0, {0}, 1.)", "TypeError",
     "index_add: index is a set, expected an array of integers, a list, a range or an integer: pass list(index)"),
    ("strew.index_add(d, 0, slice(0,2), 1.)", "TypeError",
     "index_add: index is a slice, expected an array of integers, a list, a range or an integer: slice_scatter "
     "and strew.numpy.add_at take slices"),
    ("strew.index_add(d, 0, np.int64(3), 1.)", None, [0.0, 0.0, 0.0, 1.0, 0.0]),
    ("strew.index_add(d, 0, 3, 1.)", None, [0.0, 0.0, 0.0, 1.0, 0.0]),
    ("strew.index_add(d, 0, [0], 1j)", "TypeError",
     "index_add: source is a complex value, but the elements of data are not complex"),
    ("strew.index_add(f, 0, [0], np.float64(1e300))", "ValueError",
     "index_add: source = 1e+300 is outside [-3.4028235e+38, 3.4028235e+38], the range of the elements of data"),
    ("strew.index_add(np.zeros(3,'i4'), 0, [0], 1.5)", "TypeError",
     "index_add: source is a floating-point value, but the elements of data are integers"),
    ("strew.index_add(np.zeros(3,'i4'), 0, [0], np.ones(1))", "TypeError",
     "index_add: source holds float64, expected int32 as data does: pass source.astype('int32'), which drops "
     "fractions, or data of another type"),
    ("strew.index_add(np.zeros(3,'i4'), 0, [0], [1.0])", "TypeError",
     "index_add: source[0] is a floating-point value, but the elements of data are integers"),
    ('strew.scatter(t, 1, [[0]], reduce="add")', "TypeError",
     "scatter() has no argument 'reduce' (index_add, index_reduce, scatter_add and scatter_reduce combine): "
     "scatter(data, axis, index, source, *, return_positions=False, out=None, threads=1, mode='raise', cast=False)"),
    ('strew.scatter(t, 1, [[0]], 1., reduce="add")', "TypeError",
     "scatter() has no argument 'reduce' (index_add, index_reduce, scatter_add and scatter_reduce combine): "
     "scatter(data, axis, index, source, *, return_positions=False, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.scatter_reduce(t, 1, [[0]], [[1.]])", "TypeError",
     "scatter_reduce() was not given 'reduction': scatter_reduce(data, axis, index, source, reduction, *, "
     "include_init=True, skipna=False, return_positions=False, out=None, threads=1, mode='raise', cast=False)"),
    ('strew.scatter_reduce(t, 1, [[0]], [[1.]], "average")', "ValueError",
     "scatter_reduce: reduction = 'average', expected none, sum, sub, prod, min, max or mean"),
    ("strew.scatter_reduce(t, 1, [[0]], [[1.]], reduce=np.add)", "TypeError",
     "scatter_reduce: reduce is a ufunc, expected a name: none, sum, sub, prod, min, max or mean"),
    ('strew.scatter_reduce(t, 1, [[0]], [[1.]], "sum", include_self=0)', "TypeError",
     "scatter_reduce: include_self is an int, expected a bool"),
    ('strew.scatter_reduce(t, 1, [[0]], [[1.]], "sum", skipna=1)', "TypeError",
     "scatter_reduce: skipna is an int, expected a bool"),
    ('strew.v15.scatter_nd_update(t, [[0]], 1., "sub", skipna=True)', "ValueError",
     "v15.scatter_nd_update: reduction sub without NaNs is not one of the operator's"),
    ('strew.put(t, [0], 1., skipna=True)', "ValueError",
     "put: reduction none without NaNs is not one of the operator's"),
    ("strew.index_put(t, [0,1], 1.)", "TypeError",
     "index_put: indices is a list of integers, expected a tuple with the indices of each axis: (indices,) for "
     "those of axis 0"),
    ("strew.index_put(t, np.array([0,1]), 1.)", "TypeError",
     "index_put: indices is a ndarray, expected a tuple with the indices of each axis: (indices,) for those of "
     "axis 0"),
    ("strew.index_put(t, ([0,1],[0,5]), 1.)", "IndexError",
     "index_put: indices[1] for axis 1 = 5 is outside [-3, 2] (axis 1 of data has extent 3)"),
    ("strew.index_put(t, (slice(None),[0]), 1.)", "TypeError",
     "index_put: indices is a slice, expected an array of integers, a list, a range or an integer: slice_scatter "
     "and strew.numpy.add_at take slices"),
    ("strew.put(d, [0,1], [1.,2.], True)", None, [1.0, 2.0, 0.0, 0.0, 0.0]),
    ("strew.masked_fill(d, d>0, [1.,2.])", "ValueError",
     "masked_fill: value has rank 1, expected one value: masked_scatter takes an element for each target"),
    ("strew.masked_fill(d, [0,1], 1.)", "TypeError", "masked_fill: mask holds an int, expected bools"),
    ("strew.masked_fill(d, True, 1.)", "TypeError",
     "masked_fill: mask is a bool, expected an array or a list of bools"),
    ("strew.masked_fill(d, np.array([True,False]), 1.)", "ValueError",
     "masked_fill: mask has extent 2 on axis 0, expected 5 as data has: pass numpy.broadcast_to(mask, data.shape)"),
    ("strew.masked_fill(t, np.array([True,False,False]), 1.)", "ValueError",
     "masked_fill: mask has rank 1, expected 2 as data has: pass numpy.broadcast_to(mask, data.shape)"),
    ("strew.masked_fill(d, d, 1.)", "TypeError",
     "masked_fill: mask holds float64, expected bool, int8 or uint8: pass mask.astype(bool)"),
    ("strew.masked_scatter(d, d==0, 1.)", "TypeError",
     "masked_scatter: source is a float, expected an array or a list of numbers: masked_fill takes one value"),
    ("strew.masked_scatter(d, d==0, [1.,2.])", "ValueError", "masked_scatter: source has 2 elements, mask selects 5"),
    ("strew.slice_scatter(d, [1.,2.], 1, 3)", "TypeError",
     "slice_scatter() takes 2 arguments without a name, 4 were given: slice_scatter(data, updates, *, start=None, "
     "stop=None, step=None, axes=None, out=None, threads=1, cast=False)"),
    ("strew.slice_scatter(d, [1.,2.], start=1, end=3)", None, [0.0, 1.0, 2.0, 0.0, 0.0]),
    ("strew.slice_scatter(d, [1.,2.], slice(1,3))", "TypeError",
     "slice_scatter() takes 2 arguments without a name, 3 were given: slice_scatter(data, updates, *, start=None, "
     "stop=None, step=None, axes=None, out=None, threads=1, cast=False)"),
    ("strew.slice_scatter(d, [1.,2.,3.], start=1, stop=3)", "ValueError",
     "slice_scatter: updates has extent 3 on axis 0, expected 2 as the slice of data has"),
    ("strew.slice_scatter(d, 1., step=0)", "ValueError",
     "slice_scatter: step[0] = 0 selects nothing, expected any other value"),
    ("strew.put_along_axis(t, [[0]], 1., 1)", None,
     [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.put_along_axis(t, [0], 1., 1)", "ValueError",
     "put_along_axis: indices has rank 1, expected 2 as data has: scatter_update takes the indices of whole rows"),
    ("strew.put_along_axis(t, [[0]], 1.)", "TypeError",
     "put_along_axis() was not given 'axis': put_along_axis(data, indices, values, axis, *, return_positions=False, "
     "out=None, threads=1, mode='raise', cast=False)"),
    ("strew.put_along_axis(arr=t, indices=[[0]], values=1., axis=1)", None,
     [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.index_add(d, 0, [0], 1., out=d.copy()[:3])", "ValueError",
     "index_add: out has extent 3 on axis 0, expected 5 as data has"),
    ("strew.index_add(d, 0, [0], 1., out=f)", "TypeError",
     "index_add: out holds float32, expected float64 as data does"),
    ("strew.index_add(d, 0, [0], 1., out=True)", "TypeError",
     "index_add: out is a bool, expected an array (of NumPy, or with DLPack or the buffer protocol)"),
    ("strew.index_add(d, 0, [0], 1., inplace=True)", "TypeError",
     "index_add() has no argument 'inplace' (out=data writes to data): index_add(data, axis, index, source, *, "
     "alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.index_add(d, 0, [0], 1., num_threads=2)", "TypeError",
     "index_add() has no argument 'num_threads' (the nearest is 'threads'): index_add(data, axis, index, source, "
     "*, alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.index_add(d, 0, [0], 1., n_jobs=2)", "TypeError",
     "index_add() has no argument 'n_jobs' (the nearest is 'threads'): index_add(data, axis, index, source, *, "
     "alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ('strew.index_add(d, 0, [0], 1., threads="all")', "TypeError",
     "index_add: threads is a str, expected an integer: 0 takes as many as the machine has"),
    ("strew.index_add(d, 0, [0], 1., threads=-1)", "ValueError", "index_add: threads = -1 is outside [0, 1024]"),
    ('strew.index_add(d, 0, [0], 1., mode="ignore")', "ValueError",
     "index_add: mode = 'ignore', expected raise, drop, clip or wrap"),
    ("strew.index_add(d, 0, [0], 1., mode=None)", "TypeError",
     "index_add: mode is None, expected raise, drop, clip or wrap"),
    ("strew.index_add(d, axis=0, indices=[0], updates=1.)", None, [1.0, 0.0, 0.0, 0.0, 0.0]),
    ("strew.index_add(d, 0, indexes=[0], source=1.)", "TypeError",
     "index_add() has no argument 'indexes' (the nearest is 'index'): index_add(data, axis, index, source, *, "
     "alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.scatter_update(d, [0], [1.])", "TypeError",
     "scatter_update() was not given 'axis': scatter_update(data, indices, updates, axis, *, return_positions=False, "
     "out=None, threads=1, mode='raise', cast=False)"),
    ("strew.scatter_update(d, [0], [1.], axis=0)", None, [1.0, 0.0, 0.0, 0.0, 0.0]),
    ("strew.scatter_update(d, [[0],[1]], [[1.],[2.]], 0)", None, [1.0, 2.0, 0.0, 0.0, 0.0]),
    ("strew.scatter_nd_update(d, [[0]], [1.])", "AttributeError",
     "module 'strew' has no attribute 'scatter_nd_update': strew.v15.scatter_nd_update"),
    ("strew.scatter_nd(d, [[0]], [1.])", "AttributeError",
     "module 'strew' has no attribute 'scatter_nd': strew.onnx.scatter_nd"),
    ("strew.tensor_scatter_add(d, [[0]], [1.])", "AttributeError",
     "module 'strew' has no attribute 'tensor_scatter_add'"),
    ("strew.add_at(d, [0], 1.)", "AttributeError", "module 'strew' has no attribute 'add_at': strew.numpy.add_at"),
    ("strew.index_fill(d, 0, [0], [1.])", "ValueError",
     "index_fill: value has rank 1, expected one value: index_copy takes an element for each target"),
    ("strew.index_fill(d, 0, [0], np.array(1))", None, [1.0, 0.0, 0.0, 0.0, 0.0]),
    ("strew.select_scatter(t, [1.,2.,3.], 0, 1)", None,
     [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.select_scatter(t, [1.,2.,3.], 0, [1])", "TypeError",
     "select_scatter: index is a list, expected an integer"),
    ("strew.index_add(np.zeros(3,'f2'), 0, [0], np.float32(1))", None, [1.0, 0.0, 0.0]),
    ("strew.index_add(np.array(['a','b']), 0, [0], 'c')", "TypeError",
     "index_add: source is a str, expected an array, a list of numbers or a number"),
    ("strew.scatter_update(np.array(['a','b']), [0], ['c'], 0)", "TypeError",
     "scatter_update: updates holds a str, expected scalars of data's type"),
    ("strew.scatter_update(np.array(['a','b']), [0], np.array(['cc']), 0)", "TypeError",
     "scatter_update: updates holds <U2, expected <U1 as data does"),
    ("strew.index_add(np.zeros(3,object), 0, [0], 1)", "ValueError",
     "index_add: reduction sum is not offered for the element type of data"),
    ("strew.index_add(np.zeros(3,'M8[s]'), 0, [0], np.zeros(1,'m8[s]'))", "TypeError",
     "index_add: source holds timedelta64[s], expected datetime64[s] as data does"),
    ("strew.index_add(d[::2], 0, [0], 1.)", None, [1.0, 0.0, 0.0]),
    ("strew.index_add(np.broadcast_to(1.,3), 0, [0], 1., out=np.broadcast_to(1.,3))", "ValueError",
     "index_add: out is read-only: pass a copy"),
    ("strew.index_add_(np.broadcast_to(1.,3), 0, [0], 1.)", "ValueError", "index_add_: data is read-only: pass a copy"),
    ("strew.index_add_([1.,2.], 0, [0], 1.)", "TypeError",
     "index_add_: data is a list, expected an array (of NumPy, or with DLPack or the buffer protocol): pass "
     "numpy.array(data)"),
    ("strew.index_add(d, 0, [], [])", None, [0.0, 0.0, 0.0, 0.0, 0.0]),
    ("strew.index_add(d, 0, range(5), d)", None, [0.0, 0.0, 0.0, 0.0, 0.0]),
    ('strew.v12.scatter_elements_update(t, [[0]], [[1.]], 1, "sum")', None,
     [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.onnx.scatter_elements(t, [[0]], [[1.]], axis=5)", "AxisError",
     "onnx.scatter_elements: axis = 5 is outside [-2, 1] (data has rank 2)"),
    ("strew.onnx.scatter_nd(t, [0,1], [1.])", "ValueError",
     "onnx.scatter_nd: updates has rank 1, expected 0 (0 axes of indices and 0 of data)"),
    ('strew.onnx.tensor_scatter(t, t, mode="drop")', "ValueError",
     "onnx.tensor_scatter: mode = 'drop', expected linear or circular"),
    ("strew.index_add(d, 0, iter([1]), 1.)", "TypeError",
     "index_add: index is a list_iterator, expected an array of integers, a list, a range or an integer: pass "
     "list(index)"),
    ("strew.index_add(d, 0, (i for i in range(3)), 1.)", "TypeError",
     "index_add: index is a generator, expected an array of integers, a list, a range or an integer: pass "
     "list(index)"),
    ("strew.index_add(d, 0, np.array([0, 2**40]), 1.)", "IndexError",
     "index_add: index[1] = 1099511627776 is outside [0, 4] (axis 0 has extent 5)"),
    ("strew.index_add(d, 0, np.array(['0']), 1.)", "TypeError",
     "index_add: index holds <U1, expected integers of 8 to 64 bits in native byte order"),
    ("strew.index_add()", "TypeError",
     "index_add() was not given 'data': index_add(data, axis, index, source, *, alpha=1, out=None, threads=1, "
     "mode='raise', cast=False)"),
    ("strew.index_add(d)", "TypeError",
     "index_add() was not given 'axis': index_add(data, axis, index, source, *, alpha=1, out=None, threads=1, "
     "mode='raise', cast=False)"),
    ("strew.index_add(d, 0, [0], 1., 2., 3.)", "TypeError",
     "index_add() takes 4 arguments without a name, 6 were given: index_add(data, axis, index, source, *, "
     "alpha=1, out=None, threads=1, mode='raise', cast=False)"),
    ("strew.index_add(d, data=d)", "TypeError",
     "index_add() was given 'data' twice: index_add(data, axis, index, source, *, alpha=1, out=None, threads=1, "
     "mode='raise', cast=False)"),
    ("strew.index_add(out=d)", "TypeError",
     "index_add() was not given 'data': index_add(data, axis, index, source, *, alpha=1, out=None, threads=1, "
     "mode='raise', cast=False)"),
    ("strew.index_add(d, 0, pd.Series([True,False,True,False,False]), 1.)", "TypeError",
     "index_add: index is a Series, expected an array of integers, a list, a range or an integer: pass "
     "index.to_numpy()"),
    ("strew.masked_fill(d, pd.Series([True,False,True,False,False]), 1.)", "TypeError",
     "masked_fill: mask is a Series, expected an array or a list of bools: pass mask.to_numpy()"),
    ("strew.scatter_add(t, 1, [0,1], [1.,2.])", "ValueError",
     "scatter_add: index has rank 1, expected 2 as data has: index_add takes the indices of whole rows"),
    ("strew.index_put(t, ([0,1],[0,1]), [1.,2.], accumulate=True)", None,
     [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.put_along_axis_(t, [[0]], 2., 1)", None,
     [[2.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ("strew.index_copy(d, dim=0, index=range(2), source=[1.,2.])", None, [1.0, 2.0, 0.0, 0.0, 0.0]),
    ("strew.index_add(np.ma.array(d), 0, [0], 1.)", "TypeError",
     "index_add: data is a masked array, whose mask would be lost: pass filled(), or its data"),
    ("strew.index_add(d, 0, [2**70], 1.)", "IndexError",
     "index_add: index[0] = 1180591620717411303424 is outside [0, 4] (axis 0 has extent 5)"),
    ("strew.index_add(d, 0, [-2**70], 1., mode='wrap')", None, [0.0, 1.0, 0.0, 0.0, 0.0]),
    ("strew.index_add(np.zeros(3,'i4,i8')['f1'], 0, [0], 1)", "ValueError",
     "index_add: data has a stride of 12 bytes on axis 0, no multiple of the element size, 8 bytes, as fields of "
     "packed records have: pass numpy.ascontiguousarray(data), or align the records"),
    ("strew.index_add(d, 0, np.nonzero(d==0), 1.)", "TypeError",
     "index_add: index is a tuple of an array, expected the array: pass index[0]"),
    ("strew.index_add(d, 0, [0], [[1.]])", "ValueError",
     "index_add: source has rank 2, expected 1 (rank of data + rank of index - 1)"),
]  # fmt: skip


def names() -> dict[str, Any]:
    found = {"np": np, "strew": strew, "d": np.zeros(5), "f": np.zeros(5, np.float32), "t": np.zeros((4, 3))}
    try:
        import pandas
    except ImportError:
        return found
    return found | {"pd": pandas}


@pytest.mark.parametrize(("call", "kind", "told"), CALLS, ids=[call for call, *_ in CALLS])
def test_a_call_of_a_new_user(call: str, kind: str | None, told: Any) -> None:
    given = names()
    if "pd." in call and "pd" not in given:
        pytest.skip("pandas is not installed")
    if kind is None:
        assert np.asarray(eval(call, given)).tolist() == told
        return
    with pytest.raises(getattr(builtins, kind, None) or getattr(strew, kind)) as caught:
        eval(call, given)
    assert str(caught.value) == told
    assert not (given["d"].any() or given["f"].any() or given["t"].any()), "written before the error"
