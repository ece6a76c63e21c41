// SPDX-License-Identifier: Apache-2.0
// The command line: what the program is asked to do.
#ifndef STREW_NPY_COMMAND_LINE_HPP
#define STREW_NPY_COMMAND_LINE_HPP

#include <strew/index_list.hpp>
#include <strew/reduction.hpp>
#include <strew/slice_spec.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace strew_npy {

enum class operation : unsigned char {
  slice_scatter,
  scatter_update,
  scatter_elements_update,
  onnx_scatter,
  scatter_elements,
  scatter_nd,
  index_reduce,
  put
};

struct command {
  operation op = operation::slice_scatter;
  std::string operator_name;
  strew::slice_spec slice;     // of slice_scatter
  strew::index_list axis = 0;  // of those that have one
  strew::reduction_kind reduction = strew::reduction_kind::none;
  bool without_init = false;
  std::string data;
  std::string indices;  // not of slice_scatter
  std::string updates;
  std::string output;  // unless in_place; neither is needed to check
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

// Nothing when all that was asked for is help or the version, which has then been printed. Throws usage_error and
// output_lost.
std::optional<command> parse_command_line(int argc, const char* const* argv);

}  // namespace strew_npy

#endif  // STREW_NPY_COMMAND_LINE_HPP
