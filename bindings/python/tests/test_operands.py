# SPDX-License-Identifier: Apache-2.0
"""Operands as objects of Python: whose memory they are, of which types, which are refused and with which words.

Results are compared with loops over NumPy arrays, written from the documentation of the operators. Whatever is refused
raises an exception and leaves data, out and updates as they were.
"""

from __future__ import annotations

import array
import contextlib
import copy
import ctypes
import dataclasses
import gc
import itertools
import math
import mmap
import operator
import pickle
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import strew
from strew import _strew


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture(scope="module")
def jax() -> Any:
    return pytest.importorskip("jax", reason="JAX is not installed")


def dtype_named(name: Any) -> np.dtype:
    if isinstance(name, str) and re.match(r"bfloat|float\d_|u?int[24]$", name):
        return np.dtype(getattr(pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed"), name))
    return np.dtype(name)


def bytes_of(operand: Any) -> Any:
    """What is in the memory of an operand, whatever the object stands for."""
    if hasattr(operand, "untyped_storage"):
        return bytes(operand.untyped_storage())
    if hasattr(operand, "memory"):
        return operand.memory.tobytes()
    if type(operand).__module__.startswith("jax"):
        return np.asarray(operand).tobytes()
    if isinstance(operand, (np.ndarray, np.generic)):
        return [*map(id, operand.flat)] if operand.dtype.kind == "O" else operand.tobytes()
    return bytes(operand)


@contextlib.contextmanager
def refused(code: str | None = None, words: str = "", unchanged: Any = ()) -> Iterator[None]:
    """An error of strew, before which nothing is written to the operands in `unchanged`."""
    unchanged = unchanged if isinstance(unchanged, (tuple, list)) else (unchanged,)
    before = [bytes_of(operand) for operand in unchanged]
    with pytest.raises(strew.Error) as caught:
        yield
    assert code is None or caught.value.code == code, caught.value
    assert words in str(caught.value)
    assert isinstance(caught.value, (IndexError, TypeError, ValueError))
    assert [bytes_of(operand) for operand in unchanged] == before, "written before the error"


def assert_same(result: Any, expected: np.ndarray) -> None:
    """Equal types and bits, but for the signs and payloads of NaNs."""
    assert result.dtype == expected.dtype and result.shape == expected.shape
    if expected.dtype.name == "bfloat16":
        result, expected = result.astype(np.float32), expected.astype(np.float32)
    if expected.dtype.kind in "fc":
        np.testing.assert_array_equal(result, expected)
        for part, expected_part in ((result.real, expected.real), (result.imag, expected.imag)):
            is_number = part == part
            np.testing.assert_array_equal(np.signbit(part[is_number]), np.signbit(expected_part[is_number]))
    else:
        assert result.tobytes() == expected.tobytes()


# ---- All operators

DATA = np.arange(12, dtype=np.float32).reshape(3, 4)
COLUMNS = [(0, 1), (0, 3), (1, 1), (1, 3), (2, 1), (2, 3)]  # of data[:, 1:4:2]
MASK = np.zeros((3, 4), bool)
MASK[0, 2] = MASK[2, 1] = True


def numbers(*shape: int) -> np.ndarray:
    return np.arange(100, 100 + math.prod(shape), dtype=np.float32).reshape(shape)


@dataclasses.dataclass(frozen=True)
class Case:
    """A call on DATA: `targets` are where its updates go, in row-major order; the last of its arguments are updates."""

    name: str
    args: tuple[Any, ...]
    targets: list[tuple[int, ...]]
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    combine: Callable[[Any, Any], Any] = lambda current, update: update

    @property
    def function(self) -> Callable[..., Any]:
        return operator.attrgetter(self.name)(strew)

    @property
    def updates(self) -> Any:
        return next(one for one in self.args if not isinstance(one, list) and np.asarray(one).dtype == np.float32)

    def call(self, data: Any, **more: Any) -> Any:
        return self.function(data, *self.args, **self.options, **more)

    def expected(self, data: np.ndarray) -> np.ndarray:
        result = data.copy()
        for target, update in zip(self.targets, np.resize(self.updates, len(self.targets))):
            result[target] = self.combine(result[target], update)
        return result


def rows(*targets: int) -> list[tuple[int, int]]:
    return [(row, column) for row in targets for column in range(4)]


SEVEN = np.float32(7)
TWO, ROW, PAIR, PAIRS = numbers(2, 4), numbers(4), numbers(1, 2), numbers(2)
CASES = [
    Case("slice_scatter", (numbers(3, 2),), COLUMNS, {"start": 1, "stop": 4, "step": 2, "axes": 1}),
    Case("scatter_update", ([2, 0], TWO, 0), rows(2, 0)),
    Case("index_copy", (0, [2, 0], TWO), rows(2, 0)),
    Case("index_add", (0, [2, 2], TWO), rows(2, 2), combine=operator.add),
    Case("index_reduce", (0, [2, 2], TWO, "max"), rows(2, 2), combine=max),
    Case("index_fill", (1, [0, -1], SEVEN), [(row, column) for row in range(3) for column in (0, 3)]),
    Case("scatter_elements_update", ([[2, 0]], PAIR, 1), [(0, 2), (0, 0)]),
    Case("scatter", (1, [[2, 0]], PAIR), [(0, 2), (0, 0)]),
    Case("scatter_add", (1, [[2, 2]], PAIR), [(0, 2), (0, 2)], combine=operator.add),
    Case("scatter_reduce", (1, [[2, 2]], PAIR, "prod"), [(0, 2), (0, 2)], combine=operator.mul),
    Case("put_along_axis", ([[-1, 0]], PAIR, 1), [(0, 3), (0, 0)]),
    Case("index_put", (([0, 2], [1, -1]), PAIRS, "sum"), [(0, 1), (2, 3)], combine=operator.add),
    Case("put", ([-1, 4], PAIRS), [(2, 3), (1, 0)]),
    Case("select_scatter", (ROW, 0, -1), rows(2)),
    Case("diagonal_scatter", (numbers(3), 1), [(0, 1), (1, 2), (2, 3)]),
    Case("masked_scatter", (MASK, numbers(3)), [(0, 2), (2, 1)]),
    Case("masked_fill", (MASK, SEVEN), [(0, 2), (2, 1)]),
    Case("v3.scatter_update", ([2, 0], TWO, 0), rows(2, 0)),
    Case("v3.scatter_elements_update", ([[2, 0]], PAIR, 1), [(0, 2), (0, 0)]),
    Case("v3.scatter_nd_update", ([[2, 0], [1, 1]], PAIRS), [(2, 0), (1, 1)]),
    Case("v12.scatter_elements_update", ([[-1, -1]], PAIR, 1, "sum"), [(0, 3), (0, 3)], combine=operator.add),
    Case("v14.scatter_nd_update", ([[-1], [0]], TWO, "sub"), rows(2, 0), combine=operator.sub),
    Case("v15.scatter_nd_update", ([[-1], [0]], TWO), rows(2, 0)),
    Case("v15.slice_scatter", (numbers(3, 2),), COLUMNS, {"start": -3, "step": 2, "axes": [1]}),
    Case("onnx.scatter", ([[-1, 0]], PAIR, 1), [(0, 3), (0, 0)]),
    Case("onnx.scatter_elements", ([[-1, -1]], PAIR, 1, "min"), [(0, 3), (0, 3)], combine=min),
    Case("onnx.scatter_nd", ([[-1], [-1]], TWO, "prod"), rows(2, 2), combine=operator.mul),
    Case(
        "onnx.tensor_scatter",
        (numbers(3, 2), [3, 0, 1]),
        [(0, 3), (0, 0), (1, 0), (1, 1), (2, 1), (2, 2)],
        {"mode": "circular", "axis": 1},
    ),
]
all_cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
# In place where their names end with an underscore.
IN_PLACE = (
    "index_add", "index_copy", "index_fill", "index_put", "index_reduce", "masked_fill", "masked_scatter", "put",
    "put_along_axis", "scatter", "scatter_add", "scatter_reduce",
)  # fmt: skip


def test_the_cases_are_all_operators() -> None:
    modules = {"": strew, "v3.": strew.v3, "v12.": strew.v12, "v14.": strew.v14, "v15.": strew.v15, "onnx.": strew.onnx}
    names = {
        prefix + name
        for prefix, module in modules.items()
        for name in module.__all__
        if callable(getattr(module, name)) and not isinstance(getattr(module, name), type)
    }
    in_place = {name for name in names if name.endswith("_")}
    assert {case.name for case in CASES} == names - in_place - {"prepare", "set_workspace_limit"}
    assert in_place == {f"{name}_" for name in IN_PLACE}


@all_cases
@pytest.mark.parametrize("order", "CF")
def test_a_new_array_is_returned(case: Case, order: str) -> None:
    data = np.array(DATA, order=order)
    before = bytes_of(case.updates)
    for options in ({}, {"out": None}, {"threads": 0}, {"threads": 2}):
        result = case.call(data, **options)
        assert type(result) is np.ndarray and result is not data and result.flags.owndata
        assert result.strides == data.copy(order="K").strides
        assert_same(result, case.expected(DATA))
    assert np.array_equal(data, DATA) and bytes_of(case.updates) == before


@pytest.mark.parametrize("axes", list(itertools.permutations(range(3))))
def test_a_new_array_has_its_axes_in_the_order_of_data(axes: tuple[int, ...]) -> None:
    dense = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    for data in (dense, dense[:, ::-1], dense[::2, :, 1:4], np.broadcast_to(dense[:, :1], (3, 4, 5))):
        turned = data.transpose(axes)
        expected = turned.copy()
        expected[[1, 0]] = 7
        result = strew.index_fill(turned, 0, [1, 0], 7)
        assert result.strides == turned.copy(order="K").strides and np.array_equal(result, expected)


@all_cases
def test_out_is_returned(case: Case) -> None:
    data, out, columns = DATA.copy(), np.empty_like(DATA), np.empty_like(DATA, order="F")
    assert case.call(data, out=out) is out and case.call(data, out=columns) is columns
    assert np.array_equal(data, DATA)
    assert case.call(data, out=data) is data
    for result in (out, columns, data):
        assert_same(result, case.expected(DATA))


@pytest.mark.parametrize("case", [case for case in CASES if case.name in IN_PLACE], ids=lambda case: case.name)
def test_the_form_in_place_returns_data(case: Case) -> None:
    in_place = getattr(strew, f"{case.name}_")
    for data in (DATA.copy(), np.array(DATA, order="F")):
        assert in_place(data, *case.args, **case.options, threads=2) is data
        assert_same(data, case.expected(DATA))
    frozen = DATA.copy()
    frozen.flags.writeable = False
    with refused("unreachable_memory", f"{case.name}_: data is read-only", unchanged=frozen):
        in_place(frozen, *case.args, **case.options)
    for options in ({"out": None}, {"out": data}):
        with pytest.raises(TypeError, match=f"{case.name}_.* writes to data; {case.name}.* takes out"):
            in_place(data, *case.args, **case.options, **options)


@all_cases
def test_a_wrong_out_is_refused(case: Case) -> None:
    data = DATA.copy()
    memory = np.zeros(24, np.float32)
    shifted = np.concatenate([DATA.ravel(), [0]]).astype(np.float32)
    read_only = np.zeros_like(DATA)
    read_only.flags.writeable = False
    wrong = {
        "rank_mismatch": [memory[:12], memory.reshape(2, 3, 4)],
        "extent_mismatch": [memory.reshape(4, 6), memory[:12].reshape(4, 3)],
        "type_mismatch": [DATA.astype(float), DATA.view(np.int32), DATA.view(">f4"), DATA.tolist(), 5, "out", Case],
        "unreachable_memory": [read_only, DATA.tobytes(), np.broadcast_to(SEVEN, (3, 4))],
        "repeated_element": [np.lib.stride_tricks.as_strided(memory, (3, 4), (0, 4))],
    }
    for code, outs in wrong.items():
        for out in outs:
            with refused(code, unchanged=(data, memory, read_only)):
                case.call(data, out=out)
    name_of_data = "past_cache" if case.name == "onnx.tensor_scatter" else "data"
    with refused("overlap", f"out shares memory with {name_of_data}", unchanged=shifted):
        case.call(shifted[:12].reshape(3, 4), out=shifted[1:].reshape(3, 4))
    if isinstance(case.updates, np.ndarray) and case.updates.size < 12:
        updates = np.concatenate([case.updates.ravel(), np.zeros(12, np.float32)])
        args = [updates[: one.size].reshape(one.shape) if one is case.updates else one for one in case.args]
        with refused("overlap", unchanged=(data, updates)):
            case.function(data, *args, **case.options, out=updates[:12].reshape(3, 4))


@all_cases
def test_wrong_options_are_refused(case: Case) -> None:
    data = DATA.copy()
    for threads in (True, 2.5, "2", [1], 2 + 0j):
        with refused("type_mismatch", "threads", unchanged=data):
            case.call(data, out=data, threads=threads)
    for threads in (-1, 1025, 10**30, -(10**5000)):
        with refused("value_out_of_range", "threads", unchanged=data):
            case.call(data, out=data, threads=threads)
    for options in ({"thread": 1}, {"output": data}, {"threads": None}, {"out": data, "Mode": "raise"}):
        with pytest.raises(TypeError):
            case.call(data, **options)
    with pytest.raises(TypeError):
        case.function(data)
    for wrong in (None, 5, "data", DATA.tolist(), object(), np.ndarray, len):
        with pytest.raises(TypeError):
            case.call(wrong)
    assert np.array_equal(data, DATA)


class Text(str):
    """A subclass of str."""


def signature_of(function: Any) -> str:
    """A line of a stub, with types."""
    return _strew.signatures[f"{function.__module__}.{function.__name__}"]


RIGHT_NAMES = {"Mode": "clip", "CacheMode": "circular", "Reduction": "sum"}  # by the type in the signature
NAMED_OPTIONS = [
    pytest.param(case, option, RIGHT_NAMES[kind], id=f"{case.name}-{option}")
    for case in CASES
    for option, kind in re.findall(r"(\w+): (\w+)", signature_of(case.function))
    if kind in RIGHT_NAMES
]


def test_the_options_by_name_are_found_in_signatures() -> None:
    options = [param.values[1] for param in NAMED_OPTIONS]
    assert options.count("mode") == 22 and options.count("reduction") == 9


@pytest.mark.parametrize(("case", "option", "right"), NAMED_OPTIONS)
def test_options_by_name(case: Case, option: str, right: str) -> None:
    args = case.args
    if option == "reduction":  # a positional argument in the cases
        args = tuple(one for one in args if not isinstance(one, str))
    data = DATA.copy()

    def call(name: Any, **more: Any) -> Any:
        return case.function(data, *args, **{**case.options, option: name}, **more)

    assert_same(call(Text(right)), call(right))
    for wrong in (5, b"clip", ["clip"], Case, type("Any", (), {"__str__": lambda self: right})()):
        with refused("type_mismatch", option, unchanged=data):
            call(wrong, out=data)
    for wrong in ("", "nothing", right.upper(), right + "\0", "\N{SNOWMAN}"):
        with refused(words=option, unchanged=data):
            call(wrong, out=data)


@all_cases
def test_reductions_are_those_of_the_documentation(case: Case) -> None:
    found = re.search(r"^reduction +(.*)$", case.function.__doc__, re.MULTILINE)
    offered = re.findall(r"\w+", found[1].replace(" or ", " ")) if found else []
    args = tuple(one for one in case.args if not isinstance(one, str))
    for reduction in KINDS if found else ():
        if reduction in offered:
            case.function(DATA, *args, reduction=reduction)
        elif reduction != "none":  # where it is not offered the reduction must be given
            with refused("unsupported_reduction", reduction):
                case.function(DATA, *args, reduction=reduction)


def test_surrogates_are_unknown_names() -> None:
    data = DATA.copy()
    for name in ("\ud800", "sum\udcff"):
        with refused(words="mode", unchanged=data):
            strew.scatter_update(data, [0], 7, 0, mode=name, out=data)
        with refused(words="reduction", unchanged=data):
            strew.index_reduce(data, 0, [0], 7, name, out=data)
        with refused(words="mode", unchanged=data):
            strew.onnx.tensor_scatter(data, numbers(3, 1), axis=1, mode=name, out=data)
        with refused(words="threads", unchanged=data):
            strew.scatter_update(data, [0], 7, 0, threads=name, out=data)


# ---- Element types

MOVED = [*"?bBhHiIlLqQefdgFDG", "S5", "U3", "V6", "M8[s]", "M8[ns]", "m8[ms]", "m8"]
MOVED += [">i2", ">f8", ">c16", ">U2", ">M8[D]"]
MOVED += ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
MOVED_STRUCTURES = [
    "i4,f8",
    np.dtype("i1,f8", align=True),
    [("a", ">i4"), ("b", "u1", (3,))],
    [("a", [("b", "f4"), ("c", "M8[s]")])],
]


@pytest.mark.parametrize("name", [*MOVED, *MOVED_STRUCTURES], ids=str)
def test_elements_of_any_type_are_moved(name: Any) -> None:
    dtype = dtype_named(name)
    random = np.random.default_rng(5)
    data = np.frombuffer(random.bytes(6 * dtype.itemsize), dtype).reshape(3, 2)
    updates = np.frombuffer(random.bytes(4 * dtype.itemsize), dtype).reshape(2, 2)
    rows_of_bytes = [data[k].tobytes() for k in range(3)]
    for k, target in enumerate([2, 0]):
        rows_of_bytes[target] = updates[k].tobytes()
    expected = b"".join(rows_of_bytes)
    everywhere = np.array([[False, False], [True, True], [False, False]])
    for result in (
        strew.scatter_update(data, [2, 0], updates, 0),
        strew.scatter_update(data, [2, 0], updates, 0, out=np.zeros_like(data)),
        strew.scatter(data, 0, [[2, 2], [0, 0]], updates),
        strew.onnx.scatter_nd(data, [[2], [0]], updates),
        strew.masked_scatter(np.frombuffer(expected, dtype).reshape(3, 2), everywhere, data[1]),
    ):
        assert result.dtype == dtype and result.tobytes() == expected
    with refused("index_out_of_bounds"):
        strew.scatter_update(data, [2, 3], updates, 0)
    if dtype.kind not in "biufc" and name not in ("bfloat16", "int4", "uint4"):
        with refused("unsupported_reduction"):
            strew.v15.scatter_nd_update(data, [[2], [0]], updates, "sum")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("M8[s]", "M8[ms]"), ("M8[s]", "m8[s]"), ("M8[s]", "i8"), (">i4", "<i4"), (">i4", ">u4"), ("i4", "u4"),
        ("i4", "f4"), ("e", "bfloat16"), ("i2", "bfloat16"), ("S4", "V4"), ("S3", "S4"), ("U1", "i4"), ("?", "u1"),
        ("c8", "f8"), ("i4,f4", "f4,i4"), ([("a", "i4")], [("b", "i4")]), ("i4,i4", "i8"), ("g", "c16"), ("O", "i8"),
        ("O", "T"), ("float8_e4m3fn", "float8_e5m2"), ("float8_e4m3fn", "u1"), ("int4", "i1"), ("uint4", "int4"),
    ],
    ids=str,
)  # fmt: skip
def test_types_are_never_mixed(one: Any, other: Any) -> None:
    one, other = dtype_named(one), dtype_named(other)
    for first, second in ((one, other), (other, one)):
        data, updates, out = np.ones(3, first), np.ones(1, second), np.ones(3, second)
        with refused("type_mismatch", "updates holds", unchanged=(data, updates)):
            strew.scatter_update(data, [1], updates, 0, out=data)
        with refused("type_mismatch", "out holds", unchanged=(data, out)):
            strew.scatter_update(data, [1], data[:1].copy(), 0, out=out)
        with refused("type_mismatch", unchanged=data):
            strew.masked_scatter(data, np.ones(3, bool), out, out=data)


