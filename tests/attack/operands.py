#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks the package for Python: operands of any type and strides in memory between guard pages, beside naive loops.

    operands.py [<seed> [<cases> [<first case>]]]

Run it with the interpreter of an environment that has strew and NumPy. The calls are made by a child process, so that an
access to a guard page is reported with the case that made it.
"""

import ctypes
import faulthandler
import mmap
import os
import random
import struct
import sys

import numpy as np

import strew

PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
MOVED = NUMBERS + ["S3", "S7", "V5", "U1", "M8[s]", "m8[ms]", ">i4", ">f8", [("a", "i2"), ("b", "u1")]]
INDICES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


class Slot:
    """The blocks of one operand between two pages without access, made when they are needed."""

    SIZES = (1, 17, 300, 9000)  # pages

    def __init__(self):
        self.blocks = {}
        self.framed = np.empty(0, np.uint8)

    def place(self, rng, size):
        """Bytes that begin or end at a guard page."""
        pages = next(each for each in self.SIZES if each * PAGE >= size)
        if pages not in self.blocks:
            length = (pages + 2) * PAGE
            address = LIBC.mmap(None, length, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
            if address in (None, ctypes.c_void_p(-1).value) or LIBC.mprotect(address + PAGE, pages * PAGE, 3) != 0:
                raise MemoryError("no memory for a block")
            memory = (ctypes.c_ubyte * (pages * PAGE)).from_address(address + PAGE)
            self.blocks[pages] = np.frombuffer(memory, np.uint8)
        block = self.blocks[pages]
        begin = 0 if rng.random() < 0.5 else pages * PAGE - size
        low, high = max(begin - 64, 0), min(begin + size + 64, pages * PAGE)
        self.framed = block[low:high]
        self.framed[:] = 0xA5
        self.begin = begin - low
        return block[begin : begin + size]


def random_bytes(rng, size):
    return np.frombuffer(rng.randbytes(size), np.uint8)


def fill(rng, bytes_of, dtype):
    """Any bits, or small numbers."""
    if len(bytes_of) == 0:
        return
    if dtype.kind == "b":
        bytes_of[:] = random_bytes(rng, len(bytes_of)) & 1
    elif dtype.kind == "U":
        elements = bytes_of.view("u4")
        elements[:] = random_bytes(rng, len(elements))
    elif dtype.kind in "iufc" and dtype.isnative and rng.random() < 0.7:
        elements = bytes_of.view(dtype)
        numbers = random_bytes(rng, len(elements)).astype("i2") % 100
        elements[:] = (numbers / 7).astype(dtype) if dtype.kind in "fc" else numbers.astype(dtype)
    else:
        bytes_of[:] = random_bytes(rng, len(bytes_of))


def place(rng, slot, shape, dtype, is_output, fill_it=True):
    """An array of any strides in a slot; those of inputs may be 0."""
    dtype = np.dtype(dtype)
    order = list(range(len(shape)))
    is_plain = rng.random() < 0.5
    if not is_plain and rng.random() < 0.5:
        rng.shuffle(order)
    strides = [0] * len(shape)
    stride, low, high = 1, 0, 0
    for axis in reversed(order):
        here = stride
        if not is_plain:
            here *= rng.randint(1, 2) if np.prod(shape) < 1000 else 1
            if not is_output and rng.random() < 0.1:
                here = 0
        stride = max(stride, max(shape[axis], 1) * here)
        if not is_plain and rng.random() < 0.25:
            here = -here
        strides[axis] = here * dtype.itemsize
        low += min(here, 0) * max(shape[axis] - 1, 0)
        high += max(here, 0) * max(shape[axis] - 1, 0)
    count = 0 if 0 in shape else high - low + 1
    memory = slot.place(rng, count * dtype.itemsize)
    if fill_it:
        fill(rng, memory, dtype)
    return np.ndarray(shape, dtype, memory, -low * dtype.itemsize if count else 0, strides)


def copy_of(slot, array):
    """The frame of a slot, and the array in this copy of it."""
    frame = slot.framed.copy()
    if array.size == 0:
        return frame, array
    offset = array.__array_interface__["data"][0] - slot.framed.__array_interface__["data"][0]
    return frame, np.ndarray(array.shape, array.dtype, frame, offset, array.strides)


def combine(reduction, current, update):
    """One step, with NumPy's scalars."""
    dtype = current.dtype
    with np.errstate(all="ignore"):
        if reduction == "none":
            return update
        if reduction in ("min", "max"):
            if current != current:
                return current
            less = update < current if reduction == "min" else current < update
            return update if update != update or less else current
        if dtype.kind == "b":
            return {"sum": current | update, "prod": current & update, "sub": current ^ update}[reduction]
        result = {"sum": np.add, "prod": np.multiply, "sub": np.subtract}[reduction](current, update)
        return dtype.type(result)


