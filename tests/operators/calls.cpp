// SPDX-License-Identifier: Apache-2.0
// The calls of the README, written as it writes them: that they compile is the test, that they are right comes along.
#include "support/catch.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
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
  strew::index_list shape =
      strew::updates_extents(strew::slice_scatter, {2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0});
  strew::index_list shape2 = strew::updates_extents(strew::scatter_update, {3, 5}, {2}, 1);
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

namespace {

// An executor as one may write it without any class.
void run_in_place(std::size_t n, strew::task body) {
  for (std::size_t i = 0; i < n; ++i) body(i);
}

struct counting_executor {
  int calls = 0;

  void operator()(std::size_t n, const strew::task& body) {
    ++calls;
    run_in_place(n, body);
  }
};

}  // namespace

TEST_CASE("every operator takes an executor first in all its forms") {
  std::vector<int> data(6), output(6), updates{10, 20, 30, 40};
  std::vector<int> rows{2, 0}, elements{2, 0, 1, 1};
  const strew::tensor_view<const int> in{data.data(), {3, 2}};
  const strew::tensor_view out{output.data(), {3, 2}};
  const strew::tensor_view up{updates.data(), {2, 2}};
  const strew::tensor_view at_rows{rows.data(), {2}};
  const strew::tensor_view at_elements{elements.data(), {2, 2}};
  const strew::slice_spec slice{.start = 0, .stop = 3, .step = 2};
  const auto take_all = [&](auto&& ex) {
    strew::slice_scatter(ex, in, up, slice, out);
    strew::slice_scatter(ex, out, up, slice);
    CHECK(strew::try_slice_scatter(ex, in, up, slice, out).ok());
    CHECK(strew::try_slice_scatter(ex, out, up, slice).ok());
    CHECK(output == std::vector<int>{10, 20, 0, 0, 30, 40});
    strew::scatter_update(ex, in, at_rows, up, 0, out);
    strew::scatter_update(ex, out, at_rows, up, 0);
    CHECK(strew::try_scatter_update(ex, in, at_rows, up, 0, out).ok());
    CHECK(strew::try_scatter_update(ex, out, at_rows, up, 0).ok());
    CHECK(output == std::vector<int>{30, 40, 0, 0, 10, 20});
    strew::scatter_elements_update(ex, in, at_elements, up, 0, out);
    strew::scatter_elements_update(ex, out, at_elements, up, 0);
    CHECK(strew::try_scatter_elements_update(ex, in, at_elements, up, 0, out).ok());
    CHECK(strew::try_scatter_elements_update(ex, out, at_elements, up, 0).ok());
    CHECK(output == std::vector<int>{0, 20, 30, 40, 10, 0});
    strew::onnx::scatter(ex, in, at_elements, up, 0, out);
    strew::onnx::scatter(ex, in, at_elements, up, out);
    strew::onnx::scatter(ex, out, at_elements, up, 0);
    strew::onnx::scatter(ex, out, at_elements, up);
    CHECK(strew::onnx::try_scatter(ex, in, at_elements, up, 0, out).ok());
    CHECK(strew::onnx::try_scatter(ex, in, at_elements, up, out).ok());
    CHECK(strew::onnx::try_scatter(ex, out, at_elements, up, 0).ok());
    CHECK(strew::onnx::try_scatter(ex, out, at_elements, up).ok());
    CHECK(output == std::vector<int>{0, 20, 30, 40, 10, 0});
  };
  take_all(strew::serial);
  take_all(strew::serial_executor{});
  take_all([](std::size_t n, const auto& body) { run_in_place(n, body); });
  take_all(run_in_place);
  take_all(&run_in_place);
  counting_executor counting;
  take_all(counting);
  CHECK(counting.calls > 0);
  // Called by its name and as a temporary, whose call operator is not const.
  strew::scatter_update(counting_executor{}, in, at_rows, up, 0, out);
  strew::scatter_update(counting_executor{}, out, at_rows, up, 0);
  strew::onnx::scatter(counting_executor{}, in, at_elements, up, out);
  strew::slice_scatter(counting_executor{}, out, up, slice);
}

TEST_CASE("an axis is an integer of any type, a braced one, or a list of one in any container") {
  const std::vector<int> indices{1}, updates{7};
  const auto check = [&](const auto& axis) {
    int data[]{0, 1, 2};
    const strew::tensor_view in{data, {1, 3}};
    const strew::tensor_view at{indices.data(), {1, 1}};
    const strew::tensor_view up{updates.data(), {1, 1}};
    strew::scatter_elements_update(in, at, up, axis);
    CHECK(data[1] == 7);
    data[1] = 1;
    strew::onnx::scatter(strew::serial, in, at, up, axis, in);
    CHECK(data[1] == 7);
  };
  check(1);
  check(-1L);
  check(static_cast<unsigned char>(1));
  check(strew::index_list{1});
  check(std::vector<short>{-1});
  check(std::array<unsigned long long, 1>{1});
  const int one[]{1};
  check(one);
  check(strew::axes_list{-1});

  int data[]{0, 1, 2};
  const strew::tensor_view in{data, {1, 3}};
  const strew::tensor_view at{indices.data(), {1, 1}};
  const strew::tensor_view up{updates.data(), {1, 1}};
  const int axis = 1;
  strew::scatter_elements_update(in, at, up, {1});
  strew::scatter_elements_update(in, at, up, {axis}, in);
  strew::onnx::scatter(in, at, up, {-1});
  strew::onnx::scatter(strew::serial, in, at, up, {1L});
  strew::onnx::scatter(in, at, up, {axis}, in);
  CHECK(strew::try_scatter_elements_update(in, at, up, {}).code() == strew::errc::count_mismatch);
  CHECK(strew::try_scatter_elements_update(in, at, up, {0, 1}).code() == strew::errc::count_mismatch);
  CHECK(strew::onnx::try_scatter(in, at, up, {}, in).code() == strew::errc::count_mismatch);
}

TEST_CASE("operators are objects: they can be passed on, and called with what is forwarded") {
  std::vector<int> data{0, 1, 2}, updates{7};
  const std::vector<int> indices{1};
  const auto with = [&](const auto& scatter) {
    data[1] = 1;
    const auto arguments = std::tuple(strew::tensor_view{data.data(), {3}}, strew::tensor_view{indices.data(), {1}},
                                      strew::tensor_view{updates.data(), {1}}, 0);
    static_cast<void>(std::apply(scatter, arguments));
    CHECK(data == std::vector<int>{0, 7, 2});
  };
  with(strew::scatter_update);
  with(strew::try_scatter_update);
  with(strew::scatter_elements_update);
  with(strew::onnx::try_scatter);
  const auto copy = strew::scatter_update;
  with(copy);
  STATIC_REQUIRE(std::is_empty_v<decltype(copy)>);
}
