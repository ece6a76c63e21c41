# SPDX-License-Identifier: Apache-2.0
# Made by make_stubs.py.
from typing import Any, Literal, overload
from strew._typing import A, Indices, Mode, Updates

@overload
def scatter_nd_update(data: A, indices: Indices, updates: Updates, *, return_positions: Literal[False] = False, out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> A:
    """
    Slices addressed by multi-indices, replaced: output[indices[n..], ..] = updates[n.., ..].

    data       array of rank r >= 1
    indices    integers shaped (.., k), k <= r, with a multi-index in each row; component j in [0, extent - 1]
    updates    array shaped indices[:-1] + data[k:], or one value
    return_positions
               True: returns (output, positions). For each element of the output the latter, int64, has the
               number of the update that it holds: along the axis, or of its index among all; -1 if it is data's.
               Not of reductions other than none, min and max
    out        where the result is written, of data's shape and type; left out: a new array; out=data: in place
    threads    1, or more; 0 for as many as the machine has. The result does not depend on it
    mode       what happens to an index out of bounds: raise, drop (the update is not applied), clip or wrap
    cast       True: numbers of another type than data's become that before they are combined

    >>> import numpy as np, strew
    >>> strew.v3.scatter_nd_update(np.arange(1, 9), [[4], [3], [1], [7]], np.array([9, 10, 11, 12]))
    array([ 1, 11,  3, 10,  9,  6,  7, 12])

    Specification: OpenVINO ScatterNDUpdate-3.
    """
@overload
def scatter_nd_update(data: A, indices: Indices, updates: Updates, *, return_positions: Literal[True], out: A | None = None, threads: int = 1, mode: Mode = 'raise', cast: bool = False) -> tuple[A, Any]: ...
