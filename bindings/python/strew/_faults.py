# SPDX-License-Identifier: Apache-2.0
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
"""What is wrong with the arguments of a function of strew.numpy, found out after an exception was raised.

The operators and functions of NumPy that compute a call have names of their own for its arguments, and some of their arrays
are made on the way: stacked, broadcast or with moved axes. So an exception is explained by what was passed. Each of the
generators `faults_..` yields what may be wrong with the arguments of one function, in the order in which it is looked for.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._errors import Error, OperandTypeError, OperandValueError
from .numpy import RESULT, Names, as_integer, described, is_no_number

# The words of operators' texts, and which of the names replaces each.
_WORDS = {
    **dict.fromkeys(("data", "output", "out"), "array"),
    **dict.fromkeys(("index", "indices"), "indices"),
    **dict.fromkeys(("source", "updates", "values"), "values"),
}
_ANY_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b")


def in_words_of(names: Names, error: Error) -> str:
    """The text of an operator's error, without the operator, in the words of a function."""
    text = str(error).removeprefix(f"{error.operation}: ")
    if hasattr(error, "loses_meaning"):  # has the words of the function, but for the destination of an operator
        has_destination = error.operand == names.values and names.array != RESULT
        return text.replace(", in the unit of data", f", in the unit of {names.array}" if has_destination else "")
    return _ANY_WORD.sub(lambda word: str(getattr(names, _WORDS[word[0]])), text)


# Others, such as those of user-defined arrays and those with further attributes, remain as they are.
_PLAIN = (AttributeError, IndexError, OverflowError, TypeError, ValueError)


class _Fault(NamedTuple):
    """What is wrong with an argument."""

    kind: type[Exception]  # of the exceptions that it leads to
    text: str  # its first word is the argument
    coordinate: tuple[int, ...] = ()


def explain(names: Names, error: Exception, faults_of: Callable[..., Iterator[_Fault]], *arguments: Any) -> None:
    """Raises the exception with the names of a function and of its arguments; not if it is to remain as it is."""
    kind, fault = type(error), None
    loses_meaning = hasattr(error, "loses_meaning")
    if not loses_meaning and getattr(error, "operand", "") != "threads":
        try:
            # The class tells apart several faults, of which one was seen first.
            fault = next((each for each in faults_of(*arguments) if issubclass(kind, each.kind)), None)
        except Exception:  # arguments may run any code, which may raise another
            pass
    if isinstance(error, Error):
        code = error.code
    elif fault is None or not (names.is_own or kind in _PLAIN):
        return
    elif not names.is_own:
        raise kind(f"{names.function}: {fault.text}") from None
    elif isinstance(error, TypeError):
        kind, code = OperandTypeError, "type_mismatch"
    else:
        kind, code = OperandValueError, "value_out_of_range"
    if fault is not None:
        text, operand, coordinate = fault.text, re.split(r"\W", fault.text)[0], fault.coordinate
    else:
        assert isinstance(error, Error)
        word = "" if loses_meaning else _WORDS.get(error.operand, "")
        text, operand, coordinate = in_words_of(names, error), getattr(names, word, error.operand), error.coordinate
    raise kind(f"{names.function}: {text}", code, names.function, operand, coordinate) from None


def _conversion(
    operand: str, value: Any, dtype: Any = None, convert: Callable[..., Any] | None = None
) -> Iterator[_Fault]:
    """What makes no array, in NumPy's own words, or no integer, in Python's."""
    try:
        with np.errstate(all="ignore"):
            (convert or np.asarray)(value, dtype)
    except _PLAIN as error:
        if type(error) in _PLAIN:
            yield _Fault(type(error), f"{operand}: {error}")


def _destination(operand: str, array: Any) -> Iterator[_Fault]:
    if not isinstance(array, np.ndarray):
        remedy = f": pass {operand}.numpy(), which has its memory" if type(array).__module__ == "torch" else ""
        text = f"{operand} is {described(array)}, expected an array of NumPy, which is changed in place{remedy}"
        yield _Fault(Exception, text)
    elif not array.flags.writeable:
        yield _Fault(ValueError, f"{operand} is read-only, and would be changed in place: pass a copy")


