// SPDX-License-Identifier: Apache-2.0
// The operators on real threads, in many small parts: the same bits as serially, duplicates included. Under
// ThreadSanitizer also that no two parts touch one element. The larger of these outputs are written by non-temporal
// stores, of which two parts may share a cache line.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using strew::tensor_view;

namespace {

[[maybe_unused]] const bool limits_are_set = [] {
  strew::test::tuning::thresholds limits = strew::test::limits_of_small_parts();
  limits.streamed_from = 13000;  // between the sizes of these outputs
  strew::test::set_usual_limits(limits);
  return true;
}();

// An integer that is more than its bytes, so that it goes through the loops for such elements; they share out work too,
// since its assignment does not throw.
struct assigned_integer {
  std::int32_t value = 0;

  assigned_integer() = default;
  explicit assigned_integer(std::int32_t n) : value(n) {}
  assigned_integer(const assigned_integer&) = default;
  assigned_integer& operator=(const assigned_integer& other) noexcept {
    value = other.value;
    return *this;
  }
  ~assigned_integer() = default;
  friend bool operator==(const assigned_integer&, const assigned_integer&) = default;
};

template <class T>
std::vector<T> counting(std::int64_t count, std::int32_t first) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(T(first++));
  return values;
}

// Few different ones, so that most are duplicates and some parts get none.
std::vector<std::int64_t> crowded_indices(std::int64_t count, std::int64_t extent, strew::test::random_source& random) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  const std::int64_t low = random.between(0, extent - 1);
  const std::int64_t high = random.between(low, extent - 1);
  for (std::int64_t& value : values) value = random.between(low, high);
  return values;
}

// Runs call(ex, output) serially and on pools, out of place and in place, and compares.
template <class T, class Call>
void check_on_threads(const std::vector<T>& data, const Call& call) {
  std::vector<T> expected(data.size());
  call(strew::serial, tensor_view{data.data(), {data.size()}}, tensor_view{expected.data(), {data.size()}});
  for (const unsigned threads : {2U, 3U, 5U}) {
    CAPTURE(threads);
    strew::thread_pool pool{threads};
    std::vector<std::byte> memory(100'000);
    for (const std::size_t lent : {std::size_t{0}, memory.size()}) {
      CAPTURE(lent);
      const strew::workspace ex{std::span(memory).first(lent), pool};
      std::vector<T> output(data.size());
      call(ex, tensor_view{data.data(), {data.size()}}, tensor_view{output.data(), {data.size()}});
      CHECK(output == expected);
      output = data;
      const tensor_view in_place{output.data(), {data.size()}};
      call(ex, tensor_view<const T>{in_place}, in_place);
      CHECK(output == expected);
    }
  }
}

struct dimensions {
  std::int64_t outer;
  std::int64_t axis;
  std::int64_t inner;
};

const std::vector<dimensions> shapes{{1, 3000, 1}, {1, 90, 40},  {50, 60, 1},   {7, 11, 13},
                                     {2, 3, 500},  {1, 2, 3000}, {1, 96, 1031}, {96, 150, 1}};

}  // namespace

TEMPLATE_TEST_CASE("slices on threads", "[parallel]", std::int32_t, assigned_integer) {
  strew::test::random_source random(1);
  for (const dimensions& d : shapes) {
    for (const std::int64_t step : {1, 2, 3, -1, -5}) {
      CAPTURE(d.outer, d.axis, d.inner, step);
      const strew::index_list extents{d.outer, d.axis, d.inner};
      const strew::slice_spec slice{.start = random.between(0, d.axis - 1),
                                    .stop = step > 0 ? strew::int64_max : strew::int64_min,
                                    .step = step,
                                    .axes = 1};
      const strew::index_list updates_extents = strew::updates_extents(strew::slice_scatter, extents, slice);
      const auto data = counting<TestType>(d.outer * d.axis * d.inner, 0);
      const auto updates = counting<TestType>(d.outer * d.axis * d.inner, 1'000'000);
      check_on_threads(data, [&](const auto& ex, const auto& from, const auto& to) {
        strew::slice_scatter(ex, tensor_view{from.data(), extents}, tensor_view{updates.data(), updates_extents}, slice,
                             tensor_view{to.data(), extents});
      });
    }
  }
}

