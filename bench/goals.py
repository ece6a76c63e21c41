# SPDX-License-Identifier: Apache-2.0
"""The goals of each case and size, for float32 elements and int64 indices, compiled with -O3 -march=native."""

EVERY_SIZE = None  # the key of a goal that holds for all sizes

_CONTIGUOUS = {"256KiB": 1.02, "32MiB": 1.02, "128MiB": 0.60, "256MiB": 1.0, "512MiB": 1.0}
_ROWS = {"256KiB": 1.20, "32MiB": 1.35, "256MiB": 1.7}

# Upper limits of time / time of memcpy, on one thread.
RATIO = {
    "slice_scatter/axis0_half": _CONTIGUOUS,
    "slice_scatter/inner_half": _CONTIGUOUS,
    "slice_scatter/step2": {"256KiB": 1.40, "32MiB": 1.30, "512MiB": 1.30},
    "slice_scatter/step3": {"256KiB": 1.45, "32MiB": 1.20, "512MiB": 1.30},
    "slice_scatter/step-1": {"256KiB": 1.10},
    "slice_scatter/blocks_16B": {"256KiB": 1.30},
    "slice_scatter/blocks_64B": {"256KiB": 1.15},
    "slice_scatter/blocks_256B": {"256KiB": 1.15},
    "scatter_update/inner64": _ROWS,
    "scatter_update/inner1024": _ROWS,
    "scatter_update/last_axis": {"256KiB": 2.4, "32MiB": 2.1, "128MiB": 2.1, "256MiB": 2.1},
    "scatter_elements_update/last_axis_1024x1024": {EVERY_SIZE: 3.8},
    "scatter_elements_update/axis0_1024x1024": {EVERY_SIZE: 9.0},
    "scatter_elements_update/axis0_8192x1024": {EVERY_SIZE: 9.0},
    "scatter_elements_update/1d_1M_random": {EVERY_SIZE: 7.3},
    "scatter_elements_update/1d_4M_random": {EVERY_SIZE: 8.0},
    "scatter_elements_update/1d_16M_random": {EVERY_SIZE: 7.0},
    "scatter_elements_update/1d_64M_random": {EVERY_SIZE: 12.5},
    "scatter_update/inner4": {"256MiB": 3.5},
    "scatter_update/inner16": {"256MiB": 2.6},
    "index_add/rows_of_4": {"32MiB": 4.2},
    "index_add/rows_of_16": {"32MiB": 2.5},
    "index_add/rows_of_64": {"256KiB": 1.6, "32MiB": 1.45},
    "index_add/rows_of_64_sorted": {EVERY_SIZE: 1.35},
    "index_add/rows_of_64_to_one": {EVERY_SIZE: 1.25},
    "index_add/rows_of_80": {"31MiB": 1.45, "169MiB": 2.2},
    "index_add/rows_of_1024": {EVERY_SIZE: 1.30},
    # A loop that adds one by one, without any check, takes 2.35 (EPYC, Zen 5).
    "index_add/histogram_256": {EVERY_SIZE: 2.4},
    "scatter_elements/sum_last_axis": {EVERY_SIZE: 4.5},
    "scatter_elements/sum_axis0": {EVERY_SIZE: 8.0},
    "scatter_elements/max_last_axis": {EVERY_SIZE: 5.0},
    "scatter_elements/max_axis0": {EVERY_SIZE: 8.5},
    "scatter_nd/2_slices_of_64": {EVERY_SIZE: 1.5},
    "scatter_nd/3_slices_of_16": {EVERY_SIZE: 2.3},
    "tensor_scatter/one_token_in_place": {EVERY_SIZE: 1.3},
    "tensor_scatter/64_tokens_in_place": {EVERY_SIZE: 1.0},
}

# The same with a workspace; and on two threads with one, as elapsed time / time of memcpy on one thread.
WORKSPACE = {
    "scatter_elements_update/axis0_1024x1024": {EVERY_SIZE: 7.0},
    "scatter_elements_update/axis0_8192x1024": {EVERY_SIZE: 5.3},
    "scatter_elements_update/1d_1M_random": {EVERY_SIZE: 7.0},
    "scatter_elements_update/1d_4M_random": {EVERY_SIZE: 5.2},
    "scatter_elements_update/1d_16M_random": {EVERY_SIZE: 5.0},
    "scatter_elements_update/1d_64M_random": {EVERY_SIZE: 8.5},
    "scatter_update/inner4": {"256MiB": 3.5},
    "index_add/rows_of_1": {"32MiB": 5.5},
    "index_add/histogram_64K": {EVERY_SIZE: 3.1},
    "index_add/histogram_16M": {EVERY_SIZE: 6.0},
    "scatter_nd/2_slices_of_1": {EVERY_SIZE: 6.0},
}
TWO_WITH_WORKSPACE = {
    "scatter_elements_update/1d_1M_random": {EVERY_SIZE: 3.0},
    "scatter_elements_update/1d_4M_random": {EVERY_SIZE: 3.0},
    "scatter_elements_update/1d_16M_random": {EVERY_SIZE: 3.4},
    "scatter_elements_update/1d_64M_random": {EVERY_SIZE: 5.2},
}

# Lower limits of the speedup of two threads over one.
SPEEDUP = {
    "slice_scatter/axis0_half": {EVERY_SIZE: 1.8},
    "slice_scatter/inner_half": {EVERY_SIZE: 1.8},
    "scatter_update/inner1": {"32MiB": 2.0},
    "scatter_update/inner64": {EVERY_SIZE: 1.8},
    "scatter_update/inner1024": {EVERY_SIZE: 1.8},
    "scatter_elements_update/axis0_1024x1024": {EVERY_SIZE: 1.8},
    "scatter_elements_update/axis0_8192x1024": {EVERY_SIZE: 1.8},
    "scatter_elements_update/1d_1M_random": {EVERY_SIZE: 2.0},
    "scatter_elements_update/1d_4M_random": {EVERY_SIZE: 2.0},
}

# Upper limits of the nanoseconds of small calls, with -O2.
_OPERATORS = ("slice_scatter", "scatter_update", "scatter_elements_update", "onnx_scatter")


def _small(rank1, rank3):
    return {
        f"{operator}/small_rank{rank}": {EVERY_SIZE: goal}
        for operator in _OPERATORS
        for rank, goal in ((1, rank1), (3, rank3))
    }


NANOSECONDS = _small(20, 50)
PREPARED_NANOSECONDS = _small(10, 45)
# Of calls that make their views themselves, and of calls on containers.
MADE_ANEW_NANOSECONDS = _small(35, 65)


def goal(goals, case, kind, size):
    """The goal of a case, or None. Only float32 with int64 indices has goals."""
    sizes = goals.get(case, {}) if kind == "float32" else {}
    return sizes.get(size, sizes.get(EVERY_SIZE))
