// SPDX-License-Identifier: Apache-2.0
// Every operator on rows with segments in the place of indices: the updates of a case are sorted by their targets,
// which gives the same result.
#include "walk.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

namespace strew::test::matrix {
namespace {

struct segments_form {
  static constexpr wanted_cases wanted{.which = form::segments, .has_parts = true};
  static constexpr std::size_t first_types = 0;
  static constexpr std::size_t types = 4;

  template <class Calls, class T, class Index, class R>
  static status run(const scatter_case& on, const circumstances_of_call& in, const R& reduce) {
    // A row-major number is (outer * extent + coordinate on the axis) * lanes + lane.
    shape extents = on.data->extents();
    const std::size_t axis = oracle::axis_of(on.axis, extents.size());
    const std::size_t count = on.indices[0].size();
    const auto extent = static_cast<std::size_t>(extents[axis]);
    const shape inner(extents.begin() + static_cast<std::ptrdiff_t>(axis) + 1, extents.end());
    const auto lanes = static_cast<std::size_t>(oracle::count_of(inner));

    std::vector<std::size_t> segment_of(count);  // those of no elements are all in the first
    for (std::size_t i = 0; i < on.targets.size(); ++i) {
      segment_of[i / lanes % count] = static_cast<std::size_t>(on.targets[i]) / lanes % extent;
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return segment_of[a] < segment_of[b]; });
    const auto sorted = std::make_unique<T[]>(on.updates->size());
    for (std::size_t i = 0; i < on.updates->size(); ++i) {
      const std::size_t from = (i / lanes / count * count + order[i / lanes % count]) * lanes + i % lanes;
      std::memcpy(static_cast<void*>(&sorted[i]), on.updates->element(from), sizeof(T));
    }
    // One byte has no room for the offsets of all cases.
    using offset = std::conditional_t<sizeof(Index) == 1, std::int16_t, Index>;
    std::vector<offset> offsets{0};
    for (std::size_t s = 0; s < extent; ++s) {
      const auto length = std::count(segment_of.begin(), segment_of.end(), s);
      offsets.push_back(static_cast<offset>(static_cast<std::int64_t>(offsets.back()) + length));
    }
    if (on.is_error) ++offsets.back();  // beyond the updates

    extents[axis] = static_cast<std::int64_t>(count);
    const chosen_threads ex{in};
    return Calls::arguments(
        on, view_of<const T>(*on.data), strew::segments(offsets),
        tensor_view<const T>(sorted.get(), index_list(extents)), reduce,
        [&](const auto&... arguments) { return Calls::attempt(ex, arguments..., view_of<T>(on.written())); });
  }
};
const walked_form here{form::segments};

TEST_CASE("matrix: every operator with segments equals naive loops") {
  walk<segments_form>();
}

}  // namespace
}  // namespace strew::test::matrix
