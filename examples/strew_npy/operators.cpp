// SPDX-License-Identifier: Apache-2.0
// The table of operators. What they reduce by is what the library says.
#include "operators.hpp"

#include <strew/strew.hpp>

namespace strew_npy {
namespace {

constexpr operator_entry operators[] = {
    {.which = operation::slice_scatter,
     .name = "slice_scatter",
     .summary = "Replace a slice: data[start:stop:step]",
     .places = placed_by::options},
    {.which = operation::scatter_update,
     .name = "scatter_update",
     .summary = "Replace the rows of one axis that indices name",
     .has_axis = true},
    {.which = operation::scatter_elements_update,
     .name = "scatter_elements_update",
     .summary = "Replace the elements that indices name along one axis",
     .has_axis = true},
    {.which = operation::onnx_scatter,
     .name = "onnx_scatter",
     .summary = "As scatter_elements_update, by ONNX's rules",
     .counts_from_end = true,
     .has_axis = true},
    {.which = operation::scatter_elements,
     .name = "scatter_elements",
     .summary = "Elements that indices name along one axis meet updates",
     .counts_from_end = true,
     .has_axis = true,
     .reductions = &strew::v12::scatter_elements_update_reductions},
    {.which = operation::onnx_scatter_elements,
     .name = "onnx_scatter_elements",
     .summary = "As scatter_elements, by ONNX's rules",
     .counts_from_end = true,
     .has_axis = true,
     .reductions = &strew::onnx::scatter_elements_reductions},
    {.which = operation::scatter,
     .name = "scatter",
     .summary = "As scatter_elements_update, by PyTorch's rules",
     .has_axis = true},
    {.which = operation::scatter_add,
     .name = "scatter_add",
     .summary = "Add updates to the elements that indices name along one axis",
     .has_axis = true,
     .implied_reduction = strew::reduction_kind::sum},
    {.which = operation::scatter_reduce,
     .name = "scatter_reduce",
     .summary = "As scatter_elements, by PyTorch's rules",
     .has_axis = true,
     .reductions = &strew::scatter_reduce_reductions},
    {.which = operation::put_along_axis,
     .name = "put_along_axis",
     .summary = "As scatter_elements_update, by NumPy's rules",
     .counts_from_end = true,
     .has_axis = true},
    {.which = operation::index_copy,
     .name = "index_copy",
     .summary = "As scatter_update, by PyTorch's rules",
     .has_axis = true},
    {.which = operation::index_add,
     .name = "index_add",
     .summary = "Add updates, or alpha times updates, to the rows of one axis that indices name",
     .has_axis = true,
     .implied_reduction = strew::reduction_kind::sum},
    {.which = operation::index_reduce,
     .name = "index_reduce",
     .summary = "Rows of one axis that indices name meet updates",
     .has_axis = true,
     .reductions = &strew::index_reduce_reductions},
    {.which = operation::index_fill,
     .name = "index_fill",
     .summary = "Fill the rows of one axis that indices name with a value",
     .counts_from_end = true,
     .has_axis = true,
     .writes = written::value},
    {.which = operation::scatter_nd_update,
     .name = "scatter_nd_update",
     .summary = "Replace the slices that tuples of indices name"},
    {.which = operation::scatter_nd,
     .name = "scatter_nd",
     .summary = "Slices that tuples of indices name meet updates",
     .counts_from_end = true,
     .reductions = &strew::v15::scatter_nd_update_reductions},
    {.which = operation::onnx_scatter_nd,
     .name = "onnx_scatter_nd",
     .summary = "As scatter_nd, by ONNX's rules",
     .counts_from_end = true,
     .reductions = &strew::onnx::scatter_nd_reductions},
    {.which = operation::index_put,
     .name = "index_put",
     .summary = "Slices that several arrays of indices name, one array an axis, meet updates",
     .places = placed_by::several_indices,
     .counts_from_end = true,
     .reductions = &strew::index_put_reductions},
    {.which = operation::put,
     .name = "put",
     .summary = "Elements that row-major numbers name meet updates",
     .counts_from_end = true,
     .reductions = &strew::index_put_reductions},
    {.which = operation::select_scatter,
     .name = "select_scatter",
     .summary = "Replace the elements at one index of an axis",
     .places = placed_by::options,
     .has_axis = true},
    {.which = operation::diagonal_scatter,
     .name = "diagonal_scatter",
     .summary = "Replace a diagonal of two axes",
     .places = placed_by::options},
    {.which = operation::masked_scatter,
     .name = "masked_scatter",
     .summary = "Replace the elements that a mask selects by updates, both in row-major order",
     .places = placed_by::mask,
     .writes = written::updates},
    {.which = operation::masked_fill,
     .name = "masked_fill",
     .summary = "Fill the elements that a mask selects with a value",
     .places = placed_by::mask,
     .writes = written::value},
    {.which = operation::onnx_tensor_scatter,
     .name = "onnx_tensor_scatter",
     .summary = "Update a cache: one run of positions for each sample",
     .places = placed_by::write_indices,
     .has_axis = true,
     .default_axis = -2,
     .writes = written::updates},  // its specification has that one
};

}  // namespace

std::span<const operator_entry> all_operators() noexcept {
  return operators;
}

std::string axis_rule() {
  std::string text = "--axis is " + std::to_string(operator_entry().default_axis) + " where it is left out";
  for (const operator_entry& op : operators) {
    if (op.default_axis == operator_entry().default_axis) continue;
    text +=
        std::string("; of ") + op.name + " it is " + std::to_string(op.default_axis) + ", as its specification says";
  }
  return text + '.';
}

}  // namespace strew_npy
