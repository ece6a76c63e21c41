// SPDX-License-Identifier: Apache-2.0
// Small worlds in full: every case of an operator up to a size, each against the oracle, out of place and in place,
// with all thresholds that choose a kernel as small as is legal and with none ever reached.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/operator_calls.hpp"
#include "support/oracle.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// All shapes with these ranks whose extents run from 0 to `largest`.
std::vector<shape> all_shapes(std::size_t lowest_rank, std::size_t highest_rank, std::int64_t largest) {
  std::vector<shape> result;
  for (std::size_t rank = lowest_rank; rank <= highest_rank; ++rank) {
    for_each_shape(rank, largest, [&](const shape& extents) { result.push_back(extents); });
  }
  return result;
}

// Calls body(values) for each list of `count` integers in [low, high].
template <class Body>
void for_each_assignment(std::int64_t count, std::int64_t low, std::int64_t high, Body body) {
  for_each_coordinate(shape(static_cast<std::size_t>(count), high - low + 1), [&](const shape& choice) {
    std::vector<int> values;
    for (const std::int64_t value : choice) values.push_back(static_cast<int>(low + value));
    body(values);
  });
}

// Every second element of row-major memory.
placement place_apart(const shape& extents) {
  placement where = place_contiguous(extents);
  for (std::int64_t& stride : where.strides) stride *= 2;
  return place(where.extents, where.strides);
}

// Operands of the same values, dense and not: small dense ones take a shorter way.
struct small_operands {
  operands<short> dense;
  operands<short> apart;

  small_operands(const shape& data, const shape& indices, const shape& updates)
      : dense{guarded_buffer<short>{data}, guarded_buffer<int>{indices}, guarded_buffer<short>{updates},
              guarded_buffer<short>{data}},
        apart{guarded_buffer<short>{place_apart(data)}, guarded_buffer<int>{indices}, guarded_buffer<short>{updates},
              guarded_buffer<short>{place_apart(data)}} {
    for (operands<short>* each : {&dense, &apart}) {
      each->data.fill_from(0);
      each->updates.fill_from(1000);
    }
  }
  // Either by turns.
  [[nodiscard]] const operands<short>& operator[](std::size_t turn) const { return turn / 2 % 2 == 0 ? dense : apart; }
};

// An assertion of Catch2 takes longer than a whole case here, so only a failure makes one.
void expect_none(const std::string& deviation_found, const std::string& description) {
  if (deviation_found.empty()) return;
  INFO(description);
  FAIL(deviation_found);
}

std::string text_of(const shape& list) {
  return std::string(error_message{}.append(index_list(list)).view());
}

// Calls body() with thresholds so small, and then so large, that the kernels for large tensors run, and then never.
template <class Body>
void with_extreme_limits(const Body& body) {
  limits_for_test limits;
  limits.set_smallest();
  body();
  limits.set_largest();
  body();
}

// One call out of place or in place, by turns, and back to where the operands were.
constexpr form taking_turns[] = {form::attempted, form::attempted_in_place};

void check_slice(const small_operands& prepared, const std::vector<oracle::slice>& slices, std::size_t turn) {
  const operands<short>& before = prepared[turn];
  std::vector<std::int64_t> lists[4];
  for (const oracle::slice& s : slices) {
    lists[0].push_back(static_cast<std::int64_t>(s.start));
    lists[1].push_back(static_cast<std::int64_t>(s.stop));
    lists[2].push_back(static_cast<std::int64_t>(s.step));
    lists[3].push_back(s.axis);
  }
  const form how = taking_turns[turn % 2];
  const slice_spec spec{.start = lists[0], .stop = lists[1], .step = lists[2], .axes = lists[3]};
  const shape& data = before.data.extents();
  with_extreme_limits([&] {
    operands<short> after = before;
    const status outcome = run<slice_scatter_operator>(how, after, spec);
    expect_none(outcome.ok() ? deviation(how, before, after, oracle::slice_scatter(data, slices))
                             : std::string(outcome.message().view()),
                "data " + text_of(data) + " start " + text_of(lists[0]) + " stop " + text_of(lists[1]) + " step " +
                    text_of(lists[2]) + " axes " + text_of(lists[3]));
  });
}

// Every single slice: data of all shapes up to 3x3x3, each axis, start and stop in [-4, 4] (one beyond each end), step
// in [-3, 3] without 0 (as long as any axis).
TEST_CASE("slice_scatter is right for every slice of every shape up to 3x3x3") {
  std::size_t cases = 0;
  for (const shape& data : all_shapes(1, 3, 3)) {
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(data.size()); ++axis) {
      for_each_coordinate({9, 9, 7}, [&](const shape& choice) {
        const oracle::slice slice{choice[0] - 4, choice[1] - 4, choice[2] - 3, axis};
        if (slice.step == 0) return;
        check_slice(small_operands(data, {0}, oracle::slice_scatter_updates(data, {slice})), {slice}, cases++);
      });
    }
  }
  REQUIRE(cases == 9 * 9 * 6 * (4 + 2 * 16 + 3 * 64));
}

