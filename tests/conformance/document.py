# SPDX-License-Identifier: Apache-2.0
"""What the operators' documents say, in NumPy: the conditions they set, then the assignments they write down.

Nothing here knows the library. The conditions are read off the documents one by one; the assignments are NumPy's own
slice and index assignment, and for the elementwise operators a plain loop, since numpy.put_along_axis promises no order
for indices that repeat.
"""

import numpy as np

INT64_MAX = 2**63 - 1


class Refused(Exception):
    """The documents forbid these arguments. `code` names the library's error code, `text` is part of its message."""

    def __init__(self, code, text=""):
        super().__init__(code, text)
        self.code, self.text = code, text


def listed(parameter):
    """A scalar or one-dimensional parameter as a list of Python's integers."""
    return [int(value) for value in np.atleast_1d(np.asarray(parameter)).tolist()]


def required_axis(axis, rank, code="axis_out_of_range"):
    if not -rank <= axis < rank:
        raise Refused(code)
    return axis % rank


def single_axis(parameter, rank):
    axes = listed(parameter)
    if len(axes) != 1:
        raise Refused("count_mismatch")
    return required_axis(axes[0], rank)


def require_indices(indices, axis, extent, smallest):
    """Every index is in [smallest, extent - 1]; the first that is not, in row-major order, is the one to be named."""
    for position in np.ndindex(indices.shape):
        value = int(indices[position])
        if not smallest <= value < extent:
            coordinate = f"[{', '.join(map(str, position))}]" if position else ""
            raise Refused("index_out_of_bounds", f"indices{coordinate} = {value} ")


def slice_scatter(case):
    data, updates, _ = case.logical_inputs()
    rank = data.ndim
    if rank < 1:
        raise Refused("rank_mismatch")
    start, stop, step = listed(case.start), listed(case.stop), listed(case.step)
    axes = list(range(len(start))) if case.axes is None else listed(case.axes)
    if not len(start) == len(stop) == len(step) == len(axes) or len(start) > rank:
        raise Refused("count_mismatch")
    normalised = []
    for axis, stride in zip(axes, step):
        axis = required_axis(axis, rank)
        if axis in normalised:
            raise Refused("repeated_axis")
        if stride == 0:
            raise Refused("zero_step")
        normalised.append(axis)

    # The snippet of SliceScatter-15. NumPy's slices take Python's integers of any size.
    out = np.copy(data)
    slice_list = [slice(None)] * data.ndim
    for slice_start, slice_stop, slice_step, slice_axis in zip(start, stop, step, axes):
        slice_list[slice_axis] = slice(slice_start, slice_stop, slice_step)
    # NumPy would broadcast the updates; the document asks for the slice's own shape.
    expected = out[tuple(slice_list)].shape
    if len(expected) != updates.ndim:
        raise Refused("rank_mismatch")
    if expected != updates.shape:
        raise Refused("extent_mismatch")
    out[tuple(slice_list)] = updates
    return out


def scatter_update(case):
    data, updates, indices = case.logical_inputs()
    if data.ndim < 1:
        raise Refused("rank_mismatch")
    axis = single_axis(case.axis, data.ndim)
    expected = data.shape[:axis] + indices.shape + data.shape[axis + 1 :]
    if len(expected) != updates.ndim:
        raise Refused("rank_mismatch")
    if expected != updates.shape:
        raise Refused("extent_mismatch")
    require_indices(indices, axis, data.shape[axis], smallest=0)
    out = np.copy(data)
    out[(slice(None),) * axis + (indices.astype(np.intp),)] = updates
    return out


def scatter_elements(case, *, onnx):
    data, updates, indices = case.logical_inputs()
    if data.ndim < 1:
        raise Refused("rank_mismatch")
    axis = single_axis(0 if case.axis is None else case.axis, data.ndim)
    if indices.ndim != data.ndim:
        raise Refused("rank_mismatch")
    for k, (of_indices, of_data) in enumerate(zip(indices.shape, data.shape)):
        if of_indices > of_data and not (onnx and k == axis):
            raise Refused("extent_mismatch")
    if updates.ndim != indices.ndim:
        raise Refused("rank_mismatch")
    if updates.shape != indices.shape:
        raise Refused("extent_mismatch")
    extent = data.shape[axis]
    require_indices(indices, axis, extent, smallest=-extent if onnx else 0)
    out = np.copy(data)
    for position in np.ndindex(indices.shape):
        target = list(position)
        target[axis] = int(indices[position])
        out[tuple(target)] = updates[position]
    return out


def expected(case):
    """The output that the case's document asks for. Raises Refused where the document forbids the arguments."""
    if case.operator == "slice_scatter":
        return slice_scatter(case)
    if case.operator == "scatter_update":
        return scatter_update(case)
    return scatter_elements(case, onnx=case.operator == "onnx_scatter")
