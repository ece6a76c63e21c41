# SPDX-License-Identifier: Apache-2.0
"""Arguments that run code of their own, that mean more than their elements, and integers beyond 64 bits."""

from __future__ import annotations

import operator
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import oracle
import strew
import strew.numpy as sn
from test_operands import CASES, DATA, Case, all_cases, refused

# ---- Code that resizes another operand while arguments are converted


class Evil:
    """Whatever is asked of it, `attack` runs first; then it is as `real`."""

    def __init__(self, real: Any, attack: Callable[[], None]) -> None:
        self.real, self.attack = real, attack

    def _now(self) -> Any:
        self.attack()
        return self.real

    def __index__(self) -> int:
        return operator.index(self._now())

    def __float__(self) -> float:
        return float(self._now())

    def __len__(self) -> int:
        return len(self._now())

    def __getitem__(self, at: Any) -> Any:
        return self._now()[at]

    def __array__(self, *args: Any, **options: Any) -> np.ndarray:
        return np.array(self._now())

    def __getattr__(self, name: str) -> Any:
        if name in ("__array_struct__", "__dlpack__", "dtype", "shape", "flags", "unit", "units", "mask"):
            return getattr(self._now(), name)
        raise AttributeError(name)


class EvilList(list):  # type: ignore[type-arg]
    attack: Callable[[], None]

    def __iter__(self) -> Any:
        self.attack()
        return super().__iter__()


def evil_forms(real: Any, attack: Callable[[], None]) -> list[Any]:
    """An argument of an operator in the forms that run code when it is looked at."""
    if isinstance(real, (bool, str)):
        return []
    if isinstance(real, (list, tuple)):
        first = real[0]
        inner = [Evil(first, attack) if isinstance(first, int) else evil_forms(first, attack)[0], *real[1:]]
        itself = EvilList(real)
        itself.attack = attack
        return [inner, itself, Evil(np.array(real), attack)] if isinstance(first, int) else [type(real)(inner), itself]
    return [Evil(real, attack)]


def resized(array: np.ndarray, size: int) -> Callable[[], None]:
    return lambda: array.resize((size,), refcheck=False)


ATTACKS: dict[str, Callable[[np.ndarray], Callable[[], None]]] = {
    "grown": lambda array: resized(array, 100_000),
    "shrunk": lambda array: resized(array, 1),
    "freed": lambda array: lambda: array.__setstate__((1, (1,), array.dtype, False, b"\0" * array.itemsize)),
}


@all_cases
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.filterwarnings("ignore")
def test_an_argument_resizes_another(case: Case, attack: Callable[[np.ndarray], Callable[[], None]]) -> None:
    """Each argument in turn runs code that resizes each of the arrays: data, updates and the output."""
    names = [*case.options, "threads"]
    for victim in ("data", "out", "updates"):
        for place in [*range(len(case.args)), *names]:
            for form in range(3):
                data, out = DATA.copy(), np.zeros_like(DATA)
                args, options = list(case.args), {**case.options, "threads": 1}
                at = next(k for k, one in enumerate(args) if one is case.updates)
                if isinstance(case.updates, np.ndarray):
                    args[at] = case.updates.copy()
                hurt = {"data": data, "out": out, "updates": args[at]}[victim]
                if not isinstance(hurt, np.ndarray) or (victim == "updates" and place == at):
                    continue
                given = args[place] if isinstance(place, int) else options[place]
                forms = evil_forms(given, attack(hurt))
                if form >= len(forms):
                    continue
                if isinstance(place, int):
                    args[place] = forms[form]
                else:
                    options[place] = forms[form]
                try:
                    result = case.function(data, *args, **options, out=out)
                except (strew.Error, TypeError, ValueError):
                    continue
                assert result is out  # it was resized before it was looked at


def test_every_argument_that_is_converted_is_noticed() -> None:
    calls: dict[str, Callable[[np.ndarray, Evil], Any]] = {
        "axis": lambda data, evil: strew.index_add(data, evil, [0], 1.0, out=data),
        "indices": lambda data, evil: strew.index_add(data, 0, [evil], 1.0, out=data),
        "threads": lambda data, evil: strew.index_add(data, 0, [0], 1.0, out=data, threads=evil),
        "start": lambda data, evil: strew.slice_scatter(data, 1.0, start=evil, out=data),
        "axes": lambda data, evil: strew.slice_scatter(data, 1.0, start=0, axes=[evil], out=data),
        "index": lambda data, evil: strew.select_scatter(data, 1.0, 0, evil, out=data),
    }
    for name, call in calls.items():
        data = np.zeros(8)
        try:
            call(data, Evil(0, resized(data, 100_000)))
        except strew.Error as error:
            assert error.code == "null_data" and "was resized" in str(error), name
        else:
            assert name == "indices", name  # they are converted before data is looked at
    # The indices are another operand, and so is what a view is of.
    indices = np.zeros(8, int)
    with refused("null_data", "index was resized"):
        strew.index_add(np.zeros(3), Evil(0, resized(indices, 100_000)), indices, 1.0)
    owner = np.zeros(8)
    with refused("null_data", "data was resized"):
        strew.index_add(owner[1:], Evil(0, resized(owner, 2)), [0], 1.0)
    mask = np.zeros(8, bool)
    with refused("null_data", "mask was resized"):
        strew.masked_fill(np.zeros(8), mask, Evil(np.float64(1), resized(mask, 1_000_000)))