def _not_integers(kind: type[Exception], operand: str, given: Any, prefix: tuple[int, ...] = ()) -> _Fault:
    """What is no array of integers, the first element of it where that is at fault, and what to write."""
    array = np.asarray(given)
    if array.ndim == 0:
        return _Fault(kind, f"{operand} is {described(given)}, expected integers", prefix)
    remedy = ": pass .astype('int64')" if array.dtype.kind in "biufO" else ""
    held = str(array.dtype)
    if array.dtype.kind in "fO":
        is_wrong = ~np.isfinite(array) if array.dtype.kind == "f" else np.vectorize(_is_no_integer, otypes="?")(array)
        for at in np.argwhere(is_wrong)[:1].tolist():
            element = array[tuple(at)]
            if isinstance(element, str):
                held = "strings"
            else:
                is_nan = isinstance(element, (float, np.floating)) and element != element
                shown = "NaN" if is_nan else repr(element)[:40] if array.dtype.kind == "O" else str(element)
                return _Fault(kind, f"{operand}{at} is {shown}, expected integers", (*prefix, *at))
    if array.dtype.kind in "UST" or held == "strings":
        held, remedy = "strings", f": np.unique({operand}, return_inverse=True)[1] numbers them"
    expected = "int64" if array.dtype.kind in "iu" else "integers"
    return _Fault(kind, f"{operand} holds {held}, expected {expected}{remedy}", prefix)


def _is_no_integer(element: Any) -> bool:
    return isinstance(element, bool) or not isinstance(element, (int, np.integer))


def _holds_integers(array: npt.NDArray[Any]) -> bool:
    """Also for objects, as NumPy makes them of integers that no other type has."""
    kind = array.dtype.kind
    return kind in "iu" or kind == "O" and not np.vectorize(_is_no_integer, otypes="?")(array).any()


def _outside(
    operand: str,
    given: Any,
    extent: int,
    reason: str,
    kind: type[Exception] = IndexError,
    prefix: tuple[int, ...] = (),
) -> Iterator[_Fault]:
    """The first index outside an extent, and where the caller passed it."""
    array = np.asarray(given)
    numbers = array.astype(np.intp) if array.dtype.char in "LQ" else array
    for at in np.argwhere((numbers < -extent) | (numbers >= extent))[:1].tolist():
        shown = f"{operand}{at if at else ''} = {array[tuple(at)]}"
        wrong = f"is outside [{-extent}, {extent - 1}]" if extent > 0 else "selects no element"
        yield _Fault(kind, f"{shown} {wrong} ({reason})", (*prefix, *at))


def _unlike_rows(values: str, rows: npt.NDArray[Any], indices: str, numbers: npt.NDArray[Any]) -> Iterator[_Fault]:
    """Values that have no row for each of the numbers."""
    if rows.shape[: numbers.ndim] == numbers.shape:
        return
    if numbers.ndim == 1 and rows.ndim > 0:
        text = f"{values} has {_count(len(rows), 'row')}, {indices} has {len(numbers)}"
    else:
        text = f"{values} has shape {rows.shape}, which does not begin with {numbers.shape}, the shape of {indices}"
    yield _Fault(ValueError, text)


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"


def _does_broadcast(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, to) == to
    except ValueError:
        return False


def faults_at(a: Any, indices: Any, b: Any) -> Iterator[_Fault]:
    yield from _destination("a", a)
    yield from _faults_of_indices(a, indices)
    yield from _conversion("b", b)
    values = np.asarray(b)
    if is_no_number(values):
        yield _Fault(TypeError, f"b is {described(b)}, expected numbers")
    try:
        shape = np.asarray(a)[indices].shape
    except IndexError as error:
        yield _Fault(IndexError, f"indices: {error}")
        return
    if not _does_broadcast(values.shape, shape):
        text = f"b has shape {values.shape}, which does not broadcast to {shape}, the shape of a[indices]"
        yield _Fault(ValueError, text)


