# SPDX-License-Identifier: Apache-2.0
"""The labels of the cases in tables and charts. The names in the programs are short: scatter_update/inner4."""

OPERATORS = {
    "onnx_scatter": "onnx::scatter",
    "scatter_elements": "onnx::scatter_elements",
    "scatter_nd": "onnx::scatter_nd",
    "tensor_scatter": "onnx::tensor_scatter",
}
CASES = {
    "slice_scatter": {
        "axis0_half": "middle half of the first axis",
        "inner_half": "middle half of the last axis",
        "step2": "every 2nd element of the last axis",
        "step3": "every 3rd element of the last axis",
        "step5": "every 5th element of the last axis",
        "step-1": "last axis, reversed",
        "blocks_16B": "every 2nd block of 16 bytes",
        "blocks_64B": "every 2nd block of 64 bytes",
        "blocks_256B": "every 2nd block of 256 bytes",
    },
    "scatter_update": {
        "inner1": "rows of 1 element",
        "inner4": "rows of 4 elements",
        "inner16": "rows of 16 elements",
        "inner64": "rows of 64 elements",
        "inner1024": "rows of 1024 elements",
        "last_axis": "last axis, extent 1024",
    },
    "index_add": {
        "rows_of_1": "rows of 1 element",
        "rows_of_4": "rows of 4 elements",
        "rows_of_16": "rows of 16 elements",
        "rows_of_64": "rows of 64 elements",
        "rows_of_64_sorted": "rows of 64 elements, sorted indices",
        "rows_of_64_to_one": "rows of 64 elements, all to one row",
        "rows_of_80": "rows of 80 elements",
        "rows_of_1024": "rows of 1024 elements",
        "histogram_64": "histogram of 16M values, 64 bins",
        "histogram_256": "histogram of 16M values, 256 bins",
        "histogram_4K": "histogram of 16M values, 4K bins",
        "histogram_64K": "histogram of 16M values, 64K bins",
        "histogram_16M": "histogram of 16M values, 16M bins",
    },
    "scatter_elements": {
        "sum_last_axis": "sum, last axis of 1024 x 1024",
        "sum_axis0": "sum, first axis of 1024 x 1024",
        "max_last_axis": "max, last axis of 1024 x 1024",
        "max_axis0": "max, first axis of 1024 x 1024",
    },
    "scatter_nd": {
        f"{reduction}{components}_slices_of_{elements}": (
            f"{'sum, ' if reduction else ''}{components} component{'s' if components > 1 else ''}, "
            f"slices of {elements} element{'s' if elements > 1 else ''}"
        )
        for reduction in ("", "sum_")
        for components in (1, 2, 3)
        for elements in (1, 16, 64, 1024)
    },
    "tensor_scatter": {
        "one_token_in_place": "1 token into a cache, in place",
        "64_tokens_in_place": "64 tokens into a cache, in place",
    },
}
# Of scatter_elements_update and onnx_scatter.
ELEMENTS = {
    "last_axis_1024x1024": "last axis of 1024 x 1024",
    "last_axis_8192x1024": "last axis of 8192 x 1024",
    "axis0_1024x1024": "first axis of 1024 x 1024",
    "axis0_8192x1024": "first axis of 8192 x 1024",
    "axis0_1Mx8": "first axis of 1M x 8",
    "axis0_1024x1024_equal_rows": "first axis of 1024 x 1024, equal columns of indices",
    "1d_64K_random": "1-D, 64K elements, random order",
    "1d_1M_random": "1-D, 1M elements, random order",
    "1d_4M_random": "1-D, 4M elements, random order",
    "1d_16M_random": "1-D, 16M elements, random order",
    "1d_64M_random": "1-D, 64M elements, random order",
    "1d_64K_sorted": "1-D, 64K elements, sorted indices",
    "1d_4M_sorted": "1-D, 4M elements, sorted indices",
    "1d_4M_sequential": "1-D, 4M elements, indices 0, 1, 2, ..",
    "broadcast_along_rows_of_64": "rows of 64 elements by indices broadcast along them",
    # Of the other operators.
    "rows_of_64": "rows of 64 elements",
    "2_slices_of_64": "2 tensors of indices, slices of 64 elements",
    "1d_8M_random": "1-D, 8M elements, random order",
    "one_of_64": "one coordinate of an axis of 64",
    "2896x2896": "diagonal of 2896 x 2896",
    "half": "half of 8M elements, at random",
}
NEGATIVE = {f"{case}_negative": f"{label}, negative indices" for case, label in ELEMENTS.items()}
SMALL = {
    "small_rank1": "small, extents 8",
    "small_rank2": "small, extents 4 x 8",
    "small_rank3": "small, extents 2 x 8 x 4",
    "small_rank4": "small, extents 2 x 8 x 2 x 2",
    "small_rows_of_64": "small, extents 16 x 64",
}


def operator_and_case(name):
    """The labels of both parts of a name, operator/case. A case without a label keeps its name."""
    operator, case = name.split("/")
    labels = CASES.get(operator, ELEMENTS | NEGATIVE) | SMALL
    return OPERATORS.get(operator, operator), labels.get(case, case)