NUMBERS = [*"?bBhHiIlLqQefdFD", "bfloat16"]
KINDS = ["none", "sum", "sub", "prod", "min", "max", "mean"]


def step(reduction: str, current: Any, update: Any) -> Any:
    """One update, rounded to the element type."""
    if reduction == "none":
        return update
    if current.dtype == bool:
        either, both = operator.or_, operator.and_
        gives = {"sum": either, "sub": operator.xor, "prod": both, "min": both, "max": either}
        return gives[reduction](current, update)
    if reduction in ("min", "max"):  # a NaN stays; of equal elements the current one
        is_better = update < current if reduction == "min" else current < update
        return current if current != current else update if update != update or is_better else current
    gives = {"sum": operator.add, "sub": operator.sub, "prod": operator.mul}
    return current.dtype.type(gives[reduction](current, update))


def mean(values: list[Any]) -> Any:
    """Integers: the exact sum, rounded down. 16-bit floats: in float, rounded once."""
    dtype = values[0].dtype
    if dtype.kind in "iu":
        return sum(map(int, values)) // len(values)
    wide = np.dtype(np.float32) if dtype.itemsize == 2 else dtype
    total = wide.type(values[0])
    for value in values[1:]:
        total = wide.type(total + wide.type(value))
    if dtype.kind == "c":
        return dtype.type(complex(total.real / len(values), total.imag / len(values)))
    return dtype.type(total / wide.type(len(values)))


def reduced(
    data: np.ndarray, index: np.ndarray, updates: np.ndarray, reduction: str, include_init: bool, skipna: bool = False
) -> np.ndarray:
    groups: dict[int, list[Any]] = {}
    for target, update in zip(index.tolist(), updates):
        if skipna and update != update:
            continue
        groups.setdefault(target, [data[target]] if include_init or reduction in ("none", "sub") else []).append(update)
    result = data.copy()
    with np.errstate(all="ignore"):
        for target, (first, *rest) in groups.items():
            for update in rest if reduction != "mean" else ():
                first = step(reduction, first, update)
            result[target] = mean([first, *rest]) if reduction == "mean" else first
    return result


def some_numbers(dtype: np.dtype, count: int, random: np.random.Generator) -> np.ndarray:
    if dtype.kind == "b":
        return random.random(count) < 0.5
    if dtype.kind in "iu":  # all of the range, so that sums wrap
        return np.frombuffer(random.bytes(count * dtype.itemsize), dtype)
    floats = random.normal(size=count) * np.exp(random.normal(size=count))
    if dtype.kind == "c":
        return (floats + 1j * random.normal(size=count)).astype(dtype)
    special = random.random(count)
    floats[special < 0.05] = np.nan
    floats[(0.05 < special) & (special < 0.2)] = -0.0
    floats[(0.2 < special) & (special < 0.3)] = 0.0
    floats[(0.3 < special) & (special < 0.35)] = np.inf
    return floats.astype(dtype)


@pytest.mark.parametrize("reduction", KINDS)
@pytest.mark.parametrize("name", NUMBERS)
def test_reductions_are_those_of_a_loop(name: str, reduction: str) -> None:
    dtype = dtype_named(name)
    random = np.random.default_rng(list(name.encode()))
    for count in (1, 40, 3000):
        data, updates = some_numbers(dtype, 20, random), some_numbers(dtype, count, random)
        index = random.integers(-10, 10, count) % 20
        for include_init in (True,) if reduction in ("none", "sub") else (True, False):
            call = partial(strew.v12.scatter_elements_update, data, index, updates, 0, reduction)
            if reduction == "sub":
                call = partial(strew.v15.scatter_nd_update, data, index[:, None], updates, reduction)
            if not include_init:
                call = partial(call, include_init=False)
            if (dtype.kind == "c" and reduction in ("min", "max")) or (dtype.kind == "b" and reduction == "mean"):
                with refused("unsupported_reduction", reduction, unchanged=(data, updates)):
                    call()
                continue
            expected = reduced(data, index, updates, reduction, include_init)
            assert_same(call(), expected)
            assert_same(call(threads=2), expected)


@pytest.mark.parametrize("reduction", KINDS)
@pytest.mark.parametrize("name", NUMBERS)
def test_reductions_without_nans_are_those_of_a_loop(name: str, reduction: str) -> None:
    dtype = dtype_named(name)
    random = np.random.default_rng(list(name.encode()))
    for count in (1, 40, 3000):
        data, updates = some_numbers(dtype, 20, random), some_numbers(dtype, count, random)
        if dtype.kind in "fcV":
            updates = np.where(random.random(count) < 0.6, np.asarray(np.nan, dtype), updates)
        updates = updates.astype(dtype)
        index = random.integers(-10, 10, count) % 20
        for include_init in (True, False):
            call = partial(
                strew.v12.scatter_elements_update, data, index, updates, 0, reduction, include_init=include_init, skipna=True
            )
            is_offered = reduction not in ("none", "sub")
            is_offered = is_offered and not (dtype.kind == "c" and reduction in ("min", "max"))
            if not is_offered or (dtype.kind == "b" and reduction == "mean"):
                with refused("unsupported_reduction", reduction, unchanged=(data, updates)):
                    call()
                continue
            expected = reduced(data, index, updates, reduction, include_init, skipna=True)
            assert_same(call(), expected)
            assert_same(call(threads=2), expected)


def test_every_operator_with_a_reduction_leaves_out_nans() -> None:
    updates = np.array([np.nan, 2.0, np.nan, 5.0])
    data, index, expected = np.array([1.0, 2.0]), np.array([0, 0, 1, 0]), [8.0, 2.0]
    for call in (
        partial(strew.index_reduce, data, 0, index, updates, "sum"),
        partial(strew.scatter_reduce, data, 0, index, updates, "sum"),
        partial(strew.v12.scatter_elements_update, data, index, updates, 0, "sum"),
        partial(strew.v15.scatter_nd_update, data, index[:, None], updates, "sum"),
        partial(strew.onnx.scatter_elements, data, index, updates, 0, "sum"),
        partial(strew.onnx.scatter_nd, data, index[:, None], updates, "sum"),
        partial(strew.index_put, data, (index,), updates, "sum"),
        partial(strew.put, data, index, updates, "sum"),
    ):
        assert call(skipna=True).tolist() == expected
        assert np.isnan(call(skipna=False)).all()
        assert np.isnan(call()).all()
    prepared = strew.prepare(strew.index_reduce, data, 0, index, updates, "mean", include_init=False, skipna=True)
    assert prepared.run(data, index, updates).tolist() == [3.5, 2.0]
    assert prepared.bind(index).run(data, updates).tolist() == [3.5, 2.0]


def test_sums_of_16_bits_are_rounded_at_each_step() -> None:
    # 2048 + 1 is 2048 in float16, 256 + 1 is 256 in bfloat16. A mean is rounded once.
    for name, start, count, average in (("e", 2048, 7, 257), ("bfloat16", 256, 4, 52)):
        dtype = dtype_named(name)
        data, ones = np.full(1, start, dtype), np.ones(count, dtype)
        assert strew.index_add(data, 0, [0] * count, ones)[0] == start
        assert strew.scatter_reduce(data, 0, [0] * count, ones, "mean")[0] == dtype.type(average)