def test_an_array_that_another_object_shows_is_resized() -> None:
    data = np.zeros(8)

    class Shows:
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        @property
        def __array_struct__(self) -> object:
            return self.array.__array_struct__

        @property
        def dtype(self) -> np.dtype:
            return self.array.dtype

    with refused("null_data", "data was resized"):
        strew.index_add(Shows(data), Evil(0, resized(data, 1_000_000)), [0], 1.0)

    class ResizesItself(Shows):
        @property
        def dtype(self) -> np.dtype:
            self.array.resize((1_000_000,), refcheck=False)
            return self.array.dtype

    assert strew.index_add(ResizesItself(np.zeros(8)), 0, [0], 1.0, out=np.zeros(1_000_000)).sum() == 1


def test_a_view_of_an_array_that_was_resized() -> None:
    for size in (1, 1_000_000):
        owner = np.zeros(1000)
        view = owner[10:990:2][::-1]
        owner.resize((size,), refcheck=False)
        first = owner.ctypes.data
        last = first + owner.nbytes
        if first <= view[-1:].ctypes.data and view.ctypes.data < last:
            continue  # its memory was not moved
        with refused("null_data", "data is a view of an array that was resized"):
            strew.index_add(view, 0, [0], 1.0, out=view)
        with refused("null_data", "source is a view of an array that was resized"):
            strew.index_add(np.zeros(490), 0, np.arange(490), view)


def test_prepared_calls_and_code_that_resizes() -> None:
    data, indices, source = np.zeros(8), np.arange(8), np.ones(8)
    prepared = strew.prepare(strew.index_add, data, 0, indices, source)
    for bad in (lambda: prepared.run(data, [Evil(0, resized(data, 99_999))] + [0] * 7, source, out=data),
                lambda: prepared.bind(indices).run(data, Evil(source, resized(data, 77_777)), out=data)):  # fmt: skip
        try:
            bad()
        except strew.Error:
            pass
    axis = Evil(0, lambda: None)
    prepared = strew.prepare(strew.index_add, np.zeros(8), axis, indices, source)
    axis.attack = resized(indices, 1_000_000)
    with refused("null_data", "index was resized"):
        prepared.bind(indices)


NUMPY_CALLS: dict[str, tuple[Callable[..., Any], Callable[[], list[Any]]]] = {
    **{
        name: (getattr(sn, name), lambda: [np.zeros(8), np.array([0, 1, 0]), np.ones(3)])
        for name in ("add_at", "subtract_at", "multiply_at", "maximum_at", "minimum_at", "put")
    },
    "add_at of slices": (sn.add_at, lambda: [np.zeros((4, 4)), (slice(0, 2), np.array([0, 1, 0])), np.ones(3)]),
    "put_along_axis": (sn.put_along_axis, lambda: [np.zeros((4, 4)), np.zeros((1, 4), int), np.ones((1, 4)), 0]),
    "bincount": (sn.bincount, lambda: [np.array([0, 1, 0]), np.ones(3), 4]),
    **{
        name: (getattr(sn, name), lambda: [np.ones((3, 2)), np.array([0, 1, 0]), 2])
        for name in ("segment_sum", "segment_max", "segment_mean")
    },
}


@pytest.mark.parametrize("name", NUMPY_CALLS)
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("kind", [np.asarray, lambda array: array.view(Subclass).copy()], ids=["array", "subclass"])
@pytest.mark.filterwarnings("ignore")
def test_an_argument_of_strew_numpy_resizes_another(name: str, attack: Any, kind: Any) -> None:
    function, make = NUMPY_CALLS[name]
    count = len(make())
    for place in [*range(count), "threads"]:
        for victim in range(count):
            arguments = make()
            if victim == place or not isinstance(arguments[victim], np.ndarray):
                continue
            hurt = arguments[victim] = kind(arguments[victim])
            if isinstance(place, str):
                options = {"threads": Evil(1, attack(hurt))}
            else:
                options = {}
                given = arguments[place]
                arguments[place] = (
                    (slice(Evil(0, attack(hurt)), 2), given[1])
                    if isinstance(given, tuple)
                    else evil_forms(given.tolist() if isinstance(given, np.ndarray) else given, attack(hurt))[-1]
                )
            try:
                function(*arguments, **options)
            except (strew.Error, TypeError, ValueError, IndexError, AttributeError):
                pass  # of numpy.put_along_axis the last, which takes no lists of indices


