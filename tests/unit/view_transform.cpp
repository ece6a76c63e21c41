// SPDX-License-Identifier: Apache-2.0
// Permute, transpose, slice, reverse, broadcast and chains of them, element by element against a model that knows
// neither pointers nor strides.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/python_slice.hpp"
#include "support/random_source.hpp"

#include <strew/view/view_transform.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

using strew::errc;
using strew::index_list;
using strew::int64_max;
using strew::int64_min;
using strew::tensor_view;
using strew::test::constify;
using strew::test::coordinate;
using strew::test::for_each_coordinate;

namespace {

// A tensor as a function from coordinates to elements of some memory.
struct model {
  coordinate extents;
  std::function<int(const coordinate&)> element;
};

model permuted(const model& source, const coordinate& axes) {
  coordinate extents;
  for (const std::int64_t axis : axes) extents.push_back(source.extents[static_cast<std::size_t>(axis)]);
  return {extents, [=](const coordinate& at) {
            coordinate from(at.size());
            for (std::size_t k = 0; k < at.size(); ++k) from[static_cast<std::size_t>(axes[k])] = at[k];
            return source.element(from);
          }};
}

model sliced(const model& source, std::size_t axis, int start, int stop, int step) {
  const std::vector<std::int64_t> selected = strew::test::python_slice(start, stop, step, source.extents[axis]);
  coordinate extents = source.extents;
  extents[axis] = static_cast<std::int64_t>(selected.size());
  return {extents, [=](coordinate at) {
            at[axis] = selected[static_cast<std::size_t>(at[axis])];
            return source.element(at);
          }};
}

model reversed(const model& source, std::size_t axis) {
  return {source.extents, [=](coordinate at) {
            at[axis] = source.extents[axis] - 1 - at[axis];
            return source.element(at);
          }};
}

model broadcasted(const model& source, const coordinate& extents) {
  return {extents, [=](const coordinate& at) {
            coordinate from(at.end() - static_cast<std::ptrdiff_t>(source.extents.size()), at.end());
            for (std::size_t k = 0; k < from.size(); ++k) from[k] = source.extents[k] == 1 ? 0 : from[k];
            return source.element(from);
          }};
}

// The law: the view names, coordinate by coordinate, the elements that the model names.
bool agree(const tensor_view<const int>& view, const model& expected) {
  if (!(view.extents() == index_list(expected.extents))) return false;
  bool same = true;
  for_each_coordinate(expected.extents, [&](const coordinate& at) { same = same && view[at] == expected.element(at); });
  return same;
}

void require_agreement(const tensor_view<const int>& view, const model& expected) {
  if (agree(view, expected)) return;
  CAPTURE(view.extents(), view.strides(), expected.extents);
  FAIL("the view and its model differ");
}

// Memory in which each element holds its own position, and views of it of every kind.
class memory {
 public:
  static constexpr int size = 4096;

  memory() : elements_(size) { std::iota(elements_.begin(), elements_.end(), 0); }

  // The strides' signs are those of `strides`; the first element is in the middle.
  std::pair<tensor_view<const int>, model> view(const coordinate& extents, const coordinate& strides) const {
    const int first = size / 2;
    return {
        {elements_.data() + first, extents, strides},
        {extents, [=](const coordinate& at) { return first + static_cast<int>(strew::test::offset_of(at, strides)); }}};
  }