def test_means_of_integers_are_exact() -> None:
    for dtype, values, expected in (
        ("b", [100, 100, 100], 100), ("B", [200, 200, 200], 200), ("b", [1, -2], -1), ("b", [7, -1, -1, -10], -2),
        ("q", [2**63 - 1, 2**63 - 1], 2**63 - 1), ("Q", [2**64 - 1] * 3, 2**64 - 1), ("q", [-(2**63)] * 2, -(2**63)),
    ):  # fmt: skip
        data, *rest = np.array(values, dtype)
        result = strew.scatter_reduce(np.array([data]), 0, [0] * len(rest), np.array(rest), "mean")
        assert int(result[0]) == expected


# ---- Elements that are references


class Object:
    """Something of which references can be counted."""


def test_references_are_counted() -> None:
    old, new = [Object() for _ in range(3)], [Object() for _ in range(2)]
    data, updates = np.array(old, object), np.array(new, object)

    def counts() -> list[int]:
        return [sys.getrefcount(one) for one in (*old, *new)]

    before = counts()
    result = strew.scatter_update(data, [2, 0], updates, 0)
    assert [*result] == [new[1], old[1], new[0]]
    assert [after - first for first, after in zip(before, counts())] == [0, 1, 0, 1, 1]
    del result
    assert counts() == before
    assert strew.scatter_update(data, [2, 2], updates, 0, out=data) is data
    assert [*data] == [old[0], old[1], new[1]]
    assert [after - first for first, after in zip(before, counts())] == [0, 0, -1, 0, 1]
    before = counts()
    out = np.array([None, new[0], 5], object)
    with refused("index_out_of_bounds", unchanged=(data, out)):
        strew.scatter_update(data, [0, 3], updates, 0, out=out)
    assert strew.scatter_update(data, [0, 1], updates, 0, out=out) is out
    del out
    gc.collect()  # of what the exception kept
    assert counts() == before


@all_cases
def test_objects_are_moved_by_all_operators(case: Case) -> None:
    if case.combine is not Case.combine:
        with refused("unsupported_reduction"):
            args = [one.astype(object) if one is case.updates else one for one in case.args]
            case.function(DATA.astype(object), *args, **case.options)
        return
    args = [one.astype(object) if one is case.updates and isinstance(one, np.ndarray) else one for one in case.args]
    data = DATA.astype(object)
    result = case.function(data, *args, **case.options)
    assert result.dtype == object and result.tolist() == case.expected(DATA).tolist()
    assert data.tolist() == DATA.tolist()
    assert case.function(data, *args, **case.options, out=data) is data and data.tolist() == result.tolist()


@pytest.mark.parametrize("dtype", ["i4,O", np.dtypes.StringDType(), np.dtypes.StringDType(na_object=None)], ids=str)
def test_other_references(dtype: Any) -> None:
    words = ["", "a" * 100, "short", "\N{SNOWMAN}" * 20] if dtype != "i4,O" else [(k, [k]) for k in range(4)]
    data, updates = np.array(words, dtype), np.array(words[1:3], dtype)
    result = strew.scatter_update(data, [0, 3], updates, 0)
    assert result.dtype == data.dtype and result.tolist() == [words[1], words[1], words[2], words[2]]
    assert strew.masked_scatter(data, np.array([True, False, False, True]), updates, out=data) is data
    assert data.tolist() == result.tolist()


def test_references_follow_the_rules_of_output() -> None:
    data = np.array([Object() for _ in range(4)], object)
    with refused("overlap", unchanged=data):
        strew.scatter_update(data[:3], [0], np.array([5], object), 0, out=data[1:])
    with refused("overlap", unchanged=data):
        strew.scatter_update(data[:2].copy(), [0, 1], data[:2], 0, out=data[:2])
    with refused("repeated_element", unchanged=data):
        out = np.lib.stride_tricks.as_strided(data, (3,), (0,))
        strew.scatter_update(data[1:].copy(), [0], np.array([5], object), 0, out=out)
    read_only = data.copy()
    read_only.flags.writeable = False
    with refused("unreachable_memory", unchanged=read_only):
        strew.scatter_update(data, [0], np.array([5], object), 0, out=read_only)


# ---- Layouts


def strided(values: np.ndarray) -> np.ndarray:
    room = np.zeros(tuple(2 * extent + 1 for extent in values.shape), values.dtype)
    view = room[tuple(slice(1, None, 2) for _ in values.shape)]
    view[...] = values
    return view


def unaligned(values: np.ndarray) -> np.ndarray:
    view = np.zeros(values.nbytes + 1, np.uint8)[1:].view(values.dtype).reshape(values.shape)
    view[...] = values
    assert values.dtype.itemsize == 1 or not view.flags.aligned
    return view


def reversed_(values: np.ndarray) -> np.ndarray:
    return np.flip(np.ascontiguousarray(np.flip(values)))


def field(values: np.ndarray) -> np.ndarray:
    records = np.zeros(values.shape, [("other", values.dtype), ("x", values.dtype)])
    records["x"] = values
    return records["x"]


def mapped(values: np.ndarray) -> np.ndarray:
    memory = np.memmap(tempfile.TemporaryFile(), values.dtype, "w+", shape=values.shape)
    memory[...] = values
    return memory


LAYOUTS = [np.array, np.asfortranarray, strided, unaligned, reversed_, field, mapped]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_layouts(layout: Callable[[np.ndarray], np.ndarray]) -> None:
    rows_at, updates = np.array([2, 0, 2]), numbers(3, 4)
    added = DATA.copy()
    for k, row in enumerate(rows_at):
        added[row] += updates[k]
    assert_same(strew.index_add(layout(DATA), 0, layout(rows_at), layout(updates)), added)
    out = layout(np.zeros_like(DATA))
    assert strew.index_add(DATA, 0, rows_at, updates, out=out) is out
    assert_same(out, added)
    data = layout(DATA)
    assert strew.index_add(data, 0, rows_at, layout(updates), out=data) is data
    assert_same(data, added)
    at = np.array([[3, 0], [3, 3]])
    scattered = DATA.copy()
    for i, j in np.ndindex(2, 2):
        scattered[i, at[i, j]] = updates[i, j]
    assert_same(strew.scatter(layout(DATA), 1, layout(at), layout(updates[:2, :2])), scattered)
    filled = np.where(MASK, 7, DATA)
    assert_same(strew.masked_fill(layout(DATA), layout(MASK), 7), filled)


def test_strides_must_be_multiples_of_the_element_size() -> None:
    records = np.zeros(3, "i4,i2")
    for call in (
        lambda one: strew.index_copy(one, 0, [0], 5),
        lambda one: strew.index_copy(np.zeros(9, np.int32), 0, one, 5),
        lambda one: strew.index_copy(np.zeros(3, np.int32), 0, [0, 1, 2], one),
        lambda one: strew.index_copy(np.zeros(3, np.int32), 0, [0], 5, out=one),
    ):
        with refused("misaligned_stride", "has a stride of 6 bytes on axis 0, no multiple of the element size, 4 bytes", unchanged=records):
            call(records["f0"])
    assert strew.index_copy(records["f1"], 0, [1], 5).tolist() == [0, 5, 0]  # 6 bytes are 3 elements
    assert strew.index_copy(records["f0"][:1], 0, [0], 5).tolist() == [5]  # a stride that is never used


@pytest.mark.parametrize("rank", range(18))
def test_ranks(rank: int) -> None:
    data, mask = np.zeros((2,) * min(rank, 2) + (1,) * (rank - 2)), np.array(True)
    if rank > 16:
        for call in (
            lambda: strew.index_copy(data, 0, [1], 5.0),
            lambda: strew.index_copy(np.zeros(3), 0, data.astype(int), 5.0),
            lambda: strew.slice_scatter(np.zeros(3), data, stop=1),
        ):
            with refused("too_many_axes", "more than 16"):
                call()
        return
    assert_same(strew.masked_fill(data, np.broadcast_to(mask, data.shape), 3.0), np.full(data.shape, 3.0))
    if rank == 0:
        with refused("rank_mismatch", "rank 0, expected at least 1"):
            strew.index_copy(data, 0, [0], 5.0)
        return
    expected = data.copy()
    expected[1] = 5
    assert_same(strew.index_copy(data, -rank, [1], 5.0), expected)
    assert_same(strew.index_copy(data, 0, [1], expected[1:]), expected)
    assert_same(strew.index_add(data, 0, [1], expected[1:]), expected)
    assert_same(strew.onnx.scatter_elements(data, np.ones(expected[1:].shape, int), expected[1:]), expected)


@pytest.mark.parametrize("shape", [(0,), (0, 4), (3, 0), (2, 0, 2)], ids=str)
def test_nothing(shape: tuple[int, ...]) -> None:
    data = np.zeros(shape)
    none = np.zeros(0, int)
    no_rows = np.zeros((0, *shape[1:]))
    assert strew.index_add(data, 0, none, no_rows).shape == shape
    assert strew.index_add(data, 0, [], 5.0, alpha=3).shape == shape
    assert strew.masked_scatter(data, np.zeros(shape, bool), np.zeros(0)).shape == shape
    assert strew.index_add(data, 0, none, no_rows, out=data) is data
    if shape[0] == 0:
        with refused("index_out_of_bounds"):
            strew.index_add(data, 0, [0], np.zeros((1, *shape[1:])))


def test_broadcast_views_are_updates_and_indices() -> None:
    data = np.zeros((3, 4))
    updates = np.broadcast_to(np.array([1.0, 2.0, 3.0, 4.0]), (5, 4))
    result = strew.index_add(data, 0, np.broadcast_to(np.int64(1), 5), updates)
    assert_same(result, np.array([[0.0] * 4, [5.0, 10.0, 15.0, 20.0], [0.0] * 4]))
    assert_same(strew.scatter_add(data, 0, np.broadcast_to(2, (5, 4)), updates)[2], 5 * updates[0])


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_subclasses_are_arrays() -> None:
    matrix = np.asmatrix(DATA.copy())
    result = strew.index_copy(matrix, 0, [1], np.asmatrix(numbers(1, 4)))
    expected = DATA.copy()
    expected[1] = numbers(4)
    assert type(result) is np.ndarray
    assert_same(result, expected)
    assert strew.index_copy(matrix, 0, [1], np.asmatrix(numbers(1, 4)), out=matrix) is matrix
    assert_same(np.asarray(matrix), expected)
    masked = np.ma.array([1, 2, 3], mask=[False, False, True])
    for arguments in ((masked, 0, [0], np.array([9])), (DATA[0], 0, masked, 9), (np.array([9]), 0, [0], masked[:1])):
        with refused("type_mismatch", words="masked array"):
            strew.index_copy(*arguments)


def test_records_are_arrays() -> None:
    records = np.zeros(3, "i4,f8").view(np.recarray)
    assert strew.index_copy(records, 0, [1], np.ones(1, "i4,f8")).tolist() == [(0, 0.0), (1, 1.0), (0, 0.0)]
    assert strew.index_copy(records, 0, [1], np.ones(1, "i4,f8"), out=records) is records
    assert records.tolist() == [(0, 0.0), (1, 1.0), (0, 0.0)]


def test_read_only_arrays_are_inputs_alone() -> None:
    data, index, updates, mask = DATA.copy(), np.array([1]), numbers(1, 4), MASK.copy()
    for one in (data, index, updates, mask):
        one.flags.writeable = False
    expected = DATA.copy()
    expected[1] = updates[0]
    result = strew.index_copy(data, 0, index, updates)
    assert_same(result, expected)
    assert result.flags.writeable
    assert_same(strew.masked_fill(data, mask, 3), np.where(MASK, 3, DATA).astype(np.float32))
    with refused("unreachable_memory", "data is read-only", unchanged=data):
        strew.index_copy(data, 0, index, updates, out=data)
    with refused("unreachable_memory", "out is read-only", unchanged=data):
        strew.index_copy(DATA, 0, index, updates, out=data)


def test_an_output_shares_no_memory_with_other_inputs() -> None:
    integers, bits, table = np.arange(5), np.array([True, False, True]), np.zeros((3, 2))
    for call in (
        lambda: strew.index_copy(integers, 0, integers[:2], 7, out=integers),
        lambda: strew.index_put(integers, (integers[:1],), 7, out=integers),
        lambda: strew.put(integers, integers, integers.copy(), out=integers),
        lambda: strew.masked_fill(bits, bits, False, out=bits),
        lambda: strew.masked_scatter(bits.copy(), bits[::-1], ~bits, out=bits),
        lambda: strew.onnx.tensor_scatter(integers[:4].reshape(2, 2), np.zeros((2, 1), int), integers[3:], axis=1,
                                          out=integers[:4].reshape(2, 2)),
    ):  # fmt: skip
        with refused("overlap", "out shares memory with", unchanged=(integers, bits)):
            call()
    # Columns of a table share no element.
    strew.index_copy(table[:, 0], 0, [1], 7.0, out=table[:, 1])
    assert table.tolist() == [[0, 0], [0, 7], [0, 0]]


def test_scalars_are_no_outputs() -> None:
    # What __array_struct__ of a scalar shows is a copy of it.
    for out in (np.float64(3), np.float32(3), np.datetime64(3, "s"), np.str_("abc"), np.ones(1, "i4,f8")[0].copy()):
        data = np.zeros((), np.asarray(out).dtype)
        with refused("unreachable_memory"):
            strew.masked_scatter(data, np.ones((), bool), data.copy(), out=out)
        with refused("unreachable_memory"):
            strew.masked_scatter(out, np.ones((), bool), data, out=out)


# ---- Indices


class Index:
    """An integer by its __index__ alone."""

    def __init__(self, value: Any, action: Callable[[], Any] = lambda: None) -> None:
        self.value = value
        self.action = action

    def __repr__(self) -> str:
        return "Index"

    def __index__(self) -> Any:
        self.action()
        return self.value


