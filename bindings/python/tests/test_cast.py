# SPDX-License-Identifier: Apache-2.0
"""Updates of another element type: cast=True.

The oracle converts with NumPy, then applies one update after the other. NumPy has the same rules, but for these: it
takes floating-point numbers into integers and complex ones into real ones and bools, which cast refuses; and ml_dtypes
rounds twice what float32 has not on its way to bfloat16, so updates of bfloat16 data are numbers of float32 here. Long
doubles are not converted at all.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest

import oracle
import strew
from oracle import converted, is_converted, kind_of
from test_operands import CASES, DATA, Case, assert_same, refused

RANDOM = np.random.default_rng(11)
NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "longdouble", "complex64", "complex128", "bfloat16"]  # fmt: skip
FILLS = ("index_fill", "masked_fill")  # take one value
CAST_CASES = [case for case in CASES if case.name not in FILLS]
cast_cases = pytest.mark.parametrize("case", CAST_CASES, ids=lambda case: case.name)


@pytest.fixture(scope="module")
def dtypes() -> list[np.dtype[Any]]:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    return [np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name) for name in NAMES]


def drawn(dtype: np.dtype[Any], shape: tuple[int, ...], to: np.dtype[Any]) -> np.ndarray:
    """Small numbers, large ones, and those beyond the range of smaller types."""
    kind = kind_of(dtype)
    if kind == "b":
        return RANDOM.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        info = np.iinfo(dtype)
        low, high = (max(info.min, -(2**24)), min(info.max, 2**24)) if to.name == "bfloat16" else (info.min, info.max)
        large = RANDOM.integers(low, high, shape, dtype, endpoint=True)
        return np.where(RANDOM.random(shape) < 0.5, large, RANDOM.integers(0, 4, shape)).astype(dtype)
    parts = []
    special_numbers = np.array([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 65519.0, 65520.0, 1e39, 2.0**-25])
    for _ in "ri":
        numbers = RANDOM.standard_normal(shape) * np.exp2(RANDOM.integers(-30, 30, shape))
        special = RANDOM.choice(special_numbers, shape)
        parts.append(np.where(RANDOM.random(shape) < 0.6, numbers, special))
    with np.errstate(over="ignore"):
        if to.name == "bfloat16":
            parts = [part.astype(np.float32) for part in parts]
        made = np.empty(shape, dtype) if kind == "c" else parts[0].astype(dtype)
        if kind == "c":
            made.real, made.imag = parts
        return made


def with_updates(case: Case, updates: np.ndarray) -> tuple[Any, ...]:
    return tuple(updates if one is case.updates else one for one in case.args)


def reduction_of(case: Case) -> str:
    named = [one for one in case.args if isinstance(one, str)]
    return named[0] if named else "sum" if case.combine is operator.add else "none"


def strided(updates: np.ndarray, how: int) -> np.ndarray:
    if how == 0:
        return updates
    if how == 1:  # backwards
        return np.flip(np.flip(updates).copy())
    wide = np.zeros([2 * extent for extent in updates.shape], updates.dtype)
    wide[tuple([slice(None, None, 2)] * updates.ndim)] = updates
    return wide[tuple([slice(None, None, 2)] * updates.ndim)]


@cast_cases
@pytest.mark.filterwarnings("ignore")
def test_every_pair_of_types(case: Case, dtypes: list[np.dtype[Any]]) -> None:
    """All operators, on updates of all strides, into a new array, into another one, and in place."""
    for count, (to, given) in enumerate((to, given) for to in dtypes for given in dtypes):
        data = converted(drawn(given, DATA.shape, to), to) if is_converted(to, given) else np.ones(DATA.shape, to)
        updates = strided(drawn(given, case.updates.shape, to), count % 3)
        args = with_updates(case, updates)
        before = data.copy()
        if not is_converted(to, given):
            with refused("type_mismatch", f"which cast=True does not make {'float128' if to.char == 'g' else to.name}",
                         unchanged=(data, updates)):
                case.function(data, *args, **case.options, cast=True, out=data)
            continue
        as_elements = converted(updates, to)
        try:
            without = case.function(data, *with_updates(case, as_elements), **case.options)
        except strew.Error as error:  # a reduction that the elements do not have
            assert error.code == "unsupported_reduction"
            with refused("unsupported_reduction", unchanged=(data, updates)):
                case.function(data, *args, **case.options, cast=True, out=data)
            continue
        expected = oracle.scatter(data, zip(case.targets, as_elements.ravel()), reduction_of(case))
        if to.kind == "c" and reduction_of(case) == "prod":  # NumPy has other infinities and signs of zeros
            expected = without
        out = np.empty_like(data)
        for options in ({}, {"out": out, "threads": 2}, {"out": data}):
            result = case.function(data, *args, **case.options, cast=True, **options)
            assert_same(result, expected)
        assert result is data and not np.shares_memory(data, before)


@pytest.mark.parametrize("to, given", [
    ("float32", "bfloat16"), ("float32", "float16"), ("float64", "float32"), ("float16", "float64"), ("int32", "uint8"),
    ("complex64", "int16"), ("bool", "float64"),
])  # fmt: skip
@pytest.mark.parametrize("columns", [1, 7, 5000])
def test_many_updates(to: str, given: str, columns: int, dtypes: list[np.dtype[Any]]) -> None:
    """More than a block of them, on threads, with duplicates and with indices that are left out."""
    types = [next(each for each in dtypes if each.name == name) for name in (to, given)]
    count = 40_000 // columns
    data = drawn(types[0], (50, columns), types[0])
    index = RANDOM.integers(-3, 50, count)
    updates = drawn(types[1], (count, columns), types[0])
    for function in (strew.index_add, strew.index_copy):
        for source in (updates, np.asfortranarray(updates), np.broadcast_to(updates[:1], updates.shape)):
            expected = function(data, 0, index, converted(source, types[0]), mode="drop")
            for threads in (1, 2):
                assert_same(function(data, 0, index, source, mode="drop", cast=True, threads=threads), expected)


def test_forms_in_place() -> None:
    values = np.array([1, 2], np.int16)
    calls = {
        "index_add_": (0, [1, 1], values), "index_copy_": (0, [0, 1], values), "index_put_": (([0, 1],), values),
        "index_reduce_": (0, [0, 1], values, "max"), "masked_scatter_": (np.array([True, False, True]), values),
        "put_": ([0, 1], values), "put_along_axis_": ([0, 1], values, 0), "scatter_": (0, [0, 1], values),
        "scatter_add_": (0, [0, 1], values), "scatter_reduce_": (0, [0, 1], values, "mean"),
    }  # fmt: skip
    for name, args in calls.items():
        data = np.ones(3, np.float32)
        expected = getattr(strew, name[:-1])(data, *[one.astype("f4") if one is values else one for one in args])
        assert getattr(strew, name)(data, *args, cast=True) is data
        assert_same(data, expected)


def test_a_type_that_is_the_same_is_as_without_cast() -> None:
    data = np.arange(4.0)
    assert strew.index_copy(data, 0, [0], data[2:3], cast=True).tolist() == [2, 1, 2, 3]
    words = np.array(["a", "b"])
    assert strew.index_copy(words, 0, [0], np.array(["c"]), cast=True).tolist() == ["c", "b"]
    objects = np.array([1, None])
    assert strew.index_copy(objects, 0, [0], np.array(["c"], object), cast=True).tolist() == ["c", None]
    dates = np.zeros(2, "M8[s]")
    assert strew.index_copy(dates, 0, [0], np.ones(1, "M8[s]"), cast=True).view(int).tolist() == [1, 0]


def test_one_value_and_lists_are_as_without_cast() -> None:
    whole, real = np.zeros(3, int), np.zeros(3, np.float32)
    for value in (3, np.int8(3), np.array(3, np.uint8), [3]):
        for data in (whole, real):
            assert_same(strew.index_add(data, 0, [1], value, cast=True), strew.index_add(data, 0, [1], value))
    refused_values = [(whole, 1.5), (whole, np.array(1.5)), (whole, [1.5]), (real, 1j), (real, 1e39), (real, [1e39])]
    for data, value in refused_values:
        with pytest.raises(strew.Error) as without:
            strew.index_add(data, 0, [1], value)
        with pytest.raises(strew.Error) as caught:
            strew.index_add(data, 0, [1], value, cast=True)
        assert str(caught.value) == str(without.value)


def test_alpha_multiplies_what_was_converted() -> None:
    data, source = np.ones((3, 2), np.float32), np.array([[1, 200], [3, 4]], np.uint8)
    expected = strew.index_add(data, 0, [0, 0], source.astype(np.float32), alpha=2.5)
    assert_same(strew.index_add(data, 0, [0, 0], source, alpha=2.5, cast=True), expected)
    assert_same(strew.index_add(data, 0, [0, 0], source[:, ::-1], alpha=2.5, cast=True), expected[:, ::-1])


def test_what_is_refused() -> None:
    data = np.zeros(3, np.int32)
    source = np.ones(1)
    with refused("type_mismatch", "index_add_: source holds float64, which cast=True does not make int32: pass "
                 "source.astype('int32'), which drops fractions, or data of another type", unchanged=data):
        strew.index_add_(data, 0, [0], source, cast=True)
    with refused("type_mismatch", "source holds complex128, which cast=True does not make float32"):
        strew.index_add(np.zeros(3, "f4"), 0, [0], np.ones(1, complex), cast=True)
    for to, given in (("f4", ">f4"), (">f4", "f4"), ("f4", "M8[s]"), ("M8[s]", "i8"), ("M8[s]", "m8[s]"), ("U1", "U2"),
                      ("f4", "i4,i4"), ("O", "f4"), ("f4", "O")):
        data = np.zeros(3, to)
        with refused("type_mismatch", "which cast=True does not make", unchanged=data):
            strew.index_copy(data, 0, [0], np.zeros(1, given), cast=True, out=data)
    for wrong in (None, 1, 0, "True", np.array(True), [True]):
        with refused("type_mismatch", "cast", unchanged=data):
            strew.index_copy(data, 0, [0], data[:1], out=data, cast=wrong)
    with refused("type_mismatch", "out holds float64, expected int16"):
        strew.index_add(np.zeros(3, "i2"), 0, [0], np.zeros(1, "i1"), cast=True, out=np.zeros(3))
    for name, args in (("index_fill", (0, [0], 1)), ("masked_fill", (np.ones(3, bool), 1))):
        with pytest.raises(TypeError, match=f"{name}\\(\\) has no argument 'cast'"):
            getattr(strew, name)(np.zeros(3), *args, cast=True)
    assert strew.index_add(np.zeros(3), 0, [0], np.ones(1, "i1"), cast=np.True_).tolist() == [1, 0, 0]


def test_errors_of_the_operator() -> None:
    data, source = np.zeros((3, 2), np.float32), np.ones((2, 2), np.float16)
    with refused("index_out_of_bounds", "index[1] = 3 is outside [0, 2]", unchanged=data):
        strew.index_add_(data, 0, [0, 3], source, cast=True)
    with refused("extent_mismatch", "source has extent 2", unchanged=data):
        strew.index_add_(data, 0, [0], source, cast=True)
    memory = np.zeros(6, np.float32)
    with refused("overlap", "data shares memory with source: pass a copy of source", unchanged=memory):
        strew.index_add_(memory, 0, [0, 1], memory.view(np.int32)[2:4], cast=True)
    assert strew.index_add(memory, 0, [0, 1], memory.view(np.int32)[2:4], cast=True).tolist() == [0] * 6


def test_messages_name_it_where_it_helps() -> None:
    with pytest.raises(TypeError) as caught:
        strew.scatter_update(np.zeros(3), [0], np.zeros(1, "i4"), 0)
    assert str(caught.value) == (
        "scatter_update: updates holds int32, expected float64 as data does: "
        "pass updates.astype('float64') or cast=True"
    )
    with pytest.raises(TypeError) as caught:
        strew.put(bytearray(3), [0], memoryview(b"ab").cast("b"))
    assert str(caught.value) == "put: source holds int8, expected uint8 as data does: pass cast=True"
    for call in (
        lambda: strew.index_add(np.zeros(3, int), 0, [0], np.zeros(1)),
        lambda: strew.index_add(np.zeros(3), 0, [0], np.zeros(1), out=np.zeros(3, int)),
        lambda: strew.index_fill(np.zeros(3), 0, [0], np.zeros(1, int)),
        lambda: strew.index_add(np.zeros(3), 0, [0], np.zeros(1, "M8[s]")),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert "cast" not in str(caught.value)


@pytest.mark.parametrize("rows, count", [(4, 3), (3000, 9000)])  # of data's type without a schedule and with one
@pytest.mark.parametrize("alpha", [1, 2.5])
def test_prepared_and_bound_calls(rows: int, count: int, alpha: float) -> None:
    data, index = RANDOM.random((rows, 4)), RANDOM.integers(0, rows, count)
    for dtype in ("f4", "f2", "u1", "f8"):
        source = (10 * RANDOM.random((count, 4))).astype(dtype)
        expected = strew.index_add(data, 0, index, source.astype(data.dtype), alpha=alpha)
        prepared = strew.prepare(strew.index_add, data, 0, index, source, alpha=alpha, cast=True)
        bound = prepared.bind(index)
        assert_same(prepared.run(data, index, source), expected)
        assert_same(bound.run(data, source), expected)
        other = source.astype("i2")
        assert_same(prepared.run(data, index, other), strew.index_add(data, 0, index, other.astype(float), alpha=alpha))
        with refused("type_mismatch", "source has elements of another type than the indices were bound for"):
            bound.run(data, other)
        with refused("type_mismatch", "source holds complex128, which cast=True does not make float64"):
            prepared.run(data, index, source.astype(complex))
    with refused("type_mismatch", "source holds float32, expected float64"):
        strew.prepare(strew.index_add, data, 0, index, data.astype("f4")[:0])
    with refused("type_mismatch", "source holds complex128, which cast=True does not make float64"):
        strew.prepare(strew.index_add, data, 0, index, np.zeros((count, 4), complex), cast=True)


def test_with_other_arguments() -> None:
    data, source = np.zeros(3), np.array([1.0, np.nan, 4.0], np.float16)
    assert strew.index_reduce(data, 0, [1, 1, 2], source, "sum", skipna=True, cast=True).tolist() == [0, 1, 4]
    strew.index_add(data, 0, strew.segments([0, 2, 2, 3]), np.ones(3), cast=True)
    strew.index_copy(data, 0, [0], np.ones(1), cast=True, return_positions=True)
    words = "which take no elements that cast=True converts"
    for function in (strew.index_add, strew.index_copy):
        with refused("type_mismatch", f"index is segments, {words}", unchanged=data):
            function(data, 0, strew.segments([0, 2, 2, 3]), source, cast=True, out=data)
    with refused("type_mismatch", "return_positions takes no elements that cast=True converts", unchanged=data):
        strew.index_copy_(data, 0, [0, 1, 2], source, cast=True, return_positions=True)
    with refused("type_mismatch", "return_positions is not for segments", unchanged=data):
        strew.index_copy_(data, 0, strew.segments([0, 2, 2, 3]), np.ones(3), return_positions=True)


def test_tensors_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    table = torch.zeros(4, 3)
    for dtype in (torch.bfloat16, torch.float16, torch.float64, torch.int32, torch.bool):
        source = torch.arange(6).reshape(2, 3).to(dtype)
        expected = table.index_add(0, torch.tensor([1, 1]), source.to(table.dtype))
        assert torch.equal(strew.index_add(table, 0, [1, 1], source, cast=True), expected)
        narrow = torch.ones(4, 3, dtype=torch.bfloat16)
        assert strew.index_copy_(narrow, 0, [1, 2], source, cast=True) is narrow
        assert torch.equal(narrow[1:3], source.to(torch.bfloat16))
    with refused("type_mismatch", "pass source.to(torch.float32) or cast=True"):
        strew.index_add(table, 0, [1], torch.zeros(1, 3, dtype=torch.float16))
