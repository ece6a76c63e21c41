# SPDX-License-Identifier: Apache-2.0
"""The known differences: for each one the verdict, the reason, and a narrow test that recognises it.

A difference that no entry recognises fails the suite. The smallest input that shows each one is in differences.json
(made by reduce.py), and the suite checks that it still does.
"""

import dataclasses
from collections.abc import Callable

import numpy as np

import document
import worker

# The verdicts.
THEIRS = "defect of the other runtime"
SILENT = "not specified"

INT32 = np.iinfo(np.int32)


@dataclasses.dataclass(frozen=True)
class Difference:
    name: str
    oracle: str  # the beginning of the oracle's name
    operators: tuple
    verdict: str
    what: str
    why: str
    # recognises(case, refused, ours, theirs): `refused` is the error code that the specification implies, or None.
    recognises: Callable
    # Whether the same input shows it in every run.
    steady: bool = True


def beyond_32_bits(parameter):
    return parameter is not None and any(not INT32.min <= value <= INT32.max for value in document.listed(parameter))


def accepts(code):
    """The specification forbids the arguments, and the runtime returns a result or crashes."""
    return lambda case, refused, ours, theirs: refused == code and not is_error(theirs)


def is_error(outcome):
    return isinstance(outcome, Exception) and not isinstance(outcome, worker.Died)


def narrowed(values):
    """64-bit elements as OpenVINO's CPU plugin holds them, widened again."""
    if values.dtype == np.float64:
        largest = float(np.finfo(np.float32).max)
        with np.errstate(all="ignore"):
            return np.clip(values, -largest, largest).astype(np.float32).astype(np.float64)
    return values.astype(np.int32).astype(values.dtype)


def equal_but_for_nan(a, b):
    """Equal values; any NaN equals any other."""
    return a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def elements_are_narrowed(case, refused, ours, theirs):
    wide = case.dtype in ("int64", "uint64", "float64")
    if refused or not wide or not isinstance(theirs, np.ndarray):
        return False
    return equal_but_for_nan(narrowed(ours), theirs)


def half_nans_are_quietened(case, refused, ours, theirs):
    if refused or case.dtype != "float16" or not isinstance(theirs, np.ndarray):
        return False
    return equal_but_for_nan(ours, theirs)


def bounds_of(case):
    return zip(document.listed(case.start), document.listed(case.stop), document.listed(case.step))


def bounds_are_wrapped(case, refused, ours, theirs):
    return refused is None and any(beyond_32_bits(values) for values in (case.start, case.stop, case.step))


def has_smallest_step(case):
    return INT32.min in document.listed(case.step)


def smallest_step_overflows(case, refused, ours, theirs):
    return refused is None and has_smallest_step(case) and not is_error(theirs)


def starts_before_the_beginning(case):
    """Whether some slice runs backwards from before the axis's first element to before it."""
    axes = range(case_length(case)) if case.axes is None else document.listed(case.axes)
    return any(
        step < 0 and start < -case.data_shape[axis] and stop < -case.data_shape[axis]
        for axis, (start, stop, step) in zip(axes, bounds_of(case))
    )


def case_length(case):
    return len(document.listed(case.start))


def selects_element_zero(case, refused, ours, theirs):
    if refused is None:
        return is_error(theirs) and starts_before_the_beginning(case)
    return refused == "extent_mismatch" and not is_error(theirs) and starts_before_the_beginning(case)


def refuses_no_slices(case, refused, ours, theirs):
    return refused is None and case_length(case) == 0 and is_error(theirs) and "ptr is Null" in str(theirs)


def refuses_scalar_indices(case, refused, ours, theirs):
    return refused is None and case.indices.ndim == 0 and is_error(theirs) and "scalar input" in str(theirs)


def another_duplicate_wins(case, refused, ours, theirs):
    """Whether each row that differs holds, element by element, one of the updates that compete for it."""
    if refused or not isinstance(theirs, np.ndarray) or theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return False
    data, updates, indices = case.logical_inputs()
    axis = document.single_axis(case.axis, data.ndim)
    wide = case.dtype in ("int64", "uint64", "float64")
    updates = updates.reshape(data.shape[:axis] + (-1,) + data.shape[axis + 1 :])
    for row in range(data.shape[axis]):
        competing = updates.compress(indices.ravel() == row, axis)
        candidates = competing if competing.shape[axis] > 1 else ours.take([row], axis)
        candidates = narrowed(candidates) if wide else candidates
        found = theirs.take([row], axis)
        equal = (candidates == found) | ((candidates != candidates) & (found != found))
        if not np.all(np.any(equal, axis)):
            return False
    return True


ELEMENTS = ("scatter_elements_update",)
ROWS = ("scatter_update",)
SLICES = ("slice_scatter",)
ONNX = ("onnx_scatter",)