def updated(*targets: int) -> list[float]:
    return [7.0 if k in targets else 0.0 for k in range(5)]


def fill(index: Any, **options: Any) -> list[float]:
    return strew.scatter_update(np.zeros(5), index, 7.0, 0, **options).tolist()


INDICES = [
    [1, 3], (1, 3), [Index(1), np.int8(3)], [np.array(1), np.uint64(3)], np.array([[1], [3]]), [[[1], [3]]],
    memoryview(array.array("h", [1, 3])), array.array("Q", [1, 3]), bytes([1, 3]), bytearray([1, 3]),
    (ctypes.c_int16 * 2)(1, 3), ((1,), [3]), np.array([1, 3], "l"), np.array([1, 3], "q"), np.array([1, 3], "L"),
    np.array([1, 3], "Q"),
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=lambda index: type(index).__name__)
def test_what_indices_may_be(index: Any) -> None:
    assert fill(index) == updated(1, 3)


@pytest.mark.parametrize("index", [3, np.int64(3), np.uint8(3), np.array(3), np.array([3]), [3], [Index(3)]])
def test_one_index(index: Any) -> None:
    assert fill(index) == updated(3)
    assert strew.index_put(np.zeros(5), (index,), 7.0).tolist() == updated(3)


def test_an_object_with_index_is_one_index() -> None:
    assert fill(Index(3)) == updated(3)
    assert strew.index_put(np.zeros(5), (Index(3),), 7.0).tolist() == updated(3)


