// SPDX-License-Identifier: Apache-2.0
// Schedules of calls whose types are known at run time: runs with other operands than those of the schedule.
#include "support/catch.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using strew::errc;
using strew::status;
using strew::dynamic::const_tensor;
using strew::dynamic::index_tensor;
using strew::dynamic::schedule;
using strew::dynamic::tensor;

// The operands of a call on [rows, columns] floats with as many indices and updates as `taken` columns of them.
struct operands {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t taken;
  std::vector<float> data = std::vector<float>(static_cast<std::size_t>(rows * columns), 1.0F);
  std::vector<float> updates = std::vector<float>(static_cast<std::size_t>(rows * taken), 2.0F);
  std::vector<float> output = std::vector<float>(static_cast<std::size_t>(rows * columns), -7.0F);
  std::vector<std::int64_t> indices = numbers(rows * taken, columns);

  operands(std::int64_t rows_, std::int64_t columns_, std::int64_t taken_)
      : rows{rows_}, columns{columns_}, taken{taken_} {}

  // Each index is used twice, in no order that is a slice.
  static std::vector<std::int64_t> numbers(std::int64_t count, std::int64_t extent) {
    std::vector<std::int64_t> result(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) result[static_cast<std::size_t>(i)] = i / 2 * 37 % extent;
    return result;
  }

  [[nodiscard]] strew::tensor_view<const float> data_view() const { return {data.data(), {rows, columns}}; }
  [[nodiscard]] strew::tensor_view<const float> updates_view() const { return {updates.data(), {rows, taken}}; }
  [[nodiscard]] strew::tensor_view<const std::int64_t> indices_view() const { return {indices.data(), {rows, taken}}; }
  [[nodiscard]] strew::tensor_view<float> output_view() { return {output.data(), {rows, columns}}; }

  status scatter(const auto& step) {
    return strew::try_scatter_elements_update(step, const_tensor(data_view()), index_tensor(indices_view()),
                                              const_tensor(updates_view()), 1, tensor(output_view()));
  }
  status add(const auto& step) {
    return strew::try_scatter_add(step, const_tensor(data_view()), 1, index_tensor(indices_view()),
                                  const_tensor(updates_view()), tensor(output_view()));
  }
  [[nodiscard]] bool is_untouched() const {
    for (const float element : output) {
      if (element != -7.0F) return false;
    }
    return true;
  }
};

// A schedule of scatter_elements_update, and its memory.
struct made_schedule {
  schedule bound;
  std::vector<std::byte> memory;

  explicit made_schedule(operands& of) {
    REQUIRE(of.scatter(bound.measure()).ok());
    REQUIRE(bound.bytes() > 0);
    memory.resize(static_cast<std::size_t>(bound.bytes()));
    REQUIRE(of.scatter(bound.make(memory)).ok());
    REQUIRE(of.is_untouched());
  }
};

void require_mismatch(const status& outcome, const operands& of) {
  INFO(outcome.message());
  CHECK(outcome.code() == errc::extent_mismatch);
  CHECK(of.is_untouched());
}

}  // namespace

TEST_CASE("the steps of a schedule may be variables") {
  operands on{3, 400, 300};
  schedule bound;
  auto measure = bound.measure();
  const auto same = measure;
  const auto scatter = [&](auto& step) {
    return strew::try_scatter_elements_update(step, const_tensor(on.data_view()), index_tensor(on.indices_view()),
                                              const_tensor(on.updates_view()), 1, tensor(on.output_view()));
  };
  REQUIRE(scatter(measure).ok());
  REQUIRE(scatter(same).ok());
  CHECK(on.is_untouched());
  REQUIRE(bound.bytes() > 0);
  std::vector<std::byte> memory(static_cast<std::size_t>(bound.bytes()));
  auto make = bound.make(memory);
  REQUIRE(scatter(make).ok());
  CHECK(on.is_untouched());
  auto run = bound.run();
  REQUIRE(scatter(run).ok());
  CHECK_FALSE(on.is_untouched());
}

TEST_CASE("a run reads other addresses of the same extents") {
  operands first(2, 1024, 512);
  const made_schedule made(first);
  operands second(2, 1024, 512);
  for (std::size_t i = 0; i < second.updates.size(); ++i) second.updates[i] = static_cast<float>(i);
  std::vector<float> expected = second.data;
  for (std::size_t i = 0; i < second.updates.size(); ++i) {
    expected[i / 512 * 1024 + static_cast<std::size_t>(second.indices[i])] = second.updates[i];
  }
  for (std::int64_t& index : second.indices) index = -5000;  // not read
  const status outcome = second.scatter(made.bound.run());
  INFO(outcome.message());
  REQUIRE(outcome.ok());
  CHECK(second.output == expected);
}

