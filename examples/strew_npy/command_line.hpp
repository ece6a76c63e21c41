// SPDX-License-Identifier: Apache-2.0
// The command line.
#ifndef STREW_NPY_COMMAND_LINE_HPP
#define STREW_NPY_COMMAND_LINE_HPP

#include "operators.hpp"

#include <strew/operators/index_policy.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/operators/tensor_scatter.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace strew_npy {

struct command {
  const operator_entry* op = nullptr;
  strew::slice_spec slice;  // of slice_scatter
  std::int64_t axis = 0;    // of those that have one
  std::int64_t index = 0;   // of select_scatter
  std::int64_t offset = 0;  // of diagonal_scatter, with the axes
  std::int64_t axis1 = 0;
  std::int64_t axis2 = 1;
  strew::onnx::cache_mode mode = strew::onnx::cache_mode::linear;  // of onnx_tensor_scatter
  strew::reduction_kind reduction = strew::reduction_kind::none;
  bool without_init = false;
  std::optional<std::string> alpha;  // of index_add, an element as text
  strew::index_policy bad_indices = strew::index_policy::error;
  std::string data;
  std::vector<std::string> indices;  // of those that take some
  std::string mask;                  // likewise
  std::string updates;               // or the file of the value
  std::optional<std::string> value;  // an element as text, in the place of updates, which are then empty
  std::string output;                // unless in_place; neither is needed to check
  bool in_place = false;
  bool check = false;
  bool dry_run = false;
  std::optional<unsigned> threads;  // 0 for all
  bool no_progress = false;
  std::size_t inflate_limit = std::size_t{4} << 30;  // bytes a member
  bool quiet = false;
};

class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The name of a policy for --bad-indices.
const char* name_of(strew::index_policy policy) noexcept;

// Parses the command line, whose first word is the name of the program. Returns nothing after printing the help or the
// version. Throws usage_error and output_lost.
std::optional<command> parse_command_line(const std::vector<std::string>& words);

}  // namespace strew_npy

#endif  // STREW_NPY_COMMAND_LINE_HPP