// Every pair of slices: data of all shapes up to 2x2, both orders of the axes, start and stop in [-2, 2], step in
// {-2, -1, 1}.
TEST_CASE("slice_scatter is right for every two slices of every shape up to 2x2") {
  std::size_t cases = 0;
  for (const shape& data : all_shapes(2, 2, 2)) {
    for_each_coordinate({5, 5, 3, 5, 5, 3}, [&](const shape& choice) {
      const std::int64_t steps[] = {-2, -1, 1};
      const std::int64_t axis = static_cast<std::int64_t>(cases / 2 % 2);
      const std::vector<oracle::slice> slices{{choice[0] - 2, choice[1] - 2, steps[choice[2]], axis},
                                              {choice[3] - 2, choice[4] - 2, steps[choice[5]], 1 - axis}};
      check_slice(small_operands(data, {0}, oracle::slice_scatter_updates(data, slices)), slices, cases++);
    });
  }
  REQUIRE(cases == 75 * 75 * 9);
}

template <class Operator>
void check_indices(const small_operands& prepared, const std::vector<int>& indices, std::int64_t axis,
                   oracle::provenance (*expected)(const shape&, const shape&, const std::vector<int>&, std::int64_t),
                   std::size_t turn) {
  operands<short> before = prepared[turn];
  before.indices.fill(indices);
  const shape& data = before.data.extents();
  const shape& extents = before.indices.extents();
  const std::optional<shape> illegal =
      oracle::first_illegal(extents, indices, data[oracle::axis_of(axis, data.size())], Operator::negatives_allowed);
  const form how = taking_turns[turn % 2];
  with_extreme_limits([&] {
    operands<short> after = before;
    const status outcome = run<Operator>(how, after, axis);
    std::string found;
    if (illegal) {
      const bool named = outcome.code() == errc::index_out_of_bounds && outcome.coordinate() == index_list(*illegal);
      found = named ? traces_of_refused_call(before, after) : "the first illegal index was not named";
    } else {
      found = outcome.ok() ? deviation(how, before, after, expected(data, extents, indices, axis))
                           : std::string(outcome.message().view());
    }
    expect_none(found, std::string(Operator::name) + " data " + text_of(data) + " indices " + text_of(extents) + " = " +
                           text_of(shape(indices.begin(), indices.end())) + " axis " + std::to_string(axis));
  });
}

// Data of all shapes up to 3x3x3, each axis from both ends, indices of the shapes below, every assignment of indices
// from one below the legal ones to one above them.
TEST_CASE("scatter_update is right for every index of every shape up to 3x3x3") {
  std::size_t cases = 0;
  for (const shape& data : all_shapes(1, 3, 3)) {
    const auto rank = static_cast<std::int64_t>(data.size());
    for (std::int64_t axis = -rank; axis < rank; ++axis) {
      const std::int64_t extent = data[oracle::axis_of(axis, data.size())];
      for (const shape& indices : {shape{}, {0}, {1}, {2}, {3}, {0, 2}, {1, 2}, {2, 1}, {1, 1, 2}}) {
        const small_operands prepared(data, indices, oracle::scatter_update_updates(data, indices, axis));
        for_each_assignment(oracle::count_of(indices), -1, extent, [&](const std::vector<int>& values) {
          check_indices<scatter_update_operator>(prepared, values, axis, oracle::scatter_update<int>, cases++);
        });
      }
    }
  }
  REQUIRE(cases > 50000);
}

// Data of all shapes up to 3x3x3, each axis from both ends, indices of every legal shape with up to three elements, and
// every assignment of indices from one below the legal ones to one above them.
template <class Operator>
std::size_t check_elements_of_small_shapes() {
  std::size_t cases = 0;
  for (const shape& data : all_shapes(1, 3, 3)) {
    const auto rank = static_cast<std::int64_t>(data.size());
    for (std::int64_t axis = -rank; axis < rank; ++axis) {
      const std::size_t a = oracle::axis_of(axis, data.size());
      shape one_more = data;
      for (std::int64_t& extent : one_more) ++extent;
      if (Operator::indices_may_exceed_axis) ++one_more[a];
      for_each_coordinate(one_more, [&](const shape& indices) {
        if (oracle::count_of(indices) > 3) return;
        const small_operands prepared(data, indices, indices);
        const std::int64_t lowest = Operator::negatives_allowed ? -data[a] : 0;
        for_each_assignment(oracle::count_of(indices), lowest - 1, data[a], [&](const std::vector<int>& values) {
          check_indices<Operator>(prepared, values, axis, oracle::scatter_elements<int>, cases++);
        });
      });
    }
  }
  return cases;
}

TEST_CASE("scatter_elements_update is right for every index of every shape up to 3x3x3") {
  REQUIRE(check_elements_of_small_shapes<scatter_elements_update_operator>() > 25000);
}

TEST_CASE("onnx::scatter is right for every index of every shape up to 3x3x3") {
  REQUIRE(check_elements_of_small_shapes<onnx_scatter_operator>() > 50000);
}

}  // namespace
}  // namespace strew::test
