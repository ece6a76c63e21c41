# SPDX-License-Identifier: Apache-2.0
"""Calls whose types mypy and basedpyright check; nothing runs them."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import strew

data: npt.NDArray[np.float32] = np.zeros((3, 2), np.float32)
assert_type(strew.scatter_update(data, [0, 1], data[:2], 0), npt.NDArray[np.float32])
assert_type(strew.index_add(data, 0, np.array([1]), 1.5, alpha=2, threads=0), npt.NDArray[np.float32])
assert_type(strew.v12.scatter_elements_update(data, [[0, 1]], 2, 1, "max", out=data), npt.NDArray[np.float32])
assert_type(strew.slice_scatter(data, 0, start=1, stop=[2], axes=None), npt.NDArray[np.float32])
strew.index_put(data, (np.array([0]), [1]), np.float32(3), "sum", mode="drop")
strew.put(bytearray(4), -1, 7)
bound = strew.prepare(strew.index_add, data, 0, [1], data[:1]).bind([2])
assert_type(bound.run(data, data[:1], out=data), npt.NDArray[np.float32])
assert_type(strew.prepare(strew.index_add_, data, 0, [1], 1.0).run(data, [2]), npt.NDArray[np.float32])
# As PyTorch names its arguments, and in place.
assert_type(strew.index_add(input=data, dim=0, index=range(2), source=data[:2]), npt.NDArray[np.float32])
assert_type(strew.scatter_reduce_(input=data, dim=0, index=[[0]], src=[[1.0]], reduce="amax"), npt.NDArray[np.float32])
assert_type(strew.index_add(data, 0, [1], np.ones(1, np.int8), cast=True), npt.NDArray[np.float32])
won, numbers = strew.scatter_reduce(data, 0, [[0]], [[1.0]], "max", return_positions=True)
assert_type(won, npt.NDArray[np.float32])
strew.index_put_(input=data, indices=([0], [1]), values=1.0, accumulate=True)
strew.masked_fill(data, [[True, False]] * 3, np.array(1.0))
strew.masked_scatter_(data, data > 0, [1, 2.5])
try:
    strew.scatter_update(data, [7], 1.0, 0)
except strew.Error as error:
    assert_type(error.coordinate, tuple[int, ...])
    assert_type(error.code, str)
