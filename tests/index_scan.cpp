// SPDX-License-Identifier: Apache-2.0
// The check of whole tensors of indices: exhaustive for 8-bit types, for any strides, and the first bad index by name.
#include "backwards.hpp"
#include "catch.hpp"
#include "constify.hpp"
#include "coordinates.hpp"
#include "index_types.hpp"
#include "random_source.hpp"
#include "wide.hpp"

#include <strew/index_scan.hpp>
#include <strew/tensor_view.hpp>
#include <strew/view_transform.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using strew::errc;
using strew::index_list;
using strew::index_rule;
using strew::int64_max;
using strew::serial;
using strew::status;
using strew::tensor_view;
using strew::detail::check_indices;
using strew::detail::element_of;
using strew::detail::index_facts;
using strew::test::constify;
using strew::test::coordinate;
using strew::test::wide;

namespace {

template <class I>
constexpr bool run_is_in_bounds(const I* indices, std::int64_t stride, std::int64_t count, std::int64_t extent,
                                index_rule rule) {
  const unsigned found = strew::detail::scan_run(indices, stride, count, extent, rule);
  return (found & strew::detail::bad_index) == 0;
}

constexpr index_rule rules[] = {index_rule::strict, index_rule::wrapping};

// The documents' ranges: [0, s-1] or [-s, s-1].
bool is_legal(wide index, wide extent, index_rule rule) {
  return index < extent && index >= (rule == index_rule::strict ? wide{0} : -extent);
}

// Extents around the limits of the type, where an index's range and the axis's end meet.
template <class I>
std::vector<std::int64_t> extents_around_limits() {
  std::vector<std::int64_t> extents{0, 1, 2, 3, 300, 65537, int64_max - 1, int64_max};
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
  for (const std::uint64_t limit : {largest / 2, largest}) {
    for (std::uint64_t extent = limit - 2; extent <= limit + 3; ++extent) {
      if (extent <= static_cast<std::uint64_t>(int64_max)) extents.push_back(static_cast<std::int64_t>(extent));
    }
  }
  return extents;
}

// Runs of legal indices with one other among them, for all of `values` as the other one.
template <class I>
void check_runs(const std::vector<I>& values) {
  constexpr std::int64_t length = 19;  // not a multiple of any vector's length
  for (const index_rule rule : rules) {
    for (const std::int64_t extent : extents_around_limits<I>()) {
      std::vector<I> legal;
      for (const I value : values) {
        if (is_legal(value, extent, rule)) legal.push_back(value);
      }
      const auto legal_count = static_cast<std::int64_t>(legal.size());
      bool right = run_is_in_bounds(legal.data(), 1, legal_count, extent, rule);
      std::size_t next = 0;
      for (const I value : values) {
        const bool expected = is_legal(value, extent, rule);
        right = right && run_is_in_bounds(&value, 1, 1, extent, rule) == expected;
        right = right && run_is_in_bounds(&value, 0, 100, extent, rule) == expected;
        if (legal.empty()) continue;
        std::vector<I> run(std::size_t{2 * length}, value);  // of the others, every second one is skipped
        for (std::size_t i = 0; i < length; ++i) run[2 * i] = legal[next++ % legal.size()];
        run[2 * (next % length)] = value;
        right = right && run_is_in_bounds(run.data(), 2, length, extent, rule) == expected;
        right = right && run_is_in_bounds(run.data() + 2 * (length - 1), -2, length, extent, rule) == expected;
      }
      if (!right) {
        CAPTURE(extent, static_cast<int>(rule));
        FAIL("a legal index was refused or an illegal one accepted");
      }
    }
  }
}

template <class I>
std::vector<I> all_values() {
  std::vector<I> values;
  for (int value = std::numeric_limits<I>::min(); value <= std::numeric_limits<I>::max(); ++value) {
    values.push_back(static_cast<I>(value));
  }
  return values;
}

template <class I>
status check(const tensor_view<const I>& indices, std::int64_t extent, index_rule rule) {
  status error;
  index_facts facts;
  const bool ok = check_indices(serial, "test", indices.data(), indices.layout(), 3, extent, rule, facts, error);
  CHECK(ok == error.ok());
  return error;
}

std::string range_of(std::int64_t extent, index_rule rule) {
  return "[" + std::to_string(rule == index_rule::strict ? 0 : -extent) + ", " + std::to_string(extent - 1) + "]";
}

std::string bracketed(const coordinate& at) {
  std::string text;
  for (const std::int64_t index : at) text += (text.empty() ? "" : ", ") + std::to_string(index);
  return "[" + text + "]";
}

// Draws index tensors of small values, most of them legal, in any arrangement.
template <class I>
void check_random_tensors(int count) {
  strew::test::random_source random(2026);
  int accepted = 0;
  int refused = 0;
  for (int trial = 0; trial < count; ++trial) {
    const index_rule rule = rules[random.below(2)];
    const std::int64_t extent = random.between(1, 9);
    coordinate extents;
    for (std::int64_t rank = random.between(0, 3); rank > 0; --rank) {
      extents.push_back(random.one_in(20) ? 0 : random.between(1, 4));
    }
    std::vector<I> memory(4 * 4 * 4 * 2);
    for (I& index : memory) index = static_cast<I>(random.below(extent));
    for (std::int64_t bad = random.between(0, 50); bad > 0; --bad) {
      memory[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(memory.size())))] =
          static_cast<I>(random.between(std::is_signed_v<I> ? -12 : 0, 12));
    }
    // Padded along the first axis, then permuted, reversed and broadcast.
    coordinate padded = extents;
    if (!padded.empty()) padded[0] *= 2;
    tensor_view<const I> indices{memory.data(), padded};
    if (!padded.empty()) indices = slice(indices, 0, 0, padded[0], 2);
    coordinate axes;
    for (const std::size_t axis : random.order(extents.size())) axes.push_back(static_cast<std::int64_t>(axis));
    indices = permute(indices, axes);
    if (indices.rank() > 0 && random.one_in(2)) indices = reverse(indices, random.below(indices.rank()));
    if (random.one_in(4)) {
      index_list longer{random.between(1, 2)};
      for (const std::int64_t e : indices.extents()) longer.push_back(e);
      indices = broadcast(indices, longer);
    }