class Subclass(np.ndarray):  # type: ignore[type-arg]
    """An array that means no more than its elements."""


# ---- What an array means


def meanings() -> dict[str, Callable[[np.ndarray], Any]]:
    found: dict[str, Callable[[np.ndarray], Any]] = {"masked": lambda array: np.ma.array(array, mask=array == array)}
    try:
        import pint

        registry = pint.UnitRegistry()
        found["pint"] = lambda array: registry.Quantity(array, "metre")
    except ImportError:
        pass
    try:
        import astropy.units
        import astropy.utils.masked

        found["astropy"] = lambda array: astropy.units.Quantity(array, "km", dtype=array.dtype)
        found["masked astropy"] = lambda array: astropy.utils.masked.Masked(array, mask=False)
    except ImportError:
        pass
    return found


MEANINGS = meanings()
every_meaning = pytest.mark.parametrize("meant", MEANINGS.values(), ids=MEANINGS)
LOST = "would be lost"


def test_the_libraries_of_units_are_installed() -> None:
    if "pint" not in MEANINGS or "astropy" not in MEANINGS:
        pytest.skip("pint or astropy is not installed")


@all_cases
@every_meaning
@pytest.mark.filterwarnings("ignore")
def test_units_and_masks_are_refused_in_every_place(case: Case, meant: Callable[[np.ndarray], Any]) -> None:
    data = DATA.copy()
    with refused("type_mismatch", LOST):
        case.call(meant(data))
    with refused("type_mismatch", LOST, unchanged=data):
        case.call(data, out=meant(np.zeros_like(DATA)))
    for k, argument in enumerate(case.args):
        if isinstance(argument, str):
            continue
        if isinstance(argument, (int, np.generic)):
            argument = np.array(argument)
        if isinstance(argument, tuple):
            args = (*case.args[:k], (meant(np.array(argument[0])), *argument[1:]), *case.args[k + 1 :])
        else:
            args = (*case.args[:k], meant(np.asarray(argument)), *case.args[k + 1 :])
        with refused("type_mismatch", LOST, unchanged=data):
            case.function(data, *args, **case.options, out=data)


@every_meaning
@pytest.mark.filterwarnings("ignore")
def test_units_and_masks_are_refused_in_lists_alpha_and_prepared_calls(meant: Callable[[np.ndarray], Any]) -> None:
    data, at, source = np.zeros(3), np.array([0, 1]), np.ones(2)
    for call in (
        lambda: strew.index_add(data, 0, at, source, alpha=meant(np.array(2.0)), out=data),
        lambda: strew.index_add(data, 0, [meant(np.array(0)), 1], source, out=data),
        lambda: strew.slice_scatter(data, 1.0, start=meant(np.array([0])), out=data),
        lambda: strew.slice_scatter(data, 1.0, start=[meant(np.array(0))], out=data),
        lambda: strew.prepare(strew.index_add, meant(data), 0, at, source),
        lambda: strew.prepare(strew.index_add, data, 0, meant(at), source),
        lambda: strew.prepare(strew.index_add, data, 0, at, meant(source)),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).run(meant(data), at, source),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).run(data, meant(at), source),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).run(data, at, meant(source), out=data),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).run(data, at, source, out=meant(data)),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).bind(meant(at)),
        lambda: strew.prepare(strew.index_add, data, 0, at, source).bind(at).run(data, meant(source), out=data),
    ):
        with refused("type_mismatch", LOST, unchanged=data):
            call()


@every_meaning
@pytest.mark.parametrize("name", NUMPY_CALLS)
@pytest.mark.filterwarnings("ignore")
def test_units_and_masks_in_strew_numpy(name: str, meant: Callable[[np.ndarray], Any]) -> None:
    """Refused, or what the class itself computes."""
    function, make = NUMPY_CALLS[name]
    for place in range(len(make())):
        arguments = make()
        if not isinstance(arguments[place], np.ndarray):
            continue
        before = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        replaces = place == 0 and name.startswith(("put", "add", "sub", "mul", "max", "min"))
        arguments[place] = meant(arguments[place])
        try:
            function(*arguments)
        except Exception as error:
            assert replaces or LOST in str(error), error
        else:
            assert replaces, (name, place)
        if place != 0 and isinstance(arguments[0], np.ndarray):
            np.testing.assert_array_equal(arguments[0], before[0])


