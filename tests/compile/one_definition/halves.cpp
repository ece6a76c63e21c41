// SPDX-License-Identifier: Apache-2.0
// One unit of a program whose units are built for different extensions: reductions of 16-bit floating-point numbers.
#include <strew/dynamic/float16.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

// The number of elements that are wrong.
template <class T>
int sum_and_compare() {
  constexpr std::int64_t width = 37;
  std::vector<T> data(2 * width, static_cast<T>(0.25F));
  const std::vector<T> updates(3 * width, static_cast<T>(1.5F));
  const std::vector<std::int64_t> rows{1, 0, 1};
  const strew::tensor_view<T> output{data.data(), {2, width}};
  const strew::tensor_view<const std::int64_t> indices{rows.data(), {3}};
  const strew::tensor_view<const T> source{updates.data(), {3, width}};
  strew::index_add(output, 0, indices, source);
  strew::index_reduce(output, 0, indices, source, strew::reduction::min);
  const strew::tensor_view<T> elements{data.data(), {2 * width}};
  strew::index_add(elements, 0, indices, strew::tensor_view<const T>{updates.data(), {3}});
  int wrong = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const float expected = i == 0 ? 3.0F : i == 1 ? 4.5F : 1.5F;
    wrong += static_cast<float>(data[i]) == expected ? 0 : 1;
  }
  return wrong;
}

}  // namespace

int STREW_UNIT() {
  int wrong = sum_and_compare<strew::dynamic::float16>() + sum_and_compare<strew::dynamic::bfloat16>();
#if STREW_HAS_FLOAT16
  wrong += sum_and_compare<_Float16>();
#endif
  return wrong;
}