    std::string expected;
    coordinate first_bad;
    strew::test::for_each_coordinate({indices.extents().begin(), indices.extents().end()}, [&](const coordinate& at) {
      if (!expected.empty() || is_legal(indices[at], extent, rule)) return;
      first_bad = at;
      expected = "test: indices" + bracketed(at) + " = " + std::to_string(+indices[at]) + " is outside " +
                 range_of(extent, rule) + " (axis 3 has extent " + std::to_string(extent) + ")";
    });
    const status outcome = check(indices, extent, rule);
    CHECK(outcome.ok() == expected.empty());
    if (!expected.empty()) {
      if (!first_bad.empty()) CHECK(outcome.message().view() == expected);
      CHECK(outcome.code() == errc::index_out_of_bounds);
      CHECK(outcome.coordinate() == index_list(first_bad));
    }
    ++(expected.empty() ? accepted : refused);
  }
  CHECK(accepted > count / 10);
  CHECK(refused > count / 10);
}

}  // namespace

TEMPLATE_TEST_CASE("every 8-bit index among legal ones is accepted or refused", "[index_scan]", signed char,
                   unsigned char) {
  check_runs(all_values<TestType>());
}

TEMPLATE_LIST_TEST_CASE("the notable values of every type are accepted or refused", "[index_scan]",
                        strew::test::index_types) {
  check_runs(strew::test::notable_values<TestType>());
}

TEMPLATE_LIST_TEST_CASE("an index that was accepted is read as the element that it names", "[index_scan]",
                        strew::test::index_types) {
  for (const std::int64_t extent : extents_around_limits<TestType>()) {
    for (const TestType index : strew::test::notable_values<TestType>()) {
      if (!is_legal(index, extent, index_rule::wrapping)) continue;
      CHECK(element_of(index, extent) == static_cast<std::int64_t>(index < 0 ? wide{index} + extent : wide{index}));
    }
  }
}

