// SPDX-License-Identifier: Apache-2.0
// Whether a layout repeats an element and whether two views share memory, against the sets of all their offsets and
// bytes.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/random_source.hpp"

#include <strew/operators/scatter_update.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <array>
#include <bitset>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using strew::has_distinct_elements;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::strided_layout;
using strew::tensor_view;
using strew::detail::find_repeated;
using strew::detail::find_shared;
using strew::detail::overlap_result;
using strew::detail::shares_memory;
using strew::test::constify;
using strew::test::coordinate;
using strew::test::for_each_coordinate;

namespace {

constexpr std::int64_t largest = (std::numeric_limits<std::ptrdiff_t>::max)();  // span of a view

constexpr strided_layout layout_of(const index_list& extents, const index_list& strides, std::size_t element_size = 1) {
  strided_layout layout;
  strew::detail::raise_if_error(strided_layout::try_make(extents, strides, element_size, layout));
  return layout;
}

constexpr bool distinct(const index_list& extents, const index_list& strides) {
  return has_distinct_elements(layout_of(extents, strides));
}

// All offsets, one after the other in a set.
bool distinct_by_counting(const coordinate& extents, const coordinate& strides) {
  constexpr std::int64_t middle = 256;
  std::bitset<2 * middle> seen;
  bool all_new = true;
  for_each_coordinate(extents, [&](const coordinate& at) {
    const auto offset = static_cast<std::size_t>(middle + strew::test::offset_of(at, strides));
    all_new = all_new && !seen[offset];
    seen[offset] = true;
  });
  return all_new;
}

struct outcomes {
  int yes = 0;
  int no = 0;
};

// Compares both answers for one layout.
void check_distinct(const coordinate& extents, const coordinate& strides, outcomes& counted) {
  const bool expected = distinct_by_counting(extents, strides);
  if (distinct(extents, strides) != expected ||
      find_repeated(layout_of(extents, strides)) != (expected ? overlap_result::no : overlap_result::yes)) {
    CAPTURE(extents, strides, expected);
    FAIL("has_distinct_elements or find_repeated is wrong");
  }
  ++(expected ? counted.yes : counted.no);
}

// An element of any size that may lie at any address.
template <std::size_t Size>
struct bytes {
  unsigned char byte[Size];
};

constexpr std::int64_t memory_size = 2048;
using byte_set = std::bitset<memory_size>;

struct placed {
  coordinate extents;
  coordinate strides;
  std::int64_t first = 0;  // in bytes
};

template <std::size_t Size>
byte_set bytes_of(const placed& view) {
  byte_set result;
  for_each_coordinate(view.extents, [&](const coordinate& at) {
    const std::int64_t element =
        view.first + strew::test::offset_of(at, view.strides) * static_cast<std::int64_t>(Size);
    for (std::size_t k = 0; k < Size; ++k) result.set(static_cast<std::size_t>(element) + k);
  });
  return result;
}

placed random_view(strew::test::random_source& random) {
  placed view;
  for (std::int64_t rank = random.between(0, 4); rank > 0; --rank) {
    view.extents.push_back(random.between(random.one_in(10) ? 0 : 1, 3));
    view.strides.push_back(random.between(-6, 6));
  }
  view.first = memory_size / 2 + random.between(-12, 12);
  return view;
}

// Draws pairs of views of elements of sizes A and B, at any byte.
template <std::size_t A, std::size_t B>
void check_random_pairs(strew::test::random_source& random, int pairs, outcomes& counted) {
  static std::array<unsigned char, memory_size> memory;
  for (int pair = 0; pair < pairs; ++pair) {
    const placed a = random_view(random);
    const placed b = random_view(random);
    const bool expected = (bytes_of<A>(a) & bytes_of<B>(b)).any();
    const bool answer =
        shares_memory(reinterpret_cast<const bytes<A>*>(memory.data() + a.first), layout_of(a.extents, a.strides, A),
                      reinterpret_cast<const bytes<B>*>(memory.data() + b.first), layout_of(b.extents, b.strides, B));
    if (answer != expected) {
      CAPTURE(A, a.extents, a.strides, a.first, B, b.extents, b.strides, b.first, expected);
      FAIL("shares_memory is wrong");
    }
    ++(expected ? counted.yes : counted.no);
  }
}

template <class A, class B>
constexpr bool share(const tensor_view<A>& a, const tensor_view<B>& b) {
  const bool answer = shares_memory(a.data(), a.layout(), b.data(), b.layout());
  const bool swapped = shares_memory(b.data(), b.layout(), a.data(), a.layout());
  if (answer != swapped) throw "the answer depends on the order";
  return answer;
}

}  // namespace

