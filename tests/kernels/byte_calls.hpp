// SPDX-License-Identifier: Apache-2.0
// The operators on elements of any width by indices of any type, on executors chosen at run time: tests of thousands of
// combinations compile each call once.
#ifndef STREW_TESTS_KERNELS_BYTE_CALLS_HPP
#define STREW_TESTS_KERNELS_BYTE_CALLS_HPP

#include <strew/detail/rules/request.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace strew::test {

// The bytes of an element: those that registers hold, an odd number, and more than a cache line.
inline const std::vector<std::int64_t> element_widths{1, 2, 3, 4, 8, 16, 72};

// Strides count in elements; left out, they are row-major. Addresses need no alignment.
struct byte_tensor {
  char* data;
  index_list extents;
  index_list strides = {};
};
struct index_array {
  const char* data;
  index_type type;
  index_list extents;
  index_list strides = {};
};

// Who computes a call, and what memory it may use: strew::serial where there are no threads, else an executor of that
// many, which runs the last part first.
struct runner {
  std::int64_t threads = 0;
  std::span<std::byte> memory = {};
  // Where it is not null it is asked about each task, downwards from number n - 1, and those that it denies are not
  // run.
  bool (*runs_task)(void* context, std::size_t i, std::size_t n) = nullptr;
  void* context = nullptr;
};

enum class scatter_kind { update, elements_update, onnx };

status call_slice_scatter(const runner& who, std::int64_t width, const byte_tensor& data, const byte_tensor& updates,
                          const slice_spec& slice, const byte_tensor& output);
status call_scatter(scatter_kind kind, const runner& who, std::int64_t width, const byte_tensor& data,
                    const index_array& indices, const byte_tensor& updates, int axis, const byte_tensor& output);

}  // namespace strew::test

#endif  // STREW_TESTS_KERNELS_BYTE_CALLS_HPP
