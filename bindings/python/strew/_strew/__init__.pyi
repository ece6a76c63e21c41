# SPDX-License-Identifier: Apache-2.0
# Made by make_stubs.py.
from collections.abc import Callable, Sequence
from typing import Any, Literal, SupportsIndex, overload
from strew._typing import A, Bounds, Elements, Indices, Mask, Mode, Number, Reduction, Updates

@overload
def slice_scatter(data: A, updates: Updates, *, start: Bounds = None, stop: Bounds = None, step: Bounds = None, axes: Bounds = None, out: A | None = None, threads: int = 1, cast: bool = False) -> A:
    """
    A copy of data with a slice replaced: output[start:stop:step, ..] = updates.

    data     array of any rank r
    updates  array with the extents of the slice, or one value
    start, stop, step, axes
             an integer for one axis, or lists of one length. Bounds clamp as those of Python's slices; a bound left out
             is the beginning or the end in the direction of the step. Without axes they are those of axes 0, 1, ..
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.slice_scatter(np.zeros(6, int), np.array([7, 8]), start=1, stop=5, step=2)
    array([0, 7, 0, 8, 0, 0])

    Specification: OpenVINO SliceScatter-15.
    """
@overload
def slice_scatter(input: A, src: Updates, *, start: Bounds = None, end: Bounds = None, step: Bounds = None, dim: Bounds = None, out: A | None = None, threads: int = 1, cast: bool = False) -> A: ...

