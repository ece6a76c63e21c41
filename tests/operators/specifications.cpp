// SPDX-License-Identifier: Apache-2.0
// Every example and formula of the five documents. Where a document lost its numbers, they are rebuilt from its prose.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace strew::test {
namespace {

const std::vector<float> zero_to_nine{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST_CASE("SliceScatter-15, example 1: a slice over axis 0 is filled") {
  const auto operands = make_operands<float>({2, 5}, zero_to_nine, {1, 5}, {10, 20, 30, 40, 50});
  const std::vector<float> expected{10, 20, 30, 40, 50, 5, 6, 7, 8, 9};
  require_result<slice_scatter_operator>(operands, slice_spec{.start = {0}, .stop = {1}, .step = {1}, .axes = {0}},
                                         expected);
}

TEST_CASE("SliceScatter-15, example 2: every second value over axis 1, start and stop clamped") {
  const auto operands = make_operands<float>({2, 5}, zero_to_nine, {2, 3}, {10, 20, 30, 40, 50, 60});
  const std::vector<float> expected{10, 1, 20, 3, 30, 40, 6, 50, 8, 60};
  require_result<slice_scatter_operator>(operands, slice_spec{.start = {-25}, .stop = {25}, .step = {2}, .axes = {1}},
                                         expected);
}

TEST_CASE("SliceScatter-15, example 3: every second value over both axes, axes left out") {
  const auto operands =
      make_operands<float>({3, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}, {2, 2}, {50, 60, 70, 80});
  const std::vector<float> expected{0, 50, 2, 60, 4, 5, 6, 7, 8, 9, 10, 70, 12, 80, 14};
  require_result<slice_scatter_operator>(operands, slice_spec{.start = {0, 1}, .stop = {3, 5}, .step = {2, 2}},
                                         expected);
}

TEST_CASE("SliceScatter-15: INT_MAX slices to the end of an axis, INT_MIN backwards to its beginning") {
  constexpr int int_max = std::numeric_limits<int>::max();
  constexpr int int_min = std::numeric_limits<int>::min();
  const auto operands = make_operands<float>({5}, {0, 1, 2, 3, 4}, {3}, {10, 20, 30});
  require_result<slice_scatter_operator>(operands, slice_spec{.start = 2, .stop = int_max, .step = 1},
                                         std::vector<float>{0, 1, 10, 20, 30});
  require_result<slice_scatter_operator>(operands, slice_spec{.start = 2, .stop = int_min, .step = -1},
                                         std::vector<float>{30, 20, 10, 3, 4});
}

TEST_CASE("SliceScatter-15, early draft, example 1: scalars fill a slice over axis 0") {
  const auto operands = make_operands<float>({2, 5}, zero_to_nine, {1, 5}, {10, 20, 30, 40, 50});
  const std::vector<float> expected{10, 20, 30, 40, 50, 5, 6, 7, 8, 9};
  require_result<slice_scatter_operator>(operands, slice_spec{.start = 0, .stop = 1, .step = 1, .axes = 0}, expected);
}

TEST_CASE("SliceScatter-15, early draft, example 2: scalars update every second value over axis 1, clamped") {
  const auto operands = make_operands<float>({2, 5}, zero_to_nine, {2, 3}, {10, 20, 30, 40, 50, 60});
  const std::vector<float> expected{10, 1, 20, 3, 30, 40, 6, 50, 8, 60};
  require_result<slice_scatter_operator>(operands, slice_spec{.start = -25, .stop = 25, .step = 2, .axes = 1},
                                         expected);
}

// indices_range = range(start, stop, step), for 1-D, 2-D and 3-D data.
TEST_CASE("SliceScatter-15, early draft: the general logic for 1-D, 2-D and 3-D data") {
  const std::vector<std::int64_t> range{1, 3};  // range(1, 4, 2)
  const slice_spec along_axis_0{.start = 1, .stop = 4, .step = 2, .axes = 0};

  SECTION("1-D: output[indices_range[i]] = updates[i]") {
    auto on = make_counting_operands<int>({4}, {0}, {}, {2});
    slice_scatter(on.data.view(), on.updates.view(), along_axis_0, on.output.view());
    for (int i = 0; i < 2; ++i) CHECK(on.output.view()(range[static_cast<std::size_t>(i)]) == on.updates.view()(i));
    CHECK(on.output.values() == std::vector<int>{0, 100, 2, 101});
  }
  SECTION("2-D: output[i][indices_range[j]] = updates[i][j] if axis = 1") {
    auto on = make_counting_operands<int>({3, 4}, {0}, {}, {3, 2});
    slice_scatter(on.data.view(), on.updates.view(), {.start = 1, .stop = 4, .step = 2, .axes = 1}, on.output.view());
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 2; ++j) {
        CHECK(on.output.view()(i, range[static_cast<std::size_t>(j)]) == on.updates.view()(i, j));
        CHECK(on.output.view()(i, 2 * j) == on.data.view()(i, 2 * j));
      }
    }
  }
  SECTION("3-D: output[i][j][indices_range[k]] = updates[i][j][k] if axis = 2") {
    auto on = make_counting_operands<int>({2, 3, 4}, {0}, {}, {2, 3, 2});
    slice_scatter(on.data.view(), on.updates.view(), {.start = 1, .stop = 4, .step = 2, .axes = 2}, on.output.view());
    for_each_coordinate({2, 3, 2}, [&](const shape& at) {
      const std::int64_t target = range[static_cast<std::size_t>(at[2])];
      CHECK(on.output.view()(at[0], at[1], target) == on.updates.view()(at[0], at[1], at[2]));
      CHECK(on.output.view()(at[0], at[1], 2 * at[2]) == on.data.view()(at[0], at[1], 2 * at[2]));
    });
  }
}

