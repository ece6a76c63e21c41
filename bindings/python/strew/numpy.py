# SPDX-License-Identifier: Apache-2.0
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false
# isinstance makes arrays of an unknown type of anything, and the quick checks of exact types tell pyright nothing.
"""NumPy's scatters, and those of jax.ops, computed by strew.

>>> import numpy as np
>>> from strew.numpy import add_at
>>> a = np.zeros((2, 3))
>>> add_at(a, ([0, 1, 0], slice(1, None)), np.array([1.0, 2.0]))
>>> a
array([[0., 2., 4.],
       [0., 1., 2.]])

add_at, subtract_at, multiply_at, maximum_at, minimum_at   numpy.add.at(a, indices, b) and so on
put, put_along_axis                                         numpy.put, numpy.put_along_axis
bincount                                                    numpy.bincount, also along an axis or of weights with rows
segment_sum, segment_max, segment_min, segment_mean         jax.ops.segment_sum and so on

Arguments are converted and broadcast as NumPy does, and the results have the bits of NumPy's. A call that strew does
not compute is passed to NumPy, and a ``FallbackWarning`` gives the reason: element types without arithmetic in strew
(complex products, longdouble, datetime64, object, other byte orders), steps that NumPy computes in a wider type with
another result (float64 values that float32 does not represent, added to float32), arrays whose elements overlap,
subclasses that replace the operation.

NumPy alone refuses the arguments of its functions, and the classes of its exceptions remain. A text that has names of
inner functions is replaced by one with the function that was called and its arguments. What strew refuses is a
``strew.Error``, whose ``operation`` and ``operand`` are these names; the ``coordinate`` of ``indices[1][2]``, in a
tuple, is (1, 2).

What carries a unit, a mask or missing values (pint, astropy, unyt, numpy.ma, nullable arrays of pandas) is refused with
a TypeError, unless it replaces the operation itself, since its meaning would be lost. Labels of pandas and xarray are
not looked at.

Differences from NumPy:

- An index out of bounds raises before anything is written; numpy.put, also where a call is passed to it, writes the
  elements before it, and so does NumPy before a value that it cannot convert.
- A read-only array is refused with a ValueError; ufunc.at writes to it.
- b may be repeated along the first axis of indices of rank 2 and more; ufunc.at of NumPy 2.4 then reads past the end of
  b if a has rank 1.
- No warnings or errors about overflow and invalid values in floating-point steps: numpy.errstate has no effect.
- maximum_at and minimum_at of -0.0 and +0.0 keep the current element; in NumPy it depends on the loop.
- A NaN remains a NaN, but its sign and payload may be others.
- Of equal indices in put_along_axis, the last in row-major order wins; NumPy follows the memory order of the indices.
- put_along_axis with axis=None also takes arrays that are not contiguous.
- bincount refuses lists of floating-point numbers, which NumPy cuts off with a DeprecationWarning.

All functions take ``threads``: the number of threads, or 0 for as many as the machine has. It does not change the
result. An array that a call reads or writes must not be changed by another thread while the call runs.
"""

from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex

from ._errors import Error, OperandValueError, OutOfBoundsError
from ._plain import refuse_meanings
from ._strew import index_add_, index_put, index_put_, index_reduce, index_reduce_, put_, scatter_add
from ._strew import put as _put
from ._strew import put_along_axis as _put_along_axis
from ._strew.v15 import scatter_nd_update

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from numpy import ndarray as _ndarray
else:
    try:
        import numpy as np
        from numpy import ndarray as _ndarray
    except ImportError as error:
        _reason = str(error)

        class _Missing:
            def __getattr__(self, name: str) -> Any:
                raise ImportError(f"strew.numpy needs NumPy, which cannot be imported: {_reason}", name="numpy")

        class _ndarray: ...

        np = _Missing()

__all__ = [
    "FallbackWarning",
    "add_at",
    "bincount",
    "maximum_at",
    "minimum_at",
    "multiply_at",
    "put",
    "put_along_axis",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_sum",
    "subtract_at",
]


# For arguments of which only `type(..) is` was asked, which tells type checkers nothing.
_add_rows: Callable[..., Any] = index_add_
_reduce_rows: Callable[..., Any] = index_reduce_
_put_elements: Callable[..., Any] = index_put_
_put_flat: Callable[..., Any] = put_
_put_on_axis: Callable[..., Any] = _put_along_axis


def __dir__() -> list[str]:
    return __all__  # and not the operators, which have no semantics of NumPy


class FallbackWarning(UserWarning):
    """A call was passed to NumPy, which is slower and uses one thread."""


class _ForNumpy(Exception):
    """Arguments that strew does not take, and the reason; no reason if NumPy raises an error about them."""


# The codes of strew's errors about arrays that NumPy takes.
_ONLY_NUMPY_TAKES = frozenset(
    (
        "unsupported_reduction",
        "type_mismatch",
        "too_many_axes",
        "repeated_element",
        "misaligned_stride",
        "unreachable_memory",
    )
)


