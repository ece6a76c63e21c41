# SPDX-License-Identifier: Apache-2.0
# Made by make_stubs.py.
from typing import Any, Literal, SupportsIndex, overload
from strew._typing import A, CacheMode, Elements, Indices, Mode, Reduction, Updates

@overload
def scatter(data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    A copy of data with elements along an axis replaced: output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..].

    data     array of rank r >= 1
    indices  integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
    updates  array shaped as indices, or one value
    axis     in [-r, r - 1]
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.onnx.scatter(np.array([[1, 2, 3, 4, 5]]), [[1, -2]], np.array([[11, 21]]), 1)
    array([[ 1, 11,  3, 21,  5]])

    Specification: ONNX Scatter-9 and -11.
    """
@overload
def scatter(data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter_elements(data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Elements along an axis, replaced by or combined with updates[i.., j, k..]: output[i.., indices[i.., j, k..], k..].

    data       array of rank r >= 1
    indices    integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
    updates    array shaped as indices, or one value
    axis       in [-r, r - 1]
    reduction  none, sum, prod, min or max
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    out        where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.onnx.scatter_elements(np.array([[1, 2, 3, 4, 5]]), [[1, 3]], np.array([[11, 21]]), 1)
    array([[ 1, 11,  3, 21,  5]])

    Specification: ONNX ScatterElements-11, -13, -16 and -18.
    """
@overload
def scatter_elements(data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter_nd(data: A, indices: Indices, updates: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Slices addressed by multi-indices: output[indices[n..], ..] is replaced by, or combined with, updates[n.., ..].

    data       array of rank r >= 1
    indices    integers shaped (.., k), k <= r, with a multi-index in each row; component j in [-extent, extent - 1]
    updates    array shaped indices[:-1] + data[k:], or one value
    reduction  none, sum, prod, min or max
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    out        where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.onnx.scatter_nd(np.arange(1, 9), [[4], [3], [1], [7]], np.array([9, 10, 11, 12]))
    array([ 1, 11,  3, 10,  9,  6,  7, 12])

    Specification: ONNX ScatterND-11, -13, -16 and -18.
    """
@overload
def scatter_nd(data: A, indices: Indices, updates: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

def tensor_scatter(past_cache: A, update: Elements, write_indices: Indices | None = None, *, mode: CacheMode = 'linear', axis: SupportsIndex = -2, out: A | None = None, threads: int = 1, cast: bool = False) -> A:
    """
    Writes into a cache: of each sample b the S positions from write_indices[b] on are replaced by those of update.

    past_cache     array of rank r >= 2, with samples on axis 0
    update         array shaped as past_cache, with extent S on the axis of positions
    write_indices  an integer for each sample; all are 0 if left out
    mode           linear; or circular: positions count modulo the length of the cache
    axis           of the positions, not 0
    out            where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads        1, or more; 0 for as many as the machine has. The result does not depend on it
    cast           True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> cache = np.zeros((2, 4), int)
    >>> strew.onnx.tensor_scatter(cache, np.array([[1, 2], [3, 4]]), [3, 2], mode="circular", axis=1)
    array([[2, 0, 0, 1],
           [0, 0, 3, 4]])

    Specification: ONNX TensorScatter-24.
    """
