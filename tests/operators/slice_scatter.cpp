// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15: how its arguments may be written, and its corners. Errors: errors.cpp.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/slice_scatter.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using op = slice_scatter_operator;

// data of these extents counting from 0, updates of those counting from 100.
operands<int> counting(const shape& data, const shape& updates) {
  return make_counting_operands<int>(data, {0}, {}, updates);
}

TEST_CASE("start, stop, step and axes may each have an integer type of its own") {
  const std::vector<signed char> start{0, -1};
  const std::vector<std::uint64_t> stop{std::numeric_limits<std::uint64_t>::max(), 0};
  const short step[] = {2, -1};
  const std::vector<std::uint8_t> axes{1, 0};
  const slice_spec spec{.start = start, .stop = stop, .step = step, .axes = axes};
  require_result<op>(counting({2, 3}, {1, 2}), spec, std::vector<int>{0, 1, 2, 100, 4, 101});
}

TEST_CASE("axes left out are the first ones") {
  require_result<op>(counting({2, 3}, {1, 3}), slice_spec{.start = 1, .stop = 2, .step = 1},
                     std::vector<int>{0, 1, 2, 100, 101, 102});
}

TEST_CASE("axes may come in any order and count from the end") {
  const slice_spec spec{.start = {1, 0}, .stop = {3, 1}, .step = {1, 1}, .axes = {-1, -2}};
  require_result<op>(counting({2, 3}, {1, 2}), spec, std::vector<int>{0, 100, 101, 3, 4, 5});
}

TEST_CASE("no slices at all replace the whole of data") {
  require_result<op>(counting({2, 2}, {2, 2}), slice_spec{}, std::vector<int>{100, 101, 102, 103});
  require_result<op>(counting({2, 2}, {2, 2}), slice_spec{.start = {}, .stop = {}, .step = {}, .axes = {}},
                     std::vector<int>{100, 101, 102, 103});
}

TEST_CASE("an empty slice leaves a copy of data") {
  const std::vector<int> data{0, 1, 2, 3, 4, 5};
  require_result<op>(counting({2, 3}, {2, 0}), slice_spec{.start = 2, .stop = 1, .step = 1, .axes = 1}, data);
  require_result<op>(counting({2, 3}, {0, 3}), slice_spec{.start = 0, .stop = 1, .step = -1, .axes = 0}, data);
  require_result<op>(counting({2, 3}, {2, 0}), slice_spec{.start = 7, .stop = 9, .step = 1, .axes = 1}, data);
}

// OpenVINO and ONNX clamp start to [0, d - 1] here and select element 0.
TEST_CASE("a negative step with start and stop before the axis selects nothing, as in NumPy") {
  require_result<op>(counting({3}, {0}), slice_spec{.start = -5, .stop = -9, .step = -1}, std::vector<int>{0, 1, 2});
}

TEST_CASE("a negative step writes the updates backwards") {
  require_result<op>(counting({5}, {5}), slice_spec{.start = -1, .stop = -6, .step = -1},
                     std::vector<int>{104, 103, 102, 101, 100});
  require_result<op>(counting({5}, {2}), slice_spec{.start = 3, .stop = 0, .step = -2},
                     std::vector<int>{0, 101, 2, 100, 4});
}

TEST_CASE("a step of any size is exact") {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
  require_result<op>(counting({3}, {1}), slice_spec{.start = min, .stop = max, .step = max},
                     std::vector<int>{100, 1, 2});
  require_result<op>(counting({3}, {1}), slice_spec{.start = max, .stop = min, .step = min},
                     std::vector<int>{0, 1, 100});
  require_result<op>(counting({3}, {2}), slice_spec{.start = max, .stop = min, .step = -2},
                     std::vector<int>{101, 1, 100});
}

TEST_CASE("a row of updates repeated with stride 0 fills every row of the slice") {
  std::vector<int> data{0, 1, 2, 3, 4, 5};
  std::vector<int> row{7, 8};
  const tensor_view<int> out{data.data(), {3, 2}};
  slice_scatter(out, broadcast(tensor_view<int>{row.data(), {2}}, {2, 2}), {.start = 1, .stop = 3, .step = 1});
  CHECK(data == std::vector<int>{0, 1, 7, 8, 7, 8});
}

TEST_CASE("updates_extents of slice_scatter tells the shape that updates must have") {
  CHECK(updates_extents(slice_scatter, {2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0}) == index_list{1, 5});
  CHECK(updates_extents(slice_scatter, {2, 5}, {.start = {1, 9}, .stop = {0, 0}, .step = {-1, -2}}) ==
        index_list{1, 2});
  CHECK(updates_extents(slice_scatter, {7}, {}) == index_list{7});
  index_list extents{42};
  CHECK(try_updates_extents(slice_scatter, {2, 5}, {.start = 0, .stop = 0, .step = 1}, extents).ok());
  CHECK(extents == index_list{0, 5});
}

TEST_CASE("updates_extents of slice_scatter refuses what slice_scatter does, and leaves its result alone") {
  const auto refuses = [](const index_list& data, const slice_spec& spec, errc code, const std::string& message) {
    index_list extents{42};
    const status outcome = try_updates_extents(slice_scatter, data, spec, extents);
    CHECK(outcome.code() == code);
    CHECK(std::string(outcome.message().view()) == "updates_extents(slice_scatter): " + message);
    CHECK(extents == index_list{42});
    CHECK_THROWS_AS(updates_extents(slice_scatter, data, spec), scatter_error);
  };
  refuses({}, {}, errc::rank_mismatch, "data has rank 0, expected at least 1");
  refuses({2, -1}, {}, errc::negative_extent, "data_extents[1] = -1 is negative");
  refuses(std::vector<int>(max_rank + 1, 1), {}, errc::too_many_axes,
          "data_extents has more than " + std::to_string(max_rank) + " entries (STREW_MAX_RANK)");
  refuses({2}, {.start = 0, .stop = 1, .step = 0}, errc::zero_step,
          "step[0] = 0 selects nothing, expected any other value");
  refuses({2}, {.start = 0, .stop = 1, .step = 1, .axes = 1}, errc::axis_out_of_range,
          "axes[0] = 1 is outside [-1, 0] (data has rank 1)");
  refuses({2, 2}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {0, -2}}, errc::repeated_axis,
          "axes[1] = -2 names axis 0 a second time");
  refuses({2}, {.start = 0, .stop = {}, .step = 1}, errc::count_mismatch, "stop has length 0, expected 1 as start has");
}

}  // namespace
}  // namespace strew::test