def _faults_of_indices(a: npt.NDArray[Any], indices: Any) -> Iterator[_Fault]:
    entries = indices if isinstance(indices, tuple) else (indices,)
    for item in entries:
        if not isinstance(item, slice):
            yield from _conversion("indices", item)
    items: list[Any] = [
        item if item is Ellipsis or isinstance(item, slice) else np.asarray(item if number is None else number)
        for item, number in zip(entries, map(as_integer, entries))
    ]
    # On how many axes of a each selects.
    ranks = [
        0 if item is None or item is Ellipsis else 1 if isinstance(each, slice) or each.dtype != bool else each.ndim
        for item, each in zip(entries, items)
    ]
    taken = sum(ranks)
    if taken > a.ndim:
        if isinstance(indices, tuple):
            text = f"is a tuple for {_count(taken, 'axis', 'axes')}, but a has rank {a.ndim}"
            text += ": pass a list or an array for indices on axis 0"
        else:
            text = f"selects on {_count(taken, 'axis', 'axes')}, but a has rank {a.ndim}"
        yield _Fault(IndexError, f"indices {text}")
    axis = 0
    shapes: list[tuple[int, ...]] = []
    for number, (item, each, rank) in enumerate(zip(entries, items, ranks)):
        operand, prefix = (f"indices[{number}]", (number,)) if isinstance(indices, tuple) else ("indices", ())
        if item is Ellipsis:
            axis += a.ndim - taken
        elif rank > 0 and not isinstance(each, slice):
            if each.dtype == bool:
                extents = a.shape[axis : axis + rank]
                if each.shape != extents:
                    on = f" on axis {axis}" if isinstance(indices, tuple) else ""
                    text = f"{operand} is a mask of shape {each.shape}, expected {extents} as a has{on}"
                    yield _Fault(IndexError, text, prefix)
            elif each.size > 0:
                shapes.append(each.shape)
                if _holds_integers(each):
                    reason = f"axis {axis} of a has extent {a.shape[axis]}"
                    yield from _outside(operand, each, a.shape[axis], reason, prefix=prefix)
                if each.dtype.kind not in "iu":
                    yield _not_integers(IndexError, operand, item, prefix)
        axis += rank
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        text = f"indices has arrays of the shapes {' and '.join(map(str, shapes))}, which do not broadcast"
        yield _Fault(IndexError, text)


def faults_of_put(a: Any, ind: Any, v: Any, mode: Any) -> Iterator[_Fault]:
    yield from _destination("a", a)
    if isinstance(mode, str) and mode not in ("raise", "wrap", "clip"):
        yield _Fault(ValueError, f"mode is {mode!r}, expected 'raise', 'wrap' or 'clip'")
    yield from _conversion("ind", ind)
    indices = np.asarray(ind)
    for fault in _conversion("ind", ind, np.intp, _safely):
        if _holds_integers(indices):
            yield from _outside("ind", ind, a.size, f"a has {_count(a.size, 'element')}", OverflowError)
        yield _not_integers(fault.kind, "ind", ind)
    if a.size == 0 and indices.size > 0:
        yield _Fault(IndexError, "a is empty: cannot replace elements of an empty array")
    if mode == "raise":
        yield from _outside("ind", ind, a.size, f"a has {_count(a.size, 'element')}")
    yield from _conversion("v", v, a.dtype)


def _safely(value: Any, dtype: Any) -> Any:
    """As NumPy makes integers of arguments: of elements of an array it takes no others."""
    return value.astype(dtype, casting="safe") if isinstance(value, np.ndarray) else np.asarray(value, dtype)


def faults_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> Iterator[_Fault]:
    yield from _destination("arr", arr)
    if not isinstance(indices, np.ndarray):
        text = f"indices is {described(indices)}, expected an array of integers: pass np.array(indices)"
        yield _Fault(AttributeError, text)
    yield from _conversion("values", values, arr.dtype)
    if indices.dtype.kind not in "iu":
        yield _not_integers(IndexError, "indices", indices)
    if axis is None:
        on, on_axis = 0, arr.reshape(-1)
        reason = f"arr has {_count(arr.size, 'element')}"
        if indices.ndim != 1:
            text = f"indices must have a single dimension with axis=None, and has rank {indices.ndim}"
            yield _Fault(ValueError, text)
    else:
        if indices.ndim != arr.ndim:
            remedy = ": pass np.expand_dims(indices, axis)" if indices.ndim == arr.ndim - 1 else ""
            yield _Fault(ValueError, f"indices has rank {indices.ndim}, expected {arr.ndim} as arr has{remedy}")
        yield from _conversion("axis", axis, convert=_as_index)
        on, on_axis = operator.index(axis) % arr.ndim, arr
        reason = f"axis {on} of arr has extent {arr.shape[on]}"
    yield from _outside("indices", indices, on_axis.shape[on], reason)
    off_axis = on_axis.shape[:on] + (1,) + on_axis.shape[on + 1 :]
    try:
        shape = np.broadcast_shapes(indices.shape, off_axis)
    except ValueError:
        text = f"indices has shape {indices.shape}, which does not broadcast with {off_axis}"
        yield _Fault(IndexError, f"{text}, the shape of arr with 1 on axis {on}")
        return
    given = np.asarray(values).shape
    if not _does_broadcast(given, shape):
        whose = "indices" if indices.shape == shape else "indices broadcast with arr"
        text = f"values has shape {given}, which does not broadcast to {shape}, the shape of {whose}"
        yield _Fault(ValueError, text)