@pytest.mark.parametrize("index_type", [np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("value_type", [np.float64, np.float32, np.float16, np.int64, np.longdouble])
def test_scalars_of_numpy_as_index_and_value(index_type: Any, value_type: Any) -> None:
    # The memory that a scalar shows lives as long as its capsule.
    for _ in range(3):
        assert fill(index_type(3)) == updated(3)
        result = strew.scatter_update(np.zeros(5), index_type(3), value_type(7), 0)
        assert result.tolist() == updated(3)
    moments = strew.scatter_update(np.zeros(5, "M8[s]"), index_type(3), np.datetime64(7, "s"), 0)
    assert moments.astype(int).tolist() == [0, 0, 0, 7, 0]
    words = strew.scatter_update(np.zeros(5, "S8"), index_type(3), np.bytes_(b"abcdefgh"), 0)
    assert words.tolist() == [b"", b"", b"", b"abcdefgh", b""]


@pytest.mark.parametrize("code", "bBhHiIqQ")
def test_all_index_types(code: str) -> None:
    limits = np.iinfo(code)
    index = np.array([4, 0, 4, 1], code)
    for mode in ("raise", "drop", "clip", "wrap"):
        assert fill(index, mode=mode) == updated(0, 1, 4)
    for bad in {5, limits.max, limits.min or 5}:
        at = np.array([0, bad], code)
        data = np.zeros(5)
        with refused("index_out_of_bounds", f"indices[1] = {bad} is outside [0, 4]", unchanged=data):
            strew.scatter_update(data, at, 7.0, 0, out=data)
        assert fill(at, mode="drop") == updated(0)
        assert fill(at, mode="clip") == updated(0, 4 if bad > 0 else 0)
        assert fill(at, mode="wrap") == updated(0, int(bad) % 5)
        for wrapping in (lambda: strew.index_fill(data, 0, at, 7.0), lambda: strew.put(data, at, 7.0)):
            with refused("index_out_of_bounds", unchanged=data):
                wrapping()


NO_INDICES = ["?", *"efdgFOT", "S1", "U1", ">i2", ">i8", "M8[s]", "m8[s]", "i4,i4", "V8", "bfloat16", "int4"]


@pytest.mark.parametrize("name", NO_INDICES)
def test_indices_of_other_types_are_refused(name: str) -> None:
    data, index = np.zeros(5), np.ones(2, dtype_named(name))
    with refused("type_mismatch", "expected integers", unchanged=data):
        strew.scatter_update(data, index, 7.0, 0, out=data)
    with refused("type_mismatch", unchanged=data):
        strew.index_put(data, (index,), 7.0, out=data)
    if name != "?":
        with refused("type_mismatch", "expected bool", unchanged=data):
            strew.masked_fill(data, np.zeros(5, dtype_named(name)), 7.0, out=data)


@pytest.mark.parametrize(
    "index",
    [
        True, np.True_, [True], [0, np.True_], 1.0, [1.0], [0, np.float64(1)], "1", ["1"], [None], [[0], [None]], 1j,
        [1j], {1: 2}, {1}, iter([1]), [[0], {1}], object(), len, np.datetime64(1, "s"),
        [np.array([1, 2])], [np.array(1.0)], [Index(1.0)], Index("1"), [Index(None)],
    ],
    ids=lambda index: type(index).__name__,
)  # fmt: skip
def test_other_objects_are_no_indices(index: Any) -> None:
    data = np.zeros(5)
    with pytest.raises(TypeError):
        strew.scatter_update(data, index, 7.0, 0, out=data)
    with pytest.raises(TypeError):
        strew.index_put(data, (index,), 7.0, out=data)
    assert data.tolist() == updated()


def nested(depth: int) -> Any:
    return 1 if depth == 0 else [nested(depth - 1)]


def self_containing() -> list[Any]:
    itself: list[Any] = []
    itself.append(itself)
    return itself


@pytest.mark.parametrize(
    ("index", "code"),
    [
        ([[0], [1, 2]], "extent_mismatch"), ([[0, 1], [2]], "extent_mismatch"), ([0, [1]], "extent_mismatch"),
        ([[0], 1], "extent_mismatch"), ([[], [0]], "extent_mismatch"), ([[0], []], "extent_mismatch"),
        ([[[]], []], "extent_mismatch"), ([[], [[]]], "extent_mismatch"), ([[], 1], "extent_mismatch"),
        (nested(17), "too_many_axes"), (nested(900), "too_many_axes"), (self_containing(), "too_many_axes"),
        ([0, self_containing()], None), ([self_containing()] * 3, "too_many_axes"), ([0, 5], "index_out_of_bounds"),
        ([[0], [-6]], "index_out_of_bounds"), (2**63, "index_out_of_bounds"), ([2**63], "index_out_of_bounds"),
        ([0, 2**100], "index_out_of_bounds"), (-(2**70), "index_out_of_bounds"), ([10**5000], "index_out_of_bounds"),
        ([-(2**63)], "index_out_of_bounds"), ([2**63 - 1], "index_out_of_bounds"),
        ([Index(2**63)], "index_out_of_bounds"),
    ],
    ids=itertools.count(),
)  # fmt: skip
def test_bad_lists_are_refused(index: Any, code: str | None) -> None:
    data = np.zeros(5)
    with refused(code, "scatter_update: indices", unchanged=data):
        strew.scatter_update(data, index, 7.0, 0, out=data)
    with refused(code, unchanged=data):
        strew.index_put(data, (index,), 7.0, out=data)


def test_empty_and_deep_lists() -> None:
    for empty in ([], (), [[]], [[], []], [[[], []]], nested(15)[:0]):
        assert fill(empty) == updated()
    assert fill(nested(16)) == updated(1)
    for count in (0, 2, 17):
        with refused("rank_mismatch", f"indices holds {count} tensors"):
            strew.index_put(np.zeros(5), ([0],) * count, 7.0)


def test_lists_that_change_while_they_are_read() -> None:
    def listed(action: Callable[[list[Any]], Any]) -> list[Any]:
        items: list[Any] = []
        items += [Index(0, lambda: action(items)), 1, 2]
        return items

    # A list is copied before its entries are read.
    for action in (list.clear, lambda items: items.extend([4] * 1000), lambda items: items.__setitem__(1, "x")):
        assert fill(listed(action)) == updated(0, 1, 2)
    inner: list[Any] = [[Index(0, lambda: inner[1].clear())], [1]]
    with refused("extent_mismatch"):
        fill(inner)
    outer: list[Any] = [[Index(0, lambda: outer.clear())], [1]]
    assert fill(outer) == updated(0, 1)
    # Calls within a call.
    assert fill([Index(3, lambda: fill([4], threads=2)), 1]) == updated(1, 3)


def test_exceptions_of_operands_reach_the_caller() -> None:
    def stop(error: BaseException) -> Callable[[], Any]:
        def action() -> Any:
            raise error

        return action

    data = np.zeros(5)
    for error in (ZeroDivisionError("no"), KeyboardInterrupt(), SystemExit(2), RecursionError("\ud800")):
        for call in (
            lambda: strew.scatter_update(data, [0, Index(1, stop(error))], 7.0, 0, out=data),
            lambda: strew.scatter_update(data, [0], 7.0, Index(0, stop(error)), out=data),
            lambda: strew.slice_scatter(data, 7.0, start=[Index(0, stop(error))], out=data),
            lambda: strew.select_scatter(data, 7.0, 0, Index(0, stop(error)), out=data),
        ):
            with pytest.raises(type(error)) as caught:
                call()
            assert caught.value is error
    assert data.tolist() == updated()


# ---- Axes, offsets and bounds


@pytest.mark.parametrize("axis", [1, -1, np.int8(1), np.uint64(1), np.array(1), Index(-1)], ids=repr)
def test_axes(axis: Any) -> None:
    expected = DATA.copy()
    expected[:, 2] = 7
    assert_same(strew.scatter_update(DATA, [2], 7, axis), expected)
    assert_same(strew.select_scatter(DATA, 7, axis, Index(2)), expected)
    assert_same(strew.slice_scatter(DATA, 7, start=2, stop=3, axes=axis), expected)
    assert_same(strew.slice_scatter(DATA, 7, start=[2], stop=[3], axes=[axis]), expected)


def test_wrong_axes() -> None:
    data = DATA.copy()
    calls = [
        lambda axis: strew.scatter_update(data, [0], 7, axis, out=data),
        lambda axis: strew.scatter_add(data, axis, [[0]], 7, out=data),
        lambda axis: strew.select_scatter(data, 7, axis, 0, out=data),
        lambda axis: strew.diagonal_scatter(data, 7, 0, axis, 1, out=data),
        lambda axis: strew.onnx.tensor_scatter(data, data[:, :1].copy(), axis=axis, out=data),
        lambda axis: strew.slice_scatter(data, 7, start=0, axes=axis, out=data),
    ]
    for call in calls:
        for axis in (2, -3, 2**63, 2**100, -(2**70), np.uint64(2**63), np.int64(-(2**63)), 10**5000):
            with refused("axis_out_of_range", unchanged=data):
                call(axis)
        for axis in (True, 1.0, "1", 1j, object(), np.float64(1), np.array(1.0)):
            with pytest.raises(TypeError):
                call(axis)
    with pytest.raises(TypeError):
        strew.scatter_update(data, [0], 7, None, out=data)
    for index in (4, -5, 2**63, -(2**70)):
        with refused("index_out_of_bounds", unchanged=data):
            strew.select_scatter(data, numbers(3), 1, index, out=data)
    for offset in (2**63, -(2**70), 10**5000, 4, -3):  # no diagonal is there
        assert_same(strew.diagonal_scatter(data, 7, offset), DATA)
    assert np.array_equal(data, DATA)


BOUNDS = [
    [0, 1], (0, 1), np.array([0, 1]), np.array([0, 1], np.int32), np.array([0, 1], np.uint8),
    memoryview(array.array("q", [0, 1])), array.array("b", [0, 1]), [np.int64(0), Index(1)],
    np.array([[0, 1]])[0, ::1], np.array([1, 0])[::-1],
]  # fmt: skip


@pytest.mark.parametrize("bounds", BOUNDS, ids=lambda bounds: type(bounds).__name__)
def test_bounds_of_slices_are_integers_lists_or_arrays(bounds: Any) -> None:
    expected = DATA.copy()
    expected[0:, 1:] = 7
    assert_same(strew.slice_scatter(DATA, 7, start=bounds), expected)
    assert_same(strew.slice_scatter(DATA, 7, start=[0, 1], axes=bounds), expected)


def test_an_array_of_one_bound() -> None:
    for one in (np.array([1]), np.array([1], np.uint8), np.array(1), memoryview(b"\1")):
        assert_same(strew.slice_scatter(DATA, numbers(2, 4), start=one), np.concatenate([DATA[:1], numbers(2, 4)]))


def test_bounds_of_torch(torch: Any) -> None:
    data = torch.tensor(DATA)
    expected = DATA.copy()
    expected[1:, 2:] = 7
    assert_same(strew.slice_scatter(data, 7, start=torch.tensor([1, 2])).numpy(), expected)


def test_bounds_clamp() -> None:
    for start, stop, step in itertools.product((None, -(10**30), -3, 0, 2, 2**63, 10**30), repeat=3):
        if step == 0:
            with refused("zero_step"):
                strew.slice_scatter(DATA, 7, start=start, stop=stop, step=step, axes=1)
            continue
        expected = DATA.copy()
        expected[:, slice(start, stop, step)] = 7
        assert_same(strew.slice_scatter(DATA, 7, start=start, stop=stop, step=step, axes=1), expected)


def test_wrong_bounds() -> None:
    data = DATA.copy()
    for wrong in (True, 1.0, "1", [1.0], [None], [[1]], np.array([1.0]), np.array([[1]]), {1}, object(), b""):
        with pytest.raises((TypeError, ValueError)):
            strew.slice_scatter(data, 7, start=wrong, stop=[1], out=data)
    with refused("count_mismatch", unchanged=data):
        strew.slice_scatter(data, 7, start=[0, 0], stop=[1], out=data)
    with refused(unchanged=data):
        strew.slice_scatter(data, 7, start=[0] * 17, out=data)
    with refused(unchanged=data):
        strew.slice_scatter(data, 7, start=bytes(1000), out=data)
    with refused("repeated_axis", unchanged=data):
        strew.slice_scatter(data, 7, start=[0, 0], axes=[1, -1], out=data)


# ---- One value for all updates


@pytest.mark.parametrize("name", NUMBERS)
def test_values_that_elements_hold(name: str) -> None:
    dtype = dtype_named(name)
    values: list[Any] = [True, 1, np.bool_(True), np.int8(1), np.uint64(1), dtype.type(1)]
    if dtype.kind not in "biu":
        values += [2.5, np.float16(2.5), np.float64(2.5), np.longdouble(2.5), 0.0, -0.0, math.inf, -math.inf, math.nan]
        values += [2**64, -(2**100), type("Float", (float,), {})(2.5)] if name not in "e" else [65504]
    if dtype.kind == "c":
        values += [1 + 2j, np.complex64(1 + 2j), np.complex128(3 - 1j), complex(math.inf, math.nan)]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        values += [limits.max, limits.min, np.int64(3), type("Int", (int,), {})(5)]
    for value in values:
        data = np.zeros(3, dtype)
        expected = data.copy()
        expected[1] = dtype.type(value if dtype.kind in "biuc" else float(value))
        assert_same(strew.scatter_update(data, [1], value, 0), expected)
        assert_same(strew.index_fill(data, 0, [1], value), expected)
        assert_same(strew.masked_fill(data, np.array([False, True, False]), value), expected)


OUTSIDE = [
    ("b", [128, -129, 2**63, 2**100, -(10**5000), np.int16(300), np.uint64(2**63)], "value_out_of_range"),
    ("B", [-1, 256, np.int8(-1)], "value_out_of_range"), ("q", [2**63, -(2**63) - 1], "value_out_of_range"),
    ("Q", [2**64, -1], "value_out_of_range"), ("?", [2, -1, 2**100], "value_out_of_range"),
    ("i", [2.5, 2.0, math.nan, math.inf, np.float32(1), np.longdouble(1)], "type_mismatch"),
    ("?", [1.0], "type_mismatch"), ("e", [65520.0, 70000, -(2**20), 2**2000], "value_out_of_range"),
    ("f", [1e39, 2**200, 2**5000], "value_out_of_range"), ("d", [2**1024, -(10**400), 10**5000], "value_out_of_range"),
    ("bfloat16", [1e39], "value_out_of_range"), ("F", [1e39, 2**200], "value_out_of_range"),
    ("d", [1j, 1 + 0j, np.complex64(1)], "type_mismatch"), ("q", [1j], "type_mismatch"),
    ("M8[s]", [5, 2.5, np.datetime64(5, "ms"), np.timedelta64(5, "s")], "type_mismatch"), ("S4", [5], "type_mismatch"),
    ("i8", [np.datetime64(5, "s"), np.timedelta64(5, "s")], "type_mismatch"), (">i4", [5], "type_mismatch"),
    ("i4,f8", [5, 2.5], "type_mismatch"), ("U3", [np.str_("ab")], "type_mismatch"),
    ("float8_e4m3fn", [1.0], "type_mismatch"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "code"), OUTSIDE, ids=[f"{name}-{code}" for name, _, code in OUTSIDE])
@pytest.mark.filterwarnings("error")  # no part of a number is dropped with a warning
def test_values_that_elements_do_not_hold(name: str, values: list[Any], code: str) -> None:
    data = np.zeros(3, dtype_named(name))
    for value in values:
        for call in (
            lambda: strew.scatter_update(data, [1], value, 0, out=data),
            lambda: strew.index_fill(data, 0, [1], value, out=data),
            lambda: strew.slice_scatter(data, value, out=data),
            lambda: strew.masked_fill(data, np.ones(3, bool), value, out=data),
        ):
            with refused(code, unchanged=data):
                call()


@pytest.mark.parametrize("name", ["M8[s]", "m8[ms]", "i4,f8", "S4", "V3", "float8_e4m3fn", "g", "G"])
def test_scalars_of_numpy_with_other_elements(name: str) -> None:
    dtype = dtype_named(name)
    values = np.array([b"abcd"[: dtype.itemsize]], dtype) if name in ("S4", "V3") else np.ones(1, dtype)
    result = strew.scatter_update(np.zeros(3, dtype), [1], values[0], 0)
    assert result.dtype == dtype and [*(result == values[0])] == [False, True, False]


def test_objects_take_numbers() -> None:
    assert strew.scatter_update(np.zeros(3, object), [1], 2.5, 0).tolist() == [0, 2.5, 0]


@pytest.mark.filterwarnings("error")
def test_complex_long_doubles_keep_their_imaginary_parts() -> None:
    for dtype in (np.complex64, np.complex128):
        assert strew.scatter_update(np.zeros(1, dtype), [0], np.clongdouble(1 + 2j), 0).tolist() == [1 + 2j]
    with refused("type_mismatch"):
        strew.scatter_update(np.zeros(1), [0], np.clongdouble(1 + 2j), 0)


def test_complex_numbers_out_of_range() -> None:
    data = np.zeros(1, np.complex64)
    for value in (complex(1e300, 0), complex(0, -1e300), np.complex128(1e300)):  # as 1e300 is
        with refused("value_out_of_range", unchanged=data):
            strew.scatter_update(data, [0], value, 0, out=data)


def test_what_is_no_value() -> None:
    data = np.zeros(3)
    for wrong in (None, "1", ["1"], [None], [[1.0], {1.0}], {1.0}, object(), Index(1), len):
        with pytest.raises(TypeError):
            strew.scatter_update(data, [1], wrong, 0, out=data)
    for wrong in (None, "1", [1.0], (1.0,), {1.0}, object(), Index(1), len):
        with pytest.raises(TypeError):
            strew.index_add(data, 0, [1], 1.0, alpha=wrong, out=data)
    with refused("type_mismatch", "expected an array"):  # the value could be any number of elements
        strew.masked_scatter(data, np.ones(3, bool), 1.0, out=data)
    with refused("type_mismatch", "expected an array"):
        strew.onnx.tensor_scatter(data[None], 1.0)
    for mask in ([1, 0, 1], [True, False, None], True, np.ones(3), None):
        with pytest.raises(TypeError):
            strew.masked_fill(data, mask, 1.0, out=data)
    assert not data.any()


def test_arrays_of_rank_0_stand_for_one_value() -> None:
    data = np.zeros(3, np.float32)
    for value in (np.array(2.5), np.array(2.5, "f4"), np.array(2, "i1"), np.array(2.5, "f2"), np.array(2.5).view(np.matrix)):
        expected = [0, float(value.item()), 0] if value.ndim == 0 else None
        if expected is None:  # numpy.matrix has rank 2
            continue
        assert strew.scatter_update(data, [1], value, 0).tolist() == expected
        assert strew.index_fill(data, 0, [1], value).tolist() == expected
        assert strew.masked_fill(data, np.array([False, True, False]), value).tolist() == expected
        assert strew.index_add(data, 0, [1], 1.0, alpha=value).tolist() == expected
        assert strew.slice_scatter(data, value, start=1, stop=2).tolist() == expected
        prepared = strew.prepare(strew.index_add, data, 0, [1], value.astype("f4"))
        assert prepared.run(data, [1], value).tolist() == expected
        assert prepared.bind([1]).run(data, value).tolist() == expected
    with refused("value_out_of_range", "source = 1e+300 is outside", unchanged=data):
        strew.index_copy(data, 0, [1], np.array(1e300), out=data)
    dates = np.zeros(2, "M8[s]")
    assert strew.scatter_update(dates, [1], np.array(5, "M8[s]"), 0).astype(int).tolist() == [0, 5]
    with refused("type_mismatch"):
        strew.scatter_update(dates, [1], np.array(5, "M8[ms]"), 0)
    objects = np.array([None, None], object)
    thing = np.array(None, object)
    thing[()] = [1, 2]
    assert strew.scatter_update(objects, [1], thing, 0).tolist() == [None, [1, 2]]
    with refused("unreachable_memory"):
        strew.index_copy(data, 0, [1], 2.0, out=np.array(1.0, "f4")[()])
    # With an index of rank 0 the updates have rank 0.
    assert strew.index_copy(data, 0, np.array(1), np.array(3, "f4")).tolist() == [0, 3, 0]


def test_ranges_are_indices() -> None:
    data = np.arange(6.0)
    for index in (range(3), range(4, -1, -2), range(0), range(5, 6), [range(2), range(2, 4)], ((0, 1), range(2))):
        listed = [[*each] if isinstance(each, (range, tuple)) else each for each in index]
        expected = data.copy()
        np.add.at(expected, np.array(listed, int), 1)
        assert strew.index_add(data, 0, index, 1.0).tolist() == expected.tolist()
        assert strew.index_put(data, (index,), 1.0, "sum").tolist() == expected.tolist()
    for large in (range(2**70, 2**70 + 2), range(-(2**70), 0, 2**69)):
        with refused("index_out_of_bounds", "1180591620717411303424", unchanged=data):
            strew.put(data, large, 1.0, out=data)
    assert strew.put(data, range(2**70 + 1, 2**70 + 2), 9.0, mode="wrap").tolist().index(9) == (2**70 + 1) % 6
    with pytest.raises((MemoryError, strew.Error)):
        strew.index_add(data, 0, range(10**17), 1.0)
    with pytest.raises((MemoryError, OverflowError, strew.Error)):
        strew.index_add(data, 0, range(10**30), 1.0)
    with refused("extent_mismatch", "lists of different lengths"):
        strew.put(data, [range(2), range(3)], 1.0)


def test_lists_are_masks() -> None:
    data = np.arange(4.0).reshape(2, 2)
    for mask in ([[True, False], [False, True]], ((np.True_, False), [False, np.bool_(1)])):
        assert strew.masked_fill(data, mask, 9).tolist() == [[9, 1], [2, 9]]
        assert strew.masked_scatter(data, mask, [7, 8]).tolist() == [[7, 1], [2, 8]]
        copy = data.copy()
        assert strew.masked_fill_(copy, mask, 9) is copy and copy[0, 0] == 9
    assert strew.masked_fill(np.zeros(0), [], 1.0).shape == (0,)
    for mask, code, words in (
        ([[1, 0], [0, 1]], "type_mismatch", "mask holds an int, expected bools"),
        ([True, False], "rank_mismatch", "mask has rank 1"),
        ([[True], [False]], "extent_mismatch", "mask has extent 1 on axis 1"),
        ([[True], [False, True]], "extent_mismatch", "different lengths"),
        ([True, [False]], "extent_mismatch", ""),
    ):
        with refused(code, words, unchanged=data):
            strew.masked_fill(data, mask, 9, out=data)


def test_lists_are_updates() -> None:
    for dtype in ("f8", "f4", "i2", "u1", "?", "c8", "f2"):
        data = np.zeros((3, 2), dtype)
        updates = [[1, 0], [True, 1]]
        expected = data.copy()
        expected[[2, 0]] = updates
        for given in (updates, ((1, 0), [1, 1]), [range(1, -1, -1), [1, 1]]):
            assert_same(strew.scatter_update(data, [2, 0], given, 0), expected)
            assert_same(strew.index_copy(data, 0, [2, 0], given), expected)
        assert_same(strew.slice_scatter(data, [[1, 0]], start=1, stop=2), np.array([[0, 0], [1, 0], [0, 0]], dtype))
    data = np.zeros(3, np.int8)
    assert strew.onnx.tensor_scatter(data.reshape(1, 3), [[5, 6]], axis=1).tolist() == [[5, 6, 0]]
    for updates, code, words in (
        ([1, 200], "value_out_of_range", "source[1] = 200 is outside [-128, 127]"),
        ([1, 2**70], "value_out_of_range", "source[1] = 1180591620717411303424 is outside"),
        ([1, 1j], "type_mismatch", "source[1] is a complex value"),
        ([1, "2"], "type_mismatch", "source holds a str, expected numbers"),
        ([1, None], "type_mismatch", "source holds None, expected numbers"),
        ([1], "extent_mismatch", "source has extent 1 on axis 0, expected 2 as index has"),
        ([[1, 2]], "rank_mismatch", "source has rank 2"),
        ([1, [2]], "extent_mismatch", "source is a list"),
    ):
        with refused(code, words, unchanged=data):
            strew.index_add(data, 0, [0, 1], updates, out=data)
    dates = np.zeros(2, "M8[s]")
    assert strew.scatter_update(dates, [1], [np.datetime64(5, "s")], 0).astype(int).tolist() == [0, 5]
    with refused("type_mismatch"):
        strew.scatter_update(dates, [1], [5], 0)
    with refused("type_mismatch", "expected an array"):  # a list is one object
        strew.scatter_update(np.array([None, None]), [1], [5], 0)


def test_alpha() -> None:
    data = np.array([1, 2, 3], np.int16)
    for alpha in (-2, np.int16(-2), np.int64(-2)):
        assert strew.index_add(data, 0, [0, 0], np.array([10, 20], np.int16), alpha=alpha).tolist() == [-59, 2, 3]
    for alpha, code in ((2.0, "type_mismatch"), (2**15, "value_out_of_range"), (10**30, "value_out_of_range")):
        with refused(code, "alpha", unchanged=data):
            strew.index_add(data, 0, [0], 1, alpha=alpha, out=data)
    deep = np.ones((1,) * 16)
    assert_same(strew.index_add(deep, 0, [0], deep, alpha=2), np.full((1,) * 16, 3.0))
    # Each product is rounded: 3 * 1000.5 is no float16.
    half = strew.index_add(np.zeros(1, np.float16), 0, [0], np.array([1000.5], np.float16), alpha=3)
    assert half[0] == np.float16(3) * np.float16(1000.5)
    # 0 * inf is NaN for alpha = 0; with alpha = 1 there is no product.
    assert np.isnan(strew.index_add(np.zeros(1), 0, [0], np.array([np.inf]), alpha=0)[0])


def test_overlap_and_a_factor() -> None:
    """With a factor the products have memory of their own, so that nothing overlaps."""
    data = np.array([1, 2, 3])
    with refused("overlap", unchanged=data):
        strew.index_add(data, 0, [0], data[1:2], out=data)
    assert strew.index_add(data, 0, [0], data[1:2], alpha=2, out=data).tolist() == [5, 2, 3]


def test_values_of_too_many_updates() -> None:
    data = np.zeros((1, 2**20), np.uint8)
    with refused("size_overflow", unchanged=data):
        strew.scatter_update(data, np.broadcast_to(np.int64(0), 2**50), 1, 0, out=data)


# ---- The buffer protocol


def test_buffers_are_operands() -> None:
    memory = array.array("i", [1, 2, 3])
    assert strew.index_add(memory, 0, [0, 0], array.array("i", [10, 20]), out=memory) is memory
    assert memory.tolist() == [31, 2, 3]
    result = strew.index_add(memory, 0, [1], 5)
    assert type(result) is memoryview and result.format == "i" and result.tolist() == [31, 7, 3]
    matrix = memoryview(bytearray(range(6))).cast("B", [2, 3])
    assert strew.index_copy(matrix, 0, [0], matrix[1:]).tolist() == [[3, 4, 5], [3, 4, 5]]
    assert strew.put(memoryview(bytes(range(6)))[::-2], [0], 9).tolist() == [9, 3, 1]
    assert bytes(strew.put(b"abc", [1], ord("X"))) == b"aXc"
    assert strew.masked_fill(bytearray(b"abc"), memoryview(bytes([1, 0, 1])).cast("?"), ord("X")).tobytes() == b"XbX"


def test_ctypes_arrays_are_operands() -> None:
    numbers_of_c = (ctypes.c_int * 3 * 2)()
    assert strew.select_scatter(numbers_of_c, (ctypes.c_int * 3)(1, 2, 3), 0, 1, out=numbers_of_c) is numbers_of_c
    assert [[*row] for row in numbers_of_c] == [[0, 0, 0], [1, 2, 3]]
    with refused("type_mismatch", "pass out"):  # memoryview has no new ones of this format
        strew.index_add(numbers_of_c, 0, [0], 5)

    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int), ("ZOOP&X", ctypes.c_double)]  # a name is no format

    pairs = (Pair * 3)()
    strew.index_copy(pairs, 0, [1], (Pair * 1)((7, 8.5)), out=pairs)
    assert [(pair.a, getattr(pair, "ZOOP&X")) for pair in pairs] == [(0, 0.0), (7, 8.5), (0, 0.0)]
    big = (ctypes.c_int16.__ctype_be__ * 2)(1, 2)
    assert [*strew.index_copy(big, 0, [1], (ctypes.c_int16.__ctype_be__ * 1)(9), out=big)] == [1, 9]
    with refused("type_mismatch", unchanged=big):
        strew.index_copy(big, 0, [1], (ctypes.c_int16 * 1)(9), out=big)


