// SPDX-License-Identifier: Apache-2.0
// Every use that the other files get wrong, right: this one compiles.
#include <strew/strew.hpp>

#include <cstdint>

void update(strew::tensor_view<float> output, strew::tensor_view<const float> data,
            strew::tensor_view<const std::uint8_t> indices, strew::tensor_view<float> updates) {
  strew::scatter_update(data, indices, updates, 0, output);
  strew::scatter_update(output, indices, updates, {-1});
  strew::scatter_elements_update(data, indices, updates, std::int8_t{0}, output);
  strew::onnx::scatter(data, indices, updates, output);
  strew::slice_scatter(data, updates, {.start = {0, 1}, .stop = {4, 9}, .step = {1, -1}, .axes = {1, 0}}, output);
  data = output;
  output(0, 1u) = data(1, 2L);
  output = strew::slice(strew::reverse(output, -1), 0, 0, 2);
}

constexpr int element() {
  const int memory[] = {1, 2, 3};
  return strew::tensor_view{memory, {3}}(2);
}
static_assert(element() == 3);