// The document gives shapes only: data 1000x256x10x15, indices 125x20, axis 1. Updates of that size are 1.5 GB, so they
// are windows on less memory, each moved by one element from the last.
TEST_CASE("ScatterUpdate-3, example 1: data 1000x256x10x15, indices 125x20, axis 1") {
  constexpr std::int64_t outer = 1000;
  constexpr std::int64_t rows = 256;
  constexpr std::int64_t row = 10 * 15;
  constexpr std::int64_t index_count = 125 * 20;
  std::vector<float> data(static_cast<std::size_t>(outer * rows * row));
  std::vector<float> updates(static_cast<std::size_t>(index_count * row + outer - 1));
  std::vector<int> indices(static_cast<std::size_t>(index_count));
  for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = static_cast<float>(k + 1);
  for (std::size_t k = 0; k < indices.size(); ++k) indices[k] = static_cast<int>(k * 37 % 200);  // rows 200.. are kept

  const tensor_view<float> data_view{data.data(), {outer, rows, 10, 15}};
  const tensor_view<const int> indices_view{indices.data(), {125, 20}};
  const tensor_view<const float> updates_view{updates.data(), {outer, 125, 20, 10, 15}, {1, 20 * row, row, 15, 1}};
  CHECK(updates_extents(scatter_update, data_view.extents(), indices_view.extents(), 1) == updates_view.extents());
  scatter_update(data_view, indices_view, updates_view, 1);

  std::vector<std::int64_t> last_index_of_row(rows, -1);
  for (std::int64_t k = 0; k < index_count; ++k) {
    last_index_of_row[static_cast<std::size_t>(indices[static_cast<std::size_t>(k)])] = k;
  }
  std::int64_t wrong = 0;
  const float* element = data.data();
  for (std::int64_t n = 0; n < outer; ++n) {
    for (const std::int64_t k : last_index_of_row) {
      const float* const update = k < 0 ? nullptr : updates.data() + n + k * row;
      for (std::int64_t i = 0; i < row; ++i) wrong += *element++ != (update == nullptr ? 0.0F : update[i]) ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ScatterUpdate-3, example 2: columns 0 and 2 of a matrix") {
  const auto operands = make_operands<float, int>({3, 5}, {-1, 1, -1, 3, 4, -1, 6, -1, 8, 9, -1, 11, 1, 13, 14}, {2},
                                                  {0, 2}, {3, 2}, {1, 1, 1, 1, 1, 2});
  const std::vector<float> expected{1, 1, 1, 3, 4, 1, 6, 1, 8, 9, 1, 11, 2, 13, 14};
  require_result<scatter_update_operator>(operands, 1, expected);
  require_result<scatter_update_operator>(operands, index_list{1}, expected);
  require_result<scatter_update_operator>(operands, -1, expected);
}

TEST_CASE("ScatterUpdate-3: the cases with axis 0") {
  SECTION("indices 0-D: data[indices, ...] = updates[...]") {
    const auto operands = make_operands<float, int>({3, 2}, {0, 1, 2, 3, 4, 5}, {}, {1}, {2}, {10, 20});
    require_result<scatter_update_operator>(operands, 0, std::vector<float>{0, 1, 10, 20, 4, 5});
  }
  SECTION("indices 1-D: data[indices[i], ...] = updates[i, ...]") {
    const auto operands = make_operands<float, int>({3, 2}, {0, 1, 2, 3, 4, 5}, {2}, {2, 0}, {2, 2}, {10, 20, 30, 40});
    require_result<scatter_update_operator>(operands, 0, std::vector<float>{30, 40, 2, 3, 10, 20});
  }
  SECTION("indices N-D: data[indices[i, ..., j], ...] = updates[i, ..., j, ...]") {
    const auto operands = make_operands<float, int>({5, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 2}, {4, 1, 0, 2},
                                                    {2, 2, 2}, {10, 11, 20, 21, 30, 31, 40, 41});
    require_result<scatter_update_operator>(operands, 0, std::vector<float>{30, 31, 20, 21, 40, 41, 6, 7, 10, 11});
  }
}

// The document's example lost its tensors; its formulas for a 3-D tensor say what they must have held.
TEST_CASE("ScatterElementsUpdate-3: the formulas for a 3-D tensor") {
  const std::vector<long> indices{1, 0, 2, 2, 0, 1, 0, 1};
  auto on = make_counting_operands<float, long>({3, 3, 3}, {2, 2, 2}, indices, {2, 2, 2});
  for (const int axis : {0, 1, 2}) {
    std::vector<float> expected = on.data.values();
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t j = 0; j < 2; ++j) {
        for (std::int64_t k = 0; k < 2; ++k) {
          const std::int64_t index = on.indices.view()(i, j, k);
          const std::int64_t target = axis == 0   ? index * 9 + j * 3 + k
                                      : axis == 1 ? i * 9 + index * 3 + k
                                                  : i * 9 + j * 3 + index;
          expected[static_cast<std::size_t>(target)] = on.updates.view()(i, j, k);
        }
      }
    }
    require_result<scatter_elements_update_operator>(on, axis, expected);
    require_result<scatter_elements_update_operator>(on, axis - 3, expected);
  }
}