ALL = (
    Difference(
        "openvino-narrow-elements", "OpenVINO", SLICES + ROWS + ELEMENTS, THEIRS,
        "Elements of int64 and uint64 lose their upper 32 bits; float64 is rounded to float32 and clamped to its "
        "range.",
        "T is any numeric type and the operators only copy, so no value may change. The CPU plugin computes in 32 "
        "bits.",
        elements_are_narrowed,
    ),
    Difference(
        "openvino-half-nan", "OpenVINO", SLICES + ROWS + ELEMENTS, THEIRS,
        "A signalling NaN of float16 becomes a quiet one.",
        "The operators only copy. The CPU plugin converts float16 to float32 and back.",
        half_nans_are_quietened,
    ),
    Difference(
        "openvino-wrapped-bounds", "OpenVINO", SLICES, THEIRS,
        "A start, stop or step outside the range of int32 is truncated to 32 bits before it is clamped: it selects "
        "other elements, is an error, or ends the process with a division by zero.",
        "The specification: 'A value larger than the size of a dimension is silently clamped', and T_IND is any "
        "integer type.",
        bounds_are_wrapped,
    ),
    Difference(
        "openvino-smallest-step", "OpenVINO", SLICES, THEIRS,
        "With a step of -2147483648, the smallest int32, the process ends with a division by zero, or nothing is "
        "written.",
        "The specification allows every step except 0.",
        smallest_step_overflows,
    ),
    Difference(
        "openvino-backward-start", "OpenVINO", SLICES, SILENT,
        "With step < 0 and both start and stop before the first element, element 0 is selected instead of nothing.",
        "The specification defines the operator by a NumPy snippet, and NumPy selects nothing; its text on clamping "
        "does not cover this case.",
        selects_element_zero,
    ),
    Difference(
        "openvino-no-slices", "OpenVINO", SLICES, THEIRS,
        "Empty start, stop and step are an error.",
        "The snippet in the specification then replaces all of data, and no smallest length is required.",
        refuses_no_slices,
    ),
    Difference(
        "openvino-scalar-indices", "OpenVINO", ROWS, THEIRS,
        "Indices of rank 0 are an error when the model is compiled.",
        "The first example of the specification: 'indices is a 0D tensor: data[indices, ...] = updates[...]'.",
        refuses_scalar_indices,
    ),
    Difference(
        "openvino-duplicate-order", "OpenVINO", ROWS, SILENT,
        "Of updates with equal indices one other than the last is kept, in about one call in 10,000: a race between "
        "its threads.",
        "The specification: 'If multiple indices point to the same output location, the order of updating the values "
        "is undefined.' strew defines it: the last update in row-major order is kept.",
        another_duplicate_wins,
        steady=False,
    ),
    Difference(
        "openvino-axis-out-of-range", "OpenVINO", SLICES + ROWS + ELEMENTS, THEIRS,
        "An axis out of range is accepted if its lower 32 bits are in range; by ScatterUpdate also if data has one "
        "axis or no elements.",
        "Each of the specifications: 'The value can be in the range [-r, r - 1]', or the same in other words.",
        accepts("axis_out_of_range"),
    ),
    Difference(
        "openvino-axis-count", "OpenVINO", ROWS + ELEMENTS, THEIRS,
        "Of an axis tensor of two elements the first is used; an axis tensor without elements is read, too.",
        "The specification: 'axis tensor with scalar or 1D tensor with one element.'",
        accepts("count_mismatch"),
    ),
    Difference(
        "openvino-update-index", "OpenVINO", ROWS, THEIRS,
        "An index out of bounds is accepted if its lower 32 bits are in bounds, if there is nothing to write, and if "
        "data has one axis (indices are then not checked at all).",
        "The specification: 'If an index points to a non-existing output tensor element or is negative, then an "
        "exception is raised.'",
        accepts("index_out_of_bounds"),
    ),
    Difference(
        "openvino-update-extents", "OpenVINO", ROWS, THEIRS,
        "Updates of the wrong shape are accepted if data has one axis or no elements.",
        "The specification derives the shape of updates from those of data and indices.",
        accepts("extent_mismatch"),
    ),
    Difference(
        "openvino-elements-index", "OpenVINO", ELEMENTS, THEIRS,
        "A negative index is accepted: one from -s on (s: the extent of the axis) counts from the end, one below -s "
        "writes outside the output. An index outside int32 is truncated to 32 bits.",
        "The specification: 'If an index points to non-existing output tensor element or is negative then exception is "
        "raised.'",
        accepts("index_out_of_bounds"),
    ),
    Difference(
        "openvino-elements-extents", "OpenVINO", ELEMENTS, THEIRS,
        "Indices may have larger extents than data on other axes than the scatter axis, which writes outside the "
        "output, and on the scatter axis.",
        "The specification: 'update tensor dimensions are less or equal to the corresponding data tensor dimensions', "
        "without an exception for the axis.",
        accepts("extent_mismatch"),
    ),
    Difference(
        "reference-extents", "ONNX reference evaluator", ONNX, THEIRS,
        "Updates of another shape than indices are accepted. So are indices with larger extents than data on other "
        "axes than the scatter axis, if no such index is read.",
        "The specification of updates: 'Tensor of rank r >= 1 (same rank and shape as indices)'.",
        accepts("extent_mismatch"),
    ),
    Difference(
        "reference-rank", "ONNX reference evaluator", ONNX, THEIRS,
        "Indices and updates of another rank than data are accepted, and NumPy broadcasts them.",
        "The specification of indices: 'of r >= 1 (same rank as input)'.",
        accepts("rank_mismatch"),
    ),
    Difference(
        "reference-axis", "ONNX reference evaluator", ONNX, THEIRS,
        "An axis out of range is accepted: one below -r counts from the last axis of indices again.",
        "The specification: 'Accepted range is [-r, r-1] where r = rank(data).'",
        accepts("axis_out_of_range"),
    ),
)  # fmt: skip


def explain(oracle, case, refused, ours, theirs):
    """The known difference that this is, or None."""
    for difference in ALL:
        if (
            oracle.name.startswith(difference.oracle)
            and case.operator in difference.operators
            and difference.recognises(case, refused, ours, theirs)
        ):
            return difference
    return None
