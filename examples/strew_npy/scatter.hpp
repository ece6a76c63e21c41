// SPDX-License-Identifier: Apache-2.0
// From files to tensors to the operators.
#ifndef STREW_NPY_SCATTER_HPP
#define STREW_NPY_SCATTER_HPP

#include "command_line.hpp"
#include "counting_pool.hpp"
#include "npy_file.hpp"

#include <strew/status.hpp>

#include <cstddef>
#include <span>

namespace strew_npy {

struct operands {
  const npy_file& data;
  const npy_file* indices;  // null for slice_scatter
  const npy_file& updates;
  std::span<const std::byte> index_elements;  // of the indices, in this machine's byte order
};

// Calls the operator. `data` and `output` are the elements of data and of the output: the same bytes where it works in
// place. Nothing is written where the status is an error. Throws file_error for element types that are not reduced.
strew::status scatter(const command& what, const operands& on, std::span<const std::byte> data,
                      std::span<std::byte> output, counting_pool& pool);

}  // namespace strew_npy

#endif  // STREW_NPY_SCATTER_HPP