// The shape of what is left of the example: four inputs, the fourth being axis with the value [0], FP32.
TEST_CASE("ScatterElementsUpdate-3, example: axis is a list of one zero") {
  const auto operands = make_operands<float, int>({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {2, 3}, {1, 0, 2, 0, 2, 1},
                                                  {2, 3}, {1.0F, 1.1F, 1.2F, 2.0F, 2.1F, 2.2F});
  require_result<scatter_elements_update_operator>(operands, index_list{0},
                                                   std::vector<float>{2.0F, 1.1F, 0, 1.0F, 0, 2.2F, 0, 2.1F, 1.2F});
}

TEST_CASE("ONNX Scatter-9 and -11, example 1: axis 0") {
  auto on = make_operands<float, int>({3, 3}, {0, 0, 0, 0, 0, 0, 0, 0, 0}, {2, 3}, {1, 0, 2, 0, 2, 1}, {2, 3},
                                      {1.0F, 1.1F, 1.2F, 2.0F, 2.1F, 2.2F});
  const std::vector<float> expected{2.0F, 1.1F, 0.0F, 1.0F, 0.0F, 2.2F, 0.0F, 2.1F, 1.2F};
  require_result<onnx_scatter_operator>(on, 0, expected);

  SECTION("which is the default") {
    onnx::scatter(on.data.view(), on.indices.view(), on.updates.view(), on.output.view());
    CHECK(on.output.values() == expected);
    CHECK(onnx::try_scatter(on.data.view(), on.indices.view(), on.updates.view(), on.output.view()).ok());
    CHECK(onnx::try_scatter(on.data.view(), on.indices.view(), on.updates.view()).ok());
    CHECK(on.data.values() == expected);
    onnx::scatter(on.data.view(), on.indices.view(), on.updates.view());
    CHECK(on.data.values() == expected);
  }
}

TEST_CASE("ONNX Scatter-9 and -11, example 2: axis 1") {
  const auto operands = make_operands<float, int>({1, 5}, {1, 2, 3, 4, 5}, {1, 2}, {1, 3}, {1, 2}, {1.1F, 2.1F});
  require_result<onnx_scatter_operator>(operands, 1, std::vector<float>{1.0F, 1.1F, 3.0F, 2.1F, 5.0F});
}

TEST_CASE("ONNX Scatter-9 and -11: the formulas for a 2-D tensor") {
  auto on = make_counting_operands<double, std::int64_t>({3, 3}, {2, 2}, {2, -3, -1, 1}, {2, 2});
  const auto element = [](std::int64_t index) { return index < 0 ? index + 3 : index; };
  for (const int axis : {0, 1}) {
    std::vector<double> expected = on.data.values();
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t j = 0; j < 2; ++j) {
        const std::int64_t index = element(on.indices.view()(i, j));
        const std::int64_t target = axis == 0 ? index * 3 + j : i * 3 + index;
        expected[static_cast<std::size_t>(target)] = on.updates.view()(i, j);
      }
    }
    require_result<onnx_scatter_operator>(on, axis, expected);
  }
}