TEMPLATE_TEST_CASE("rows on threads", "[parallel]", std::int32_t, assigned_integer) {
  strew::test::random_source random(2);
  for (const dimensions& d : shapes) {
    for (const std::int64_t wanted : {1, 10, 999, 1000}) {
      const std::int64_t count = std::min(wanted, 100'000 / (d.outer * d.inner));
      CAPTURE(d.outer, d.axis, d.inner, count);
      const strew::index_list extents{d.outer, d.axis, d.inner};
      const auto data = counting<TestType>(d.outer * d.axis * d.inner, 0);
      const auto updates = counting<TestType>(d.outer * count * d.inner, 1'000'000);
      auto indices = crowded_indices(count, d.axis, random);
      if (wanted == 1000) std::sort(indices.begin(), indices.end());
      check_on_threads(data, [&](const auto& ex, const auto& from, const auto& to) {
        strew::scatter_update(ex, tensor_view{from.data(), extents}, tensor_view{indices.data(), {count}},
                              tensor_view{updates.data(), {d.outer, count, d.inner}}, 1,
                              tensor_view{to.data(), extents});
      });
    }
  }
}

TEMPLATE_TEST_CASE("elements on threads", "[parallel]", std::int32_t, assigned_integer) {
  strew::test::random_source random(3);
  for (const dimensions& d : shapes) {
    for (const std::int64_t count : {std::int64_t{1}, d.axis, d.axis + 5}) {
      CAPTURE(d.outer, d.axis, d.inner, count);
      const strew::index_list extents{d.outer, d.axis, d.inner};
      const strew::index_list updates_extents{d.outer, count, d.inner};
      const auto data = counting<TestType>(d.outer * d.axis * d.inner, 0);
      const auto updates = counting<TestType>(d.outer * count * d.inner, 1'000'000);
      const auto indices = crowded_indices(d.outer * count * d.inner, d.axis, random);
      check_on_threads(data, [&](const auto& ex, const auto& from, const auto& to) {
        strew::onnx::scatter(ex, tensor_view{from.data(), extents}, tensor_view{indices.data(), updates_extents},
                             tensor_view{updates.data(), updates_extents}, 1, tensor_view{to.data(), extents});
      });
    }
  }
}

// By an index tensor that was broadcast, by one whose lanes are alike, and by one of which only the first are.
TEST_CASE("elements on threads, one index for all lanes", "[parallel]") {
  strew::test::random_source random(4);
  for (const dimensions& d : shapes) {
    const strew::index_list extents{d.outer, d.axis, d.inner};
    const auto data = counting<std::int32_t>(d.outer * d.axis * d.inner, 0);
    const auto updates = counting<std::int32_t>(d.outer * d.axis * d.inner, 1'000'000);
    const auto alone = crowded_indices(d.outer * d.axis, d.axis, random);
    auto alike = crowded_indices(d.outer * d.axis * d.inner, d.axis, random);
    for (const bool are_all_alike : {false, true}) {
      const std::size_t lanes = static_cast<std::size_t>(d.inner);
      for (std::size_t i = 0; i < alike.size(); ++i) {
        if (are_all_alike || i < lanes) alike[i] = alone[i / lanes];
      }
      check_on_threads(data, [&](const auto& ex, const auto& from, const auto& to) {
        strew::onnx::scatter(ex, tensor_view{from.data(), extents}, tensor_view{alike.data(), extents},
                             tensor_view{updates.data(), extents}, 1, tensor_view{to.data(), extents});
      });
    }
    check_on_threads(data, [&](const auto& ex, const auto& from, const auto& to) {
      strew::onnx::scatter(ex, tensor_view{from.data(), extents}, tensor_view{alone.data(), extents, {d.axis, 1, 0}},
                           tensor_view{updates.data(), extents}, 1, tensor_view{to.data(), extents});
    });
  }
}

TEST_CASE("an error found on threads is the serial one, and nothing is written", "[parallel]") {
  const auto data = counting<std::int32_t>(3000, 0);
  const auto updates = counting<std::int32_t>(3000, 1'000'000);
  std::vector<std::int64_t> indices(3000, 7);
  indices[1234] = 3000;
  indices[2345] = -1;
  std::vector<std::int32_t> output(3000, 42);
  const tensor_view to{output.data(), {3000}};
  const auto check = [&](const auto& call) {
    const strew::status expected = call(strew::serial);
    strew::thread_pool pool{4};
    const strew::status refused = call(pool);
    CHECK(refused.code() == strew::errc::index_out_of_bounds);
    CHECK(refused.coordinate() == strew::index_list{1234});
    CHECK(std::string(refused.message().view()) == std::string(expected.message().view()));
    CHECK(output == std::vector<std::int32_t>(3000, 42));
  };
  const tensor_view from{data.data(), {3000}};
  const tensor_view at{indices.data(), {3000}};
  const tensor_view with{updates.data(), {3000}};
  check([&](auto& ex) { return strew::try_scatter_update(ex, from, at, with, 0, to); });
  check([&](auto& ex) { return strew::try_scatter_elements_update(ex, from, at, with, 0, to); });
}