def resolve(index, extent, strict, mode):
    """The element that an index selects; None: none, -1: an error."""
    index = int(index)
    if (0 if strict else -extent) <= index < extent:
        return index % extent
    if mode == "drop":
        return None
    if mode == "raise" or extent == 0:
        return -1
    if mode == "wrap":
        return index % extent
    return 0 if index < 0 else extent - 1


class Case:
    """One call: what is called with which operands, and what is expected of it."""

    def __init__(self, rng, slots):
        self.rng, self.slots = rng, slots
        self.reduction = "none"
        self.kwargs = {}
        self.mode = "raise"
        self.bad = None
        self.is_error = False

    def draw_shape(self, rank, most):
        shape, left = [], most
        for _ in range(rank):
            extent = self.rng.randint(1, max(1, min(left, 40 if self.rng.random() < 0.2 else 5)))
            shape.append(0 if self.rng.random() < 0.02 else extent)
            left //= max(extent, 1)
        self.rng.shuffle(shape)
        return tuple(shape)

    def draw_indices(self, shape, extents, strict):
        """Indices for axes of these extents: one, or one for each component along the last axis."""
        rng, dtype = self.rng, np.dtype(rng_choice(self.rng, INDICES))
        indices = place(rng, self.slots["indices"], shape, dtype, True, False)
        limits = np.iinfo(dtype)
        for at in np.ndindex(*shape):
            extent = extents[at[-1]] if len(extents) > 1 else extents[0] if extents else 0
            low, high = (0 if strict else max(-extent, limits.min)), min(extent - 1, int(limits.max))
            value = rng.randint(low, high) if high >= low else 0
            if self.may_be_bad and rng.random() < 0.05:
                value = rng.choice([extent, -extent - 1, -1, limits.max, limits.min, extent + 2**32, extent + 256])
                value = value if limits.min <= value <= limits.max else int(limits.max)
            indices[at] = value
        return indices

    def draw(self):
        rng = self.rng
        self.name = rng.choice(list(OPERATORS))
        family, strict, reductions = OPERATORS[self.name]
        self.reduction = rng.choice(reductions)
        self.include_init = True
        dtype = np.dtype(rng_choice(rng, MOVED if self.reduction == "none" else NUMBERS))
        # NumPy's products of complex numbers with NaN and infinity are not those of C++.
        while dtype.kind == "c" and self.reduction in ("min", "max", "prod"):
            dtype = np.dtype(rng_choice(rng, NUMBERS))
        self.may_be_bad = rng.random() < 0.3
        self.mode = rng.choice(["raise", "raise", "drop", "clip", "wrap"]) if family in ("rows", "elements", "nd") else "raise"
        rank = rng.randint(1, 4)
        most = 2500 if rng.random() < 0.01 else 60
        shape = self.draw_shape(rank, most)
        self.axis = rng.randrange(rank)
        self.targets = []  # pairs of a target and the position of its update
        extent = shape[self.axis]
        place_updates = lambda of: place(rng, self.slots["updates"], of, dtype, False)
        if family == "rows":
            of_indices = self.draw_shape(rng.randint(0, 2), 6)
            self.indices = self.draw_indices(of_indices, [extent], strict)
            of_updates = shape[: self.axis] + of_indices + shape[self.axis + 1 :]
            self.updates = place_updates(() if self.name == "index_fill" else of_updates)
            q = len(of_indices)
            for at in np.ndindex(*of_updates):
                position = at[self.axis : self.axis + q]
                target = resolve(self.indices[position], extent, strict, self.mode)
                if target is not None:
                    self.targets.append((at[: self.axis] + (target,) + at[self.axis + q :], at))
            self.check_indices(of_indices, lambda at: resolve(self.indices[at], extent, strict, self.mode))
        elif family == "elements":
            of_indices = tuple(rng.randint(0 if rng.random() < 0.1 else min(1, n), n) for n in shape)
            self.indices = self.draw_indices(of_indices, [extent], strict)
            self.updates = place_updates(of_indices)
            for at in np.ndindex(*of_indices):
                target = resolve(self.indices[at], extent, strict, self.mode)
                if target is not None:
                    self.targets.append((at[: self.axis] + (target,) + at[self.axis + 1 :], at))
            self.check_indices(of_indices, lambda at: resolve(self.indices[at], extent, strict, self.mode))
        elif family == "nd":
            k = 1 if self.name == "put" else rng.randint(1, rank)
            size = int(np.prod(shape))
            extents = [size] if self.name == "put" else list(shape[:k])
            prefix = self.draw_shape(rng.randint(0, 2), 6)
            self.indices = self.draw_indices(prefix if self.name == "put" else prefix + (k,), extents, strict)
            of_updates = prefix if self.name == "put" else prefix + shape[k:]
            self.updates = place_updates(of_updates)
            for at in np.ndindex(*of_updates):
                position = at[: len(prefix)]
                if self.name == "put":
                    number = resolve(self.indices[position], size, strict, self.mode)
                    target = None if number is None else np.unravel_index(number, shape) if number >= 0 else -1
                else:
                    found = [resolve(i, n, strict, self.mode) for i, n in zip(self.indices[position], extents)]
                    target = None if None in found else tuple(found) + at[len(prefix) :]
                if target is not None:
                    self.targets.append((target, at))
            if self.name == "put":
                self.check_indices(prefix, lambda at: resolve(self.indices[at], size, strict, self.mode))
            else:
                self.check_indices(
                    prefix + (k,), lambda at: resolve(self.indices[at], extents[at[-1]], strict, self.mode)
                )
        elif family == "masks":
            self.indices = place(rng, self.slots["indices"], shape, "?", False)
            selected = [at for at in np.ndindex(*shape) if self.indices[at]]
            count = len(selected) + rng.randint(0, 2)
            self.updates = place_updates(() if self.name == "masked_fill" else (count,))
            self.targets = [(at, (k,)) for k, at in enumerate(selected)]
        elif family == "select":
            index = rng.randint(-extent, extent - 1) if extent else 0
            self.is_error = extent == 0
            self.index = index
            of_updates = shape[: self.axis] + shape[self.axis + 1 :]
            self.updates = place_updates(of_updates)
            for at in np.ndindex(*of_updates):
                self.targets.append((at[: self.axis] + (index % max(extent, 1),) + at[self.axis :], at))
        else:  # slices
            self.slice = [rng.choice([None, rng.randint(-extent - 2, extent + 2)]) for _ in range(2)]
            self.slice.append(rng.choice([None, 1, 2, -1, -2, -3]))
            chosen = range(*slice(*self.slice).indices(extent))
            of_updates = shape[: self.axis] + (len(chosen),) + shape[self.axis + 1 :]
            self.updates = place_updates(of_updates)
            for at in np.ndindex(*of_updates):
                self.targets.append((at[: self.axis] + (chosen[at[self.axis]],) + at[self.axis + 1 :], at))
        self.in_place = rng.random() < 0.5
        self.data = place(rng, self.slots["data"], shape, dtype, self.in_place)
        self.output = self.data if self.in_place else place(rng, self.slots["output"], shape, dtype, True)
        self.slot = self.slots["data" if self.in_place else "output"]

    def check_indices(self, shape, resolve_at):
        for at in np.ndindex(*shape):
            if resolve_at(at) == -1:
                self.is_error, self.bad = True, at
                return

    def expect(self):
        frame, expected = copy_of(self.slot, self.output)
        if self.is_error:
            return frame, expected
        if not self.in_place and expected.size:
            expected[...] = self.data
        for target, at in self.targets:
            update = self.updates[at] if self.updates.ndim else self.updates[()]
            # Not by assignment of a scalar, which may change the bits of a NaN.
            place_of = tuple(slice(i, i + 1) for i in target)
            current = expected[place_of]
            from_update = self.updates[tuple(slice(i, i + 1) for i in at)] if self.updates.ndim else self.updates
            if self.reduction == "none":
                current[...] = from_update.reshape(current.shape)
            else:
                current[...] = combine(self.reduction, expected[target], update)
        return frame, expected

    def call(self):
        kwargs = dict(out=self.output, threads=self.rng.choice([1, 1, 2, 4, 8]))
        if OPERATORS[self.name][0] in ("rows", "elements", "nd"):
            kwargs["mode"] = self.mode
        d, i, u = self.data, getattr(self, "indices", None), self.updates
        name, axis, by = self.name, self.axis, self.reduction
        if name in ("scatter_update", "scatter_elements_update", "put_along_axis"):
            return getattr(strew, name)(d, i, u, axis, **kwargs)
        if name in ("index_copy", "index_add", "scatter", "scatter_add", "index_fill"):
            return getattr(strew, name)(d, axis, i, u, **kwargs)
        if name in ("index_reduce", "scatter_reduce"):
            return getattr(strew, name)(d, axis, i, u, by, **kwargs)
        if name == "v12":
            return strew.v12.scatter_elements_update(d, i, u, axis, by, **kwargs)
        if name == "v15":
            return strew.v15.scatter_nd_update(d, i, u, by, **kwargs)
        if name == "put":
            return strew.put(d, i, u, by, **kwargs)
        if name in ("masked_scatter", "masked_fill"):
            return getattr(strew, name)(d, i, u, **kwargs)
        if name == "select_scatter":
            return strew.select_scatter(d, u, axis, self.index, **kwargs)
        bounds = dict(zip(("start", "stop", "step"), self.slice))
        given = {key: value for key, value in bounds.items() if value is not None}
        # With no bounds at all the slice is the whole array, whatever the axis.
        return strew.slice_scatter(d, u, axes=axis, **{"step": 1, **given}, **kwargs)

    def run(self):
        self.draw()
        frame, expected = self.expect()
        others = [(slot, slot.framed.copy()) for slot in self.slots.values() if slot is not self.slot]
        error = None
        try:
            result = self.call()
            if result is not self.output:
                raise AssertionError("the result is not out")
        except strew.Error as caught:
            error = caught
        if (error is not None) != self.is_error:
            raise AssertionError(f"{error!r} in place of {'an error' if self.is_error else 'a result'}")
        if self.bad is not None and tuple(error.coordinate) != tuple(self.bad):
            raise AssertionError(f"the bad index at {error.coordinate}, not that at {self.bad}")
        for slot, before in others:
            if not np.array_equal(slot.framed, before):
                raise AssertionError("an input is changed")
        if np.array_equal(self.slot.framed, frame):
            return error is not None
        keeps_bits = self.reduction in ("none", "min", "max") or self.data.dtype.kind not in "fc"
        if not keeps_bits and np.array_equal(self.output, expected, equal_nan=True):
            expected[...] = self.output
        if not np.array_equal(self.slot.framed, frame):
            raise AssertionError("another result")
        return error is not None