TEST_CASE("ONNX Scatter-11: ScatterElements provides the same functionality") {
  auto on = make_counting_operands<float, std::int64_t>({3, 4}, {3, 3}, {2, -3, -1, 1, 0, 1, 0, -1, 1}, {3, 3});
  for (const int axis : {-2, -1, 0, 1}) {
    onnx::scatter(on.data.view(), on.indices.view(), on.updates.view(), axis, on.output.view());
    const std::vector<float> output = on.output.values();
    on.output.fill_from(0);
    onnx::scatter_elements(on.data.view(), on.indices.view(), on.updates.view(), axis, on.output.view());
    CHECK(on.output.values() == output);
    CHECK(output != on.data.values());
  }
}

TEST_CASE("ONNX Scatter-11: gathering at the indices gives back the updates") {
  // No two on a column, or on a row, are one element.
  auto on = make_counting_operands<float, std::int64_t>({3, 3}, {2, 2}, {1, -3, -1, 1}, {2, 2});
  for (const int axis : {0, 1}) {
    onnx::scatter(on.data.view(), on.indices.view(), on.updates.view(), axis, on.output.view());
    for (std::int64_t i = 0; i < 2; ++i) {
      for (std::int64_t j = 0; j < 2; ++j) {
        const std::int64_t index = on.indices.view()(i, j) < 0 ? on.indices.view()(i, j) + 3 : on.indices.view()(i, j);
        CHECK((axis == 0 ? on.output.view()(index, j) : on.output.view()(i, index)) == on.updates.view()(i, j));
      }
    }
  }
}

}  // namespace
}  // namespace strew::test