TEST_CASE("of two tests for overlap yes counts before undecided, and undecided before no") {
  // Each counts before those in front of it.
  const overlap_result every[] = {overlap_result::no, overlap_result::undecided, overlap_result::yes};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) CHECK(strew::detail::combine(every[a], every[b]) == every[a > b ? a : b]);
  }
}

TEST_CASE("all layouts of ranks 0 to 3 with strides in [-6, 6] are told apart", "[overlap]") {
  outcomes counted;
  for (std::size_t rank = 0; rank <= 3; ++rank) {
    strew::test::for_each_shape(rank, 3, [&](const coordinate& extents) {
      for_each_coordinate(coordinate(rank, 13), [&](const coordinate& shifted) {
        coordinate strides = shifted;
        for (std::int64_t& stride : strides) stride -= 6;
        check_distinct(extents, strides, counted);
      });
    });
  }
  CHECK(counted.yes > 50000);
  CHECK(counted.no > 20000);
}

TEST_CASE("layouts of rank 4 and longer axes are told apart", "[overlap]") {
  strew::test::random_source random(2026);
  outcomes counted;
  for (int trial = 0; trial < 50000; ++trial) {
    coordinate extents(4);
    coordinate strides(4);
    for (std::int64_t& extent : extents) extent = random.between(1, 4);
    for (std::int64_t& stride : strides) stride = random.between(-20, 20);
    check_distinct(extents, strides, counted);
  }
  CHECK(counted.yes > 5000);
  CHECK(counted.no > 5000);
}

TEST_CASE("layouts to look at", "[overlap]") {
  constify([](auto& expect) {
    expect(distinct({}, {}) && distinct({1}, {0}) && distinct({0}, {0}) && distinct({2, 0}, {0, 0}));
    expect(!distinct({2}, {0}) && !distinct({2, 1, 3}, {3, 9, 0}));
    expect(distinct({3, 4}, {4, 1}) && distinct({3, 4}, {1, 3}) && distinct({3, 4}, {-4, -1}));
    expect(!distinct({3, 4}, {1, 1}) && !distinct({3, 4}, {1, -1}) && !distinct({3, 4}, {3, 1}));
    expect(distinct({3, 3}, {3, 2}) && !distinct({3, 4}, {3, 2}));  // 2 * 3 is 3 * 2
    expect(distinct({1, 1, 1}, {int64_min, int64_max, 0}));
    expect(distinct({2, 2}, {largest / 2, 1}) && !distinct({2, 2}, {largest / 2, -(largest / 2)}));
  });
  STATIC_REQUIRE(noexcept(has_distinct_elements(std::declval<const strided_layout&>())));
}

TEST_CASE("views of elements of any size at any byte share memory where their bytes do", "[overlap]") {
  strew::test::random_source random(2026);
  outcomes counted;
  check_random_pairs<1, 1>(random, 20000, counted);
  check_random_pairs<4, 4>(random, 20000, counted);
  check_random_pairs<4, 1>(random, 20000, counted);
  check_random_pairs<2, 8>(random, 20000, counted);
  check_random_pairs<3, 5>(random, 20000, counted);
  check_random_pairs<16, 4>(random, 20000, counted);
  CHECK(counted.yes > 20000);
  CHECK(counted.no > 20000);
}

TEST_CASE("interleaved views share nothing", "[overlap]") {
  constify([](auto& expect) {
    int data[24] = {};
    const tensor_view matrix{data, {6, 4}};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        expect(share(slice(matrix, 1, i, i + 1), slice(matrix, 1, j, j + 1)) == (i == j));
      }
    }
    expect(!share(slice(matrix, 0, 0, 6, 2), slice(matrix, 0, 1, 6, 2)));
    expect(!share(slice(matrix, 0, 0, 6, 2), slice(matrix, 0, 5, strew::int64_min, -2)));
    expect(share(slice(matrix, 0, 0, 6, 2), slice(matrix, 0, 0, 6, 3)));
    expect(!share(slice(matrix, 0, 0, 3), slice(matrix, 0, 3, 6)) &&
           share(slice(matrix, 0, 0, 4), slice(matrix, 0, 3, 6)));
    expect(share(matrix, transpose(matrix)) && share(matrix, reverse(matrix, 0)) && share(matrix, matrix));
    const tensor_view<int> diagonal{data, {4}, {5}};
    expect(share(matrix, diagonal) && !share(diagonal, tensor_view<int>{data + 1, {4}, {5}}));
  });
}