@overload
def scatter_update(data: A, indices: Indices | segments, updates: Updates, axis: SupportsIndex, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    A copy of data with rows of an axis replaced: output[.., indices[i..], ..] = updates[.., i.., ..].

    data     array of rank r >= 1
    indices  integers of any shape, each in [0, extent of the axis - 1], or segments(offsets)
    updates  array shaped data[:axis] + indices + data[axis + 1:], or one value
    axis     in [-r, r - 1]
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    Of equal indices the last wins. On an error nothing is written.

    >>> import numpy as np, strew
    >>> strew.scatter_update(np.zeros((3, 2), int), [2, 0], np.array([[1, 2], [3, 4]]), 0)
    array([[3, 4],
           [0, 0],
           [1, 2]])

    Specification: OpenVINO ScatterUpdate-3.
    """
@overload
def scatter_update(data: A, indices: Indices | segments, updates: Updates, axis: SupportsIndex, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_copy(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    As scatter_update, with PyTorch's order of arguments: the rows of `source` replace those that `index` selects.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [0, extent of the axis - 1], or segments(offsets)
    source   array shaped data[:axis] + index + data[axis + 1:], or one value
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.index_copy(np.zeros((3, 2), int), 0, [0, 0], np.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [0, 0],
           [0, 0]])

    Specification: torch.Tensor.index_copy_.
    """
@overload
def index_copy(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_copy(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_copy(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_copy_(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    index_copy in place: writes to data, and returns it. On an error nothing is written.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [0, extent of the axis - 1], or segments(offsets)
    source   array shaped data[:axis] + index + data[axis + 1:], or one value
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.index_copy_(np.zeros((3, 2), int), 0, [0, 0], np.array([[1, 2], [3, 4]]))
    array([[3, 4],
           [0, 0],
           [0, 0]])

    Specification: torch.Tensor.index_copy_.
    """
@overload
def index_copy_(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_copy_(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_copy_(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_add(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, alpha: Number = 1, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Adds rows: output[.., index[i..], ..] += alpha * source[.., i.., ..], in the order of the rows of source.

    data     array of numbers of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [0, extent of the axis - 1], or segments(offsets)
    source   array shaped data[:axis] + index + data[axis + 1:], or one value
    alpha    a factor; each product is rounded before it is added. Other values than 1 take memory for the products
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    The result has the same bits at any number of threads.

    >>> import numpy as np, strew
    >>> strew.index_add(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
    array([4., 0., 2.])

    Specification: torch.Tensor.index_add_.
    """
@overload
def index_add(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, alpha: Number = 1, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...

@overload
def index_add_(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, alpha: Number = 1, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    index_add in place: writes to data, and returns it. On an error nothing is written.

    data     array of numbers of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [0, extent of the axis - 1], or segments(offsets)
    source   array shaped data[:axis] + index + data[axis + 1:], or one value
    alpha    a factor; each product is rounded before it is added. Other values than 1 take memory for the products
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    The result has the same bits at any number of threads.

    >>> import numpy as np, strew
    >>> strew.index_add_(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
    array([4., 0., 2.])

    Specification: torch.Tensor.index_add_.
    """
@overload
def index_add_(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, *, alpha: Number = 1, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...

@overload
def index_reduce(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Combines rows: output[.., index[i..], ..] = f(output[..], source[.., i.., ..]), in the order of the rows of source.

    data       array of numbers of rank r >= 1
    axis       in [-r, r - 1]
    index      integers, each in [0, extent of the axis - 1], or segments(offsets)
    source     array shaped data[:axis] + index + data[axis + 1:], or one value
    reduction  sum, prod, min, max or mean; means of integers are rounded down
    include_init
               False: a row with updates starts from the first of them
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
    >>> strew.index_reduce(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "max")
    array([3., 0., 2.])

    Specification: torch.Tensor.index_reduce_.
    """
@overload
def index_reduce(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_reduce(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_reduce(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_reduce_(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    index_reduce in place: writes to data, and returns it. On an error nothing is written.

    data       array of numbers of rank r >= 1
    axis       in [-r, r - 1]
    index      integers, each in [0, extent of the axis - 1], or segments(offsets)
    source     array shaped data[:axis] + index + data[axis + 1:], or one value
    reduction  sum, prod, min, max or mean; means of integers are rounded down
    include_init
               False: a row with updates starts from the first of them
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.index_reduce_(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "max")
    array([3., 0., 2.])

    Specification: torch.Tensor.index_reduce_.
    """
@overload
def index_reduce_(data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_reduce_(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_reduce_(input: A, dim: SupportsIndex, index: Indices | segments, source: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_fill(data: A, axis: SupportsIndex, index: Indices, value: Updates, *, out: A | None = None, threads: int = 1, mode: Mode = 'raise') -> A:
    """
    A copy of data with whole rows of an axis set to one value.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [-extent, extent - 1] of the axis
    value    a number, or an array of rank 0
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap

    >>> import numpy as np, strew
    >>> strew.index_fill(np.zeros((2, 3), int), 1, [0, -1], 7)
    array([[7, 0, 7],
           [7, 0, 7]])

    Specification: torch.Tensor.index_fill_.
    """
@overload
def index_fill(input: A, dim: SupportsIndex, index: Indices, value: Updates, *, out: A | None = None, threads: int = 1, mode: Mode = 'raise') -> A: ...

@overload
def index_fill_(data: A, axis: SupportsIndex, index: Indices, value: Updates, *, threads: int = 1, mode: Mode = 'raise') -> A:
    """
    index_fill in place: writes to data, and returns it. On an error nothing is written.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers, each in [-extent, extent - 1] of the axis
    value    a number, or an array of rank 0
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap

    >>> import numpy as np, strew
    >>> strew.index_fill_(np.zeros((2, 3), int), 1, [0, -1], 7)
    array([[7, 0, 7],
           [7, 0, 7]])

    Specification: torch.Tensor.index_fill_.
    """
@overload
def index_fill_(input: A, dim: SupportsIndex, index: Indices, value: Updates, *, threads: int = 1, mode: Mode = 'raise') -> A: ...

@overload
def scatter_elements_update(data: A, indices: Indices, updates: Updates, axis: SupportsIndex, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    A copy of data with elements along an axis replaced: output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..].

    data     array of rank r >= 1
    indices  integers of rank r, each in [0, extent of the axis - 1]; nowhere longer than data
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

    Version 12, strew.v12.scatter_elements_update, counts negative indices from the end and has reductions.

    >>> import numpy as np, strew
    >>> strew.scatter_elements_update(np.zeros((2, 3), int), [[2, 0]], np.array([[5, 6]]), 1)
    array([[6, 0, 5],
           [0, 0, 0]])

    Specification: OpenVINO ScatterElementsUpdate-3.
    """
@overload
def scatter_elements_update(data: A, indices: Indices, updates: Updates, axis: SupportsIndex, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    As scatter_elements_update, with PyTorch's order of arguments; on the axis the index may be longer than data.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source   array shaped as index, or one value
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.scatter(np.zeros((2, 3), int), 1, [[2, 0]], np.array([[5, 6]]))
    array([[6, 0, 5],
           [0, 0, 0]])

    Specification: torch.Tensor.scatter_.
    """
@overload
def scatter(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def scatter(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def scatter(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter_(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    scatter in place: writes to data, and returns it. On an error nothing is written.

    data     array of rank r >= 1
    axis     in [-r, r - 1]
    index    integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source   array shaped as index, or one value
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.scatter_(np.zeros((2, 3), int), 1, [[2, 0]], np.array([[5, 6]]))
    array([[6, 0, 5],
           [0, 0, 0]])

    Specification: torch.Tensor.scatter_.
    """
@overload
def scatter_(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def scatter_(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def scatter_(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter_add(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Adds elements along an axis: output[i.., index[i.., j, k..], k..] += source[i.., j, k..], in row-major order.

    data     array of numbers of rank r >= 1
    axis     in [-r, r - 1]
    index    integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source   array shaped as index, or one value
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.scatter_add(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
    array([4., 0., 2.])

    Specification: torch.Tensor.scatter_add_.
    """
@overload
def scatter_add(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...

@overload
def scatter_add_(data: A, axis: SupportsIndex, index: Indices, source: Updates, *, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    scatter_add in place: writes to data, and returns it. On an error nothing is written.

    data     array of numbers of rank r >= 1
    axis     in [-r, r - 1]
    index    integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source   array shaped as index, or one value
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.scatter_add_(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
    array([4., 0., 2.])

    Specification: torch.Tensor.scatter_add_.
    """
@overload
def scatter_add_(input: A, dim: SupportsIndex, index: Indices, src: Updates, *, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...

@overload
def scatter_reduce(data: A, axis: SupportsIndex, index: Indices, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Combines elements along an axis: output[i.., index[i.., j, k..], k..] = f(output[..], source[i.., j, k..]).

    data       array of numbers of rank r >= 1
    axis       in [-r, r - 1]
    index      integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source     array shaped as index, or one value
    reduction  sum, prod, min, max or mean; means of integers are rounded down
    include_init
               False: an element with updates starts from the first of them
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
    >>> strew.scatter_reduce(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "mean", include_init=False)
    array([2., 0., 2.])

    Specification: torch.Tensor.scatter_reduce_.
    """
@overload
def scatter_reduce(data: A, axis: SupportsIndex, index: Indices, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def scatter_reduce(input: A, dim: SupportsIndex, index: Indices, src: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def scatter_reduce(input: A, dim: SupportsIndex, index: Indices, src: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def scatter_reduce_(data: A, axis: SupportsIndex, index: Indices, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    scatter_reduce in place: writes to data, and returns it. On an error nothing is written.

    data       array of numbers of rank r >= 1
    axis       in [-r, r - 1]
    index      integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
    source     array shaped as index, or one value
    reduction  sum, prod, min, max or mean; means of integers are rounded down
    include_init
               False: an element with updates starts from the first of them
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.scatter_reduce_(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "mean", include_init=False)
    array([2., 0., 2.])

    Specification: torch.Tensor.scatter_reduce_.
    """
@overload
def scatter_reduce_(data: A, axis: SupportsIndex, index: Indices, source: Updates, reduction: Reduction, *, include_init: bool = True, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def scatter_reduce_(input: A, dim: SupportsIndex, index: Indices, src: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def scatter_reduce_(input: A, dim: SupportsIndex, index: Indices, src: Updates, reduce: Reduction, *, include_self: bool = True, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def put_along_axis(data: A, indices: Indices, values: Updates, axis: SupportsIndex, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    A copy of data with elements along an axis replaced; numpy.put_along_axis writes in place, and broadcasts.

    data     array of rank r >= 1
    indices  integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
    values   array shaped as indices, or one value
    axis     in [-r, r - 1]
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    strew.numpy.put_along_axis writes to its array, broadcasts and converts as NumPy does.

    >>> import numpy as np, strew
    >>> strew.put_along_axis(np.zeros((2, 3), int), [[-1], [0]], 9, 1)
    array([[0, 0, 9],
           [9, 0, 0]])

    Specification: numpy.put_along_axis.
    """
@overload
def put_along_axis(data: A, indices: Indices, values: Updates, axis: SupportsIndex, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def put_along_axis_(data: A, indices: Indices, values: Updates, axis: SupportsIndex, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    put_along_axis in place: writes to data, and returns it. On an error nothing is written.

    data     array of rank r >= 1
    indices  integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
    values   array shaped as indices, or one value
    axis     in [-r, r - 1]
    return_positions
             True: returns (output, positions). For each element of the output the latter, int64, has the
             number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
             Not of reductions other than none, min and max
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    mode     what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast     True: numbers of another type than data's become that before they are combined

    strew.numpy.put_along_axis writes to its array, broadcasts and converts as NumPy does.

    >>> import numpy as np, strew
    >>> strew.put_along_axis_(np.zeros((2, 3), int), [[-1], [0]], 9, 1)
    array([[0, 0, 9],
           [9, 0, 0]])

    Specification: numpy.put_along_axis.
    """
@overload
def put_along_axis_(data: A, indices: Indices, values: Updates, axis: SupportsIndex, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def put_along_axis_(input: A, indices: Indices, values: Updates, dim: SupportsIndex, *, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def put_along_axis_(input: A, indices: Indices, values: Updates, dim: SupportsIndex, *, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_put(data: A, indices: Sequence[Indices], values: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Slices addressed by a tensor of indices for each axis: output[i0[n], i1[n], .., ..] = values[n, ..], or += .

    data       array of rank r >= 1
    indices    a tuple of at most r arrays of integers of one shape, the indices of axes 0, 1, ..; each in
               [-extent, extent - 1] of its axis
    values     array shaped as one of the indices + data[len(indices):], or one value
    reduction  none or sum
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
    >>> strew.index_put(np.zeros((2, 3), int), ([0, 1, 0], [2, 0, 2]), np.array([1, 2, 3]), "sum")
    array([[0, 0, 4],
           [2, 0, 0]])

    Specification: torch.Tensor.index_put_.
    """
@overload
def index_put(data: A, indices: Sequence[Indices], values: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_put(input: A, indices: Sequence[Indices], values: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_put(input: A, indices: Sequence[Indices], values: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def index_put_(data: A, indices: Sequence[Indices], values: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    index_put in place: writes to data, and returns it. On an error nothing is written.

    data       array of rank r >= 1
    indices    a tuple of at most r arrays of integers of one shape, the indices of axes 0, 1, ..; each in
               [-extent, extent - 1] of its axis
    values     array shaped as one of the indices + data[len(indices):], or one value
    reduction  none or sum
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.index_put_(np.zeros((2, 3), int), ([0, 1, 0], [2, 0, 2]), np.array([1, 2, 3]), "sum")
    array([[0, 0, 4],
           [2, 0, 0]])

    Specification: torch.Tensor.index_put_.
    """
@overload
def index_put_(data: A, indices: Sequence[Indices], values: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def index_put_(input: A, indices: Sequence[Indices], values: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def index_put_(input: A, indices: Sequence[Indices], values: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def put(data: A, index: Indices, source: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Elements addressed by their row-major numbers: output.flat[index[n..]] = source[n..], or += .

    data       array of rank r >= 1, whatever its strides
    index      integers of any shape, each in [-size, size - 1]
    source     array shaped as index, or one value
    reduction  none or sum
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
    >>> strew.put(np.zeros((2, 3), int), [-1, 0], np.array([5, 6]))
    array([[6, 0, 0],
           [0, 0, 5]])

    numpy.put writes in place; so do put_ here and strew.numpy.put, which converts and repeats its values as NumPy does.

    Specification: torch.Tensor.put_, numpy.put.
    """
@overload
def put(data: A, index: Indices, source: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def put(input: A, index: Indices, source: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def put(input: A, index: Indices, source: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def put_(data: A, index: Indices, source: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    put in place: writes to data, and returns it. On an error nothing is written.

    data       array of rank r >= 1, whatever its strides
    index      integers of any shape, each in [-size, size - 1]
    source     array shaped as index, or one value
    reduction  none or sum
    skipna     True: updates that are NaN are left out; an element without others stays as it was
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.put_(np.zeros((2, 3), int), [-1, 0], np.array([5, 6]))
    array([[6, 0, 0],
           [0, 0, 5]])

    numpy.put writes in place; so do put_ here and strew.numpy.put, which converts and repeats its values as NumPy does.

    Specification: torch.Tensor.put_, numpy.put.
    """
@overload
def put_(data: A, index: Indices, source: Updates, reduction: Reduction = 'none', *, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
@overload
def put_(input: A, index: Indices, source: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[False] = False, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A: ...
@overload
def put_(input: A, index: Indices, source: Updates, accumulate: bool = False, *, skipna: bool = False, return_positions: Literal[True], threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...

@overload
def select_scatter(data: A, source: Updates, axis: SupportsIndex, index: SupportsIndex, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A:
    """
    A copy of data with one coordinate of an axis replaced: output[.., index, ..] = source.

    data     array of rank r >= 1
    source   array shaped as data without the axis, or one value
    axis     in [-r, r - 1]
    index    in [-extent, extent - 1] of the axis
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.select_scatter(np.array([[0, 1, 2], [3, 4, 5]]), np.array([7, 8, 9]), 0, -1)
    array([[0, 1, 2],
           [7, 8, 9]])

    Specification: torch.select_scatter.
    """
@overload
def select_scatter(input: A, src: Updates, dim: SupportsIndex, index: SupportsIndex, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A: ...

@overload
def diagonal_scatter(data: A, source: Updates, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A:
    """
    A copy of data with a diagonal of two of its axes replaced.

    data     array of rank r >= 2
    source   array shaped as data without both axes and with the length of the diagonal last, or one value
    offset   which diagonal: of the elements whose coordinate on axis2 is that on axis1 plus offset
    axis1, axis2
             two axes, each in [-r, r - 1]
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.diagonal_scatter(np.array([[0, 1, 2], [3, 4, 5]]), np.array([7, 8]), 1)
    array([[0, 7, 2],
           [3, 4, 8]])

    Specification: torch.diagonal_scatter.
    """
@overload
def diagonal_scatter(input: A, src: Updates, offset: SupportsIndex = 0, dim1: SupportsIndex = 0, dim2: SupportsIndex = 1, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A: ...

@overload
def masked_scatter(data: A, mask: Mask, source: Elements, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A:
    """
    A copy of data in which the elements that a mask selects are replaced by those of source, both in row-major order.

    data     array of any rank
    mask     array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
    source   array of any shape with at least as many elements as the mask selects
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.masked_scatter(np.arange(4), np.array([False, True, False, True]), np.array([7, 8, 9]))
    array([0, 7, 2, 8])

    Specification: torch.Tensor.masked_scatter_.
    """
@overload
def masked_scatter(input: A, mask: Mask, source: Elements, *, out: A | None = None, threads: int = 1, cast: bool = False) -> A: ...

@overload
def masked_scatter_(data: A, mask: Mask, source: Elements, *, threads: int = 1, cast: bool = False) -> A:
    """
    masked_scatter in place: writes to data, and returns it. On an error nothing is written.

    data     array of any rank
    mask     array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
    source   array of any shape with at least as many elements as the mask selects
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it
    cast     True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.masked_scatter_(np.arange(4), np.array([False, True, False, True]), np.array([7, 8, 9]))
    array([0, 7, 2, 8])

    Specification: torch.Tensor.masked_scatter_.
    """
@overload
def masked_scatter_(input: A, mask: Mask, source: Elements, *, threads: int = 1, cast: bool = False) -> A: ...

@overload
def masked_fill(data: A, mask: Mask, value: Updates, *, out: A | None = None, threads: int = 1) -> A:
    """
    A copy of data in which the elements that a mask selects are set to one value.

    data     array of any rank
    mask     array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
    value    a number, or an array of rank 0
    out      where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it

    >>> import numpy as np, strew
    >>> strew.masked_fill(np.arange(4), np.array([False, True, False, True]), 9)
    array([0, 9, 2, 9])

    Specification: torch.Tensor.masked_fill_.
    """
@overload
def masked_fill(input: A, mask: Mask, value: Updates, *, out: A | None = None, threads: int = 1) -> A: ...

@overload
def masked_fill_(data: A, mask: Mask, value: Updates, *, threads: int = 1) -> A:
    """
    masked_fill in place: writes to data, and returns it. On an error nothing is written.

    data     array of any rank
    mask     array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
    value    a number, or an array of rank 0
    threads  1, or more; 0 for as many as the machine has. The result does not depend on it

    >>> import numpy as np, strew
    >>> strew.masked_fill_(np.arange(4), np.array([False, True, False, True]), 9)
    array([0, 9, 2, 9])

    Specification: torch.Tensor.masked_fill_.
    """
@overload
def masked_fill_(input: A, mask: Mask, value: Updates, *, threads: int = 1) -> A: ...

class Binding:
    """Indices that are checked or bound by a call."""

    def __init__(self, indices: object, are_several: bool, binds: bool) -> None: ...

class Layout:
    """The type, the extents and the strides of an array."""

    def __init__(
        self, object: object, name: str = "operand", is_row_major: bool = False, data: Layout | None = None
    ) -> None: ...

class segments:
    """Segments by offsets, in the place of the indices of index_add, index_copy, index_reduce and scatter_update.

    Coordinate s of the axis is combined with the updates offsets[s] to offsets[s + 1] - 1, in their order.

    >>> import numpy as np, strew
    >>> strew.index_add(np.zeros(3), 0, strew.segments([0, 2, 2, 3]), np.array([1.0, 2.0, 4.0]))
    array([3., 0., 4.])
    """

    def __init__(self, offsets: Indices) -> None: ...
    @property
    def offsets(self) -> Indices: ...

def is_value(object: object) -> bool:
    """Whether an object is a number, which stands for all updates."""

def arguments_of(
    operator: object, by_position: tuple[Any, ...], by_name: dict[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any], bool] | None:
    """Of a call: the operator that is not in place, its arguments by the names in its signature, and whether the call is in place; None if it is no operator."""

def set_workspace_limit(bytes: int | None) -> None: ...

signatures: dict[str, str]
version: str
