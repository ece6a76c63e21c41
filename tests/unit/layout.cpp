// SPDX-License-Identifier: Apache-2.0
// Layouts: which extents and strides are accepted, what is refused before any offset is computed, and offsets.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/wide.hpp"

#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

using strew::errc;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::max_rank;
using strew::strided_layout;
using strew::test::constify;
using strew::test::coordinate;
using strew::test::wide;

namespace {

// Of elements to count and of bytes between two of them.
constexpr std::int64_t largest = (std::numeric_limits<std::ptrdiff_t>::max)();

constexpr errc code_of(const index_list& extents, std::size_t element_size = 1) {
  strided_layout layout;
  return strided_layout::try_make(extents, element_size, layout).code();
}

constexpr errc code_of_strided(const index_list& extents, const index_list& strides, std::size_t element_size = 1) {
  strided_layout layout;
  return strided_layout::try_make(extents, strides, element_size, layout).code();
}

constexpr strided_layout make(const index_list& extents) {
  strided_layout layout;
  strew::detail::raise_if_error(strided_layout::try_make(extents, 1, layout));
  return layout;
}

constexpr strided_layout make(const index_list& extents, const index_list& strides) {
  strided_layout layout;
  strew::detail::raise_if_error(strided_layout::try_make(extents, strides, 1, layout));
  return layout;
}

}  // namespace

TEST_CASE("a layout without strides is row-major", "[layout]") {
  for (std::size_t rank = 0; rank <= 4; ++rank) {
    strew::test::for_each_shape(rank, 3, [](const coordinate& extents) {
      const strided_layout layout = make(extents);
      CAPTURE(extents);
      std::int64_t position = 0;
      bool right = true;
      strew::test::for_each_coordinate(extents,
                                       [&](const coordinate& at) { right = right && layout.offset(at) == position++; });
      CHECK(right);
      CHECK(layout.size() == position);
      CHECK(layout.empty() == (position == 0));
      CHECK(layout.rank() == static_cast<int>(extents.size()));
      CHECK(layout.extents() == index_list(extents));
    });
  }
}

TEST_CASE("an offset is the sum of coordinate times stride", "[layout]") {
  const coordinate extents{2, 3, 4};
  strew::test::for_each_coordinate({9, 9, 9}, [&](const coordinate& shifted) {
    const coordinate strides{shifted[0] - 4, shifted[1] - 4, shifted[2] - 4};
    const strided_layout layout = make(extents, strides);
    bool right = true;
    strew::test::for_each_coordinate(extents, [&](const coordinate& at) {
      right = right && layout.offset(at) == strew::test::offset_of(at, strides);
    });
    CAPTURE(strides);
    CHECK(right);
    CHECK(layout.size() == 24);
  });
}

TEST_CASE("layouts of every rank from 0 to the largest", "[layout]") {
  constify([](auto& expect) {
    expect(make({}).rank() == 0 && make({}).size() == 1 && make({}).offset({}) == 0 && make({}).contains({}));
    index_list extents;
    index_list last;
    for (int rank = 1; rank <= max_rank; ++rank) {
      extents.push_back(2);
      last.push_back(1);
      const strided_layout layout = make(extents);
      expect(layout.rank() == rank && layout.size() == std::int64_t{1} << rank);
      expect(layout.stride(rank - 1) == 1 && layout.stride(0) == std::int64_t{1} << (rank - 1));
      expect(layout.offset(last) == layout.size() - 1);
    }
    extents.push_back(2);
    expect(code_of(extents) == errc::too_many_axes);
  });
}

TEST_CASE("the layout made without arguments is empty and of rank 1", "[layout]") {
  constify([](auto& expect) {
    constexpr strided_layout layout;
    expect(layout.rank() == 1 && layout.extent(0) == 0 && layout.size() == 0 && layout.empty());
    expect(!layout.contains({0}));
  });
}

TEST_CASE("strides may be negative, zero or overlapping", "[layout]") {
  constify([](auto& expect) {
    expect(make({3}, {-1}).offset({2}) == -2);
    expect(make({3, 5}, {0, 0}).offset({2, 4}) == 0);
    expect(make({3, 3}, {1, 1}).offset({2, 2}) == 4);
    expect(make({2, 2}, {-7, 3}).offset({1, 1}) == -4);
    expect(make({largest}, {0}).size() == largest);
  });
}