TEST_CASE("a run without a schedule of its own does not read the indices of one with a schedule") {
  operands on{2, 1024, 512};
  const made_schedule made(on);
  for (std::int64_t& index : on.indices) index = -5000;
  const std::vector<double> wide(on.updates.begin(), on.updates.end());
  const strew::tensor_view<const double> updates{wide.data(), {2, 512}};
  require_mismatch(strew::try_scatter_elements_update(
                       made.bound.run(), const_tensor(on.data_view()), index_tensor(on.indices_view()),
                       strew::converted(const_tensor(updates)), 1, tensor(on.output_view())),
                   on);
  std::vector<std::int64_t> stored(on.output.size());
  const tensor numbers(strew::tensor_view<std::int64_t>{stored.data(), {2, 1024}});
  require_mismatch(strew::try_scatter_elements_update(
                       made.bound.run(), const_tensor(on.data_view()), index_tensor(on.indices_view()),
                       const_tensor(on.updates_view()), 1,
                       strew::reduction::with_positions(strew::reduction::none, numbers), tensor(on.output_view())),
                   on);
  // A reduction that has no schedule, by one that was made for another.
  operands sums{2, 1024, 512};
  schedule of_sums;
  REQUIRE(sums.add(of_sums.measure()).ok());
  std::vector<std::byte> memory(static_cast<std::size_t>(of_sums.bytes()));
  REQUIRE(sums.add(of_sums.make(memory)).ok());
  require_mismatch(
      strew::try_scatter_reduce(of_sums.run(), const_tensor(sums.data_view()), 1, index_tensor(sums.indices_view()),
                                const_tensor(sums.updates_view()),
                                strew::dynamic::reduction_without_nan{strew::reduction_kind::sum, true, true},
                                tensor(sums.output_view())),
      sums);
}

TEST_CASE("a schedule that is made again for a call without one has no bytes") {
  operands on{2, 1024, 512};
  made_schedule made(on);
  std::vector<std::int64_t> offsets(1025, 512);
  offsets[0] = 0;
  const auto copy = [&](const auto& step) {
    const strew::tensor_view<const std::int64_t> view{offsets.data(), {1025}};
    return strew::try_index_copy(step, const_tensor(on.data_view()), 1, strew::segments(index_tensor(view)),
                                 const_tensor(on.updates_view()), tensor(on.output_view()));
  };
  offsets[3] = 700;
  CHECK(copy(made.bound.make(made.memory)).code() == errc::index_out_of_bounds);
  CHECK(made.bound.bytes() > 0);
  offsets[3] = 512;
  REQUIRE(copy(made.bound.measure()).ok());
  CHECK(made.bound.bytes() == 0);
  REQUIRE(copy(made.bound.make({})).ok());
  REQUIRE(copy(made.bound.run()).ok());
  CHECK(on.output[0] == 2.0F);
  CHECK(on.output[1] == 1.0F);
}

// The same numbers of targets and updates, by which entries alone could not tell these operands from the first ones.
TEST_CASE("a run on operands of other extents is refused, also with as many targets and updates") {
  operands first(2, 1024, 512);
  const made_schedule made(first);
  operands flat(1, 2048, 1024);
  require_mismatch(flat.scatter(made.bound.run()), flat);
  operands narrow(4, 512, 256);
  require_mismatch(narrow.scatter(made.bound.run()), narrow);
  operands larger(2, 2048, 512);
  require_mismatch(larger.scatter(made.bound.run()), larger);
}

// The same plan of operands; the schedule of sums has other memory than that of assignments.
TEST_CASE("a run of another operator, or of another reduction, is refused") {
  operands first(2, 1024, 512);
  const made_schedule made(first);
  require_mismatch(first.add(made.bound.run()), first);
}

TEST_CASE("a run on operands that are not dense is refused") {
  operands first(2, 1024, 512);
  const made_schedule made(first);
  std::vector<float> wide(2 * 2048, -7.0F);
  const strew::tensor_view<float> every_second(wide.data(), {2, 1024}, {2048, 2});
  const status outcome = strew::try_scatter_elements_update(
      made.bound.run(), const_tensor(first.data_view()), index_tensor(first.indices_view()),
      const_tensor(first.updates_view()), 1, tensor(every_second));
  INFO(outcome.message());
  CHECK(outcome.code() == errc::extent_mismatch);
  CHECK(wide == std::vector<float>(2 * 2048, -7.0F));
}

TEST_CASE("memory one byte too small is refused, and so are illegal indices") {
  operands first(2, 1024, 512);
  schedule bound;
  REQUIRE(first.scatter(bound.measure()).ok());
  std::vector<std::byte> memory(static_cast<std::size_t>(bound.bytes()));
  const status small = first.scatter(bound.make(std::span(memory).first(memory.size() - 1)));
  CHECK(small.code() == errc::too_little_memory);
  first.indices[700] = 1024;
  const status illegal = first.scatter(bound.make(memory));
  CHECK(illegal.code() == errc::index_out_of_bounds);
  CHECK(std::string(illegal.message()).find("indices[1, 188] = 1024") != std::string::npos);
  CHECK(first.is_untouched());
}