 private:
  std::vector<int> elements_;
};

// Row-major, padded, reversed, and broadcast along the first axis.
std::vector<coordinate> stride_patterns(const coordinate& extents) {
  coordinate row_major(extents.size());
  coordinate padded(extents.size());
  std::int64_t stride = 1;
  std::int64_t padded_stride = 2;
  for (std::size_t k = extents.size(); k-- > 0;) {
    row_major[k] = stride;
    padded[k] = padded_stride;
    stride *= std::max<std::int64_t>(extents[k], 1);
    padded_stride *= extents[k] + 1;
  }
  coordinate reversed = row_major;
  for (std::int64_t& s : reversed) s = -s;
  std::vector<coordinate> patterns{row_major, padded, reversed};
  if (!extents.empty()) {
    patterns.push_back(row_major);
    patterns.back()[0] = 0;
  }
  return patterns;
}

template <class Body>
void for_each_small_view(std::size_t largest_rank, Body body) {
  const memory elements;
  for (std::size_t rank = 0; rank <= largest_rank; ++rank) {
    strew::test::for_each_shape(rank, 3, [&](const coordinate& extents) {
      for (const coordinate& strides : stride_patterns(extents)) {
        const auto [view, expected] = elements.view(extents, strides);
        body(view, expected);
      }
    });
  }
}

}  // namespace

TEST_CASE("permute moves axes and nothing else", "[view_transform]") {
  int checked = 0;
  for_each_small_view(4, [&](const tensor_view<const int>& view, const model& expected) {
    coordinate axes(expected.extents.size());
    std::iota(axes.begin(), axes.end(), 0);
    do {
      coordinate from_the_end = axes;
      for (std::int64_t& axis : from_the_end) axis -= view.rank();
      const model moved = permuted(expected, axes);
      require_agreement(permute(view, axes), moved);
      require_agreement(permute(view, from_the_end), moved);
      ++checked;
    } while (std::next_permutation(axes.begin(), axes.end()));
  });
  CHECK(checked == 3 + 4 * (4 * 1 + 16 * 2 + 64 * 6 + 256 * 24));  // patterns * shapes * permutations
}

TEST_CASE("transpose turns the axes around", "[view_transform]") {
  for_each_small_view(4, [&](const tensor_view<const int>& view, const model& expected) {
    coordinate axes(expected.extents.size());
    std::iota(axes.rbegin(), axes.rend(), 0);
    require_agreement(transpose(view), permuted(expected, axes));
    require_agreement(transpose(transpose(view)), expected);
  });
}

TEST_CASE("slice selects what Python selects", "[view_transform]") {
  int checked = 0;
  for_each_small_view(2, [&](const tensor_view<const int>& view, const model& expected) {
    for (int axis = 0; axis < view.rank(); ++axis) {
      for_each_coordinate({11, 11, 9}, [&](const coordinate& shifted) {
        const int start = static_cast<int>(shifted[0]) - 5;
        const int stop = static_cast<int>(shifted[1]) - 5;
        const int step = static_cast<int>(shifted[2]) - 4;
        if (step == 0) return;
        const model selected = sliced(expected, static_cast<std::size_t>(axis), start, stop, step);
        require_agreement(slice(view, axis, start, stop, step), selected);
        if (step == 1) require_agreement(slice(view, axis - view.rank(), start, stop), selected);
        require_agreement(slice(view, {.start = start, .stop = stop, .step = step, .axes = axis}), selected);
        ++checked;
      });
    }
  });
  CHECK(checked > 100000);
}

TEST_CASE("slices of several axes, what is left out being None", "[view_transform]") {
  const memory elements;
  strew::test::random_source random(2027);
  for (int drawn = 0; drawn < 20000; ++drawn) {
    coordinate extents(static_cast<std::size_t>(random.between(0, 4)));
    for (std::int64_t& extent : extents) extent = random.between(0, 4);
    auto [view, expected] = elements.view(extents, random.pick(stride_patterns(extents)));
    const bool has_start = random.one_in(2);
    const bool has_stop = random.one_in(2);
    const bool has_step = random.one_in(2);
    coordinate start, stop, step, axes;
    for (const std::size_t axis : random.order(extents.size())) {
      if (random.one_in(3)) break;
      step.push_back(has_step ? random.between(1, 3) * (random.one_in(2) ? 1 : -1) : 1);
      const std::int64_t extent = extents[axis];
      start.push_back(has_start ? random.between(-5, 5) : strew::test::start_of_none(step.back(), extent));
      stop.push_back(has_stop ? random.between(-5, 5) : strew::test::stop_of_none(step.back(), extent));
      axes.push_back(static_cast<std::int64_t>(axis) - (random.one_in(2) ? view.rank() : 0));
      expected = sliced(expected, axis, static_cast<int>(start.back()), static_cast<int>(stop.back()),
                        static_cast<int>(step.back()));
    }
    strew::slice_spec slices{.axes = axes};
    if (has_start) slices.start = start;
    if (has_stop) slices.stop = stop;
    if (has_step) slices.step = step;
    require_agreement(slice(view, slices), expected);
  }
}