@pytest.mark.parametrize("name", ["c_void_p", "py_object", "c_char_p", "c_wchar_p"])
def test_addresses_are_no_plain_elements(name: str) -> None:
    # They would be copied without what keeps their memory.
    kind = getattr(ctypes, name)
    references = (kind * 3)()
    with refused("type_mismatch", unchanged=references):
        strew.index_copy(references, 0, [1], (kind * 1)(), out=references)


def test_read_only_buffers_are_inputs_alone() -> None:
    for data in (b"abc", memoryview(b"abc"), memoryview(bytearray(b"abc")).toreadonly()):
        assert bytes(strew.put(data, b"\x01", memoryview(b"X"))) == b"aXc"
        with refused("unreachable_memory", unchanged=data):
            strew.put(data, [1], ord("X"), out=data)
        with refused("unreachable_memory", unchanged=data):
            strew.put(b"xyz", [1], ord("X"), out=data)


@pytest.mark.parametrize("bad_index", [False, True])
def test_buffers_are_released(bad_index: bool) -> None:
    data, index, updates, out = (bytearray(range(4)) for _ in range(4))
    with contextlib.suppress(IndexError):
        strew.scatter(data, 0, bytearray([9]) if bad_index else index[:1], updates[:1])
        strew.scatter(data, 0, index, updates, out=out)
    with contextlib.suppress(IndexError):
        strew.put(data, index if not bad_index else [0, 9], updates if not bad_index else 1, out=data)
    for memory in (data, index, updates, out):
        memory.extend(b"more")  # a BufferError while it is exported
    with mmap.mmap(-1, 16) as pages:
        assert strew.put(pages, [3, 1], 65, out=pages) is pages and pages[:4] == b"\0A\0A"
        with refused("index_out_of_bounds", unchanged=pages[:]):
            strew.put(pages, [0, 16], 65, out=pages)
    addresses = memoryview(bytearray(16)).cast("P")
    with refused("type_mismatch"):
        strew.put(addresses, [0], addresses[:1])
    addresses.release()
    view = memoryview(b"abc")
    view.release()
    with refused("unreachable_memory", "released"):
        strew.put(view, [0], 1)


def test_every_byte_of_a_bool_but_0_is_true() -> None:
    mask = np.array([0, 2, 255, 1], np.uint8).view(bool)
    assert strew.masked_fill(np.zeros(4), mask, 3.0).tolist() == [0, 3, 3, 3]
    assert strew.masked_scatter(np.zeros(4), mask, np.array([1.0, 2.0, 3.0])).tolist() == [0, 1, 2, 3]
    assert strew.scatter_add(mask, 0, [0, 1], True).view(np.uint8).tolist()[:2] == [1, 1]
    assert strew.scatter(np.zeros(4, bool), 0, [1], mask[1:2]).view(np.uint8).tolist() == [0, 2, 0, 0]


# ---- Protocols that lie

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Elements(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("elements", Elements),
    ]  # fmt: skip


