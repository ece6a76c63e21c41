# SPDX-License-Identifier: Apache-2.0
"""Random calls of every operator that scatters by indices, beside naive loops: shapes, strides, types of elements, of
updates and of indices, segments, bad indices, modes, reductions, positions, outputs, threads, prepared and bound calls."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import strew

NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", ml_dtypes.bfloat16]
MOVED = NUMBERS + ["M8[s]", "m8[ns]", "S3", "U2", "V5", ">f4", "g", "i4,f8", "O", np.dtypes.StringDType()]
INDEX_TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


@dataclass
class Call:
    """A call and what it must do: the output, or None if an index is bad."""

    operator: Any
    arguments: list[Any]
    indices_at: int
    updates_at: int
    options: dict[str, Any] = field(default_factory=dict)
    expected: np.ndarray | None = None
    positions: np.ndarray | None = None
    bad: tuple[int, ...] | None = None


def laid_out(draw: Any, values: np.ndarray) -> np.ndarray:
    """The values in an array that lies in memory in some other way."""
    order = draw(st.permutations(range(values.ndim)))
    steps = [draw(st.sampled_from([1, 1, 2, -1])) for _ in order]
    whole = np.empty([values.shape[k] * abs(step) for k, step in zip(order, steps)], values.dtype)
    part = whole[(..., *[slice(None, None, step) for step in steps])]
    part = part[(..., *[slice(values.shape[k]) for k in order])].transpose(np.argsort(order).astype(int))
    part[...] = values
    return part


def is_number(dtype: np.dtype[Any]) -> bool:
    return any(dtype == np.dtype(number) for number in NUMBERS)


def random_values(random: np.random.Generator, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
    dtype = np.dtype(dtype)
    numbers = random.integers(-4 if dtype.kind in "ifcV" else 0, 100, shape)
    if dtype.kind in "MmSUTO":
        return numbers.astype("i8").astype(dtype)
    if dtype.kind == "V" and dtype != ml_dtypes.bfloat16:
        if dtype.names is None:
            return np.frombuffer(random.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
        made = np.zeros(shape, dtype)
        for name in dtype.names:
            made[name] = numbers
        return made
    values = numbers.astype(dtype)
    if dtype.kind in "fc" or dtype == ml_dtypes.bfloat16:
        values = (values * random.choice([0.1, 1.0, 100.0], shape)).astype(dtype)
    # Products and quotients of complex numbers that are not finite are not those of NumPy, but std::complex's.
    if dtype.kind == "f" or dtype == ml_dtypes.bfloat16:
        values = np.where(random.random(shape) < 0.05, np.asarray(random.choice([np.nan, np.inf, -0.0]), dtype), values)
    return np.asarray(values.astype(dtype))


@st.composite
def calls(draw: Any) -> Call:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    largest = draw(st.sampled_from([4, 4, 4, 40]))
    shape = tuple(draw(st.lists(st.integers(0, largest), min_size=1, max_size=3)))
    reduction = draw(st.sampled_from(["none", "none", "sum", "prod", "min", "max", "sub", "mean"]))
    dtype = np.dtype(draw(st.sampled_from(MOVED if reduction == "none" else NUMBERS)))
    if (reduction in ("min", "max") and dtype.kind == "c") or (reduction == "mean" and dtype == bool):
        reduction = "sum"
    mode = draw(st.sampled_from(["raise", "raise", "raise", "drop", "clip", "wrap"]))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    data = random_values(random, dtype, shape)
    options: dict[str, Any] = {"mode": mode, "threads": draw(st.sampled_from([1, 1, 2, 3]))}
    feature = draw(st.sampled_from(["", "", "cast", "positions", "segments"]))
    given_dtype = np.dtype(draw(st.sampled_from(NUMBERS))) if feature == "cast" else dtype
    # NumPy's products of complex numbers that are not finite are others.
    if not is_number(dtype) or not oracle.is_converted(dtype, given_dtype) or (dtype.kind == "c" and reduction == "prod"):
        given_dtype = dtype

    def indices_of(extents: tuple[int, ...], extent: int | tuple[int, ...], wraps: bool) -> np.ndarray:
        index_type = np.dtype(draw(st.sampled_from(INDEX_TYPES)))
        bad = draw(st.booleans()) and (mode != "raise" or draw(st.booleans()))
        most = int(np.iinfo(index_type).max)
        array = np.zeros(extents, index_type)
        # The last axis of multi-indices has a component for each of some extents.
        for at in np.ndindex(extents):
            size = int(extent[at[-1]] if isinstance(extent, tuple) else extent)
            low, high = (-size if wraps else 0), size - 1
            if bad or size == 0:
                low, high = low - 2, high + 3
            if index_type.kind == "u":
                low = 0
            low = max(low, -most - 1)
            array[at] = random.integers(low, min(max(high, low), most) + 1)
        return laid_out(draw, array)

    def updates_of(extents: tuple[int, ...]) -> np.ndarray:
        """The updates as elements; `given` are those of the call. One value is converted without cast."""
        nonlocal given
        given = random_values(random, given_dtype if extents else dtype, extents)
        return given if given.dtype == dtype else oracle.converted(given, dtype)

    given = data
    positions = tuple(draw(st.lists(st.integers(0, 5), max_size=2)))
    kind = draw(st.sampled_from(["rows", "elements", "multi", "tensors", "numbers"]))
    if feature == "segments":
        kind, options["mode"] = "rows", "raise"
        lengths = random.integers(0, 4, shape[axis])
        positions = (int(lengths.sum()),)
        offsets = np.cumsum([0, *lengths]).astype(draw(st.sampled_from(INDEX_TYPES)))
        if draw(st.booleans()) and draw(st.booleans()):
            offsets[random.integers(offsets.size)] += 1
    is_from_init = draw(st.booleans())
    if kind == "rows":
        at = axis % len(shape)
        updates = updates_of(shape[:at] + positions + shape[at + 1 :])
        if feature == "segments":
            indices = strew.segments(offsets)
            pairs = lambda: oracle.rows(data, oracle.expanded(offsets, updates.shape[at]), updates, axis)
        else:
            indices = indices_of(positions, shape[at], False)
            pairs = lambda: oracle.rows(data, indices, updates, axis, mode=mode)
        reduction = "sum" if reduction == "sub" else reduction
        if reduction == "none":
            operator = draw(st.sampled_from([strew.scatter_update, strew.index_copy]))
        else:
            operator = strew.index_reduce
        arguments = [data, indices, given, axis]
    elif kind == "elements":
        wraps = draw(st.booleans())
        at = axis % len(shape)
        extents = tuple(draw(st.integers(0, 5 if k == at else extent)) for k, extent in enumerate(shape))
        updates = updates_of(extents)
        indices = indices_of(extents, shape[at], wraps)
        pairs = lambda: oracle.elements(data, indices, updates, axis, wraps=wraps, mode=mode)
        if reduction == "sub":
            reduction = "sum"
        if wraps:
            operator = strew.v12.scatter_elements_update
        else:
            operator = strew.scatter if reduction == "none" else strew.scatter_reduce
        arguments = [data, indices, given, axis]
    else:
        reduction = "sum" if reduction == "mean" else reduction
        count = draw(st.integers(0 if kind == "multi" else 1, len(shape)))
        if kind == "multi":
            wraps = draw(st.booleans())
            indices = indices_of(positions + (count,), shape[:count], wraps)
            updates = updates_of(positions + shape[count:])
            pairs = lambda: oracle.multi(data, indices, updates, wraps=wraps, mode=mode)
            operator = draw(st.sampled_from([strew.v15.scatter_nd_update, strew.onnx.scatter_nd]))
            if reduction == "sub":
                operator = strew.v15.scatter_nd_update
            if not wraps:
                operator, reduction = strew.v3.scatter_nd_update, "none"
        elif kind == "tensors":
            reduction = reduction if reduction == "none" else "sum"
            indices = tuple(indices_of(positions, shape[k], True) for k in range(count))
            updates = updates_of(positions + shape[count:])
            stacked = np.stack([each.astype(object) for each in indices], -1)
            pairs = lambda: oracle.multi(data, stacked, updates, mode=mode)
            operator = strew.index_put
        else:
            reduction = reduction if reduction == "none" else "sum"
            indices = indices_of(positions, data.size, True)
            updates = updates_of(positions)
            pairs = lambda: oracle.numbers(data, indices, updates, mode=mode)
            operator = strew.put
        arguments = [data, indices, given]
    if operator in (strew.index_copy, strew.index_reduce, strew.scatter, strew.scatter_reduce):
        arguments = [data, axis, indices, given]
    takes_reduction = operator not in (strew.scatter_update, strew.index_copy, strew.scatter)
    if takes_reduction and operator != strew.v3.scatter_nd_update:
        arguments.append(reduction)
    takes_init = operator in (strew.index_reduce, strew.v12.scatter_elements_update, strew.scatter_reduce)
    takes_init = takes_init and reduction not in ("none", "sub")
    if takes_init:
        options["include_init"] = is_from_init
    takes_skipna = takes_reduction and reduction not in ("none", "sub") and operator != strew.v3.scatter_nd_update
    if takes_skipna:
        options["skipna"] = draw(st.booleans())
    options["cast"] = given.dtype != dtype
    has_positions = feature == "positions" and reduction in ("none", "min", "max") and not options.get("skipna", False)
    if has_positions and (is_from_init or not takes_init):
        options["return_positions"] = True
    call = Call(operator, arguments, 2 if arguments[1] is axis else 1, 3 if arguments[1] is axis else 2, options)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call.expected = oracle.scatter(
                data, pairs(), reduction, is_from_init or not takes_init, options.get("skipna", False)
            )
            if "return_positions" in options:
                call.positions = oracle.positions(data, pairs(), reduction)
        except oracle.BadIndex:
            call.bad = ()
    return call


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal in every bit, but for NaNs, which are NaNs in both."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind in "OT":
        return bool(np.all(a == b))
    if a.dtype.kind == "g" or a.dtype.char == "g":
        return bool(np.array_equal(a, b, equal_nan=True))
    if a.dtype.kind in "fc" or a.dtype == ml_dtypes.bfloat16:
        numbers = [values.astype("c16") if values.dtype.kind == "c" else values.astype("f8") for values in (a, b)]
        parts = [np.stack([values.real, values.imag]) for values in numbers]
        is_nan = np.isnan(parts[0])
        return bool(
            np.array_equal(is_nan, np.isnan(parts[1]))
            and np.array_equal(parts[0][~is_nan], parts[1][~is_nan])
            and np.array_equal(np.signbit(parts[0])[~is_nan], np.signbit(parts[1])[~is_nan])
        )
    return a.tobytes() == b.tobytes()


def check(call: Call, run: Any, target: np.ndarray | None) -> None:
    """Runs a call; compares its output, or that nothing was written before its error."""
    before = None if target is None else target.copy()
    if call.bad is not None:
        with pytest.raises(strew.Error) as caught:
            run()
        assert isinstance(caught.value, IndexError) and caught.value.code == "index_out_of_bounds"
        assert target is None or same(target, before)
        return
    output = run()
    if call.positions is not None:
        output, positions = output
        assert same(positions, call.positions)
    assert same(output, call.expected)
    assert target is None or output is target


@given(calls(), st.data())
def test_a_new_output(call: Call, data: Any) -> None:
    inputs = [argument.copy() if isinstance(argument, np.ndarray) else argument for argument in call.arguments]
    check(call, lambda: call.operator(*call.arguments, **call.options), None)
    for argument, was in zip(call.arguments, inputs):
        assert not isinstance(argument, np.ndarray) or same(np.asarray(argument), np.asarray(was))


@given(calls(), st.data())
def test_in_place_and_other_outputs_of_any_strides(call: Call, data: Any) -> None:
    arguments = call.arguments.copy()
    arguments[0] = laid_out(data.draw, arguments[0])
    arguments[call.updates_at] = laid_out(data.draw, arguments[call.updates_at])
    target = arguments[0]
    if data.draw(st.booleans()):
        target = laid_out(data.draw, np.zeros_like(arguments[0]))
    check(call, lambda: call.operator(*arguments, out=target, **call.options), target)


@given(calls(), st.data())
def test_lists_of_indices(call: Call, data: Any) -> None:
    arguments = call.arguments.copy()
    indices = arguments[call.indices_at]
    if isinstance(indices, strew.segments):
        arguments[call.indices_at] = strew.segments(indices.offsets.tolist())
        return check(call, lambda: call.operator(*arguments, **call.options), None)
    arrays = indices if isinstance(indices, tuple) else (indices,)
    if any(0 in array.shape for array in arrays):
        return  # a list of lists has no extents after the first that is 0
    lists = tuple(array.tolist() for array in arrays)
    arguments[call.indices_at] = lists if isinstance(indices, tuple) else lists[0]
    check(call, lambda: call.operator(*arguments, **call.options), None)


@given(calls(), st.data())
def test_prepared_and_bound_calls(call: Call, data: Any) -> None:
    indices = call.arguments[call.indices_at]
    if isinstance(indices, strew.segments) or "return_positions" in call.options:
        return  # of calls alone
    tensors = [call.arguments[0], indices, call.arguments[call.updates_at]]
    prepared = strew.prepare(call.operator, *call.arguments, **call.options)
    check(call, lambda: prepared.run(*tensors), None)
    given_indices = tuple(each.copy() for each in indices) if isinstance(indices, tuple) else indices.copy()
    if call.bad is not None:
        return check(call, lambda: prepared.bind(given_indices), None)
    bound = prepared.bind(given_indices)
    for each in given_indices if isinstance(indices, tuple) else (given_indices,):
        each[...] = 127  # runs do not read it
    check(call, lambda: bound.run(tensors[0], tensors[2]), None)
    check(call, lambda: bound.run(tensors[0], tensors[2]), None)


def test_larger_calls_on_threads_have_the_bits_of_one_thread() -> None:
    random = np.random.default_rng(7)
    for dtype in ("f4", "f8", "i4", "?", "c8", "f2"):
        data = random_values(random, dtype, (3000, 5))
        index = random.integers(0, 3000, 20000)
        source = random_values(random, dtype, (20000, 5))
        for operator, arguments in (
            (strew.index_add, (data, 0, index, source)),
            (strew.index_reduce, (data, 0, index, source, "prod")),
            (strew.scatter_update, (data, index, source, 0)),
            (strew.scatter_add, (data, 0, np.stack([index] * 5, 1), source)),
            (strew.put, (data, index, source[:, 0].copy(), "sum")),
        ):
            one = operator(*arguments)
            bound = strew.prepare(operator, *arguments, threads=2).bind(index if operator != strew.scatter_add else arguments[2])
            for threads in (0, 2, 3, 7):
                assert operator(*arguments, threads=threads).tobytes() == one.tobytes()
            rest = [argument for argument in arguments if isinstance(argument, np.ndarray) and argument.dtype == data.dtype]
            assert same(bound.run(*rest), one)  # bound sums and products have loops of their own