TEMPLATE_TEST_CASE("of several bad indices the first in row-major order is named", "[index_scan]", signed char,
                   unsigned char, std::int64_t, std::uint32_t) {
  check_random_tensors<TestType>(2000);
}

TEST_CASE("bad indices are printed as what they are", "[index_scan]") {
  const auto message = [](auto value, std::int64_t extent, index_rule rule) {
    return std::string(check(tensor_view{&std::as_const(value), {1}}, extent, rule).message().view());
  };
  using enum index_rule;
  CHECK(message(std::uint64_t{1} << 63, 4, strict) ==
        "test: indices[0] = 9223372036854775808 is outside [0, 3] (axis 3 has extent 4)");
  CHECK(message(std::numeric_limits<std::uint64_t>::max(), int64_max, wrapping) ==
        "test: indices[0] = 18446744073709551615 is outside [-9223372036854775807, 9223372036854775806] (axis 3 has "
        "extent 9223372036854775807)");
  CHECK(message(std::numeric_limits<std::int64_t>::min(), int64_max, wrapping) ==
        "test: indices[0] = -9223372036854775808 is outside [-9223372036854775807, 9223372036854775806] (axis 3 has "
        "extent 9223372036854775807)");
  CHECK(message(std::uint8_t{200}, 100, wrapping) ==
        "test: indices[0] = 200 is outside [-100, 99] (axis 3 has extent 100)");
  CHECK(message(std::int8_t{-128}, 127, wrapping) ==
        "test: indices[0] = -128 is outside [-127, 126] (axis 3 has extent 127)");
  CHECK(message(std::uint32_t{4294967295}, 4, wrapping) ==
        "test: indices[0] = 4294967295 is outside [-4, 3] (axis 3 has extent 4)");
  CHECK(message(std::int64_t{1} << 32, 4, strict) ==
        "test: indices[0] = 4294967296 is outside [0, 3] (axis 3 has extent 4)");
  CHECK(message(0, 0, strict) == "test: indices[0] = 0 names no element (axis 3 has extent 0)");
  CHECK(message(-1, 0, wrapping) == "test: indices[0] = -1 names no element (axis 3 has extent 0)");
}

TEST_CASE("empty tensors of indices are fine on every axis, without memory too", "[index_scan]") {
  for (const index_list& extents : {index_list{0}, index_list{2, 0}, index_list{0, 5, 3}}) {
    for (const std::int64_t extent : {std::int64_t{0}, std::int64_t{1}, int64_max}) {
      CHECK(check(tensor_view<const int>{nullptr, extents}, extent, index_rule::strict).ok());
    }
  }
}