def test_masked_values_and_ids_of_segments() -> None:
    values, ids = np.ma.array([1.0, 2.0], mask=[False, True]), np.ma.array([0, 1], mask=[False, True])
    for function in (sn.segment_sum, sn.segment_mean, sn.segment_max, sn.bincount):
        arguments = ([0, 1], values) if function is sn.bincount else (values, [0, 1])
        with pytest.raises(strew.OperandTypeError, match=r"mask would be lost: pass filled\(\)"):
            function(*arguments)
        arguments = (ids,) if function is sn.bincount else ([1.0, 2.0], ids)
        with pytest.raises(strew.OperandTypeError, match="mask would be lost"):
            function(*arguments)
    with pytest.raises(strew.OperandTypeError, match="mask would be lost"):
        sn.put(np.zeros(3), [0, 1], [[np.ma.array(1.0, mask=True)], [2.0]])


def test_the_message_names_the_unit_and_the_remedy() -> None:
    pint = pytest.importorskip("pint")
    with refused("type_mismatch", "source is a Quantity in meter, a unit that would be lost: pass its magnitude"):
        strew.index_add(np.zeros(3), 0, [0], pint.UnitRegistry().Quantity(np.ones(1), "m"))
    units = pytest.importorskip("astropy.units")
    with refused("type_mismatch", "data is a Quantity in km, a unit that would be lost: pass its value"):
        strew.index_add(np.zeros(3) * units.km, 0, [0], np.ones(1))


def test_missing_values_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    with_missing = pandas.array([1, None], dtype="Int64")
    for values in (with_missing, pandas.Series(with_missing)):
        with pytest.raises(strew.OperandTypeError, match="missing values"):
            sn.segment_sum(values, [0, 1])
        with pytest.raises(strew.OperandTypeError, match="missing values"):
            sn.put(np.zeros(3), [0, 1], values)
        with pytest.raises(strew.OperandTypeError):
            strew.index_copy(np.zeros(3), 0, [0, 1], values)
    labelled = pandas.Series([1.0, 2.0], index=["a", "b"])
    assert sn.segment_sum(labelled, [1, 0]).tolist() == [2, 1]
    dates = pandas.to_datetime(["2020-01-01", "2020-01-02"])  # has an attribute unit
    target = np.zeros(2, dates.values.dtype)
    sn.put(target, [1, 0], dates)
    assert (target == dates.values[::-1]).all()


def test_labels_of_xarray() -> None:
    xarray = pytest.importorskip("xarray")
    assert sn.segment_sum(xarray.DataArray([1.0, 2.0], dims="x"), [1, 0]).tolist() == [2, 1]
    with pytest.raises(strew.OperandTypeError, match="unit that would be lost"):
        sn.segment_sum(xarray.DataArray([1.0, 2.0], attrs={"units": "m"}), [1, 0])
    with pytest.raises(strew.OperandTypeError):
        strew.index_copy(np.zeros(3), 0, [0, 1], xarray.DataArray([1.0, 2.0]))


def test_what_means_no_more_is_taken() -> None:
    records = np.zeros(3, [("unit", "f8"), ("mask", "f8")]).view(np.recarray)
    assert strew.index_copy(records, 0, [0], records[:1].copy()).tolist() == records.tolist()
    assert strew.index_copy(records.unit, 0, [1], 5.0).tolist() == [0, 5, 0]
    assert strew.index_add(np.zeros(3).view(Subclass), 0, [1], np.ones(1).view(Subclass)).tolist() == [0, 1, 0]
    sn.add_at(made := np.zeros(3).view(Subclass), np.array([1]).view(Subclass), np.ones(1).view(Subclass))
    assert made.tolist() == [0, 1, 0]

    class Number(float):
        units = None

    assert strew.index_fill(np.zeros(2), 0, [1], Number(3)).tolist() == [0, 3]


# ---- Masks of bytes