def rng_choice(rng, values):
    return values[rng.randrange(len(values))]


# Family, whether negative indices are errors, reductions.
ALL = ["sum", "prod", "min", "max"]
OPERATORS = {
    "scatter_update": ("rows", True, ["none"]),
    "index_copy": ("rows", True, ["none"]),
    "index_add": ("rows", True, ["sum"]),
    "index_reduce": ("rows", True, ALL),
    "index_fill": ("rows", False, ["none"]),
    "scatter_elements_update": ("elements", True, ["none"]),
    "scatter": ("elements", True, ["none"]),
    "scatter_add": ("elements", True, ["sum"]),
    "scatter_reduce": ("elements", True, ALL),
    "put_along_axis": ("elements", False, ["none"]),
    "v12": ("elements", False, ["none"] + ALL),
    "v15": ("nd", False, ["none", "sub"] + ALL),
    "put": ("nd", False, ["none", "sum"]),
    "masked_scatter": ("masks", False, ["none"]),
    "masked_fill": ("masks", False, ["none"]),
    "select_scatter": ("select", False, ["none"]),
    "slice_scatter": ("slices", False, ["none"]),
}


def run_large(rng, slots):
    """Sums and copies of rows of some MiB, beside NumPy."""
    rows, width = rng.randint(1000, 200000), rng.randint(1, 4)
    count = rng.randint(1, 2 * rows)
    dtype = rng.choice(["f4", "f8", "i4", "u2"])
    data = np.ndarray((rows, width), dtype, slots["data"].place(rng, rows * width * np.dtype(dtype).itemsize))
    updates = np.ndarray((count, width), dtype, slots["updates"].place(rng, count * width * np.dtype(dtype).itemsize))
    indices = np.ndarray((count,), "i4", slots["indices"].place(rng, count * 4))
    seeded = np.random.default_rng(rng.randrange(2**32))
    data[...] = seeded.integers(0, 99, data.shape)
    updates[...] = seeded.integers(0, 99, updates.shape) / 7
    indices[...] = seeded.integers(0, rows, count)
    expected = data.copy()
    threads = rng.choice([1, 2, 4, 8])
    if rng.random() < 0.5:
        np.add.at(expected, indices, updates)
        strew.index_add(data, 0, indices, updates, out=data, threads=threads)
    else:
        expected[indices] = updates
        strew.scatter_update(data, indices, updates, 0, out=data, threads=threads)
    if data.tobytes() != expected.tobytes():
        raise AssertionError("another large result")