TEST_CASE("reverse turns one axis around", "[view_transform]") {
  for_each_small_view(4, [&](const tensor_view<const int>& view, const model& expected) {
    for (int axis = 0; axis < view.rank(); ++axis) {
      const model turned = reversed(expected, static_cast<std::size_t>(axis));
      require_agreement(reverse(view, axis), turned);
      require_agreement(reverse(view, axis - view.rank()), turned);
      require_agreement(reverse(reverse(view, axis), axis), expected);
    }
  });
}

TEST_CASE("broadcast follows NumPy's rule for every pair of shapes", "[view_transform]") {
  int legal = 0;
  int refused = 0;
  for_each_small_view(2, [&](const tensor_view<const int>& view, const model& expected) {
    for (std::size_t rank = 0; rank <= 3; ++rank) {
      strew::test::for_each_shape(rank, 3, [&](const coordinate& extents) {
        bool fits = extents.size() >= expected.extents.size();
        for (std::size_t k = 1; fits && k <= expected.extents.size(); ++k) {
          const std::int64_t from = expected.extents[expected.extents.size() - k];
          fits = from == 1 || from == extents[extents.size() - k];
        }
        tensor_view<const int> result;
        const bool accepted = strew::try_broadcast(view, extents, result).ok();
        CAPTURE(view.extents(), extents);
        if (accepted != fits) FAIL("refused or accepted against the rule");
        if (fits) require_agreement(result, broadcasted(expected, extents));
        ++(fits ? legal : refused);
      });
    }
  });
  CHECK(legal > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("chains of transforms name what the chained models name", "[view_transform]") {
  const memory elements;
  strew::test::random_source random(2026);
  const auto between = [&](int low, int high) { return static_cast<int>(random.between(low, high)); };
  for (int chain = 0; chain < 20000; ++chain) {
    coordinate extents(static_cast<std::size_t>(between(0, 4)));
    for (std::int64_t& extent : extents) extent = between(0, 4);
    const std::vector<coordinate> patterns = stride_patterns(extents);
    auto [view, expected] = elements.view(extents, random.pick(patterns));
    for (int links = between(1, 6); links > 0; --links) {
      const int rank = view.rank();
      const int kind = between(0, 3);
      if (kind == 0) {
        coordinate axes;
        for (const std::size_t axis : random.order(static_cast<std::size_t>(rank))) {
          axes.push_back(static_cast<std::int64_t>(axis));
        }
        view = permute(view, axes);
        expected = permuted(expected, axes);
      } else if (kind == 1) {
        coordinate wider = expected.extents;
        for (std::int64_t& extent : wider) extent = extent == 1 ? between(0, 3) : extent;
        if (rank < 5 && random.one_in(2)) wider.insert(wider.begin(), between(0, 3));
        view = broadcast(view, wider);
        expected = broadcasted(expected, wider);
      } else if (rank > 0) {
        const int axis = between(0, rank - 1);
        const int start = between(-5, 5);
        const int stop = between(-5, 5);
        const int step = between(1, 3) * (random.one_in(2) ? 1 : -1);
        view = kind == 2 ? reverse(view, axis) : slice(view, axis, start, stop, step);
        expected = kind == 2 ? reversed(expected, static_cast<std::size_t>(axis))
                             : sliced(expected, static_cast<std::size_t>(axis), start, stop, step);
      }
    }
    require_agreement(view, expected);
  }
}

TEST_CASE("transforms in constant evaluation", "[view_transform]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view matrix{data, {2, 3}};
    expect(transpose(matrix)(2, 1) == 5 && transpose(matrix).extents() == index_list{3, 2});
    expect(permute(matrix, {1, 0})(0, 1) == 3 && permute(matrix, {-1, -2})(2, 0) == 2);
    expect(slice(matrix, {.start = 1})(0, 0) == 3 && slice(matrix, {.step = -1, .axes = 1})(0, 0) == 2);
    expect(slice(matrix, {}).extents() == matrix.extents());
    expect(slice(matrix, 1, 0, 3, 2)(1, 1) == 5 && slice(matrix, -1, 2, strew::int64_min, -2)(0, 1) == 0);
    expect(reverse(matrix, 0)(0, 0) == 3 && reverse(reverse(matrix, 1), 0)(0, 0) == 5);
    expect(broadcast(slice(matrix, 0, 1, 2), {4, 3})(3, 2) == 5);
    expect(broadcast(tensor_view{data + 1, {}}, {2, 2})(1, 1) == 1);
    reverse(transpose(matrix), 0)(0, 0) = 9;
    expect(data[2] == 9);
  });
}

