# SPDX-License-Identifier: Apache-2.0
# Made by make_stubs.py.
from typing import Any, Literal, SupportsIndex, overload
from strew._typing import A, Indices, Mode, Reduction, Updates

@overload
def scatter_elements_update(data: A, indices: Indices, updates: Updates, axis: SupportsIndex, reduction: Reduction = 'none', *, include_init: bool = True, skipna: bool = False, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Elements along an axis, replaced by or combined with updates[i.., j, k..]: output[i.., indices[i.., j, k..], k..].

    data       array of rank r >= 1
    indices    integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
    updates    array shaped as indices, or one value
    axis       in [-r, r - 1]
    reduction  none, sum, prod, min, max or mean; means of integers are rounded down
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
    >>> strew.v12.scatter_elements_update(np.array([2, 3, 4, 6]), [1, 0, 0, -2, -1, 2],
    ...                                   np.array([10, 20, 30, 40, 70, 60]), 0, "sum")
    array([ 52,  13, 104,  76])

    Specification: OpenVINO ScatterElementsUpdate-12.
    """
@overload
def scatter_elements_update(data: A, indices: Indices, updates: Updates, axis: SupportsIndex, reduction: Reduction = 'none', *, include_init: bool = True, skipna: bool = False, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