TEST_CASE("a coordinate is inside or not", "[layout]") {
  constify([](auto& expect) {
    const strided_layout layout = make({2, 3});
    expect(layout.contains({0, 0}) && layout.contains({1, 2}));
    expect(!layout.contains({2, 0}) && !layout.contains({0, 3}) && !layout.contains({-1, 0}));
    expect(!layout.contains({0}) && !layout.contains({0, 0, 0}) && !layout.contains({}));
    expect(!layout.contains({int64_max, 0}) && !layout.contains({0, int64_min}));
    expect(!make({0}).contains({0}) && !make({2, 0}).contains({0, 0}));
  });
}

TEST_CASE("extents and strides that are no layout are refused", "[layout]") {
  constify([](auto& expect) {
    expect(code_of({-1}) == errc::negative_extent);
    expect(code_of({int64_min}) == errc::negative_extent);
    expect(code_of({2, -1, 0}) == errc::negative_extent);
    expect(code_of_strided({2, 3}, {3}) == errc::rank_mismatch);
    expect(code_of_strided({2, 3}, {3, 1, 1}) == errc::rank_mismatch);
    expect(code_of_strided({}, {1}) == errc::rank_mismatch);
    expect(code_of_strided({2}, index_list{}) == errc::rank_mismatch);
  });
}

TEST_CASE("element counts and spans beyond the largest distance of addresses are refused", "[layout]") {
  constify([](auto& expect) {
    constexpr std::int64_t big = largest / (std::int64_t{1} << std::numeric_limits<std::ptrdiff_t>::digits / 2) + 1;
    expect(code_of({largest}) == errc::ok);
    expect(code_of({largest}, 2) == errc::size_overflow);
    expect(code_of({largest / 8}, 8) == errc::ok);
    expect(code_of({largest / 8 + 1}, 8) == errc::size_overflow);
    expect(code_of({big, big}) == errc::size_overflow);  // 2^64 on 64 bits, which is 0 when it wraps
    expect(code_of({big, big, big}) == errc::size_overflow);
    expect(code_of({big, big / 2}) == errc::size_overflow);  // one more than largest
    expect(code_of({big, big / 4}) == errc::ok);
    expect(code_of({largest, largest}) == errc::size_overflow);
    expect(code_of({largest, 1, 1}) == errc::ok);
    expect(code_of_strided({big, big}, {0, 0}) == errc::size_overflow);  // no memory, but too many elements to count
    expect(code_of_strided({2}, {largest}) == errc::size_overflow);      // the span is one more
    expect(code_of_strided({2}, {largest - 1}) == errc::ok);
    expect(code_of_strided({2}, {-largest + 1}) == errc::ok);
    expect(code_of_strided({2}, {int64_min}) == errc::size_overflow);
    expect(code_of_strided({3}, {largest / 2}) == errc::ok);
    expect(code_of_strided({3}, {largest / 2 + 1}) == errc::size_overflow);
    expect(code_of_strided({2, 2}, {largest / 2, -largest / 2}) == errc::ok);  // one below, one above: largest in all
    expect(code_of_strided({2, 2}, {largest / 2 + 1, -largest / 2}) == errc::size_overflow);
    expect(code_of_strided({2}, {big}, static_cast<std::size_t>(big / 2)) == errc::size_overflow);
  });
}

TEST_CASE("an extent of zero hides no overflow", "[layout]") {
  constify([](auto& expect) {
    constexpr std::int64_t big = largest / (std::int64_t{1} << std::numeric_limits<std::ptrdiff_t>::digits / 2) + 1;
    expect(code_of({0, largest}) == errc::ok);
    expect(code_of({largest, 0}) == errc::ok);
    expect(code_of({0, big, big}) == errc::size_overflow);
    expect(code_of({big, 0, big}) == errc::size_overflow);
    expect(code_of({big, big, 0}) == errc::size_overflow);
    expect(code_of_strided({0, 2}, {1, largest}) == errc::size_overflow);
    expect(code_of({0, 0, 0}) == errc::ok);
    expect(make({0, largest}).size() == 0);
    expect(make({2, 0, 3}).empty());
  });
}

