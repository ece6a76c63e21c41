// SPDX-License-Identifier: Apache-2.0
// The calls of the README, written as it writes them: that they compile is the test, that they are right comes along.
#include "catch.hpp"

#include <strew/strew.hpp>

#include <cstdint>
#include <vector>

TEST_CASE("the calls of the README compile and do what it says") {
  std::vector<float> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, updates{10, 20, 30, 40, 50, 60}, output(10);
  strew::tensor_view in{data.data(), {2, 5}};  // row-major; a third argument gives strides in elements
  strew::tensor_view up{updates.data(), {2, 3}};
  strew::tensor_view out{output.data(), {2, 5}};

  strew::slice_scatter(in, up, {.start = {-25}, .stop = {25}, .step = {2}, .axes = {1}}, out);  // out of place
  CHECK(output == std::vector<float>{10, 1, 20, 3, 30, 40, 6, 50, 8, 60});
  output = data;
  strew::slice_scatter(out, up, {.start = -25, .stop = 25, .step = 2, .axes = 1});  // in place, scalars
  CHECK(output == std::vector<float>{10, 1, 20, 3, 30, 40, 6, 50, 8, 60});
}

TEST_CASE("the calls with indices compile as the README writes them") {
  std::vector<float> data_values{0, 1, 2, 3, 4, 5}, update_values{10, 20, 30, 40}, output_values(6);
  std::vector<std::int64_t> row_numbers{2, 0}, element_numbers{2, 0, 1, 1};
  const int axis = 0;
  strew::tensor_view in{data_values.data(), {3, 2}};
  strew::tensor_view updates{update_values.data(), {2, 2}};
  strew::tensor_view out{output_values.data(), {3, 2}};
  {
    strew::tensor_view indices{row_numbers.data(), {2}};
    strew::scatter_update(in, indices, updates, axis, out);
    CHECK(output_values == std::vector<float>{30, 40, 2, 3, 10, 20});
    strew::status s = strew::try_scatter_update(in, indices, updates, axis, out);
    CHECK(s.ok());
    CHECK(s);
    strew::scatter_update(out, indices, updates, axis);
    CHECK(output_values == std::vector<float>{30, 40, 2, 3, 10, 20});
  }
  strew::tensor_view indices{element_numbers.data(), {2, 2}};
  strew::scatter_elements_update(in, indices, updates, axis, out);
  CHECK(output_values == std::vector<float>{0, 20, 30, 40, 10, 5});
  strew::scatter_elements_update(out, indices, updates, axis);
  strew::onnx::scatter(in, indices, updates, axis, out);
  CHECK(output_values == std::vector<float>{0, 20, 30, 40, 10, 5});
  strew::onnx::scatter(in, indices, updates, out);  // axis may be left out: 0
  CHECK(output_values == std::vector<float>{0, 20, 30, 40, 10, 5});
  strew::onnx::scatter(out, indices, updates, axis);
  strew::onnx::scatter(out, indices, updates);

  strew::status s = strew::try_scatter_elements_update(in, indices, updates, axis, out);
  CHECK(s.ok());
  s = strew::onnx::try_scatter(in, indices, updates, axis, out);
  CHECK(s.ok());
  s = strew::try_slice_scatter(in, updates, {.start = 0, .stop = 2, .step = 1, .axes = 0}, out);
  CHECK(s.ok());
}

TEST_CASE("the shape functions compile as the README writes them") {
  strew::index_list shape = strew::slice_scatter_updates_extents({2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0});
  strew::index_list shape2 = strew::scatter_update_updates_extents({3, 5}, {2}, 1);
  CHECK(shape == strew::index_list{1, 5});
  CHECK(shape2 == strew::index_list{3, 2});
}

TEST_CASE("arguments may be views of T and of const T in any mixture") {
  std::vector<double> data{0, 1, 2}, updates{7}, output(3);
  const std::vector<double> const_data = data;
  const std::vector<double> const_updates = updates;
  const std::vector<unsigned char> const_indices{1};
  const strew::tensor_view in{const_data.data(), {3}};
  const strew::tensor_view<const double> up{const_updates.data(), {1}};
  const strew::tensor_view indices{const_indices.data(), {1}};
  const strew::tensor_view out{output.data(), {3}};
  strew::scatter_update(in, indices, up, 0, out);
  strew::scatter_update(in, indices, strew::tensor_view{updates.data(), {1}}, 0, out);
  strew::scatter_elements_update(strew::tensor_view{data.data(), {3}}, indices, up, 0, out);
  strew::onnx::scatter(in, indices, up, out);
  strew::slice_scatter(in, up, {.start = 1, .stop = 2, .step = 1}, out);
  CHECK(output == std::vector<double>{0, 7, 2});
}
