// SPDX-License-Identifier: Apache-2.0
// ScatterUpdate-3: how its arguments may be written, and its corners. Errors: errors.cpp.
#include "support/catch.hpp"
#include "support/operator_calls.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/scatter_update.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using op = scatter_update_operator;

// data counting from 0, updates of the right shape counting from 100.
template <class I = int>
operands<int, I> counting(const shape& data, const shape& indices, const std::vector<I>& values, std::int64_t axis) {
  return make_counting_operands<int, I>(data, indices, values, oracle::scatter_update_updates(data, indices, axis));
}

TEST_CASE("axis is a scalar or a list of one, of any integer type, and may count from the end") {
  const auto operands = counting({2, 3}, {1}, {2}, 1);
  const std::vector<int> expected{0, 1, 100, 3, 4, 101};
  require_result<op>(operands, 1, expected);
  require_result<op>(operands, -1, expected);
  require_result<op>(operands, std::uint8_t{1}, expected);
  require_result<op>(operands, std::uint64_t{1}, expected);
  require_result<op>(operands, std::vector<signed char>{-1}, expected);
  require_result<op>(operands, index_list{1}, expected);
}

TEST_CASE("indices may have any rank") {
  for (std::size_t rank = 0; rank <= 5; ++rank) {
    const shape indices(rank, 2);
    const shape data{2, 40, 3};
    std::vector<int> values;
    for (std::int64_t k = 0; k < oracle::count_of(indices); ++k) values.push_back(static_cast<int>(k * 7 % 37));
    for (const std::int64_t axis : {1, -2}) {
      const auto operands = counting(data, indices, values, axis);
      const std::vector<int> from_data = operands.data.values();
      const std::vector<int> from_updates = operands.updates.values();
      std::vector<int> expected;
      for (const std::int64_t source : oracle::scatter_update(data, indices, values, axis)) {
        expected.push_back(source == oracle::kept ? from_data[expected.size()]
                                                  : from_updates[static_cast<std::size_t>(source)]);
      }
      require_result<op>(operands, axis, expected);
    }
  }
}

TEST_CASE("of equal indices the last in row-major order wins") {
  require_result<op>(counting({3}, {2, 2}, {1, 1, 0, 1}, 0), 0, std::vector<int>{102, 103, 2});
  require_result<op>(counting({2, 2}, {3}, {0, 1, 0}, 1), 1, std::vector<int>{102, 101, 105, 104});
}

TEST_CASE("no indices leave a copy of data") {
  require_result<op>(counting({2, 2}, {0}, {}, 0), 0, std::vector<int>{0, 1, 2, 3});
  require_result<op>(counting({2, 2}, {3, 0}, {}, 1), 1, std::vector<int>{0, 1, 2, 3});
}

// OpenVINO's reference kernel guesses which axes of updates are those of indices, and is wrong here.
TEST_CASE("indices of shape (2, 1) are rows, not a matrix of their own") {
  const auto operands = make_operands<int, int>({2, 2}, {0, 0, 0, 0}, {2, 1}, {0, 1}, {2, 1, 2}, {1, 2, 3, 4});
  require_result<op>(operands, 0, std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("scatter_update refuses an axis out of range") {
  const auto operands = counting({2, 3}, {1}, {0}, 0);
  require_refused<op>(operands, 2, errc::axis_out_of_range,
                      "scatter_update: axis = 2 is outside [-2, 1] (data has rank 2)");
  require_refused<op>(operands, -3, errc::axis_out_of_range,
                      "scatter_update: axis = -3 is outside [-2, 1] (data has rank 2)");
  require_refused<op>(operands, std::uint64_t{1} << 63, errc::axis_out_of_range,
                      "scatter_update: axis = 9223372036854775808 is outside [-2, 1] (data has rank 2)");
  require_refused<op>(operands, (std::int64_t{1} << 32) + 1, errc::axis_out_of_range,
                      "scatter_update: axis = 4294967297 is outside [-2, 1] (data has rank 2)");
}

TEST_CASE("scatter_update names the first bad index in row-major order, however the indices lie in memory") {
  std::vector<int> data(4);
  std::vector<int> updates(24, 7);
  std::vector<int> memory{0, 9, 0, 8, 7, 0};  // columns first: the matrix is [[0, 0, 7], [9, 8, 0]]
  const tensor_view<int> out{data.data(), {4}};
  const tensor_view<int> by_columns{memory.data(), {2, 3}, {1, 2}};
  const status outcome = try_scatter_update(out, by_columns, tensor_view<int>{updates.data(), {2, 3}}, 0);
  CHECK(std::string(outcome.message().view()) ==
        "scatter_update: indices[0, 2] = 7 is outside [0, 3] (axis 0 has extent 4)");
  CHECK(outcome.coordinate() == index_list{0, 2});
  CHECK(std::string(outcome.operation()) == "scatter_update");
  CHECK(std::string(outcome.operand()) == "indices");
  CHECK(data == std::vector<int>(4));
}

TEST_CASE("updates_extents of scatter_update tells the shape that updates must have") {
  CHECK(updates_extents(scatter_update, {3, 5}, {2}, 1) == index_list{3, 2});
  CHECK(updates_extents(scatter_update, {3, 5}, {}, -2) == index_list{5});
  CHECK(updates_extents(scatter_update, {3, 5, 7}, {2, 4}, -2) == index_list{3, 2, 4, 7});
  index_list extents{42};
  CHECK(try_updates_extents(scatter_update, {3}, {0}, 0, extents).ok());
  CHECK(extents == index_list{0});
}

TEST_CASE("updates_extents refuses what scatter_update does, and leaves its result alone") {
  const auto refuses = [](const index_list& data, const index_list& indices, const index_list& axis, errc code,
                          const std::string& message) {
    index_list extents{42};
    const status outcome = try_updates_extents(scatter_update, data, indices, axis, extents);
    CHECK(outcome.code() == code);
    CHECK(std::string(outcome.message().view()) == "updates_extents(scatter_update): " + message);
    CHECK(extents == index_list{42});
    CHECK_THROWS_AS(updates_extents(scatter_update, data, indices, axis), scatter_error);
  };
  const std::vector<int> too_long(max_rank + 1, 1);
  const std::string limit = " has more than " + std::to_string(max_rank) + " entries (STREW_MAX_RANK)";
  refuses({}, {1}, 0, errc::rank_mismatch, "data has rank 0, expected at least 1");
  refuses({2, -1}, {1}, 0, errc::negative_extent, "data_extents[1] = -1 is negative");
  refuses({2}, {-7}, 0, errc::negative_extent, "indices_extents[0] = -7 is negative");
  refuses(too_long, {1}, 0, errc::too_many_axes, "data_extents" + limit);
  refuses({1}, too_long, 0, errc::too_many_axes, "indices_extents" + limit);
  refuses(std::vector<int>(max_rank, 1), {1, 1}, 0, errc::too_many_axes, "updates" + limit);
  refuses({2}, {1}, 1, errc::axis_out_of_range, "axis = 1 is outside [-1, 0] (data has rank 1)");
  refuses({2}, {1}, {0, 0}, errc::count_mismatch, "axis has length 2, expected 1");
}

}  // namespace
}  // namespace strew::test
