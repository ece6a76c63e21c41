// SPDX-License-Identifier: Apache-2.0
// Parameters of SliceScatter: lists of stops and axes, lists left out, and the checks that all belong together.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/index_types.hpp"
#include "support/python_slice.hpp"

#include <strew/operators/extents.hpp>
#include <strew/operators/slice_scatter.hpp>
#include <strew/view/slice_spec.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

using strew::axes_list;
using strew::errc;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::optional_list;
using strew::slice_scatter;
using strew::slice_spec;
using strew::stop_list;
using strew::try_updates_extents;
using strew::test::constify;

namespace {

constexpr errc code_of(const index_list& data, const slice_spec& spec) {
  index_list extents;
  return try_updates_extents(slice_scatter, data, spec, extents).code();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the extremes of a 32-bit signed stop are open-ended, however the list is built",
                        "[slice_spec]", strew::test::index_types) {
  using I = TestType;
  constexpr I min = std::numeric_limits<I>::min();
  constexpr I max = std::numeric_limits<I>::max();
  constexpr bool is_open = std::is_signed_v<I> && sizeof(I) == 4;
  const std::int64_t first = is_open ? int64_min : strew::saturate(min);
  const std::int64_t last = is_open ? int64_max : strew::saturate(max);
  const index_list expected{first, std::int64_t{5}, last};

  const std::vector<I> vector{min, 5, max};
  const std::array<I, 3> array{min, 5, max};
  const I c_array[] = {min, 5, max};
  CHECK(stop_list{min, I{5}, max} == expected);
  CHECK(stop_list(vector) == expected);
  CHECK(stop_list(array) == expected);
  CHECK(stop_list(c_array) == expected);
  CHECK(stop_list(std::span<const I>(vector)) == expected);
  CHECK(stop_list(max) == index_list{last});
  CHECK(stop_list{min} == index_list{first});
}

TEST_CASE("stops of other lists are taken as they are", "[slice_spec]") {
  constify([](auto& expect) {
    constexpr int int_max = std::numeric_limits<int>::max();
    expect(stop_list(index_list{int_max}) == index_list{int_max});
    expect(stop_list{stop_list{int_max}} == index_list{int64_max});
    expect(stop_list{int_max - 1, 0} == index_list{int_max - 1, 0});
    expect(stop_list{}.empty());
    expect(stop_list{1, 2L} == index_list{1, 2});
  });
}

TEST_CASE("too many stops do not spill", "[slice_spec]") {
  const std::vector<int> many(static_cast<std::size_t>(strew::max_rank) + 1, std::numeric_limits<int>::max());
  const stop_list stops = many;
  CHECK(stops.overflowed());
  CHECK(stops.size() == strew::max_rank);
  CHECK(stops[strew::max_rank - 1] == int64_max);
}

TEST_CASE("axes left out differ from an explicitly empty list", "[slice_spec]") {
  constify([](auto& expect) {
    const slice_spec omitted{.start = 0, .stop = 1, .step = 1};
    const slice_spec empty{.start = 0, .stop = 1, .step = 1, .axes = {}};
    expect(omitted.axes.is_leading());
    expect(!empty.axes.is_leading() && empty.axes.empty());
    expect(code_of({4}, omitted) == errc::ok);
    expect(code_of({4}, empty) == errc::count_mismatch);
    expect(code_of({4}, {.start = 0, .stop = 1, .step = 1, .axes = std::array<int, 0>{}}) == errc::count_mismatch);
    expect(code_of({4}, {.start = {}, .stop = {}, .step = {}, .axes = {}}) == errc::ok);
    expect(code_of({4}, {}) == errc::ok);
  });
}

TEST_CASE("a list of axes is built like any other list", "[slice_spec]") {
  constify([](auto& expect) {
    expect(axes_list{2, 0} == index_list{2, 0});
    expect(axes_list(-1) == index_list{-1});
    expect(axes_list{1, 2L} == index_list{1, 2});
    expect(axes_list(std::array<std::uint8_t, 2>{1, 0}) == index_list{1, 0});
    expect(axes_list(index_list{1}) == index_list{1});
    expect(!axes_list(1).is_leading() && !axes_list{0}.is_leading());
    const axes_list copy = axes_list::leading();
    expect(copy.is_leading() && copy.empty());
    expect(!axes_list{}.is_leading() && axes_list{}.empty());
  });
}

TEST_CASE("the extents of updates are those of data with each slice's length", "[slice_spec]") {
  constify([](auto& expect) {
    using strew::updates_extents;
    expect(updates_extents(slice_scatter, {2, 5}, {.start = {-25}, .stop = {25}, .step = {2}, .axes = {1}}) ==
           index_list{2, 3});
    expect(updates_extents(slice_scatter, {2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0}) == index_list{1, 5});
    expect(updates_extents(slice_scatter, {4, 6, 8},
                           {.start = {0, -1}, .stop = {4, 0}, .step = {1, -1}, .axes = {2, 0}}) == index_list{3, 6, 4});
    expect(updates_extents(slice_scatter, {4, 6}, {.start = {1, 1}, .stop = {3, 2}, .step = {1, 1}}) ==
           index_list{2, 1});
    expect(updates_extents(slice_scatter, {4, 6}, {}) == index_list{4, 6});
    expect(updates_extents(slice_scatter, {0, 6}, {.start = 0, .stop = 3, .step = 1}) == index_list{0, 6});
    expect(updates_extents(slice_scatter, {4},
                           {.start = std::uint8_t{1},
                            .stop = std::numeric_limits<std::int32_t>::max(),
                            .step = std::int16_t{2},
                            .axes = std::uint64_t{0}}) == index_list{2});
  });
}

TEST_CASE("a list left out differs from an empty one", "[slice_spec]") {
  constify([](auto& expect) {
    constexpr slice_spec start{.start = 1};
    expect(!start.start.is_left_out() && start.stop.is_left_out() && start.step.is_left_out());
    expect(optional_list::left_out().is_left_out() && stop_list::left_out().is_left_out());
    expect(!optional_list{}.is_left_out() && !stop_list{}.is_left_out() && !optional_list(index_list{}).is_left_out());
    const slice_spec copy = start;
    expect(copy.stop.is_left_out() && copy.stop.empty());
    slice_spec filled;
    filled.start.push_back(3);  // as readers of files do
    filled.stop = {};
    expect(!filled.start.is_left_out() && !filled.stop.is_left_out());

    expect(code_of({4}, {.start = {}, .stop = {}}) == errc::ok);
    expect(code_of({4}, {.start = {}}) == errc::ok);
    expect(code_of({4}, {.start = {}, .step = 1}) == errc::count_mismatch);
    expect(code_of({4}, {.stop = 1, .axes = {}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.stop = {1, 2}, .axes = 0}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.step = {1, 1, 1}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.axes = {0, 1, 0}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.axes = {0, 0}}) == errc::repeated_axis);
    expect(code_of({4, 4}, {.axes = 2}) == errc::axis_out_of_range);
    expect(code_of({4, 4}, {.step = 0}) == errc::zero_step);
  });
}

