# SPDX-License-Identifier: Apache-2.0
"""Calls from Python, drawn at random: the same operator in strew and in each library that has it.

Each call is a problem on arrays of NumPy, whose memory the other libraries share where they can: in place, or to a new
array. What is drawn is decided by the seed and the number alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import strew

Run = Callable[[], Any]
OPERATORS = (
    "slice_scatter", "select_scatter", "diagonal_scatter", "index_copy", "index_add", "index_reduce", "index_fill",
    "scatter", "scatter_add", "scatter_reduce", "put", "put_along_axis", "index_put", "masked_scatter", "masked_fill",
)  # fmt: skip
TORCH_REDUCTIONS = {"sum": "sum", "prod": "prod", "mean": "mean", "min": "amin", "max": "amax"}
UFUNCS = {"prod": np.multiply, "min": np.minimum, "max": np.maximum}


@dataclass
class Call:
    """How each library makes one call, `strew` the first of them. Each run returns what it wrote."""

    text: str
    operator: str
    runs: dict[str, Run] = field(default_factory=dict)
    output: np.ndarray | None = None  # what is written in place
    reduction: str = "none"
    is_unique: bool = True  # no two updates of one target, so that all libraries write the same


class Draw:
    def __init__(self, seed: int, number: int) -> None:
        self.random = np.random.Generator(np.random.PCG64([seed, number]))

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def below(self, count: int) -> int:
        return int(self.random.integers(0, count))

    def log(self, low: int, high: int) -> int:
        """As many of each power of two."""
        if high <= low:
            return low
        return min(high, int(math.exp(self.random.uniform(math.log(low), math.log(high + 1)))))

    def count(self, targets: int, weight: int) -> int:
        """How many updates of so many elements: some of the calls are histograms and sums of segments."""
        room = max(1, 3_000_000 // max(1, weight))
        return self.log(1, room if self.chance(0.3) else min(2 * targets, room))

    def pick(self, *every: Any) -> Any:
        return every[self.below(len(every))]

    def extents(self, rank: int, total: int) -> list[int]:
        """Near `total` in all: narrow axes, of 1 to 8, in any place, and long ones."""
        longest, rest = self.below(rank), float(total)
        shape, weights = [1] * rank, [0.0] * rank
        for k in range(rank):
            if k != longest and self.chance(0.35):
                shape[k] = min(1 + self.below(8), max(1, total // 2))
                rest /= shape[k]
            else:
                weights[k] = float(self.random.exponential()) + 0.05
        for k in range(rank):
            if weights[k]:
                shape[k] = max(1, round(max(rest, 1.0) ** (weights[k] / sum(weights))))
        return shape

    def place(self, shape: tuple[int, ...], dtype: np.dtype, ordinary: bool) -> tuple[np.ndarray, str]:
        """Memory for an array, and the name of its layout."""
        how = 0 if ordinary or not shape else self.below(6)
        rank = len(shape)
        if how == 1:
            order = self.random.permutation(rank)
            return np.zeros([shape[k] for k in order], dtype).transpose(np.argsort(order)), "permuted"
        if how == 2:
            return np.zeros(shape[::-1], dtype).T, "column-major"
        if how == 3:
            axis = rank - 1 if self.chance(0.7) else self.below(rank)
            stored = [2 * n if k == axis else n for k, n in enumerate(shape)]
            every = tuple(slice(None, None, 2 if k == axis else 1) for k in range(rank))
            return np.zeros(stored, dtype)[every], "every second element"
        if how == 4:
            stored = [*shape[:-1], shape[-1] + 1 + self.below(16)]
            return np.zeros(stored, dtype)[..., : shape[-1]], "padded"
        if how == 5:
            return np.flip(np.zeros(shape, dtype), self.below(rank)), "negative strides"
        return np.zeros(shape, dtype), "row-major"

    def array(self, shape: tuple[int, ...], dtype: np.dtype, ordinary: bool, factors: bool = False) -> tuple[Any, str]:
        made, layout = self.place(shape, dtype, ordinary)
        values = self.random.integers(-7, 8, shape)
        if factors:
            values = np.where(values < 0, -1, 1)
        made[...] = values.astype(dtype)
        return made, layout

    def numbers(self, shape: tuple[int, ...], below: int, kind: str) -> np.ndarray:
        count = math.prod(shape)
        if kind == "permuted":
            whole = -(-count // below)
            flat = np.concatenate([self.random.permutation(below) for _ in range(whole)])[:count] if count else []
        elif kind == "few":
            flat = self.random.choice(self.random.integers(0, below, 1 + self.below(8)), count)
        elif kind == "Zipf":
            ranks = np.exp(self.random.uniform(0, math.log(below + 1), count)).astype(np.int64) - 1
            flat = (ranks * 40503) % below
        else:
            flat = self.random.integers(0, below, count)
            if kind == "sorted":
                flat = np.sort(flat)
        return np.asarray(flat, np.int64).reshape(shape)

    def indices(self, shape: tuple[int, ...], below: int, kind: str, dtype: str, ordinary: bool, expanded: tuple[int, ...]):
        """With stride 0 on the axes in `expanded`."""
        stored = tuple(1 if k in expanded else n for k, n in enumerate(shape))
        made, layout = self.place(stored, np.dtype(dtype), ordinary)
        made[...] = self.numbers(stored, below, kind)
        if any(shape[k] > 1 for k in expanded):
            return np.broadcast_to(made, shape), layout + ", expanded"
        return made.reshape(shape) if made.shape != shape else made, layout


def wide(indices: np.ndarray) -> np.ndarray:
    """As 64 bits, which users of the other libraries convert to, once. What has stride 0 keeps it."""
    if indices.dtype == np.int64:
        return indices
    stored = indices[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in indices.strides)].astype(np.int64)
    return stored if stored.shape == indices.shape else np.broadcast_to(stored, indices.shape)


def has_equal(indices: np.ndarray, axis: int) -> bool:
    """Along the axis."""
    in_order = np.sort(indices, axis)
    return bool((np.diff(in_order, axis=axis) == 0).any())


def add_rows(a: np.ndarray, axis: int, indices: np.ndarray, updates: np.ndarray) -> None:
    rows, added = np.moveaxis(a, axis, 0), np.moveaxis(updates, axis, 0)
    for k, row in enumerate(indices):
        rows[row] += added[k]


def jax_method(at: Any, reduce: str) -> Callable[..., Any]:
    return {"prod": at.multiply, "min": at.min, "max": at.max}[reduce]


def reduction_of(draw: Draw, operator: str) -> tuple[str, bool]:
    match operator:
        case "index_add" | "scatter_add":
            return "sum", True
        case "index_reduce":
            return draw.pick("prod", "min", "max", "mean"), draw.chance(0.6)
        case "scatter_reduce":
            return draw.pick("sum", "prod", "min", "max", "mean"), draw.chance(0.6)
        case "put" | "index_put":
            return draw.pick("none", "sum"), True
        case _:
            return "none", True


def draw_call(seed: int, number: int, threads: int, torch: Any, jax: Any) -> Call:
    """The call with this number, with runs that take turns on the same arrays."""
    draw = Draw(seed, number)
    operator = OPERATORS[draw.below(len(OPERATORS))]
    reduce, init = reduction_of(draw, operator)
    types = ["f4", "f4", "f4", "f8", "f2", "u1", "i4", "i8"]
    if reduce == "none":
        types.append("c16")
    dtype = np.dtype(draw.pick("f4", "f4", "f8", "f2") if reduce == "mean" else draw.pick(*types))
    rank = 2 + draw.below(3) if operator == "diagonal_scatter" else 1 + draw.below(4)
    shape = tuple(draw.extents(rank, draw.log(30, 3_000_000)))
    ordinary, in_place = draw.chance(0.5), draw.chance(0.6)
    index_type = draw.pick("i8", "i8", "i4")
    kind = draw.pick("random", "random", "permuted", "sorted", "few", "Zipf")
    data, layout = draw.array(shape, dtype, ordinary, reduce == "prod")
    axis = draw.below(rank)
    call = Call("", operator)
    call.reduction = reduce
    call.output = data if in_place else None
    placed = f"{dtype} {list(shape)}" + (f" ({layout})" if layout != "row-major" else "")
    made = Maker(call, data, in_place, torch, jax)

    def updates(extents: tuple[int, ...]) -> np.ndarray:
        return draw.array(extents, dtype, ordinary, reduce == "prod")[0]

    text = [operator, placed]
    if operator == "slice_scatter":
        step = draw.pick(1, 1, 1, 2, 3, -1)
        length = draw.log(1, -(-shape[axis] // abs(step)))
        first = draw.below(shape[axis] - (length - 1) * abs(step))
        start = first if step > 0 else first + (length - 1) * -step
        stop = start + length * step
        stop = stop if stop >= 0 else None
        u = updates(tuple(length if k == axis else n for k, n in enumerate(shape)))
        where = tuple(slice(start, stop, step) if k == axis else slice(None) for k in range(rank))
        bound = stop if stop is not None else -(2**62)
        made.strew(lambda to: strew.slice_scatter(
            data, u, start=[start], stop=[bound], step=[step], axes=[axis], out=to, threads=threads))  # fmt: skip
        made.numpy(lambda a: a.__setitem__(where, u))
        if step > 0:
            made.torch(lambda t, v: t[where].copy_(v), u)
        text.append(f"axis {axis}, {length} from {start} by {step}")
    elif operator == "select_scatter":
        at = draw.below(shape[axis])
        u = updates(shape[:axis] + shape[axis + 1 :])
        where = (slice(None),) * axis + (at,)
        made.strew(lambda to: strew.select_scatter(data, u, axis, at, out=to, threads=threads))
        made.numpy(lambda a: a.__setitem__(where, u))
        made.torch(lambda t, v: t.select(axis, at).copy_(v), u)
        text.append(f"axis {axis} at {at}")
    elif operator == "diagonal_scatter":
        other = (axis + 1 + draw.below(rank - 1)) % rank
        u = updates(np.diagonal(data, 0, axis, other).shape)
        made.strew(lambda to: strew.diagonal_scatter(data, u, 0, axis, other, out=to, threads=threads))

        def assign_diagonal(a: np.ndarray) -> None:
            view = np.diagonal(a, 0, axis, other)
            view.flags.writeable = True
            view[...] = u

        made.numpy(assign_diagonal)
        made.torch(lambda t, v: t.diagonal(0, axis, other).copy_(v), u)
        text.append(f"axes {axis} and {other}")
    elif operator in ("index_copy", "index_add", "index_reduce", "index_fill"):
        rest = math.prod(shape) // shape[axis]
        count = draw.count(shape[axis], rest)
        i, _ = draw.indices((count,), shape[axis], kind, index_type, ordinary, ())
        w = wide(i)
        front = (slice(None),) * axis
        where = (*front, w)
        if operator == "index_fill":
            value = dtype.type(3)
            made.strew(lambda to: strew.index_fill(data, axis, i, value, out=to, threads=threads))
            made.numpy(lambda a: a.__setitem__(where, value))
            made.torch(lambda t, j: t.index_fill_(axis, j, 3), w)
            made.jax(lambda x, j, v: x.at[(*front, j)].set(v), w, value)
        else:
            u = updates(shape[:axis] + (count,) + shape[axis + 1 :])
            if operator == "index_copy":
                call.is_unique = not has_equal(w, 0)
                made.strew(lambda to: strew.index_copy(data, axis, i, u, out=to, threads=threads))
                made.numpy(lambda a: a.__setitem__(where, u))
                made.torch(lambda t, j, v: t.index_copy_(axis, j, v), w, u)
                made.jax(lambda x, j, v: x.at[(*front, j)].set(v), w, u)
            elif operator == "index_add":
                made.strew(lambda to: strew.index_add(data, axis, i, u, out=to, threads=threads))
                made.numpy(lambda a: np.add.at(a, where, u))
                if rest >= 16 and count <= 2000:
                    made.numpy(lambda a: add_rows(a, axis, w, u), "by rows")
                made.torch(lambda t, j, v: t.index_add_(axis, j, v), w, u)
                made.jax(lambda x, j, v: x.at[(*front, j)].add(v), w, u)
            else:
                made.strew(lambda to: strew.index_reduce(
                    data, axis, i, u, reduce, include_init=init, out=to, threads=threads))  # fmt: skip
                if init and reduce != "mean":
                    made.numpy(lambda a: UFUNCS[reduce].at(a, where, u))
                    made.jax(lambda x, j, v: jax_method(x.at[(*front, j)], reduce)(v), w, u)
                named = TORCH_REDUCTIONS[reduce]
                made.torch(lambda t, j, v: t.index_reduce_(axis, j, v, named, include_self=init), w, u)
        text.append(f"axis {axis}, {kind} {index_type} [{count}]")
    elif operator in ("scatter", "scatter_add", "scatter_reduce", "put_along_axis"):
        rest = math.prod(shape) // shape[axis]
        count = draw.count(shape[axis], rest)
        extents = shape[:axis] + (count,) + shape[axis + 1 :]
        expanded = tuple(k for k in range(rank) if k != axis) if rank > 1 and draw.chance(0.3) else ()
        i, of_indices = draw.indices(extents, shape[axis], kind, index_type, ordinary, expanded)
        w = wide(i)
        u = updates(extents)
        places = np.ogrid[tuple(slice(n) for n in extents)]
        before, behind = places[:axis], places[axis + 1 :]
        where = (*before, w, *behind)
        if operator == "scatter_add" or (operator == "scatter_reduce" and reduce == "sum" and init):
            made.strew(lambda to: strew.scatter_add(data, axis, i, u, out=to, threads=threads))
            made.torch(lambda t, j, v: t.scatter_add_(axis, j, v), w, u)
            made.numpy(lambda a: np.add.at(a, where, u))
            made.jax(lambda x, j, v: x.at[(*before, j, *behind)].add(v), w, u)
        elif operator == "scatter_reduce":
            made.strew(lambda to: strew.scatter_reduce(
                data, axis, i, u, reduce, include_init=init, out=to, threads=threads))  # fmt: skip
            named = TORCH_REDUCTIONS[reduce]
            made.torch(lambda t, j, v: t.scatter_reduce_(axis, j, v, named, include_self=init), w, u)
            if init and reduce != "mean":
                made.numpy(lambda a: UFUNCS[reduce].at(a, where, u))
                made.jax(lambda x, j, v: jax_method(x.at[(*before, j, *behind)], reduce)(v), w, u)
        else:
            call.is_unique = not has_equal(w, axis)
            if operator == "scatter":
                made.strew(lambda to: strew.scatter(data, axis, i, u, out=to, threads=threads))
            else:
                made.strew(lambda to: strew.put_along_axis(data, i, u, axis, out=to, threads=threads))
            made.numpy(lambda a: np.put_along_axis(a, w, u, axis))
            made.torch(lambda t, j, v: t.scatter_(axis, j, v), w, u)
            made.jax(lambda x, j, v: x.at[(*before, j, *behind)].set(v), w, u)
        text.append(f"axis {axis}, {kind} {index_type} {list(extents)} ({of_indices})")
    elif operator == "put":
        count = draw.count(data.size, 1)
        i, _ = draw.indices((count,), data.size, kind, index_type, ordinary, ())
        w = wide(i)
        u = updates((count,))
        call.is_unique = not has_equal(w, 0)
        made.strew(lambda to: strew.put(data, i, u, reduce, out=to, threads=threads))
        is_one_run = data.flags.c_contiguous or not in_place  # a copy is
        if reduce == "none":
            made.numpy(lambda a: np.put(a, w, u))
            if is_one_run:
                made.numpy(lambda a: a.reshape(-1).__setitem__(w, u), "by reshape")
        elif is_one_run:
            made.numpy(lambda a: np.add.at(a.reshape(-1), w, u))
        made.torch(lambda t, j, v: t.put_(j, v, accumulate=reduce == "sum"), w, u)
        text.append(f"{kind} {index_type} [{count}]")
    elif operator == "index_put":
        depth = 1 + draw.below(rank)
        targets = math.prod(shape[:depth])
        extents: tuple[int, ...] = (draw.count(targets, data.size // targets),)
        by_axes = depth == 2 and draw.chance(0.5)
        if by_axes:
            extents = tuple(draw.extents(2, extents[0]))
        tensors = [
            draw.indices(extents, shape[k], kind, index_type, ordinary, (1 - k,) if by_axes else ())[0]
            for k in range(depth)
        ]
        all_wide = tuple(wide(each) for each in tensors)
        u = updates(extents + shape[depth:])
        call.is_unique = not has_equal(np.ravel_multi_index(all_wide, shape[:depth]).reshape(-1), 0)
        made.strew(lambda to: strew.index_put(data, tensors, u, reduce, out=to, threads=threads))
        if reduce == "none":
            made.numpy(lambda a: a.__setitem__(all_wide, u))
            made.jax(lambda x, *rest: x.at[rest[:-1]].set(rest[-1]), *all_wide, u)
        else:
            made.numpy(lambda a: np.add.at(a, all_wide, u))
            made.jax(lambda x, *rest: x.at[rest[:-1]].add(rest[-1]), *all_wide, u)
        made.torch(lambda t, *rest: t.index_put_(rest[:-1], rest[-1], accumulate=reduce == "sum"), *all_wide, u)
        text.append(f"{depth} of {kind} {index_type} {list(extents)}" + (", rows by columns" if by_axes else ""))
    else:
        expanded = (rank - 1,) if rank > 1 and draw.chance(0.3) else ()
        stored = tuple(1 if k in expanded else n for k, n in enumerate(shape))
        mask, of_mask = draw.place(stored, np.dtype(bool), ordinary)
        share = draw.pick(0.01, 0.1, 0.5, 0.5, 0.9, 0.99)
        mask[...] = draw.random.random(stored) < share
        if expanded:
            mask, of_mask = np.broadcast_to(mask, shape), of_mask + ", expanded"
        if operator == "masked_fill":
            value = dtype.type(3)
            made.strew(lambda to: strew.masked_fill(data, mask, value, out=to, threads=threads))
            made.numpy(lambda a: np.putmask(a, mask, value))
            made.numpy(lambda a: a.__setitem__(mask, value), "by index")
            made.torch(lambda t, m: t.masked_fill_(m, 3), mask)
            if jax is not None:
                made.jax(lambda x, m, v: jax.numpy.where(m, v, x), mask, value)
        else:
            u = updates((max(1, int(mask.sum())),))
            if not mask.any():
                mask = np.ones(shape, bool)
                u = updates((data.size,))
            made.strew(lambda to: strew.masked_scatter(data, mask, u, out=to, threads=threads))
            made.numpy(lambda a: a.__setitem__(mask, u))
            made.torch(lambda t, m, v: t.masked_scatter_(m, v), mask, u)
        text.append(f"mask ({of_mask}), {share:.0%}")
    if reduce != "none":
        text.append(reduce + ("" if init else " without init"))
    if in_place:
        text.append("in place")
    call.text = ", ".join([" ".join(text[:2]), *text[2:]])
    return call


class Maker:
    """Adds the runs of a call: each library writes `data`, or copies it first."""

    def __init__(self, call: Call, data: np.ndarray, in_place: bool, torch: Any, jax: Any) -> None:
        self.call, self.data, self.in_place, self.module, self.jax_module = call, data, in_place, torch, jax

    def strew(self, run: Callable[[Any], Any]) -> None:
        to = self.data if self.in_place else None
        self.call.runs["strew"] = lambda: run(to)

    def numpy(self, run: Callable[[np.ndarray], Any], way: str = "") -> None:
        """Of two ways to write a call the faster counts."""

        def write() -> Any:
            to = self.data if self.in_place else self.data.copy()
            run(to)
            return to

        self.call.runs["NumPy" + (f" {way}" if way else "")] = write

    def tensors(self, arrays: tuple[Any, ...]) -> list[Any] | None:
        """Of the same memory; none where PyTorch has no such strides."""
        if self.module is None or any(stride < 0 for array in (self.data, *arrays) for stride in array.strides):
            return None
        return [self.module.from_numpy(array) if array.flags.writeable else self.expanded(array) for array in arrays]

    def expanded(self, array: np.ndarray) -> Any:
        inner = array[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in array.strides)]
        base = np.lib.stride_tricks.as_strided(inner, writeable=True)
        return self.module.from_numpy(base).expand(array.shape)

    def torch(self, run: Callable[..., Any], *arrays: Any) -> None:
        tensors = self.tensors((self.data, *arrays))
        if tensors is None:
            return
        data, rest = tensors[0], tensors[1:]

        def write() -> Any:
            to = data if self.in_place else data.clone()
            run(to, *rest)
            return to

        self.call.runs["PyTorch"] = write

    def jax(self, run: Callable[..., Any], *arrays: Any) -> None:
        if self.jax_module is None or self.in_place:
            return
        operands = [self.jax_module.numpy.asarray(array) for array in (self.data, *arrays)]
        compiled = self.jax_module.jit(run)
        self.call.runs["JAX"] = lambda: np.asarray(compiled(*operands).block_until_ready())