@pytest.mark.parametrize("name", ["?", "u1", "i1"])
def test_masks_select_by_any_byte_but_0(name: str) -> None:
    bits = np.array([0, 1, 2, 255, 128, 0], np.uint8)
    mask, data = bits.view(name), np.arange(6.0)
    expected = np.where(bits != 0, 9, data)
    assert strew.masked_fill(data, mask, 9.0).tolist() == expected.tolist()
    assert strew.masked_fill(data[::-1], mask[::-1], 9.0).tolist() == expected[::-1].tolist()
    updates = np.arange(10.0, 14.0)
    result = data.copy()
    result[bits != 0] = updates
    assert strew.masked_scatter(data, mask, updates).tolist() == result.tolist()
    with refused("too_few_elements"):
        strew.masked_scatter(data, mask, updates[1:])
    large = np.random.default_rng(1).integers(0, 3, 100_000).astype(np.uint8)
    numbers = np.arange(100_000.0)
    for threads in (1, 2):
        filled = strew.masked_fill(numbers, large.view(name), -1.0, threads=threads)
        assert (filled == np.where(large != 0, -1, numbers)).all()
        copied = strew.masked_scatter(numbers, large.view(name), -numbers, threads=threads)
        expected = numbers.copy()
        expected[large != 0] = -numbers[: int((large != 0).sum())]
        assert (copied == expected).all()
    for wrong in ("i2", "f4", "S1"):
        with refused("type_mismatch", "expected bool, int8 or uint8"):
            strew.masked_fill(data, np.zeros(6, wrong), 9.0)


# ---- Integers beyond 64 bits

LARGE = [2**63, -(2**63) - 1, 2**64 - 1, 2**64, 2**70, 2**70 + 3, -(2**70), -(2**70) - 1, 10**40, -(10**40)]
MODES = ("raise", "drop", "clip", "wrap")


def expected_or_error(pairs: Callable[[], Any], data: np.ndarray) -> Any:
    try:
        return oracle.scatter(data, pairs())
    except oracle.BadIndex:
        return None


def compare(call: Callable[[], Any], expected: Any, value: int) -> None:
    if expected is None:
        with refused("index_out_of_bounds", f" = {value} is outside"):
            call()
    else:
        assert call().tolist() == expected.tolist()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("value", LARGE)
def test_large_integers_in_lists_of_indices(mode: str, value: int) -> None:
    data, grid = np.arange(5.0), np.arange(15.0).reshape(3, 5)
    for indices in ([value], [1, value], [value, 1], [0, value, 3, 1]):
        at = np.array(indices, object)
        updates = np.arange(10.0, 10.0 + len(indices))
        for name, kind, wraps in (("index_copy", oracle.rows, False), ("put_along_axis", oracle.elements, True),
                                  ("scatter", oracle.elements, False)):  # fmt: skip
            expected = expected_or_error(lambda: kind(data, at, updates, 0, wraps=wraps, mode=mode), data)
            args = (indices, updates, 0) if name == "put_along_axis" else (0, indices, updates)
            compare(lambda: getattr(strew, name)(data, *args, mode=mode), expected, value)
        expected = expected_or_error(lambda: oracle.numbers(grid, at, updates, mode=mode), grid)
        compare(lambda: strew.put(grid, indices, updates, mode=mode), expected, value)
        pairs = [[1, index] for index in indices]
        tuples = np.array(pairs, object)
        expected = expected_or_error(lambda: oracle.multi(grid, tuples, updates, mode=mode), grid)
        compare(lambda: strew.onnx.scatter_nd(grid, pairs, updates, mode=mode), expected, value)
        compare(lambda: strew.index_put(grid, ([1] * len(indices), indices), updates, mode=mode), expected, value)
        if expected is not None:
            prepared = strew.prepare(strew.index_put, grid, ([1] * len(indices), indices), updates, mode=mode)
            bound = prepared.bind(([1] * len(indices), indices))
            assert bound.run(grid, updates).tolist() == bound.run(grid, updates).tolist() == expected.tolist()
            bound = strew.prepare(strew.onnx.scatter_nd, grid, pairs, updates, mode=mode).bind(pairs)
            assert bound.run(grid, updates).tolist() == bound.run(grid, updates).tolist() == expected.tolist()