TEST_CASE("messages name the list whose length others must have", "[slice_spec]") {
  const auto message = [](const slice_spec& spec) {
    index_list extents;
    return std::string(try_updates_extents(slice_scatter, {4, 4}, spec, extents).message().view());
  };
  const std::string name = "updates_extents(slice_scatter): ";
  CHECK(message({.stop = {1, 2}, .step = 1}) == name + "step has length 1, expected 2 as stop has");
  CHECK(message({.step = 1, .axes = {0, 1}}) == name + "axes has length 2, expected 1 as step has");
  CHECK(message({.axes = {0, 1, 0}}) == name + "axes has length 3, expected at most 2 (the rank of data)");
  CHECK(message({.start = {}, .stop = 1}) == name + "stop has length 1, expected 0 as start has");
}

TEST_CASE("what is left out of a slice is None in Python's sense", "[slice_spec]") {
  const auto length = [](std::int64_t extent, const slice_spec& spec) {
    return strew::updates_extents(slice_scatter, {extent}, spec)[0];
  };
  for (std::int64_t extent = 0; extent <= 4; ++extent) {
    for (std::int64_t step = -5; step <= 5; ++step) {
      if (step == 0) continue;
      const std::int64_t none_start = strew::test::start_of_none(step, extent);
      const std::int64_t none_stop = strew::test::stop_of_none(step, extent);
      const auto expected = [&](std::int64_t start, std::int64_t stop) {
        return static_cast<std::int64_t>(strew::test::python_slice(start, stop, step, extent).size());
      };
      CAPTURE(extent, step);
      CHECK(length(extent, {.step = step}) == expected(none_start, none_stop));
      for (std::int64_t bound = -6; bound <= 6; ++bound) {
        CAPTURE(bound);
        CHECK(length(extent, {.start = bound, .step = step}) == expected(bound, none_stop));
        CHECK(length(extent, {.stop = bound, .step = step}) == expected(none_start, bound));
        if (step == 1) {
          CHECK(length(extent, {.start = bound}) == expected(bound, none_stop));
          CHECK(length(extent, {.stop = bound}) == expected(none_start, bound));
        }
      }
    }
    CHECK(length(extent, {.axes = 0}) == extent);
  }
}

TEST_CASE("lists that do not belong together are refused", "[slice_spec]") {
  constify([](auto& expect) {
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1}, .step = {1, 1}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {0}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = {0}, .stop = {1}, .step = {1}, .axes = {0, 1}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = {}, .stop = {}, .step = {}, .axes = {0}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = {0, 0, 0}, .stop = {1, 1, 1}, .step = {1, 1, 1}}) == errc::count_mismatch);
    expect(code_of({4, 4}, {.start = 0, .stop = 1, .step = 0}) == errc::zero_step);
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 0}}) == errc::zero_step);
    expect(code_of({4, 4}, {.start = 0, .stop = 1, .step = 1, .axes = 2}) == errc::axis_out_of_range);
    expect(code_of({4, 4}, {.start = 0, .stop = 1, .step = 1, .axes = -3}) == errc::axis_out_of_range);
    expect(code_of({4, 4}, {.start = 0, .stop = 1, .step = 1, .axes = int64_min}) == errc::axis_out_of_range);
    expect(code_of({4, 4}, {.start = 0, .stop = 1, .step = 1, .axes = std::numeric_limits<std::uint64_t>::max()}) ==
           errc::axis_out_of_range);
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {1, 1}}) == errc::repeated_axis);
    expect(code_of({4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 1}, .axes = {1, -1}}) == errc::repeated_axis);
    expect(code_of({}, {}) == errc::rank_mismatch);
    expect(code_of({4, -1}, {}) == errc::negative_extent);
  });
}

TEST_CASE("a refused specification leaves the result alone", "[slice_spec]") {
  constify([](auto& expect) {
    index_list extents{7, 7, 7};
    expect(
        !try_updates_extents(slice_scatter, {4, 4}, {.start = {0, 0}, .stop = {1, 1}, .step = {1, 0}}, extents).ok());
    expect(extents == index_list{7, 7, 7});
  });
  CHECK_THROWS_AS(strew::updates_extents(strew::slice_scatter, {4}, {.start = 0, .stop = 1, .step = 0}),
                  strew::scatter_error);
}