TEST_CASE("the limit is that of the machine's addresses", "[layout]") {
  constify([](auto& expect) {
    constexpr std::int64_t most = 2147483647;
    const auto code = [](const index_list& extents, const index_list& strides, std::size_t element_size) {
      strided_layout layout;
      strew::status error;
      static_cast<void>(strew::detail::make_layout({"view", most}, extents, strides, element_size, layout, error));
      return error.code();
    };
    expect(code({most}, {1}, 1) == errc::ok);
    expect(code({most + 1}, {1}, 1) == errc::size_overflow);
    expect(code({most}, {1}, 2) == errc::size_overflow);
    expect(code({most / 8}, {1}, 8) == errc::ok && code({most / 8 + 1}, {1}, 8) == errc::size_overflow);
    expect(code({2, 1}, {std::int64_t{1} << 32, 1}, 4) == errc::size_overflow);  // row 1 would be row 0
    expect(code({2}, {most - 1}, 1) == errc::ok && code({2}, {most}, 1) == errc::size_overflow);
    expect(code({2}, {1 - most}, 1) == errc::ok && code({2}, {-most}, 1) == errc::size_overflow);
    expect(code({2, 2}, {most / 2, -(most / 2)}, 1) == errc::ok);
    expect(code({2, 2}, {most / 2 + 1, -(most / 2)}, 1) == errc::size_overflow);
    // Elements are counted, not their bytes: a repeated element takes no more memory.
    expect(code({most}, {0}, 16) == errc::ok && code({most + 1}, {0}, 1) == errc::size_overflow);
    expect(code({0, most}, {1, 1}, 1) == errc::ok && code({0, most + 1}, {0, 0}, 1) == errc::size_overflow);
    expect(code({1, 1}, {int64_max, int64_min}, 1) == errc::ok);

    strided_layout layout;
    strew::status error;
    expect(!strew::detail::make_layout({"view", most}, {3, most}, {most, 1}, 1, layout, error));
    expect(error.message().view() ==
           "view: extents [3, 2147483647] and their strides hold more than 2147483647 elements or span more than "
           "2147483647 bytes");
    expect(layout == strided_layout{});
  });
}

TEST_CASE("a stride that no element takes is never used", "[layout]") {
  constify([](auto& expect) {
    expect(code_of_strided({1}, {int64_min}) == errc::ok);
    expect(code_of_strided({1, 1}, {int64_max, int64_min}) == errc::ok);
    expect(code_of_strided({0}, {int64_min}) == errc::ok);
    expect(make({1, 2}, {int64_min, 1}).offset({0, 1}) == 1);
  });
}