def test_large_integers_are_shown_as_they_were_given() -> None:
    data = np.zeros((3, 4))
    for call, words in (
        (lambda: strew.put(data, [2**70], 1.0), "index[0] = 1180591620717411303424 is outside [-12, 11]"),
        (lambda: strew.put(data, 2**70, 1.0), " = 1180591620717411303424 is outside [-12, 11]"),
        (lambda: strew.scatter(data, 0, [[0, -(2**70)]], 1.0), "index[0, 1] = -1180591620717411303424 is outside"),
        (lambda: strew.index_put(data, ([0], [2**70]), 1.0), "indices[0] for axis 1 = 1180591620717411303424 is"),
        (lambda: strew.onnx.tensor_scatter(np.zeros((2, 3, 4)), np.zeros((2, 1, 4)), [0, 2**70]),
         "write_indices[1] = 1180591620717411303424 is outside"),
        (lambda: strew.index_add(data, 2**70, [0], 1.0), "axis = 1180591620717411303424 is outside"),
        (lambda: strew.index_add(data, -(2**70), [0], np.zeros((1, 4))), "axis = -1180591620717411303424 is outside"),
        (lambda: strew.select_scatter(data, 1.0, 0, 2**70), "index = 1180591620717411303424 is outside"),
        (lambda: strew.select_scatter(data, np.zeros(4), 2**70, 0), "axis = 1180591620717411303424 is outside"),
        (lambda: strew.diagonal_scatter(data, 1.0, 0, 2**70, 1), " = 1180591620717411303424 is outside"),
        (lambda: strew.slice_scatter(data, 1.0, start=0, axes=2**70), " = 1180591620717411303424 is outside"),
        (lambda: strew.slice_scatter(data, 1.0, start=[0, 0], axes=[0, -(2**70)]), " = -1180591620717411303424 is"),
        (lambda: strew.index_add(data, 10**5000, [0], 1.0), "axis = an integer of 16610 bits is outside"),
        (lambda: strew.prepare(strew.index_add, data, 2**70, [0], 1.0), "axis = 1180591620717411303424 is outside"),
        (lambda: strew.prepare(strew.index_add, data, 0, [0], 1.0).bind([2**70]),
         "index[0] = 1180591620717411303424 is outside"),
    ):  # fmt: skip
        with refused(words=words):
            call()
    assert strew.diagonal_scatter(data, 1.0, 2**70).tolist() == data.tolist()
    empty = np.zeros((0, 4))
    for mode in ("clip", "wrap"):
        with refused("index_out_of_bounds"):
            strew.index_copy(empty, 0, [2**70], 1.0, mode=mode)
    assert strew.index_copy(empty, 0, [2**70], 1.0, mode="drop").shape == (0, 4)


# ---- A bind that fails


def test_a_bind_that_fails_leaves_what_was_bound() -> None:
    for count in (3, 5000):
        data, source = np.zeros((count, 4)), np.ones((2 * count, 4))
        index = np.random.default_rng(2).integers(0, count, 2 * count)
        prepared = strew.prepare(strew.index_add, data, 0, index, source)
        good = prepared.bind(index)
        expected = strew.index_add(data, 0, index, source)
        bad = index.copy()
        bad[-1] = count
        for wrong in (bad, bad[1:], [2**70] * 2 * count, bad.astype(float)):
            with pytest.raises(strew.Error):
                prepared.bind(wrong)
            assert good.run(data, source).tobytes() == expected.tobytes()


# ---- One value for all


VALUES: list[tuple[str, Any, Any]] = [
    ("f4", 3.4028235e38, np.float32(3.4028235e38)), ("f2", 65519.0, np.float16(65504)), ("f2", 65520.0, None),
    ("f2", -65520.0, None), ("f2", 1 + 2.0**-11 + 2.0**-50, np.float16(1 + 2.0**-10)), ("f2", 1 + 2.0**-11, np.float16(1)),
    ("f4", 2**70, np.float32(2.0**70)), ("f8", 10**400, None), ("f8", -(10**400), None), ("f4", 1e39, None),
    ("f4", 2**100 + 2**76 + 1, np.float32(2.0**100 + 2.0**77)), ("f4", 2**100 + 2**76, np.float32(2.0**100)),
    ("f8", 2**100 + 2**47 + 1, np.float64(2.0**100 + 2.0**48)), ("f8", 2**100 + 2**47, np.float64(2.0**100)),
    ("f4", 2**128 - 2**104, np.float32(3.4028235e38)), ("f4", 2**128 - 2**103 - 1, np.float32(3.4028235e38)),
    ("f4", 2**128 - 2**103, None), ("f4", 2**62 + 2**38 + 1, np.float32(2.0**62 + 2.0**39)),
    ("f4", 2**63 + 2**39 + 1, np.float32(2.0**63 + 2.0**40)), ("f2", 2049, np.float16(2048)), ("f2", 2051, np.float16(2052)),
    ("f2", 65519, np.float16(65504)), ("f2", 65520, None), ("f2", 2**70, None), ("i4", 1.0, None), ("u1", 256, None),
    ("i8", 2**70, None), ("f4", np.longdouble(1) + np.longdouble(2) ** -24 + np.longdouble(2) ** -60, np.float32(1 + 2.0**-23)),
    ("f2", np.longdouble(1) + np.longdouble(2) ** -11 + np.longdouble(2) ** -60, np.float16(1 + 2.0**-10)),
    ("f8", np.longdouble("1e400"), None), ("f4", np.longdouble("1e400"), None), ("f4", np.longdouble("inf"), np.float32(np.inf)),
    ("f8", np.longdouble("nan"), np.float64(np.nan)), ("f2", np.float32(65519), np.float16(65504)),
    ("f2", np.float32(65520), None), ("f4", np.float64(3.4028235e38), np.float32(3.4028235e38)), ("f4", np.float16(1.5), np.float32(1.5)),
    ("c8", 3.4028235e38, np.complex64(3.4028235e38)), ("c8", complex(3.4028235e38, -3.4028235e38), np.complex64(3.4028235e38 - 3.4028235e38j)),
    ("c8", 1e39j, None), ("c8", 2**70, np.complex64(2.0**70)), ("c16", 2**100 + 2**47 + 1, np.complex128(2.0**100 + 2.0**48)),
    ("c8", 2**100 + 2**76 + 1, np.complex64(2.0**100 + 2.0**77)), ("g", 2**70 + 2**6 + 1, np.longdouble(2**35) * 2**35 + 2**7 if np.finfo("g").nmant == 63 else None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "expected"), VALUES, ids=[f"{n}-{str(v)[:12]}-{k}" for k, (n, v, _) in enumerate(VALUES)])