TEST_CASE("the parts of a complex number are views that share nothing with each other", "[overlap]") {
  std::array<std::complex<float>, 8> data{};
  auto* const parts = reinterpret_cast<float*>(data.data());
  const tensor_view whole{data.data(), {8}};
  const tensor_view real{parts, {8}, {2}};
  const tensor_view imaginary{parts + 1, {8}, {2}};
  CHECK_FALSE(share(real, imaginary));
  CHECK(share(whole, real));
  CHECK(share(whole, imaginary));
  CHECK_FALSE(share(slice(whole, 0, 0, 4), slice(real, 0, 4, 8)));
  CHECK(share(slice(whole, 0, 0, 4), slice(real, 0, 3, 8)));
}

TEST_CASE("long interleaved views share nothing", "[overlap]") {
  std::vector<float> memory(1000000);
  const tensor_view line{memory.data(), {1000000}};
  CHECK_FALSE(share(slice(line, 0, 0, 1000000, 2), slice(line, 0, 1, 1000000, 2)));
  CHECK_FALSE(share(slice(line, 0, 0, 1000000, 2), slice(line, 0, 1, 1000000, 4)));
  CHECK_FALSE(share(slice(line, 0, 0, 1000000, 4), slice(line, 0, 1, 1000000, 6)));
  CHECK(share(slice(line, 0, 0, 1000000, 3), slice(line, 0, 1, 1000000, 4)));

  const tensor_view matrix{memory.data(), {100000, 10}};
  CHECK_FALSE(share(slice(matrix, 1, 0, 9, 3), slice(matrix, 1, 1, 10, 3)));
  CHECK_FALSE(share(slice(matrix, 0, 0, 100000, 2), slice(matrix, 0, 1, 100000, 2)));
  CHECK_FALSE(share(slice(matrix, 0, 0, 100000, 2), slice(matrix, 0, 1, 100000, 4)));

  const tensor_view images{memory.data(), {16, 100, 200, 3}};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) CHECK(share(slice(images, 3, a, a + 1), slice(images, 3, b, b + 1)) == (a == b));
  }
  const tensor_view top_left = slice(slice(images, 1, 0, 50), 2, 0, 100);
  CHECK_FALSE(share(top_left, slice(slice(images, 1, 50, 100), 2, 0, 100)));
  CHECK_FALSE(share(top_left, slice(slice(images, 1, 0, 50), 2, 100, 200)));
  CHECK(share(top_left, slice(slice(images, 1, 49, 100), 2, 99, 200)));
}

TEST_CASE("an empty view shares nothing", "[overlap]") {
  constify([](auto& expect) {
    int data[4] = {};
    const tensor_view all{data, {4}};
    expect(!share(all, tensor_view{data, {0}}) && !share(all, tensor_view{data, {4, 0}}));
    expect(!share(all, tensor_view<int>{}) && !share(tensor_view<int>{}, tensor_view<int>{}));
    expect(share(all, tensor_view{data + 3, {}}));
  });
}

TEST_CASE("constant evaluation tells views of one array and of several apart", "[overlap]") {
  constify([](auto& expect) {
    int a[4] = {};
    int b[4] = {};
    long c[4] = {};
    int scalar = 0;
    expect(share(tensor_view{a, {3}}, tensor_view{a + 2, {2}}) && !share(tensor_view{a, {2}}, tensor_view{a + 2, {2}}));
    expect(!share(tensor_view{a, {4}}, tensor_view{b, {4}}) && !share(tensor_view{a, {4}}, tensor_view{c, {4}}));
    expect(!share(tensor_view{a, {4}}, tensor_view{&scalar, {}}) &&
           share(tensor_view{&scalar, {}}, tensor_view{&scalar, {}}));
  });
}

TEST_CASE("distances between views of any span are told apart without overflow", "[overlap]") {
  constify([](auto& expect) {
    constexpr std::int64_t far_off = largest / 2 + 1;
    const strided_layout ends = layout_of({2}, {far_off});
    const strided_layout backwards = layout_of({2}, {-far_off});
    expect(find_shared(0, ends, 1, ends, 1) == overlap_result::yes &&
           find_shared(1, ends, 1, ends, 1) == overlap_result::no);
    expect(find_shared(far_off, ends, 1, ends, 1) == overlap_result::yes);
    expect(find_shared(-far_off, ends, 1, ends, 1) == overlap_result::yes);
    expect(find_shared(far_off + 1, ends, 1, ends, 1) == overlap_result::no);
    expect(find_shared(-far_off - 1, ends, 1, ends, 1) == overlap_result::no);
    expect(find_shared(far_off, ends, 1, backwards, 1) == overlap_result::yes);
    expect(find_shared(-far_off, backwards, 1, ends, 1) == overlap_result::yes);
    expect(find_shared(largest, ends, 1, backwards, 1) == overlap_result::no);
    expect(find_shared(-largest - 1, backwards, 1, ends, 1) == overlap_result::yes);
    expect(find_shared(int64_min, ends, 1, ends, 1) == overlap_result::no);
    expect(find_shared(3, layout_of({}, {}), 4, ends, 1) == overlap_result::yes &&
           find_shared(4, layout_of({}, {}), 4, ends, 1) == overlap_result::no);
    expect(find_shared(0, layout_of({0}, {1}), 4, ends, 1) == overlap_result::no);
  });
}