// With the memory and the number of bytes that the schedule in use has.
TEST_CASE("a schedule that was not made anew for an error still runs, by memory that is as it was") {
  operands first(2, 1024, 512);
  made_schedule made(first);
  const std::vector<std::byte> before = made.memory;
  for (std::size_t i = 0; i < first.updates.size(); ++i) first.updates[i] = static_cast<float>(i);
  std::vector<float> expected = first.data;
  for (std::size_t i = 0; i < first.updates.size(); ++i) {
    expected[i / 512 * 1024 + static_cast<std::size_t>(first.indices[i])] = first.updates[i];
  }
  const auto require_failure = [&](const status& outcome, errc code) {
    INFO(outcome.message());
    REQUIRE(outcome.code() == code);
    REQUIRE(made.bound.bytes() == before.size());
    const bool is_as_it_was = made.memory == before;
    REQUIRE(is_as_it_was);
    first.output.assign(first.output.size(), -7.0F);
    REQUIRE(first.scatter(made.bound.run()).ok());
    REQUIRE(first.output == expected);
  };
  operands second(2, 1024, 512);
  for (std::size_t i = 0; i < second.indices.size(); ++i) second.indices[i] = static_cast<std::int64_t>(i * 5 % 1024);
  for (const std::size_t at : {std::size_t{0}, std::size_t{700}, std::size_t{1023}}) {
    for (const std::int64_t bad : {std::int64_t{1024}, std::int64_t{1} << 40, std::int64_t{-1025}}) {
      const std::int64_t good = std::exchange(second.indices[at], bad);
      require_failure(second.scatter(made.bound.make(made.memory)), errc::index_out_of_bounds);
      require_failure(second.add(made.bound.make(made.memory)), errc::index_out_of_bounds);
      second.indices[at] = good;
    }
  }
  operands larger(2, 1024, 600);
  require_failure(larger.scatter(made.bound.make(made.memory)), errc::too_little_memory);
  const auto with_more_updates = [&](const auto& step) {
    return strew::try_scatter_elements_update(step, const_tensor(second.data_view()),
                                              index_tensor(second.indices_view()), const_tensor(larger.updates_view()),
                                              1, tensor(second.output_view()));
  };
  require_failure(with_more_updates(made.bound.measure()), errc::extent_mismatch);
  require_failure(with_more_updates(made.bound.make(made.memory)), errc::extent_mismatch);
  // Memory that holds the indices.
  second.indices.resize(before.size() / 8 + 1);
  require_failure(second.scatter(made.bound.make(std::as_writable_bytes(std::span(second.indices)))), errc::overlap);
}

TEST_CASE("a slice as indices is bound as a slice") {
  operands first(1, 4096, 1024);
  for (std::size_t i = 0; i < 1024; ++i) first.indices[i] = 4000 - 3 * static_cast<std::int64_t>(i);
  const made_schedule made(first);
  for (std::size_t i = 0; i < 1024; ++i) first.updates[i] = static_cast<float>(i);
  REQUIRE(first.scatter(made.bound.run()).ok());
  for (std::size_t i = 0; i < 4096; ++i) {
    const bool is_updated = i <= 4000 && (4000 - i) % 3 == 0 && (4000 - i) / 3 < 1024;
    REQUIRE(first.output[i] == (is_updated ? static_cast<float>((4000 - i) / 3) : 1.0F));
  }
}

TEST_CASE("a run along another axis is refused, also with as many targets, updates and rows") {
  const std::vector<float> data(5000, 1.0F);
  const std::vector<float> updates(3000, 2.0F);
  std::vector<float> output(5000, -7.0F);
  std::vector<std::int64_t> indices(3000);
  std::iota(indices.begin(), indices.end(), 10);  // a slice
  const auto scatter = [&](const auto& step, const strew::index_list& extents, const strew::index_list& taken,
                           int axis) {
    return strew::try_scatter_update(step, const_tensor(strew::tensor_view<const float>(data.data(), extents)),
                                     index_tensor(strew::tensor_view<const std::int64_t>(indices.data(), {3000})),
                                     const_tensor(strew::tensor_view<const float>(updates.data(), taken)), axis,
                                     tensor(strew::tensor_view<float>(output.data(), extents)));
  };
  schedule bound;
  REQUIRE(scatter(bound.measure(), {5000, 1}, {3000, 1}, 0).ok());
  std::vector<std::byte> memory(static_cast<std::size_t>(bound.bytes()));
  REQUIRE(scatter(bound.make(memory), {5000, 1}, {3000, 1}, 0).ok());
  CHECK(scatter(bound.run(), {1, 5000}, {1, 3000}, 1).code() == errc::extent_mismatch);
  CHECK(output == std::vector<float>(5000, -7.0F));
  CHECK(scatter(bound.run(), {5000, 1}, {3000, 1}, 0).ok());
  CHECK(output[9] == 1.0F);
  CHECK(output[10] == 2.0F);
  CHECK(output[3009] == 2.0F);
  CHECK(output[3010] == 1.0F);
}
