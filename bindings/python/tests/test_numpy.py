# SPDX-License-Identifier: Apache-2.0
"""strew.numpy compared with NumPy: bit by bit, with the same exceptions."""

from __future__ import annotations

import doctest
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import strew
import strew.numpy as sn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Array = np.ndarray[Any, np.dtype[Any]]

UFUNCS = ("add", "subtract", "multiply", "maximum", "minimum")
INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")
FLOATS = ("f2", "f4", "f8")
COMPLEX = ("c8", "c16")
NUMBERS = ("?", *INTEGERS, *FLOATS, *COMPLEX)

thorough = settings(max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def values(rng: np.random.Generator, dtype: Any, shape: Any) -> Array:
    """Random elements, among them infinities, NaN and both zeros."""
    dtype = np.dtype(dtype)
    result: Array
    if dtype.kind == "b":
        result = np.asarray(rng.random(shape) < 0.5)
        return result
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        result = np.asarray(rng.integers(limits.min, limits.max, shape, dtype, endpoint=True))
        return result
    if dtype.kind == "c":
        part = np.dtype(f"f{dtype.itemsize // 2}")
        result = np.empty(shape, dtype)
        result.real, result.imag = values(rng, part, shape), values(rng, part, shape)
        return result
    result = np.asarray(rng.standard_normal(shape) * 8)
    special = rng.random(result.shape)
    for k, number in enumerate((np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-7)):
        result[(k * 0.02 <= special) & (special < (k + 1) * 0.02)] = number
    return result.astype(dtype)


def assert_same(actual: Array, expected: Array, zeros_are_equal: bool = False) -> None:
    """Equal bits, but any NaN for a NaN."""
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    if actual.dtype.kind == "c":
        assert_same(actual.real, expected.real, zeros_are_equal)
        assert_same(actual.imag, expected.imag, zeros_are_equal)
        return
    is_same = actual == expected
    if actual.dtype.kind == "f":
        if not zeros_are_equal:
            is_same &= np.signbit(actual) == np.signbit(expected)
        is_same |= np.isnan(actual) & np.isnan(expected)
    assert np.all(is_same), f"{actual} instead of {expected}"


def outcome(call: Callable[[], Any]) -> BaseException | None:
    try:
        with np.errstate(all="ignore"):
            call()
    except Exception as error:
        return error
    return None


class WithoutAt:
    """A ufunc whose ``at`` must not be called."""

    def __init__(self, ufunc: Any) -> None:
        self._ufunc = ufunc

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._ufunc(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        assert name != "at", "passed to NumPy"
        return getattr(self._ufunc, name)


class NumPyWithoutAt:
    """NumPy as strew.numpy sees it in calls that strew itself has to compute."""

    def __getattr__(self, name: str) -> Any:
        return WithoutAt(getattr(np, name)) if name in UFUNCS else getattr(np, name)


def in_full(a: Array, indices: Any, b: Any) -> Any:
    """b with an element of its own for each target.

    NumPy 2.4 reads past the end of b if it is repeated along the first of two axes of indices of a vector.
    """
    try:
        return np.broadcast_to(b, np.shape(a[indices])).copy() if isinstance(b, (np.ndarray, list)) else b
    except (IndexError, ValueError):
        return b


def compare(
    ufunc: str,
    base: Array,
    view: Callable[[Array], Array],
    indices: Any,
    b: Any,
    threads: int = 1,
    by_strew: bool = False,
) -> BaseException | None:
    """Runs NumPy and strew on copies of base; returns the exception that both raise.

    by_strew  the call must not be passed to NumPy, unless there is nothing to compute
    """
    expected, actual = base.copy(), base.copy()
    b_in_full = in_full(view(expected), indices, b)
    wrong = outcome(lambda: getattr(np, ufunc).at(view(expected), indices, b_in_full))
    with pytest.MonkeyPatch.context() as patch:
        if by_strew and wrong is None and np.size(view(expected)[indices]) > 0:
            patch.setattr(sn, "np", NumPyWithoutAt())
        error = outcome(lambda: getattr(sn, f"{ufunc}_at")(view(actual), indices, b, threads=threads))
    if wrong is None and error is not None:
        raise error
    assert isinstance(error, type(wrong) if wrong else type(None)), (error, wrong)
    if isinstance(wrong, IndexError):
        assert_same(actual, base)
    assert_same(actual, expected, zeros_are_equal=ufunc in ("maximum", "minimum"))
    return error


def same(a: Array) -> Array:
    return a


# ---- Random calls of ufunc.at


@st.composite
def views(draw: Any, dtype: Any, seed: int) -> tuple[Array, Callable[[Array], Array]]:
    """An array, and a view of it with any order of axes, steps and offsets."""
    rank = draw(st.integers(0, 4))
    extents = draw(st.lists(st.sampled_from((1, 2, 3, 4, 0)), min_size=rank, max_size=rank))
    steps = draw(st.lists(st.sampled_from((1, 1, -1, 2, -2)), min_size=rank, max_size=rank))
    order = draw(st.permutations(range(rank)))
    base = values(np.random.default_rng(seed), dtype, [extent * abs(step) for extent, step in zip(extents, steps)])
    slices = tuple(slice(None, None, step) for step in steps)
    return base, lambda array: array[slices + (...,)].transpose(order)


@st.composite
def index_arrays(draw: Any, extent: int, reach: int, common: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Integers of an axis, of a shape that is broadcast to a common one; in any layout."""
    shape = tuple(draw(st.sampled_from((n, n, n, n, 1))) for n in common)[draw(st.integers(0, len(common) - 1)) :]
    low = draw(st.sampled_from((0, -extent - reach)))
    array = np.asarray(rng.integers(low, max(extent + reach, low + 1), shape))
    layout = draw(st.sampled_from(("plain", "plain", "list", "F", "reversed", "i1", ">i8", "u8")))
    if layout == "list":
        return array.tolist()
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "reversed":
        return array[..., ::-1]
    return array if layout == "plain" else array.astype(layout)


@st.composite
def index_expressions(draw: Any, shape: tuple[int, ...], seed: int) -> Any:
    """What indexes an array of this shape; now and then out of bounds."""
    rng = np.random.default_rng(seed)
    common = draw(st.sampled_from(((3,), (2, 3), (1,), (4,), (0,), (2, 1, 2))))
    reach = draw(st.sampled_from((0, 0, 0, 0, 0, 1)))
    kinds = ("array", "array", "array", "array", "integer", "slice", "mask", "None", "...", "bool")
    entries: list[Any] = []
    axis, has_ellipsis = 0, False
    # After an ellipsis there is an entry for each of the last axes.
    while axis < len(shape) and (has_ellipsis or draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(kinds))
        if kind == "...":
            if not has_ellipsis:
                entries.append(...)
                axis += draw(st.integers(0, len(shape) - axis))
                has_ellipsis = True
        elif kind == "None":
            entries.append(None)
        elif kind == "bool":
            entries.append(draw(st.sampled_from((True, False, np.bool_(True), np.array(False)))))
        elif kind == "mask":
            rank = draw(st.integers(1, len(shape) - axis))
            mask = rng.random(shape[axis : axis + rank]) < 0.6
            entries.append(mask.tolist() if mask.size and draw(st.booleans()) else mask)
            axis += rank
        else:
            extent = shape[axis]
            if kind == "array":
                entries.append(draw(index_arrays(extent, reach, common, rng)))
            elif kind == "slice":
                bounds = st.one_of(st.none(), st.integers(-5, 5))
                entries.append(slice(draw(bounds), draw(bounds), draw(st.sampled_from((None, 1, -1, 2, -2)))))
            else:
                number = draw(st.integers(-extent - reach, max(extent + reach - 1, -extent - reach)))
                entries.append(draw(st.sampled_from((int, np.int8, np.array)))(number))
            axis += 1
    return entries[0] if len(entries) == 1 and draw(st.booleans()) else tuple(entries)


@st.composite
def updates(draw: Any, shape: tuple[int, ...], dtype: Any, seed: int) -> Any:
    """Values that are broadcast to a shape; now and then they are not."""
    extents = [1 if draw(st.integers(0, 5)) == 0 else extent for extent in shape]
    extents = extents[draw(st.integers(0, len(extents))) if draw(st.integers(0, 3)) == 0 else 0 :]
    if draw(st.integers(0, 30)) == 17:
        extents = [2, *extents]
    b = values(np.random.default_rng(seed), dtype, extents)
    layout = draw(st.sampled_from(("C", "C", "F", "reversed", "list")))
    if layout == "list" and b.dtype.kind in "bi" and b.size:
        return b.tolist()
    return np.asfortranarray(b) if layout == "F" else b[::-1][::-1] if layout == "reversed" and b.ndim else b


def shape_of(a: Array, indices: Any) -> tuple[int, ...]:
    try:
        return np.shape(a[indices])
    except IndexError:
        return (3,)


def is_computed_by_strew(ufunc: str, dtype: Any) -> bool:
    kind = np.dtype(dtype).kind
    return kind != "c" or ufunc in ("add", "subtract")


@thorough
@given(st.data(), st.sampled_from(UFUNCS), st.sampled_from(NUMBERS), st.integers(0, 2**32), st.sampled_from((1, 2, 3)))
def test_at_of_one_type(data: Any, ufunc: str, dtype: str, seed: int, threads: int) -> None:
    base, view = data.draw(views(dtype, seed))
    indices = data.draw(index_expressions(view(base).shape, seed))
    b = data.draw(updates(shape_of(view(base), indices), dtype, seed + 1))
    by_strew = is_computed_by_strew(ufunc, dtype) and (isinstance(b, np.ndarray) or dtype in ("i8", "?"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sn.FallbackWarning)
        compare(ufunc, base, view, indices, b, threads, by_strew)


@thorough
@given(st.data(), st.sampled_from(UFUNCS), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.integers(0, 2**32))
def test_at_of_two_types(data: Any, ufunc: str, dtype: str, other: str, seed: int) -> None:
    base, view = data.draw(views(dtype, seed))
    indices = data.draw(index_expressions(view(base).shape, seed))
    b = data.draw(updates(shape_of(view(base), indices), other, seed + 1))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if isinstance(b, np.ndarray) and data.draw(st.booleans()):
            b = b.astype(dtype).astype(other)  # so that casts change nothing
        compare(ufunc, base, view, indices, b)


# ---- Chosen calls of ufunc.at


TAKEN = [
    (ufunc, dtype)
    for ufunc in UFUNCS
    for dtype in NUMBERS
    if is_computed_by_strew(ufunc, dtype) and (ufunc, dtype) != ("subtract", "?")
]


@pytest.mark.parametrize(("ufunc", "dtype"), TAKEN)
def test_at_of_each_type(ufunc: str, dtype: str) -> None:
    rng = np.random.default_rng(1)
    a, b = values(rng, dtype, (5, 4)), values(rng, dtype, (7, 4))
    for indices, updates in [
        (rng.integers(0, 5, 7), b),
        (rng.integers(-5, 5, 7), b),
        ((slice(None), rng.integers(0, 4, 7)), b[:, 0]),
        ((rng.integers(-5, 5, 7), rng.integers(-4, 4, 7)), b[:, 0]),
        (a != a[0], b[0, 0]),
        (slice(1, None, 2), b[0]),
    ]:
        assert compare(ufunc, a, same, indices, updates, by_strew=True) is None
    assert compare(ufunc, a, np.transpose, rng.integers(0, 4, 5), values(rng, dtype, (5, 5)), by_strew=True) is None


I, J, K = np.array([0, 2, 0, -1]), np.array([1, 1, 1, 0]), np.array([[2], [0]])
SELECTIONS: list[Any] = [
    (),
    ...,
    None,
    1,
    (1, -1),
    (1, ..., -1),
    (slice(None), slice(None, None, 2)),
    (np.int8(1), np.array(-1), slice(None, None, -1)),
    I,
    K,
    (I, J),
    (I, J, K),
    (I, J, K, J),
    (K, ..., J),
    (..., I),
    (..., I, J),
    (..., K, slice(1, None), slice(None)),
    (slice(None), I),
    (slice(None), I, J),
    (slice(None), I, slice(None), J),
    (slice(None), slice(None, None, 2), K),
    (1, I),
    (I, 1),
    (I, slice(None), 1),
    (1, slice(None), I),
    (slice(None), 1, I),
    (slice(None), I, slice(None), 1),
    (I, None, J),
    (None, I, J),
    (None, I, None),
    (I, ..., None),
    (I, ..., J),
    (I, J, ..., K, J),
    (slice(None), np.array([True, False, True]), I[:2]),
    (np.eye(3, dtype=bool), slice(1, 2), [0, 3, 0]),
    (np.eye(3, dtype=bool), [0, 1, 1]),
    True,
    (True, I),
    (slice(None), True, I),
    (slice(None), np.True_, I, J),
    (I, [True, False, False], J),
    (False, I[:1]),
    [[0, 1], [1, 1]],
    ([], I[:0]),
]


@pytest.mark.parametrize("indices", SELECTIONS, ids=str)
@pytest.mark.parametrize("ufunc", UFUNCS)
def test_at_of_each_kind_of_index(ufunc: str, indices: Any) -> None:
    rng = np.random.default_rng(1)
    a = values(rng, "f8", (3, 3, 4, 4))
    shape = a[indices].shape
    for b in (values(rng, "f8", shape), values(rng, "f8", shape[1:]), values(rng, "f8", (*shape[:-1], 1)), 2.0):
        assert compare(ufunc, a, same, indices, b, by_strew=True) is None
        assert compare(ufunc, a.T.copy(), np.transpose, indices, b, by_strew=True) is None


CASTS = [
    # a, b, ufuncs whose results with b.astype(a.dtype) are NumPy's
    ("f8", "f4", UFUNCS),
    ("f8", "i8", UFUNCS),
    ("f8", "?", UFUNCS),
    ("f4", "f2", UFUNCS),
    ("f4", "i2", UFUNCS),
    ("f2", "i1", UFUNCS),
    ("c16", "f8", ("add", "subtract")),
    ("c16", "c8", ("add", "subtract")),
    ("f4", "f8", ("maximum", "minimum")),
    ("f4", "i8", ("maximum", "minimum")),
    ("f2", "f8", ("maximum", "minimum")),
    ("i8", "i4", UFUNCS),
    ("i8", "u1", UFUNCS),
    ("i8", "?", UFUNCS),
    ("i1", "i8", ("add", "subtract", "multiply")),
    ("u1", "i8", ("add", "subtract", "multiply")),
    ("u1", "i1", ("add", "subtract", "multiply")),
    ("u4", "i8", ("add", "subtract", "multiply")),
    ("i4", "u4", ("add", "subtract", "multiply")),
]


@pytest.mark.parametrize("ufunc", UFUNCS)
@pytest.mark.parametrize(("dtype", "other", "ufuncs"), CASTS)
def test_exact_casts_are_computed_by_strew(ufunc: str, dtype: str, other: str, ufuncs: tuple[str, ...]) -> None:
    rng = np.random.default_rng(2)
    a, b, i = values(rng, dtype, 9), values(rng, other, 200), rng.integers(-9, 9, 200)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if ufunc in ufuncs else "ignore")
        compare(ufunc, a, same, i, b)


WIDER = {"f2": ("f4", "f8"), "f4": ("f8", "i8"), "c8": ("c16",)}


@pytest.mark.parametrize(
    ("ufunc", "dtype", "other"), [(*taken, other) for taken in TAKEN for other in WIDER.get(taken[1], ())]
)
def test_values_that_a_represents_are_computed_by_strew(ufunc: str, dtype: str, other: str) -> None:
    rng = np.random.default_rng(3)
    a, i = values(rng, dtype, 50), rng.integers(-50, 50, 4000)
    b = values(rng, dtype, 4000).astype(other) if other != "i8" else rng.integers(-(2**24), 2**24, 4000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(ufunc, a, same, i, b)


@pytest.mark.parametrize("ufunc", ["maximum", "minimum"])
def test_maxima_of_wider_integers(ufunc: str) -> None:
    a = np.array([5, -5, 100], np.int8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(ufunc, a, same, [0, 1, 0, -1], [3, -7, 127, -128])
    with pytest.warns(sn.FallbackWarning):
        compare(ufunc, a, same, [0, 1, 0], [3, 300, 200])


def sliding() -> Array:
    """An array whose rows overlap."""
    return np.lib.stride_tricks.as_strided(np.zeros(4), (3, 2), (8, 8))


FALLBACKS: list[tuple[Callable[[], Array], Any, Any]] = [
    (lambda: np.zeros(3, "f4"), [0, 1, 0], 0.1),
    (lambda: np.zeros(3, "f4"), [0, 1, 0], np.array([0.1, 0.2, 0.3])),
    (lambda: np.zeros(3, "i8"), [0, 1, 0], 1.5),
    (lambda: np.zeros(3, "i8"), [0, 1, 0], np.array([1, 2, 3], "u8")),
    (lambda: np.zeros(3, "u8"), [0, 1, 0], 1),
    (lambda: np.zeros(3, "?"), [0, 1, 0], -1),
    (lambda: np.zeros(3, "f8"), [0, 1, 0], 1j),
    (lambda: np.zeros(3, "g"), [0, 1, 0], 1.0),
    (lambda: np.zeros(3, "f8"), [0, 1, 0], np.ones(3, "g")),
    (lambda: np.zeros(3, ">f8"), [0, 1, 0], 1.0),
    (lambda: np.zeros(3, object), [0, 1, 0], 1),
    (lambda: np.zeros(3, "m8[s]"), [0, 1, 0], np.array(3, "m8[s]")),
    (lambda: np.zeros(3, "M8[s]"), [0, 1, 0], np.array(3, "m8[s]")),
    (lambda: np.zeros(3, "i1,f8")["f1"], [0, 1, 0], 1.0),
    (lambda: np.zeros((1,) * 20), [0, 0], 1.0),
    (sliding, [0, 1, 0], 1.0),
    (sliding, slice(None), 1.0),
]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize(("make", "indices", "b"), FALLBACKS)
def test_other_calls_fall_through_with_a_warning(make: Callable[[], Array], indices: Any, b: Any) -> None:
    expected, actual = make(), make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.add.at(expected, indices, b)
    with pytest.warns(sn.FallbackWarning, match="^add_at is computed by NumPy: .") as record:
        sn.add_at(actual, indices, b)
    assert [entry.filename for entry in record if entry.category is sn.FallbackWarning] == [__file__]
    np.testing.assert_array_equal(actual, expected)


def test_complex_products_fall_through() -> None:
    a = np.array([complex(np.inf, 0), 2j])
    with pytest.warns(sn.FallbackWarning):
        compare("multiply", a, same, np.array([0, 1, 0]), np.array([1j, 2, complex(0, np.inf)]))


class WithUfuncs(np.ndarray[Any, Any]):
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return method


def test_empty_selections() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty: list[Any] = [[], ([], slice(None)), (slice(0, 0), [0]), slice(3, None)]
        for indices in empty:
            assert compare("add", np.zeros((3, 1)), same, indices, 1.0) is None
        assert compare("add", np.zeros((2, 0)), same, slice(None), 1.0) is None
        # NumPy does not broadcast b to nothing.
        assert compare("add", np.zeros((0, 1, 1)), same, (..., 0), np.ones((2, 0, 1))) is None


def test_subclasses() -> None:
    a = np.zeros((2, 2)).view(np.matrix)
    sn.add_at(a, ([0, 0], [1, 1]), [1.0, 2.0])
    assert np.asarray(a).tolist() == [[0, 3], [0, 0]]
    masked = np.ma.zeros(3)
    with pytest.raises(strew.OperandTypeError, match="masked array, whose mask would be lost"):
        sn.add_at(masked, [0, 0], [1.0, 2.0])
    with pytest.warns(sn.FallbackWarning, match="__array_ufunc__"):
        assert sn.add_at(np.zeros(3).view(WithUfuncs), [0], 1.0) == "at"  # type: ignore[func-returns-value]
    with pytest.warns(sn.FallbackWarning, match="__array_ufunc__"):
        assert sn.add_at(np.zeros(3), [0], np.ones(1).view(WithUfuncs)) == "at"  # type: ignore[func-returns-value]


def test_bfloat16() -> None:
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    rng = np.random.default_rng(4)
    a, b = (rng.standard_normal(n).astype(bfloat16) for n in (9, 300))
    i = rng.integers(-9, 9, 300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ufunc in UFUNCS:
            expected, actual = a.copy(), a.copy()
            getattr(np, ufunc).at(expected, i, b)
            getattr(sn, f"{ufunc}_at")(actual, i, b)
            assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("ufunc", UFUNCS)
def test_overlap_is_as_if_copied_first(ufunc: str) -> None:
    def check(size: int, indices: Callable[[Array], Any], b: Callable[[Array], Any]) -> None:
        expected, actual = (np.arange(1, size + 1) % size for _ in range(2))
        getattr(np, ufunc).at(expected, indices(expected), b(expected))
        getattr(sn, f"{ufunc}_at")(actual, indices(actual), b(actual))
        assert_same(actual, expected)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(10, lambda a: np.array([1, 1, 3]), lambda a: a[:3])
        check(10, lambda a: np.arange(10), lambda a: a[::-1])
        check(10, lambda a: a, lambda a: np.arange(10))
        check(10, lambda a: a[::-1], lambda a: a)
        check(10, lambda a: (a,), lambda a: 3)
        check(10, lambda a: slice(1, None), lambda a: a[:-1])


ERRORS: list[tuple[Array, Any, Any]] = [
    (np.zeros(3), [0, 3], [1.0, 2.0]),
    (np.zeros(3), [0, -4], [1.0, 2.0]),
    (np.zeros(3), np.array([0, 3]), np.array([1.0, 2.0])),
    (np.zeros((3, 3)), ([0, 1], [0, 3]), 1.0),
    (np.zeros((3, 3)), (np.array([0, 1]), np.array([0, 3])), np.ones(2)),
    (np.zeros((3, 3)), ([0, 1], [0, 1, 2]), 1.0),
    (np.zeros((3, 3)), (0, 1, 2), 1.0),
    (np.zeros((3, 3)), ([0], [1], [2]), 1.0),
    (np.zeros((3, 3)), (..., 0, ...), 1.0),
    (np.zeros((3, 3)), ([], 7), 1.0),
    (np.zeros((3, 3)), ([7], slice(0, 0)), 1.0),
    (np.zeros((3, 3)), (slice(0, 0), [7]), 1.0),
    (np.zeros(3), 3, 1.0),
    (np.zeros(3), 2**70, 1.0),
    (np.zeros(3), [2**70], 1.0),
    (np.zeros(3), 1.0, 1.0),
    (np.zeros(3), [1.0], 1.0),
    (np.zeros(3), "1", 1.0),
    (np.zeros(3), np.array([1], object), 1.0),
    (np.zeros(3), np.array([1], "m8[s]"), 1.0),
    (np.zeros(3), [True, False], 1.0),
    (np.zeros((2, 3)), np.ones((2, 2), bool), 1.0),
    (np.zeros(3), [[0], [1, 2]], 1.0),
    (np.zeros(()), 0, 1.0),
    (np.zeros(()), [], 1.0),
    (np.zeros(3), [0, 1], [1.0, 2.0, 3.0]),
    (np.zeros(3), np.array([0, 1]), np.ones((1, 1, 2, 1))),
    (np.zeros((3, 2)), [0, 1], np.ones((3, 2))),
    (np.zeros(3), [0, 9], [1.0, 2.0, 3.0]),
    (np.zeros(3), [0, 1], [[1.0], [2.0, 3.0]]),
    (np.zeros(3), [0, 1], "text"),
    (np.zeros(3), [0, 1], None),
    (np.zeros(3, "?"), [0, 1], True),
    (np.zeros(3, "?"), np.array([0, 1]), np.ones(2, bool)),
    (np.zeros(3, "i8,f8"), [0, 1], 1.0),
]


@pytest.mark.parametrize(("a", "indices", "b"), ERRORS)
def test_errors_are_those_of_numpy(a: Array, indices: Any, b: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sn.FallbackWarning)
        for ufunc in UFUNCS:
            error = compare(ufunc, a, same, indices, b)
            assert error is not None or (a.dtype == bool and ufunc != "subtract")


@pytest.mark.parametrize("ufunc", UFUNCS)
def test_operands_that_are_refused(ufunc: str) -> None:
    at = getattr(sn, f"{ufunc}_at")
    with pytest.raises(TypeError, match="a is a list, expected an array"):
        at([1, 2], [0], 1)
    with pytest.raises(TypeError):
        at(np.zeros(3), [0])
    a = np.zeros(3)
    a.flags.writeable = False
    for indices in (np.array([0]), [0], 0, slice(None)):
        with pytest.raises(ValueError, match="read-only"):
            at(a, indices, np.ones(1))
    assert not a.any()
    for threads in (-1, "2", 1.0):
        with pytest.raises(strew.Error, match="threads"):
            at(np.zeros(3), np.array([0]), np.ones(1), threads=threads)


def test_a_bad_index_is_reported_before_anything_is_written() -> None:
    a = np.arange(4.0)
    with pytest.raises(strew.OutOfBoundsError, match=r"indices\[2\].* = 4 ") as caught:
        sn.add_at(a, np.array([-1, 0, 4]), np.ones(3))
    assert isinstance(caught.value, IndexError) and caught.value.coordinate[0] == 2
    assert a.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "f2"])
@pytest.mark.parametrize("ufunc", UFUNCS)
def test_bits_do_not_depend_on_threads(ufunc: str, dtype: str) -> None:
    rng = np.random.default_rng(5)
    count = 40000
    cases = [
        (values(rng, dtype, 500), rng.integers(-500, 500, count), values(rng, dtype, count)),
        (values(rng, dtype, (50, 64)), rng.integers(0, 50, 900), values(rng, dtype, (900, 64))),
        (
            values(rng, dtype, (40, 50)),
            (rng.integers(0, 40, count), rng.integers(-50, 50, count)),
            values(rng, dtype, count),
        ),
    ]
    for a, indices, b in cases:
        results = []
        for threads in (1, 2, 3, 0):
            results.append(a.copy())
            getattr(sn, f"{ufunc}_at")(results[-1], indices, b, threads=threads)
        for result in results[1:]:
            assert_same(result, results[0])
        compare(ufunc, a, same, indices, b, threads=2)


# ---- put

ANY_TYPE = (*NUMBERS, "g", "G", ">f4", "U2", "S3", "O", "M8[s]", "m8[ns]", "i4,f8", "i4,O", "V5", "T")


def elements(rng: np.random.Generator, dtype: str, shape: Any) -> Array:
    return np.asarray(rng.integers(0, 100, shape)).astype(np.dtypes.StringDType() if dtype == "T" else dtype)


@thorough
@given(st.data(), st.sampled_from(ANY_TYPE), st.integers(0, 2**32), st.sampled_from(("raise", "wrap", "clip")))
def test_put(data: Any, dtype: str, seed: int, mode: Any) -> None:
    rng = np.random.default_rng(seed)
    shape = data.draw(st.lists(st.integers(0, 4), max_size=3))
    order = data.draw(st.permutations(range(len(shape))))
    base = elements(rng, dtype, shape)
    size = base.size
    reach = 0 if mode == "raise" and data.draw(st.integers(0, 4)) else 9
    count = data.draw(st.sampled_from((0, 1, 2, 3, 7)))
    ind: Any = rng.integers(-size - reach, max(size + reach, 1 - size - reach), count)
    layout = data.draw(st.sampled_from(("i8", "i8", "i2", ">i4", "list", "rank 2")))
    if layout == "list":
        ind = ind.tolist()
    else:
        ind = ind[None] if layout == "rank 2" else ind.astype(layout)
    v_shape = data.draw(st.sampled_from(((), 1, 2, 5, 9, 0, (2, 2))))
    v = elements(rng, data.draw(st.sampled_from((dtype, dtype, "f8"))), v_shape)
    expected, actual = base.copy(), base.copy()
    wrong = outcome(lambda: np.put(expected.transpose(order), ind, v, mode))
    with warnings.catch_warnings(record=True) as by_numpy:
        warnings.simplefilter("always", sn.FallbackWarning)
        error = outcome(lambda: sn.put(actual.transpose(order), ind, v, mode, threads=2))
    assert isinstance(error, type(wrong) if wrong else type(None)), (error, wrong)
    if isinstance(wrong, IndexError) and not by_numpy:
        expected = base
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("ind", "v", "mode"),
    [
        ([1.7], 9, "raise"),
        (np.array([1.7]), 9, "raise"),
        (np.array([True, False]), 9, "raise"),
        (np.array([1], "u8"), 9, "raise"),
        (np.array([1], "u8"), np.array([9]), "raise"),
        (1, 9, "raise"),
        ("1", 9, "raise"),
        (None, 9, "raise"),
        ([2**70], 9, "raise"),
        ([0, 1], 1j, "raise"),
        ([0, 1], "7", "raise"),
        ([0, 1], None, "raise"),
        ([0, 1], [[1], [2]], "raise"),
        ([0, 1], [], "raise"),
        ([9], [], "raise"),
        ([], 1, "raise"),
        ([-7, 7, -1], 9, "clip"),
        ([-7, 7, -1], 9, "wrap"),
        ([-7, 7, -1], 9, "RAISE"),
        ([-7, 7, -1], 9, "x"),
        ([-7, 7, -1], 9, 0),
        ([-7, 7, -1], 9, 1),
        ([-7, 7, -1], 9, 3),
        ([0], 9, None),
    ],
)
@pytest.mark.parametrize("size", [5, 0])
def test_arguments_of_put(ind: Any, v: Any, mode: Any, size: int) -> None:
    expected, actual = np.arange(size), np.arange(size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = outcome(lambda: np.put(expected, ind, v, mode))
        error = outcome(lambda: sn.put(actual, ind, v, mode))
    assert isinstance(error, type(wrong) if wrong else type(None)), (error, wrong)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", ANY_TYPE)
def test_assignments_are_computed_by_strew(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    expected, actual = (elements(np.random.default_rng(9), dtype, (4, 5)) for _ in range(2))
    i, v = rng.integers(-20, 20, (2, 15)), elements(rng, dtype, 7)
    k, w = rng.integers(-5, 5, (1, 9)), elements(rng, dtype, (1, 4, 1))
    np.put(expected, i, v)
    np.put_along_axis(expected, k, w, 1)
    monkeypatch.setattr(np, "put", None)
    monkeypatch.setattr(np, "put_along_axis", None)
    sn.put(actual, i, v)
    sn.put_along_axis(actual, k, w, 1)
    np.testing.assert_array_equal(actual, expected)


def test_put_into_other_objects() -> None:
    with pytest.raises(TypeError, match="a is a list, expected an array"):
        sn.put([1, 2], [0], 1)  # type: ignore[arg-type]
    a = np.zeros(3)
    a.flags.writeable = False
    for v in ([1], []):
        with pytest.raises(ValueError, match="read-only"):
            sn.put(a, [0], v)
    scalar = np.array(5)
    sn.put(scalar, [0, -1], [6, 7])
    assert scalar == 7
    masked = np.ma.zeros(3)
    with pytest.warns(sn.FallbackWarning, match="has its own"):
        sn.put(masked, [0], np.ma.masked)
    assert masked.tolist() == [None, 0, 0]
    overlapping = np.arange(6)
    sn.put(overlapping, overlapping[::-1], overlapping)
    assert overlapping.tolist() == [5, 4, 3, 2, 1, 0]
    wide = np.zeros((1,) * 20)
    with pytest.warns(sn.FallbackWarning):
        sn.put(wide, [0], 1)
    assert wide.item() == 1


# ---- put_along_axis


@thorough
@given(st.data(), st.sampled_from(ANY_TYPE), st.integers(0, 2**32))
def test_put_along_axis(data: Any, dtype: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = data.draw(st.lists(st.sampled_from((1, 2, 3, 4)), min_size=1, max_size=3))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    n = shape[axis]
    # Extents off the axis are broadcast in both directions, but for 7.
    extents = [data.draw(st.sampled_from((extent, extent, extent, 1, 2 if extent == 1 else 1, 7))) for extent in shape]
    extents[axis] = data.draw(st.sampled_from((1, 2, 5, 0)))
    reach = data.draw(st.sampled_from((0, 0, 0, 0, 2)))
    indices = rng.integers(data.draw(st.sampled_from((0, -n))) - reach, n + reach, extents)
    indices = indices.astype(data.draw(st.sampled_from(("i8", "i4", ">i2", "u8"))))
    v_shape = [1 if data.draw(st.integers(0, 3)) == 0 else max(pair) for pair in zip(extents, shape)]
    v_shape[axis] = data.draw(st.sampled_from((1, extents[axis])))
    v_shape = data.draw(st.sampled_from((v_shape, v_shape[1:], [1, *v_shape])))
    v = elements(rng, data.draw(st.sampled_from((dtype, dtype, "f8"))), v_shape)
    base = elements(rng, dtype, shape)
    step = data.draw(st.sampled_from((1, -1)))
    expected, actual = base.copy(), base.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrong = outcome(lambda: np.put_along_axis(expected[::step], indices, v, axis))
        error = outcome(lambda: sn.put_along_axis(actual[::step], indices, v, axis, threads=2))
    assert isinstance(error, type(wrong) if wrong else type(None)), (error, wrong)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("arr", "indices", "v", "axis"),
    [
        (np.zeros((2, 2)), np.array([[0, 5]]), 1, 0),
        (np.zeros((2, 2)), np.array([[0, 1]]), 1, 2),
        (np.zeros((2, 2)), np.array([[0, 1]]), 1, -3),
        (np.zeros((2, 2)), np.array([[0, 1]]), 1, 1.0),
        (np.zeros((2, 2)), np.array([[0.0, 1]]), 1, 1),
        (np.zeros((2, 2)), np.array([[True]]), 1, 1),
        (np.zeros((2, 2)), np.array(1), 1, 1),
        (np.zeros((2, 2)), np.array([1]), 1, 1),
        (np.zeros((2, 2)), np.array([[1, 0]]), [1, 2, 3], 1),
        (np.zeros((2, 2)), np.array([[1, 0]]), [[[1], [2]]], 1),
        (np.zeros((2, 2)), np.array([[1, 0]]), [[[1, 2]]], 1),
        (np.zeros((2, 2)), np.array([[1, 9]]), [1, 2, 3], 1),
        (np.zeros((2, 2)), np.array([[0, 0, 0]]), 1, 0),
        (np.zeros((2, 2), int), np.array([[1], [1]]), 1.9, 1),
        (np.zeros((2, 2), int), np.array([[1], [1]]), "text", 1),
        (np.zeros((2, 2)), np.array([[0, 1]]), 1, None),
        (np.zeros((2, 2)), np.array([0, -1]), [1, 2], None),
        (np.zeros((2, 2)), np.array([0, 4]), [1, 2], None),
        (np.zeros((2, 2)), [[0, 1]], 1, 0),
        ([[1, 2]], np.array([[0]]), 1, 0),
        (np.zeros(()), np.array([0]), 1, None),
        (np.zeros(()), np.array(0), 1, 0),
    ],
)
def test_arguments_of_put_along_axis(arr: Any, indices: Any, v: Any, axis: Any) -> None:
    expected, actual = arr, arr
    if isinstance(arr, np.ndarray):
        expected, actual = arr.copy(), arr.copy()
    wrong = outcome(lambda: np.put_along_axis(expected, indices, v, axis))
    error = outcome(lambda: sn.put_along_axis(actual, indices, v, axis))
    assert isinstance(error, type(wrong) if wrong else type(None)), (error, wrong)
    np.testing.assert_array_equal(actual, expected)


def test_put_along_axis_into_other_objects() -> None:
    arr = np.arange(6).reshape(2, 3).T
    sn.put_along_axis(arr, np.array([1, -1]), 99, axis=None)
    assert arr.tolist() == [[0, 99], [1, 4], [2, 99]]
    arr.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        sn.put_along_axis(arr, np.array([[0, 0]]), 1, axis=0)
    masked = np.ma.zeros((2, 2))
    with pytest.warns(sn.FallbackWarning, match="has its own"):
        sn.put_along_axis(masked, np.array([[0, 1]]), np.ma.masked, 0)
    assert masked.mask.tolist() == [[True, False], [False, True]]
    overlapping = np.arange(4)
    sn.put_along_axis(overlapping, overlapping[::-1], overlapping, 0)
    assert overlapping.tolist() == [3, 2, 1, 0]


# ---- bincount


@pytest.mark.parametrize(
    ("x", "weights", "minlength"),
    [
        ([], None, 0),
        ([], [], 3),
        ([], [1.0], 0),
        ([3, 1, 3], None, 0),
        ([3, 1, 3], None, 7),
        ([3, 1, 3], None, 2),
        ([3, 1, 3], [0.1, 0.2, 0.3], 0),
        ([3, 1, 3], [1, 2, 3], 5),
        ([3, 1, 3], [True, False, True], 5),
        ([3, 1, 3], np.ones(3, "f4"), 5),
        ([3, 1, 3], [1.0, 2.0], 0),
        ([3, 1, 3], [1j, 2, 3], 0),
        ([3, 1, 3], 1.0, 0),
        ([3, 1, 3], np.ones(3, "g"), 0),
        ([True, False], None, 0),
        (np.array([3, 1], "u8"), None, 0),
        (np.array([3, 1], ">i4"), np.array([1, 2], ">f8"), 0),
        ([-1, 2], None, 0),
        (np.array([1.5]), None, 0),
        ([[1]], None, 0),
        (3, None, 0),
        ([1], None, None),
        ([1], None, -1),
        ([1], None, "x"),
        ([1], None, np.int8(4)),
        (np.arange(12)[::-3], np.arange(12.0)[::3], 0),
    ],
)
def test_bincount(x: Any, weights: Any, minlength: Any) -> None:
    results: list[Any] = []

    def call(bincount: Callable[..., Any]) -> BaseException | None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return outcome(lambda: results.append(bincount(x, weights, minlength)))

    wrong, error = call(np.bincount), call(sn.bincount)
    assert type(error) is type(wrong), (error, wrong)
    if wrong is None:
        assert_same(results[1], results[0])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", [(2000,), (40, 50), (3, 4, 5), (2, 0, 3), (1,)])
@pytest.mark.parametrize("dtype", ["i8", "u1", "?", "u8"])
def test_bincount_along_an_axis(shape: tuple[int, ...], dtype: str, threads: int) -> None:
    rng = np.random.default_rng(6)
    x = rng.integers(0, 2 if dtype == "?" else 30, shape).astype(dtype)
    for axis in range(-len(shape), len(shape)):
        bins = max(7, int(x.max(initial=0)) + 1)
        lanes = np.moveaxis(x, axis, -1)
        for weights in (None, rng.random(shape), rng.random((*shape, 2, 3)), rng.integers(0, 9, (*shape, 2))):
            actual = sn.bincount(x, weights, 7, axis=axis, threads=threads)
            rest = () if weights is None else weights.shape[len(shape) :]
            expected = np.zeros((*lanes.shape[:-1], bins, *rest), np.intp if weights is None else float)
            for lane in np.ndindex(lanes.shape[:-1]):
                for row in np.ndindex(rest):
                    of_lane = None
                    if weights is not None:
                        of_lane = np.moveaxis(weights, axis % len(shape), len(shape) - 1)[(*lane, slice(None), *row)]
                    expected[(*lane, slice(None), *row)] = np.bincount(lanes[lane].astype(np.intp), of_lane, bins)
            assert_same(actual, np.moveaxis(expected, len(shape) - 1, axis % len(shape)))


def test_errors_of_bincount() -> None:
    rows = np.ones((3, 2))
    assert sn.bincount([0, 2, 0], rows).tolist() == [[2, 2], [0, 0], [1, 1]]
    for axis in (None, 0):
        with pytest.raises(ValueError, match="negative"):
            sn.bincount([0, -1, 2], rows, axis=axis)
        with pytest.raises(ValueError, match="weights has 3 rows, x has 2"):
            sn.bincount([0, 1], rows, axis=axis)
        with pytest.raises(ValueError, match="negative"):
            sn.bincount([0, 1, 2], rows, -1, axis=axis)
        with pytest.raises(TypeError):
            sn.bincount([0, 1, 2], rows, None, axis=axis)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            sn.bincount([0, 1, 2], rows * 1j, axis=axis)
        with pytest.raises(TypeError, match="expected integers"):
            sn.bincount([0.5, 1, 2], rows, axis=axis)
    with pytest.raises(ValueError, match="rank 2"):
        sn.bincount([[0, 1]], np.ones((1, 2, 3)))
    with pytest.raises(np.exceptions.AxisError):
        sn.bincount([0, 1, 2], axis=1)


# ---- Segments


def segments(data: Array, ids: Array, count: int, f: Callable[[Array], Array], initial: Any, dtype: Any) -> Array:
    result = np.full((count, *data.shape[ids.ndim :]), initial, dtype)
    rows = data.reshape(-1, *data.shape[ids.ndim :])
    for k in range(count):
        selected = rows[ids.reshape(-1) == k]
        if len(selected):
            result[k] = f(selected)
    return result


def running_sum(rows: Array) -> Array:
    total: Array = np.zeros_like(rows[0])
    for row in rows:
        total = total + row
    return total


def divided(rows: Array, count: int) -> Array:
    """By a real number: NumPy's complex quotients of infinities are NaN."""
    real = np.dtype(f"f{rows.dtype.itemsize // 2}") if rows.dtype.kind == "c" else rows.dtype
    parts: Array = np.atleast_1d(rows).view(real) / real.type(count)
    return parts.view(rows.dtype).reshape(rows.shape)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rest", [(), (5,), (2, 3)])
def test_segments(dtype: str, threads: int, rest: tuple[int, ...]) -> None:
    rng = np.random.default_rng(7)
    data, ids = values(rng, dtype, (60, *rest)), rng.integers(-2, 9, 60)
    kind = np.dtype(dtype).kind
    lowest = False if kind == "b" else np.iinfo(dtype).min if kind in "iu" else -np.inf
    with np.errstate(all="ignore"):
        total = segments(data, ids, 7, running_sum, 0, dtype)
        assert_same(sn.segment_sum(data, ids, 7, threads=threads), total)
        if kind != "c":
            most = segments(data, ids, 7, lambda rows: rows.max(0), lowest, dtype)
            assert_same(sn.segment_max(data, ids, 7, threads=threads), most, zeros_are_equal=True)
            highest = True if kind == "b" else np.iinfo(dtype).max if kind in "iu" else np.inf
            least = segments(data, ids, 7, lambda rows: rows.min(0), highest, dtype)
            assert_same(sn.segment_min(data, ids, 7, threads=threads), least, zeros_are_equal=True)
        wide = data.astype("f8") if kind in "biu" else data.astype("f4") if dtype == "f2" else data
        mean = segments(wide, ids, 7, lambda rows: divided(running_sum(rows), len(rows)), 0, wide.dtype)
        mean = mean.astype("f2") if dtype == "f2" else mean
        assert_same(sn.segment_mean(data, ids, 7, threads=threads), mean)


@pytest.mark.parametrize("segment", [sn.segment_sum, sn.segment_max, sn.segment_min, sn.segment_mean])
def test_arguments_of_segments(segment: Callable[..., Array]) -> None:
    data = np.arange(6.0).reshape(3, 2)
    assert segment(data, [0, 4, -1]).shape == (5, 2)
    assert segment(data, [-1, -2, -1]).shape == (0, 2)
    assert segment(data, [0, 1, 2], 0).shape == (0, 2)
    assert segment(data, np.array([[0, 4], [1, 1], [2, 0]])).shape == (5,)
    assert segment(data[:0], []).shape == (0, 2)
    assert segment(data[:0], [], 4).shape == (4, 2)
    assert segment([1, 2, 3], (0, 0, 1)).shape == (2,)
    np.testing.assert_array_equal(segment(data, [0, 1, 2], 2), segment(data[:2], [0, 1]))
    with pytest.raises(ValueError):
        segment(data, [0, 1])
    with pytest.raises(ValueError):
        segment(data, [0, 1, 2], -1)
    for ids in ([0.0, 1.0, 2.0], [True, False, True]):
        with pytest.raises(TypeError):
            segment(data, ids)
        with pytest.raises(TypeError):
            segment(data, ids, 3)


# ---- The module


def test_examples() -> None:
    assert doctest.testmod(sn).failed == 0


def test_without_numpy() -> None:
    code = """
import sys
sys.modules["numpy"] = None
import strew, strew.numpy
for call in (
    lambda: strew.numpy.add_at(1, 2, 3),
    lambda: strew.numpy.put(1, 2, 3),
    lambda: strew.numpy.put_along_axis(1, 2, 3, 0),
    lambda: strew.numpy.bincount([1]),
    lambda: strew.numpy.segment_mean([1], [0]),
):
    try:
        call()
    except ImportError as error:
        assert "strew.numpy needs NumPy" in str(error), error
    else:
        raise AssertionError("no error")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
