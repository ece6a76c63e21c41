# SPDX-License-Identifier: Apache-2.0
"""Runs a case through the library, on arrays that lie in memory as the case says, and watches that nothing else
changes."""

import numpy as np
import strew_python
from numpy.lib.stride_tricks import as_strided

import cases


# References, and numbers with padding that is no part of the value.
COMPARED_BY_VALUE = "OgG"


class Placed:
    """A tensor inside a larger block of memory, so that a write outside the tensor shows."""

    MARGIN = 2

    def __init__(self, values, layout):
        if layout is None:
            layout = cases.Layout(tuple(range(values.ndim)), *((flag,) * values.ndim for flag in (False, 1, False)))
        strides, offset, span = layout.strides(values.shape)
        if values.size == 0:
            offset, span = 0, 0  # strides of any size are fine where there are no elements
        self.shape, self.dtype = values.shape, values.dtype
        self.strides = tuple(stride * values.itemsize for stride in strides)
        self.offset = offset + self.MARGIN
        self.block = np.zeros(span + 2 * self.MARGIN, values.dtype)
        if values.dtype.char not in COMPARED_BY_VALUE:
            self.block.view(np.uint8)[:] = 1  # a valid value of every dtype, bool included
        self.view = self.view_in(self.block)
        # Where a stride is 0 the first value is the one that all see.
        for k, repeated in enumerate(layout.repeated):
            if repeated:
                values = values[(slice(None),) * k + (slice(0, 1),)]
        if values.size > 0:
            self.view[tuple(slice(extent) for extent in values.shape)] = values

    def view_in(self, block):
        if self.dtype.kind == "O":  # NumPy builds no array of objects on another one's memory
            return as_strided(block[self.offset :], self.shape, self.strides)
        return np.ndarray(self.shape, self.dtype, block, self.offset * block.itemsize, self.strides)

    def block_with(self, values):
        """What the block should hold after the tensor has been given these values and nothing else was written."""
        block = self.block.copy()
        self.view_in(block)[...] = values
        return block


def same_bits(a, b):
    """Whether two arrays agree in shape, dtype and every bit."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.char in COMPARED_BY_VALUE:
        return bool(np.all(a == b))
    return a.tobytes() == b.tobytes()


class Misbehaved(AssertionError):
    """The library wrote where it must not."""


def same_outcome(a, b):
    """Whether two outcomes are the same output, or refusals in the same words."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return same_bits(a, b)
    return type(a) is type(b) and str(a) == str(b)


def run(case, threads=None):
    """The library's output as an array, or the exception it raised; `threads` is a pool to run on."""
    data = Placed(case.data(), case.layouts.get("data"))
    updates = Placed(case.updates(), case.layouts.get("updates"))
    indices = None if case.indices is None else Placed(case.indices, case.layouts.get("indices"))
    target = data
    options = {}
    if not case.in_place:
        target = Placed(np.zeros(case.data_shape, data.dtype), case.layouts.get("output"))
        options["output"] = target.view
    inputs = [tensor for tensor in (data, updates, indices) if tensor is not None and tensor is not target]
    before = [tensor.block.copy() for tensor in inputs]
    target_before = target.view.copy()

    arguments = [tensor.view for tensor in (data, indices, updates) if tensor is not None]
    if case.operator == "slice_scatter":
        arguments += [case.start, case.stop, case.step, case.axes]
    elif case.axis is not None:
        arguments.append(case.axis)
    if threads is not None and case.dtype != "object":  # the references to objects are counted on one thread
        options["threads"] = threads
    untouched = target.block.copy()
    try:
        getattr(strew_python, case.operator)(*arguments, **options)
        outcome = target.view.copy()
    except ValueError as error:
        outcome = error
        if not same_bits(target.view, target_before):
            raise Misbehaved(f"written before the error: {error}") from error
    # Put back what was there: then nothing else may have changed.
    if not same_bits(target.block_with(target_before), untouched):
        raise Misbehaved("written outside the output")
    if not all(same_bits(tensor.block, copy) for tensor, copy in zip(inputs, before)):
        raise Misbehaved("an input was written")
    return outcome