def work(seed, cases, first, shared):
    faulthandler.enable()
    slots = {name: Slot() for name in ("data", "indices", "updates", "output")}
    refused = 0
    for number in range(first, first + cases):
        shared[:8] = struct.pack("q", number)
        rng = random.Random(seed * 1000003 + number)
        try:
            if rng.random() < 0.001:
                run_large(rng, slots)
            else:
                case = Case(rng, slots)
                refused += case.run()
        except Exception as error:  # whatever it is, the case is to be seen
            of = locals().get("case")
            about = {} if of is None else {key: getattr(of, key, None) for key in ("name", "reduction", "mode", "axis", "in_place")}
            shapes = "" if of is None else " ".join(
                f"{key} {getattr(of, key).dtype} {getattr(of, key).shape} {getattr(of, key).strides}"
                for key in ("data", "indices", "updates", "output") if hasattr(of, key))
            print(f"operands.py: case {number} of seed {seed}: {type(error).__name__}: {error}\n  {about} {shapes}", file=sys.stderr)
            return 1
    print(f"operands.py: {cases} calls, {refused} of them refused", flush=True)
    return 0


def main():
    seed, cases, first = ([int(word) for word in sys.argv[1:4]] + [1, 2000, 0][len(sys.argv) - 1 :])[:3]
    shared = mmap.mmap(-1, PAGE)
    child = os.fork()
    if child == 0:
        os._exit(work(seed, cases, first, shared))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        number = struct.unpack("q", shared[:8])[0]
        print(f"operands.py: signal {-code} in case {number} of seed {seed}", file=sys.stderr)
    if code != 0:
        number = struct.unpack("q", shared[:8])[0]
        print(f"  to see it again: operands.py {seed} 1 {number}", file=sys.stderr)
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())
