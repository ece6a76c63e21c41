# SPDX-License-Identifier: Apache-2.0
"""Scatters of elements that are references: Python objects and strings of variable length."""

from __future__ import annotations

from typing import Any


def move(data: Any, updates: Any, numbers: bytes, output: Any) -> None:
    """Writes to `output` the elements with these numbers: those of `data`, 0, 1, .., and of `updates`, which follow."""
    import numpy as np

    is_in_place = output is data
    # Without what subclasses say of themselves.
    data, target = np.asarray(data), np.asarray(output)
    position = np.frombuffer(numbers, np.int64).reshape(data.shape)
    is_updated = position >= data.size
    source = np.empty(np.shape(updates), data.dtype)
    source[...] = updates
    if not is_in_place:
        target[...] = data
    target[is_updated] = source.reshape(-1)[position[is_updated] - data.size]