TEST_CASE("the limits are exact: every accepted layout's offsets fit, every refused one's do not", "[layout]") {
  const std::int64_t extents[] = {0, 1, 2, 3, 1 << 20, (std::int64_t{1} << 40) + 1, int64_max / 2, int64_max};
  const std::int64_t strides[] = {int64_min,
                                  int64_min + 1,
                                  -(std::int64_t{1} << 40),
                                  -1,
                                  0,
                                  1,
                                  3,
                                  1LL << 22,
                                  1LL << 43,
                                  int64_max / 3,
                                  int64_max / 2,
                                  int64_max - 1,
                                  int64_max};
  const auto size_of_stride = [](std::int64_t stride) { return stride < 0 ? -wide{stride} : wide{stride}; };
  const auto at_least_one = [](std::int64_t extent) { return extent == 0 ? wide{1} : wide{extent}; };
  int accepted = 0;
  int refused = 0;
  for (const std::int64_t a : extents) {
    for (const std::int64_t b : extents) {
      for (const std::int64_t s : strides) {
        for (const std::int64_t t : strides) {
          for (const int element_size : {1, 8, 48}) {
            // Each of the factors is below 2^63, so the products fit 126 bits.
            const wide count = at_least_one(a) * at_least_one(b);
            const wide span_a = (at_least_one(a) - 1) * size_of_stride(s);
            const wide span_b = (at_least_one(b) - 1) * size_of_stride(t);
            const bool fits = count <= largest && span_a <= largest && span_b <= largest &&
                              (1 + span_a + span_b) * element_size <= largest;
            const errc code = code_of_strided({a, b}, {s, t}, static_cast<std::size_t>(element_size));
            if (code != (fits ? errc::ok : errc::size_overflow)) {
              FAIL_CHECK("extents " << a << ", " << b << " strides " << s << ", " << t << " size " << element_size);
            }
            ++(fits ? accepted : refused);
          }
        }
      }
    }
  }
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("row-major layouts have exact limits too, and the strides of their extents", "[layout]") {
  constexpr auto two_to = [](int exponent) { return std::int64_t{1} << exponent; };
  const std::int64_t extents[] = {int64_min,  -1,
                                  0,          1,
                                  2,          3,
                                  two_to(15), two_to(16),
                                  two_to(30), two_to(31) - 1,
                                  two_to(31), two_to(32) - 1,
                                  two_to(32), two_to(33) + 1,
                                  two_to(61), int64_max / 2,
                                  int64_max};
  const auto at_least_one = [](std::int64_t extent) { return extent == 0 ? std::int64_t{1} : extent; };
  int accepted = 0;
  int refused = 0;
  for (const std::int64_t a : extents) {
    for (const std::int64_t b : extents) {
      for (const std::int64_t c : extents) {
        for (const int element_size : {1, 8, 48}) {
          errc expected = a < 0 || b < 0 || c < 0 ? errc::negative_extent : errc::ok;
          std::int64_t count = 1;
          std::int64_t strides[3] = {};
          const std::int64_t given[] = {a, b, c};
          for (int k = 3; k-- > 0 && expected == errc::ok;) {
            strides[k] = count;
            const wide product = wide{count} * at_least_one(given[k]);
            if (product > largest || product * element_size > largest) expected = errc::size_overflow;
            count = static_cast<std::int64_t>(product);
          }
          CAPTURE(a, b, c, element_size);
          strided_layout layout;
          const errc code = strided_layout::try_make(given, static_cast<std::size_t>(element_size), layout).code();
          if (code != expected) FAIL_CHECK("another error");
          ++(expected == errc::ok ? accepted : refused);
          if (code != errc::ok || expected != errc::ok) continue;
          const bool is_empty = a == 0 || b == 0 || c == 0;
          if (!(layout.extents() == index_list(given)) || !(layout.strides() == index_list(strides)) ||
              layout.size() != (is_empty ? 0 : count) || layout.lowest_offset() != 0 ||
              layout.highest_offset() != count - 1 || !layout.is_row_major()) {
            FAIL_CHECK("another layout");
          }
        }
      }
    }
  }
  CHECK(accepted > (largest == int64_max ? 1000 : 400));
  CHECK(refused > 1000);
}

TEST_CASE("the extents of a layout may be those of the result", "[layout]") {
  constify([](auto& expect) {
    strided_layout layout = make({2, 3, 4});
    expect(strided_layout::try_make(layout.strides(), 1, layout).ok());
    expect(layout == make({12, 4, 1}));
    expect(strided_layout::try_make(layout.extents(), 1, layout).ok());
    expect(layout == make({12, 4, 1}));
    expect(strided_layout::try_make(layout.strides(), layout.extents(), 1, layout).ok());
    expect(layout == make({4, 1, 1}, {12, 4, 1}));
  });
}

TEST_CASE("two layouts are equal where they put the same elements at the same offsets", "[layout]") {
  constify([](auto& expect) {
    expect(make({2, 3}) == make({2, 3}, {3, 1}));
    expect(!(make({2, 3}) == make({2, 3}, {4, 1})));
    expect(!(make({2, 3}) == make({3, 2})));
    expect(!(make({2}) == make({2, 1})));
    expect(make({1, 3}, {99, 1}) == make({1, 3}));
    expect(make({0, 3}, {7, 7}) == make({0, 3}));
    expect(!(make({0, 3}) == make({3, 0})));
    expect(make({}) == make({}));
  });
}

TEST_CASE("a refused layout leaves the result alone", "[layout]") {
  constify([](auto& expect) {
    strided_layout layout = make({2, 3});
    expect(!strided_layout::try_make({-1}, 1, layout).ok());
    expect(!strided_layout::try_make({2}, {1, 1}, 1, layout).ok());
    expect(!strided_layout::try_make({int64_max}, 8, layout).ok());
    expect(layout == make({2, 3}));
  });
  STATIC_REQUIRE(noexcept(strided_layout::try_make({1}, 1, std::declval<strided_layout&>())));
  STATIC_REQUIRE(noexcept(strided_layout::try_make({1}, {1}, 1, std::declval<strided_layout&>())));
  STATIC_REQUIRE(noexcept(std::declval<const strided_layout&>().offset({0})));
  STATIC_REQUIRE(std::is_nothrow_copy_constructible_v<strided_layout>);
}
