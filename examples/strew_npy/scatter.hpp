// SPDX-License-Identifier: Apache-2.0
// Calls the operators on files.
#ifndef STREW_NPY_SCATTER_HPP
#define STREW_NPY_SCATTER_HPP

#include "command_line.hpp"
#include "counting_pool.hpp"
#include "npy_file.hpp"

#include <strew/status.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace strew_npy {

struct index_operand {
  const npy_file& file;
  std::span<const std::byte> elements;  // in this machine's byte order
};

struct operands {
  const npy_file& data;
  std::vector<index_operand> indices;  // the number that the operator takes
  const npy_file* mask;                // for operators with a mask
  const npy_file* updates;             // or the value; null if that is on the command line
  std::span<const std::byte> update_elements;
  strew::strided_layout update_layout;
};

// Calls the operator. `data` and `output` are the elements of data and of the output, the same bytes in place. Nothing
// is written if the status is an error. Throws file_error for element types without reductions.
strew::status scatter(const command& what, const operands& on, std::span<const std::byte> data,
                      std::span<std::byte> output, counting_pool& pool);

// The layout of one value for all updates: the extents that the operator requires, with strides of 0. On an error in
// the operands it has rank 0, and the operator reports the error. Throws file_error if the number of updates overflows.
strew::strided_layout layout_of_value(const command& what, const operands& on);

// The updates times alpha, an element of data's type, with the layout of the updates. Throws file_error for element
// types without reductions, and if there is not enough memory.
std::vector<std::byte> scaled_updates(const command& what, const operands& on, std::span<const std::byte> alpha,
                                      counting_pool& pool);

// The file of indices to which an error of the operator refers.
const npy_file& blamed_indices(const operands& on, const strew::status& error);

}  // namespace strew_npy

#endif  // STREW_NPY_SCATTER_HPP
