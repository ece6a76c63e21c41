# SPDX-License-Identifier: Apache-2.0
# pyright: reportUnknownArgumentType=false
"""Scatters of elements that are references: Python objects and strings of variable length."""

from __future__ import annotations

from typing import Any

from ._errors import OperandValueError


def move(data: Any, updates: Any, numbers: bytes, output: Any) -> None:
    """Writes to `output` the elements with these numbers: those of `data`, 0, 1, .., and of `updates`, which follow."""
    import numpy as np

    if any(stride == 0 and extent > 1 for stride, extent in zip(output.strides, output.shape)):
        raise OperandValueError("strew: output holds some element twice", "repeated_element", "strew", "output")
    is_data = output is data or (output.ctypes.data, output.strides) == (data.ctypes.data, data.strides)
    if not is_data and np.shares_memory(output, data):
        raise OperandValueError("strew: output shares memory with data", "overlap", "strew", "output")
    if isinstance(updates, np.ndarray) and np.shares_memory(output, updates):
        raise OperandValueError("strew: output shares memory with updates", "overlap", "strew", "output")
    position = np.frombuffer(numbers, np.int64).reshape(data.shape)
    is_updated = position >= data.size
    source = np.empty(np.shape(updates), data.dtype)
    source[...] = updates
    if output is not data:
        output[...] = data
    output[is_updated] = source.reshape(-1)[position[is_updated] - data.size]
