// SPDX-License-Identifier: Apache-2.0
// One call of an operator in plain data: what is handed to either version of the headers, neither of which is included
// here.
#ifndef STREW_COMPARE_ARGUMENTS_HPP
#define STREW_COMPARE_ARGUMENTS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace compare {

enum class operators { slice_scatter, scatter_update, scatter_elements_update, onnx_scatter };

// Where a call runs: on the caller's thread, on a thread_pool of two threads, or on the caller's with a workspace.
enum class means { serial, two_threads, workspace };

// Row-major.
template <class T>
struct tensor {
  T* data;
  std::vector<std::int64_t> extents;
};

struct slice_bounds {
  std::int64_t start, stop, step;
};

template <class T, class I>
struct arguments {
  tensor<const T> data;
  tensor<const I> indices;  // SliceScatter has none
  tensor<const T> updates;
  tensor<T> output;
  std::int64_t axis;
  slice_bounds slice;              // SliceScatter's
  std::byte* workspace = nullptr;  // as much as either version asks for
};

}  // namespace compare

#endif  // STREW_COMPARE_ARGUMENTS_HPP