def faults_of_bincount(x: Any, weights: Any, minlength: Any, axis: Any) -> Iterator[_Fault]:
    yield from _conversion("minlength", minlength, convert=_as_index)
    yield from _conversion("x", x)
    numbers = np.asarray(x)
    if numbers.ndim == 0 and numbers.dtype.kind not in "biuf":
        yield _not_integers(ValueError, "x", x)
    if axis is None and numbers.ndim != 1:
        remedy = " without axis: pass axis, or x.ravel()" if numbers.ndim > 1 else ""
        yield _Fault(ValueError, f"x has rank {numbers.ndim}, expected 1{remedy}")
    if _holds_integers(numbers):
        for at in np.argwhere(numbers >= _TOO_MANY)[:1].tolist():
            yield _Fault(Exception, f"x{at} = {numbers[tuple(at)]} needs more bins than an array has")
    is_nan = numbers.dtype.kind == "f" and not np.isfinite(numbers).all()
    if is_nan or any(_conversion("x", numbers, np.intp, _safely)) and numbers.dtype.kind not in "iu":
        yield _not_integers(Exception, "x", x)
    for at in np.argwhere(numbers < 0)[:1].tolist():
        text = f"x{at} = {numbers[tuple(at)]} is negative: leave it out, x[x >= 0], or use segment_sum, "
        yield _Fault(ValueError, text + "which drops ids outside [0, num_segments - 1]")
    bins = operator.index(minlength)
    if bins < 0:
        yield _Fault(ValueError, f"minlength = {bins} must not be negative")
    if axis is not None:
        yield from _conversion("axis", axis, convert=_as_index)
    if weights is not None:
        yield from _conversion("weights", weights)
        amounts = np.asarray(weights)
        yield from _unlike_rows("weights", amounts, "x", numbers)
        for fault in _conversion("weights", weights if axis is None else amounts, np.float64, _safely):
            yield _Fault(fault.kind, f"weights holds {amounts.dtype}, expected real numbers")
    if bins >= _TOO_MANY:
        yield _Fault(ValueError, f"minlength = {bins} is more bins than an array has")

# The elements of 8 bytes that no address space has.
_TOO_MANY = 2**60


def _as_index(value: Any, _: Any) -> int:
    return operator.index(value)

_PLURALS = {"sum": "sums", "max": "maxima", "min": "minima", "mean": "means"}


def faults_of_segments(
    code: str, reduction: str, data: Any, segment_ids: Any, num_segments: Any
) -> Iterator[_Fault]:
    if num_segments is not None:
        yield from _conversion("num_segments", num_segments, convert=_as_index)
    yield from _conversion("data", data)
    yield from _conversion("segment_ids", segment_ids)
    rows, ids = np.asarray(data), np.asarray(segment_ids)
    if num_segments is None and _holds_integers(ids):
        for at in np.argwhere(ids >= _TOO_MANY)[:1].tolist():
            text = f"segment_ids{at} = {ids[tuple(at)]} needs more segments than an array has"
            yield _Fault(ValueError, text, tuple(at))
    if ids.size > 0 and (ids.dtype.kind not in "iu" or not ids.dtype.isnative):
        yield _not_integers(Exception, "segment_ids", segment_ids)
    if num_segments is not None and operator.index(num_segments) < 0:
        yield _Fault(ValueError, f"num_segments = {operator.index(num_segments)} is negative")
    if is_no_number(rows):
        yield _Fault(Exception, f"data is {described(data)}, expected numbers")
    yield from _unlike_rows("data", rows, "segment_ids", ids)
    if code == "unsupported_reduction":
        remedy = "" if rows.dtype.isnative else f": pass .astype('{rows.dtype.newbyteorder('=')}')"
        yield _Fault(ValueError, f"data holds {rows.dtype}, of which {_PLURALS[reduction]} are not computed{remedy}")
    if num_segments is not None and operator.index(num_segments) >= _TOO_MANY:
        yield _Fault(ValueError, f"num_segments = {operator.index(num_segments)} is more segments than an array has")