@pytest.mark.filterwarnings("ignore")
def test_a_value_is_rounded_once(name: str, value: Any, expected: Any) -> None:
    data = np.zeros(2, name)
    if name == "g" and expected is None:
        pytest.skip("long doubles have other digits here")
    calls = (
        lambda: strew.index_fill(data, 0, [1], value),
        lambda: strew.masked_fill(data, np.array([False, True]), value),
        lambda: strew.index_copy(data, 0, [1], value),
        lambda: strew.prepare(strew.index_copy, data, 0, [1], value).run(data, [1]),
        lambda: strew.index_add(data, 0, [1], np.ones(1, name), alpha=value),
    )
    for call in calls[: 4 if name == "g" else 5]:  # long doubles are not multiplied
        if expected is None:
            with refused("type_mismatch" if name[0] == "i" and isinstance(value, float) else "value_out_of_range"):
                call()
        else:
            np.testing.assert_array_equal(call()[1], expected)


def test_values_of_bfloat16() -> None:
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    data = np.zeros(2, bfloat16)
    for value, expected in ((1 + 2.0**-8 + 2.0**-50, 1 + 2.0**-7), (1 + 2.0**-8, 1.0), (2**70, 2.0**70), (2**70 + 2**62 + 1, 2.0**70 + 2.0**63),
                            (np.longdouble(1) + np.longdouble(2) ** -8 + np.longdouble(2) ** -60, 1 + 2.0**-7), (bfloat16(3), 3.0),
                            (3.39e38, float(bfloat16(3.39e38))), (np.float32(1.5), 1.5)):  # fmt: skip
        assert float(strew.index_fill(data, 0, [1], value)[1]) == expected
    for value in (3.3961775292304957e38, 2**128, 1e39):
        with refused("value_out_of_range"):
            strew.index_fill(data, 0, [1], value)
    assert strew.index_fill(np.zeros(2, np.float32), 0, [1], bfloat16(1.5)).tolist() == [0, 1.5]


# ---- Fields of packed records


def test_fields_of_packed_records() -> None:
    packed = np.zeros(4, [("x", "f8"), ("id", "i4")])
    for call in (
        lambda: strew.index_copy(packed["x"], 0, [0], 1.0),
        lambda: strew.index_copy(np.zeros(4), 0, [0, 1, 2, 3], packed["x"]),
        lambda: strew.index_copy(np.zeros(4), 0, [0], 1.0, out=packed["x"]),
    ):
        with refused("misaligned_stride", "ascontiguousarray", unchanged=packed):
            call()
    assert strew.index_copy(packed["id"], 0, [1], 7).tolist() == [0, 7, 0, 0]
    aligned = np.zeros(4, np.dtype([("x", "f8"), ("id", "i4")], align=True))
    assert strew.index_copy(aligned["x"], 0, [1], 7.0, out=aligned["x"]).tolist() == [0, 7, 0, 0]
    bytes_ = np.zeros(41, np.uint8)
    odd = as_strided(bytes_[1:].view(np.uint8), (40,), (1,)).view(np.float64)
    assert strew.index_copy(odd, 0, [2], 7.0, out=odd).tolist() == [0, 0, 7, 0, 0]
    with pytest.warns(sn.FallbackWarning, match="multiple of the element size"):
        sn.put(packed["x"], [1], 5.0)
    assert packed["x"].tolist() == [0, 5, 0, 0]


# ---- What an attack found