TEST_CASE("axes that name no axis, or one twice, are refused", "[view_transform]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view matrix{data, {2, 3}};
    const tensor_view scalar{data, {}};
    tensor_view<int> result{data, {1}};
    expect(try_permute(matrix, {0}, result).code() == errc::count_mismatch);
    expect(try_permute(matrix, {0, 1, 2}, result).code() == errc::count_mismatch);
    expect(try_permute(matrix, {}, result).code() == errc::count_mismatch);
    expect(try_permute(matrix, {0, 0}, result).code() == errc::repeated_axis);
    expect(try_permute(matrix, {1, -1}, result).code() == errc::repeated_axis);
    expect(try_permute(matrix, {0, 2}, result).code() == errc::axis_out_of_range);
    expect(try_permute(matrix, {0, int64_min}, result).code() == errc::axis_out_of_range);
    expect(try_permute(matrix, {0, (std::int64_t{1} << 32) + 1}, result).code() == errc::axis_out_of_range);
    expect(try_permute(scalar, {0}, result).code() == errc::count_mismatch);
    expect(try_slice(matrix, 2, 0, 1, 1, result).code() == errc::axis_out_of_range);
    expect(try_slice(matrix, -3, 0, 1, 1, result).code() == errc::axis_out_of_range);
    expect(try_slice(matrix, int64_max, 0, 1, 1, result).code() == errc::axis_out_of_range);
    expect(try_slice(matrix, 0, 0, 1, 0, result).code() == errc::zero_step);
    expect(try_slice(scalar, 0, 0, 1, 1, result).code() == errc::axis_out_of_range);
    expect(try_slice(matrix, {.start = 0, .axes = 2}, result).code() == errc::axis_out_of_range);
    expect(try_slice(matrix, {.start = {0, 0}, .axes = {1, -1}}, result).code() == errc::repeated_axis);
    expect(try_slice(matrix, {.step = 0}, result).code() == errc::zero_step);
    expect(try_slice(matrix, {.start = 0, .stop = {1, 2}}, result).code() == errc::count_mismatch);
    expect(try_slice(scalar, {.start = 0}, result).code() == errc::count_mismatch);
    expect(try_reverse(matrix, 2, result).code() == errc::axis_out_of_range);
    expect(try_reverse(scalar, -1, result).code() == errc::axis_out_of_range);
    expect(try_broadcast(matrix, {3}, result).code() == errc::rank_mismatch);
    expect(try_broadcast(matrix, {}, result).code() == errc::rank_mismatch);
    expect(try_broadcast(matrix, {2, 4}, result).code() == errc::extent_mismatch);
    expect(try_broadcast(matrix, {1, 3}, result).code() == errc::extent_mismatch);
    expect(try_broadcast(scalar, {-1}, result).code() == errc::negative_extent);
    expect(try_broadcast(scalar, {int64_min, 0}, result).code() == errc::negative_extent);
    expect(try_broadcast(matrix, {int64_max, 2, 3}, result).code() == errc::size_overflow);
    expect(try_broadcast(scalar, {int64_max, int64_max}, result).code() == errc::size_overflow);
    expect(result.data() == data && result.extents() == index_list{1});
  });
}

