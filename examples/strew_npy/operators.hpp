// SPDX-License-Identifier: Apache-2.0
// The table of operators, from which the command line, its help and all documents are made.
#ifndef STREW_NPY_OPERATORS_HPP
#define STREW_NPY_OPERATORS_HPP

#include <strew/operators/reduction_kind.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace strew_npy {

enum class operation : unsigned char {
  slice_scatter,
  select_scatter,
  diagonal_scatter,
  scatter_update,
  index_copy,
  index_add,
  index_reduce,
  index_fill,
  scatter_elements_update,
  scatter_elements,
  onnx_scatter,
  onnx_scatter_elements,
  scatter,
  scatter_add,
  scatter_reduce,
  put_along_axis,
  scatter_nd_update,
  scatter_nd,
  onnx_scatter_nd,
  index_put,
  put,
  masked_scatter,
  masked_fill,
  onnx_tensor_scatter
};

// How targets are given.
enum class placed_by : unsigned char {
  options,
  indices,          // one file, with a policy for illegal indices
  several_indices,  // one file for each axis, with a policy
  mask,
  write_indices  // which may be left out
};

// What is written to the targets.
enum class written : unsigned char {
  updates,           // a file
  updates_or_value,  // a file, or one element on the command line for all of them
  value              // one element, in a file or on the command line
};

struct operator_entry {
  operation which;
  const char* name;
  const char* summary;
  placed_by places = placed_by::indices;
  bool counts_from_end = false;  // negative indices are legal
  bool has_axis = false;
  std::int64_t default_axis = 0;                                          // the axis if --axis is left out
  const strew::reduction_set* reductions = nullptr;                       // the values of --reduction
  strew::reduction_kind implied_reduction = strew::reduction_kind::none;  // without that option
  written writes = written::updates_or_value;
  std::array<std::string_view, 3> examples = {};  // the arguments after the operator's name; at least one

  [[nodiscard]] constexpr bool takes_indices() const noexcept {
    return places == placed_by::indices || places == placed_by::several_indices;
  }
};

// All operators, in the order of the help.
std::span<const operator_entry> all_operators() noexcept;

// The default of --axis for all operators, as a sentence.
std::string axis_rule();

}  // namespace strew_npy

#endif  // STREW_NPY_OPERATORS_HPP
