// SPDX-License-Identifier: Apache-2.0
// A row-major tensor that owns its elements, as worked examples write it down.
#ifndef STREW_TESTS_SUPPORT_DENSE_TENSOR_HPP
#define STREW_TESTS_SUPPORT_DENSE_TENSOR_HPP

#include "coordinates.hpp"

#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {

inline std::size_t count_of_elements(const coordinate& extents) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
  return count;
}

template <class T>
concept number = std::is_arithmetic_v<T>;

template <class T>
struct dense_tensor {
  coordinate extents;
  std::vector<T> values;

  dense_tensor(coordinate shape, std::vector<T> elements) : extents(std::move(shape)), values(std::move(elements)) {}
  // One number for all elements.
  template <number Number>
  dense_tensor(coordinate shape, Number each)
      : extents(std::move(shape)), values(count_of_elements(extents), static_cast<T>(each)) {}

  tensor_view<T> view() { return {values.data(), index_list(extents)}; }
  tensor_view<const T> view() const { return {values.data(), index_list(extents)}; }

  T& operator[](const coordinate& at) { return values[position_of(at)]; }
  const T& operator[](const coordinate& at) const { return values[position_of(at)]; }

 private:
  std::size_t position_of(const coordinate& at) const {
    std::int64_t position = 0;
    for (std::size_t k = 0; k < at.size(); ++k) position = position * extents[k] + at[k];
    return static_cast<std::size_t>(position);
  }
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_DENSE_TENSOR_HPP