def test_the_module_is_loaded_once() -> None:
    program = """
import sys, numpy as np, strew
first = strew.index_add
held = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "strew"}
for name in held:
    del sys.modules[name]
try:
    import strew
except ImportError as error:
    assert "loaded once in a process" in str(error.__cause__), error
else:
    raise AssertionError("loaded again")
sys.modules.update(held)
assert first(np.zeros(3), 0, [1], 2.0).tolist() == [0, 2, 0]
try:
    first(np.zeros(3), 0, [1], 1.0, 1, None, 1, "raise", 1, 2, 3, 4)
except TypeError as error:
    assert "takes 4 arguments without a name, 12 were given" in str(error)
"""
    subprocess.run([sys.executable, "-P", "-c", program], check=True, timeout=60)


def test_calls_in_calls_end_with_an_error() -> None:
    program = """
import numpy as np, strew
data = np.zeros(5)
class Put:
    def __index__(self): strew.index_put(data, ([self],), 1.0); return 0
class Deep:
    def __index__(self):
        index = [self]
        for _ in range(14): index = [index]
        strew.index_add(data, 0, index, 1.0)
        return 0
for call in (lambda: strew.index_put(data, ([Put()],), 1.0), lambda: strew.index_add(data, 0, [Deep()], 1.0)):
    try: call()
    except RecursionError: pass
    else: raise AssertionError
"""
    subprocess.run([sys.executable, "-P", "-c", program], check=True, timeout=60)


def test_references_that_are_shown_as_bytes() -> None:
    class Shows:
        dtype = np.dtype("V8")

        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        @property
        def __array_struct__(self) -> object:
            return self.array.__array_struct__

    held = np.zeros(3, [("a", "O")])
    with refused("type_mismatch", "references as elements of another type"):
        strew.index_copy_(Shows(held), 0, [0], Shows(held[:1]))
    for value in (2.7, 1000, np.float64(1)):
        with refused("type_mismatch"):
            strew.index_fill(np.zeros(2, [("a", "O"), ("b", "i4")]), 0, [0], value)


def test_ranges_and_lists_at_the_limits() -> None:
    data = np.zeros(5)
    assert strew.index_add(data, 0, range(-(2**63), 2**63 - 1, 2**62), 1.0, mode="clip").tolist() == [3, 0, 0, 0, 1]
    assert strew.index_add(data, 0, range(2**63 - 1, -(2**63), -(2**62)), 1.0, mode="clip").tolist() == [2, 0, 0, 0, 2]
    for call in (lambda: strew.index_add(data, 0, range(2**62), 1.0), lambda: strew.index_put(data, (range(2**62),), 1.0),
                 lambda: strew.prepare(strew.index_add, data, 0, range(2**62), 1.0)):
        with refused("size_overflow", "too many to be copied"):
            call()
    with refused("type_mismatch", "index holds a ndarray, expected integers"):
        strew.index_add(data, 0, [np.array([0, 1])], 1.0)
    assert strew.index_add(data, 0, [0, 1], [np.array(1.0), np.array(2)]).tolist() == [1, 2, 0, 0, 0]
    assert strew.index_put(data, [np.array([1])], 1.0).tolist() == [0, 1, 0, 0, 0]
    with refused("type_mismatch", "is a list of integers"):
        strew.index_put(data, [np.int64(0)], 1.0)


def test_methods_of_arguments_that_fail() -> None:
    data = np.zeros(5)

    class Boolx(np.float64):
        def __bool__(self) -> bool:
            raise ValueError("no bool")

    with refused("type_mismatch", "expected bools"):
        strew.masked_fill(data, [Boolx(1), False, True, False, True], 1.0)

    class Interrupts(str):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strew.index_add(data, 0, [0], 1.0, mode=Interrupts("x"))
    units = type("Length", (), {"units": "\ud800"})()
    with pytest.raises(TypeError, match="a unit that would be lost"):
        strew.index_add(data, 0, units, 1.0)
    with pytest.raises(TypeError, match="which are one argument"):
        strew.index_add(input=data, arr=data, dim=0, index=[0], source=1.0)


def test_texts_are_one_line_and_keep_what_was_passed() -> None:
    data = np.zeros(5)
    for call in (lambda: strew.index_add(data, 0, [0], 1.0, mode="a\nb"), lambda: strew.index_reduce(data, 0, [0], 1.0, "a\nb"),
                 lambda: strew.index_add(data, 0, [0], 1.0, **{"a\nb": 1}), lambda: strew.index_add(data, 0, type("a\nb", (), {})(), 1.0)):
        with pytest.raises((strew.Error, TypeError)) as caught:
            call()
        assert "\n" not in str(caught.value)
    with refused(words="mode = 'updates', expected"):
        strew.index_add(data, 0, [0], src=1.0, mode="updates")
    assert strew.put(data, [0, 0], 1.0, accumulate=np.True_)[0] == 2
    assert strew.scatter_reduce(data + 1, 0, [0], 1.0, "sum", include_self=np.False_)[0] == 1
