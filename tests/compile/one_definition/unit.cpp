// SPDX-License-Identifier: Apache-2.0
// One unit of a program whose units are built with different flags: every operator, on views that main passes in.
#include "unit.hpp"

#include <strew/dynamic.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

int STREW_UNIT(strew::tensor_view<float> data, strew::thread_pool& pool) {
  const std::array<std::int64_t, 3> numbers{2, 0, 1};
  const auto size = static_cast<std::size_t>(data.size());
  const std::vector<float> values(size, 2.0F);
  std::vector<float> memory(size);
  const strew::tensor_view<float> output{memory.data(), data.extents()};
  const strew::tensor_view<const float> updates{values.data(), data.extents()};
  const strew::tensor_view<const std::int64_t> rows{numbers.data(), {3}};
  const auto elements =
      strew::broadcast(strew::tensor_view<const std::int64_t>{numbers.data(), {3, 1, 1}}, data.extents());
  int wrong = 0;
  const auto expect_twos = [&] {
    for (const float value : memory) wrong += value == 2.0F ? 0 : 1;
    for (float& value : memory) value = 0.0F;
  };
  strew::scatter_update(data, rows, updates, 0, output);
  expect_twos();
  strew::scatter_update(pool, data, rows, updates, {0}, output);
  expect_twos();
  strew::scatter_elements_update(data, elements, updates, 0, output);
  expect_twos();
  strew::onnx::scatter(data, elements, updates, output);
  expect_twos();
  strew::slice_scatter(data, updates, {.start = {0}, .stop = std::vector<int>{3}, .step = {1}, .axes = {0}}, output);
  expect_twos();
  strew::scatter_update(strew::dynamic::const_tensor{data}, strew::dynamic::index_tensor{rows},
                        strew::dynamic::const_tensor{updates}, 0, strew::dynamic::tensor{output});
  expect_twos();
  namespace red = strew::reduction;
  strew::index_add(output, 0, rows, updates);
  wrong += strew::try_index_add(output, 0, strew::drop(rows), updates, strew::scaled_by{0.5F}).ok() ? 0 : 1;
  for (float& value : memory) {
    wrong += value == 3.0F ? 0 : 1;
    value = 0.0F;
  }
  strew::v12::scatter_elements_update(output, elements, updates, 0, red::max);
  strew::v12::scatter_elements_update(pool, output, elements, updates, 0, red::mean);
  // Of the run-time types one named reduction, and the operator with the fewest: all would take a minute to compile.
  strew::v12::scatter_elements_update(strew::dynamic::tensor{output}, strew::dynamic::index_tensor{elements},
                                      strew::dynamic::const_tensor{updates}, 0, red::min);
  strew::put(strew::dynamic::tensor{output}, strew::dynamic::index_tensor{rows},
             strew::dynamic::const_tensor{strew::tensor_view<const float>{values.data(), {3}}},
             strew::dynamic::reduction{});
  expect_twos();
  const std::vector<std::string> words(3, "new");
  std::vector<std::string> text(3, "old");
  strew::scatter_update(strew::tensor_view<std::string>{text.data(), {3}}, rows,
                        strew::tensor_view<const std::string>{words.data(), {3}}, 0);
  for (const std::string& word : text) wrong += word == "new" ? 0 : 1;
  const strew::status refused = strew::try_scatter_update(data, rows, updates, 7, output);
  wrong += refused.message().view() == "scatter_update: axis = 7 is outside [-3, 2] (data has rank 3)" ? 0 : 1;
  return wrong;
}