// These are knapsacks: without a limit, the search for the one sum that is met would be busy for years.
TEST_CASE("hostile strides are refused at once", "[overlap]") {
  strew::test::random_source random(2026);
  coordinate strides;
  for (int k = 0; k < 16; ++k) strides.push_back(random.between(largest >> 12, largest >> 11));
  // As many to an axis as a view may have on sixteen, and a few.
  constexpr std::int64_t many = sizeof(void*) >= 8 ? 14 : 3;
  constexpr std::int64_t few = sizeof(void*) >= 8 ? 3 : 2;
  const auto last_offset = [&](std::int64_t extent) {
    std::int64_t last = 0;
    for (const std::int64_t stride : strides) last += (extent - 1) * stride;
    return last;
  };

  SECTION("a layout of more elements than offsets repeats some") {
    const strided_layout layout = layout_of(coordinate(16, many), strides);
    REQUIRE(last_offset(many) + 1 < layout.size());
    CHECK(find_repeated(layout) == overlap_result::yes);
    CHECK_FALSE(has_distinct_elements(layout));
  }
  SECTION("whether a few to an axis are distinct is left undecided") {
    const strided_layout layout = layout_of(coordinate(16, few), strides);
    CHECK(find_repeated(layout) == overlap_result::undecided);
    CHECK_FALSE(has_distinct_elements(layout));
  }
  SECTION("but a stride of 0 repeats elements whatever the others are") {
    strides[15] = 0;
    CHECK(find_repeated(layout_of(coordinate(16, few), strides)) == overlap_result::yes);
  }
  SECTION("two views, one of which begins in the middle of the other") {
    const strided_layout layout = layout_of(coordinate(16, many), strides);
    std::int64_t distance = 0;
    for (const std::int64_t stride : strides) distance += random.between(many / 3, 2 * many / 3) * stride;
    // Nothing is read, so there need not be any memory.
    CHECK(find_shared(distance, layout, 1, layout, 1) == overlap_result::undecided);
    CHECK(find_shared(0, layout, 1, layout, 1) == overlap_result::yes);
    CHECK(find_shared(last_offset(many) + 1, layout, 1, layout, 1) == overlap_result::no);
  }
}

// The search for each axis alone is within the limit; together they take more.
TEST_CASE("the searches for all axes of a layout share one limit of steps", "[overlap]") {
  if constexpr (sizeof(void*) >= 8) {
    const strided_layout layout =
        layout_of({6, 6, 6, 6, 6, 6}, {37362006293064753, 89394970998400555, 73926665511447714, 17891586379187702,
                                       47332282105215859, 47031993879072420});
    int steps = 0;
    CHECK(strew::detail::search_repeated(layout, steps) == overlap_result::undecided);
    CHECK(steps == strew::detail::bounded_sums::step_limit + 1);
    CHECK_FALSE(has_distinct_elements(layout));
  }
}

TEST_CASE("two columns of one matrix are output and updates, true overlap is refused", "[overlap]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int indices[] = {3, 2, 1, 0};
    const tensor_view matrix{data, {4, 2}};
    const tensor_view left = slice(matrix, 1, 0, 1);
    const tensor_view right = slice(matrix, 1, 1, 2);
    const tensor_view order{indices, {4}};
    expect(strew::try_scatter_update(left, order, right, 0).ok());
    expect(data[0] == 7 && data[2] == 5 && data[4] == 3 && data[6] == 1 && data[1] == 1);
    expect(strew::try_scatter_update(left, order, left, 0).code() == strew::errc::overlap);
    expect(strew::try_scatter_update(matrix, order, matrix, 0).code() == strew::errc::overlap);
    expect(strew::try_scatter_update(broadcast(left, {4, 3}), order, tensor_view{data, {4, 3}, {0, 0}}, 0).code() ==
           strew::errc::repeated_element);
  });
}