class Unversioned(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("elements", Elements), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


def list_in_c(kind: Any, values: Any) -> Any:
    return None if values is None else (kind * max(1, len(values)))(*values)


class Dlpack:
    """A tensor of 4 numbers of 64 bits, whose capsule says something else."""

    def __init__(
        self, shape=(4,), strides=None, code=2, bits=64, lanes=1, device=1, ndim=None, null=False, major=1, flags=0,
        name=b"dltensor_versioned",
    ):  # fmt: skip
        self.memory = np.zeros(8)
        self.name = name
        self.lists = [list_in_c(ctypes.c_int64, shape), list_in_c(ctypes.c_int64, strides)]
        rank = ndim if ndim is not None else len(shape)
        address = None if null else self.memory.ctypes.data
        elements = Elements(address, (device, 0), rank, code, bits, lanes, *self.lists, 0)
        self.managed = Versioned(major, 0, None, None, flags, elements)
        if name == b"dltensor":
            self.managed = Unversioned(elements, None, None)

    def __dlpack__(self, **options: Any) -> Any:
        return new_capsule(ctypes.addressof(self.managed), self.name, None)


def put_seven(data: Any) -> Any:
    return strew.scatter_update(data, [1], 7.0, 0, out=data)


def test_honest_capsules_are_operands() -> None:
    fake = Dlpack()
    assert put_seven(fake) is fake and fake.memory.tolist() == [0, 7, 0, 0, 0, 0, 0, 0]
    strided_one = Dlpack(strides=(2,))
    put_seven(strided_one)
    assert strided_one.memory.tolist() == [0, 0, 7, 0, 0, 0, 0, 0]
    for name in (b"dltensor", b"dltensor_versioned"):
        index = Dlpack(code=0, name=name)
        assert fill(index) == updated(0)
        assert strew.index_add(np.zeros(4), 0, [0, 1, 2, 3], Dlpack(name=name)).tolist() == [0] * 4
    with refused("type_mismatch", "pass out", unchanged=fake):
        strew.scatter_update(fake, [1], 7.0, 0)
    out = np.empty(4)
    assert strew.scatter_update(fake, [2], 7.0, 0, out=out) is out and out.tolist() == [0, 7, 7, 0]


@pytest.mark.parametrize(
    ("lie", "code"),
    [
        ({"device": 2}, "unreachable_memory"), ({"device": 10}, "unreachable_memory"),
        ({"device": -1}, "unreachable_memory"), ({"lanes": 2}, "type_mismatch"), ({"lanes": 0}, "type_mismatch"),
        ({"bits": 4}, "type_mismatch"), ({"bits": 0}, "type_mismatch"), ({"bits": 12}, "type_mismatch"),
        ({"major": 99}, "type_mismatch"), ({"major": 0}, "type_mismatch"), ({"null": True}, "null_data"),
        ({"shape": (-4,)}, "negative_extent"), ({"shape": (2, -1)}, "negative_extent"), ({"ndim": -1}, None),
        ({"ndim": 17}, None), ({"ndim": 2**31 - 1}, None), ({"shape": None, "ndim": 1}, "null_data"),
        ({"shape": (2**62, 2**62)}, "size_overflow"), ({"strides": (2**62,)}, "size_overflow"),
        ({"name": b"used_dltensor_versioned"}, "type_mismatch"), ({"name": b"used_dltensor"}, "type_mismatch"),
        ({"name": b""}, "type_mismatch"), ({"name": None}, "type_mismatch"),
    ],
    ids=str,
)  # fmt: skip
def test_capsules_of_dlpack_are_checked(lie: dict[str, Any], code: str | None) -> None:
    fake, data = Dlpack(**lie), np.zeros(4)
    with refused(code, "data", unchanged=fake):
        put_seven(fake)
    with refused(code, "out", unchanged=(fake, data)):
        strew.scatter_update(data, [1], 7.0, 0, out=fake)
    with refused(code, "source", unchanged=(fake, data)):
        strew.index_add(data, 0, [0, 1, 2, 3], fake, out=data)
    with refused(code, "index", unchanged=(fake, data)):
        strew.index_add(data, 0, Dlpack(**{"code": 0, **lie}), 7.0, out=data)


def test_outputs_by_dlpack_must_be_the_memory_itself() -> None:
    for lie in ({"flags": 1}, {"name": b"dltensor"}, {"flags": 2}, {"flags": 3}):  # 1: read-only, 2: a copy
        fake = Dlpack(**lie)
        with refused("unreachable_memory", unchanged=fake):
            put_seven(fake)
        assert strew.index_add(np.zeros(4), 0, [0, 1, 2, 3], fake).tolist() == [0] * 4
    with refused("repeated_element"):
        put_seven(Dlpack(strides=(0,)))


class Wrapped:
    """Shows an array by DLPack alone."""

    def __init__(self, array: np.ndarray, has_version: bool = True) -> None:
        self.array = array
        self.has_version = has_version

    def __dlpack__(self, **options: Any) -> Any:
        if not self.has_version and options:
            raise TypeError("no keyword argument max_version")
        return self.array.__dlpack__(**options)


def test_arrays_behind_dlpack() -> None:
    data = np.zeros(5)
    before = sys.getrefcount(data)
    put_seven(Wrapped(data))
    assert data.tolist() == updated(1)
    assert strew.index_add(np.zeros(5), 0, np.arange(5), Wrapped(data, has_version=False)).tolist() == updated(1)
    with refused("unreachable_memory", "whether it may be written", unchanged=data):
        put_seven(Wrapped(data, has_version=False))
    with refused("index_out_of_bounds", unchanged=data):
        strew.index_add(Wrapped(data), 0, [9], 1.0, out=Wrapped(data))
    gc.collect()  # of what the exceptions kept
    assert sys.getrefcount(data) == before  # each capsule was given back
    data.flags.writeable = False
    assert strew.index_add(np.zeros(5), 0, np.arange(5), Wrapped(data)).tolist() == updated(1)
    with refused("unreachable_memory", unchanged=data):
        put_seven(Wrapped(data))


class Giving:
    """Whose __dlpack__ gives or raises something."""

    def __init__(self, something: Any) -> None:
        self.something = something

    def __dlpack__(self, **options: Any) -> Any:
        if isinstance(self.something, BaseException):
            raise self.something
        return self.something


def test_what_dlpack_may_not_give() -> None:
    errors = ValueError("words"), TypeError("words"), RuntimeError(), BufferError("\ud800")
    for something in (None, 5, "dltensor", Giving(1), *errors):
        for call in (put_seven, lambda one: strew.index_add(np.zeros(4), 0, one, 1.0)):
            with refused():
                call(Giving(something))
    for error in (KeyboardInterrupt(), SystemExit(2)):
        with pytest.raises(type(error)):
            put_seven(Giving(error))
    with refused():
        put_seven(type("NotCallable", (), {"__dlpack__": 5})())


def test_interrupts_in_attributes_reach_the_caller() -> None:
    def interrupt(self: Any) -> Any:
        raise KeyboardInterrupt

    for name in ("__dlpack__", "__array_struct__"):
        with pytest.raises(KeyboardInterrupt):
            put_seven(type("Interrupted", (), {name: property(interrupt)})())


class Interface(ctypes.Structure):
    """PyArrayInterface."""

    _fields_ = [
        ("two", ctypes.c_int), ("nd", ctypes.c_int), ("kind", ctypes.c_char), ("itemsize", ctypes.c_int),
        ("flags", ctypes.c_int), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("data", ctypes.c_void_p), ("descr", ctypes.c_void_p),
    ]  # fmt: skip


CONTIGUOUS, ALIGNED, NOTSWAPPED, WRITEABLE = 0x1, 0x100, 0x200, 0x400


class Struct:
    """An array of 4 doubles by __array_struct__, which says something else."""

    def __init__(
        self, two=2, nd=None, kind=b"f", itemsize=8, flags=CONTIGUOUS | ALIGNED | NOTSWAPPED | WRITEABLE, shape=(4,),
        strides=(8,), null=False, name=None,
    ):  # fmt: skip
        self.memory = np.zeros(8)
        self.name = name
        self.lists = [list_in_c(ctypes.c_ssize_t, shape), list_in_c(ctypes.c_ssize_t, strides)]
        address = None if null else self.memory.ctypes.data
        rank = nd if nd is not None else len(shape)
        self.interface = Interface(two, rank, kind, itemsize, flags, *self.lists, address, None)

    @property
    def __array_struct__(self) -> Any:
        return new_capsule(ctypes.addressof(self.interface), self.name, None)


def test_the_array_interface_in_c_is_an_operand() -> None:
    for fake in (Struct(), Struct(strides=None)):
        assert put_seven(fake) is fake and fake.memory.tolist() == [0, 7, 0, 0, 0, 0, 0, 0]
    backwards = Struct(strides=(-8,))
    backwards.interface.data += 24
    put_seven(backwards)
    assert backwards.memory.tolist() == [0, 0, 7, 0, 0, 0, 0, 0]
    named = Struct()
    named.dtype = "float64"  # any attribute that an object has, which need not be NumPy's
    assert put_seven(named).memory.tolist()[1] == 7


@pytest.mark.parametrize(
    "lie",
    [
        {"two": 3}, {"two": 0}, {"nd": -1}, {"nd": 2**31 - 1}, {"shape": (1,) * 17, "strides": (8,) * 17},
        {"shape": (1,) * 64, "strides": (8,) * 64}, {"itemsize": 0}, {"itemsize": -8}, {"itemsize": -(2**31)},
        {"shape": (-4,)}, {"strides": (7,)}, {"null": True}, {"name": b"name"}, {"flags": 0x301}, {"flags": 0x501},
        {"kind": b"q"}, {"kind": b"\0"}, {"kind": b"V"}, {"kind": b"\xff"}, {"kind": b"O"},
        {"shape": (2**62, 2**62), "strides": (8, 8)}, {"strides": (2**62,)}, {"strides": (0,)},
    ],
    ids=str,
)  # fmt: skip
def test_structures_of_the_array_interface_are_checked(lie: dict[str, Any]) -> None:
    fake = Struct(**lie)
    with refused(unchanged=fake):
        put_seven(fake)


def test_other_attributes_named_as_those_of_protocols() -> None:
    for something in (None, 5, "x", [1], new_capsule(1, b"other", None), object()):
        with refused():
            put_seven(type("Odd", (), {"__array_struct__": something})())
    # The array interface in Python is not read: numpy.asarray makes an array of it.
    described = type("Described", (), {"__array_interface__": np.zeros(4).__array_interface__})()
    with refused("type_mismatch", "expected an array"):
        put_seven(described)


def printed_by(code: str) -> str:
    """What a process of its own prints, which may crash or start many threads."""
    path = f"import sys; sys.path[:0] = {[str(Path(__file__).parent), *sys.path]}\n"
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout


def test_an_interface_without_a_shape_does_not_crash() -> None:
    code = (
        "import test_operands as test, strew\n"
        "fake = test.Struct(shape=None, nd=1)\n"
        "try: test.put_seven(fake)\n"
        "except strew.Error: print('refused')\n"
    )
    assert printed_by(code) == "refused\n"


def test_as_many_threads_as_a_pool_may_have() -> None:
    call = "strew.index_add(np.zeros(3), 0, [1, 1], 1.0, threads=1024)"
    assert printed_by(f"import numpy as np, strew\nprint({call}.tolist())") == "[0.0, 2.0, 0.0]\n"


# ---- PyTorch


@all_cases
def test_tensors_of_torch(case: Case, torch: Any) -> None:
    data = torch.tensor(DATA)
    args = [torch.tensor(one) if isinstance(one, np.ndarray) else one for one in case.args]
    result = case.function(data, *args, **case.options)
    assert type(result) is torch.Tensor and result.stride() == data.stride()
    assert_same(result.numpy(), case.expected(DATA))
    assert data._version == 0 and np.array_equal(data.numpy(), DATA)
    turned = torch.tensor(np.ascontiguousarray(DATA.T)).T
    result = case.function(turned, *args, **case.options)
    assert result.stride() == turned.stride()
    assert_same(result.numpy(), case.expected(DATA))
    out = torch.empty_like(data)
    assert case.function(data, *args, **case.options, out=out) is out and out._version == 1
    assert case.function(data, *args, **case.options, out=data) is data and data._version == 1
    assert_same(out.numpy(), case.expected(DATA))
    assert_same(data.numpy(), case.expected(DATA))


def calls_with(tensor: Any, torch: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A tensor of 3 elements as each of the operands."""
    zeros = torch.zeros(3, dtype=tensor.dtype)
    at = torch.arange(3)
    yield "data", lambda: strew.index_copy(tensor, 0, at, zeros)
    yield "data", lambda: strew.index_copy(tensor, 0, at, zeros, out=tensor)
    yield "source", lambda: strew.index_copy(zeros, 0, at, tensor)
    yield "source", lambda: strew.index_add(zeros, 0, at, tensor, out=zeros)
    yield "out", lambda: strew.index_copy(zeros, 0, at, zeros.clone(), out=tensor)
    yield "source", lambda: strew.masked_scatter(zeros, torch.ones(3, dtype=torch.bool), tensor)


def test_tensors_that_autograd_watches_are_refused(torch: Any) -> None:
    leaf = torch.ones(3, requires_grad=True)
    for tensor in (leaf, leaf * 2, (leaf * 2)[:], torch.nn.Parameter(torch.ones(3))):
        for operand, call in calls_with(tensor, torch):
            with refused("unreachable_memory", f"{operand} requires grad", unchanged=tensor):
                call()
        assert tensor._version == 0
    with torch.no_grad(), refused("unreachable_memory", "requires grad", unchanged=leaf):
        strew.index_copy(leaf, 0, [0], 1.0, out=leaf)
    assert strew.index_copy(leaf.detach(), 0, [0], 5.0).tolist() == [5, 1, 1]


def test_tensors_of_rank_0_stand_for_one_value(torch: Any) -> None:
    data, at = torch.zeros(3), torch.tensor([0, 2])
    for value in (torch.tensor(2.5), torch.tensor(2.5, dtype=torch.float64), torch.tensor(2.5, dtype=torch.bfloat16)):
        assert strew.index_copy(data, 0, at, value).tolist() == [2.5, 0, 2.5]
        assert strew.index_add(data, 0, at, 1.0, alpha=value).tolist() == [2.5, 0, 2.5]
        assert strew.masked_fill(data, torch.tensor([True, False, True]), value).tolist() == [2.5, 0, 2.5]
        assert strew.slice_scatter(data, value, start=0, stop=3, step=2).tolist() == [2.5, 0, 2.5]
        assert strew.index_copy(data.numpy(), 0, at, value).tolist() == [2.5, 0, 2.5]
    assert strew.index_copy(data, 0, at, torch.tensor(2)).tolist() == [2, 0, 2]
    half = torch.zeros(3, dtype=torch.complex32)
    assert strew.index_fill(half, 0, at, torch.tensor(1 + 2j, dtype=torch.complex32))[0].item() == 1 + 2j
    with refused("unreachable_memory", "source requires grad", unchanged=data.numpy()):
        strew.index_copy(data, 0, at, torch.tensor(2.5, requires_grad=True), out=data)
    with refused("value_out_of_range", "source = 1e+300", unchanged=data.numpy()):
        strew.index_copy(data, 0, at, torch.tensor(1e300, dtype=torch.float64), out=data)
    with refused("type_mismatch", "axis is a Tensor, expected an integer: the order is index_add_("):
        strew.index_add_(data, at[:1], at, 1.0)


def test_forms_in_place_of_tensors(torch: Any) -> None:
    data = torch.zeros(4, 2)
    version = data._version
    assert strew.index_add_(data, dim=0, index=torch.tensor([1, 1]), source=torch.ones(2, 2)) is data
    assert data.tolist() == [[0, 0], [2, 2], [0, 0], [0, 0]] and data._version > version
    assert strew.scatter_(data, 1, torch.tensor([[1]]), 7.0) is data and data[0].tolist() == [0, 7]
    assert strew.masked_fill_(data, data > 5, 0) is data and data[0].tolist() == [0, 0]
    assert strew.index_put_(data, (torch.tensor([1, 1]), torch.tensor([0, 0])), torch.ones(2), accumulate=True) is data
    assert data[1].tolist() == [4, 2]
    with refused("unreachable_memory", "data requires grad"):
        strew.index_add_(torch.zeros(3, requires_grad=True), 0, [0], 1.0)


def test_conjugate_and_negative_tensors_are_refused(torch: Any) -> None:
    pairs = torch.tensor([1 + 2j, 3 + 4j, 5 + 6j])
    for tensor in (pairs.conj(), pairs.conj().imag, torch._neg_view(torch.ones(3))):
        assert tensor.is_conj() or tensor.is_neg()
        for operand, call in calls_with(tensor, torch):
            with refused("unreachable_memory", f"{operand} stands for the conjugate or the negative", unchanged=tensor):
                call()
    assert strew.index_copy(pairs.conj().resolve_conj(), 0, [0], 0).tolist() == [0, 3 - 4j, 5 - 6j]
    assert strew.index_copy(pairs.conj().imag.resolve_neg(), 0, [0], 0).tolist() == [0, -4, -6]
    assert strew.index_copy(pairs.conj().conj(), 0, [0], 0).tolist() == [0, 3 + 4j, 5 + 6j]


def test_autograd_notices_what_is_written(torch: Any) -> None:
    weights = torch.ones(3)
    leaf = torch.ones(3, requires_grad=True)
    product = (leaf * weights).sum()  # keeps weights
    with refused("index_out_of_bounds"):
        strew.index_copy(weights, 0, [3], 5.0, out=weights)
    assert weights._version == 0  # nothing was written
    part = weights[1:]
    strew.index_copy(part, 0, [0], 5.0, out=part)
    assert weights._version == part._version == 1 and weights.tolist() == [1, 5, 1]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_tensors_in_inference_mode(torch: Any) -> None:
    with torch.inference_mode():
        data = torch.zeros(3)
        assert strew.index_add(data, 0, [1], 7.0).tolist() == [0, 7, 0]
        assert strew.index_add(data, 0, [1], 7.0, out=data) is data and data.tolist() == [0, 7, 0]
    assert strew.index_add(data, 0, [0], 7.0).tolist() == [7, 7, 0]


def test_a_lazy_clone_is_written_alone(torch: Any) -> None:
    data = torch.zeros(3)
    clone = torch._lazy_clone(data)
    strew.index_add(clone, 0, [1], 7.0, out=clone)
    assert (data.tolist(), clone.tolist()) == ([0, 0, 0], [0, 7, 0])


@pytest.mark.filterwarnings("ignore")
def test_tensors_without_plain_memory_are_refused(torch: Any) -> None:
    quantised = torch.quantize_per_tensor(torch.zeros(3), 0.1, 0, torch.qint8)
    fakes = pytest.importorskip("torch._subclasses.fake_tensor")
    with fakes.FakeTensorMode():
        fake = torch.zeros(3)
    for tensor in (
        torch.zeros(3).to_sparse(), torch.zeros(3, 3).to_sparse_csr(), torch.zeros(3, device="meta"), quantised, fake,
        torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
    ):  # fmt: skip
        with refused(words="data"):
            strew.index_copy(tensor, 0, [0], 1.0)
        with refused(words="data"):
            strew.index_copy(tensor, 0, [0], 1.0, out=tensor)
        with refused(words="out"):
            strew.index_copy(torch.zeros(3), 0, [0], 1.0, out=tensor)
        with refused(words="source"):
            strew.index_copy(torch.zeros(3), 0, [0, 1, 2], tensor)
        with refused(words="index"):
            strew.index_copy(torch.zeros(3), 0, tensor, 1.0)
    for transform in (torch.vmap, torch.func.functionalize, torch.func.grad):
        with pytest.raises(Exception):
            transform(lambda one: strew.index_copy(one, 0, [0], 1.0).sum())(torch.zeros(2, 3))


@pytest.mark.filterwarnings("ignore:ComplexHalf")
def test_element_types_of_torch(torch: Any) -> None:
    for name in (
        "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "bfloat16",
        "float32", "float64", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2",
    ):  # fmt: skip
        dtype = getattr(torch, name)
        data, updates = torch.zeros(3).to(dtype), torch.ones(1).to(dtype)
        result = strew.index_copy(data, 0, [1], updates)
        assert result.dtype == dtype and result.to(torch.complex128).tolist() == [0, 1, 0]
    with refused("type_mismatch"):
        strew.index_copy(torch.zeros(3).to(torch.float8_e4m3fn), 0, [1], torch.ones(1).to(torch.float8_e5m2))
    with refused("type_mismatch"):
        strew.index_copy(torch.zeros(3).to(torch.bfloat16), 0, [1], torch.ones(1).to(torch.float16))
    for name in ("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"):
        assert fill(torch.tensor([1, 3]).to(getattr(torch, name))) == updated(1, 3)
    for dtype in (torch.bool, torch.float32, torch.complex64, torch.bfloat16):
        with refused("type_mismatch", "expected integers"):
            fill(torch.tensor([1, 3]).to(dtype))


def test_libraries_can_be_mixed(torch: Any) -> None:
    data, out = np.zeros(3), torch.zeros(3, dtype=torch.float64)
    assert strew.index_add(data, 0, torch.tensor([1]), memoryview(array.array("d", [7])), out=out) is out
    assert out.tolist() == [0, 7, 0] and out._version == 1
    result = strew.index_add(out, 0, np.array([0]), np.array([5.0]))
    assert type(result) is torch.Tensor and result.tolist() == [5, 7, 0]
    array_of_bfloats = np.ones(1, dtype_named("bfloat16"))
    assert strew.index_add(torch.zeros(3, dtype=torch.bfloat16), 0, [1], array_of_bfloats).tolist() == [0, 1, 0]
    shared = torch.from_numpy(data)
    with refused("overlap", unchanged=data):
        strew.index_add(data[:2], 0, [0], 1.0, out=shared[1:])
    assert strew.index_add(data, 0, [0], 1.0, out=shared) is shared and data.tolist() == [1, 0, 0]


# ---- JAX


@all_cases
def test_arrays_of_jax(case: Case, jax: Any) -> None:
    data = jax.numpy.asarray(DATA)
    args = [jax.numpy.asarray(one) if isinstance(one, np.ndarray) else one for one in case.args]
    result = case.function(data, *args, **case.options)
    assert isinstance(result, jax.Array)
    assert_same(np.asarray(result), case.expected(DATA))
    with refused("unreachable_memory", "immutable", unchanged=data):
        case.function(data, *args, **case.options, out=data)
    with refused("unreachable_memory", "out is an array of JAX", unchanged=data):
        case.function(DATA, *args, **case.options, out=data)
    with refused("unreachable_memory"):
        case.function(data, *args, **case.options, out=np.asarray(data))  # a read-only view
    out = np.empty_like(DATA)
    assert case.function(data, *args, **case.options, out=out) is out
    assert_same(out, case.expected(DATA))
    assert np.array_equal(np.asarray(data), DATA)


def test_arrays_of_jax_of_rank_0_and_in_place(jax: Any) -> None:
    data = np.zeros(3, np.float32)
    for value in (jax.numpy.array(2.5), jax.numpy.array(2, jax.numpy.int32), jax.numpy.array(2.5, jax.numpy.bfloat16)):
        expected = [0, float(value), 0]
        assert strew.index_copy(data, 0, [1], value).tolist() == expected
        assert np.asarray(strew.index_copy(jax.numpy.asarray(data), 0, [1], value)).tolist() == expected
    with refused("unreachable_memory", "data is an array of JAX, which are immutable: without out"):
        strew.index_copy_(jax.numpy.asarray(data), 0, [1], 1.0)
    with pytest.raises(strew.Error, match="data is traced by JAX, and has no values"):
        jax.jit(lambda x: strew.index_copy(x, 0, [1], 1.0))(data)


def test_tracers_of_jax_are_refused(jax: Any) -> None:
    data, out = np.zeros(3, np.float32), np.zeros(3, np.float32)
    one = np.ones(1, np.float32)
    for argument, call in (
        (data, lambda x: strew.index_copy(x, 0, [0], one)),
        (data, lambda x: strew.index_copy(x, 0, [0], one, out=x)),
        (data, lambda x: strew.index_copy(data, 0, [0], one, out=x)),
        (one, lambda x: strew.index_copy(data, 0, [0], x, out=out)),
        (np.zeros(1, np.int32), lambda x: strew.index_copy(data, 0, x, one, out=out)),
        (0, lambda x: strew.index_copy(data, 0, [x], one, out=out)),
        (0, lambda x: strew.index_copy(data, x, [0], one, out=out)),
        (1.0, lambda x: strew.index_copy(data, 0, [0], x, out=out)),
        (1.0, lambda x: strew.index_add(data, 0, [0], 1.0, alpha=x, out=out)),
        (np.ones(3, bool), lambda x: strew.masked_fill(data, x, 1.0, out=out)),
    ):
        for transform in (jax.jit, jax.vmap) if np.ndim(argument) else (jax.jit,):
            with pytest.raises(Exception):
                transform(call)(argument[None] if transform is jax.vmap else argument)
    with pytest.raises(Exception):
        jax.grad(lambda x: strew.index_copy(x, 0, [0], 1.0).sum())(data)
    assert not out.any() and not data.any()


@pytest.mark.parametrize(
    "name", ["bool_", "uint8", "int16", "int32", "float16", "bfloat16", "float32", "complex64", "float8_e4m3fn"]
)
def test_element_types_of_jax(name: str, jax: Any) -> None:
    dtype = getattr(jax.numpy, name)
    data = jax.numpy.zeros(3, dtype)
    result = strew.index_copy(data, 0, jax.numpy.array([1]), jax.numpy.ones(1, dtype))
    assert isinstance(result, jax.Array) and result.dtype == data.dtype
    assert np.asarray(result).astype(np.complex64).tolist() == [0, 1, 0]


def test_arrays_of_jax_without_plain_memory_are_refused(jax: Any) -> None:
    jnp = jax.numpy
    for data in (jnp.zeros(3, jnp.int4), jax.random.key(0)):
        with refused():
            strew.index_copy(data, 0, [0], 1)
    gone = jnp.zeros(3)
    gone.delete()
    with refused("unreachable_memory", "deleted"):
        strew.index_copy(gone, 0, [0], 1.0)


def test_64_bits_of_jax_are_kept(jax: Any) -> None:
    with jax.enable_x64(True):
        data = jax.numpy.array([2**40, 1])
    try:
        result = strew.index_copy(data, 0, [1], 5)
    except strew.Error:
        return
    assert np.asarray(result).tolist() == [2**40, 5]


# ---- Exceptions


def masked_sum(reduction: str) -> Any:
    return strew.v12.scatter_elements_update(np.zeros(2, bool), [0], True, 0, reduction)


ERRORS = [
    ("too_many_axes", "scatter_update", "data", (), "", lambda: strew.scatter_update(np.zeros((1,) * 17), [0], 1.0, 0)),
    (
        "rank_mismatch", "scatter_update", "updates", (),
        "has rank 1, expected 2 (rank of data + rank of indices - 1)",
        lambda: strew.scatter_update(np.zeros((3, 2)), [0], np.zeros(2), 0),
    ),
    (
        "extent_mismatch", "scatter_update", "updates", (),
        "has extent 2 on axis 0, expected 1 as indices has on axis 0",
        lambda: strew.scatter_update(np.zeros((3, 2)), [0], np.zeros((2, 2)), 0),
    ),
    (
        "count_mismatch", "slice_scatter", "stop", (), "has length 2, expected 1 as start has",
        lambda: strew.slice_scatter(np.zeros((3, 2)), 1.0, start=0, stop=[1, 2]),
    ),
    (
        "axis_out_of_range", "scatter_update", "axis", (), "= 2 is outside [-2, 1] (data has rank 2)",
        lambda: strew.scatter_update(np.zeros((3, 2)), [0], 1.0, 2),
    ),
    (
        "repeated_axis", "slice_scatter", "axes", (1,), "[1] = -1 names axis 1 a second time",
        lambda: strew.slice_scatter(np.zeros((3, 2)), 1.0, start=[0, 0], axes=[1, -1]),
    ),
    (
        "zero_step", "slice_scatter", "step", (0,), "[0] = 0 selects nothing, expected any other value",
        lambda: strew.slice_scatter(np.zeros(3), 1.0, step=0),
    ),
    (
        "index_out_of_bounds", "scatter_update", "indices", (1,), "[1] = 9 is outside [0, 2] (axis 0 has extent 3)",
        lambda: strew.scatter_update(np.zeros(3), [1, 9, 7], 1.0, 0),
    ),
    (
        "index_out_of_bounds", "scatter_elements_update", "indices", (0, 1), "[0, 1] = -1 is outside [0, 2]",
        lambda: strew.scatter_elements_update(np.zeros((2, 3)), [[0, -1]], 1.0, 1),
    ),
    (
        "repeated_element", "index_add", "out", (), "holds some element twice (a stride of 0, or axes that overlap)",
        lambda: strew.index_add(np.zeros(3), 0, [0], 1.0, out=np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,))),
    ),
    (
        "overlap", "index_add", "out", (), "shares memory with source",
        lambda: (lambda data: strew.index_add(data, 0, [0], data[:1], out=data))(np.zeros(3)),
    ),
    (
        "type_mismatch", "index_add", "source", (), "holds float32, expected float64 as data does",
        lambda: strew.index_add(np.zeros(3), 0, [0], np.zeros(1, np.float32)),
    ),
    (
        "misaligned_stride", "index_add", "data", (), "has a stride of 6 bytes on axis 0, no multiple of the element size, 4 bytes",
        lambda: strew.index_add(np.zeros(3, "i4,i2")["f0"], 0, [0], 1),
    ),
    (
        "too_few_elements", "masked_scatter", "source", (), "has 1 elements, mask selects 2",
        lambda: strew.masked_scatter(np.zeros(2), np.ones(2, bool), np.zeros(1)),
    ),
    (
        "unsupported_reduction", "v12.scatter_elements_update", "reduction", (),
        "mean is not offered for the element type of data", lambda: masked_sum("mean"),
    ),
    ("unsupported_reduction", "v12.scatter_elements_update", "reduction", (), "'average'", lambda: masked_sum("average")),
    (
        "unreachable_memory", "put", "out", (), "is read-only",
        lambda: strew.put(np.zeros(2), 0, 1.0, out=np.broadcast_to(1.0, 2)),
    ),
    (
        "value_out_of_range", "index_add", "source", (),
        "= 200 is outside [-128, 127], the range of the elements of data",
        lambda: strew.index_add(np.zeros(3, np.int8), 0, [0], 200),
    ),
    (
        "index_out_of_bounds", "onnx.tensor_scatter", "write_indices", (1,), "[1] = 3 is outside [0, 2]",
        lambda: strew.onnx.tensor_scatter(np.zeros((2, 4, 1)), np.zeros((2, 2, 1)), [0, 3]),
    ),
]  # fmt: skip
BASES = {
    "index_out_of_bounds": (strew.OutOfBoundsError, {IndexError}),
    "axis_out_of_range": (strew.AxisError, {IndexError, ValueError}),
    "type_mismatch": (strew.OperandTypeError, {TypeError}),
}


@pytest.mark.parametrize("case", ERRORS, ids=[f"{code}-{operation}" for code, operation, *_ in ERRORS])
def test_exceptions(case: tuple[Any, ...]) -> None:
    *attributes, words, call = case
    with pytest.raises(strew.Error) as caught:
        call()
    error = caught.value
    assert [error.code, error.operation, error.operand, error.coordinate] == attributes
    kind, builtins = BASES.get(error.code, (strew.OperandValueError, {ValueError}))
    assert type(error) is kind
    assert {base for base in (IndexError, TypeError, ValueError) if isinstance(error, base)} == builtins
    assert str(error).startswith(f"{error.operation}: {error.operand}") and words in str(error)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is kind and other.args == error.args
        assert str(other) == str(error) and vars(other) == vars(error)


# ---- Found by attacks


def test_the_output_of_references_is_checked() -> None:
    data = np.array([1, 2, 3], object)
    for out in (np.array([["x", "y", "z"]] * 2, object), np.zeros((3, 3), object), np.zeros(4, object)):
        before = out.tolist()
        with pytest.raises(strew.Error):
            strew.index_copy(data, 0, [0], 7, out=out)
        assert out.tolist() == before
    block = np.array(list("abcde"), object)
    for out, updates in ((as_strided(block, (3,), (0,)), np.array([9], object)), (block[1:4], block[2:3])):
        before = block.tolist()
        with pytest.raises(strew.Error):
            strew.index_copy(block[:3], 0, [0], updates, out=out)
        assert block.tolist() == before


def test_packed_structures_of_ctypes() -> None:
    class Packed(ctypes.Structure):
        _pack_ = 1
        _fields_ = [("thing", ctypes.py_object), ("number", ctypes.c_int)]

    array = (Packed * 3)()
    with refused("type_mismatch"):
        strew.index_copy(array, 0, [0], array, out=array)


def test_a_subclass_that_hides_its_references() -> None:
    class Hides(np.ndarray):
        @property
        def dtype(self) -> np.dtype:
            return np.dtype("V16")

    array = np.zeros(3, [("o", "O"), ("i", "i8")]).view(Hides)
    result = strew.index_copy(array, 0, [0], array[1:2])
    assert result.shape == (3,)


@pytest.mark.parametrize("mode", ["raise", "drop"])
def test_operators_without_none(mode: str) -> None:
    for operator in (strew.index_reduce, strew.scatter_reduce):
        with refused("unsupported_reduction"):
            operator(np.zeros(4), 0, [1, 1], np.array([5.0, 6.0]), "none", mode=mode)


def test_none_is_no_operand() -> None:
    with refused("type_mismatch", words=" is None, expected"):
        strew.index_add(None, 0, [1], 1.0)
    with refused("type_mismatch", words=" is None, expected"):
        strew.index_add(np.zeros(3), 0, None, 1.0)
    with refused("type_mismatch", words=" is None, expected"):
        strew.index_add(np.zeros(3), None, [1], 1.0)
    with refused("type_mismatch", words=" is None, expected"):
        strew.index_add(np.zeros(3), 0, [1], None)
    with refused("type_mismatch", words=" is None, expected"):
        strew.index_add(np.zeros(3), 0, [1], 1.0, threads=None)