TEST_CASE("the throwing transforms throw what the others return", "[view_transform]") {
  int data[] = {0, 1, 2, 3, 4, 5};
  const tensor_view matrix{data, {2, 3}};
  CHECK_THROWS_AS(permute(matrix, {0, 0}), strew::scatter_error);
  CHECK_THROWS_AS(slice(matrix, 2, 0, 1), strew::scatter_error);
  CHECK_THROWS_AS(reverse(matrix, -3), strew::scatter_error);
  CHECK_THROWS_AS(broadcast(matrix, {2, 4}), strew::scatter_error);
  tensor_view<int> result;
  STATIC_REQUIRE(noexcept(transpose(matrix)));
  STATIC_REQUIRE(noexcept(try_permute(matrix, {0, 0}, result)));
  STATIC_REQUIRE(noexcept(try_slice(matrix, 0, 0, 1, 1, result)));
  STATIC_REQUIRE(noexcept(try_reverse(matrix, 0, result)));
  STATIC_REQUIRE(noexcept(try_broadcast(matrix, {2, 3}, result)));
}

TEST_CASE("the result of a transform may be the view itself", "[view_transform]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    tensor_view view{data, {2, 3}};
    expect(try_permute(view, {1, 0}, view).ok() && view(2, 1) == 5 && view.extents() == index_list{3, 2});
    expect(try_reverse(view, 0, view).ok() && view(0, 1) == 5);
    expect(try_slice(view, 0, 0, 1, 1, view).ok() && view.extents() == index_list{1, 2});
    expect(try_broadcast(view, {2, 1, 2}, view).ok() && view(1, 0, 1) == 5);
  });
}

TEST_CASE("steps of any size, strides of any size on unit axes, and empty views without memory", "[view_transform]") {
  constify([](auto& expect) {
    int data[] = {0, 1, 2, 3, 4, 5};
    const tensor_view row{data, {6}};
    expect(slice(row, 0, 5, int64_min, int64_min).size() == 1 && slice(row, 0, 5, int64_min, int64_min)(0) == 5);
    expect(slice(row, 0, 2, int64_max, int64_max)(0) == 2);
    expect(slice(row, 0, 0, 6, int64_min).empty());
    expect(slice(row, 0, std::numeric_limits<std::uint64_t>::max(), 0, -1)(0) == 5);

    const tensor_view unit{data, {1, 6}, {int64_min, 1}};
    expect(reverse(unit, 0)(0, 3) == 3 && transpose(unit)(3, 0) == 3);
    expect(slice(unit, 0, 0, int64_min, int64_min)(0, 5) == 5 && slice(unit, 0, 1, 2).empty());
    expect(broadcast(unit, {3, 6})(2, 4) == 4 && permute(unit, {1, 0}).extents() == index_list{6, 1});

    constexpr std::int64_t largest = (std::numeric_limits<std::ptrdiff_t>::max)();
    const tensor_view<int> hollow{nullptr, {0, 3}, {largest / 4, 1}};
    expect(reverse(hollow, 0).empty() && reverse(hollow, 1).empty() && transpose(hollow).empty());
    expect(slice(hollow, 1, 2, 0, -1).extents() == index_list{0, 2} && slice(hollow, 1, 2, 0, -1).data() == nullptr);
    expect(broadcast(hollow, {2, 0, 3}).empty() && permute(hollow, {1, 0}).extents() == index_list{3, 0});
    expect(reverse(tensor_view<int>{}, 0).data() == nullptr);
    const tensor_view empty_with_long_strides{data, {2, 0}, {largest / 8, 1}};
    expect(reverse(empty_with_long_strides, 0).data() == data);  // not moved out of its memory
  });
}
