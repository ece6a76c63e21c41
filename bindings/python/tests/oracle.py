# SPDX-License-Identifier: Apache-2.0
"""Naive loops: what each operator's specification says, element by element."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

Coordinate = tuple[int, ...]


class BadIndex(Exception):
    """An index out of bounds, with its coordinate in the indices."""


def resolve(index: int, extent: int, wraps: bool, mode: str) -> int | None:
    """The element that an index selects; None if the update is dropped."""
    lowest = -extent if wraps else 0
    if extent > 0 and mode == "wrap":
        return index % extent
    if extent > 0 and mode == "clip":
        if wraps and lowest <= index < 0:
            index += extent
        return min(max(index, 0), extent - 1)
    if lowest <= index < extent:
        return index % extent
    if mode == "drop":
        return None
    raise BadIndex


def scatter(
    data: np.ndarray,
    pairs: Iterable[tuple[Any, ...]],
    reduction: str = "none",
    include_init: bool = True,
    skipna: bool = False,
) -> np.ndarray:
    """Applies updates in order; `pairs` are a target, None if it is dropped, an update, and its number perhaps."""
    output = data.copy()
    values: dict[Coordinate, list[Any]] = {}
    for target, update, *_ in pairs:
        if target is not None and not (skipna and update != update):
            values.setdefault(target, []).append(update)
    for target, updates in values.items():
        starts_from_init = include_init and reduction != "none"
        all_values = ([data[target]] if starts_from_init else []) + updates
        output[target] = mean(all_values) if reduction == "mean" else fold(all_values, reduction, data.dtype)
    return output


def positions(data: np.ndarray, pairs: Iterable[tuple[Any, ...]], reduction: str) -> np.ndarray:
    """The number of the update that each element holds, -1 for that of data. Steps return one of their operands."""
    numbers_of_winners = np.full(data.shape, -1)
    held: dict[Coordinate, Any] = {}
    for target, update, number in pairs:
        if target is None:
            continue
        current = held.get(target, data[target])
        if reduction == "none" or STEPS[reduction](current, update) is not current:
            held[target] = update
            numbers_of_winners[target] = number
    return numbers_of_winners


def fold(values: list[Any], reduction: str, dtype: np.dtype) -> Any:
    current = values[0]
    for update in values[1:]:
        current = STEPS[reduction](current, update) if dtype != bool else BOOL_STEPS[reduction](current, update)
        if reduction not in ("none", "min", "max"):
            current = dtype.type(current)
    return current


def mean(values: list[Any]) -> Any:
    dtype = values[0].dtype
    if dtype.kind in "iu":
        return dtype.type(sum(int(value) for value in values) // len(values))
    wide = np.float32 if dtype.itemsize == 2 else dtype.type
    total = wide(values[0])
    for value in values[1:]:
        total = wide(total + wide(value))
    if dtype.kind == "c":  # divided by a real number
        part = total.real.dtype.type
        return dtype.type(complex(total.real / part(len(values)), total.imag / part(len(values))))
    return dtype.type(total / wide(len(values)))


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "none": lambda current, update: update,
    "sum": lambda current, update: current + update,
    "sub": lambda current, update: current - update,
    "prod": lambda current, update: current * update,
    # A NaN stays, and the first one is kept; of equal elements the current one is.
    "max": lambda current, update: (
        current if current != current else update if update != update or current < update else current
    ),
    "min": lambda current, update: (
        current if current != current else update if update != update or update < current else current
    ),
}
BOOL_STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "none": STEPS["none"],
    "sum": lambda current, update: current | update,
    "sub": lambda current, update: current ^ update,
    "prod": lambda current, update: current & update,
    "min": lambda current, update: current & update,
    "max": lambda current, update: current | update,
}


def rows(data, indices, updates, axis, *, wraps=False, mode="raise"):
    """Targets of rows: data[:axis] + indices + data[axis + 1:]."""
    axis %= data.ndim
    for number, at in enumerate(np.ndindex(indices.shape)):
        row = resolve(int(indices[at]), data.shape[axis], wraps, mode)
        for before in np.ndindex(data.shape[:axis]):
            for after in np.ndindex(data.shape[axis + 1 :]):
                yield None if row is None else before + (row,) + after, updates[before + at + after], number


def expanded(offsets, count):
    """The indices for which the offsets of segments of so many updates stand."""
    ends = [int(offset) for offset in offsets]
    if ends[0] != 0 or ends[-1] != count or sorted(ends) != ends:
        raise BadIndex
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends))


def elements(data, indices, updates, axis, *, wraps=True, mode="raise"):
    axis %= data.ndim
    for at in np.ndindex(indices.shape):
        found = resolve(int(indices[at]), data.shape[axis], wraps, mode)
        yield None if found is None else at[:axis] + (found,) + at[axis + 1 :], updates[at], at[axis]


def multi(data, indices, updates, *, wraps=True, mode="raise"):
    """Targets of multi-indices along the last axis."""
    count = indices.shape[-1]
    for number, at in enumerate(np.ndindex(indices.shape[:-1])):
        found = [resolve(int(indices[at + (j,)]), data.shape[j], wraps, mode) for j in range(count)]
        for after in np.ndindex(data.shape[count:]):
            yield None if None in found else tuple(found) + after, updates[at + after], number


def numbers(data, indices, updates, *, mode="raise"):
    for number, at in enumerate(np.ndindex(indices.shape)):
        found = resolve(int(indices[at]), data.size, True, mode)
        target = None if found is None else tuple(int(k) for k in np.unravel_index(found, data.shape))
        yield target, updates[at], number


def kind_of(dtype: np.dtype[Any]) -> str:
    return "f" if dtype.name == "bfloat16" else dtype.kind


def is_converted(to: np.dtype[Any], given: np.dtype[Any]) -> bool:
    """Whether updates of a type become elements of another one."""
    kind, from_kind = kind_of(to), kind_of(given)
    if to != given and "g" in to.char + given.char:
        return False
    is_whole = from_kind in "biu"
    is_real = is_whole or from_kind == "f"
    return to == given or is_whole or (is_real and kind in "bfc") or kind == from_kind == "c"


def converted(updates: np.ndarray, to: np.dtype[Any]) -> np.ndarray:
    """The updates as elements of another type, by NumPy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if updates.dtype.name == "bfloat16":
            updates = updates.astype(np.float32)
        elif to.name == "bfloat16":
            updates = updates.astype(np.float32 if updates.dtype.kind != "b" else np.uint8)
        return updates.astype(to)