TEST_CASE("a tensor of indices of the largest rank", "[index_scan]") {
  std::vector<int> memory(std::size_t{1} << strew::max_rank, 1);
  const tensor_view<const int> indices{memory.data(), coordinate(static_cast<std::size_t>(strew::max_rank), 2)};
  CHECK(check(indices, 2, index_rule::strict).ok());
  memory[1 + 4] = 2;
  memory[8] = -1;
  const status outcome = check(transpose(indices), 2, index_rule::strict);
  CHECK(outcome.coordinate() == index_list{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(check(indices, 2, index_rule::strict).coordinate() ==
        index_list{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1});
}

// What the check learns of indices that are legal.
template <class Ex, class I>
index_facts facts_of(const Ex& ex, const std::vector<I>& indices, std::int64_t extent, index_rule rule) {
  status error;
  index_facts facts;
  const tensor_view view{indices.data(), {indices.size()}};
  REQUIRE(check_indices(ex, "test", view.data(), view.layout(), 0, extent, rule, facts, error));
  return facts;
}

TEMPLATE_LIST_TEST_CASE("indices that form a slice are recognised, and no others", "[index_scan]",
                        strew::test::index_types) {
  using I = TestType;
  const auto extent = GENERATE(std::int64_t{1}, 5, 100);
  const auto rule = GENERATE(index_rule::strict, index_rule::wrapping);
  const bool may_wrap = std::is_signed_v<I> && rule == index_rule::wrapping;
  for (std::int64_t first = may_wrap ? -extent : 0; first < extent; ++first) {
    for (const std::int64_t step : {-7, -2, -1, 0, 1, 3}) {
      std::vector<I> indices;
      const bool wraps = first < 0;
      for (std::int64_t at = first; at >= (wraps ? -extent : 0) && at < (wraps ? 0 : extent); at += step) {
        indices.push_back(static_cast<I>(at));
        if (step == 0 && indices.size() == 3) break;
      }
      const index_facts facts = facts_of(serial, indices, extent, rule);
      CHECK(facts.wraps == wraps);
      const bool is_slice = indices.size() > 1 && step != 0;
      CHECK(facts.is_slice == is_slice);
      if (!is_slice) continue;
      CHECK(facts.first == (wraps ? first + extent : first));
      CHECK(facts.step == step);
      for (std::size_t k = 0; k < indices.size() && indices.size() > 2; ++k) {
        std::vector<I> bent = indices;
        bent[k] = bent[k == 0 ? 1 : 0];
        CHECK(!facts_of(serial, bent, extent, rule).is_slice);
      }
    }
  }
}

TEST_CASE("indices on both sides of 0 are no slice", "[index_scan]") {
  const index_facts facts = facts_of(serial, std::vector<int>{-1, 0, 1}, 5, index_rule::wrapping);
  CHECK(!facts.is_slice);
  CHECK(facts.wraps);
}

TEST_CASE("indices checked in pieces are checked all", "[index_scan]") {
  const strew::test::backwards ex;
  const std::size_t count = GENERATE(std::size_t{1}, 2, 3, 4, 7, 100);
  std::vector<long> indices(count);
  for (std::size_t k = 0; k < count; ++k) indices[k] = static_cast<long>(k * k % 5);
  const tensor_view view{indices.data(), {count}};
  for (std::size_t bad = 0; bad < count; ++bad) {
    const long kept = indices[bad];
    indices[bad] = -1;
    for (const index_rule rule : {index_rule::strict, index_rule::wrapping}) {
      status error;
      index_facts facts;
      const bool ok = check_indices(ex, "test", view.data(), view.layout(), 0, 5, rule, facts, error);
      CHECK(ok == (rule == index_rule::wrapping));
      CHECK((!ok || facts.wraps));
    }
    indices[bad] = kept;
  }
  std::vector<long> counting(count);
  for (std::size_t k = 0; k < count; ++k) counting[k] = static_cast<long>(k);
  CHECK(facts_of(ex, counting, 100, index_rule::strict).is_slice == (count > 1));
}

TEST_CASE("index tensors in constant evaluation", "[index_scan]") {
  constify([](auto& expect) {
    const std::int8_t indices[] = {0, 1, -1, 3, -4, 4};
    expect(run_is_in_bounds(indices, 1, 2, 4, index_rule::strict));
    expect(!run_is_in_bounds(indices, 1, 3, 4, index_rule::strict));
    expect(run_is_in_bounds(indices, 1, 5, 4, index_rule::wrapping));
    expect(!run_is_in_bounds(indices, 1, 6, 4, index_rule::wrapping));
    expect(run_is_in_bounds(indices, 3, 2, 4, index_rule::strict));
    expect(run_is_in_bounds(indices, 1, 0, 0, index_rule::strict));
    const tensor_view columns{indices, {2, 3}, {1, 2}};
    status error;
    index_facts facts;
    expect(!check_indices(serial, "test", columns.data(), columns.layout(), 0, 4, index_rule::wrapping, facts, error));
    expect(error.coordinate() == index_list{1, 2});
    expect(error.message().view() == "test: indices[1, 2] = 4 is outside [-4, 3] (axis 0 has extent 4)");
  });
}
