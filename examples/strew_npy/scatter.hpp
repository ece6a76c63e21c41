// SPDX-License-Identifier: Apache-2.0
// From files to tensors to the operators.
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
  std::vector<index_operand> indices;  // as many as the operator takes
  const npy_file* mask;                // of those that take one
  const npy_file* updates;             // or the value; null where that stands on the command line
  std::span<const std::byte> update_elements;
  strew::strided_layout update_layout;
};

// Calls the operator. `data` and `output` are the elements of data and of the output: the same bytes where it works in
// place. Nothing is written where the status is an error. Throws file_error for element types that are not reduced.
strew::status scatter(const command& what, const operands& on, std::span<const std::byte> data,
                      std::span<std::byte> output, counting_pool& pool);

// How one element stands for all updates: a layout of the extents that the operator asks of them, without steps. Where
// there are no such extents it is of rank 0, and the operator says what is wrong. Throws file_error where there are
// more updates than can be counted.
strew::strided_layout layout_of_value(const command& what, const operands& on);

// The updates times alpha, an element of data's type, where the updates lie. Throws file_error for element types that
// are not reduced and where there is not enough memory.
std::vector<std::byte> scaled_updates(const command& what, const operands& on, std::span<const std::byte> alpha,
                                      counting_pool& pool);

// Of several files of indices, the one that an error of the operator is about.
const npy_file& blamed_indices(const operands& on, const strew::status& error);

}  // namespace strew_npy

#endif  // STREW_NPY_SCATTER_HPP
