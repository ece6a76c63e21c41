# SPDX-License-Identifier: Apache-2.0
"""Scatter operators: results with equal bits on any number of threads, and nothing written before an error.

The result is a new array, a copy of ``data`` in which targets are replaced by updates or combined with them, unless the
call has ``out=data`` or the name of the operator ends with an underscore:

>>> import numpy as np, strew
>>> table = np.zeros((3, 2))
>>> strew.index_add(table, 0, [2, 0, 2], np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
array([[3., 4.],
       [0., 0.],
       [6., 8.]])
>>> strew.index_fill_(table, 1, [1], 7.0) is table
True

Operators, each under the name and with the order of arguments of its specification:

slice_scatter, select_scatter, diagonal_scatter   a slice, one coordinate of an axis, a diagonal
scatter_update                                    rows of an axis; index_copy, index_add, index_reduce, index_fill; all
                                                  but the last also by segments(offsets)
scatter_elements_update                           elements along an axis; scatter, scatter_add, scatter_reduce,
                                                  put_along_axis
index_put, put                                    slices by indices of several axes; elements by number
masked_scatter, masked_fill                       what a mask selects
strew.v3, strew.v12, strew.v14, strew.v15         versions of OpenVINO's operators
strew.onnx                                        ONNX's operators
strew.numpy                                       add_at, put, bincount and others with NumPy's semantics

All of them
- return the array that they write: a new one; data itself with ``out=data``; another of its shape with ``out=other``.
  ``index_add_``, ``scatter_``, ``masked_fill_`` and others write to data itself;
- take arrays of NumPy, PyTorch and JAX and any object with DLPack or the buffer protocol, of any strides in whole
  elements, without a copy and without a conversion: updates have data's type of elements, unless ``cast=True`` makes
  each of them such an element before it is combined. One number or an array of rank 0 may stand for all updates; lists
  are taken as updates, indices and masks, ranges as indices. What carries a unit or a mask is refused;
- take their arguments also by PyTorch's names: ``input`` for data, ``dim`` for axis, ``src`` for source, ``reduce`` for
  reduction, ``include_self`` for include_init, ``accumulate=True`` for the reduction ``"sum"`` of put and index_put.
  ``index`` and ``indices`` are one name, as are ``source``, ``updates``, ``values`` and ``value``;
- run on ``threads`` threads: 1 unless said otherwise, 0 for as many as the machine has;
- raise ``strew.Error`` before anything is written. It is an ``IndexError``, a ``TypeError`` or a ``ValueError`` too.

``strew.numpy`` and ``strew.onnx`` are modules that ``from strew import *`` leaves out, since other modules have these
names. Calls record no gradients and are not traced by ``jax.jit``.

An array that a call reads or writes must not be changed by another thread while the call runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from . import numpy as numpy
from . import onnx as onnx
from . import v3, v12, v14, v15
from ._errors import AxisError, Error, OperandTypeError, OperandValueError, OutOfBoundsError
from ._prepared import Bound, Prepared, prepare
from ._strew import (
    diagonal_scatter,
    index_add,
    index_add_,
    index_copy,
    index_copy_,
    index_fill,
    index_fill_,
    index_put,
    index_put_,
    index_reduce,
    index_reduce_,
    masked_fill,
    masked_fill_,
    masked_scatter,
    masked_scatter_,
    put,
    put_,
    put_along_axis,
    put_along_axis_,
    scatter,
    scatter_,
    scatter_add,
    scatter_add_,
    scatter_elements_update,
    scatter_reduce,
    scatter_reduce_,
    scatter_update,
    segments,
    select_scatter,
    slice_scatter,
)
from ._strew import version as __version__
from ._workspace import set_workspace_limit

__all__ = [
    "AxisError",
    "Bound",
    "Error",
    "OperandTypeError",
    "OperandValueError",
    "OutOfBoundsError",
    "Prepared",
    "__version__",
    "diagonal_scatter",
    "index_add",
    "index_add_",
    "index_copy",
    "index_copy_",
    "index_fill",
    "index_fill_",
    "index_put",
    "index_put_",
    "index_reduce",
    "index_reduce_",
    "masked_fill",
    "masked_fill_",
    "masked_scatter",
    "masked_scatter_",
    "prepare",
    "put",
    "put_",
    "put_along_axis",
    "put_along_axis_",
    "scatter",
    "scatter_",
    "scatter_add",
    "scatter_add_",
    "scatter_elements_update",
    "scatter_reduce",
    "scatter_reduce_",
    "scatter_update",
    "segments",
    "select_scatter",
    "set_workspace_limit",
    "slice_scatter",
    "v3",
    "v12",
    "v14",
    "v15",
]

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> None:
        """Raises for a name that is not here, with where it is."""
        homes = [home for home in (v15, v12, v3, onnx, numpy) if name in home.__all__]
        advice = f": {homes[0].__name__}.{name}" if homes else ""
        raise AttributeError(f"module 'strew' has no attribute '{name}'{advice}", name=name)
