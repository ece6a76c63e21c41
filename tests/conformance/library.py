# SPDX-License-Identifier: Apache-2.0
"""Runs a case through the Python package strew, on arrays that lie in memory as the case says, and watches that nothing
else changes."""

import contextlib

import numpy as np
import strew
from numpy.lib.stride_tricks import as_strided

import cases

OPERATORS = {
    "slice_scatter": strew.slice_scatter,
    "scatter_update": strew.scatter_update,
    "scatter_elements_update": strew.scatter_elements_update,
    "onnx_scatter": strew.onnx.scatter,
}

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


@contextlib.contextmanager
def workspace_limit(most):
    """Calls within have a workspace of at most this many bytes; None: of what they need."""
    strew.set_workspace_limit(most)
    try:
        yield
    finally:
        strew.set_workspace_limit(None)


def has_integer_axis(case):
    """Whether the axis is one element: no other axis is an integer to Python."""
    return case.axis is None or np.size(case.axis) == 1


def parameters(case):
    """The arguments after the tensors, by name; those that the case leaves out are left out."""
    if case.operator == "slice_scatter":
        return {name: getattr(case, name) for name in ("start", "stop", "step", "axes")}
    if case.axis is None:
        return {}
    # A list of one element is a tensor of rank 1 in the specifications.
    is_list = isinstance(case.axis, np.ndarray) and has_integer_axis(case)
    return {"axis": case.axis.reshape(()) if is_list else case.axis}


def agrees_to_refuse(error, case, refusal):
    """Whether the library's error is what the specification implies, document.Refused."""
    code = refusal.code if has_integer_axis(case) else "type_mismatch"
    return isinstance(error, strew.Error) and error.code == code and refusal.text in str(error)


def run(case, threads=1, workspace=None, makes_output=False):
    """The library's output as an array, or the exception it raised; `workspace` is the limit of its bytes. With
    makes_output the call makes the output itself."""
    data = Placed(case.data(), case.layouts.get("data"))
    updates = Placed(case.updates(), case.layouts.get("updates"))
    indices = None if case.indices is None else Placed(case.indices, case.layouts.get("indices"))
    target = data
    if makes_output or not case.in_place:
        target = Placed(np.zeros(case.data_shape, data.dtype), case.layouts.get("output"))
    inputs = [tensor for tensor in (data, updates, indices) if tensor is not None and tensor is not target]
    before = [tensor.block.copy() for tensor in inputs]
    target_before = target.view.copy()

    arguments = [tensor.view for tensor in (data, indices, updates) if tensor is not None]
    options = parameters(case) | {"threads": threads, "out": None if makes_output else target.view}
    untouched = target.block.copy()
    try:
        with workspace_limit(workspace):
            output = OPERATORS[case.operator](*arguments, **options)
        if not makes_output and output is not target.view:
            raise Misbehaved("another output returned than the one given")
        outcome = output.copy()
    except strew.Error as error:
        outcome = error
        if not same_bits(target.view, target_before):
            raise Misbehaved(f"written before the error: {error}") from error
    # Put back what was there: then nothing else may have changed.
    if not same_bits(target.block_with(target_before), untouched):
        raise Misbehaved("written outside the output")
    if not all(same_bits(tensor.block, copy) for tensor, copy in zip(inputs, before)):
        raise Misbehaved("an input was written")
    return outcome