def _or_numpy(names: Names, attempt: Callable[[], None], by_numpy: Callable[[], None], stacklevel: int) -> None:
    try:
        return attempt()
    except _ForNumpy as refusal:
        reason = str(refusal)
    except Error as error:
        loses_meaning = hasattr(error, "loses_meaning")
        if error.code not in _ONLY_NUMPY_TAKES or error.operand == "threads" or loses_meaning:
            raise
        from . import _faults

        reason = _faults.in_words_of(names, error)
    if reason:
        warnings.warn(f"{names.function} is computed by NumPy: {reason}", FallbackWarning, stacklevel)
    return by_numpy()


def _replaces(operand: Any, method: str) -> bool:
    """Whether an operand has its own method in the place of ndarray's."""
    kind = type(operand)
    if kind is _ndarray:
        return False
    standard = getattr(np.ndarray, method)
    return getattr(kind, method, standard) is not standard


def _broadcast(values: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    if values.shape == shape:
        return values
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        raise _ForNumpy from None


def _apart(operand: npt.NDArray[Any], output: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An operand as it is before the output is written."""
    return operand.copy() if np.may_share_memory(operand, output) else operand


def _as_indices(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Integers as strew takes them. NumPy casts, so that the largest of uint64 count from the end."""
    is_taken = array.dtype.isnative and array.dtype.char not in "LQ"
    return array if is_taken else array.astype(np.intp)


# ---- What is wrong: found out in _faults.py, after an exception was raised


class Names(NamedTuple):
    """A function of this module, and its arguments in the places of an operator's."""

    function: str
    array: str
    indices: str
    values: str
    is_own: bool = False  # not one of NumPy's: all its exceptions are strew's


RESULT = "result"  # an array that a function makes
_PUT = Names("put", "a", "ind", "v")
_PUT_ALONG_AXIS = Names("put_along_axis", "arr", "indices", "values")
_BINCOUNT = Names("bincount", RESULT, "x", "weights")

# The classes of the exceptions that may get another text.
_EXPLAINED = (Error, AttributeError, IndexError, OverflowError, TypeError, ValueError)


def _explain(names: Names, error: Exception, faults: str, *arguments: Any) -> None:
    """Raises the exception with the names of a function and of its arguments; not if it is to remain as it is."""
    from . import _faults  # which calls without an exception do not need

    _faults.explain(names, error, getattr(_faults, faults), *arguments)


def described(value: Any) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def is_no_number(values: npt.NDArray[Any]) -> bool:
    """Of None, dictionaries, generators and the like, which NumPy makes arrays of one object."""
    return values.dtype.kind == "O" and values.ndim == 0 and not hasattr(values.item(), "__radd__")


# ---- ufunc.at


def add_at(a: npt.NDArray[Any], indices: Any, b: npt.ArrayLike, *, threads: int = 1) -> None:
    """As numpy.add.at: a[indices] += b, where equal indices add repeatedly, in the order of the indices.

    a        array of any strides, changed in place
    indices  whatever indexes an array of NumPy: integers, arrays of integers, masks, slices, None, Ellipsis or a tuple
    b        array-like, broadcast to the shape of a[indices]

    A negative index counts from the end: -1, as the label of an element without one, changes the last. segment_sum
    leaves such labels out.

    >>> import numpy as np
    >>> a = np.zeros(3)
    >>> add_at(a, [0, -1, 0], [1, 2, 3])
    >>> a
    array([4., 0., 2.])
    """
    if type(a) is type(b) is _ndarray:
        try:
            if type(indices) is _ndarray:
                _add_rows(a, 0, indices, b, threads=threads)
                return None
            if type(indices) is tuple:
                _put_elements(a, indices, b, "sum", threads=threads)
                return None
        except Error:
            pass  # not as simple, or wrong
    return _at(_ADD, a, indices, b, threads)


def subtract_at(a: npt.NDArray[Any], indices: Any, b: npt.ArrayLike, *, threads: int = 1) -> None:
    """As numpy.subtract.at: a[indices] -= b, where equal indices subtract repeatedly.

    The arguments are those of add_at.

    >>> import numpy as np
    >>> a = np.zeros((2, 2), int)
    >>> subtract_at(a, (slice(None), [0, 1, 0]), 1)
    >>> a
    array([[-2, -1],
           [-2, -1]])
    """
    if type(a) is type(indices) is type(b) is _ndarray and a.dtype.kind != "b":
        try:
            tuples = indices[..., None]
            scatter_nd_update(a, tuples, b, "sub", out=a, threads=threads)  # pyright: ignore[reportArgumentType]
            return None
        except Error:
            pass
    return _at(_SUBTRACT, a, indices, b, threads)


def multiply_at(a: npt.NDArray[Any], indices: Any, b: npt.ArrayLike, *, threads: int = 1) -> None:
    """As numpy.multiply.at: a[indices] *= b, where equal indices multiply repeatedly.

    The arguments are those of add_at.

    >>> import numpy as np
    >>> a = np.ones(3)
    >>> multiply_at(a, np.array([0, 2, 0]), np.array([2.0, 3.0, 4.0]))
    >>> a
    array([8., 1., 3.])
    """
    if type(a) is type(indices) is type(b) is _ndarray and a.dtype.kind != "c":
        try:
            _reduce_rows(a, 0, indices, b, "prod", threads=threads)
            return None
        except Error:
            pass
    return _at(_MULTIPLY, a, indices, b, threads)


def maximum_at(a: npt.NDArray[Any], indices: Any, b: npt.ArrayLike, *, threads: int = 1) -> None:
    """As numpy.maximum.at: a[indices] = maximum(a[indices], b) for one index after another. A NaN stays.

    The arguments are those of add_at.

    >>> import numpy as np
    >>> a = np.zeros((2, 2))
    >>> maximum_at(a, ([0, 0], [1, 1]), [3.0, 2.0])
    >>> a
    array([[0., 3.],
           [0., 0.]])
    """
    if type(a) is type(indices) is type(b) is _ndarray:
        try:
            _reduce_rows(a, 0, indices, b, "max", threads=threads)
            return None
        except Error:
            pass
    return _at(_MAXIMUM, a, indices, b, threads)


def minimum_at(a: npt.NDArray[Any], indices: Any, b: npt.ArrayLike, *, threads: int = 1) -> None:
    """As numpy.minimum.at: a[indices] = minimum(a[indices], b) for one index after another. A NaN stays.

    The arguments are those of add_at.

    >>> import numpy as np
    >>> a = np.zeros(4)
    >>> minimum_at(a, np.array([True, False, True, False]), [-1.0, 1.0])
    >>> a
    array([-1.,  0.,  0.,  0.])
    """
    if type(a) is type(indices) is type(b) is _ndarray:
        try:
            _reduce_rows(a, 0, indices, b, "min", threads=threads)
            return None
        except Error:
            pass
    return _at(_MINIMUM, a, indices, b, threads)


class _Operation(NamedTuple):
    ufunc: str  # its name in NumPy
    reduction: Literal["sum", "sub", "prod", "max", "min"]
    names: Names

    @property
    def selects(self) -> bool:
        """Whether the result of a step is one of its operands."""
        return self.reduction in ("max", "min")


_ADD = _Operation("add", "sum", Names("add_at", "a", "indices", "b"))
_SUBTRACT = _Operation("subtract", "sub", Names("subtract_at", "a", "indices", "b"))
_MULTIPLY = _Operation("multiply", "prod", Names("multiply_at", "a", "indices", "b"))
_MAXIMUM = _Operation("maximum", "max", Names("maximum_at", "a", "indices", "b"))
_MINIMUM = _Operation("minimum", "min", Names("minimum_at", "a", "indices", "b"))


def _at(operation: _Operation, a: Any, indices: Any, b: Any, threads: int) -> None:
    ufunc: np.ufunc = getattr(np, operation.ufunc)
    try:
        return _or_numpy(
            operation.names,
            lambda: _try_at(ufunc, operation, a, indices, b, threads),
            lambda: ufunc.at(a, indices, b),
            stacklevel=4,
        )
    except _EXPLAINED as error:
        _explain(operation.names, error, "faults_at", a, indices, b)
        raise


def _try_at(ufunc: np.ufunc, operation: _Operation, a: Any, indices: Any, b: Any, threads: int) -> None:
    # A class may compute what its own arrays mean; an array of NumPy keeps elements alone.
    function = operation.names.function
    refuse_meanings(function, indices=indices, **({"b": b} if type(a) is _ndarray else {}))
    if _replaces(a, "__array_ufunc__"):
        raise _ForNumpy(f"a is {described(a)}, which has its own __array_ufunc__")
    if _replaces(b, "__array_ufunc__"):
        remedy = ": pass .to_numpy()" if hasattr(b, "to_numpy") else ""
        raise _ForNumpy(f"b is {described(b)}, which has its own __array_ufunc__{remedy}")
    if not isinstance(a, np.ndarray):
        raise _ForNumpy
    if not a.flags.writeable:
        raise ValueError("assignment destination is read-only")
    refuse_meanings(function, a=a, b=b)
    values = np.asarray(b)
    selection = _select(a, indices)
    array = np.asarray(a)
    types = _loop_types(operation.ufunc, array.dtype, values.dtype)
    if array.dtype.kind == "c" and operation is _MULTIPLY:
        raise _ForNumpy("its complex products have a rounding and infinities of their own")
    if not selection.arrays:
        if not _has_distinct_elements(selection.view):
            raise _ForNumpy("elements of a overlap")
        if types[-1].kind != array.dtype.kind:
            raise _ForNumpy(f"{types[-1]} is converted to {array.dtype} as its own loop does")
        ufunc(selection.view, _broadcast(values, selection.view.shape), out=selection.view, casting="unsafe")
        return
    updates = _broadcast(_as_updates(operation, types, array.dtype, values), selection.shape)
    _combine(operation, selection, _apart(updates, array), threads)


class _Selection(NamedTuple):
    """What a[indices] selects: elements of a view of a, by arrays of integers for some of its axes."""

    view: npt.NDArray[Any]
    axes: list[int]  # of view, those that arrays index; in the order of the index
    arrays: list[npt.NDArray[Any]]  # of integers, of one shape
    is_together: bool  # the axes of that shape replace axes[0] in the shape of a[indices]; else they come first

    @property
    def rest(self) -> list[int]:
        return [axis for axis in range(self.view.ndim) if axis not in self.axes]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a[indices]."""
        first = self.axes[0] if self.is_together else 0
        extents = tuple(self.view.shape[axis] for axis in self.rest)
        return extents[:first] + self.arrays[0].shape + extents[first:]


def _select(a: npt.NDArray[Any], indices: Any) -> _Selection:
    entries: list[Any] = []  # of basic indexing: arrays select whole axes
    arrays: list[npt.NDArray[Any]] = []
    axes: list[int] = []  # without those that an ellipsis stands for
    masks: list[tuple[int, tuple[int, ...]]] = []  # the number of the first array of a mask, and its shape
    kinds = ""  # of each entry: a for integers and arrays, which are broadcast together
    rank = 0
    after_ellipsis: int | None = None  # the number of the first array
    for item in indices if isinstance(indices, tuple) else (indices,):
        if item is None or item is Ellipsis or isinstance(item, slice):
            kinds += "-"
            entries.append(_as_slice(item) if isinstance(item, slice) else item)
            if item is Ellipsis:
                after_ellipsis = len(arrays)
            else:
                rank += 1
            continue
        kinds += "a"
        number = as_integer(item)
        if number is not None:
            entries.append(number)
            continue
        array = np.asarray(item)
        parts: Sequence[npt.NDArray[Any]]
        if array.dtype.kind == "b":
            masks.append((len(arrays), array.shape))
            parts = array.nonzero() if array.ndim else (np.zeros(int(array), np.intp),)
        elif array.dtype.kind in "iu" and array.ndim:
            parts = (_as_indices(array),)
        else:
            raise _ForNumpy  # also for empty lists, which need no computation
        for part in parts:
            entries.append(slice(None) if array.ndim else None)
            axes.append(rank)
            arrays.append(part)
            rank += 1
    if after_ellipsis is None:
        entries.append(Ellipsis)
        after_ellipsis = len(arrays)
    view: npt.NDArray[Any] = np.asarray(a)[tuple(entries)]
    axes[after_ellipsis:] = [axis + view.ndim - rank for axis in axes[after_ellipsis:]]
    for first, shape in masks:
        if any(view.shape[axis] != extent for axis, extent in zip(axes[first:], shape)):
            raise _ForNumpy
    if any(array.shape != arrays[0].shape for array in arrays):
        try:
            arrays = list(np.broadcast_arrays(*arrays))
        except ValueError:
            raise _ForNumpy from None
    return _Selection(view, axes, arrays, is_together="-" not in kinds.strip("-"))


# What makes an argument an integer or an array may run any code, also such as resizes another argument: views are made
# when all are.


def _as_slice(item: slice) -> slice:
    bounds = (item.start, item.stop, item.step)
    try:
        return slice(*(bound if bound is None else operator.index(bound) for bound in bounds))
    except TypeError:
        raise _ForNumpy from None


def _as_arrays(*given: Any) -> list[npt.NDArray[Any]]:
    made = [None if isinstance(each, np.ndarray) else np.asarray(each) for each in given]
    return [np.asarray(each) if array is None else array for each, array in zip(given, made)]


def as_integer(item: Any) -> int | None:
    """What NumPy takes for an integer index."""
    if isinstance(item, np.ndarray):
        return int(item) if item.ndim == 0 and item.dtype.kind in "iu" else None
    if isinstance(item, (bool, np.bool_)):
        return None
    try:
        return operator.index(item)
    except TypeError:
        return None


def _has_distinct_elements(view: npt.NDArray[Any]) -> bool:
    """False where two elements of a view may overlap."""
    end = view.itemsize if view.size > 0 else 0
    for stride, extent in sorted((abs(stride), extent) for stride, extent in zip(view.strides, view.shape)):
        if extent > 1:
            if stride < end:
                return False
            end += stride * (extent - 1)
    return True


@functools.lru_cache(maxsize=1024)
def _loop_types(ufunc: str, a: np.dtype[Any], b: np.dtype[Any]) -> tuple[np.dtype[Any], ...]:
    """The types of the operands and the result of NumPy's loop."""
    try:
        return getattr(np, ufunc).resolve_dtypes((a, b, None))  # type: ignore[no-any-return]
    except TypeError:
        raise _ForNumpy from None


# Pairs of an element type and a wider one: a sum, difference or product of two elements that is rounded to the wider
# type, and then to the element type, is the one that is rounded once.
_ROUND_AS_ONE = frozenset((("e", "f"), ("e", "d"), ("f", "d"), ("F", "D")))


def _as_updates(
    operation: _Operation, types: tuple[np.dtype[Any], ...], dtype: np.dtype[Any], values: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """Values as elements of a's dtype, where that does not change the result of NumPy's loop of these types."""
    loop = types[0]
    if types == (dtype, dtype, dtype):
        return values.astype(dtype, copy=False)
    is_integer = dtype.kind in "iu" and loop.kind in "iu"
    if types == (loop, loop, loop) and (is_integer or dtype.kind == loop.kind and dtype.kind in "fc"):
        with np.errstate(all="ignore"):
            wide = values.astype(loop, copy=False)
            updates = wide.astype(dtype)
            # Arithmetic of integers is modular, and rounding is monotonic.
            if operation.selects != is_integer:
                return updates
            is_represented = (updates == wide) | ((updates != updates) & (wide != wide))
            if (is_integer or (dtype.char, loop.char) in _ROUND_AS_ONE) and is_represented.all():
                return updates
    if is_no_number(values):
        raise _ForNumpy
    raise _ForNumpy(
        f"{dtype} of a and {values.dtype} of b are combined as {loop}, and b.astype(a.dtype) would change the result"
    )


def _combine(operation: _Operation, selection: _Selection, updates: npt.NDArray[Any], threads: int) -> None:
    view, axes, arrays, is_together = selection
    arrays = [_apart(array, view) for array in arrays]
    if is_together and len(arrays) == 1 and operation.reduction != "sub":
        try:
            index_reduce(view, axes[0], arrays[0], updates, operation.reduction, out=view, threads=threads)
            return
        except OutOfBoundsError:
            pass  # below, negative indices count from the end
    rank = arrays[0].ndim
    if is_together and axes[0] > 0:
        updates = np.moveaxis(updates, range(axes[0], axes[0] + rank), range(rank))
    view = view.transpose(axes + selection.rest)
    if operation.reduction == "sum":
        index_put(view, tuple(arrays), updates, "sum", out=view, threads=threads)
    else:
        scatter_nd_update(view, np.stack(arrays, -1), updates, operation.reduction, out=view, threads=threads)


# ---- Assignments


def put(
    a: npt.NDArray[Any],
    ind: npt.ArrayLike,
    v: npt.ArrayLike,
    mode: Literal["raise", "wrap", "clip"] = "raise",
    *,
    threads: int = 1,
) -> None:
    """As numpy.put: a.flat[ind] = v. Of equal indices the last wins.

    a     array of any shape and strides, changed in place
    ind   integers of any shape: row-major numbers of elements of a
    v     array-like of any shape; its elements are converted, and repeated if they are fewer than ind's
    mode  raise: each in [-size, size - 1]; wrap: modulo the size; clip: the nearest in [0, size - 1]

    >>> import numpy as np
    >>> a = np.zeros((2, 3), int)
    >>> put(a, [0, -1, 2], [5, 6])
    >>> a
    array([[5, 0, 5],
           [0, 0, 6]])
    """
    if (
        type(a) is type(ind) is type(v) is _ndarray
        and mode == "raise"
        and ind.dtype.kind == "i"  # pyright: ignore[reportAttributeAccessIssue]
    ):
        try:
            _put_flat(a, ind, v, threads=threads)
            return None
        except Error:
            pass  # not as simple, or wrong
    try:
        return _or_numpy(
            _PUT,
            lambda: _try_put(a, ind, v, mode, threads),
            lambda: np.put(a, ind, v, mode),  # type: ignore[arg-type]
            stacklevel=3,
        )
    except _EXPLAINED as error:
        _explain(_PUT, error, "faults_of_put", a, ind, v, mode)
        raise


def _try_put(a: Any, ind: Any, v: Any, mode: Any, threads: int) -> None:
    refuse_meanings("put", ind=ind, **({"v": v} if type(a) is _ndarray else {}))
    if not isinstance(a, np.ndarray) or not a.flags.writeable:
        raise _ForNumpy
    if _replaces(a, "put"):
        raise _ForNumpy(f"{type(a).__name__} has its own put")
    refuse_meanings("put", a=a, v=v)
    if mode not in ("raise", "wrap", "clip"):
        raise _ForNumpy("" if isinstance(mode, str) else f"mode = {mode}")
    if isinstance(ind, np.ndarray):
        indices = ind.astype(np.intp, casting="safe", copy=False).reshape(-1)
    else:
        indices = np.asarray(ind, np.intp).reshape(-1)
    if indices.size == 0 or a.size == 0:
        raise _ForNumpy  # it does nothing, or raises an error
    values = np.asarray(v, a.dtype).reshape(-1)
    if values.size == 0:
        return
    array = np.atleast_1d(np.asarray(a))
    if mode == "clip":
        indices = np.maximum(indices, 0)
    if values.size < indices.size:
        values = values.take(np.arange(indices.size), mode="wrap")
    updates = values[: indices.size]
    _put(array, _apart(indices, array), _apart(updates, array), out=array, mode=mode, threads=threads)


def put_along_axis(
    arr: npt.NDArray[Any],
    indices: npt.NDArray[np.integer[Any]],
    values: npt.ArrayLike,
    axis: int | None,
    *,
    threads: int = 1,
) -> None:
    """As numpy.put_along_axis: arr[i.., indices[i.., j, k..], k..] = values[i.., j, k..].

    arr      array of rank r, changed in place
    indices  integers of rank r, broadcast against arr off the axis; each in [-extent, extent - 1] of the axis
    values   array-like, broadcast to the shape of the broadcast indices
    axis     in [-r, r - 1]; None for indices of rank 1 into the elements of arr in row-major order

    >>> import numpy as np
    >>> arr = np.array([[10, 30, 20], [60, 40, 50]])
    >>> put_along_axis(arr, arr.argmax(axis=1, keepdims=True), 99, axis=1)
    >>> arr
    array([[10, 99, 20],
           [99, 40, 50]])
    """
    if (
        type(arr) is type(indices) is type(values) is _ndarray
        and type(axis) is int
        and arr.ndim == indices.ndim
        and indices.dtype.kind == "i"
        # Nothing is broadcast.
        and indices.shape == values.shape  # pyright: ignore[reportAttributeAccessIssue]
        and arr.shape[:axis] == indices.shape[:axis]
        and (axis == -1 or arr.shape[axis + 1 :] == indices.shape[axis + 1 :])
    ):
        try:
            _put_on_axis(arr, indices, values, axis, out=arr, threads=threads)
            return None
        except Error:
            pass  # not as simple, or wrong
    try:
        return _or_numpy(
            _PUT_ALONG_AXIS,
            lambda: _try_put_along_axis(arr, indices, values, axis, threads),
            lambda: np.put_along_axis(arr, indices, values, axis),
            stacklevel=3,
        )
    except _EXPLAINED as error:
        _explain(_PUT_ALONG_AXIS, error, "faults_along_axis", arr, indices, values, axis)
        raise


def _try_put_along_axis(arr: Any, indices: Any, values: Any, axis: SupportsIndex | None, threads: int) -> None:
    refuse_meanings("put_along_axis", indices=indices, **({"values": values} if type(arr) is _ndarray else {}))
    if not isinstance(arr, np.ndarray) or not isinstance(indices, np.ndarray) or not arr.flags.writeable:
        raise _ForNumpy
    if _replaces(arr, "__setitem__"):
        raise _ForNumpy(f"{type(arr).__name__} has its own assignment")
    refuse_meanings("put_along_axis", arr=arr, values=values)
    updates = np.asarray(values, arr.dtype)
    on, shape = _extents_along_axis(arr, indices, axis)
    array = np.asarray(arr)
    while updates.ndim > len(shape) and updates.shape[0] == 1:
        updates = updates[0]
    updates = _apart(_broadcast(updates, shape), array)
    at = _apart(_as_indices(np.asarray(indices)), array)
    if axis is None:
        array = np.atleast_1d(array)
        _put(array, at, updates, out=array, threads=threads)
    elif all(array.shape[k] == extent for k, extent in enumerate(shape) if k != on):
        _put_along_axis(array, np.broadcast_to(at, shape), updates, on, out=array, threads=threads)
    else:  # arr is broadcast too
        index_put(array, _grid(array.shape, on, at), updates, out=array, threads=threads)


def _grid(extents: tuple[int, ...], axis: int, indices: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Indices along an axis as an array of indices for each axis."""
    each: list[npt.NDArray[Any]] = list(np.ix_(*map(np.arange, extents)))
    each[axis] = indices
    return tuple(np.broadcast_arrays(*each))


def _extents_along_axis(
    arr: npt.NDArray[Any], indices: npt.NDArray[Any], axis: SupportsIndex | None
) -> tuple[int, tuple[int, ...]]:
    """The axis, and the shape of the broadcast indices."""
    if indices.dtype.kind not in "iu" or indices.ndim != (1 if axis is None else arr.ndim):
        raise _ForNumpy
    if axis is None:
        return 0, indices.shape
    on = np.lib.array_utils.normalize_axis_index(operator.index(axis), arr.ndim, "put_along_axis")
    try:
        return on, np.broadcast_shapes(indices.shape, arr.shape[:on] + (1,) + arr.shape[on + 1 :])
    except ValueError:
        raise _ForNumpy from None


# ---- Counts and segments


def bincount(
    x: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    minlength: SupportsIndex = 0,
    *,
    axis: SupportsIndex | None = None,
    threads: int = 1,
) -> npt.NDArray[Any]:
    """As numpy.bincount: how often each of 0, 1, .. occurs in x, or the sum of its weights.

    x          integers, none negative; of rank 1 without axis
    weights    numbers shaped as x, or as x + rest: a row for each number of x
    minlength  the result has at least this many bins: more if x has a larger number
    axis       each lane of x along the axis is counted separately
    returns    shaped as x + rest, with the bins in the place of the axis: intp, float64 with weights

    A negative number, such as -1 for an element without a label, is an error: leave it out, with x[x >= 0], and its
    weight, or use segment_sum, which leaves out the ids that are not in [0, num_segments - 1].

    >>> import numpy as np
    >>> bincount([0, 2, 2])
    array([1, 0, 2])
    >>> bincount([0, 2, 2], np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    array([[ 1.,  2.],
           [ 0.,  0.],
           [ 8., 10.]])
    >>> bincount([[0, 1], [1, 1]], axis=1)
    array([[1, 1],
           [0, 2]])
    """
    if (
        axis is None
        and type(x) is _ndarray
        and x.size <= _FEW
        and type(minlength) is int  # others run code that could resize x
        and (weights is None or type(weights) is _ndarray and weights.ndim == 1)
    ):
        try:
            return np.bincount(x, weights, minlength)
        except (TypeError, ValueError):
            pass  # explained below
    try:
        refuse_meanings("bincount", x=x, weights=weights)
        minlength = minlength if type(minlength) is int else operator.index(minlength)
        if weights is None:
            numbers, amounts = np.asarray(x), None
        else:
            numbers, amounts = _as_arrays(x, weights)
        if axis is None:
            if (amounts is None or amounts.ndim < 2) and not _is_plain(numbers, amounts, minlength):
                if numbers.size > 0 and numbers.dtype.kind == "f":
                    raise TypeError("bincount: x holds floating-point numbers")  # NumPy takes those of lists
                return np.bincount(x, weights, minlength)
            if numbers.ndim != 1:
                raise ValueError(f"bincount: x has rank {numbers.ndim}, expected 1 without axis")
            on = 0
        else:
            on = np.lib.array_utils.normalize_axis_index(operator.index(axis), numbers.ndim, "bincount")
        numbers, bins = _as_bins(numbers, minlength)
        extents = numbers.shape[:on] + (bins,) + numbers.shape[on + 1 :]
        if amounts is None:
            counts = np.zeros(extents, np.intp)
            scatter_add(counts, on, numbers, 1, out=counts, threads=threads)
            return counts
        if amounts.shape[: numbers.ndim] != numbers.shape:
            raise ValueError("bincount: weights has another shape than x")
        amounts = amounts.astype(np.float64, casting="safe", copy=False)
        sums = np.zeros(extents + amounts.shape[numbers.ndim :], np.float64)
        if amounts.ndim == numbers.ndim:
            scatter_add(sums, on, numbers, amounts, out=sums, threads=threads)
        else:
            index_put(sums, _grid(numbers.shape, on, numbers), amounts, "sum", out=sums, threads=threads)
        return sums
    except _EXPLAINED as error:
        _explain(_BINCOUNT, error, "faults_of_bincount", x, weights, minlength, axis)
        raise


# Up to so many numbers NumPy is faster: what is prepared here takes as long as it takes to count thousands.
_FEW = 65536


def _is_plain(x: npt.NDArray[Any], weights: npt.NDArray[Any] | None, minlength: Any) -> bool:
    """Whether arguments of numpy.bincount need no conversion or error of its own."""
    if x.ndim != 1 or x.size == 0 or x.dtype.kind not in "biu" or type(minlength) is not int:
        return False
    return weights is None or weights.shape == x.shape and np.can_cast(weights.dtype, np.float64)


def _as_bins(x: npt.NDArray[Any], minlength: SupportsIndex) -> tuple[npt.NDArray[Any], int]:
    """The numbers to count, and how many bins they have."""
    if x.size == 0 or x.dtype.kind == "b":
        x = x.astype(np.intp)
    if x.dtype.kind not in "iu":
        raise TypeError(f"bincount: x holds {x.dtype}, expected integers")
    if x.size > 0 and x.min() < 0:
        raise ValueError("'list' argument must have no negative elements")
    bins = operator.index(minlength)
    if bins < 0:
        raise ValueError("'minlength' must not be negative")
    return _as_indices(x), max(bins, int(x.max()) + 1) if x.size > 0 else bins


def segment_sum(
    data: npt.ArrayLike, segment_ids: npt.ArrayLike, num_segments: SupportsIndex | None = None, *, threads: int = 1
) -> npt.NDArray[Any]:
    """As jax.ops.segment_sum: result[i] is the sum of the rows of data whose id is i, in their order.

    data          array-like shaped segment_ids + rest
    segment_ids   integers; rows whose id is not in [0, num_segments - 1] are left out, such as those of the label -1
    num_segments  1 + the largest id if left out
    returns       array shaped (num_segments, ..rest), with data's type of elements and 0 in segments without rows

    Sums have data's type, as in JAX, where numpy.sum has a wider one: small integers wrap around, and of bool they are
    True where any is; pass data.astype(int) to count.

    >>> import numpy as np
    >>> segment_sum(np.array([1.0, 2.0, 3.0, 4.0]), [0, 2, 0, -1])
    array([4., 0., 2.])
    """
    return _segments(_SEGMENT_SUM, "sum", data, segment_ids, num_segments, threads)


def segment_max(
    data: npt.ArrayLike, segment_ids: npt.ArrayLike, num_segments: SupportsIndex | None = None, *, threads: int = 1
) -> npt.NDArray[Any]:
    """As jax.ops.segment_max: result[i] is the maximum of the rows of data whose id is i. A NaN stays.

    The arguments are those of segment_sum, which leaves out rows of the label -1. Segments without rows have the lowest
    value: -inf, the smallest integer or False.

    >>> import numpy as np
    >>> segment_max(np.array([[1.0, 5.0], [3.0, 2.0]]), [1, 1])
    array([[-inf, -inf],
           [  3.,   5.]])
    """
    return _segments(_SEGMENT_MAX, "max", data, segment_ids, num_segments, threads)


def segment_min(
    data: npt.ArrayLike, segment_ids: npt.ArrayLike, num_segments: SupportsIndex | None = None, *, threads: int = 1
) -> npt.NDArray[Any]:
    """As jax.ops.segment_min: result[i] is the minimum of the rows of data whose id is i. A NaN stays.

    The arguments are those of segment_sum, which leaves out rows of the label -1. Segments without rows have the
    highest value: inf, the largest integer or True.

    >>> import numpy as np
    >>> segment_min(np.array([[1, 5], [3, 2]], np.int8), [1, 1])
    array([[127, 127],
           [  1,   2]], dtype=int8)
    """
    return _segments(_SEGMENT_MIN, "min", data, segment_ids, num_segments, threads)


def segment_mean(
    data: npt.ArrayLike, segment_ids: npt.ArrayLike, num_segments: SupportsIndex | None = None, *, threads: int = 1
) -> npt.NDArray[Any]:
    """The means in the place of the sums of segment_sum; as numpy.mean, float64 for integers.

    The arguments are those of segment_sum, which leaves out rows of the label -1. Segments without rows have the mean
    0.

    >>> import numpy as np
    >>> segment_mean(np.array([1, 2, 4]), np.array([0, 2, 0]))
    array([2.5, 0. , 2. ])
    """
    return _segments(_SEGMENT_MEAN, "mean", data, segment_ids, num_segments, threads)


_SEGMENT_SUM = Names("segment_sum", RESULT, "segment_ids", "data", is_own=True)
_SEGMENT_MAX = _SEGMENT_SUM._replace(function="segment_max")
_SEGMENT_MIN = _SEGMENT_SUM._replace(function="segment_min")
_SEGMENT_MEAN = _SEGMENT_SUM._replace(function="segment_mean")


def _segments(
    names: Names,
    reduction: Literal["sum", "max", "min", "mean"],
    data: npt.ArrayLike,
    segment_ids: npt.ArrayLike,
    num_segments: SupportsIndex | None,
    threads: int,
) -> npt.NDArray[Any]:
    try:
        refuse_meanings(names.function, data=data, segment_ids=segment_ids)
        count = None if num_segments is None else operator.index(num_segments)
        rows, ids = _as_arrays(data, segment_ids)
        if ids.size == 0:
            ids = ids.astype(np.intp)
        if count is None:
            count = max(operator.index(ids.max()) + 1, 0) if ids.size > 0 else 0
        if rows.ndim < ids.ndim:  # a number would be the row of all ids
            raise OperandValueError(f"{names.function}: data has rank {rows.ndim}", "rank_mismatch")
        shape = (count, *rows.shape[ids.ndim :])
        if reduction in ("max", "min"):
            result: npt.NDArray[Any] = np.full(shape, _least_or_largest(rows.dtype, reduction), rows.dtype)
        else:
            if reduction == "mean" and rows.dtype.kind in "biu":
                rows = rows.astype(np.float64)
            result = np.zeros(shape, rows.dtype)
        index_reduce(
            result, 0, ids, rows, reduction, include_init=reduction != "mean", out=result, threads=threads, mode="drop"
        )
        return result
    except _EXPLAINED as error:
        code = getattr(error, "code", "")
        _explain(names, error, "faults_of_segments", code, reduction, data, segment_ids, num_segments)
        raise


def _least_or_largest(dtype: np.dtype[Any], reduction: str) -> Any:
    """What a maximum or a minimum begins with."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if reduction == "max" else np.iinfo(dtype).max
    if dtype.kind in "bmM":
        return reduction == "min"
    return -np.inf if reduction == "max" else np.inf


